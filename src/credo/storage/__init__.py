"""Models on disk: one file that is safe to open, whoever made it.

>>> import tempfile, pathlib
>>> from credo.linear import BayesianRegression
>>> model = BayesianRegression(beta=4.0).fit([[0.0], [1.0], [2.0]], [0.1, 0.9, 2.2])
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder) / "line.credo"
...     save(model, path, about={"target": "height"})
...     again = load_with_about(path)
>>> again.about["target"], bool((again.model.coef_ == model.coef_).all())
('height', True)

The format, version 1
---------------------

A file is a zip archive in which nothing is compressed, so that nothing can grow when it is read. Its members follow
each other without gap or overlap, and the directory at its end says of them what they say themselves. It holds

* ``manifest.json``: ``{"format": "credo-model", "version": 1, "sha256": {member: digest}}``, with every other member;
* ``model.json``: ``{"model": value, "about": value}``;
* ``arrays/0.npy``, ``arrays/1.npy``, …: NumPy's format 1.0; booleans, integers, floats or text of fixed width only.

A value is JSON, and what JSON cannot say is an object with one key:

=====================================  ==============================================================
``{"float": "nan"}``                   also ``"inf"``, ``"-inf"``
``{"tuple": [...]}``                   lists are JSON's own
``{"dict": [[key, value], ...]}``      keys may be anything hashable
``{"array": 3}``                       ``arrays/3.npy``
``{"labels": [[2, 3], [...]]}``        an array of objects: its shape and its values
``{"scalar": ["<f8", "0000000000…"]}`` a NumPy scalar, its bytes in hexadecimal
``{"enum": ["Outcome", "CONVERGED"]}`` a member of an enumeration
``{"object": ["Schema", {...}]}``      an instance, by the arguments of its constructor
``{"fitted": [object, {...}]}``        an estimator, and what ``fit`` found: attributes that end in ``_``
=====================================  ==============================================================

Each array stands once in the model. JSON is JSON: no name twice in an object, no NaN, no number beyond a float's.

What is refused
---------------

Everything that is not exactly as above, with a ``FormatError``: another version, an unknown member, a digest or a size
that differs, a class that is not in the list of ``classes.py``, an attribute that is no result of a fit. Instances are
made by their public constructors, which validate their arguments again. Nothing in a file names code, no file is
unpacked to disk, and nothing is executed. What is read is bounded before it is taken in: the number of members and of
values, the depth of their nesting, the size of the whole. Time and memory are in proportion to the file. The digests
find damage, not forgery: a forged file can hold a model that answers wrongly, late or not at all, never one that acts.

A file appears at its path whole or not at all, and only an older model is ever replaced. A disk that is full, or a
crash on the way, leaves what was there.

Files of older days
-------------------

A file opens in every later Credo, and its model says the same. Files of each family and version are kept in the tests
for that (``tests/storage/freeze.py`` writes those of a new family). A class may change in these ways:

* a new setting has a default, which stands for it in older files;
* a setting that is gone is listed in ``FORMER_SETTINGS`` of ``classes.py``, and is passed over;
* a class that moves keeps its name there.

Whatever cannot be said so changes the meaning of the format, and its version with it: then ``files.py`` turns the
members of a file of version 1 into those of version 2 as soon as its digests have been checked, before any value is
read, and values are read in one way only.
"""

from __future__ import annotations

from credo.storage.files import Saved, load, load_with_about, save

__all__ = ["Saved", "load", "load_with_about", "save"]
