"""Zones of control: the surfaces that a unit could step on next, where its enemies must stop."""

from itertools import product

from ai.footing import tiles_of
from ai.navigation import Navigation
from ai.profile import MoveProfile
from ai.unit import Unit
from terrain3d import Cell, Rect, TileMap


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
        explain = self._navigation.explain_step
        ends = _ends_of_steps(self._navigation.tilemap, cell, profile)
        legal = [end for end in ends if explain(cell, end, profile).legal]
        return frozenset(tile for end in legal for tile in tiles_of(end, profile))


def _ends_of_steps(tilemap: TileMap, cell: Cell, profile: MoveProfile) -> set[Cell]:
    """List all surfaces that a step may lead to, and some more."""
    far = max(profile.warp, profile.leap + 1)
    around = Rect(cell.row, cell.col, 1, 1).grown(far, tilemap.rows, tilemap.cols)
    columns = product(
        range(around.row, around.row + around.rows), range(around.col, around.col + around.cols)
    )
    ends = {Cell(*column, deck) for column in columns for deck in tilemap.decks_at(column)}
    for link in tilemap.links:
        if cell in (link.start, link.end):
            ends |= {link.start, link.end}
    return ends - {cell}
