"""What a mover decides by: where it is, how it moves, and who is in its way."""

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
from ai.rules.nodes import is_cell, is_on
from ai.rules.profile import MoveProfile
from terrain3d import Cell
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike, as_cell

_DEFAULT_PROFILE = MoveProfile()


@dataclass(frozen=True)
class Situation:
    """A mover on a map at one moment; `Board.situation` gives that of a unit.

    What it tells is what `Navigation` tells with the others in the way: there is one rule. A cell
    that the map does not have, as where an edit took a deck away, is a place without a way here,
    and no error, since whoever decides by it may know older places.

    Parameters
    ----------
    navigation : Navigation
        The ways over the ground.
    cell : cell
        Where the mover is.
    profile : MoveProfile
        How it moves.
    blocked : cells
        Where somebody stands who does not let it pass.
    passable : cells
        Where somebody stands who lets it pass, but not stop.
    halting : cells
        Where a way has to end, as beside an enemy.

    Raises
    ------
    TypeError
        A cell is none, or the navigation.
    """

    navigation: Navigation
    cell: CellLike
    profile: MoveProfile = _DEFAULT_PROFILE
    blocked: Iterable[CellLike] = ()
    passable: Iterable[CellLike] = ()
    halting: Iterable[CellLike] = ()
    here: Cell = field(init=False)
    """Where the mover is, as a `Cell`."""

    def __post_init__(self) -> None:
        """Forget others who are not on the map."""
        instance_of("navigation", self.navigation, Navigation)
        object.__setattr__(self, "here", as_cell(self.cell))
        for name in ("blocked", "passable", "halting"):
            cells = tuple(as_cell(cell) for cell in getattr(self, name))
            object.__setattr__(self, name, tuple(cell for cell in cells if self.has(cell)))

    @property
    def blockers(self) -> BlockerCells:
        """The other units, as keywords of `Navigation`'s queries."""
        return BlockerCells(blocked=self.blocked, passable=self.passable, halting=self.halting)

    def has(self, cell: CellLike) -> bool:
        """Tell whether the map has a cell."""
        return is_on(self.navigation.tilemap, cell)

    @property
    def state(self) -> tuple[object, ...]:
        """All that its answers depend on: while it is equal to an earlier one, they are too."""
        version = self.navigation.tilemap.version
        return version, self.here, self.profile, *self.blockers.values()

    def without(self, cells: Iterable[CellLike]) -> Self:
        """Give the same situation if nobody stood on some cells."""
        free = {as_cell(cell) for cell in cells}
        return replace(
            self,
            blocked=[cell for cell in self.blocked if cell not in free],
            passable=[cell for cell in self.passable if cell not in free],
        )

    def is_taken(self, cell: CellLike) -> bool:
        """Tell whether somebody stands where the mover would at a cell."""
        tiles = tiles_of(as_cell(cell), self.profile)
        return any(other in tiles for others in (self.blocked, self.passable) for other in others)

    def can_stop(self, cell: CellLike) -> bool:
        """Tell whether a way may end on a cell, by its ground and as the others stand."""
        if not self.has(cell) or self.is_taken(cell):
            return False
        return not self.navigation.explain_stop(cell, self.profile)

    def steps_from(self, cell: CellLike) -> dict[Cell, float]:
        """Give each cell to which a single step leads from a cell, with its cost."""
        if not self.has(cell):
            return {}
        return self.navigation.steps_from(cell, self.profile, blocked=self.blocked)

    def steps(self) -> dict[Cell, float]:
        """Give each cell to which a single step leads and where it may stop, with its cost."""
        ends = self.steps_from(self.here)
        return {end: cost for end, cost in ends.items() if self.can_stop(end)}

    def find_path(
        self,
        goal: CellLike | Sequence[CellLike],
        *,
        max_cost: float = math.inf,
        partial: bool = False,
    ) -> Path:
        """Find a cheapest way; see `Navigation.find_path`."""
        if not self.has(self.here):
            return Path.none(self.reason)
        goals = (
            [as_cell(goal)]
            if is_cell(goal)
            else [as_cell(each) for each in cast(Sequence[CellLike], goal)]
        )
        known = [each for each in goals if self.has(each)]
        if goals and not known:
            return Path.none(f"{goals[0]} is not on the map")
        return self.navigation.find_path(
            self.here,
            known[0] if len(known) == 1 else known,
            self.profile,
            **self.blockers,
            max_cost=max_cost,
            partial=partial,
        )

    def reach(self, budget: float) -> Reach:
        """Find all that can be reached; see `Navigation.reach`."""
        if not self.has(self.here):
            nothing = np.zeros((0, 6), dtype=np.int32)
            return Reach(self.navigation.tilemap, budget, nothing, self.reason)
        return self.navigation.reach(
            self.here,
            budget,
            self.profile,
            **self.blockers,
        )

    @property
    def reason(self) -> str:
        """Why nothing leads anywhere from where it is; "" if the map has that cell."""
        return "" if self.has(self.here) else f"the ground at {self.here} is gone"
