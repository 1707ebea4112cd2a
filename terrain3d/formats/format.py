"""What readers and writers of map files share: options, results, and notes on losses."""

import struct
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import counted, quoted
from terrain3d.core.files import MapFileError
from terrain3d.grid.kinds import (
    PROPS,
    TEXTURES,
    TileKind,
    Unregistered,
    name_in_file,
    water_in_file,
)
from terrain3d.map.heights import HeightRules, ground_of_heights
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import DEFAULT_STEP_HEIGHT, MapParts, TileMap

MAX_SAMPLES_PER_TILE = 2
"""A grid may have this many times the samples that a map may have tiles."""


def max_file_bytes(max_surfaces: int) -> int:
    """Return the size limit of a file with a map of at most `max_surfaces` tiles."""
    return 2**24 + 8 * max_surfaces


class MapFile(NamedTuple):
    """A map that was read from a file.

    Parameters
    ----------
    tilemap : TileMap
    notes : sequence of str
        Parts of the file that a map cannot hold, and rules applied in reading; one line each.
    format : str
        Name of the file's format.
    """

    tilemap: TileMap
    notes: tuple[str, ...] = ()
    format: str = ""


class FileContent(NamedTuple):
    """The files to write for a map.

    Parameters
    ----------
    data : bytes
        Content of the map's file.
    notes : sequence of str
        Parts of the map that the format cannot hold, one line each.
    other_files : mapping of str to bytes
        Content of further files that the map refers to, by name; they lie in the same folder.
    """

    data: bytes
    notes: tuple[str, ...] = ()
    other_files: Mapping[str, bytes] = MappingProxyType({})


class ReadOptions(NamedTuple):
    """Options for reading a map file, for what its format does not store.

    `topology` is for formats that store none; `max_surfaces` is the most tiles, on all decks
    together. References are relative to `folder`, that of the file, and may lead to any file in
    `root` or below; in `folder` if no root is given. The map is of the class `map_type`.
    """

    topology: str = "square"
    max_surfaces: int = MAX_SURFACES
    heights: HeightRules | None = None
    folder: Path = Path()
    root: Path | None = None
    map_type: type[TileMap] = TileMap

    def build(
        self,
        level: NDArray[np.integer],
        kind: NDArray[np.integer],
        kinds: Sequence[TileKind],
        notes: Sequence[str] = (),
        step_height: float = DEFAULT_STEP_HEIGHT,
        topology: str = "",
        **parts: Any,  # noqa: ANN401 - of the types of `MapParts`
    ) -> MapFile:
        """Make the map of a file, with `MapParts`; `MapFileError` if they do not make a map."""
        try:
            tilemap = self.map_type(level, kind, kinds, step_height, topology or self.topology)
            tilemap._add(MapParts(**parts))
        except (TypeError, ValueError, IndexError) as error:
            raise MapFileError(str(error)) from None
        return MapFile(tilemap, (*notes, *_missing(tilemap.kinds)))

    def build_from_heights(
        self,
        heights: NDArray[np.float64],
        notes: Sequence[str] = (),
        *,
        may_hold_levels: bool = False,
    ) -> MapFile:
        """Make the map of (rows, cols) heights by the rules; see `ground_of_heights`."""
        rules = self.heights or HeightRules()
        level, kind, kinds, own_notes = ground_of_heights(
            heights, rules, self.max_surfaces, may_hold_levels=may_hold_levels
        )
        all_notes = (*own_notes, *notes)
        return self.build(level, kind, kinds, all_notes, step_height=rules.step_height)


def kind_fields(kind: TileKind) -> dict[str, Any]:
    """Return the fields of a kind as JSON holds them; glow and water only if it has them."""
    values = {field.name: getattr(kind, field.name) for field in fields(kind)}
    if kind.water is not None:
        values["water"] = {
            name: value for name, value in vars(kind.water).items() if name != "color"
        }
    return {name: value for name, value in values.items() if value or name not in ("glow", "water")}


def kind_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a kind in a file as `TileKind` takes them.

    The name of a texture or of props may be one that is not registered.
    """
    tables: dict[str, Mapping[str, object]] = {"texture": TEXTURES, "props": PROPS}
    values = dict(given)
    for name in values.keys() & tables.keys():
        values[name] = name_in_file(values[name], tables[name])
    if "water" in values:
        values["water"] = water_in_file(values["water"])
    return values


def _missing(kinds: Sequence[TileKind]) -> list[str]:
    """Return a note for each name of a texture or of props that is not registered."""
    return [
        f"drawn plain: {what} {quoted(name)} of {quoted(kind.name)} is not registered"
        for kind in kinds
        for what, name in (("texture", kind.texture), ("props", kind.props))
        if isinstance(name, Unregistered)
    ]


MODEL_NOTE = "left out: all but the geometry and colors; a model cannot be read back as a map"
"""The note on every model that is written."""


def loss_notes(tilemap: TileMap, holds: Collection[str] = ()) -> list[str]:
    """Return a note for each part of a map that a format leaves out; kinds are up to the format.

    `holds` names the parts that the format holds, any of "levels", "decks", "links", "walls",
    "topology", "step_height" and "extras".
    """
    level = np.where(tilemap.void, 0, tilemap.level)
    step_height, topology = tilemap.step_height, tilemap.topology
    sizes = {"deck": len(tilemap.decks), "link": len(tilemap.links), "wall": len(tilemap.walls)}
    parts = {
        "levels": f"levels up to {level.max()}: all tiles become level 0" if level.any() else "",
        **{f"{noun}s": counted(size, noun) for noun, size in sizes.items() if size},
        "topology": f"topology {topology!r}" * (topology != "square"),
        "step_height": f"step height {step_height}" * (step_height != DEFAULT_STEP_HEIGHT),
        "extras": ", ".join(tilemap.extras),
    }
    if "extras" not in holds and tilemap.unknown_fields:
        parts["unknown fields"] = "fields that this program does not know"
    return [f"left out: {part}" for name, part in parts.items() if part and name not in holds]


def level_grid_notes(tilemap: TileMap) -> tuple[str, ...]:
    """Return the notes for a format that holds a grid of levels and nothing else."""
    kinds = "left out: kinds of ground; reading chooses kinds by height"
    return (kinds, *loss_notes(tilemap, ("levels",)))


def png(pixels: NDArray[np.uint8], palette: bytes = b"") -> bytes:
    """Return a PNG file of (height, width, 3) colors, or of (height, width) entries of a palette.

    A palette has four bytes for each color: alpha, red, green, blue. See
    https://www.w3.org/TR/png-3/.
    """
    high, wide = pixels.shape[:2]
    rows = np.pad(pixels.reshape(high, -1), ((0, 0), (1, 0))).tobytes()  # each row without a filter
    head = struct.pack(">IIBBBBB", wide, high, 8, 3 if palette else 2, 0, 0, 0)
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 4)
    tables = (b"PLTE", colors[:, 1:].tobytes()), (b"tRNS", colors[:, 0].tobytes())
    data = (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in ((b"IHDR", head), *(tables if palette else ()), *data)
    )


def kinds_in_use(tilemap: TileMap) -> list[int]:
    """Return the indices of the kinds of all ground tiles, void included."""
    used: list[int] = np.unique(tilemap.kind).tolist()
    return used
