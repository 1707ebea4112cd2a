"""Zones of control: the surfaces that a unit could step on next, where its enemies must stop."""

from ai.board.unit import Unit
from ai.navigation.navigation import Navigation
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell


class Zones:
    """Tells the zones of units on a map, and remembers them until the map is edited.

    Parameters
    ----------
    navigation : Navigation
        Knows which steps are legal.
    """

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._known: dict[tuple[Cell, MoveProfile], frozenset[Cell]] = {}
        self._version = navigation.tilemap.version

    def of(self, unit: Unit) -> frozenset[Cell]:
        """Give every surface that one legal step of a unit, from its cell, would cover."""
        version = self._navigation.tilemap.version
        if version != self._version:
            self._version = version
            self._known.clear()
        key = unit.cell, unit.profile
        if key not in self._known:
            self._known[key] = self._around(*key)
        return self._known[key]

    def _around(self, cell: Cell, profile: MoveProfile) -> frozenset[Cell]:
        ends = self._navigation.steps_from(cell, profile)
        return frozenset(tile for end in ends for tile in tiles_of(end, profile))
