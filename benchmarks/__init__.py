"""Credo beside its peers, in one run, as ratios: ``python -m benchmarks [module …] [--json]``.

A benchmark module is a list of cases, called ``CASES``. A case names what is done and which peer does it too, and has
three functions: ``setup()`` makes the data, ``ours(data)`` and ``peer(data)`` do the same work on it::

    from benchmarks.harness import Case

    CASES = [Case("sort a million numbers", "list.sort", setup, ours, peer)]

Imports of peers go inside the functions. Each side of each case is measured in processes of its own, ours and the
peer's by turns, after one call that is not counted (of a case that is ``slow`` it is all there is); data are made
before the clock starts. A side whose calls have taken 15 seconds together is not begun again. A ratio above one means
that Credo is faster. Peers of several gigabytes stand in ``requirements-large.txt``; without them their cases are shown
as not installed.
"""
