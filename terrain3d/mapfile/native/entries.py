"""Kinds, decks, links and walls as entries of a `.tmap` file, one object for each.

Fields of an entry that this program does not know are kept, and written with it again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields as dataclass_fields

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import VOID, TileKind, kind_table
from terrain3d.grid.links import Link, Wall
from terrain3d.mapfile.native import layers
from terrain3d.mapfile.native.fields import Fields
from terrain3d.mapfile.record import DECK, DECK_FIELDS, Entry, Extras, Json, Kept
from terrain3d.mapfile.text import VOID_SIGN

MAX_DRAWN_DECKS = 4096
"""More decks than these are packed."""

_PACKED_DECK = np.dtype(
    list(zip(DECK_FIELDS, ("<u4", "<u4", "u1", "<u2", "u1", "<u2"), strict=True))
)
_LARGEST = 2**16 - 1
_SIGNS = [chr(code) for code in range(ord("!"), ord("~") + 1) if chr(code) not in '"\\']
_KIND_FIELDS = [field.name for field in dataclass_fields(TileKind)]


def signs_of(kinds: Iterable[TileKind]) -> list[str]:
    """Choose a sign for each kind: a letter of its name if one is free, "" if none is."""
    free = [sign for sign in _SIGNS if sign != VOID_SIGN]
    chosen = []
    for kind in kinds:
        wanted = (*kind.name.lower(), *kind.name.upper(), *free)
        sign = next((sign for sign in wanted if sign in free), "")
        if kind.name == VOID.name:
            sign = VOID_SIGN
        elif sign:
            free.remove(sign)
        chosen.append(sign)
    return chosen


def render_kinds(kinds: Sequence[TileKind], signs: Sequence[str], kept: Kept) -> Json:
    """Write a table of kinds, each with its sign."""
    entries = []
    for kind, sign in zip(kinds, signs, strict=True):
        told = {name: _plain(getattr(kind, name)) for name in _KIND_FIELDS}
        shown = {"sign": sign} if sign else {}
        entries.append({"name": kind.name, **shown, **told, **kept.get(("kinds", kind.name), {})})
    return entries


def parse_kinds(top: Fields, kept: Kept) -> tuple[tuple[TileKind, ...], list[str]]:
    """Read a table of kinds and the sign of each."""
    kinds, signs = [], []
    for entry in top.objects("kinds"):
        sign = entry.text("sign", "")
        if sign and (sign not in _SIGNS or sign in signs):
            raise entry.error(f"must be a letter or the like of its own, got {sign!r}", "sign")
        known: Extras = {"name": entry.text("name")}
        known |= {name: entry.take(name) for name in _KIND_FIELDS if name in entry.left}
        try:
            kind = TileKind(**{name: _frozen(value) for name, value in known.items()})
        except (TypeError, ValueError) as error:
            raise entry.error(str(error)) from None
        _keep(kept, ("kinds", kind.name), entry)
        kinds.append(kind)
        signs.append(sign)
    try:
        return kind_table(kinds), signs
    except ValueError as error:
        raise top.error(str(error), "kinds") from None


def render_decks(decks: NDArray[np.void], kinds: Sequence[TileKind], kept: Kept) -> Json:
    """Write decks, one a line or packed."""
    if len(decks) > MAX_DRAWN_DECKS:
        return {"count": len(decks)} | layers.pack(decks.astype(_PACKED_DECK))
    entries = []
    for row, col, deck, level, kind, thickness in decks.tolist():
        told = {"level": level, "kind": kinds[kind].name, "thickness": thickness}
        cell = Cell(row, col, deck)
        entries.append({"cell": cell, **told, **kept.get(("decks", cell), {})})
    return entries


def parse_decks(
    top: Fields, kinds: Sequence[TileKind], shape: tuple[int, int], max_count: int, kept: Kept
) -> NDArray[np.void]:
    """Read decks in whatever way they are written; what lies where is not checked yet."""
    if isinstance(top.left.get("decks"), dict):
        packed = Fields(top.take("decks"), "decks", top.source)
        count = packed.whole("count", 0, max_count)
        try:
            return layers.unpack(packed.left, _PACKED_DECK, count).astype(DECK)
        except ValueError as error:
            raise packed.error(str(error)) from None
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
        _keep(kept, ("decks", cell), entry)
    return np.array(decks, DECK)


def render_pairs(pairs: Sequence[Link | Wall], name: str, kept: Kept) -> Json:
    """Write links or walls."""
    entries = []
    for pair in pairs:
        told = {name: _plain(value) for name, value in vars(pair).items()}
        entries.append({**told, **kept.get((name, (pair.start, pair.end)), {})})
    return entries


def parse_links(top: Fields, kept: Kept) -> list[Link]:
    """Read links; whether their ends are there is not checked yet."""
    links = []
    for entry in top.objects("links", []):
        start, end, is_one_way = _ends(entry)
        cost, kind = entry.number("cost"), entry.text("kind", "link")
        try:
            links.append(Link(start, end, cost, kind, is_one_way))
        except ValueError as error:
            raise entry.error(str(error)) from None
        _keep(kept, ("links", (start, end)), entry)
    return links


def parse_walls(top: Fields, kept: Kept) -> list[Wall]:
    """Read walls; whether their ends are there is not checked yet."""
    walls = []
    for entry in top.objects("walls", []):
        wall = Wall(*_ends(entry))
        walls.append(wall)
        _keep(kept, ("walls", (wall.start, wall.end)), entry)
    return walls


def _ends(entry: Fields) -> tuple[Cell, Cell, bool]:
    return entry.cell("start"), entry.cell("end"), entry.flag("one_way", default=False)


def _keep(kept: Kept, which: Entry, entry: Fields) -> None:
    if entry.left:
        kept[which] = entry.left


def _plain(value: object) -> Json:
    """Give what JSON can tell of a field's value."""
    match value:
        case np.generic():
            return value.item()
        case set() | frozenset():
            return sorted(value)
        case list() | tuple() | np.ndarray():
            return [_plain(part) for part in value]
    return value


def _frozen(value: Json) -> Json:
    """Give a field's value as a kind takes it; `TypeError` for an object, which no field is."""
    if isinstance(value, dict):
        raise TypeError(f"a field of a kind is no object, got one of {len(value)}")
    return tuple(value) if isinstance(value, list) else value
