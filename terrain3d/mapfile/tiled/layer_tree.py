"""List the layers of a Tiled map without groups; layers inherit level, offset and visibility."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.record import Json
from terrain3d.mapfile.tiled import properties
from terrain3d.mapfile.tiled.notes import Notes, quoted

MAX_OFFSET_PX = 2.0**30
_IGNORED = {
    *("id", "opacity", "x", "y", "width", "height", "startx", "starty"),
    *("locked", "color", "draworder"),
}


@dataclass(frozen=True)
class Layer:
    """One layer that is not a group; `path` joins the names of its groups and its own by "/".

    `offset_px` is its vertical offset, downward, with those of its groups. `level` is the sum of
    the levels of its groups, None if no group has one.
    """

    entry: Fields
    path: str = ""
    name: str = ""
    offset_px: float = 0.0
    level: int | None = None
    is_visible: bool = True

    def note_unread(self, values: Mapping[str, Json], notes: Notes) -> None:
        """Note what was not read of the layer and of its properties."""
        owner = f"layer {quoted(self.path)}"
        for value in values:
            notes.add(f"{owner}: the property {quoted(value)} is not kept")
        for name in ("offsetx", "offsety"):
            if offset_px(self.entry, name):
                notes.add(f"{owner}: its {name} is not kept")
        if self.entry.unread.get("opacity", 1) != 1:
            notes.add(f"{owner}: its opacity is not kept")
        notes.add_unread(owner, self.entry, _IGNORED)


def layers_of(owner: Fields, notes: Notes, parent: Layer | None = None) -> Iterator[Layer]:
    """Yield the layers of a map or a group, from the lowest to the topmost."""
    parent = parent or Layer(owner)
    for entry in owner.objects("layers", []):
        name = entry.text("name", "")
        is_visible = parent.is_visible and entry.flag("visible", default=True)
        offset = parent.offset_px + offset_px(entry, "offsety")
        path = f"{parent.path}/{name}" if parent.path else name
        if entry.unread.get("type") != "group":
            yield Layer(entry, path, name, offset, parent.level, is_visible)
            continue
        values = properties.read(entry)
        level = add_levels(parent.level, properties.level_of(values, entry))
        group = Layer(entry, path, name, offset, level, is_visible)
        entry.take("type")
        yield from layers_of(entry, notes, group)
        group.note_unread(values, notes)


def offset_px(entry: Fields, name: str) -> float:
    """Take an offset of a layer."""
    value = entry.number(name, 0)
    if abs(value) > MAX_OFFSET_PX:
        raise entry.error(f"must be at most {MAX_OFFSET_PX:.0f} pixels, got {value:.4g}", name)
    return value


def add_levels(first: int | None, second: int | None) -> int | None:
    """Return the sum of two levels, either of which may be None."""
    return first if second is None else second + (first or 0)
