"""Read Tiled maps, `.tmx` and `.tmj`, with embedded or external tilesets.

docs/tiled.md describes the rules, and why no library is used.
"""

from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.formats.format import MapFile, ReadOptions
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled import objects, properties, referenced_files, tile_layers
from terrain3d.formats.tiled.kinds import drop_unused_kinds, make_decks, make_kind_table
from terrain3d.formats.tiled.orientation import Frame, Layout
from terrain3d.formats.tiled.properties import Notes, quoted
from terrain3d.formats.tiled.referenced_files import FileCache, ReferencedFiles
from terrain3d.formats.tiled.tile_layers import bounds
from terrain3d.formats.tiled.tilesets import Tilesets
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, Extras

MAX_LAYER_TILES = 4
"""All layers together may have this many times the tiles that a map may have."""

_IGNORED = {
    *("version", "tiledversion", "type", "renderorder", "compressionlevel", "nextlayerid"),
    *("nextobjectid", "editorsettings"),
}


def read(data: bytes, options: ReadOptions) -> MapFile:
    """Read a map from the bytes of a file, and from the files that it refers to."""
    return read_framed(data, options)[0]


def read_framed(
    data: bytes, options: ReadOptions, cache: FileCache | None = None
) -> tuple[MapFile, Frame]:
    """Read a map, and where its tiles lie in the file; the maps of a world share a cache."""
    max_surfaces = options.max_surfaces
    max_values = referenced_files.MAX_VALUES + max_surfaces // 4
    file_type, fields = referenced_files.parse(data, max_values)
    if file_type != "map":
        raise MapFileError(f"is of type {quoted(file_type)}, must be 'map'")
    top, notes = Fields(fields), Notes()
    layout = Layout.read(top)
    values = properties.read(top)
    is_infinite = top.flag("infinite", default=False)
    shape = top.whole("height", 1, max_surfaces), top.whole("width", 1, max_surfaces)
    if not is_infinite:
        check_tile_count(shape[0] * shape[1], max_surfaces)
    level_px = _level_px(values, layout, top)
    files = ReferencedFiles(options.folder, options.root, cache)
    tilesets = Tilesets(top, files, notes)
    reader = tile_layers.LayerReader(
        (0, 0) if is_infinite else shape, level_px, MAX_LAYER_TILES * max_surfaces, notes
    )
    layers, object_layers = reader.read(top)
    box = bounds(layers) if is_infinite else None
    frame = Frame(layout, *(box or ((0, 0), shape)))
    map_shape = frame.map_shape
    n_decks = max([layer.deck for layer in layers if layer.role == "kind"], default=0) + 1
    check_tile_count(n_decks * map_shape[0] * map_shape[1], max_surfaces)
    table = make_kind_table(top, layers, tilesets, notes)
    level, kind, decks = make_decks(layers, frame, tilesets, table, notes)
    kinds, kind, decks = drop_unused_kinds(table, kind, decks, notes)
    found = objects.ObjectReader(frame, files, notes).read(object_layers)
    if layout.orientation == "staggered":
        notes.add("staggered: rotated by 45 degrees, with void at the corners")
    step_height, extras = _extras(values, found, top)
    notes.add_unread("the map", top, _IGNORED)
    found_map = options.build(
        level,
        kind,
        kinds,
        notes.lines,
        step_height=step_height,
        topology=frame.topology,
        decks=decks,
        links=found.links,
        walls=found.walls,
        extras=extras,
        unknown_fields=table.unknown_fields | found.unknown_fields,
    )
    return found_map, frame


def _level_px(values: Extras, layout: Layout, top: Fields) -> float:
    """Return the height of a level in the picture."""
    value = values.pop("level_height", layout.tile_px[1] / 2)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 2**16:
        raise top.error(f"the property level_height must be 1..65536 pixels, got {quoted(value)}")
    return value


def _extras(values: Extras, found: objects.MapObjects, top: Fields) -> tuple[float, Extras]:
    """Return the step height and the extras of the map."""
    step_height = values.pop("step_height", DEFAULT_STEP_HEIGHT)
    if isinstance(step_height, bool) or not isinstance(step_height, int | float):
        raise top.error(f"the property step_height must be a number, got {quoted(step_height)}")
    extras: Extras = {}
    stored = values.pop("extras", {})
    if isinstance(stored, dict):
        extras |= stored
    else:
        values["extras"] = stored
    if values:
        extras["metadata"] = values
    for name, entries in (("units", found.units), ("waypoints", found.waypoints)):
        if entries is not None:
            extras[name] = entries
    return step_height, extras
