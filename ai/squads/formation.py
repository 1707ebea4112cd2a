"""Goals for several units around one cell, in the shape in which they stand."""

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from ai.navigation.blockers import NO_CELLS
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.squads.request import profiles_of
from ai.squads.steps import Ints
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike

_DEFAULT_PROFILE = MoveProfile()


def formation(
    navigation: Navigation,
    starts: Sequence[CellLike],
    target: CellLike,
    profile: MoveProfile | Sequence[MoveProfile] = _DEFAULT_PROFILE,
    *,
    keep_shape: bool = True,
    blocked: Iterable[CellLike] = NO_CELLS,
) -> list[Cell]:
    """Give each unit a goal of its own around a cell.

    The unit that stands most in the middle leads: its goal is the target, and the others' goals lie
    to it as they stand to it now. Who cannot get to such a place, or not stop there, takes the
    nearest free one by the grid's distance; of equally near ones the one nearest to the target,
    then nearest to its level, then the first by deck, row and column. It is greedy, not the least
    sum of all distances: whose place is open has it for certain, and then the others choose, those
    whose places are nearest to the target first.

    Parameters
    ----------
    starts : sequence of cells
        Where the units stand.
    target : cell
    profile : MoveProfile, or sequence of MoveProfile
        All alike, or one a unit.
    keep_shape : bool
        False gathers them: all places are the target, so that they crowd around it.
    blocked : cells
        Where others stand.

    Returns
    -------
    list of Cell
        One a unit; its own cell for who can get to no free place.

    Raises
    ------
    IndexError, TypeError
        A cell is outside the map or is no cell; the navigation or a profile is none.
    ValueError
        There are not as many profiles as starts, or a unit covers several tiles.
    """
    tilemap = instance_of("navigation", navigation, Navigation).tilemap
    cells, middle = [tilemap.cell(cell) for cell in starts], tilemap.cell(target)
    profiles = profiles_of(profile, len(cells))
    if len(profiles) != len(cells):
        raise ValueError(f"got {len(cells)} starts and {len(profiles)} profiles")
    if not cells:
        return []
    others = sorted({tilemap.cell(cell) for cell in blocked} - {*cells})
    places = _places(tilemap, cells)
    if not keep_shape:
        places[:] = 0
    order = np.argsort(_steps(tilemap, places), kind="stable").tolist()
    stay: list[int] = []
    while True:
        choice = _Choice(navigation, middle, [*others, *(cells[unit] for unit in stay)])
        found = {unit: cells[unit] for unit in stay}
        for is_exact, unit in itertools.product((True, False), order):
            if unit not in found:
                goal = choice.take(cells[unit], profiles[unit], places[unit], is_exact=is_exact)
                if goal is not None:
                    found[unit] = goal
        lost = [unit for unit in order if unit not in found]
        if not lost:
            return [found[unit] for unit in range(len(cells))]
        stay += lost  # somebody took the only cell they can get to, which is their own


def _places(tilemap: TileMap, cells: Sequence[Cell]) -> Ints:
    """(n_units, 2) how far each unit stands from the one in the middle, on the grid's plane."""
    plane = tilemap.grid.plane().astype(np.int64)
    at = np.array([plane[cell.row, cell.col] for cell in cells])
    away = np.abs(at[:, None] - at[None]).sum(axis=(1, 2))
    offsets: Ints = at - at[int(np.argmin(away))]
    return offsets


def _steps(tilemap: TileMap, away: Ints) -> Ints:
    """(n,) steps on open ground for (n, 2) differences on the grid's plane."""
    far = np.abs(away)
    if tilemap.grid.norm == "hex":
        return np.asarray(np.maximum(far.max(axis=1), np.abs(away.sum(axis=1))))
    return np.asarray(far.sum(axis=1))


class _Choice:
    """Cells that are still free, and how near they are to where somebody would like to be."""

    def __init__(self, navigation: Navigation, target: Cell, walls: list[Cell]) -> None:
        self._navigation, self._walls = navigation, walls
        tilemap, graph = navigation.tilemap, navigation.profile_graph()
        self._cell_of = graph.nodes.cell
        self._taken = {*np.flatnonzero(graph.is_void), *map(graph.nodes.of, walls)}
        plane = tilemap.grid.plane().astype(np.int64)
        away = (plane - plane[target.row, target.col]).reshape(-1, 2)
        self._away = np.tile(away, (tilemap.n_decks + 1, 1))
        level = graph.level.astype(np.int64)
        self._climb = np.abs(level - level[graph.nodes.of(target)])
        self._ordered: dict[bytes, list[int]] = {}
        self._reach: dict[tuple[Cell, MoveProfile], frozenset[Cell]] = {}

    def take(
        self, start: Cell, profile: MoveProfile, place: Ints, *, is_exact: bool
    ) -> Cell | None:
        """Take the best free cell for a unit, or, if it has to be exact, the place or none."""
        nodes = self._in_place(place) if is_exact else self._by_nearness(place)
        for node in nodes:
            if node not in self._taken and self._is_open(start, self._cell_of(node), profile):
                self._taken.add(node)
                return self._cell_of(node)
        return None

    def _in_place(self, place: Ints) -> list[int]:
        """List the surfaces of the column at a place, that of about the target's level first."""
        nodes = np.flatnonzero((self._away == place).all(axis=1))
        order: list[int] = nodes[np.argsort(self._climb[nodes], kind="stable")].tolist()
        return order

    def _by_nearness(self, place: Ints) -> list[int]:
        key = place.tobytes()
        if key not in self._ordered:
            tilemap = self._navigation.tilemap
            away, middle = _steps(tilemap, self._away - place), _steps(tilemap, self._away)
            self._ordered[key] = np.lexsort((self._climb, middle, away)).tolist()
        return self._ordered[key]

    def _is_open(self, start: Cell, cell: Cell, profile: MoveProfile) -> bool:
        """Tell whether a unit can get to a cell and stop there."""
        navigation = self._navigation
        if start != cell and navigation.explain_stop(cell, profile):
            return False
        if not navigation.is_reachable(start, cell, profile):
            return False
        if not self._walls:
            return True
        if (start, profile) not in self._reach:
            reach = navigation.reach(start, math.inf, profile, blocked=self._walls)
            self._reach[start, profile] = frozenset(reach.cells)
        return cell in self._reach[start, profile]
