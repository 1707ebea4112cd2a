"""Brushes: changes of tiles, written to an open edit of a map.

A brush that has nothing to do raises `ValueError` with the reason, and the caller drops the edit.
The edit itself refuses what the map cannot hold, such as overlapping surfaces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from terrain3d.core.checks import instance_of, whole_number, whole_within
from terrain3d.editor.areas import line
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import VOID
from terrain3d.grid.reason import Reason
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap


class Brush(Protocol):
    """Changes a set of tiles."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Write the change of `cells`, surfaces or void ground, to an open edit of `tilemap`.

        `start` is the cell at which the stroke began. `ValueError` if there is nothing to do.
        """


class Span(Protocol):
    """Changes the tiles between two ends."""

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Write the change between two surfaces; `ValueError` if there is nothing to do."""

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles that `put` would change or connect."""


@dataclass(frozen=True)
class Raise:
    """Raises tiles by a number of levels, or lowers them if negative, within 0..MAX_LEVEL."""

    by: int = 1

    def __post_init__(self) -> None:
        """Raise `TypeError` unless `by` is a whole number."""
        whole_number("by", self.by)

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Write the change to an edit; see `Brush.put`."""
        limit, name = (MAX_LEVEL, "highest") if self.by > 0 else (0, "lowest")
        solid = _solid(tilemap, cells, start)
        movable = [cell for cell in solid if tilemap.level_at(cell) != limit]
        if not movable:
            raise ValueError(Reason("{} is at level {}, the {}", solid[0], limit, name))
        for cell in movable:
            edit.set_level(cell, min(max(tilemap.level_at(cell) + self.by, 0), MAX_LEVEL))


@dataclass(frozen=True)
class Level:
    """Sets tiles to the level of the cell at which the stroke began."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Write the change to an edit; see `Brush.put`."""
        level = tilemap.level_at(_solid(tilemap, [start], start)[0])
        for cell in _solid(tilemap, cells, start):
            edit.set_level(cell, level)


@dataclass(frozen=True)
class Paint:
    """Sets the kind of tiles; void becomes ground at the level stored for it."""

    kind: str

    def __post_init__(self) -> None:
        """Raise `TypeError` unless the kind is text."""
        instance_of("kind", self.kind, str)

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Write the change to an edit; see `Brush.put`."""
        del tilemap, start
        for cell in cells:
            edit.set_kind(cell, self.kind)


@dataclass(frozen=True)
class Erase:
    """Removes ground and decks, with their links and the walls of decks."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> None:
        """Write the change to an edit; see `Brush.put`."""
        solid = _solid(tilemap, cells, start)
        for deck in {cell.deck for cell in solid if cell.deck}:
            edit.remove_deck([cell[:2] for cell in solid if cell.deck == deck], deck)
        for cell in solid:
            if not cell.deck:
                edit.set_kind(cell, VOID.name)


@dataclass(frozen=True)
class Ramp:
    """Slopes the ground evenly from one tile's level to another's.

    Void between them becomes ground of the kind it starts from, or leads to if that is a liquid; so
    do liquids that it raises or lowers, unless both ends are liquid.
    """

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles between the ends, both included."""
        tiles = line(tilemap.grid, start, end)
        tiles[0], tiles[-1] = start, end
        return tiles

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Write the change to an edit; see `Span.put`."""
        between = _between(tilemap, "ramp", start, end)
        first, last = tilemap.kind_at(start), tilemap.kind_at(end)
        ground = last if "liquid" in first.tags and not tilemap.is_void(end) else first
        for cell, level in zip(between, _levels(tilemap, start, end, len(between)), strict=True):
            is_liquid = "liquid" in tilemap.kind_at(cell).tags
            if tilemap.is_void(cell) or (is_liquid and tilemap.level_at(cell) != level):
                edit.set_kind(cell, ground.name)
            edit.set_level(cell, level)


@dataclass(frozen=True)
class Bridge:
    """Adds decks between two tiles, sloped evenly from one level to the other.

    Ground that is already at the level of the bridge gets no deck.

    Parameters
    ----------
    kind : str
        Kind of the decks.
    thickness : int, in levels
    """

    kind: str = "wood"
    thickness: int = 1

    def __post_init__(self) -> None:
        """Check the fields."""
        instance_of("kind", self.kind, str)
        whole_within("thickness", self.thickness, 1, MAX_LEVEL)

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles between the ends, both included."""
        return Ramp().cells(tilemap, start, end)

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Write the change to an edit; see `Span.put`."""
        between = _between(tilemap, "bridge", start, end)
        levels = _levels(tilemap, start, end, len(between))
        is_empty = True
        for cell, level in zip(between, levels, strict=True):
            if tilemap.is_void(cell) or tilemap.level_at(cell) != level:
                edit.add_deck(cell, level, self.kind, self.thickness)
                is_empty = False
        if is_empty:
            raise ValueError(Reason("the ground from {} to {} needs no bridge", start, end))


@dataclass(frozen=True)
class Connect:
    """Adds a link in both directions between two surfaces, or removes an existing one.

    Its cost is the difference of their levels, at least 1. A new ladder leads to a neighboring tile
    or another deck.

    Parameters
    ----------
    kind : str
        Kind of the link: "ladder", "stairs", "portal" and so on.
    """

    kind: str = "ladder"

    def __post_init__(self) -> None:
        """Raise `TypeError` unless the kind is text."""
        instance_of("kind", self.kind, str)

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the two ends."""
        del tilemap
        return [start, end] if start != end else [start]

    def put(self, edit: Edit, tilemap: TileMap, start: Cell, end: Cell) -> None:
        """Write the change to an edit; see `Span.put`."""
        _check_ends(self.kind, start, end)
        ends = {start, end}
        known = [link for link in tilemap.links if {link.start, link.end} == ends]
        for link in known:
            edit.remove_link(link.start, link.end)
        if not known:
            distance = tilemap.grid.distance(start[:2], end[:2])
            if self.kind == "ladder" and distance > 1:  # it would be drawn as two rings
                text = "a ladder leads to a neighbor, {} and {} are {} tiles apart"
                raise ValueError(Reason(text, start, end, distance))
            rise = abs(tilemap.level_at(end) - tilemap.level_at(start))
            edit.add_link(start, end, cost=max(rise, 1), kind=self.kind)


def _solid(tilemap: TileMap, cells: Sequence[Cell], start: Cell) -> list[Cell]:
    """Return the cells that are not void; `ValueError` if all are."""
    solid = [cell for cell in cells if not tilemap.is_void(cell)]
    if not solid:
        raise ValueError(Reason("there is no ground at {}", cells[0] if cells else start))
    return solid


def _check_ends(name: str, start: Cell, end: Cell) -> None:
    """Raise `ValueError` if the ends of a tool are one surface."""
    if start == end:
        plain = "a {} needs two tiles: drag from one end to the other"
        raise ValueError(
            Reason("a {} needs two different ends, got {} twice", name, start, plain=plain)
        )


def _between(tilemap: TileMap, name: str, start: Cell, end: Cell) -> list[Cell]:
    """Return the ground cells between the ends of a tool; `ValueError` if there are none."""
    _check_ends(name, start, end)
    for cell in (start, end):
        _solid(tilemap, [cell], cell)
    between = line(tilemap.grid, start, end)[1:-1]
    if not between:
        raise ValueError(
            Reason(
                "a {} needs a tile between its ends, got {} and {}",
                name,
                start,
                end,
                plain="a {} needs a tile between its ends: drag farther",
            )
        )
    return between


def _levels(tilemap: TileMap, start: Cell, end: Cell, count: int) -> list[int]:
    """Return `count` levels evenly spaced between those of two surfaces."""
    low, high = tilemap.level_at(start), tilemap.level_at(end)
    # Halves round up, so that the result does not depend on the direction.
    steps = count + 1
    return [
        (2 * (low * steps + (high - low) * at) + steps) // (2 * steps) for at in range(1, steps)
    ]
