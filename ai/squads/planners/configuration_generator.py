"""Generates the next configuration of a squad with PIBT.

A configuration is the node of every unit at one tick.
"""

from collections.abc import Iterable

import numpy as np

from ai.squads.planners.pibt import ADVANCED, CONFLICT, advance
from ai.squads.planners.pibt_arrays import UNDECIDED, SquadArrays, Workspace
from ai.squads.squad_graph import Ints
from ai.squads.task import Task


class ConfigurationGenerator:
    """Generates configurations of a task's units, among the other units' fixed paths."""

    def __init__(self, task: Task) -> None:
        self._task = task
        ends = [(int(path[0]), int(path[-1])) for path in task.queued]
        queued = np.array(ends, dtype=np.int64).reshape(-1, 2)
        self._squad = SquadArrays(
            np.concatenate([task.start, queued[:, 0]]),
            np.concatenate([task.goal, queued[:, 1]]),
            np.array([*task.profile_of, *task.queued_profiles], dtype=np.int64),
            np.array([*task.row_of, *(len(task.goal_costs) - 1 for _ in ends)], dtype=np.int64),
            task.goal_costs,
        )
        self._workspace = Workspace.of(task.graph.steps, len(self._squad.start))

    def successor(
        self,
        nodes: Ints,
        tick: int,
        order: Ints,
        salt: int,
        constraints: Iterable[tuple[int, int]] = (),
    ) -> tuple[Ints | None, bool]:
        """Return the configuration one tick later; None if a unit would have no node.

        Also return whether the constraints are free of conflicts with each other.

        `nodes` is (n_units,) the configuration at a tick, `order` (n_units,) units with the highest
        priority first. `salt` breaks ties between equally good steps. `constraints` are units and
        the nodes on which they must be after the tick.
        """
        task, n_units = self._task, len(self._task)
        now, after = np.empty((2, len(self._squad.start)), dtype=np.int64)
        now[:n_units], after[:] = nodes, UNDECIDED
        for number, path in enumerate(task.queued, start=n_units):
            now[number] = path[min(tick, len(path) - 1)]
            after[number] = path[min(tick + 1, len(path) - 1)]
        for unit, node in constraints:
            after[unit] = node
        steps = task.graph.steps
        status = advance(now, after, order, n_units, salt, self._squad, steps, self._workspace)
        return after[:n_units] if status == ADVANCED else None, status != CONFLICT
