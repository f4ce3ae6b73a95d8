"""What is saved is there whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest

from credo import storage
from credo.errors import InvalidInput
from credo.linear import BayesianRegression

PROGRAM = """
import os, sys
import numpy as np
from credo import storage
from credo.linear import BayesianRegression

X = np.random.default_rng(1).normal(size=(2000, 3))
model = BayesianRegression(beta=4.0).fit(X, X[:, 0])
{before}
storage.save(model, sys.argv[1], about={{"weights": X}})
"""


@pytest.fixture
def path(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3))
    storage.save(BayesianRegression(beta=4.0).fit(X, X[:, 1]), tmp_path / "model.credo", about={"old": True})
    return tmp_path / "model.credo"


def saved_by_another(path, before):
    program = PROGRAM.format(before=before)
    return subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)


def test_a_crash_in_the_middle_leaves_the_old_model(path):
    before = path.read_bytes()
    done = saved_by_another(path, "os.fsync = lambda _: os._exit(9)")
    assert done.returncode == 9, done.stderr
    assert path.read_bytes() == before
    assert storage.load_with_about(path).about["old"]
    storage.save(storage.load(path), path)  # what the crash left behind is in nobody's way
    assert not storage.load_with_about(path).about


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
def test_a_disk_that_is_full_is_said_and_nothing_is_lost(path):
    before = path.read_bytes()
    done = saved_by_another(path, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"credo.errors.InvalidInput: cannot write {path}: ")
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_several_save_at_once_and_one_of_them_is_there(path):
    X = np.random.default_rng(0).normal(size=(30, 2))
    models = [BayesianRegression(alpha=float(i + 1), beta=4.0).fit(X, X[:, 0]) for i in range(4)]
    failed = []

    def save(model):
        try:
            for _ in range(5):
                storage.save(model, path, about={"alpha": model.alpha})
                found = storage.load_with_about(path)
                assert found.model.alpha == found.about["alpha"]
        except Exception as error:  # noqa: BLE001 (a thread cannot raise into the test)
            failed.append(error)

    threads = [threading.Thread(target=save, args=(model,)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_names_may_be_as_long_as_the_disk_allows(tmp_path):
    path = tmp_path / ("m" * 249 + ".credo")
    storage.save(BayesianRegression(), path)
    assert storage.load(path).get_params() == BayesianRegression().get_params()


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(InvalidInput, match="cannot write"):
        storage.save(BayesianRegression(), tmp_path / "nowhere" / "model.credo")
