"""What the tools of a map maker do to tiles: brushes put it as orders into an edit.

A brush says clearly why it does nothing: it raises `ValueError`, and the edit that it was for is to
be given up. All of a map's own refusals, as of surfaces that overlap, come from the edit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from terrain3d.editor.areas import line
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import VOID
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap


class Brush(Protocol):
    """Changes tiles, whichever they are."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Order a change of `cells`.

        Parameters
        ----------
        edit : Edit
            An open edit of `tilemap`.
        tilemap : TileMap
        cells : sequence of Cell
            Surfaces of the map, and void ground.
        start : Cell
            Where the stroke began.

        Raises
        ------
        ValueError
            There is nothing it could do.
        """


class Span(Protocol):
    """Changes what lies between two tiles."""

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Order a change between two surfaces; `ValueError` if there is nothing it could do."""

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """List the tiles that it is about."""


@dataclass(frozen=True)
class Raise:
    """Lifts tiles by so many levels, or lowers them if that is negative, as far as levels go."""

    by: int = 1

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Order the change; see `Brush.put`."""
        limit, name = (MAX_LEVEL, "highest") if self.by > 0 else (0, "lowest")
        solid = _solid(tilemap, cells, start)
        loose = [cell for cell in solid if tilemap.level_at(cell) != limit]
        if not loose:
            raise ValueError(f"{solid[0]} lies at level {limit}, the {name}")
        for cell in loose:
            edit.set_level(cell, min(max(tilemap.level_at(cell) + self.by, 0), MAX_LEVEL))


@dataclass(frozen=True)
class Level:
    """Brings tiles to the level of the one where the stroke began."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Order the change; see `Brush.put`."""
        level = tilemap.level_at(_solid(tilemap, [start], start)[0])
        for cell in _solid(tilemap, cells, start):
            edit.set_level(cell, level)


@dataclass(frozen=True)
class Paint:
    """Makes tiles of a kind, ground where there is none at the level that is stored there."""

    kind: str

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Order the change; see `Brush.put`."""
        del tilemap, start
        for cell in cells:
            edit.set_kind(cell, self.kind)


@dataclass(frozen=True)
class Erase:
    """Takes ground and decks away, with the links and the walls of decks."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Order the change; see `Brush.put`."""
        solid = _solid(tilemap, cells, start)
        for deck in {cell.deck for cell in solid if cell.deck}:
            edit.remove_deck([cell[:2] for cell in solid if cell.deck == deck], deck)
        for cell in solid:
            if not cell.deck:
                edit.set_kind(cell, VOID.name)


@dataclass(frozen=True)
class Ramp:
    """Leads the ground from one tile's level evenly to another's; void between them is filled."""

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """List the tiles between the two, both ends included."""
        way = line(tilemap.grid, start, end)
        way[0], way[-1] = start, end
        return way

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Order the change; see `Span.put`."""
        between = _between(tilemap, start, end)
        for cell, level in zip(between, _levels(tilemap, start, end, len(between)), strict=True):
            if tilemap.is_void(cell):
                edit.set_kind(cell, tilemap.kind_at(start).name)
            edit.set_level(cell, level)


@dataclass(frozen=True)
class Bridge:
    """Hangs decks between two tiles, evenly from one's level to the other's.

    Where the ground between lies at the bridge's own level, there is no need for a deck.

    Parameters
    ----------
    kind : str
        Of the decks.
    thickness : int, in levels
    """

    kind: str = "wood"
    thickness: int = 1

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """List the tiles between the two, both ends included."""
        return Ramp().cells(tilemap, start, end)

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Order the change; see `Span.put`."""
        between = _between(tilemap, start, end)
        levels = _levels(tilemap, start, end, len(between))
        is_bare = True
        for cell, level in zip(between, levels, strict=True):
            if tilemap.is_void(cell) or tilemap.level_at(cell) != level:
                edit.add_deck(cell, level, self.kind, self.thickness)
                is_bare = False
        if is_bare:
            raise ValueError(f"the ground from {start} to {end} needs no bridge")


@dataclass(frozen=True)
class Connect:
    """Leads a link, both ways, from one surface to another; takes away one that is there.

    It costs as much as the levels between them, at least 1.

    Parameters
    ----------
    kind : str
        Of the link: "ladder", "stairs", "portal" and so on.
    """

    kind: str = "ladder"

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """List the two ends."""
        del tilemap
        return [start, end] if start != end else [start]

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Order the change; see `Span.put`."""
        ends = {start, end}
        known = [link for link in tilemap.links if {link.start, link.end} == ends]
        for link in known:
            edit.remove_link(link.start, link.end)
        if not known:
            rise = abs(tilemap.level_at(end) - tilemap.level_at(start))
            edit.add_link(start, end, cost=max(rise, 1), kind=self.kind)


def _solid(tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> list[Cell]:
    """Leave void ground out; refuse nothing but it."""
    solid = [cell for cell in cells if not tilemap.is_void(cell)]
    if not solid:
        raise ValueError(f"there is no ground at {cells[0] if cells else start}")
    return solid


def _between(tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
    """List the ground between two surfaces, refusing where there is none between."""
    for cell in (start, end):
        _solid(tilemap, [cell], cell)
    between = line(tilemap.grid, start, end)[1:-1]
    if not between:
        raise ValueError(f"no tile lies between {start} and {end}")
    return between


def _levels(tilemap: TileMap, start: Cell, end: Cell, count: int) -> list[int]:
    """Give `count` levels that lead evenly from one surface's level to another's."""
    low, high = tilemap.level_at(start), tilemap.level_at(end)
    # Halves go up, whichever end one comes from.
    steps = count + 1
    return [
        (2 * (low * steps + (high - low) * at) + steps) // (2 * steps) for at in range(1, steps)
    ]
