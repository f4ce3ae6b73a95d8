"""Files made to do harm: none runs anything, hangs, or takes more memory than a small multiple of its size."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.storage.forging import forge

from credo import storage
from credo.errors import FormatError, InvalidInput
from credo.linear import BayesianRegression
from credo.storage import files
from credo.storage.arrays import LONGEST_EMPTY, array_from_bytes, array_to_bytes
from credo.storage.values import DEEPEST, LARGE, MOST_LARGE, Reader, Writer

NUMBERS = array_to_bytes(np.arange(3.0))
SE = '{"object":["SE",{"length":1.0}]}'


def nested(depth, before='{"tuple":[', after="]}"):
    return before * depth + "1" + after * depth


def array(shape, content=b""):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header + b"\n" + content


# What stands in the place of a model, and the arrays beside it.
HOSTILE = {
    "deep lists": (nested(100_000, "[", "]"), []),
    "deep objects": (nested(100_000, '{"tuple":', "}"), []),
    "deep tuples": (nested(2 * DEEPEST + 2), []),
    "a billion nothings": ("[" + "[],{}," * 3_000_000 + "[]]", []),
    "a long number": ("9" * 5_000, []),
    "a number beyond all": ("1e999", []),
    "NaN": ("NaN", []),
    "a name twice": ('{"tuple":[],"tuple":[1]}', []),
    "one array a thousand times": ("[" + ",".join(['{"array":0}'] * 1000) + "]", [NUMBERS]),
    "an array that is not there": ('{"array":5}', [NUMBERS]),
    "an array before the first": ('{"array":-1}', [NUMBERS]),
    "an array left over": ("null", [NUMBERS]),
    "a huge array": ('{"array":0}', [array((10**15,))]),
    "an array huge each way": ('{"array":0}', [array((2**32, 2**32))]),
    "a huge array without values": ('{"array":0}', [array((0, 10**15))]),
    "an array of many sides": ('{"array":0}', [array((1,) * 60, b"\0" * 8)]),
    "huge labels": ('{"labels":[[1000000000000],["a"]]}', []),
    "huge labels without values": ('{"labels":[[0,1000000000000000000000],[]]}', []),
    "a huge scalar": ('{"scalar":["<U999999","61000000"]}', []),
    "a scalar that is no letter": ('{"scalar":["<U1","ffffffff"]}', []),
    "a truth that is none": ('{"scalar":["|b1","02"]}', []),
    "labels that look alike": (
        json.dumps({"dict": [[LARGE * k, 0] for k in range(1, 100_000)]}),
        [],
    ),
    "a key that cannot be one": ('{"dict":[[[],1]]}', []),
    "a number for settings": ('{"object":["BayesianRegression",3]}', []),
    "a huge power": ('{"object":["Power",{"kernel":' + SE + ',"exponent":1000000000}]}', []),
    "code for a class": ('{"object":["os.system",{"command":"true"}]}', []),
    "a class of no list": ('{"object":["object",{}]}', []),
    "a method for a result": ('{"fitted":[{"object":["BayesianRegression",{}]},{"predict":1}]}', []),
    "a cache of a pipeline": ('{"object":["Pipeline",{"steps":[],"transform_input":null,"memory":"/tmp"}]}', []),
}


def write(path, text, arrays):
    held = {f"arrays/{i}.npy": content for i, content in enumerate(arrays)}
    forge(path, {"model.json": f'{{"model":{text},"about":{{"dict":[]}}}}'.encode(), **held})


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_is_refused(name, tmp_path):
    write(tmp_path / "hostile.credo", *HOSTILE[name])
    with pytest.raises(FormatError, match=r"hostile\.credo"):
        storage.load(tmp_path / "hostile.credo")


PROGRAM = """
import resource, sys, time
from pathlib import Path
from credo import storage
from credo.errors import FormatError
from credo.linear import BayesianRegression
from credo.kernels import SE

pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + 600 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
for path in sorted(Path(sys.argv[1]).glob("*.credo")):
    try:
        storage.load(path)
    except FormatError as error:
        print(path.name, "MemoryError" in str(error))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited and measured as on Linux")
def test_what_is_hostile_is_refused_within_bounds_of_memory_and_time(tmp_path):
    for i, name in enumerate(HOSTILE):
        write(tmp_path / f"{i:02d}.credo", *HOSTILE[name])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{i:02d}.credo False" for i in range(len(HOSTILE))]


def test_what_the_reader_refuses_the_writer_does_not_write(tmp_path, monkeypatch):
    with pytest.raises(InvalidInput, match="whole numbers"):
        Writer().write([LARGE] * (MOST_LARGE + 1))
    with pytest.raises(InvalidInput, match="whole numbers"):
        Writer().write(10**5000)
    with pytest.raises(InvalidInput, match="holds nothing"):
        array_to_bytes(np.empty((LONGEST_EMPTY + 1, 0)))
    assert array_from_bytes(array_to_bytes(np.empty((LONGEST_EMPTY, 0)))).shape == (LONGEST_EMPTY, 0)
    written = Writer().write([LARGE] * MOST_LARGE)
    assert Reader([]).read(written) == written
    monkeypatch.setattr(files, "MOST_VALUES", 10)
    with pytest.raises(InvalidInput, match="at most"):
        storage.save(BayesianRegression(), tmp_path / "model.credo", about={"many": list(range(20))})
    assert not list(Path(tmp_path).iterdir())


def test_as_deep_as_may_be_written_may_be_read():
    value = 1
    for _ in range(DEEPEST // 2):
        value = [(value,)]
    assert Reader([]).read(json.loads(json.dumps(Writer().write(value)))) == value
