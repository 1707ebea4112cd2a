"""Sets of whole numbers as tables with open addressing, which compiled code looks things up in."""

import numpy as np

from ai.search.jit import Array, Number, compiled

EMPTY = -1
"""What stands where a table has no number."""

_LEAST_SIZE = 16


@compiled
def slot_of(keys: Array, key: Number) -> Number:
    """Find where a key is in a table, or would be."""
    mask = np.uint64(len(keys) - 1)
    place = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    place ^= place >> np.uint64(32)
    while keys[place & mask] != EMPTY and keys[place & mask] != key:
        place += np.uint64(1)
    return np.int64(place & mask)


@compiled
def table_size(count: Number) -> Number:
    """Give the size, a power of two, of a table for so many keys."""
    size = _LEAST_SIZE
    while size < 2 * count:
        size *= 2
    return size


@compiled
def table_of(keys: Array) -> Array:
    """Make a table of keys >= 0."""
    table = np.full(table_size(len(keys)), np.int64(EMPTY))
    for key in keys:
        table[slot_of(table, key)] = key
    return table
