"""Staying neither too near to somebody nor too far: how archers and shy animals move."""

from ai.behaviors.behavior import Behavior
from ai.behaviors.chase import Chase, Target
from ai.behaviors.flee import Flee
from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.core.checks import checked_function, number_within
from terrain3d.grid.grid import as_cell


class KeepDistance(Behavior):
    """Flee from a target that is nearer than wanted, chase it when it is farther, else stay.

    Parameters
    ----------
    target : callable
        Gives the target's cell, or None if it is gone.
    nearest_tiles, farthest_tiles : int
        Between which distances it stays, 0 <= nearest_tiles <= farthest_tiles.
    flee : Flee, optional
        How it flees; from the target alone, with the usual numbers, if not given.
    chase : Chase, optional
        How it chases; with the usual numbers if not given.

    Raises
    ------
    TypeError, ValueError
        A number is none, or out of its limits.
    """

    def __init__(
        self,
        target: Target,
        nearest_tiles: int,
        farthest_tiles: int,
        *,
        flee: Flee | None = None,
        chase: Chase | None = None,
    ) -> None:
        self._target = checked_function("target", target)
        self._nearest = number_within("nearest_tiles", nearest_tiles, 0)
        self._farthest = number_within("farthest_tiles", farthest_tiles, nearest_tiles)
        self._flee = flee or Flee(lambda: [cell] if (cell := target()) is not None else [])
        self._chase = chase or Chase(target)

    def advance(self, dt_s: float) -> None:
        """Let time pass for its plans."""
        self._flee.advance(dt_s)
        self._chase.advance(dt_s)

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return "there is no target"
        if not (situation.has(target) and situation.has(situation.here)):
            return f"{as_cell(target)} or {situation.here} is not on the map"
        grid = situation.navigation.tilemap.grid
        tiles = grid.distance(situation.here[:2], as_cell(target)[:2])
        if self._nearest <= tiles <= self._farthest:
            return f"keeps its distance of {tiles} tiles"
        way: Behavior = self._flee if tiles < self._nearest else self._chase
        return way.next_cell(situation) or way.reason
