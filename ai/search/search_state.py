"""Status codes, node phases and registers of the searches."""

NO_NODE = -1

GOAL_FOUND, EXHAUSTED, PAUSED, POOL_FULL, UNSETTLED = range(5)
"""Statuses of a run. UNSETTLED: the choice among equal paths needs every node of their cost."""

OWN_PARENTS, FIRST_PARENTS, SETTLED_PARENTS = range(3)
"""Paths that a run leaves: along its own parents, or by the rule of `equal_paths`; with
SETTLED_PARENTS it first closes every node that a path of the same cost can pass."""

OPEN, CLOSED, REOPENED = 0, 1, 2
"""Phases of a node: in the frontier, closed, in the frontier again."""
N_PHASES = 4
"""Marks of a generation; a power of two."""

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
    HAS_FREE,
) = range(12)
"""Registers: counts that a finished search reports, and the state that a paused one keeps."""
N_REGISTERS = 12
