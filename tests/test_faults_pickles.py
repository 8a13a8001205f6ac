"""Pickles of other projects with damage: an error in one line, never a crash, never a hang."""

import argparse
import io
import pickle
import random
import resource
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from helpers_faults import ENVIRONMENT
from sentrep.errors import SentrepError
from sentrep.io.pickles import ARRAYS, OBJECTS, read_pickle, read_rows

CONTENT = {
    "options": {"dim": 2400, "rate": 0.5, "name": "gru", "none": None, "flags": [True, False], "big": 2**70},
    "table": np.arange(12, dtype=np.float32).reshape(3, 4),
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "swapped": np.arange(3, dtype=">i4"),
    "words": np.array(["a", "bc"], dtype=object),
    "texts": np.array(["a", "bc"]),
    "number": np.float64(0.25),
    "namespace": argparse.Namespace(x=1),
}


def read(data: bytes) -> object:
    return read_pickle(io.BytesIO(data), {**ARRAYS, **OBJECTS}, "x.pkl")


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4])
def test_arrays_and_objects_are_read(protocol):
    found = read(pickle.dumps(CONTENT, protocol))
    for name, expected in CONTENT.items():
        if isinstance(expected, np.ndarray):
            assert found[name].dtype.newbyteorder("=") == expected.dtype.newbyteorder("=")
            np.testing.assert_array_equal(found[name], expected)
        else:
            assert found[name] == expected


@pytest.mark.parametrize(
    "value",
    [np.zeros(2, dtype=[("a", "f4")]), np.zeros(2, "datetime64[s]"), np.zeros(2, "V5"), print, {1, 2}.__class__, io],
)
def test_other_types_and_functions_are_refused(value):
    try:
        data = pickle.dumps(value, 2)
    except TypeError:
        data = b"cos\nsystem\n(S'true'\ntR."
    with pytest.raises(SentrepError, match=r"x\.pkl: expected a complete pickle of plain data and arrays"):
        read(data)


FLIP = """
import io, pickle, random, resource, sys
sys.path.insert(0, sys.argv[1])
from test_faults_pickles import CONTENT, read
from sentrep.errors import SentrepError
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
choose, refused = random.Random(int(sys.argv[2])), 0
for protocol in (0, 2, 4):
    data = pickle.dumps(CONTENT, protocol)
    for _ in range(1500):
        damaged = bytearray(data)
        damaged[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        try:
            read(bytes(damaged))
        except SentrepError:
            refused += 1
print(refused)
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_flipped_bits_neither_crash_nor_hang(seed):
    """numpy's own functions crashed on some of them."""
    command = [sys.executable, "-c", FLIP, __file__.rpartition("/")[0], str(seed)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 500


def test_a_damaged_index_takes_no_memory():
    """The C reader makes room for all indices up to the one that it finds: up to 64 GB, which it fills."""
    tracemalloc.start()
    try:
        assert read(b"\x80\x02K\x05r\xff\xff\xff\x00.") == 5
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_a_table_of_objects_with_flipped_bits(tmp_path):
    rows = np.empty(3, dtype=object)
    rows[:] = [np.full((1, 4), n, np.float32) for n in range(3)]
    np.save(tmp_path / "x.npy", rows)
    data, choose = (tmp_path / "x.npy").read_bytes(), random.Random(1)
    np.testing.assert_array_equal(read_rows(tmp_path / "x.npy"), [[n] * 4 for n in range(3)])
    refused = 0
    for _ in range(300):
        damaged = bytearray(data)
        damaged[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        (tmp_path / "x.npy").write_bytes(damaged)
        try:
            read_rows(tmp_path / "x.npy")
        except SentrepError:
            refused += 1
    assert refused > 50
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 8 << 20
