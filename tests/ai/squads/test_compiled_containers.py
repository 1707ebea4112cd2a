"""Tests of the heap of the space-time search."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ai.squads.constraints import pop, push

FEW = st.integers(0, 3)


@given(st.lists(st.tuples(FEW, FEW, FEW), max_size=40))
def test_the_heap_returns_the_lowest_cost_then_fewest_conflicts_then_highest_g(keys):
    heap = np.empty((len(keys), 4))
    for entry, (f, conflicts, g) in enumerate(keys):
        push(heap, entry, f, conflicts, g, entry)
    popped = [keys[pop(heap, size)] for size in range(len(keys), 0, -1)]
    assert popped == sorted(keys, key=lambda key: (key[0], key[1], -key[2]))
