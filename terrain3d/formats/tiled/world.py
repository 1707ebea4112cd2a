"""Read Tiled worlds, `.world`: several maps, each at a place in pixels, as one map.

https://doc.mapeditor.org/en/stable/manual/worlds/
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from terrain3d.core.checks import quoted
from terrain3d.core.files import MapFileError, check_tile_count, in_file, read_bytes
from terrain3d.formats import json_text
from terrain3d.formats.format import MapFile, ReadOptions, max_file_bytes
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled.files import (
    MAX_VALUES,
    MAX_WORLD_BYTES,
    FileCache,
    ReferencedFiles,
    resolve_inside,
)
from terrain3d.formats.tiled.map_reader import read_framed
from terrain3d.formats.tiled.orientation import Layout, Position
from terrain3d.grid.kinds import VOID, TileKind
from terrain3d.grid.links import Link, Wall
from terrain3d.map.placement import Placement
from terrain3d.map.tilemap import Extras, TileMap, UnknownFields

_POINTS = ("units", "waypoints")


class _Part(NamedTuple):
    """A map, the name of its file, and the cell of the whole that its first cell is."""

    name: str
    tilemap: TileMap
    notes: tuple[str, ...]
    row: int
    col: int


def merge(parts: Sequence[_Part], options: ReadOptions) -> MapFile:
    """Return one map of several that do not overlap; void lies between them.

    Kinds that are equal become one; a kind whose name another map gives to a different kind has the
    name of its file added. Extras other than units and waypoints are taken from the first map.

    `MapFileError` if there are no maps, two of them overlap or differ in step height or topology,
    or the whole has too many tiles.
    """
    if not parts:
        raise MapFileError("names no maps")
    _check_alike(parts)
    top, left = min(part.row for part in parts), min(part.col for part in parts)
    parts = [part._replace(row=part.row - top, col=part.col - left) for part in parts]
    rows = max(part.row + part.tilemap.rows for part in parts)
    cols = max(part.col + part.tilemap.cols for part in parts)
    n_decks = max(part.tilemap.n_decks for part in parts) + 1
    check_tile_count(rows * cols * n_decks, options.max_surfaces)
    known: dict[str, TileKind] = {}
    level, kinds = np.zeros((rows, cols), np.int64), np.full((rows, cols), -1, np.int64)
    decks, links, walls = [], list[Link](), list[Wall]()
    unknown_fields: UnknownFields = {}
    for name, tilemap, _, row, col in parts:
        at = np.s_[row : row + tilemap.rows, col : col + tilemap.cols]
        if (kinds[at] >= 0).any():
            raise MapFileError(f"{name} overlaps a map before it")
        numbers = np.array([_number_of(kind, name, known) for kind in tilemap.kinds])
        level[at], kinds[at] = tilemap.level, numbers[tilemap.kind]
        placement = Placement(rows, cols, (row, col))
        decks.append(placement.decks(tilemap.decks))
        decks[-1]["kind"] = numbers[decks[-1]["kind"]]
        links += placement.pairs(tilemap.links)
        walls += placement.pairs(tilemap.walls)
        unknown_fields.update(placement.fields(tilemap.unknown_fields))
    void = _number_of(VOID, "", known)
    extras, lost = _joined_extras(parts, (rows, cols))
    notes = [f"{part.name}: {note}" for part in parts for note in part.notes]
    return options.build(
        level,
        np.where(kinds < 0, void, kinds),
        tuple(known.values()),
        tuple(dict.fromkeys([*lost, *notes])),
        step_height=parts[0].tilemap.step_height,
        topology=parts[0].tilemap.topology,
        decks=np.concatenate(decks),
        links=links,
        walls=walls,
        extras=extras,
        unknown_fields=unknown_fields,
    )


def _number_of(kind: TileKind, name: str, known: dict[str, TileKind]) -> int:
    """Return the number of a kind of a map among known ones by name, to which it is added."""
    if known.get(kind.name, kind) != kind:
        kind = replace(kind, name=f"{kind.name} ({name})")
    known.setdefault(kind.name, kind)
    return list(known).index(kind.name)


def _check_alike(parts: Sequence[_Part]) -> None:
    """Raise `MapFileError` if maps differ in what the whole has only once."""
    for one, other in pairwise(parts):
        for field in ("step_height", "topology"):
            values = [getattr(part.tilemap, field) for part in (one, other)]
            if values[0] != values[1]:
                problem = f"differ in {field}: {values[0]} and {values[1]}"
                raise MapFileError(f"{one.name} and {other.name} {problem}")


def _joined_extras(parts: Sequence[_Part], size: tuple[int, int]) -> tuple[Extras, list[str]]:
    """Return the extras of the whole, and notes on those that are left out."""
    moved: list[Extras] = []
    for part in parts:
        placement = Placement(*size, (part.row, part.col))
        own = {
            field: placement.data(values)
            for field, values in part.tilemap.extras.items()
            if field in _POINTS and isinstance(values, list)
        }
        moved.append(part.tilemap.extras | own)
    extras = dict(moved[0])
    for field in _POINTS:
        lists = [each.get(field) for each in moved]
        points = list(chain.from_iterable(points for points in lists if isinstance(points, list)))
        extras |= {field: points} if points else {}
    lost = [
        f"{part.name}: {field} not kept"
        for part, each in zip(parts[1:], moved[1:], strict=True)
        for field, value in each.items()
        if field not in _POINTS and value != extras.get(field)
    ]
    return extras, lost


MAX_MAPS = 1024
"""Limit on the maps of a world."""

_FAR_PX = 2**31
_LITERAL, _NUMBER = r"[\w \-.]|\\[^\w\s]", r"\((?:-\?|\[+-\]\?)?(?:\\d|\[0-9\])\+\)"
_PATTERN = re.compile(rf"\^?(?:{_LITERAL})*{_NUMBER}(?:{_LITERAL})*{_NUMBER}(?:{_LITERAL})*\$?")
"""Regular expressions that take little time on any name: text and two groups of digits."""

_Place = tuple[str, Path, tuple[int, int]]
"""Name of a map, its file, and its x and y in pixels."""


def read_world(data: bytes, options: ReadOptions) -> MapFile:
    """Read a world from the bytes of its file, and the maps that it names."""
    top = Fields(json_text.parse(data, MAX_VALUES))
    files = ReferencedFiles(options.folder, options.root)
    places = [*_listed(top, files), *_matched(top, options.folder)]
    if len(places) > MAX_MAPS:
        raise MapFileError(f"names {len(places)} maps, the limit is {MAX_MAPS}")
    root = options.root or options.folder
    parts, cache = list[_Part](), FileCache(MAX_WORLD_BYTES)
    tiles_left = options.max_surfaces
    first_layout: Layout | None = None
    for name, path, point_px in places:
        with in_file(str(path)):
            content = read_bytes(path, max_file_bytes(tiles_left))
            inner = options._replace(folder=path.parent, root=root, max_surfaces=max(tiles_left, 1))
            found, frame = read_framed(content, inner, cache)
            first_layout = first_layout or frame.layout
            row, col = _position(frame.layout, first_layout, point_px)
            moves = _moves(frame.layout, (row, col), point_px)
        tilemap, notes = found.tilemap, (*found.notes, *moves)
        tiles_left -= tilemap.level.size + len(tilemap.decks)
        row, col = row + frame.origin[0], col + frame.origin[1]
        parts.append(_Part(name, tilemap, notes, row, col))
    return merge(parts, options)


def _listed(top: Fields, files: ReferencedFiles) -> list[_Place]:
    """Return the maps that the file lists."""
    places = []
    for entry in top.objects("maps", []):
        name = entry.text("fileName")
        entry.unread["fileName"] = name
        x, y = (_near(entry, entry.number(axis, 0)) for axis in "xy")
        places.append((name, files.path(entry, "fileName"), (x, y)))
    return places


def _near(entry: Fields, pixel: float) -> int:
    if not abs(pixel) <= _FAR_PX:  # also refuses NaN
        raise entry.error(f"must lie within {_FAR_PX} pixels, got {pixel:g}")
    return round(pixel)


def _matched(top: Fields, folder: Path) -> list[_Place]:
    """Return the maps in the folder of the world whose names match a pattern of the file."""
    places = []
    for entry in top.objects("patterns", []):
        pattern = entry.text("regexp")
        if not _PATTERN.fullmatch(pattern):
            problem = f"must be text with two groups of digits, got {quoted(pattern)}"
            raise entry.error(problem, "regexp")
        steps = [entry.number(f"multiplier{axis}", 1) for axis in "XY"]
        starts = [entry.number(f"offset{axis}", 0) for axis in "XY"]
        for path in sorted(folder.iterdir()):
            found = re.search(pattern, path.name)
            if found and resolve_inside(folder, path.name) and path.is_file():
                x, y = (
                    _near(entry, float(number) * step + start)
                    for number, step, start in zip(found.groups(), steps, starts, strict=True)
                )
                places.append((path.name, path, (x, y)))
    return places


def _position(layout: Layout, first: Layout, point_px: tuple[int, int]) -> Position:
    """Return the row and column of the tile at a place of the world."""
    if layout.orientation not in ("orthogonal", "hexagonal") or layout != first:
        names = f"{layout.orientation} {layout.tile_px}, {first.orientation} {first.tile_px}"
        problem = "the maps of a world must be orthogonal or hexagonal, all alike"
        raise MapFileError(f"{problem}, got {names}")
    across, down = layout.spacing_px
    row, col = round(point_px[1] / down), round(point_px[0] / across)
    line = row if layout.axis == "y" else col
    if layout.axis and line % 2:
        raise MapFileError("lies an odd number of rows or columns from the start of the world")
    return row, col


def _moves(layout: Layout, place: Position, point_px: tuple[int, int]) -> Iterator[str]:
    """Yield a note if a map does not begin at the pixel of its tile."""
    right, below = (
        number * spacing - pixel
        for number, spacing, pixel in zip(place[::-1], layout.spacing_px, point_px, strict=True)
    )
    if max(abs(right), abs(below)) >= 1:  # less is due to spacings that are no whole pixels
        yield f"lies between tiles: moved by {right:+.0f} pixels across and {below:+.0f} down"
