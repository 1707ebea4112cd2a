"""The behaviors that a key of the scene gives to units, and what players read of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ai.behaviors.behavior import Behavior, FirstOf
from ai.behaviors.chase import Chase
from ai.behaviors.explore import Explore, FollowWall, Wander
from ai.behaviors.flee import Flee
from ai.behaviors.seek import Patrol, Seek
from terrain3d.core.translation import tr
from terrain3d.grid.reason import plain_reason

if TYPE_CHECKING:
    from ai.board.board import Board
    from ai.board.unit import Unit
    from ai.game.autopilot import Autopilot
    from terrain3d.grid.grid import Cell

CHASE = "chases the nearest enemy"
"""The name of what enemies of the player do."""
PATROL_WAIT_S = 0.5
GUARD_COST = 12
"""Highest cost of a path to an enemy for which a guard leaves its round."""


@dataclass(frozen=True)
class Task:
    """A unit that gets a behavior, and what the behavior may depend on."""

    board: Board
    unit: Unit
    post: Cell | None
    """Where the unit is sent, for behaviors that have a destination."""
    rng: np.random.Generator

    def threats(self) -> list[Cell]:
        """Return the cells of all enemies that the side of the unit sees now, the nearest first."""
        nearest, is_seen = self.board.situation(self.unit).nearest, self.board.is_seen
        enemies = self.board.enemies_of(self.unit)
        seen = [each for each in enemies if is_seen(each, self.unit.team)]
        return [each.cell for each in sorted(seen, key=lambda other: nearest(other.cells)[0])]

    def prey(self) -> Cell | None:
        """Return the cell of the nearest enemy in sight now."""
        return next(iter(self.threats()), None)

    def goal(self) -> Cell:
        """Return the post, or the cell that is the most expensive to reach."""
        if self.post is not None:
            return self.post
        return [self.unit.cell, *self.board.situation(self.unit).reach(math.inf).cells][-1]


def _patrol(task: Task) -> Patrol:
    far = task.board.reach(task.unit).cells[-1:] if task.post is None else [task.post]
    return Patrol([task.unit.cell, *far], wait_s=PATROL_WAIT_S)


BEHAVIORS: Mapping[str, Callable[[Task], Behavior]] = MappingProxyType(
    {
        CHASE: lambda task: Chase(task.prey),
        "flees from enemies": lambda task: Flee(task.threats),
        "patrols": _patrol,
        "chases enemies nearby, else patrols": lambda task: FirstOf(
            Chase(task.prey, max_cost=GUARD_COST), _patrol(task)
        ),
        "goes straight, sidestepping at random": lambda task: Seek(task.goal(), task.rng),
        "wanders": lambda task: Wander(task.rng),
        "explores": lambda _task: Explore(),
        "keeps the wall on its right": lambda _task: FollowWall(),
    }
)
"""What makes each behavior, in the order of the key, by what players read of it."""

_NAMES = ("", *BEHAVIORS)


class BehaviorKey:
    """Gives the units of an autopilot one behavior after the other, and says what they do.

    Parameters
    ----------
    autopilot : Autopilot
    board : Board
    seed : int
        That of random behaviors.
    """

    def __init__(self, autopilot: Autopilot, board: Board, seed: int) -> None:
        self._autopilot, self._board = autopilot, board
        self._rng = np.random.default_rng(seed)
        self._names = WeakKeyDictionary[Behavior, str]()

    def assign_next(self, unit: Unit, post: Cell | None = None) -> str:
        """Start the next behavior, or none after the last, and return what the unit does now.

        A patrol leads to the post and back. Without a post it is the most expensive tile within one
        order's reach, or that can be reached at all.
        """
        name = _NAMES[(_NAMES.index(self._name_of(unit)) + 1) % len(_NAMES)]
        self.assign(unit, name, post)
        return tr(name) if name else tr("waits for orders")

    def assign(self, unit: Unit, name: str, post: Cell | None = None) -> None:
        """Start the behavior of a name, or none with ""."""
        behavior = None
        if name:
            behavior = BEHAVIORS[name](Task(self._board, unit, post, self._rng))
            self._names[behavior] = name
        self._autopilot.assign(unit, behavior)

    def describe(self, unit: Unit, *, has_coordinates: bool) -> list[str]:
        """Return a unit's behavior, and why it stays if it does; no lines without a behavior."""
        name, why = self._name_of(unit), self._autopilot.reason_of(unit)
        if not name:
            return []
        what = tr("autopilot: {behavior}", behavior=tr(name))
        return [what, *([plain_reason(why, has_coordinates=has_coordinates)] if why else [])]

    def _name_of(self, unit: Unit) -> str:
        behavior = self._autopilot.behavior_of(unit)
        return "" if behavior is None else self._names.get(behavior, "")
