"""Read Tiled maps, `.tmx` and `.tmj`: their layers, and their objects as units, links and so on.

docs/tiled.md describes the rules, and why no library is used. The class of an object is its role;
without one, the class or the name of its layer is. Without any, tile objects are units and all
others waypoints. A link is a line between two tiles, and so is a wall, between tiles that share an
edge.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from terrain3d.core.checks import is_whole, quoted
from terrain3d.core.files import MapFileError, check_tile_count
from terrain3d.formats.format import SourceFile, warn_of_losses
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tiled import files
from terrain3d.formats.tiled.files import Notes, ReferencedFiles, read_properties
from terrain3d.formats.tiled.orientation import Anchor, Frame, Layout, turned
from terrain3d.formats.tiled.tile_layers import Layer, LayerReader, bounds, read_ground
from terrain3d.formats.tiled.tilesets import MAX_GID, Tilesets
from terrain3d.grid.grid import Cell
from terrain3d.grid.links import Link, Wall
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, Extras, Json, TileMap, UnknownFields

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
_FLIPPED_DIAGONALLY, _TURNED_BY_120 = 2**29, 2**28
"""Flags in a gid; on hexagonal maps the first one turns by 60 degrees."""
_IGNORED_OF_OBJECT = {"id", "type", "x", "y", "width", "height", "locked", "point"}


@dataclass
class MapObjects:
    """The contents of all object layers."""

    units: list[Json] | None = None
    waypoints: list[Json] | None = None
    links: list[Link] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    unknown_fields: UnknownFields = field(default_factory=dict)


class _Object(NamedTuple):
    """One object: its fields, what it is, and its name, class and custom properties."""

    entry: Fields
    role: str
    name: str
    own_class: str
    values: Extras


class ObjectReader:
    """Reads the objects of one map."""

    def __init__(
        self, frame: Frame, tilesets: Tilesets, files: ReferencedFiles, notes: Notes
    ) -> None:
        self._frame, self._tilesets, self._files, self._notes = frame, tilesets, files, notes
        self._templates: dict[Path, tuple[Extras, Tilesets]] = {}

    def read(self, layers: Iterable[Layer]) -> MapObjects:
        """Return the contents of all object layers."""
        found = MapObjects()
        n_objects = 0
        for layer in layers:
            values = read_properties(layer.entry)
            role = _role_of(layer.entry.text("class", "")) or _role_of(layer.name)
            if role in ("unit", "waypoint"):
                _list_of(found, role)
            for entry in layer.entry.objects("objects", []):
                n_objects += 1
                if n_objects > MAX_OBJECTS:
                    raise entry.error(f"is beyond the limit of {MAX_OBJECTS} objects")
                self._read(entry, role, layer.offset_px, found)
            layer.note_unread(values, self._notes)
        return found

    def _read(
        self, entry: Fields, role: str, offset_px: tuple[float, float], found: MapObjects
    ) -> None:
        values, tilesets = self._with_template(entry)
        name = entry.text("name", "")
        own_class = entry.text("class", "") or entry.text("type", "")
        entry.unread.pop("type", None)
        entry.flag("visible", default=True)
        if own_class.casefold() in ROLES:
            role, own_class = own_class.casefold(), ""
        title = quoted(name or own_class or entry.unread.get("id", ""))
        what = f"object {title}"
        if not role:
            role = "unit" if "gid" in entry.unread else "waypoint"
        x_px, y_px = self._px(entry, "x"), self._px(entry, "y")
        anchor = Anchor(x_px, y_px, entry.number("rotation", 0) % 360, offset_px)
        known = _Object(entry, role, name, own_class, values)
        if role in ("link", "wall"):
            self._read_pair(known, anchor, found)
        elif "polyline" in entry.unread:
            self._notes.add(f"{what}: a line that is neither link nor wall is not kept")
            return
        else:
            if "gid" in entry.unread and anchor.rotation_deg:
                self._notes.add(f"{what}: rotation not kept")
            step_px, is_reduced = self._step_px(entry, tilesets)
            cell = self._cell(anchor, step_px)
            if cell is None:
                self._notes.add(f"{role} {title} is outside the map and is not kept")
                return
            if is_reduced:
                shape = "its shape is not kept, only the tile of its center"
                self._notes.add(f"{role} {title}: {shape}")
            self._add_point(known, cell, found)
        self._notes.add_unread(what, entry, _IGNORED_OF_OBJECT)

    def _with_template(self, entry: Fields) -> tuple[Extras, Tilesets]:
        """Add what an object has from its template; return its properties and where its tile is."""
        base, tilesets = Fields({}), self._tilesets
        if "template" in entry.unread:
            base, tilesets = self._template(entry)
        for part in (entry, base):
            gid: Json = part.unread.get("gid")
            if is_whole(gid) and not int(gid) & MAX_GID:  # as Tiled reads it
                del part.unread["gid"]
                self._notes.add(f"object {quoted(entry.unread.get('id', ''))}: its tile is lost")
        tilesets = self._tilesets if "gid" in entry.unread else tilesets
        values = {**read_properties(base), **read_properties(entry)}
        entry.unread = {**base.unread, **entry.unread}
        return values, tilesets

    def _template(self, entry: Fields) -> tuple[Fields, Tilesets]:
        """Return the object in the template of an object, without fields if it is missing.

        Its tile is in the tilesets of the template.
        """
        path = self._files.path(entry, "template")
        if path not in self._templates:
            top = Fields({"object": {}})
            if self._files.has(path):
                top = self._files.read(path, entry, "template", "template")
            else:
                missing, lack = quoted(path.name), "its objects have only what differs"
                self._notes.add(f"there is no template {missing}: {lack}")
            if "tileset" in top.unread:  # of JSON, in which a template has no list of them
                top.unread["tilesets"] = [top.take("tileset")]
            base = Fields(top.take("object"), "object", top.source)
            self._templates[path] = base.unread, Tilesets(top, self._files.beside(path), Notes())
        fields, tilesets = self._templates[path]
        return Fields(fields, "object", str(path)), tilesets

    def _add_point(self, known: _Object, cell: tuple[int, int], found: MapObjects) -> None:
        """Add a unit or a waypoint, which is on one tile."""
        position = list(cell)
        if "deck" in known.values:
            position.append(self._deck(known.entry, known.values, "deck"))
        point: Extras = {"name": known.name} if known.name else {}
        point["cell"] = position
        if known.own_class:
            point["class"] = known.own_class
        _list_of(found, known.role).append({**known.values, **point})

    def _read_pair(self, known: _Object, anchor: Anchor, found: MapObjects) -> None:
        """Read a link or a wall, which has two ends."""
        entry, role, name, own_class, values = known
        line = list(entry.objects("polyline", []))
        if len(line) < 2:
            raise entry.error(f"a {role} must be a line from one tile to another", "polyline")
        if len(line) > 2:
            self._notes.add(f"{role} {quoted(name)}: only the ends of its line are kept")
        ends = []
        for point, deck in ((line[0], "deck"), (line[-1], "end_deck")):
            step_px = self._frame.layout.to_picture(self._px(point, "x"), self._px(point, "y"))
            cell = self._cell(anchor, step_px)
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

    def _step_px(self, entry: Fields, tilesets: Tilesets) -> tuple[tuple[float, float], bool]:
        """Return the step from the anchor of an object to where it is, and if it is more than that.

        A tile object stands above the middle of its lower edge: half a tile of the map, or half of
        its own height if that is less. A shape is where its center is.
        """
        layout = self._frame.layout
        width, height = self._px(entry, "width"), self._px(entry, "height")
        if "gid" not in entry.unread:
            return self._center_px(entry, width, height)
        gid = entry.whole("gid", 1, 2**32 - 1)
        picture = tilesets.picture(gid & MAX_GID)
        if not (width or height):
            width, height = picture.size_px if any(picture.size_px) else layout.tile_px
        default = (0.5, 1.0) if layout.orientation == "isometric" else (0.0, 1.0)
        from_left, from_top = picture.anchor or default
        across, down = -from_left * width, (1 - from_top) * height
        scales = (
            size / own if own else 1
            for size, own in zip((width, height), picture.size_px, strict=True)
        )
        shift = [px * scale for px, scale in zip(picture.offset_px, scales, strict=True)]
        turn_deg = 60 * bool(gid & _FLIPPED_DIAGONALLY) + 120 * bool(gid & _TURNED_BY_120)
        if layout.orientation != "hexagonal":
            turn_deg = 0
            if gid & _FLIPPED_DIAGONALLY:  # about the lower left corner
                width, height = height, width
        lower = height / 2 - min(height, layout.tile_px[1]) / 2
        aside, below = turned((0, lower), turn_deg)
        x, y = across + width / 2 + shift[0], down - height / 2 + shift[1]
        return (x + aside, y + below), False

    def _center_px(
        self, entry: Fields, width: float, height: float
    ) -> tuple[tuple[float, float], bool]:
        wide, tall = self._frame.layout.tile_px
        x_px, y_px = width / 2, height / 2
        is_reduced = width > wide or height > tall
        if "polygon" in entry.unread:
            corners = list(entry.objects("polygon"))
            points = [(self._px(point, "x"), self._px(point, "y")) for point in corners] or [(0, 0)]
            x_px, y_px = (sum(part) / len(points) for part in zip(*points, strict=True))
            is_reduced = True
        for name in ("text", "ellipse", "capsule"):
            is_reduced |= entry.unread.pop(name, None) not in (None, False)
        return self._frame.layout.to_picture(x_px, y_px), is_reduced

    def _cell(self, anchor: Anchor, step_px: tuple[float, float]) -> tuple[int, int] | None:
        layout = self._frame.layout
        return self._frame.cell(layout.position_at(*anchor.moved(step_px, layout)))

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


def read(data: bytes, file: SourceFile) -> TileMap:
    """Read a map from the bytes of a file, and from the files that it refers to."""
    max_surfaces = file.max_surfaces
    max_values = files.MAX_VALUES + max_surfaces // 4
    file_type, fields = files.parse(data, max_values)
    if file_type != "map":
        raise MapFileError(f"is of type {quoted(file_type)}, must be 'map'")
    top, notes = Fields(fields), Notes()
    layout = Layout.read(top)
    values = read_properties(top)
    is_infinite = top.flag("infinite", default=False)
    shape = top.whole("height", 1, max_surfaces), top.whole("width", 1, max_surfaces)
    if not is_infinite:
        check_tile_count(shape[0] * shape[1], max_surfaces)
    level_px = _level_px(values, layout, top)
    beside = ReferencedFiles(file.path.parent)
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
    found = ObjectReader(frame, tilesets, beside, notes).read(object_layers)
    if layout.orientation == "staggered":
        notes.add("staggered: rotated by 45 degrees, with void at the corners")
    step_height, extras = _extras(values, found, top)
    notes.add_unread("the map", top, _IGNORED)
    ground["unknown_fields"] |= found.unknown_fields
    tilemap = file.build(
        **ground,
        step_height=step_height,
        topology=frame.topology,
        links=found.links,
        walls=found.walls,
        extras=extras,
    )
    warn_of_losses(file.path, notes.lines)
    return tilemap


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
