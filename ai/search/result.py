"""How a search ends, and what it leaves behind for its caller or for going on."""

import numpy as np

from ai.search.compiled import Array, Number, part

NO_NODE = -1

GOAL_FOUND, EXHAUSTED, PAUSED, POOL_FULL = range(4)
"""How a run ended."""

OPEN, CLOSED, REOPENED = 0, 1, 2
"""Phases of a node: in the frontier, expanded, in the frontier again."""

N_SETTLED, N_EXPANDED, BUCKET, TOP, FREE, N_LIVE, LATE, LATE_BUCKET, N_PARKED, ROUND, AIM = range(
    11
)
"""Registers: what a finished search reports, and what a paused one keeps."""
N_REGISTERS = 11

EVERY_BLOCK = 2**64 - 1
"""The blocks of what depends on the whole graph; see `blocks_of`."""


@part
def blocks_of(nodes: Array, count: Number, block_of: Array) -> Number:
    """Give the blocks that hold any of the first nodes, one bit each; 0 if there are no blocks."""
    blocks = np.uint64(0)
    if len(block_of) > 0:
        for i in range(count):
            blocks |= np.uint64(1) << np.uint64(block_of[nodes[i]])
    return blocks
