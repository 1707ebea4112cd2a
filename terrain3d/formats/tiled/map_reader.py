"""Read Tiled maps, `.tmx` and `.tmj`: their layers, and their objects as units, links and so on.

docs/tiled.md describes the rules, and why no library is used. The class of an object is its role;
without one, the class or the name of its layer is. Without any, tile objects are units and all
others waypoints. A link is a line between two tiles, and so is a wall, between tiles that share an
edge.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from terrain3d.core.checks import is_whole
from terrain3d.core.errors import MapFileError, check_tile_count
from terrain3d.formats.format import MapFile, ReadOptions
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled import files, properties
from terrain3d.formats.tiled.files import FileCache, ReferencedFiles
from terrain3d.formats.tiled.orientation import Frame, Layout
from terrain3d.formats.tiled.properties import Notes, quoted
from terrain3d.formats.tiled.tile_layers import Layer, LayerReader, bounds, read_ground
from terrain3d.formats.tiled.tilesets import Tilesets
from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Link, Wall
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, Extras, Json, UnknownFields

MAX_LAYER_TILES = 4
"""All layers together may have this many times the tiles that a map may have."""

_IGNORED = {
    *("version", "tiledversion", "type", "renderorder", "compressionlevel", "nextlayerid"),
    *("nextobjectid", "editorsettings"),
}

ROLES = ("unit", "waypoint", "link", "wall")
"""Classes of objects; classes and names of layers may be plurals."""

MAX_OBJECTS = 2**16

_FARTHEST_PX = 2.0**40
_IGNORED_OF_OBJECT = {"id", "type", "x", "y", "width", "height", "locked", "point"}


@dataclass
class MapObjects:
    """The contents of all object layers."""

    units: list[Json] | None = None
    waypoints: list[Json] | None = None
    links: list[Link] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    unknown_fields: UnknownFields = field(default_factory=dict)


@dataclass(frozen=True)
class ObjectReader:
    """Reads the objects of one map."""

    frame: Frame
    files: ReferencedFiles
    notes: Notes

    def read(self, layers: Iterable[Layer]) -> MapObjects:
        """Return the contents of all object layers."""
        found = MapObjects()
        n_objects = 0
        for layer in layers:
            values = properties.read(layer.entry)
            role = _role_of(layer.entry.text("class", "")) or _role_of(layer.name)
            if role in ("unit", "waypoint"):
                _list_of(found, role)
            for entry in layer.entry.objects("objects", []):
                n_objects += 1
                if n_objects > MAX_OBJECTS:
                    raise entry.error(f"is beyond the limit of {MAX_OBJECTS} objects")
                self._read(entry, role, found)
            layer.note_unread(values, self.notes)
        return found

    def _read(self, entry: Fields, role: str, found: MapObjects) -> None:
        values = properties.read(entry)
        if "template" in entry.unread:
            base = self._template(entry)
            values = {**properties.read(base), **values}
            entry.unread = {**base.unread, **entry.unread}
        name = entry.text("name", "")
        own_class = entry.text("class", "") or entry.text("type", "")
        entry.unread.pop("type", None)
        entry.flag("visible", default=True)
        if own_class.casefold() in ROLES:
            role, own_class = own_class.casefold(), ""
        what = f"object {quoted(name or own_class or entry.unread.get('id', ''))}"
        if not role:
            role = "unit" if "gid" in entry.unread else "waypoint"
        if role in ("link", "wall"):
            self._read_pair(entry, role, found, values, name, own_class)
        elif "polyline" in entry.unread:
            self.notes.add(f"{what}: a line that is neither link nor wall is not kept")
            return
        else:
            self._read_point(entry, role, found, values, name, own_class)
        self.notes.add_unread(what, entry, _IGNORED_OF_OBJECT)

    def _template(self, entry: Fields) -> Fields:
        """Return the object in the template of an object, without fields if it is missing."""
        path = self.files.path(entry, "template")
        if not self.files.has(path):
            missing = quoted(path.name)
            self.notes.add(f"there is no template {missing}: its objects have only what differs")
            return Fields({})
        template = self.files.read(path, entry, "template", "template")
        return Fields(template.take("object"), "object", template.source)

    def _read_point(
        self, entry: Fields, role: str, found: MapObjects, values: Extras, name: str, own_class: str
    ) -> None:
        """Read a unit or a waypoint, which is on one tile."""
        what = f"{role} {quoted(name or own_class or entry.unread.get('id', ''))}"
        x_px, y_px, is_reduced = self._point_px(entry)
        cell = self._cell(x_px, y_px)
        if cell is None:
            self.notes.add(f"{what} is outside the map and is not kept")
            return
        if is_reduced:
            self.notes.add(f"{what}: its shape is not kept, only the tile of its center")
        position = list(cell)
        if "deck" in values:
            position.append(self._deck(entry, values, "deck"))
        point: Extras = {"name": name} if name else {}
        point["cell"] = position
        if own_class:
            point["class"] = own_class
        _list_of(found, role).append({**values, **point})

    def _read_pair(
        self, entry: Fields, role: str, found: MapObjects, values: Extras, name: str, own_class: str
    ) -> None:
        """Read a link or a wall, which has two ends."""
        x_px, y_px = self._px(entry, "x"), self._px(entry, "y")
        line = list(entry.objects("polyline", []))
        if len(line) < 2:
            raise entry.error(f"a {role} must be a line from one tile to another", "polyline")
        if len(line) > 2:
            self.notes.add(f"{role} {quoted(name)}: only the ends of its line are kept")
        ends = []
        for point, deck in ((line[0], "deck"), (line[-1], "end_deck")):
            cell = self._cell(x_px + self._px(point, "x"), y_px + self._px(point, "y"))
            if cell is None:
                raise entry.error(f"a {role} must begin and end on tiles of the map", "polyline")
            ends.append(Cell(*cell, self._deck(entry, values, deck)))
        start, end = ends
        is_one_way = values.pop("one_way", False)
        if not isinstance(is_one_way, bool):
            raise entry.error(f"one_way must be true or false, got {quoted(is_one_way)}")
        if role == "wall":
            found.walls.append(Wall(start, end, is_one_way))
        else:
            kind = values.pop("kind", own_class or name or "link")
            with entry.naming():
                found.links.append(Link(start, end, values.pop("cost", 1), kind, is_one_way))
        if values:
            found.unknown_fields[f"{role}s", (start, end)] = values

    def _point_px(self, entry: Fields) -> tuple[float, float, bool]:
        """Return the point of an object, and whether its shape is reduced to that point."""
        x_px, y_px = self._px(entry, "x"), self._px(entry, "y")
        width, height = self._px(entry, "width"), self._px(entry, "height")
        wide, tall = self.frame.layout.tile_px
        is_isometric = self.frame.layout.orientation == "isometric"
        if "gid" in entry.unread:
            entry.whole("gid", 1, 2**32 - 1)
            # The bottom center of a tile object is at the lower edge of its tile, in isometric
            # maps at its lower corner.
            return x_px + (-tall / 2 if is_isometric else width / 2), y_px - tall / 2, False
        if "polygon" in entry.unread:
            corners = list(entry.objects("polygon"))
            points = [(self._px(point, "x"), self._px(point, "y")) for point in corners] or [(0, 0)]
            x_px += sum(x for x, _ in points) / len(points)
            y_px += sum(y for _, y in points) / len(points)
            return x_px, y_px, True
        is_text = entry.unread.pop("text", None) is not None
        is_round = any(entry.unread.pop(name, False) for name in ("ellipse", "capsule"))
        is_large = width > wide or height > tall
        return x_px + width / 2, y_px + height / 2, is_text or is_round or is_large

    def _cell(self, x_px: float, y_px: float) -> tuple[int, int] | None:
        return self.frame.cell(self.frame.layout.position_at(x_px, y_px))

    def _px(self, entry: Fields, name: str) -> float:
        value = entry.number(name, 0)
        if abs(value) > _FARTHEST_PX:
            raise entry.error(f"must be within {_FARTHEST_PX:.0f} pixels, got {value:.4g}", name)
        return value

    def _deck(self, entry: Fields, values: Extras, name: str) -> int:
        deck = values.pop(name, 0)
        if not is_whole(deck) or not 0 <= deck <= 2**8:
            problem = f"must be the number of a deck, got {quoted(deck)}"
            raise entry.error(f"the property {name} {problem}")
        return int(deck)


def _role_of(text: str) -> str:
    """Return the role of a layer's class or name, "" for none."""
    word = text.casefold()
    return next((role for role in ROLES if word in (role, f"{role}s")), "")


def _list_of(found: MapObjects, role: str) -> list[Json]:
    """Return the list of units or waypoints; make it if there is none."""
    name = f"{role}s"
    if getattr(found, name) is None:
        setattr(found, name, [])
    entries: list[Json] = getattr(found, name)
    return entries


def read(data: bytes, options: ReadOptions) -> MapFile:
    """Read a map from the bytes of a file, and from the files that it refers to."""
    return read_framed(data, options)[0]


def read_framed(
    data: bytes, options: ReadOptions, cache: FileCache | None = None
) -> tuple[MapFile, Frame]:
    """Read a map, and where its tiles lie in the file; the maps of a world share a cache."""
    max_surfaces = options.max_surfaces
    max_values = files.MAX_VALUES + max_surfaces // 4
    file_type, fields = files.parse(data, max_values)
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
    beside = ReferencedFiles(options.folder, options.root, cache)
    tilesets = Tilesets(top, beside, notes)
    reader = LayerReader(
        (0, 0) if is_infinite else shape, level_px, MAX_LAYER_TILES * max_surfaces, notes
    )
    layers, object_layers = reader.read(top)
    box = bounds(layers) if is_infinite else None
    frame = Frame(layout, *(box or ((0, 0), shape)))
    map_shape = frame.map_shape
    n_decks = max([layer.deck for layer in layers if layer.role == "kind"], default=0) + 1
    check_tile_count(n_decks * map_shape[0] * map_shape[1], max_surfaces)
    ground = read_ground(top, layers, frame, tilesets, notes)
    found = ObjectReader(frame, beside, notes).read(object_layers)
    if layout.orientation == "staggered":
        notes.add("staggered: rotated by 45 degrees, with void at the corners")
    step_height, extras = _extras(values, found, top)
    notes.add_unread("the map", top, _IGNORED)
    ground["unknown_fields"] |= found.unknown_fields
    found_map = options.build(
        **ground,
        notes=notes.lines,
        step_height=step_height,
        topology=frame.topology,
        links=found.links,
        walls=found.walls,
        extras=extras,
    )
    return found_map, frame


def _level_px(values: Extras, layout: Layout, top: Fields) -> float:
    """Return the height of a level in the picture."""
    value = values.pop("level_height", layout.tile_px[1] / 2)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 2**16:
        raise top.error(f"the property level_height must be 1..65536 pixels, got {quoted(value)}")
    return value


def _extras(values: Extras, found: MapObjects, top: Fields) -> tuple[float, Extras]:
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
