"""Run from threats to the cells they reach last, by a safety map; or keep at a distance.

References
----------
Walker, "The Incredible Power of Dijkstra Maps" (2010), after his game Brogue,
https://www.roguebasin.com/index.php/The_Incredible_Power_of_Dijkstra_Maps
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ai.behaviors.behavior import (
    Behavior,
    PathBehavior,
    Replan,
    Stay,
    Target,
    TargetLike,
    target_of,
)
from ai.behaviors.chase import Chase
from ai.board.situation import Situation, rules_on
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.rules.footprint import over_tiles, tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Reason
from terrain3d.core.checks import (
    checked_function,
    listed,
    number_within,
    optional,
    positive_number,
    quoted,
)
from terrain3d.grid.grid import CellLike, as_cell

_ROUNDING = 1e-9  # of the highest worth
Threats = Callable[[], Sequence[CellLike]]
"""Returns the cells of all threats now."""


def danger(
    navigation: Navigation, threats: Iterable[Sequence[Cell]], profile: MoveProfile
) -> NDArray[np.float64]:
    """(decks + 1, rows, cols) what the nearest threat pays to cover each tile; else infinity.

    A threat is the tiles of a mover. `profile` holds the rules of the threats: a cliff that they
    cannot climb is safe, though it is easy to drop from it down to them. A threat of another size
    than the profile's goes by the same rules from each of its tiles, as on one tile.
    """
    nearest = np.full(navigation.tilemap.surface_level.shape, np.inf)
    for tiles in threats:
        rules = rules_on(len(tiles), profile)
        for start in tiles if rules.size == 1 else [min(tiles)]:
            costs = navigation.reach(start, np.inf, rules).as_costs(decks=True)
            np.minimum(nearest, over_tiles(costs, rules.size, np.minimum), out=nearest)
    return nearest


def way_to_safety(
    situation: Situation, threats: Iterable[Cell], profile: MoveProfile, factor: float
) -> Path:
    """Return the path of a mover to the best cell that it can reach, perhaps where it is.

    A cell is worth its danger times minus `factor`, plus the cost of the mover to reach it; of
    equal cells the cheapest one to reach counts, then the last in reading order. The danger of
    several tiles is that of the tile in the greatest danger. So the mover avoids dead ends if a
    path past the threats leads farther away; a greater factor, > 0, makes it take greater risks
    (Brogue uses 1.2). A cell that no threat reaches counts as twice the highest finite danger, plus
    1.
    """
    distances = danger(situation.navigation, map(situation.body_at, threats), profile)
    size = situation.profile.size
    distances = over_tiles(distances[:, ::-1, ::-1], size, np.minimum)[:, ::-1, ::-1]
    farthest = 2 * float(distances.max(initial=0, where=np.isfinite(distances))) + 1
    reach = situation.reach(np.inf)
    costs = reach.as_costs(decks=True)
    worth = costs - factor * np.minimum(distances, farthest)
    best = np.argwhere(worth <= worth.min() + _ROUNDING * factor * farthest)
    deck, row, col = min(best.tolist(), key=lambda place: (costs[*place], [-n for n in place]))
    return reach.path_to((row, col, deck))


class Flee(PathBehavior):
    """Run from threats, downhill on the safety map, and stay where no cell is safer.

    Parameters
    ----------
    threats : callable, or sequence of cells, callables and Units
        A function returns the cells of all threats. A function in a sequence returns the cell of
        one threat, or None.
    hunter : MoveProfile, optional
        The rules of the threats; those of the mover if not given. See `danger` on their sizes.
    factor : number
        > 0; see `way_to_safety`.
    replan : Replan, optional
        When it computes the safety map again; every two steps if not given.
    """

    _replan = Replan(steps=2)

    def __init__(
        self,
        threats: Threats | Sequence[TargetLike],
        *,
        hunter: MoveProfile | None = None,
        factor: float = 1.2,
        replan: Replan | None = None,
    ) -> None:
        self._threats = _threats_of(threats)
        self._hunter = optional("hunter", hunter, MoveProfile)
        self._factor = positive_number("factor", factor)
        self._replan = optional("replan", replan, Replan) or self._replan

    def _choose(self, situation: Situation) -> Cell | str:
        has_surface = situation.navigation.tilemap.has_surface
        if not all(map(has_surface, tiles_of(situation.here, situation.profile))):
            return Reason("no_ground", cell=situation.here)
        answer: object = self._threats()
        if not isinstance(answer, Iterable):
            raise TypeError(f"threats must return cells, got {quoted(answer)}")
        threats = [*filter(situation.has, map(as_cell, answer))]
        if not threats:
            return Reason("no_threat")
        cell = self._next_on_path(situation)
        if self._is_due(situation, threats, cell):
            hunter = self._hunter or situation.profile
            path = way_to_safety(situation, threats, hunter, self._factor)
            cell = self._follow(situation, path, threats)
        return cell or Reason("no_safer_place")


class KeepDistance(Behavior):
    """Flee from a target that is too near, chase one that is too far, and stay in between.

    Parameters
    ----------
    target : cell, callable or Unit
        A function returns the target's cell now, or None if it is gone.
    nearest_tiles, farthest_tiles : number
        The range of distances to keep, 0 <= nearest_tiles <= farthest_tiles, from the nearest tile
        of the mover to that of the target.
    flee : Flee, optional
        How it flees; from the target alone, with default values, if not given.
    """

    def __init__(
        self,
        target: TargetLike,
        nearest_tiles: float,
        farthest_tiles: float,
        *,
        flee: Flee | None = None,
    ) -> None:
        self._target = target_of("target", target)
        self._nearest = number_within("nearest_tiles", nearest_tiles, 0)
        self._farthest = number_within("farthest_tiles", farthest_tiles, nearest_tiles)
        self._flee = optional("flee", flee, Flee) or Flee([self._target])
        self._chase = Chase(self._target)
        self._parts = self._flee, self._chase

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return Reason("no_target")
        if not (situation.has(target) and situation.has(situation.here)):
            return Reason("either_off_the_map", target=as_cell(target), here=situation.here)
        tiles, _, _ = situation.nearest(situation.body_at(target))
        if self._nearest <= tiles <= self._farthest:
            return Stay("keeps_distance", tiles=tiles)
        behavior: Behavior = self._flee if tiles < self._nearest else self._chase
        return behavior.next_cell(situation) or behavior.reason


def _threats_of(threats: Threats | Sequence[TargetLike]) -> Threats:
    if callable(threats):
        return checked_function("threats", threats, 0)
    targets = [target_of("threats", threat) for threat in listed("threats", threats)]
    return partial(_present, targets)


def _present(targets: Iterable[Target]) -> list[CellLike]:
    """Return the cells of those targets that are there."""
    return [cell for target in targets if (cell := target()) is not None]
