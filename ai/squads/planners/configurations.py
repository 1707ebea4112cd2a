"""From one arrangement of a squad to the next: PIBT for a task, among ways that are settled."""

from collections.abc import Iterable

import numpy as np

from ai.squads.planners.pibt import NOT_YET, advance
from ai.squads.planners.pibt_workspace import Room
from ai.squads.planners.swap import Squad
from ai.squads.steps import Ints
from ai.squads.task import Task


class Ticks:
    """Gives where the units of a task are after a tick.

    Parameters
    ----------
    task : Task
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        ends = [(int(way[0]), int(way[-1])) for way in task.queued]
        queued = np.array(ends, dtype=np.int64).reshape(-1, 2)
        self._squad = Squad(
            np.concatenate([task.start, queued[:, 0]]),
            np.concatenate([task.goal, queued[:, 1]]),
            np.array([*task.profile_of, *task.queued_profiles], dtype=np.int64),
            np.array([*task.field_of, *(0 for _ in ends)], dtype=np.int64),
            task.fields,
        )
        self._room = Room.of(task.ground.steps, len(self._squad.start))

    def after(
        self,
        nodes: Ints,
        tick: int,
        order: Ints,
        salt: int,
        settled: Iterable[tuple[int, int]] = (),
    ) -> Ints | None:
        """Give where everybody is a tick later; None if somebody would have no place.

        Parameters
        ----------
        nodes : (n_units,) int64
            Where everybody is.
        tick : int
            Since when the others are on their settled ways.
        order : (n_units,) int64
            Units, the highest priority first.
        salt : int
            Tells which of several equally good steps are taken.
        settled : iterable of (unit, node)
            Who has to be where.
        """
        task, n_units = self._task, len(self._task)
        now, after = np.empty((2, len(self._squad.start)), dtype=np.int64)
        now[:n_units], after[:] = nodes, NOT_YET
        for number, way in enumerate(task.queued, start=n_units):
            now[number] = way[min(tick, len(way) - 1)]
            after[number] = way[min(tick + 1, len(way) - 1)]
        for unit, node in settled:
            after[unit] = node
        steps = task.ground.steps
        is_legal = advance(now, after, order, n_units, salt, self._squad, steps, self._room)
        return after[:n_units].copy() if is_legal else None
