"""Tiled maps read: `.tmx` and `.tmj`, with tilesets in them or in files beside them.

docs/tiled.md tells what becomes of what, and why no library does this.
"""

import re
from pathlib import Path

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.mapfile.native.fields import Fields
from terrain3d.mapfile.record import Extras, MapRecord
from terrain3d.mapfile.tiled import (
    documents,
    kind_table,
    layer_stack,
    objects,
    properties,
    tile_layers,
)
from terrain3d.mapfile.tiled.documents import References
from terrain3d.mapfile.tiled.notes import Notes, shown
from terrain3d.mapfile.tiled.orientation import Frame, Layout
from terrain3d.mapfile.tiled.tilesets import Tilesets

SUFFIXES = (".tmx", ".tmj")
BEGINNING = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(<|\{(?![\s\S]{0,4096}?\"terrain3d map\")"
    rb"(?=[\s\S]{0,4096}?\"(layers|infinite|orientation|tiledversion|tilewidth)\"\s*:))"
)
"""How a file begins: as XML, or as JSON with what a Tiled map has."""

MAX_LAYERED = 4
"""How many times as many tiles all layers together may have as the map has surfaces."""

_IGNORED = {
    *("version", "tiledversion", "type", "renderorder", "compressionlevel", "nextlayerid"),
    *("nextobjectid", "editorsettings"),
}


def parse(data: bytes, source: str, max_surfaces: int) -> MapRecord:
    """Read a Tiled map.

    Parameters
    ----------
    data : bytes
    source : str
        Name of the file, for the text of errors; files that it refers to are looked for beside it.
    max_surfaces : int
        The most tiles, on all decks together; more are refused before any is made.

    Raises
    ------
    MapFileError
        It is no map, or too large.
    """
    what, fields = documents.parse(data, source, documents.MAX_VALUES + max_surfaces // 4)
    if what != "map":
        raise MapFileError(f"is no map but {shown(what)}", source=source)
    top, notes = Fields(fields, "", source), Notes()
    layout = Layout.read(top)
    values = properties.read(top)
    infinite = top.flag("infinite", default=False)
    shape = top.whole("height", 1, max_surfaces), top.whole("width", 1, max_surfaces)
    if not infinite:
        check_tile_count(shape[0] * shape[1], max_surfaces, source)
    level_px = _level_px(values, layout, top)
    references = References(Path(source).parent)
    tilesets = Tilesets(top, references, notes)
    reader = tile_layers.Reader(
        (0, 0) if infinite else shape, level_px, MAX_LAYERED * max_surfaces, notes
    )
    layers, object_layers = reader.read(top)
    box = layer_stack.bounds(layers) if infinite else None
    frame = Frame(layout, *(box or ((0, 0), shape)))
    map_shape = frame.map_shape
    n_decks = max([layer.deck for layer in layers if layer.role == "kind"], default=0) + 1
    check_tile_count(n_decks * map_shape[0] * map_shape[1], max_surfaces, source)
    table = kind_table.make_table(top, layers, tilesets, notes)
    level, kind, decks = kind_table.make_decks(layers, frame, tilesets, table, notes)
    kinds, kind, decks = kind_table.drop_unused(table, kind, decks, notes)
    found = objects.Reader(frame, references, notes).read(object_layers)
    if layout.orientation == "staggered":
        notes.add("staggered: turned by 45 degrees, with void at the corners")
    step_height, extras = _extras(values, found, top)
    notes.add_left("the map", top, _IGNORED)
    return MapRecord(
        level=level,
        kind=kind,
        kinds=kinds,
        step_height=step_height,
        topology=frame.topology,
        decks=decks,
        links=tuple(found.links),
        walls=tuple(found.walls),
        extras=extras,
        kept=table.kept | found.kept,
        notes=notes.lines,
    )


def _level_px(values: Extras, layout: Layout, top: Fields) -> float:
    """Give how much higher in the picture the next level lies."""
    value = values.pop("level_height", layout.tile_px[1] / 2)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 2**16:
        raise top.error(f"the property level_height must be 1..65536 pixels, got {shown(value)}")
    return value


def _extras(values: Extras, found: objects.Found, top: Fields) -> tuple[float, Extras]:
    """Give the step height and what the map carries."""
    step_height = values.pop("step_height", MapRecord.step_height)
    if isinstance(step_height, bool) or not isinstance(step_height, int | float):
        raise top.error(f"the property step_height must be a number, got {shown(step_height)}")
    extras: Extras = {}
    carried = values.pop("extras", {})
    if isinstance(carried, dict):
        extras |= carried
    else:
        values["extras"] = carried
    if values:
        extras["metadata"] = values
    for name, spots in (("units", found.units), ("waypoints", found.waypoints)):
        if spots is not None:
            extras[name] = spots
    return step_height, extras
