"""What a unit knows of a board at one moment: the input of whatever chooses its next cell."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, Self, cast

import numpy as np

from ai.navigation.blockers import Blockers
from ai.navigation.diagnosis import Route
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.nodes import KnownCells, Nodes, is_cell
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from ai.search.graph import MILLION
from terrain3d import Cell, Reason, Rect
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike, as_cell


class NextCell(Protocol):
    """Chooses the next cell of a unit, as every `Behavior` does; `Board.act` takes any.

    If it also has a text `reason`, that says why the unit stays.
    """

    def next_cell(self, situation: Situation) -> CellLike | None:
        """Return the next cell; None if the unit stays."""


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
    bodies : sequences of cells
        The tiles of each other unit that covers several; they also count as `blocked` or `passable`
        only if they are given there.
    """

    navigation: Navigation
    cell: CellLike
    profile: MoveProfile = DEFAULT_PROFILE
    blocked: Collection[CellLike] = ()
    passable: Collection[CellLike] = ()
    halting: Collection[CellLike] = ()
    bodies: Iterable[Iterable[CellLike]] = ()
    here: Cell = field(init=False)
    """Where the mover is, as a `Cell`."""

    def __post_init__(self) -> None:
        """Drop blockers that are not on the map."""
        instance_of("navigation", self.navigation, Navigation)
        checked_profile(self.profile)
        object.__setattr__(self, "here", as_cell(self.cell))
        tilemap = self.navigation.tilemap
        for name in ("blocked", "passable", "halting"):
            cells = getattr(self, name)
            if not (isinstance(cells, KnownCells) and cells.is_of(tilemap)):
                known = filter(self.has, map(as_cell, listed(name, cells)))
                object.__setattr__(self, name, KnownCells.of(Nodes(tilemap), name, known))
        bodies = (map(as_cell, listed("a body", body)) for body in listed("bodies", self.bodies))
        object.__setattr__(self, "bodies", tuple(tuple(filter(self.has, each)) for each in bodies))

    @property
    def blockers(self) -> Blockers:
        """The other units, as `Navigation`'s queries take them."""
        return Blockers(self.blocked, self.passable, self.halting)

    @property
    def reason(self) -> str:
        """Why no path leads from the mover's cell; "" if the map has the cell."""
        return "" if self.has(self.here) else Reason("ground_gone", cell=self.here)

    def has(self, cell: CellLike) -> bool:
        """Return whether the map has a cell."""
        return self.navigation.tilemap.has_cell(cell)

    def without(self, cells: Iterable[CellLike]) -> Self:
        """Return the same situation without the units on some cells."""
        free = [as_cell(cell) for cell in listed("cells", cells)]
        blocked, passable = (
            cast(KnownCells, known).without(free) for known in (self.blocked, self.passable)
        )
        if blocked is self.blocked and passable is self.passable:
            return self
        made = object.__new__(type(self))  # all is checked already
        vars(made).update(vars(self), blocked=blocked, passable=passable)
        return made

    @property
    def tiles(self) -> tuple[Cell, ...]:
        """The tiles that the mover covers where it is."""
        return self.tiles_at(self.here)

    def tiles_at(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the tiles of the map that the mover covers at a cell of the map."""
        tiles = tiles_of(cell, self.profile)
        return tiles if len(tiles) == 1 else tuple(filter(self.has, tiles))

    def covering(self, tiles: Iterable[Cell]) -> list[Cell]:
        """Return the cells, also off the map, on which the mover would cover one of some tiles."""
        shifts = [*itertools.product(range(self.profile.size), repeat=2)]
        cells = (
            Cell(row - down, col - right, deck)
            for row, col, deck in tiles
            for down, right in shifts
        )
        return [*dict.fromkeys(cells)]

    def body_at(self, cell: CellLike) -> tuple[Cell, ...]:
        """Return the tiles of the unit on a cell; the cell alone if none of several tiles is."""
        cell = as_cell(cell)
        bodies = cast(tuple[tuple[Cell, ...], ...], self.bodies)
        return next((body for body in bodies if cell in body), (cell,))

    def nearest(self, tiles: Sequence[Cell], cell: Cell | None = None) -> tuple[int, Cell, Cell]:
        """Return how far some tiles are from the mover, its nearest tile, and the nearest of them.

        The distance counts steps on open, flat ground; with `cell` it is that from there.
        """
        distance = self.navigation.tilemap.grid.distance
        own = self.tiles_at(self.here if cell is None else cell)
        return min((distance(tile[:2], end[:2]), tile, end) for tile in own for end in tiles)

    def is_taken(self, cell: CellLike) -> bool:
        """Return whether a unit stands on a tile that the mover would cover at a cell."""
        tiles = tiles_of(as_cell(cell), self.profile)
        return any(tile in self.blocked or tile in self.passable for tile in tiles)

    def can_stop(self, cell: CellLike) -> bool:
        """Return whether the mover may stop on a cell, by its ground and the other units."""
        if not self.has(cell) or self.is_taken(cell):
            return False
        graph = self.navigation.profile_graph(self.profile)
        return graph.can_stop_at(graph.nodes.of(cell))

    def is_halting(self, cell: CellLike) -> bool:
        """Return whether a path has to end at a cell: the mover enters a halting tile there."""
        own = tiles_of(self.here, self.profile)
        entered = set(tiles_of(as_cell(cell), self.profile)).difference(own)
        return any(tile in self.halting for tile in entered)

    def steps_from(self, cell: CellLike) -> dict[Cell, float]:
        """Return each cell that is one step away from a cell, with the cost of the step."""
        if not self.has(cell):
            return {}
        return self.navigation.steps_from(cell, self.profile, blocked=self.blocked)

    def steps(self) -> dict[Cell, float]:
        """Return each cell that is one step away and where the mover may stop, with the cost."""
        ends = self.steps_from(self.here)
        return {end: cost for end, cost in ends.items() if self.can_stop(end)}

    def is_beside(self, tiles: Sequence[Cell], cell: Cell | None = None) -> bool:
        """Return whether the mover covers one of some tiles, or is one step from one of them.

        The step is that of a mover of one tile from the nearest tile, as if no unit stood on the
        tiles. With `cell` the mover stands there.
        """
        own = self.tiles_at(self.here if cell is None else cell)
        if not set(own).isdisjoint(tiles):
            return True
        steps_from, profile = self.navigation.steps_from, rules_on(1, self.profile)
        return any(
            not steps_from(tile, profile).keys().isdisjoint(tiles) for tile in own if self.has(tile)
        )

    def path_beside(self, tiles: Sequence[Cell], max_cost: float = math.inf) -> Path:
        """Return a path that ends beside some tiles, or on them, where a unit may stand.

        It is a cheapest one to the tiles as if they were free, if the mover can stop beside them on
        its way; else a cheapest one that ends beside them, if there is any.
        """
        free, goals = self.without(tiles), self.covering(tiles)
        path = free.find_path(goals, max_cost=max_cost)
        cells, is_large = path.cells, self.profile.size > 1
        stop = next(filter(self.can_stop, reversed(cells)), None)
        # The last step of a mover of one tile is one to the tiles; to look it up takes longer.
        if stop and ((not is_large and stop in cells[-2:]) or self.is_beside(tiles, stop)):
            return path
        if path or is_large or not any(map(free.can_stop, goals)):
            stands = self._stands_beside(tiles)
            if stands:
                return self.find_path(stands, max_cost=max_cost) or path
        return path

    def _stands_beside(self, tiles: Sequence[Cell]) -> list[Cell]:
        """Return the cells where the mover can stop and is beside some tiles."""
        tilemap, profile = self.navigation.tilemap, self.profile
        links = [each for row, col, _ in tiles for each in tilemap.links_in(Rect(row, col, 1, 1))]
        near = {*tiles, *(end for link in links for end in (link.start, link.end))}
        reach = max(1, profile.warp)
        shifts = [*itertools.product(range(1 - profile.size - reach, reach + 1), repeat=2)]
        columns = {(row + down, col + right) for row, col, _ in near for down, right in shifts}
        known = filter(tilemap.has_cell, sorted(columns))
        cells = [Cell(*column, deck) for column in known for deck in tilemap.decks_at(column)]
        return [cell for cell in cells if self.can_stop(cell) and self.is_beside(tiles, cell)]

    def price(self, cells: Iterable[CellLike]) -> Route:
        """Return what given cells cost, step by step; see `Navigation.price`."""
        return self.navigation.price(cells, self.profile, blockers=self.blockers)

    def find_path(self, goal: CellLike | Sequence[CellLike], *, max_cost: float = math.inf) -> Path:
        """Return a cheapest path; see `Navigation.find_path`."""
        if not self.has(self.here):
            return Path.none(self.reason)
        given = [goal] if is_cell(goal) else listed("goal", cast(Sequence[CellLike], goal))
        goals = [as_cell(each) for each in given]
        known = [each for each in goals if self.has(each)]
        if goals and not known:
            return Path.none(Reason("off_the_map", cell=goals[0]))
        ends = known[0] if len(known) == 1 else known
        return self.navigation.find_path(
            self.here, ends, self.profile, max_cost=max_cost, blockers=self.blockers
        )

    def reach(self, budget: float) -> Reach:
        """Return all cells that a budget reaches; see `Navigation.reach`."""
        if not self.has(self.here):
            nothing = np.zeros((0, 7), dtype=np.int64)
            return Reach(self.navigation.tilemap, budget, nothing, MILLION, self.reason)
        return self.navigation.reach(self.here, budget, self.profile, blockers=self.blockers)


@lru_cache(maxsize=64)
def rules_on(n_tiles: int, profile: MoveProfile) -> MoveProfile:
    """Return the rules of a mover on so many tiles: on one if the profile has another size."""
    return profile if profile.size**2 == n_tiles else replace(profile, size=1)
