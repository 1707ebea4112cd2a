"""The native format, `.tmap`: JSON that holds all of a map; docs/tmap.md describes it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from terrain3d.core.errors import MapFileError
from terrain3d.grid.topology import TOPOLOGIES
from terrain3d.mapfile.native import entries, json_text, layers
from terrain3d.mapfile.native.fields import Fields
from terrain3d.mapfile.record import Extras, Json, Kept, MapRecord
from terrain3d.mapfile.text import DIGITS

FORMAT = "terrain3d map"
VERSION = 1
SUFFIX = ".tmap"

MAX_SURFACES = 2**23
"""The most tiles, on all decks together, that a file may make unless a caller allows more."""

UPGRADES: Mapping[int, Callable[[Extras], Extras]] = {}
"""For each version before VERSION, what makes fields of the next version of its fields."""

_LEVEL, _KIND = "<u2", "u1"
_OWN_NAMES = (
    *("format", "version", "rows", "cols", "topology", "step_height", "kinds"),
    *("level", "kind", "decks", "links", "walls"),
)


def max_bytes(max_surfaces: int) -> int:
    """Give how large a file of a map of at most so many surfaces may be."""
    return 2**24 + 8 * max_surfaces


def parse(data: bytes, source: str = "", max_surfaces: int = MAX_SURFACES) -> MapRecord:
    """Read what a `.tmap` file holds.

    Parameters
    ----------
    data : bytes
    source : str
        Name of the file, for the text of errors.
    max_surfaces : int
        The most tiles, on all decks together; more are refused before any is made.

    Raises
    ------
    MapFileError
        It is no map, or too large.
    """
    everything = json_text.parse(data, 2**18 + max_surfaces // 4, source)
    top = Fields(_upgraded(everything, source), "", source)
    rows, cols = top.whole("rows", 1, max_surfaces), top.whole("cols", 1, max_surfaces)
    _refuse_many(top, "rows", rows * cols, max_surfaces)
    topology = top.text("topology", "square")
    if topology not in TOPOLOGIES:
        raise top.error(f"must be one of {', '.join(TOPOLOGIES)}, got {topology!r}", "topology")
    kept: Kept = {}
    kinds, signs = entries.parse_kinds(top, kept)
    decks = entries.parse_decks(top, kinds, (rows, cols), max_surfaces, kept)
    n_decks = int(decks["deck"].max(initial=0))
    _refuse_many(top, "decks", (n_decks + 1) * rows * cols, max_surfaces)
    return MapRecord(
        level=_layer(top, "level", (rows, cols), DIGITS, _LEVEL),
        kind=_layer(top, "kind", (rows, cols), signs, _KIND),
        kinds=kinds,
        step_height=top.number("step_height"),
        topology=topology,
        decks=decks,
        links=tuple(entries.parse_links(top, kept)),
        walls=tuple(entries.parse_walls(top, kept)),
        extras=top.left,
        kept=kept,
    )


def render(record: MapRecord) -> bytes:
    """Write a map as a `.tmap` file holds it.

    Raises
    ------
    TypeError, ValueError
        An extra has the name of a field of the map, or is not JSON-like.
    """
    for name in record.extras:
        if name in _OWN_NAMES:
            raise ValueError(f"extras must not be named as a field of the map, got {name!r}")
    signs, kept = entries.signs_of(record.kinds), record.kept
    rows, cols = record.level.shape
    fields: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "rows": rows,
        "cols": cols,
        "topology": record.topology,
        "step_height": record.step_height,
        "kinds": entries.render_kinds(record.kinds, signs, kept),
        "level": layers.render(record.level, DIGITS, _LEVEL),
        "kind": layers.render(record.kind, signs, _KIND),
        "decks": entries.render_decks(record.decks, record.kinds, kept),
        "links": entries.render_pairs(record.links, "links", kept),
        "walls": entries.render_pairs(record.walls, "walls", kept),
    }
    return json_text.render(fields | record.extras)


def _upgraded(everything: Json, source: str) -> Extras:
    """Check what it is, and make a map of this version of an older one."""
    top = Fields(everything, "", source)
    if top.take("format", "") != FORMAT:
        raise MapFileError(f'is no map: "format" must be "{FORMAT}"', source=source)
    version = top.whole("version", 1, 2**31)
    if version > VERSION:
        raise top.error(f"is {version}, this program reads up to {VERSION}", "version")
    fields = top.left
    for number in range(version, VERSION):
        fields = UPGRADES[number](fields)
    return fields


def _refuse_many(top: Fields, name: str, count: int, limit: int) -> None:
    if count > limit:
        raise top.error(f"make {count} surfaces; the limit, max_surfaces, is {limit}", name)


def _layer(
    top: Fields, name: str, shape: tuple[int, int], signs: Sequence[str], dtype: DTypeLike
) -> NDArray[np.integer]:
    value = top.take(name)
    try:
        return layers.parse(value, shape, signs, dtype)
    except ValueError as error:
        raise top.error(str(error), name) from None
