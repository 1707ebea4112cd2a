"""KeepDistance: stay neither too near to a target nor too far, as archers do."""

from ai.behaviors.behavior import Behavior, Stay
from ai.behaviors.chase import Chase, Target
from ai.behaviors.flee import Flee
from ai.behaviors.situation import Situation
from terrain3d import Cell, Reason
from terrain3d.core.checks import checked_function, number_within, optional
from terrain3d.grid.grid import as_cell


class KeepDistance(Behavior):
    """Flee from a target that is too near, chase one that is too far, and stay in between.

    Parameters
    ----------
    target : callable
        Returns the target's cell, or None if it is gone.
    nearest_tiles, farthest_tiles : number
        The range of distances to keep, 0 <= nearest_tiles <= farthest_tiles.
    flee : Flee, optional
        How it flees; from the target alone, with default values, if not given.
    chase : Chase, optional
        How it chases; with default values if not given.

    Raises
    ------
    TypeError, ValueError
        A value is not a number, or out of its limits.
    """

    def __init__(
        self,
        target: Target,
        nearest_tiles: float,
        farthest_tiles: float,
        *,
        flee: Flee | None = None,
        chase: Chase | None = None,
    ) -> None:
        self._target = checked_function("target", target, 0)
        self._nearest = number_within("nearest_tiles", nearest_tiles, 0)
        self._farthest = number_within("farthest_tiles", farthest_tiles, nearest_tiles)
        self._flee = optional("flee", flee, Flee) or Flee(
            lambda: [cell] if (cell := target()) is not None else []
        )
        self._chase = optional("chase", chase, Chase) or Chase(target)

    def advance(self, dt_s: float) -> None:
        """Let time pass for the plans of both."""
        self._flee.advance(dt_s)
        self._chase.advance(dt_s)

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return "there is no target"
        if not (situation.has(target) and situation.has(situation.here)):
            return Reason("{} or {} is not on the map", as_cell(target), situation.here)
        grid = situation.navigation.tilemap.grid
        tiles = grid.distance(situation.here[:2], as_cell(target)[:2])
        if self._nearest <= tiles <= self._farthest:
            return Stay("keeps its distance of {} tiles", tiles)
        behavior: Behavior = self._flee if tiles < self._nearest else self._chase
        return behavior.next_cell(situation) or behavior.reason
