"""Tools: frozen values that write a change of tiles to an open edit of a map.

A tool that has nothing to do raises `ValueError` with the reason, and the caller drops the edit.
The edit itself refuses what the map cannot hold, such as overlapping surfaces.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from terrain3d.core.checks import instance_of, one_of, quoted, whole_number, whole_within
from terrain3d.editor.areas import CellArray, line, rectangle
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import VOID, Color
from terrain3d.grid.links import Wall
from terrain3d.grid.reason import Reason
from terrain3d.map.edit import Edit
from terrain3d.map.tilemap import TileMap

Cells = Sequence[Cell] | CellArray
"""Cells one by one, or many as an array."""


class Choice(NamedTuple):
    """What a tool can be made of in place of a kind of ground."""

    name: str
    color: Color


class Tool(ABC):
    """Changes a set of tiles."""

    choices: ClassVar[tuple[Choice, ...]] = ()
    """What it can be made of; without any, a kind of ground."""
    advice: ClassVar[str] = ""
    """How to use it with the pointer; by default in general words."""

    @abstractmethod
    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change of `cells`, surfaces or void ground, to an open edit of `tilemap`.

        `start` is the cell at which the stroke began. `ValueError` if there is nothing to do.
        """


class Span(Tool):
    """Changes what lies between two ends: `start`, and the last of the cells."""

    is_for_one: ClassVar[bool] = False
    """Whether keys use it on one tile at once."""

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles to show: those that `put` would change or connect."""
        del tilemap
        return list(dict.fromkeys((start, end)))


@dataclass(frozen=True)
class Raise(Tool):
    """Raises tiles by a number of levels, or lowers them if negative, within 0..MAX_LEVEL."""

    by: int = 1

    def __post_init__(self) -> None:
        """Raise `TypeError` unless `by` is a whole number."""
        whole_number("by", self.by)

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        limit, code = (MAX_LEVEL, "highest_level") if self.by > 0 else (0, "lowest_level")
        solid = _solid(tilemap, cells, start)
        row, col, deck = solid.T
        levels = tilemap.surface_level[deck, row, col]
        if (levels == limit).all():
            raise ValueError(Reason(code, cell=Cell(*solid[0].tolist()), level=limit))
        for level in np.flatnonzero(np.bincount(levels)).tolist():
            edit.set_level(solid[levels == level], min(max(level + self.by, 0), MAX_LEVEL))


@dataclass(frozen=True)
class Level(Tool):
    """Sets tiles to the level of the cell at which the stroke began."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        _solid(tilemap, [start], start)
        edit.set_level(_solid(tilemap, cells, start), tilemap.level_at(start))


@dataclass(frozen=True)
class Paint(Tool):
    """Sets the kind of tiles; void becomes ground at the level stored for it."""

    kind: str

    def __post_init__(self) -> None:
        """Raise `TypeError` unless the kind is text."""
        instance_of("kind", self.kind, str)

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        del tilemap, start
        edit.set_kind(np.asarray(cells), self.kind)


@dataclass(frozen=True)
class Erase(Tool):
    """Removes ground and decks, with their links and the walls of decks."""

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        solid = _solid(tilemap, cells, start)
        is_deck = solid[:, 2] > 0
        for deck in set(solid[is_deck, 2].tolist()):
            edit.remove_deck(solid[solid[:, 2] == deck, :2].tolist(), deck)
        if not is_deck.all():
            edit.set_kind(solid[~is_deck], VOID.name)


class _Slope(Span):
    """Leads evenly from one end to the other."""

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles between the ends, both included."""
        tiles = line(tilemap.grid, start, end)
        tiles[0], tiles[-1] = start, end
        return tiles

    def _steps(self, name: str, tilemap: TileMap, start: Cell, end: Cell) -> list[tuple[Cell, int]]:
        """Return the ground between the ends and its new levels; `ValueError` if there is none."""
        _check_ends(name, start, end)
        for cell in (start, end):
            _solid(tilemap, [cell], cell)
        between = line(tilemap.grid, start, end)[1:-1]
        if not between:
            raise ValueError(Reason("nothing_between", tool=name, start=start, end=end))
        low, rise = tilemap.level_at(start), tilemap.level_at(end) - tilemap.level_at(start)
        n = len(between) + 1
        # Halves round up, so that the result does not depend on the direction.
        levels = ((2 * (low * n + rise * at) + n) // (2 * n) for at in range(1, n))
        return list(zip(between, levels, strict=True))


@dataclass(frozen=True)
class Ramp(_Slope):
    """Slopes the ground evenly from one tile's level to another's.

    Void between them becomes ground of the kind it starts from, or leads to if that is a liquid; so
    do liquids that it raises or lowers, unless both ends are liquid.
    """

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        end = cells[-1]
        first, last = tilemap.kind_at(start), tilemap.kind_at(end)
        ground = last if "liquid" in first.tags and not tilemap.is_void(end) else first
        for cell, level in self._steps("ramp", tilemap, start, end):
            is_liquid = "liquid" in tilemap.kind_at(cell).tags
            if tilemap.is_void(cell) or (is_liquid and tilemap.level_at(cell) != level):
                edit.set_kind(cell, ground.name)
            edit.set_level(cell, level)


@dataclass(frozen=True)
class Bridge(_Slope):
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

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        decks = [
            (cell, level)
            for cell, level in self._steps("bridge", tilemap, start, cells[-1])
            if tilemap.is_void(cell) or tilemap.level_at(cell) != level
        ]
        if not decks:
            raise ValueError(Reason("no_bridge_needed", start=start, end=cells[-1]))
        for cell, level in decks:
            edit.add_deck(cell, level, self.kind, self.thickness)


@dataclass(frozen=True)
class Connect(Span):
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

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        end = cells[-1]
        _check_ends(self.kind, start, end)
        ends = {start, end}
        known = [link for link in tilemap.links if {link.start, link.end} == ends]
        for link in known:
            edit.remove_link(link.start, link.end)
        if not known:
            distance = tilemap.grid.distance(start[:2], end[:2])
            if self.kind == "ladder" and distance > 1:  # it would be drawn as two rings
                why = Reason("long_ladder", start=start, end=end, distance=distance)
                raise ValueError(why)
            rise = abs(tilemap.level_at(end) - tilemap.level_at(start))
            edit.add_link(start, end, cost=max(rise, 1), kind=self.kind)


@dataclass(frozen=True)
class WallTool(Span):
    """Adds walls between tiles, or removes them if all edges have one.

    Two neighbors have one edge. From a tile to one in the next row, the edges are the border
    between the rows, in the columns from one tile to the other. The same holds for columns. If both
    are next to each other, `along` decides: "col" for the border between rows, "row" for the other.
    """

    advice = "Click an edge to add or remove its wall; drag along it for a longer wall"

    along: str = ""

    def __post_init__(self) -> None:
        """Check the field."""
        one_of("along", self.along, ("", "row", "col"))

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles on both sides of the edges."""
        edges = wall_edges(tilemap, start, end, self.along) or [(start, end)]
        return list(dict.fromkeys(cell for edge in edges for cell in edge))

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        end = cells[-1]
        edges = wall_edges(tilemap, start, end, self.along)
        voids = [cell for cell in (start, end) if not tilemap.has_surface(cell)]
        if voids:
            raise ValueError(Reason("wall_over_void", cell=voids[0]))
        if not edges:
            raise ValueError(Reason("bent_wall", start=start, end=end))
        found: defaultdict[frozenset[Cell], list[Wall]] = defaultdict(list)
        for wall in tilemap.walls:
            found[frozenset((wall.start, wall.end))].append(wall)
        known = {edge: found[frozenset(edge)] for edge in edges}
        for edge, walls in known.items():
            if not walls:
                edit.add_wall(*edge)
        if all(known.values()):
            for wall in dict.fromkeys(wall for walls in known.values() for wall in walls):
                edit.remove_wall(wall.start, wall.end)


@dataclass(frozen=True)
class Select(Span):
    """Selects the rectangle between two tiles; changes nothing."""

    advice = "Drag from corner to corner to select; drag what is selected to move it"

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles of the rectangle."""
        return rectangle(tilemap, start, end)

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Do nothing; see `Tool.put`."""


Tools = Mapping[str, Callable[[str], Tool]]
"""Tools by name, each made of a kind of ground, or of one of its choices."""
TOOLS: Tools = {
    "raise": lambda _: Raise(1),
    "lower": lambda _: Raise(-1),
    "level": lambda _: Level(),
    "paint": Paint,
    "erase": lambda _: Erase(),
    "ramp": lambda _: Ramp(),
    "bridge": Bridge,
    "ladder": lambda _: Connect(),
    "wall": lambda _: WallTool(),
    "select": lambda _: Select(),
}
"""The tools of the map editor; a game adds its own."""


def checked_tools(tools: Tools) -> Tools:
    """Return tools by name after checking them; `TypeError` if they are none."""
    for make in instance_of("tools", tools, Mapping).values():
        if not callable(make):
            raise TypeError(f"tools must be callable, got {quoted(make)}")
    return tools


def _solid(tilemap: TileMap, cells: Cells, start: Cell) -> CellArray:
    """Return the cells that are not void; `ValueError` if all are."""
    every = np.reshape(cells, (-1, 3))
    row, col, deck = every.T
    solid: CellArray = every[~tilemap.surface_void[deck, row, col]]
    if not len(solid):
        cell = Cell(*every[0].tolist()) if len(every) else start
        raise ValueError(Reason("no_ground", cell=cell))
    return solid


def _check_ends(name: str, start: Cell, end: Cell) -> None:
    """Raise `ValueError` if the ends of a tool are one surface."""
    if start == end:
        raise ValueError(Reason("same_ends", tool=name, cell=start))


def wall_edges(
    tilemap: TileMap, start: Cell, end: Cell, along: str = ""
) -> list[tuple[Cell, Cell]]:
    """Return the edges of a wall that have surfaces on both sides; see `WallTool`."""
    neighbors = tilemap.grid.neighbors
    away = {"col": abs(end.row - start.row), "row": abs(end.col - start.col)}
    axis = along or ("col" if away["col"] == 1 else "row")
    if end[:2] in {near[:2] for near in neighbors(start[:2])}:
        pairs = [(start, end)]
    elif away[axis] == 1:
        low, high = sorted(getattr(cell, axis) for cell in (start, end))
        sides = [
            [cell._replace(**{axis: at}) for at in range(low, high + 1)] for cell in (start, end)
        ]
        others = {cell[:2]: cell for cell in sides[1]}
        pairs = [
            (cell, others[near[:2]])
            for cell in sides[0]
            for near in neighbors(cell[:2])
            if near[:2] in others
        ]
    else:
        return []
    return [pair for pair in pairs if all(map(tilemap.has_surface, pair))]
