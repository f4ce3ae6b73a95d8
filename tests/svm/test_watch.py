"""How long fits are shown and stopped."""

import threading

import pytest

from credo.svm.watch import Watch, each


def test_progress_is_told_in_machines_and_violations(monkeypatch):
    told = []
    watch = Watch(machines=3)
    monkeypatch.setattr(watch.line, "tell", told.append)
    watch.done()
    watch.tell(0.05, 1e-3)
    assert told == ["1 of 3 machines solved; violation 0.05, to fall to 0.001"]


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_every_task_and_keeps_what_they_say(monkeypatch, threads):
    monkeypatch.setattr("credo.native.threads", lambda: threads)
    watch = Watch()
    main = threading.main_thread()
    if threads == 2:  # the thread that waits is the one that is interrupted
        from concurrent.futures import Future

        wait = Future.exception

        def interrupted(self, timeout=None):
            if threading.current_thread() is main and not watch.stopped:
                raise KeyboardInterrupt
            return wait(self, timeout)

        monkeypatch.setattr(Future, "exception", interrupted)

    def work(task):
        if threads == 1 and task == 1 and not watch.stopped:
            raise KeyboardInterrupt
        return task

    assert each(work, [0, 1, 2], watch) == [0, 1, 2]
    assert watch.stopped


def test_what_a_task_raises_is_raised(monkeypatch):
    for threads in (1, 2):
        monkeypatch.setattr("credo.native.threads", lambda count=threads: count)
        with pytest.raises(ZeroDivisionError):
            each(lambda task: 1 / task, [1, 0], Watch())
