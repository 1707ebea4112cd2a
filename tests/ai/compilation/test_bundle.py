"""Arrays that reach compiled code as one argument."""

import gc

import numpy as np
import pytest

from ai.compilation.bundle import Bundle, line_at, table_at
from ai.compilation.jit import compiled

PAIR = np.dtype([("a", "i8"), ("b", "i2")])


@compiled
def work(words):
    """Read an array of each kind, write to one, and return a sum."""
    line, table = line_at(words, 0, np.uint16), table_at(words, 1, np.int32)
    nothing, pairs = table_at(words, 2, np.float64), line_at(words, 3, PAIR)
    rows, cols = table.shape
    total = len(nothing) + nothing.shape[1] + rows + 10 * cols
    for i in range(len(line)):
        line[i] += 1
        total += line[i]
    for row in range(rows):
        for col in range(cols):
            total += table[row, col]
    for i in range(len(pairs)):
        total += pairs[i]["a"] * pairs[i]["b"]
    return total


def arrays():
    line, table = np.array([1, 2, 65535], np.uint16), np.arange(6, dtype=np.int32).reshape(2, 3)
    return line, table, np.zeros((0, 4)), np.array([(2, 3), (5, -1)], PAIR)


def as_python(words):
    with np.errstate(over="ignore"):
        return work.py_func(words)


@pytest.mark.parametrize("run", [work, as_python])
def test_arrays_are_read_and_written_in_place(run):
    given = arrays()
    # Of nothing 0 rows and 4 columns; of the table 2 and 3; lines 2, 3 and 0; 15; and 6 - 5.
    assert run(Bundle(*given).words) == 4 + 32 + 5 + 15 + 1
    assert given[0].tolist() == [2, 3, 0]


@pytest.mark.parametrize("run", [work, as_python])
def test_a_bundle_keeps_its_arrays(run):
    bundle = Bundle(*arrays())
    gc.collect()
    others = [np.full(3, 7, np.uint16) for _ in range(1000)]  # in memory that was given back
    assert run(bundle.words) == 57
    assert all(each.tolist() == [7, 7, 7] for each in others)


def test_what_compiled_code_could_not_read_is_refused():
    with pytest.raises(ValueError, match=r"must be contiguous, .* got 2 axes, strides \(32, 16\)"):
        Bundle(np.zeros((4, 4))[:, ::2])
    with pytest.raises(ValueError, match="1 or 2 axes, got 3 axes"):
        Bundle(np.zeros((2, 2, 2)))
