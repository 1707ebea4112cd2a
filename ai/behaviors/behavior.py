"""The base classes of behaviors: one cell at a time, along a path, or the first of several."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, cast

from ai.board.situation import Situation
from terrain3d import Cell, Reason
from terrain3d.core.checks import (
    checked_function,
    instance_of,
    number_within,
    true_or_false,
)
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.grid.reason import join_reasons, register_reasons

register_reasons(
    either_off_the_map=("{target:tile} or {here} is not on the map",),
    has_arrived=("has arrived {cell:at}",),
    arrived_beside=("has arrived beside {cell}",),
    waits_at=("waits {cell:at}",),
    only_post=("stays at its only post {cell}",),
    detours_over=("has given up {cell:at} after {n_detours:detours}",),
    caught_up=("has caught up with the target {cell:at}",),
    as_near_as_can=("is as near {goal:to} as it can get",),
    keeps_distance=("keeps its distance of {tiles:tiles}",),
    no_goal=("there is no goal",),
    no_target=("there is no target",),
    no_threat=("no threat is near",),
    no_safer_place=("no place is safer",),
    all_visited=("all that can be reached has been visited",),
    no_ground=("there is no ground {cell:at}",),
    no_step_from=("no step is legal from {cell}",),
    walled_in=("walls stand all around {cell}",),
    trail_over=("has come to the end of the trail {cell:at}",),
    unit_on_trail=("a unit stands on the trail {cell:at}",),
    condition_fails=("its condition does not hold",),
)

Target = Callable[[], CellLike | None]
"""Returns the target's cell now, or None if there is no target any more."""


class Located(Protocol):
    """What is on a cell, as a `Unit` is."""

    @property
    def cell(self) -> CellLike:
        """The cell where it is now."""


TargetLike = CellLike | Target | Located
"""What a target is given by."""


def target_of(name: str, target: TargetLike) -> Target:
    """Return a function that returns the cell of a target now; `name` is that of the argument."""
    if callable(target):
        return checked_function(name, target, 0)
    if hasattr(target, "cell"):  # many times as fast as to ask for the protocol
        return lambda: cast(Located, target).cell  # a copy follows the same unit
    return partial(as_cell, as_cell(target))


class Stay(Reason):
    """A reason to stay on purpose: the mover is where its behavior wants it.

    Any other text is a reason why a behavior cannot or need not act; `FirstOf` then asks the next.
    """


class Behavior(ABC):
    """Chooses the next cell of one mover, again and again.

    To write a behavior, implement `_choose`, and extend `advance` if it depends on time. A behavior
    keeps state about its mover, so each mover needs its own. It should not raise when the map or
    the other units change: without a cell to go to, the mover stays.
    """

    reason: str = ""
    """Why the mover stays, by the last answer, as a `Stay` if on purpose; "" if it moves on."""
    _parts: Sequence[Behavior] = ()
    """The behaviors for which time passes as for this one."""
    _now_s = 0.0  # the time that has passed

    def next_cell(self, situation: Situation) -> Cell | None:
        """Return the next cell: one step away, or a few steps if the mover cannot stop before.

        Returns
        -------
        Cell or None
            None if the mover stays; `reason` says why.

        Raises
        ------
        TypeError
            `_choose` returned neither a cell nor a reason.
        """
        choice = self._choose(instance_of("situation", situation, Situation))
        self.reason = choice if isinstance(choice, str) else ""
        return None if isinstance(choice, str) else as_cell(choice)

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass; any split of a time gives the same result."""
        self._now_s += number_within("dt_s", dt_s, 0)
        for part in self._parts:
            part.advance(dt_s)

    @abstractmethod
    def _choose(self, situation: Situation) -> CellLike | str:
        """Return the next cell, or the reason why the mover stays: a `Stay` if on purpose.

        `situation.steps()` returns the cells one step away where the mover may stop.
        """


@dataclass(frozen=True)
class Replan:
    """When a behavior plans again for a target that has moved: on the first of some occasions.

    A path that ends or is blocked, and one of a map that has changed, is planned again at once. If
    that does not help, the behavior tries again on these occasions, and without any path also when
    the target moves.

    Parameters
    ----------
    steps : number
        How many steps after the last plan, >= 1; 1 for each step, infinity for never.
    seconds : float
        How long after the last plan, >= 0.
    at_decision_points : bool
        Whether at each cell that is no part of a straight corridor, such as a corner or a junction;
        see `Navigation.is_decision_point`.
    straight_tiles : number
        Up to which distance a `Chase` needs no plan and goes straight to a target in sight, >= 0; 0
        for never.
    """

    steps: float = 5
    seconds: float = math.inf
    at_decision_points: bool = False
    straight_tiles: float = 4

    def __post_init__(self) -> None:
        """Check the limits."""
        number_within("steps", self.steps, 1)
        number_within("seconds", self.seconds, 0)
        true_or_false("at_decision_points", self.at_decision_points)
        number_within("straight_tiles", self.straight_tiles, 0)


class PathBehavior(Behavior):
    """A behavior that follows a path, of which it keeps the rest, and plans it again."""

    _replan = Replan()
    _rest: tuple[Cell, ...] = ()
    """The cell where the mover was when it was last asked, and those ahead on its path."""
    _version = -1  # of the map, at the last plan
    _goals: Sequence[Cell] = ()  # of the last plan
    _n_steps = 0  # since the last plan
    _planned_s = 0.0  # when

    def _follow(
        self, situation: Situation, path: Iterable[Cell], goals: Sequence[Cell] = ()
    ) -> Cell | None:
        """Follow a new path from the mover's cell, and return the next cell as `_next_on_path`."""
        self._rest, self._goals = tuple(path), goals
        self._version = situation.navigation.tilemap.version
        self._n_steps, self._planned_s = 0, self._now_s
        return next(filter(situation.can_stop, self._rest[1:]), None)

    def _next_on_path(self, situation: Situation) -> Cell | None:
        """Return the next cell where it may stop.

        None at the end of the path, off it, if it is blocked, and if the map has changed.
        """
        here, version = situation.here, situation.navigation.tilemap.version
        if here not in self._rest or version != self._version:
            self._rest = ()
            return None
        self._rest = self._rest[self._rest.index(here) :]
        for start, end in itertools.pairwise(self._rest):
            if end not in situation.steps_from(start):
                return None
            if situation.can_stop(end):
                return end
        return None

    def _is_due(self, situation: Situation, goals: Sequence[Cell], cell: Cell | None) -> bool:
        """Return whether to plan again for goals; `cell` is the next one on the path."""
        self._n_steps += 1
        navigation, replan, has_moved = situation.navigation, self._replan, goals != self._goals
        if navigation.tilemap.version != self._version or len(goals) != len(self._goals):
            return True
        if cell is not None and not has_moved:
            return False
        is_stuck = bool(self.reason) and not isinstance(self.reason, Stay)
        if cell is None and (not is_stuck or (has_moved and not self._rest)):
            return True
        if self._n_steps >= replan.steps or self._now_s - self._planned_s >= replan.seconds:
            return True
        is_point = cell is None or navigation.is_decision_point(situation.here, situation.profile)
        return replan.at_decision_points and is_point


class FirstOf(Behavior):
    """Follow the first behavior that returns a cell or a `Stay`.

    All are asked in their order at every step, up to the first that answers with a cell or a
    `Stay`; so an earlier one takes over as soon as it can act. Behaviors that are not asked keep
    what they remember, and time passes for them too. If none acts, the reason joins all reasons.

    Parameters
    ----------
    *behaviors : Behavior
        At least one, the preferred first.
    """

    def __init__(self, *behaviors: Behavior) -> None:
        if not behaviors:
            raise ValueError("FirstOf needs at least 1 behavior, got none")
        self._parts = [instance_of("a behavior", each, Behavior) for each in behaviors]

    def _choose(self, situation: Situation) -> Cell | str:
        reasons = []
        for behavior in self._parts:
            choice = behavior.next_cell(situation) or behavior.reason
            if isinstance(choice, Cell | Stay):
                return choice
            reasons.append(choice)
        return join_reasons(reasons)


class While(Behavior):
    """Follow a behavior as long as a condition holds; otherwise stay.

    While the condition does not hold, the behavior is not asked: it keeps what it remembers, and
    time passes for it. Its reasons are passed on.

    Parameters
    ----------
    condition : callable
        Returns whether the behavior is followed; called without arguments before every step.
    """

    def __init__(self, condition: Callable[[], bool], behavior: Behavior) -> None:
        self._condition = checked_function("condition", condition, 0)
        self._behavior = instance_of("behavior", behavior, Behavior)
        self._parts = (self._behavior,)

    def _choose(self, situation: Situation) -> Cell | str:
        if not self._condition():
            return Reason("condition_fails")
        return self._behavior.next_cell(situation) or self._behavior.reason
