"""Read and write the native format, `.tmap`: JSON that holds all of a map; see docs/formats.md.

Small layers are drawn, a character for each tile, so that people can read them and compare versions
line by line. Layers of more than MAX_DRAWN_TILES tiles are packed. Kinds, decks, links and walls
are objects. Further fields of links and walls are their extras; those of kinds and decks are stored
and written again with them.
"""

import base64
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import fields as dataclass_fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.core.checks import is_whole, quoted, with_whole_numbers
from terrain3d.core.files import MapFileError, check_tile_count, unpack
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields
from terrain3d.formats.registry import SourceFile
from terrain3d.grid.grid import TOPOLOGIES, Cell
from terrain3d.grid.kinds import VOID, TileKind, kind_fields, kind_table, kind_values
from terrain3d.grid.links import Link, Wall, field_names
from terrain3d.map.surfaces import DECK, DECK_FIELDS
from terrain3d.map.text_picture import DIGITS, VOID_CHARACTER
from terrain3d.map.tilemap import Entry, Extras, Json, TileMap, UnknownFields

MAX_DRAWN_TILES = 128 * 128

_UNKNOWN = -1
_ZLIB_LEVEL = 4  # files are 5 % larger than with the default 6, in a quarter of the time


def write_layer(values: NDArray[np.integer], signs: Sequence[str], dtype: DTypeLike) -> Json:
    """Return a layer of (rows, cols) whole numbers as JSON; packed values have the type `dtype`.

    `signs` are the signs of the values, "" for a value without one.
    """
    if values.size > MAX_DRAWN_TILES:
        return pack(values.astype(dtype))
    used = np.unique(values)
    if used[-1] >= len(signs) or not all(signs[value] for value in used):
        return values.tolist()
    return ["".join(signs[value] for value in row) for row in values.tolist()]


def read_layer(
    value: Json, shape: tuple[int, int], signs: Sequence[str], dtype: DTypeLike
) -> NDArray[np.integer]:
    """Return the values of a layer, drawn, listed or packed; `ValueError` if it is none."""
    if isinstance(value, dict):
        packed: NDArray[np.integer] = read_packed(value, dtype, shape[0] * shape[1])
        return packed.reshape(shape)
    rows, cols = shape
    if not isinstance(value, list):
        raise ValueError("must be a list of rows or packed")
    if len(value) != rows:
        raise ValueError(f"has {len(value)} rows, the map has {rows}")
    for number, row in enumerate(value):
        if not isinstance(row, type(value[0])) or not isinstance(row, list | str):
            raise ValueError(f"row {number} must be text or a list, like the first row")
        if len(row) != cols:
            raise ValueError(f"row {number} has {len(row)} tiles, the map has {cols} columns")
    if isinstance(value[0], str):
        return _from_signs("".join(value), cols, signs).reshape(shape)
    return _from_numbers(value)


def _from_signs(text: str, cols: int, signs: Sequence[str]) -> NDArray[np.integer]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    values = np.full(128, _UNKNOWN)
    values[[ord(sign) for sign in signs if sign]] = [i for i, sign in enumerate(signs) if sign]
    found: NDArray[np.integer] = values[np.minimum(codes, 127)]  # 127 is not a sign
    wrong = np.flatnonzero(found == _UNKNOWN)
    if wrong.size:
        row, col = divmod(int(wrong[0]), cols)
        shown = repr(text[wrong[0]])
        raise ValueError(f"row {row}, tile {col + 1} is {shown}, which is not a known sign")
    return found


def _from_numbers(rows: list[list[Json]]) -> NDArray[np.integer]:
    limit = np.iinfo(np.int32).max
    for number, row in enumerate(rows):
        for value in row:
            if not is_whole(value) or not 0 <= value <= limit:
                raise ValueError(f"row {number} must hold whole numbers in 0..{limit}")
    return np.array(rows, np.int32)


def pack(values: NDArray[np.generic]) -> Json:
    """Return an array's bytes, compressed, as JSON."""
    return {"zlib": base64.b64encode(zlib.compress(values.tobytes(), _ZLIB_LEVEL)).decode("ascii")}


def read_packed(value: Json, dtype: DTypeLike, count: int) -> NDArray[Any]:
    """Return a packed array of `count` values; `ValueError` if it is none."""
    if not isinstance(value, dict) or set(value) != {"zlib"} or not isinstance(value["zlib"], str):
        raise ValueError('a packed array must be {"zlib": text}')
    return unpack(value["zlib"], dtype, count)


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
        values = {**kind_fields(kind), "tags": sorted(kind.tags)}
        drawn, others = {"sign": sign} if sign else {}, unknown.get(("kinds", kind.name), {})
        entries.append({"name": kind.name, **drawn, **json_text.plain(values), **others})
    return entries


def read_kinds(top: Fields, unknown: UnknownFields) -> tuple[tuple[TileKind, ...], list[str]]:
    """Return the table of kinds and the sign of each."""
    kinds, signs = [], []
    for entry in top.objects("kinds"):
        sign = entry.text("sign", "")
        if sign and (sign not in _SIGNS or sign in signs):
            problem = f"must be one ASCII character that no other kind has, got {quoted(sign)}"
            raise entry.error(problem, "sign")
        known: Extras = {"name": entry.text("name")}
        known |= {name: entry.take(name) for name in _KIND_FIELDS if name in entry.given}
        known |= {"depth": with_whole_numbers(known["depth"])} if "depth" in known else {}
        with entry.naming():
            known = {name: _frozen(value) for name, value in kind_values(known).items()}
            kind = TileKind(**known)
        _keep_unread(unknown, ("kinds", kind.name), entry)
        kinds.append(kind)
        signs.append(sign)
    with top.naming("kinds"):
        return kind_table(kinds), signs


def write_decks(decks: NDArray[np.void], kinds: Sequence[TileKind], unknown: UnknownFields) -> Json:
    """Return decks as JSON, one object each or packed."""
    if len(decks) > MAX_DRAWN_DECKS:
        return {"count": len(decks)} | pack(decks.astype(_PACKED_DECK))
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
    if isinstance(top.given.get("decks"), dict):
        packed = Fields(top.take("decks"), "decks", top.source)
        count = packed.whole("count", 0, max_count)
        with packed.naming():
            return read_packed(packed.unread, _PACKED_DECK, count).astype(DECK)
    numbers = {kind.name: number for number, kind in enumerate(kinds)}
    decks = []
    for entry in top.objects("decks", []):
        cell = entry.cell("cell")
        name = entry.text("kind")
        if name not in numbers:
            raise entry.error(f"unknown kind {quoted(name)}", "kind")
        if not all(0 <= part < size for part, size in zip(cell, (*shape, 256), strict=True)):
            raise entry.error(f"{cell} is outside the map", "cell")
        level = entry.whole("level", 0, _LARGEST)
        decks.append((*cell, level, numbers[name], entry.whole("thickness", 0, _LARGEST)))
        _keep_unread(unknown, ("decks", cell), entry)
    return np.array(decks, DECK)


_Pair = TypeVar("_Pair", Link, Wall)


def write_pairs(pairs: Sequence[Link | Wall]) -> Json:
    """Return links or walls as JSON, with their extras as further fields."""
    entries = []
    for pair in pairs:
        values = {name: getattr(pair, name) for name in field_names(type(pair))}
        entries.append(json_text.plain({**values, **pair.extras}))
    return entries


def read_pairs(top: Fields, name: str, pair_type: type[_Pair]) -> list[_Pair]:
    """Return links or walls; whether their ends exist is not checked yet."""
    pairs = []
    for entry in top.objects(name, []):
        values: Extras = {"start": entry.cell("start"), "end": entry.cell("end")}
        values["one_way"] = entry.flag("one_way", default=False)
        if pair_type is Link:
            values |= {"cost": entry.number("cost"), "kind": entry.text("kind", "link")}
        with entry.naming():
            pairs.append(pair_type(**values, extras=entry.unread))
    return pairs


def _keep_unread(unknown: UnknownFields, key: Entry, entry: Fields) -> None:
    if entry.unread:
        unknown[key] = entry.unread


def _frozen(value: Json) -> Json:
    """Return a field's value as `TileKind` takes it; `TypeError` for an object."""
    if isinstance(value, dict):
        raise TypeError(f"a field of a kind must not be an object, got one of {len(value)}")
    return tuple(value) if isinstance(value, list) else value


FORMAT = "terrain3d map"
VERSION = 1
_LEVEL, _KIND = "<u2", "u1"
_FIELD_NAMES = (
    *("format", "version", "rows", "cols", "topology", "step_height", "kinds"),
    *("level", "kind", "decks", "links", "walls"),
)


def read(data: bytes, file: SourceFile) -> TileMap:
    """Read a map from the bytes of a file."""
    max_surfaces = file.max_surfaces
    top = Fields(json_text.parse(data, 2**18 + max_surfaces // 4))
    _check_version(top)
    rows, cols = top.whole("rows", 1, max_surfaces), top.whole("cols", 1, max_surfaces)
    check_tile_count(rows * cols, max_surfaces, "rows")
    topology = top.one_of("topology", TOPOLOGIES, "square")
    unknown: UnknownFields = {}
    kinds, signs = read_kinds(top, unknown)
    decks = read_decks(top, kinds, (rows, cols), max_surfaces, unknown)
    n_decks = int(decks["deck"].max(initial=0))
    check_tile_count((n_decks + 1) * rows * cols, max_surfaces, "decks")
    return file.build(
        level=_layer(top, "level", (rows, cols), DIGITS, _LEVEL),
        kind=_layer(top, "kind", (rows, cols), signs, _KIND),
        kinds=kinds,
        step_height=top.number("step_height"),
        topology=topology,
        decks=decks,
        links=tuple(read_pairs(top, "links", Link)),
        walls=tuple(read_pairs(top, "walls", Wall)),
        extras=top.unread,
        unknown_fields=unknown,
    )


def write(tilemap: TileMap, _path: Path) -> bytes:
    """Write all of a map; refuse extras that have the name of a field or are not JSON-like."""
    extras = json_text.plain(tilemap.extras)
    for name in extras:
        if name in _FIELD_NAMES:
            raise ValueError(f"extras must not have the name of a field of the map, got {name!r}")
    signs, unknown = signs_of(tilemap.kinds), tilemap.unknown_fields
    rows, cols = tilemap.level.shape
    fields: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "rows": rows,
        "cols": cols,
        "topology": tilemap.topology,
        "step_height": tilemap.step_height,
        "kinds": write_kinds(tilemap.kinds, signs, unknown),
        "level": write_layer(tilemap.level, DIGITS, _LEVEL),
        "kind": write_layer(tilemap.kind, signs, _KIND),
        "decks": write_decks(tilemap.decks, tilemap.kinds, unknown),
        "links": write_pairs(tilemap.links),
        "walls": write_pairs(tilemap.walls),
    }
    return json_text.serialize(fields | extras)


def _check_version(top: Fields) -> None:
    if top.take("format", "") != FORMAT:
        raise MapFileError(f'is not a map: "format" must be "{FORMAT}"')
    version = top.whole("version", 1, 2**31)
    if version > VERSION:
        raise top.error(f"is {version}, this program reads up to {VERSION}", "version")


def _layer(
    top: Fields, name: str, shape: tuple[int, int], signs: Sequence[str], dtype: DTypeLike
) -> NDArray[np.integer]:
    with top.naming(name):
        return read_layer(top.take(name), shape, signs, dtype)
