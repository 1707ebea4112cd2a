"""Read and write the native format, `.tmap`: JSON that holds all of a map; see docs/tmap.md."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.core.errors import MapFileError
from terrain3d.grid.hexgrid import TOPOLOGIES
from terrain3d.mapfile import json_text
from terrain3d.mapfile.json_fields import Fields
from terrain3d.mapfile.native import entries, layers
from terrain3d.mapfile.read_options import ReadOptions
from terrain3d.mapfile.record import Extras, FileContent, Json, MapRecord, UnknownFields
from terrain3d.mapfile.text_picture import DIGITS

FORMAT = "terrain3d map"
VERSION = 1
UPGRADES: Mapping[int, Callable[[Extras], Extras]] = {}
"""For each version before VERSION, a function that turns its fields into those of the next."""

_DEFAULT = ReadOptions()
_LEVEL, _KIND = "<u2", "u1"
_FIELD_NAMES = (
    *("format", "version", "rows", "cols", "topology", "step_height", "kinds"),
    *("level", "kind", "decks", "links", "walls"),
)


def read(data: bytes, options: ReadOptions = _DEFAULT) -> MapRecord:
    """Read a map from the bytes of a file."""
    max_surfaces = options.max_surfaces
    top = Fields(_upgraded(json_text.parse(data, 2**18 + max_surfaces // 4)))
    rows, cols = top.whole("rows", 1, max_surfaces), top.whole("cols", 1, max_surfaces)
    _check_surfaces(top, "rows", rows * cols, max_surfaces)
    topology = top.text("topology", "square")
    if topology not in TOPOLOGIES:
        raise top.error(f"must be one of {', '.join(TOPOLOGIES)}, got {topology!r}", "topology")
    unknown: UnknownFields = {}
    kinds, signs = entries.read_kinds(top, unknown)
    decks = entries.read_decks(top, kinds, (rows, cols), max_surfaces, unknown)
    n_decks = int(decks["deck"].max(initial=0))
    _check_surfaces(top, "decks", (n_decks + 1) * rows * cols, max_surfaces)
    return MapRecord(
        level=_layer(top, "level", (rows, cols), DIGITS, _LEVEL),
        kind=_layer(top, "kind", (rows, cols), signs, _KIND),
        kinds=kinds,
        step_height=top.number("step_height"),
        topology=topology,
        decks=decks,
        links=tuple(entries.read_links(top, unknown)),
        walls=tuple(entries.read_walls(top, unknown)),
        extras=top.unread,
        unknown_fields=unknown,
    )


def write(record: MapRecord) -> FileContent:
    """Write all of a map; refuse extras that have the name of a field or are not JSON-like."""
    for name in record.extras:
        if name in _FIELD_NAMES:
            raise ValueError(f"extras must not have the name of a field of the map, got {name!r}")
    signs, unknown = entries.signs_of(record.kinds), record.unknown_fields
    rows, cols = record.level.shape
    fields: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "rows": rows,
        "cols": cols,
        "topology": record.topology,
        "step_height": record.step_height,
        "kinds": entries.write_kinds(record.kinds, signs, unknown),
        "level": layers.write_layer(record.level, DIGITS, _LEVEL),
        "kind": layers.write_layer(record.kind, signs, _KIND),
        "decks": entries.write_decks(record.decks, record.kinds, unknown),
        "links": entries.write_pairs(record.links, "links", unknown),
        "walls": entries.write_pairs(record.walls, "walls", unknown),
    }
    return FileContent(json_text.serialize(fields | record.extras))


def _upgraded(parsed: Json) -> Extras:
    """Check format and version, and return the fields in the current version."""
    top = Fields(parsed)
    if top.take("format", "") != FORMAT:
        raise MapFileError(f'is not a map: "format" must be "{FORMAT}"')
    version = top.whole("version", 1, 2**31)
    if version > VERSION:
        raise top.error(f"is {version}, this program reads up to {VERSION}", "version")
    fields = top.unread
    for number in range(version, VERSION):
        fields = UPGRADES[number](fields)
    return fields


def _check_surfaces(top: Fields, name: str, count: int, limit: int) -> None:
    if count > limit:
        raise top.error(f"make {count} surfaces; the limit, max_surfaces, is {limit}", name)


def _layer(
    top: Fields, name: str, shape: tuple[int, int], signs: Sequence[str], dtype: DTypeLike
) -> NDArray[np.integer]:
    with top.naming(name):
        return layers.read_layer(top.take(name), shape, signs, dtype)
