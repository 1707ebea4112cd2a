"""Running from threats to where they get last, by a map of safety.

References
----------
Walker, "The Incredible Power of Dijkstra Maps" (2010), after his game Brogue,
https://www.roguebasin.com/index.php/The_Incredible_Power_of_Dijkstra_Maps
"""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from ai.navigation.cost_field import CostField
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from terrain3d import Cell
from terrain3d.core.checks import checked_function, number_within
from terrain3d.grid.grid import CellLike, as_cell

Threats = Callable[[], Sequence[CellLike]]
"""Tells where all threats are now."""


def danger(
    navigation: Navigation, threats: Sequence[CellLike], profile: MoveProfile
) -> NDArray[np.float64]:
    """Give what the nearest threat has to pay to get to each cell; infinity where none gets.

    Parameters
    ----------
    threats : sequence of cells
    profile : MoveProfile
        How the threats move: a cliff that they cannot climb is safe, though it is easy to drop down
        from it to them.

    Returns
    -------
    (rows, cols) float64; (n_decks + 1, rows, cols) on maps with decks
    """
    costs = [navigation.reach(cell, math.inf, profile).as_costs() for cell in threats]
    nowhere = np.full(navigation.tilemap.surface_level.shape, np.inf)
    nearest: NDArray[np.float64] = np.min(
        [nowhere, *(cost.reshape(nowhere.shape) for cost in costs)], axis=0
    )
    return nearest if navigation.tilemap.n_decks else nearest[0]


def safety(
    situation: Situation, threats: Sequence[CellLike], profile: MoveProfile, factor: float
) -> CostField:
    """Give the field whose ways lead a mover to safety.

    The danger at each cell, times minus `factor`, is what it is worth to be there; what it costs
    the mover to get there comes on top. So it does not run into a dead end if a way past the
    threats leads further off, and the greater the factor, the more it dares. Where no threat gets
    counts as twice as far as the farthest where one does.

    Parameters
    ----------
    situation : Situation
        Whose cells can be reached is where one may flee to.
    threats, profile
        As for `danger`.
    factor : number
        > 0; 1.2 is Brogue's.
    """
    shape = situation.navigation.tilemap.surface_level.shape
    distances = danger(situation.navigation, threats, profile).reshape(shape)
    known = distances[np.isfinite(distances)]
    farthest = 2 * float(known.max(initial=0)) + 1
    refuges = situation.reach(math.inf).cells
    row, col, deck = np.array(refuges).reshape(-1, 3).T
    worth = factor * np.minimum(distances[deck, row, col], farthest)
    return situation.navigation.cost_field(
        [cell if cell.deck else cell[:2] for cell in refuges],
        situation.profile,
        start_costs=(factor * farthest - worth).tolist(),
        blocked=situation.blocked,
    )


class Flee(Behavior):
    """Run from threats, downhill on a map of safety, and stay where no place is safer.

    The map is made anew when a threat has moved more than `replan_tiles`, when the way is cut, when
    the ground has changed, and after `replan_s` if a threat has moved at all, or others have while
    it stays.

    Parameters
    ----------
    threats : callable
        Gives the cells of all threats, none if there are none.
    hunter : MoveProfile, optional
        How the threats move; as the mover itself if not given.
    factor : number
        See `safety`, > 0.
    fear_tiles : int
        It stays as long as no threat is as near as this.
    replan_tiles : int
        >= 0.
    replan_s : float, in seconds
        >= 0.

    Raises
    ------
    TypeError, ValueError
        A number is none, or out of its limits. Where it is asked for a cell: `threats` gives no
        cells.
    """

    def __init__(
        self,
        threats: Threats,
        *,
        hunter: MoveProfile | None = None,
        factor: float = 1.2,
        fear_tiles: float = math.inf,
        replan_tiles: int = 1,
        replan_s: float = 2,
    ) -> None:
        if number_within("factor", factor, 0) == 0 or factor == math.inf:
            raise ValueError(f"factor must be finite and > 0, got {factor!r}")
        self._threats = checked_function("threats", threats)
        self._hunter = hunter
        self._factor = factor
        self._fear_tiles = number_within("fear_tiles", fear_tiles, 0)
        self._replan_tiles = number_within("replan_tiles", replan_tiles, 0)
        self._replan_s = number_within("replan_s", replan_s, 0)
        self._walk = PlannedPath()
        self._known: list[Cell] = []  # where the threats were when the plan was made
        self._version = -1
        self._others: tuple[object, ...] = ()
        self._age_s = 0.0

    def advance(self, dt_s: float) -> None:
        """Let time pass, which makes plans old."""
        super().advance(dt_s)
        self._age_s += dt_s

    def _choose(self, situation: Situation) -> Cell | str:
        if not len(situation.reach(0)):
            return f"there is no ground at {situation.here}"
        told: object = self._threats()
        if not isinstance(told, Iterable):
            raise TypeError(f"threats must give cells, got {told!r}")
        threats = [as_cell(cell) for cell in told]
        threats = [cell for cell in threats if situation.has(cell)]
        away = situation.navigation.tilemap.grid.distance
        if all(away(cell[:2], situation.here[:2]) > self._fear_tiles for cell in threats):
            return "no threat is near"
        cell = self._walk.next_cell(situation)
        if self._is_due(situation, threats, has_way=cell is not None):
            self._search(situation, threats)
            cell = self._walk.next_cell(situation)
        return cell or "no place is safer"

    def _is_due(self, situation: Situation, threats: list[Cell], *, has_way: bool) -> bool:
        if len(threats) != len(self._known):
            return True
        is_there = has_way or self._walk.goal == situation.here
        if situation.navigation.tilemap.version != self._version or not is_there:
            return True
        away = situation.navigation.tilemap.grid.distance
        moved = [away(a[:2], b[:2]) for a, b in zip(threats, self._known, strict=True)]
        is_other = threats != self._known or (not has_way and self._others != _others(situation))
        is_old = self._age_s >= self._replan_s
        return (is_old and is_other) or max(moved) > self._replan_tiles

    def _search(self, situation: Situation, threats: list[Cell]) -> None:
        hunter = self._hunter or situation.profile
        field = safety(situation, threats, hunter, self._factor)
        self._walk.take(field.path_from(situation.here))
        self._known, self._version = threats, situation.navigation.tilemap.version
        self._others, self._age_s = _others(situation), 0.0


def _others(situation: Situation) -> tuple[object, ...]:
    return situation.blocked, situation.passable
