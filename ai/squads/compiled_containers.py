"""Compiled containers of the space-time search: a binary heap and a hash set of integers."""

import numpy as np

from ai.compilation.jit import Array, Number, compiled, embedded

EMPTY = -1
"""Value of a hash-set slot without a key."""

_MIN_SIZE = 16


@embedded
def _is_before(heap: Array, row: Number, f: Number, conflicts: Number, g: Number) -> Number:
    """Return whether a row of a heap comes before another one."""
    return heap[row, 0] < f or (
        heap[row, 0] == f
        and (heap[row, 1] < conflicts or (heap[row, 1] == conflicts and heap[row, 2] > g))
    )


@compiled
def push(heap: Array, size: Number, f: Number, conflicts: Number, g: Number, entry: Number) -> None:
    """Add an entry to a heap of `size` rows (f, conflicts, g, entry).

    The entry with the lowest f comes first, then the fewest conflicts, then the highest g.
    """
    row = size
    while row > 0:
        parent = (row - 1) // 2
        if _is_before(heap, parent, f, conflicts, g):
            break
        for column in range(4):  # a whole row at once is slower
            heap[row, column] = heap[parent, column]
        row = parent
    heap[row, 0], heap[row, 1], heap[row, 2], heap[row, 3] = f, conflicts, g, entry


@compiled
def pop(heap: Array, size: Number) -> Number:
    """Remove the first entry of a heap of `size` rows and return it."""
    best, last, row = np.int64(heap[0, 3]), size - 1, 0
    f, conflicts, g = heap[last, 0], heap[last, 1], heap[last, 2]
    while True:
        child = 2 * row + 1
        if child >= last:
            break
        right = child + 1
        if right < last and _is_before(heap, right, heap[child, 0], heap[child, 1], heap[child, 2]):
            child = right
        if not _is_before(heap, child, f, conflicts, g):
            break
        for column in range(4):
            heap[row, column] = heap[child, column]
        row = child
    for column in range(4):
        heap[row, column] = heap[last, column]
    return best


@compiled
def slot_of(keys: Array, key: Number) -> Number:
    """Return the slot of a key in a hash set, or the empty slot where it belongs."""
    mask = np.uint64(len(keys) - 1)
    slot = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot ^= slot >> np.uint64(32)
    while keys[slot & mask] != EMPTY and keys[slot & mask] != key:
        slot += np.uint64(1)
    return np.int64(slot & mask)


@compiled
def hash_set_size(count: Number) -> Number:
    """Return the size of a hash set for `count` keys, a power of two."""
    size = _MIN_SIZE
    while size < 2 * count:
        size *= 2
    return size


@compiled
def rehashed(keys: Array, entries: Array, size: Number) -> Number:
    """Return a larger hash set of the keys, and their entries in the same order; 0 without one."""
    more_keys = np.full(size, np.int64(EMPTY))
    more_entries = np.zeros(size, dtype=np.int64)
    for old in range(len(keys)):
        if keys[old] != EMPTY:
            slot = slot_of(more_keys, keys[old])
            more_keys[slot], more_entries[slot] = keys[old], entries[old]
    return more_keys, more_entries
