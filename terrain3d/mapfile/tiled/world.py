"""Read Tiled worlds, `.world`: several maps, each at a place in pixels, as one map.

https://doc.mapeditor.org/en/stable/manual/worlds/
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from terrain3d.core.errors import MapFileError, in_file
from terrain3d.core.files import read_bytes
from terrain3d.mapfile import json_text
from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.read_options import ReadOptions, max_file_bytes
from terrain3d.mapfile.record import MapRecord
from terrain3d.mapfile.record_merge import PlacedRecord, merge
from terrain3d.mapfile.tiled.map_reader import read_framed
from terrain3d.mapfile.tiled.notes import quoted
from terrain3d.mapfile.tiled.orientation import Layout, Position
from terrain3d.mapfile.tiled.referenced_files import (
    MAX_VALUES,
    MAX_WORLD_BYTES,
    FileCache,
    ReferencedFiles,
    resolve_inside,
)

MAX_MAPS = 1024
"""Limit on the maps of a world."""

_FAR_PX = 2**31
_LITERAL, _NUMBER = r"[\w \-.]|\\[^\w\s]", r"\((?:-\?|\[+-\]\?)?(?:\\d|\[0-9\])\+\)"
_PATTERN = re.compile(rf"\^?(?:{_LITERAL})*{_NUMBER}(?:{_LITERAL})*{_NUMBER}(?:{_LITERAL})*\$?")
"""Regular expressions that take little time on any name: text and two groups of digits."""

_Place = tuple[str, Path, tuple[int, int]]
"""Name of a map, its file, and its x and y in pixels."""


def read_world(data: bytes, options: ReadOptions) -> MapRecord:
    """Read a world from the bytes of its file, and the maps that it names."""
    top = Fields(json_text.parse(data, MAX_VALUES))
    files = ReferencedFiles(options.folder, options.root)
    places = [*_listed(top, files), *_matched(top, options.folder)]
    if len(places) > MAX_MAPS:
        raise MapFileError(f"names {len(places)} maps, the limit is {MAX_MAPS}")
    root = options.root or options.folder
    parts, cache = list[PlacedRecord](), FileCache(MAX_WORLD_BYTES)
    tiles_left = options.max_surfaces
    first_layout: Layout | None = None
    for name, path, point_px in places:
        with in_file(str(path)):
            content = read_bytes(path, max_file_bytes(tiles_left))
            inner = options._replace(folder=path.parent, root=root, max_surfaces=max(tiles_left, 1))
            record, frame = read_framed(content, inner, cache)
            first_layout = first_layout or frame.layout
            row, col = _position(frame.layout, first_layout, point_px)
            moves = _moves(frame.layout, (row, col), point_px)
            record = replace(record, notes=(*record.notes, *moves))
        tiles_left -= record.level.size + len(record.decks)
        parts.append(PlacedRecord(name, record, row + frame.origin[0], col + frame.origin[1]))
    return merge(parts, options.max_surfaces)


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
