"""Find the units, waypoints, links and walls that the objects of a Tiled map stand for.

The class of an object is its role; without one, the class or the name of its layer is. Without any,
tile objects are units and all others waypoints. A link is a line between two tiles, and so is a
wall, between tiles that share an edge.

A step in the picture of a map is a complex number, across + down * 1j, in pixels: a product turns
it.
"""

import cmath
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from terrain3d.core.checks import quoted
from terrain3d.formats.json_text import Fields
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Link, Wall
from terrain3d.map.tilemap import Extras, Json

ROLES = ("unit", "waypoint", "link", "wall")
"""Classes of objects; classes and names of layers may be plurals."""
GID_BITS = 2**28 - 1
"""Bits of a gid that number a tile; those above are flags for flipped and rotated tiles."""
MAX_PX = 2**30

_FLIPPED_DIAGONALLY, _TURNED_BY_120 = 2**29, 2**28
"""Flags in a gid; on hexagonal maps the first one turns by 60 degrees."""
_Number = TypeVar("_Number", int, float)
Position = tuple[int, int]
"""Row and column in the file; they may be negative in infinite maps."""
_DIGITS = 6
"""Of pixels: a point that is turned onto the border of a tile stays there."""
_ANCHORS: Mapping[str, tuple[float, float]] = {
    **{"topleft": (0, 0), "top": (0.5, 0), "topright": (1, 0), "left": (0, 0.5)},
    **{"center": (0.5, 0.5), "right": (1, 0.5)},
    **{"bottomleft": (0, 1), "bottom": (0.5, 1), "bottomright": (1, 1)},
}
"""The values of a tileset's objectalignment: the point of a picture that is the (x, y) of an
object, in parts of its size from the left and the top."""


@dataclass(frozen=True)
class Layout:
    """The layout of tiles in the picture of a map.

    `orientation` is "orthogonal", "isometric" or "hexagonal", `tile_px` (width, height). `axis`,
    the stagger axis, is "y" if rows are offset, "x" if columns are, else "". `is_odd`: odd rows or
    columns are offset. `side_px` is the length of the edges of a hexagon along the axis.
    """

    orientation: str
    tile_px: tuple[int, int]
    axis: str = ""
    is_odd: bool = True
    side_px: int = 0

    def center_px(self, position: Position) -> tuple[float, float]:
        """Return the center of a tile in the coordinates of objects; not for isometric maps."""
        if self.axis == "":
            return (position[1] + 0.5) * self.tile_px[0], (position[0] + 0.5) * self.tile_px[1]
        (line, place), ((wide, tall), pitch) = self._swapped(*position), self._pitches_px
        shift = line % 2 == self.is_odd
        aside, ahead = (2 * place + shift) * (wide // 2) + wide / 2, line * pitch + tall / 2
        return (aside, ahead) if self.axis == "y" else (ahead, aside)

    def position_at(self, x_px: float, y_px: float) -> Position:
        """Return the position of the tile at a point of objects, also outside the map."""
        width, height = self.tile_px
        if self.axis == "":
            wide = height if self.orientation == "isometric" else width
            return math.floor(y_px / height), math.floor(x_px / wide)
        (wide, _), pitch = self._pitches_px
        ahead, aside = self._swapped(y_px, x_px)
        row, col = self._swapped(math.floor(ahead / pitch), math.floor(aside / wide))
        near = ((row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return min(near, key=lambda position: self._distance(position, x_px, y_px))

    def to_picture(self, x_px: float, y_px: float) -> complex:
        """Return the step in the picture for one in the coordinates of objects."""
        if self.orientation != "isometric":
            return complex(x_px, y_px)
        width, height = self.tile_px
        return complex((x_px - y_px) * width / height, x_px + y_px) / 2

    def from_picture(self, step: complex) -> tuple[float, float]:
        """Return a step in the picture in the coordinates of objects; undoes `to_picture`."""
        x_px, y_px = step.real, step.imag
        if self.orientation == "isometric":
            aside = x_px * self.tile_px[1] / self.tile_px[0]
            x_px, y_px = y_px + aside, y_px - aside
        return round(x_px, _DIGITS), round(y_px, _DIGITS)

    def _swapped(self, down: _Number, across: _Number) -> tuple[_Number, _Number]:
        """Return two parts as those along the axis and across it, and back."""
        return (down, across) if self.axis == "y" else (across, down)

    @property
    def _pitches_px(self) -> tuple[tuple[int, int], int]:
        """The size of a tile across the axis and along it, and the distance to the next line.

        The size is in even numbers, in which Tiled draws tiles that are offset.
        """
        tall, wide = self._swapped(*(max(size // 2, 1) * 2 for size in self.tile_px[::-1]))
        return (wide, tall), (tall + self.side_px) // 2

    def _distance(self, position: Position, x_px: float, y_px: float) -> float:
        """Return how far a point is from the center of a tile, whose outline is at 1."""
        x, y = self.center_px(position)
        (wide, tall), _ = self._pitches_px
        ahead, aside = self._swapped(abs(y - y_px), abs(x - x_px))
        return max(aside / wide, (ahead + aside * (tall - self.side_px) / wide) / tall) * 2


@dataclass(frozen=True)
class MapObject:
    """One object, with what it has of its template, its layer and its tileset.

    `values` are its custom properties. `offset` is the step in the picture by which its layer is
    shifted. `gid` is 0 without a tile; `size_px` is (width, height) of the tile's picture.
    """

    entry: Fields
    name: Json
    values: Fields
    offset: complex
    gid: int
    tileset: Fields
    size_px: tuple[int, int]


class Objects:
    """What the objects of a map stand for; `points` are units and waypoints as in `extras`.

    The map is the box of `shape` from the position `origin` on. What it cannot hold is noted in
    `lost`.
    """

    def __init__(
        self, layout: Layout, origin: Position, shape: tuple[int, int], lost: dict[str, None]
    ) -> None:
        self.points: dict[str, list[Json]] = {}
        self.links: list[Link] = []
        self.walls: list[Wall] = []
        self._layout, self._origin, self._shape, self._lost = layout, origin, shape, lost

    def add_layer(self, role: str, objects: Iterable[MapObject]) -> None:
        """Add the objects of a layer that has a role, or "" for none."""
        if role in ("unit", "waypoint"):
            self.points.setdefault(f"{role}s", [])
        for each in objects:
            self._add(each, role)

    def _add(self, found: MapObject, role: str) -> None:
        entry, values = found.entry, found.values
        own_class = entry.text("class", "") or entry.text("type", "")
        if own_class.casefold() in ROLES:
            role, own_class = own_class.casefold(), ""
        role = role or ("unit" if found.gid else "waypoint")
        if role in ("link", "wall"):
            self._add_pair(found, role, own_class)
            return
        if "polyline" in entry.given:
            self._lost["lines that are neither link nor wall"] = None
            return
        step = self._tile_step(found) if found.gid else self._shape_step(entry)
        cell, deck = self._cell(found, step), values.whole("deck", 0, MAX_DECKS, 0)
        if cell is None:
            self._lost["objects outside the map"] = None
            return
        point: Extras = {"name": found.name} if found.name else {}
        point["cell"] = [*cell, deck] if "deck" in values.given else [*cell]
        point |= {"class": own_class} if own_class else {}
        self.points.setdefault(f"{role}s", []).append({**values.unread, **point})

    def _add_pair(self, found: MapObject, role: str, own_class: str) -> None:
        """Add a link or a wall, which has two ends."""
        entry, values, line = found.entry, found.values, [*found.entry.objects("polyline", [])]
        if len(line) < 2:
            raise entry.error(f"a {role} must be a line from one tile to another", "polyline")
        ends = []
        for point, deck in ((line[0], "deck"), (line[-1], "end_deck")):
            step = self._layout.to_picture(_px(point, "x"), _px(point, "y"))
            cell = self._cell(found, step)
            if cell is None:
                raise entry.error(f"a {role} must begin and end on tiles of the map", "polyline")
            ends.append(Cell(*cell, values.whole(deck, 0, MAX_DECKS, 0)))
        start, end = ends
        given: Extras = {"start": start, "end": end, "one_way": values.take("one_way", False)}
        if role == "link":
            kind = values.take("kind", own_class or found.name or "link")
            given |= {"cost": values.take("cost", 1), "kind": kind}
        others, name = values.unread, {"name": found.name} if found.name else {}
        if role == "wall" and own_class:
            others.setdefault("kind", own_class)
        for clash in [each for each in others if each in given or each in name]:
            del others[clash]
            self._lost[f"the property {clash} of the {role} {quoted(found.name)}"] = None
        given["extras"] = others | name
        with entry.naming():
            if role == "wall":
                self.walls.append(Wall(**given))
            else:
                self.links.append(Link(**given))

    def _shape_step(self, entry: Fields) -> complex:
        """Return the step in the picture from the place of a shape to its center."""
        corners = [(_px(point, "x"), _px(point, "y")) for point in entry.objects("polygon", [])]
        corners = corners or [(0, 0), (_px(entry, "width"), _px(entry, "height"))]
        x, y = (sum(part) / len(corners) for part in zip(*corners, strict=True))
        return self._layout.to_picture(x, y)

    def _tile_step(self, found: MapObject) -> complex:
        """Return the step in the picture from the anchor of a tile object to where it stands.

        That is above the middle of its lower edge: half a tile of the map, or half of its own
        height if that is less.
        """
        layout, entry, gid = self._layout, found.entry, found.gid
        width, height = _px(entry, "width"), _px(entry, "height")
        if not (width or height):
            width, height = found.size_px if any(found.size_px) else layout.tile_px
        default = (0.5, 1.0) if layout.orientation == "isometric" else (0.0, 1.0)
        alignment = found.tileset.text("objectalignment", "")
        from_left, from_top = _ANCHORS.get(alignment, default)
        offset_px, (own_width, own_height) = found.tileset.object("tileoffset", {}), found.size_px
        across = _px(offset_px, "x") * (width / own_width if own_width else 1)
        down = _px(offset_px, "y") * (height / own_height if own_height else 1)
        across, down = across - from_left * width, down + (1 - from_top) * height
        turn_deg = 60 * bool(gid & _FLIPPED_DIAGONALLY) + 120 * bool(gid & _TURNED_BY_120)
        if layout.orientation != "hexagonal":
            turn_deg = 0
            if gid & _FLIPPED_DIAGONALLY:  # about the lower left corner
                width, height = height, width
        lower = complex(0, height / 2 - min(height, layout.tile_px[1]) / 2)
        return complex(across + width / 2, down - height / 2) + _turned(lower, turn_deg)

    def _cell(self, found: MapObject, step: complex) -> tuple[int, int] | None:
        """Return the cell at a step from an object, which turns with it; None outside the map."""
        entry = found.entry
        step = _turned(step, entry.number("rotation", 0) % 360) + found.offset
        x, y = self._layout.from_picture(step)
        place = self._layout.position_at(_px(entry, "x") + x, _px(entry, "y") + y)
        row, col = place[0] - self._origin[0], place[1] - self._origin[1]
        is_inside = 0 <= row < self._shape[0] and 0 <= col < self._shape[1]
        return (row, col) if is_inside else None


def _px(entry: Fields, name: str) -> float:
    """Return a number of pixels, 0 without one."""
    return entry.number(name, 0, MAX_PX)


def _turned(step: complex, angle_deg: float) -> complex:
    """Return a step in the picture, turned clockwise."""
    return step * cmath.rect(1, math.radians(angle_deg))
