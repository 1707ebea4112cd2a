"""The input of a behavior: a mover's cell and rules, and the units that block it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self, cast

import numpy as np

from ai.navigation.blockers import BlockerCells
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.nodes import is_cell
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike, as_cell


@dataclass(frozen=True)
class Situation:
    """A mover on a map at one moment; `Board.situation` returns that of a unit.

    Its answers are those of `Navigation` with the other units as blockers. A cell that the map does
    not have, perhaps because an edit has removed its deck, cannot be reached; it is no error, since
    a behavior may remember older cells.

    Parameters
    ----------
    navigation : Navigation
        Answers queries on the map without units.
    cell : cell
        Where the mover is.
    profile : MoveProfile
        Its rules of movement.
    blocked : cells
        Cells of units that the mover cannot pass.
    passable : cells
        Cells of units that the mover can pass, but where it cannot stop.
    halting : cells
        Cells where a path has to end, as beside an enemy with a zone of control.

    Raises
    ------
    TypeError
        A value is not a cell, or the navigation is not a Navigation.
    """

    navigation: Navigation
    cell: CellLike
    profile: MoveProfile = DEFAULT_PROFILE
    blocked: Iterable[CellLike] = ()
    passable: Iterable[CellLike] = ()
    halting: Iterable[CellLike] = ()
    here: Cell = field(init=False)
    """Where the mover is, as a `Cell`."""

    def __post_init__(self) -> None:
        """Drop blockers that are not on the map."""
        instance_of("navigation", self.navigation, Navigation)
        checked_profile(self.profile)
        object.__setattr__(self, "here", as_cell(self.cell))
        for name in ("blocked", "passable", "halting"):
            cells = tuple(map(as_cell, listed(name, getattr(self, name))))
            object.__setattr__(self, name, tuple(cell for cell in cells if self.has(cell)))

    @property
    def blockers(self) -> BlockerCells:
        """The other units, as keywords of `Navigation`'s queries."""
        return BlockerCells(blocked=self.blocked, passable=self.passable, halting=self.halting)

    def has(self, cell: CellLike) -> bool:
        """Return whether the map has a cell."""
        return self.navigation.tilemap.has_cell(cell)

    @property
    def state(self) -> tuple[object, ...]:
        """All that the answers depend on: equal states give equal answers."""
        version = self.navigation.tilemap.version
        return version, self.here, self.profile, *self.blockers.values()

    def without(self, cells: Iterable[CellLike]) -> Self:
        """Return the same situation without the units on some cells."""
        free = {as_cell(cell) for cell in listed("cells", cells)}
        return replace(
            self,
            blocked=[cell for cell in self.blocked if cell not in free],
            passable=[cell for cell in self.passable if cell not in free],
        )

    def is_taken(self, cell: CellLike) -> bool:
        """Return whether a unit stands on a tile that the mover would cover at a cell."""
        tiles = tiles_of(as_cell(cell), self.profile)
        return any(other in tiles for others in (self.blocked, self.passable) for other in others)

    def is_halting(self, cell: CellLike) -> bool:
        """Return whether a path has to end at a cell: the mover enters a halting tile there."""
        own = tiles_of(self.here, self.profile)
        entered = set(tiles_of(as_cell(cell), self.profile)).difference(own)
        return not entered.isdisjoint(as_cell(tile) for tile in self.halting)

    def can_stop(self, cell: CellLike) -> bool:
        """Return whether the mover may stop on a cell, by its ground and the other units."""
        if not self.has(cell) or self.is_taken(cell):
            return False
        return not self.navigation.explain_stop(cell, self.profile)

    def steps_from(self, cell: CellLike) -> dict[Cell, float]:
        """Return each cell that is one step away from a cell, with the cost of the step."""
        if not self.has(cell):
            return {}
        return self.navigation.steps_from(cell, self.profile, blocked=self.blocked)

    def steps(self) -> dict[Cell, float]:
        """Return each cell that is one step away and where the mover may stop, with the cost."""
        ends = self.steps_from(self.here)
        return {end: cost for end, cost in ends.items() if self.can_stop(end)}

    def find_path(
        self,
        goal: CellLike | Sequence[CellLike],
        *,
        max_cost: float = math.inf,
        partial: bool = False,
    ) -> Path:
        """Return a cheapest path; see `Navigation.find_path`."""
        if not self.has(self.here):
            return Path.none(self.reason)
        goals = (
            [as_cell(goal)]
            if is_cell(goal)
            else [as_cell(each) for each in listed("goal", cast(Sequence[CellLike], goal))]
        )
        known = [each for each in goals if self.has(each)]
        if goals and not known:
            return Path.none(Reason("{} is not on the map", goals[0]))
        return self.navigation.find_path(
            self.here,
            known[0] if len(known) == 1 else known,
            self.profile,
            **self.blockers,
            max_cost=max_cost,
            partial=partial,
        )

    def reach(self, budget: float) -> Reach:
        """Return all cells that a budget reaches; see `Navigation.reach`."""
        if not self.has(self.here):
            nothing = np.zeros((0, 6), dtype=np.int32)
            return Reach(self.navigation.tilemap, budget, nothing, self.reason)
        return self.navigation.reach(self.here, budget, self.profile, **self.blockers)

    @property
    def reason(self) -> str:
        """Why no path leads from the mover's cell; "" if the map has the cell."""
        return "" if self.has(self.here) else Reason("the ground at {} is gone", self.here)
