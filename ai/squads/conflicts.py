"""Conflicts of units that move at the same time, for planners and for the check of joint moves.

Two units are in conflict if they are on the same node at a tick or swap nodes during a tick. They
are also in conflict if one is in the clearance of the other's step before or after it; see
`squad_graph`.
"""

from collections.abc import Iterator

import numpy as np

from ai.squads.constraints import Constraint
from ai.squads.squad_graph import Ints, SquadGraph

Conflict = tuple[Constraint, Constraint]
"""Two constraints; either of them resolves the conflict.

Both have a node if two units are on it, and both a step if they swap. Otherwise the first has the
step, and the second the node in its clearance.
"""


def find_conflicts(positions: Ints, profile_of: Ints, graph: SquadGraph) -> list[Conflict]:
    """Return all conflicts in the order of ticks.

    `positions` is (n_ticks + 1, n_units) nodes, `profile_of` (n_units,) profiles of the graph.
    """
    found = [*_vertex_conflicts(positions), *_swap_conflicts(positions, profile_of, graph)]
    if graph.needs_clearance:
        found += _clearance_conflicts(positions, profile_of, graph)
    return sorted(found)


def _vertex_conflicts(positions: Ints) -> Iterator[Conflict]:
    """Yield pairs of units on the same node."""
    is_same = positions[:, :, None] == positions[:, None, :]
    for tick, unit, other in np.argwhere(np.triu(is_same, 1)).tolist():
        node = int(positions[tick, unit])
        yield Constraint(tick, unit, node, -1), Constraint(tick, other, node, -1)


def _swap_conflicts(positions: Ints, profile_of: Ints, graph: SquadGraph) -> Iterator[Conflict]:
    """Yield pairs of units that exchange their nodes in one tick."""
    now, after = positions[:-1], positions[1:]
    follows = now[:, :, None] == after[:, None, :]
    is_swap = follows & follows.transpose(0, 2, 1) & (now != after)[:, :, None]
    for tick, *pair in np.argwhere(np.triu(is_swap, 1)).tolist():
        first, second = (
            Constraint(
                tick, unit, -1, graph.step(profile_of[unit], now[tick, unit], after[tick, unit])
            )
            for unit in pair
        )
        yield first, second


def _clearance_conflicts(
    positions: Ints, profile_of: Ints, graph: SquadGraph
) -> Iterator[Conflict]:
    """Yield units that step while another unit is in the clearance of the step."""
    rows, profiles = positions.tolist(), profile_of.tolist()
    occupants = [{node: unit for unit, node in enumerate(row)} for row in rows]
    for tick, unit in np.argwhere(positions[:-1] != positions[1:]).tolist():
        start, end = rows[tick][unit], rows[tick + 1][unit]
        for near in graph.clearance(profiles[unit], start, end):
            for late in range(2):
                other = occupants[tick + late].get(near)
                if other is not None:
                    step = graph.step(profiles[unit], start, end)
                    yield Constraint(tick, unit, -1, step), Constraint(tick + late, other, near, -1)
