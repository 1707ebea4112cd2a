"""Who at a board moves by itself, and in which way, as time passes."""

from dataclasses import dataclass

import numpy as np

from ai.agents.path_follower import is_firm
from ai.behaviors.behavior import Behavior
from ai.behaviors.trail import FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.board.board import Board
from ai.board.unit import Unit
from ai.game.behavior_catalog import WAYS, Case
from terrain3d import Cell, Node, Signal
from terrain3d.core.checks import instance_of, number_within
from terrain3d.grid.grid import CellLike

REST_S = 0.25
"""How long who stays rests, in seconds, before it is asked again."""


@dataclass
class _Led:
    """A unit that moves by itself."""

    way: str
    behavior: Behavior
    rest_s: float = 0.0
    reason: str = ""  # why it stays


class Conduct(Node):
    """Lets units of a board move by themselves, a step at a time, each in a way of its own.

    Every step is an order to the board, and so checked and told like any other; it is undone with
    the last order that somebody gave.

    Parameters
    ----------
    board : Board
    seed : int
        For those who wander, and for where waypoints lie.

    Examples
    --------
    ::

        conduct = tree.root.add_child(Conduct(board))
        conduct.lead(wolf, "chase")
        conduct.lead(guard, "patrol", post=(3, 7))  # between there and where it stands
        conduct.lead(wolf, "")  # it waits for orders again
    """

    changed = Signal("unit")
    """It moves by itself in another way, or stays for another reason."""

    def __init__(self, board: Board, seed: int = 0, name: str = "") -> None:
        super().__init__(name)
        self._board, self._seed = board, seed
        self._rng = np.random.default_rng(seed)
        self._led: dict[Unit, _Led] = {}
        self._trails: dict[Unit, Trail] = {}
        for unit in board.units:
            self._watch(unit)
        board.unit_added.connect(self._watch)
        board.unit_removed.connect(self._forget)

    def way_of(self, unit: Unit) -> str:
        """Give the way in which a unit moves by itself; "" if it waits for orders."""
        return self._led[unit].way if unit in self._led else ""

    def reason_of(self, unit: Unit) -> str:
        """Say why a unit that moves by itself stays; "" if it goes on, or waits for orders."""
        return self._led[unit].reason if unit in self._led else ""

    def trail_of(self, unit: Unit) -> Trail:
        """Give the trail that a unit leaves; `KeyError` if it is not on the board."""
        return self._trails[unit]

    def crumbs(self) -> list[Cell]:
        """List the cells of all trails that are followed."""
        minds = [led.behavior for led in self._led.values()]
        followed = [mind.trail for mind in minds if isinstance(mind, FollowTrail)]
        trails = [trail for trail in self._trails.values() if trail in followed]
        return [crumb.cell for trail in trails for crumb in trail]

    def points(self) -> dict[Cell, int]:
        """Give where the waypoints of all who travel lie, and which of them are still ahead.

        Returns
        -------
        dict of Cell to int
            1 for where somebody goes next, 2 for where from there, and so on to the goal, which is
            among them; 0 for the others. Those without ground are left out.
        """
        minds = [led.behavior for led in self._led.values()]
        travels = [mind for mind in minds if isinstance(mind, Travel)]
        marks = {cell: 0 for travel in travels for cell in travel.waypoints.points.values()}
        for travel in travels:
            marks |= {cell: number for number, cell in enumerate(travel.stops, start=1)}
        tilemap = self._board.tilemap
        return {cell: mark for cell, mark in marks.items() if is_firm(tilemap, cell)}

    def lead(self, unit: Unit, way: str, post: CellLike | None = None) -> None:
        """Let a unit move by itself from now on.

        Parameters
        ----------
        unit : Unit
        way : str
            One of `ways.WAYS`; "" for a unit that waits for orders.
        post : cell, optional
            Where a patrol goes to and comes back from; else the farthest tile that one order could
            reach. Where a traveler goes; else the tile that is farthest of all.

        Raises
        ------
        ValueError
            The unit is not on the board, or the way is unknown.
        IndexError, TypeError
            The post is outside the map or is no cell.
        """
        if instance_of("a unit", unit, Unit) not in self._board.units:
            raise ValueError(f"{unit.name} is not on this board")
        if way and way not in WAYS:
            raise ValueError(f"way must be one of {', '.join(WAYS)}, got {way!r}")
        if way:
            place = None if post is None else self._board.tilemap.cell(post)
            case = Case(self._board, unit, place, self._trails, self._rng, self._seed)
            self._led[unit] = _Led(way, WAYS[way].make(case))
        else:
            self._led.pop(unit, None)
        self.changed.emit(unit)

    def lead_on(self, unit: Unit, post: CellLike | None = None) -> str:
        """Give a unit the next of all ways, and after the last one none; as one key does."""
        turns = ("", *WAYS)
        way = turns[(turns.index(self.way_of(unit)) + 1) % len(turns)]
        self.lead(unit, way, post)
        return way

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass: whoever has come to its cell takes its next step.

        Raises
        ------
        TypeError, ValueError
            It is no number >= 0.
        """
        number_within("dt_s", dt_s, 0)
        for unit, led in tuple(self._led.items()):
            led.behavior.advance(dt_s)
            led.rest_s -= dt_s
            if not unit.is_moving and led.rest_s <= 0 and self._led.get(unit) is led:
                path = self._board.act(unit, led.behavior, is_led=True)
                led.rest_s = 0.0 if path else REST_S
                before, led.reason = led.reason, path.reason
                if led.reason != before:
                    self.changed.emit(unit)

    def _process(self, dt_s: float) -> None:
        self.advance(dt_s)

    def _freed(self) -> None:
        for unit in tuple(self._trails):
            self._forget(unit)

    def _watch(self, unit: Unit) -> None:
        trail = self._trails[unit] = Trail()
        trail.drop(unit.cell)
        unit.step_finished.connect(trail.drop)

    def _forget(self, unit: Unit) -> None:
        unit.step_finished.disconnect(self._trails.pop(unit).drop)
        self._led.pop(unit, None)
