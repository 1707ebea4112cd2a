"""Read and write the kinds, decks, links and walls of a `.tmap` file, one object for each.

Fields of an entry that this program does not know are stored, and written again with the entry.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields as dataclass_fields

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import VOID, TileKind, kind_table
from terrain3d.grid.links import Link, Wall
from terrain3d.mapfile import json_text
from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.native import layers
from terrain3d.mapfile.record import DECK, DECK_FIELDS, Entry, Extras, Json, UnknownFields
from terrain3d.mapfile.text_picture import VOID_CHARACTER

MAX_DRAWN_DECKS = 4096
"""A longer list of decks is packed."""

_PACKED_DECK = np.dtype(
    list(zip(DECK_FIELDS, ("<u4", "<u4", "u1", "<u2", "u1", "<u2"), strict=True))
)
_LARGEST = 2**16 - 1
_SIGNS = [chr(code) for code in range(ord("!"), ord("~") + 1) if chr(code) not in '"\\']
_KIND_FIELDS = [field.name for field in dataclass_fields(TileKind)]


def signs_of(kinds: Iterable[TileKind]) -> list[str]:
    """Return a sign for each kind: a letter of its name if one is free, "" if no sign is left."""
    free = [sign for sign in _SIGNS if sign != VOID_CHARACTER]
    chosen = []
    for kind in kinds:
        wanted = (*kind.name.lower(), *kind.name.upper(), *free)
        sign = next((sign for sign in wanted if sign in free), "")
        if kind.name == VOID.name:
            sign = VOID_CHARACTER
        elif sign:
            free.remove(sign)
        chosen.append(sign)
    return chosen


def write_kinds(kinds: Sequence[TileKind], signs: Sequence[str], unknown: UnknownFields) -> Json:
    """Return a table of kinds as JSON, each with its sign."""
    entries = []
    for kind, sign in zip(kinds, signs, strict=True):
        values = {name: getattr(kind, name) for name in _KIND_FIELDS}
        values["tags"] = sorted(kind.tags)
        drawn, others = {"sign": sign} if sign else {}, unknown.get(("kinds", kind.name), {})
        entries.append({"name": kind.name, **drawn, **json_text.plain(values), **others})
    return entries


def read_kinds(top: Fields, unknown: UnknownFields) -> tuple[tuple[TileKind, ...], list[str]]:
    """Return the table of kinds and the sign of each."""
    kinds, signs = [], []
    for entry in top.objects("kinds"):
        sign = entry.text("sign", "")
        if sign and (sign not in _SIGNS or sign in signs):
            problem = f"must be one ASCII character that no other kind has, got {sign!r}"
            raise entry.error(problem, "sign")
        known: Extras = {"name": entry.text("name")}
        known |= {name: entry.take(name) for name in _KIND_FIELDS if name in entry.unread}
        with entry.naming():
            kind = TileKind(**{name: _frozen(value) for name, value in known.items()})
        _keep_unread(unknown, ("kinds", kind.name), entry)
        kinds.append(kind)
        signs.append(sign)
    with top.naming("kinds"):
        return kind_table(kinds), signs


def write_decks(decks: NDArray[np.void], kinds: Sequence[TileKind], unknown: UnknownFields) -> Json:
    """Return decks as JSON, one object each or packed."""
    if len(decks) > MAX_DRAWN_DECKS:
        return {"count": len(decks)} | layers.pack(decks.astype(_PACKED_DECK))
    entries = []
    for row, col, deck, level, kind, thickness in decks.tolist():
        values = {"level": level, "kind": kinds[kind].name, "thickness": thickness}
        cell = Cell(row, col, deck)
        entries.append({"cell": cell, **values, **unknown.get(("decks", cell), {})})
    return entries


def read_decks(
    top: Fields,
    kinds: Sequence[TileKind],
    shape: tuple[int, int],
    max_count: int,
    unknown: UnknownFields,
) -> NDArray[np.void]:
    """Return decks, packed or not; whether surfaces overlap is not checked yet."""
    if isinstance(top.unread.get("decks"), dict):
        packed = Fields(top.take("decks"), "decks", top.source)
        count = packed.whole("count", 0, max_count)
        with packed.naming():
            return layers.unpack(packed.unread, _PACKED_DECK, count).astype(DECK)
    numbers = {kind.name: number for number, kind in enumerate(kinds)}
    decks = []
    for entry in top.objects("decks", []):
        cell = entry.cell("cell")
        name = entry.text("kind")
        if name not in numbers:
            raise entry.error(f"unknown kind {name!r}", "kind")
        if not all(0 <= part < size for part, size in zip(cell, (*shape, 256), strict=True)):
            raise entry.error(f"{cell} is outside the map", "cell")
        level = entry.whole("level", 0, _LARGEST)
        decks.append((*cell, level, numbers[name], entry.whole("thickness", 0, _LARGEST)))
        _keep_unread(unknown, ("decks", cell), entry)
    return np.array(decks, DECK)


def write_pairs(pairs: Sequence[Link | Wall], name: str, unknown: UnknownFields) -> Json:
    """Return links or walls as JSON."""
    entries = []
    for pair in pairs:
        others = unknown.get((name, (pair.start, pair.end)), {})
        entries.append({**json_text.plain(vars(pair)), **others})
    return entries


def read_links(top: Fields, unknown: UnknownFields) -> list[Link]:
    """Return links; whether their ends exist is not checked yet."""
    links = []
    for entry in top.objects("links", []):
        start, end, is_one_way = _ends(entry)
        cost, kind = entry.number("cost"), entry.text("kind", "link")
        with entry.naming():
            links.append(Link(start, end, cost, kind, is_one_way))
        _keep_unread(unknown, ("links", (start, end)), entry)
    return links


def read_walls(top: Fields, unknown: UnknownFields) -> list[Wall]:
    """Return walls; whether their ends exist is not checked yet."""
    walls = []
    for entry in top.objects("walls", []):
        wall = Wall(*_ends(entry))
        walls.append(wall)
        _keep_unread(unknown, ("walls", (wall.start, wall.end)), entry)
    return walls


def _ends(entry: Fields) -> tuple[Cell, Cell, bool]:
    return entry.cell("start"), entry.cell("end"), entry.flag("one_way", default=False)


def _keep_unread(unknown: UnknownFields, key: Entry, entry: Fields) -> None:
    if entry.unread:
        unknown[key] = entry.unread


def _frozen(value: Json) -> Json:
    """Return a field's value as `TileKind` takes it; `TypeError` for an object."""
    if isinstance(value, dict):
        raise TypeError(f"a field of a kind must not be an object, got one of {len(value)}")
    return tuple(value) if isinstance(value, list) else value
