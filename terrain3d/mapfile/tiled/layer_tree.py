"""Layers of a Tiled map in and out of groups, and what each has from the groups around it."""

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
    """One layer that is no group.

    Parameters
    ----------
    entry : Fields
    path : str
        Names of its groups and its own.
    name : str
    offset_px : float
        How far down in the picture it is shifted, groups counted.
    level : int or None
        How many levels its groups lie higher, if one tells.
    is_visible : bool
    """

    entry: Fields
    path: str = ""
    name: str = ""
    offset_px: float = 0.0
    level: int | None = None
    is_visible: bool = True

    def note_unread(self, values: Mapping[str, Json], notes: Notes) -> None:
        """Note what nobody has taken of the layer and of its properties."""
        what = f"layer {quoted(self.path)}"
        for value in values:
            notes.add(f"{what}: the property {quoted(value)} is not kept")
        for name in ("offsetx", "offsety"):
            if offset_px(self.entry, name):
                notes.add(f"{what}: its {name} is not kept")
        if self.entry.unread.get("opacity", 1) != 1:
            notes.add(f"{what}: its opacity is not kept")
        notes.add_unread(what, self.entry, _IGNORED)


def flat(owner: Fields, notes: Notes, above: Layer | None = None) -> Iterator[Layer]:
    """List the layers of a map or a group, from the lowest to the topmost."""
    above = above or Layer(owner)
    for entry in owner.objects("layers", []):
        name = entry.text("name", "")
        is_visible = above.is_visible and entry.flag("visible", default=True)
        offset = above.offset_px + offset_px(entry, "offsety")
        path = f"{above.path}/{name}" if above.path else name
        if entry.unread.get("type") != "group":
            yield Layer(entry, path, name, offset, above.level, is_visible)
            continue
        values = properties.read(entry)
        level = added(above.level, properties.level_of(values, entry))
        group = Layer(entry, path, name, offset, level, is_visible)
        entry.take("type")
        yield from flat(entry, notes, group)
        group.note_unread(values, notes)


def offset_px(entry: Fields, name: str) -> float:
    """Take how far a layer is shifted."""
    value = entry.number(name, 0)
    if abs(value) > MAX_OFFSET_PX:
        raise entry.error(f"must be at most {MAX_OFFSET_PX:.0f} pixels, got {value:.4g}", name)
    return value


def added(first: int | None, second: int | None) -> int | None:
    """Add two levels, either of which may not be told."""
    return first if second is None else second + (first or 0)
