"""Many searches for whole costs in one call, so that threads run beside each other for long."""

from typing import Any

import numba
import numpy as np

from ai.search.outcome import GOAL_FOUND, POOL_FULL
from ai.search.whole import search_whole

Array = Any  # of whatever dtype: numba compiles for each that comes
Number = Any


@numba.njit(cache=True, nogil=True)
def search_many(
    step_cost: Array,
    illegal: Number,
    offset: Array,
    node_class: Array,
    link_first: Array,
    link_target: Array,
    link_cost: Array,
    cols: Number,
    place: Array,
    level: Array,
    weights: Array,
    is_guided: bool,
    table: Array,
    starts: Array,
    goals: Array,
    limit: Number,
    node_bits: Number,
    era: Number,
    state: Array,
    settled: Array,
    pool: Array,
    due: Array,
    ring: Array,
    register: Array,
    record: Array,
    block_of: Array,
    lengths: Array,
) -> Number:
    """Find a way from each start to its goal, one era down for each, until something is used up.

    The ways stand one behind the other in `record`, their lengths in `lengths`; 0 is no way.

    Returns
    -------
    int
        How many have been answered.
    """
    no_cost = np.zeros(1, dtype=np.int64)
    filled = 0
    for i in range(len(starts)):
        if era - i < 1 or filled + len(state) > len(record):
            return i
        status, length, _ = search_whole(
            step_cost,
            illegal,
            offset,
            node_class,
            link_first,
            link_target,
            link_cost,
            cols,
            place,
            level,
            weights,
            is_guided,
            table,
            starts[i : i + 1],
            no_cost,
            goals[i],
            limit,
            np.int64(1) << 62,
            node_bits,
            era - i,
            state,
            settled,
            pool,
            due,
            ring,
            register,
            record[filled:],
            False,
            block_of,
            True,
        )
        if status == POOL_FULL:
            return i
        lengths[i] = length if status == GOAL_FOUND else 0
        filled += lengths[i]
    return len(starts)
