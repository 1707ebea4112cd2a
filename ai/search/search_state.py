"""How a search ends, and what it leaves behind for its caller or for going on."""

import numpy as np

from ai.search.jit import Array, Number, helper

NO_NODE = -1

GOAL_FOUND, EXHAUSTED, PAUSED, POOL_FULL = range(4)
"""How a run ended."""

OPEN, CLOSED, REOPENED = 0, 1, 2
"""Phases of a node: in the frontier, expanded, in the frontier again."""

(
    N_SETTLED,
    N_EXPANDED,
    BUCKET,
    TOP,
    FREE,
    N_LIVE,
    OVERFLOW,
    OVERFLOW_BUCKET,
    N_PARKED,
    ROUND,
    AIM,
) = range(11)
"""Registers: what a finished search reports, and what a paused one keeps."""
N_REGISTERS = 11

EVERY_REGION = 2**64 - 1
"""The regions of what depends on the whole graph; see `regions_of`."""


@helper
def regions_of(nodes: Array, count: Number, region_of: Array) -> Number:
    """Return the regions of the first nodes, one bit each; 0 without regions."""
    regions = np.uint64(0)
    if len(region_of) > 0:
        for i in range(count):
            regions |= np.uint64(1) << np.uint64(region_of[nodes[i]])
    return regions
