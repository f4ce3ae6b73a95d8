"""A file holds the model that was saved, or is refused."""

import os
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import Pipeline
from tests.storage.forging import forge, members_of

from credo import storage
from credo.errors import FormatError, InvalidInput, NotFitted
from credo.linear import BayesianRegression
from credo.storage import files


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    return BayesianRegression().fit(X, X @ [1.0, 2.0, 3.0] + rng.normal(size=20))


@pytest.fixture
def path(model, tmp_path):
    storage.save(model, tmp_path / "model.credo", about={"target": "y", "scores": (0.1, np.float64(0.2))})
    return tmp_path / "model.credo"


X = np.random.default_rng(1).normal(size=(7, 3))


def test_a_model_comes_back_bit_for_bit(model, path):
    saved = storage.load_with_about(path)
    assert vars(saved.model).keys() == vars(model).keys()
    assert saved.model.predictive(X).mean.tobytes() == model.predictive(X).mean.tobytes()
    assert saved.model.predictive(X).sd.tobytes() == model.predictive(X).sd.tobytes()
    assert saved.model.outcome_ is model.outcome_
    assert dict(saved.about) == {"target": "y", "scores": (0.1, 0.2)}
    assert type(storage.load(path)) is BayesianRegression


def test_pipelines_and_models_before_fit(model, tmp_path):
    line = Pipeline([("pass", "passthrough"), ("model", model)])
    storage.save(line, tmp_path / "line.credo")
    again = storage.load(tmp_path / "line.credo")
    assert (again.predict(X) == line.predict(X)).all()
    storage.save(BayesianRegression(alpha=2.0), tmp_path / "new.credo")
    again = storage.load(tmp_path / "new.credo")
    assert again.get_params() == BayesianRegression(alpha=2.0).get_params()
    with pytest.raises(NotFitted):
        again.predict(X)


def test_the_same_model_gives_the_same_bytes(model, path, tmp_path):
    storage.save(model, tmp_path / "twin.credo", about={"target": "y", "scores": (0.1, np.float64(0.2))})
    assert (tmp_path / "twin.credo").read_bytes() == path.read_bytes()


def test_only_models_are_replaced(model, path, tmp_path):
    storage.save(model, path)
    assert not storage.load_with_about(path).about
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("manifest.json", '{"format": "something else"}')
    for victim in (thesis, other, tmp_path):
        with pytest.raises(InvalidInput, match="not replaced"):
            storage.save(model, victim)
    assert thesis.read_text() == "years of work"
    with pytest.raises(InvalidInput, match="cannot write"):
        storage.save(model, tmp_path / "no" / "such" / "folder.credo")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.credo", "other.zip", "thesis.txt"]


def test_an_interrupted_save_leaves_the_old_model(model, path, monkeypatch):
    before = path.read_bytes()

    def breaks(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", breaks)
    with pytest.raises(InvalidInput, match="No space left"):
        storage.save(model, path, about={"new": 1})
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_forging_itself_works(path):
    forge(path, members_of(path))
    storage.load(path)


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        ({"version": 2}, "has version 2, and this Credo reads version 1"),
        ({"version": None}, "has version None"),
        ({"format": "pickle"}, "not a Credo model"),
        ({"sha256": {}}, "not what the manifest says"),
        ({"sha256": None}, "not what the manifest says"),
    ],
)
def test_another_manifest_is_refused(path, manifest, complaint):
    forge(path, members_of(path), **manifest)
    with pytest.raises(FormatError, match=f"model.credo: .*{complaint}"):
        storage.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m | {"../../etc/passwd": b"x"},
        lambda m: m | {"arrays/99.npy": m["arrays/0.npy"]},
        lambda m: {name: content for name, content in m.items() if name != "arrays/0.npy"},
        lambda m: {name: content for name, content in m.items() if name != "model.json"},
        lambda m: m | {"model.json": b"[" * 100_000},
        lambda m: m | {"model.json": b"[1, 2]"},
        lambda m: m | {"model.json": b'{"model": NaN, "about": {"dict": []}}'},
        lambda m: m | {"model.json": b'{"model": ' + b"9" * 5000 + b', "about": {"dict": []}}'},
        lambda m: m | {"model.json": b'{"model": 1}'},
        lambda m: m | {"model.json": b'{"model": 1, "about": 2}'},
        lambda m: m | {"model.json": m["model.json"].replace(b"BayesianRegression", b"os.system")},
        lambda m: m | {"model.json": m["model.json"].replace(b"coef_", b"fit")},
        lambda m: m | {"model.json": m["model.json"].replace(b'"array":0', b'"array":77')},
        lambda m: m | {"model.json": m["model.json"].replace(b'"array":0', b'"array":"0"')},
        lambda m: m | {"arrays/0.npy": m["arrays/0.npy"][:-8]},
    ],
)
def test_forged_members_are_refused(path, change):
    forge(path, change(members_of(path)))
    with pytest.raises(FormatError, match=r"model\.credo"):
        storage.load(path)


def test_what_could_grow_is_refused(path, monkeypatch):
    members = members_of(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(FormatError, match="compressed"):
        storage.load(path)
    forge(path, members)
    for limit, value in (("MOST_MEMBERS", 3), ("MOST_JSON", 100), ("MOST_BYTES", 1000)):
        with monkeypatch.context() as patch:
            patch.setattr(files, limit, value)
            with pytest.raises(FormatError):
                storage.load(path)
    monkeypatch.setattr(files, "MOST_JSON", 100)
    with pytest.raises(InvalidInput, match="at most 100"):
        storage.save(BayesianRegression(), path)


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "model.credo").touch()
    with pytest.raises(FormatError, match="this is a directory"):
        storage.load(tmp_path)
    with pytest.raises(FormatError, match=r"there is no such file. Did you mean 'model.credo'"):
        storage.load(tmp_path / "modle.credo")
    with pytest.raises(InvalidInput, match="path must be a path; got None"):
        storage.load(None)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_damage_is_found(model, tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "damaged.credo"
    path.unlink(missing_ok=True)
    storage.save(model, path)
    whole = path.read_bytes()
    kind = data.draw(st.sampled_from(["flip", "cut", "insert", "noise"]))
    place = data.draw(st.integers(0, len(whole) - 1))
    damaged = {
        "flip": whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :],
        "cut": whole[:place],
        "insert": whole[:place] + data.draw(st.binary(min_size=1, max_size=9)) + whole[place:],
        "noise": data.draw(st.binary(max_size=200)),
    }[kind]
    path.write_bytes(damaged)
    try:
        again = storage.load(path)
    except FormatError:
        path.unlink()
    else:  # some bytes of an archive say nothing, such as the date of a member
        assert again.predictive(X).mean.tobytes() == model.predictive(X).mean.tobytes()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_any_json_is_a_model_or_refused(model, tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "mangled.credo"
    path.unlink(missing_ok=True)
    storage.save(model, path)
    members = members_of(path)
    text = members["model.json"]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    other = data.draw(
        st.sampled_from(
            [b"", b"null", b"{}", b"[]", b"1e999", b'"', b"-1", b'{"array":0}', b'{"tuple":1}', b"Pipeline"]
        )
        | st.binary(max_size=6)
    )
    forge(path, members | {"model.json": text[:start] + other + text[end:]})
    try:
        again = storage.load(path)
    except FormatError:
        return
    assert again is None or isinstance(again, (BayesianRegression, str, int, float, list, tuple, np.ndarray))
