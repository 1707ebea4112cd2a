"""Tile layers laid over each other: the kind and the level of each tile of a deck.

From below to the top, each layer covers what lies under it; only a tile that tells no kind leaves
the kind that a tile under it has told. The level of a tile is that of the topmost of its tiles that
tells one, by a property of its own, by its layer, or both added; a layer of numbers tells levels
whatever the others say.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile.tiled.notes import Notes
from terrain3d.mapfile.tiled.orientation import Frame, Position
from terrain3d.mapfile.tiled.tile_layers import Chunk, TileLayer
from terrain3d.mapfile.tiled.tilesets import Tile, Tilesets

EMPTY = -1

Part = tuple[slice, slice]
Laid = NDArray[np.int32]


@dataclass(frozen=True)
class Surface:
    """One deck as the layers tell it; arrays of the file's shape.

    Parameters
    ----------
    kind : (rows, cols) int
        As indices of kinds, EMPTY where no tile lies.
    level, thickness : (rows, cols) int
    """

    kind: NDArray[np.int32]
    level: NDArray[np.int32]
    thickness: NDArray[np.int32]


KindOf = Mapping[tuple[str, int], int]
"""The index of the kind of a tile, by the kind that its layer tells and its number."""


def compose(
    layers: Iterable[TileLayer], frame: Frame, tilesets: Tilesets, kind_of: KindOf, notes: Notes
) -> Surface:
    """Lay the layers of one deck over each other."""
    shape = frame.shape
    kind, level = np.full(shape, EMPTY, np.int32), np.zeros(shape, np.int32)
    thickness, has_told = np.ones(shape, np.int32), np.zeros(shape, bool)
    numbers: list[tuple[NDArray[np.int32], TileLayer]] = []
    n_covered = 0
    for layer in layers:
        if layer.role != "kind":
            numbers.append((thickness if layer.role == "thickness" else level, layer))
            continue
        for place, part, chunk in _parts(layer.chunks, frame):
            tiles = {gid: tilesets.tile(gid) for gid in chunk.used if gid}

            def laid(values: Mapping[int, int], chunk: Chunk = chunk, part: Part = part) -> Laid:
                return chunk.look_up(values)[part]

            is_filled = chunk.gids[part] != 0
            tells = laid({gid: bool(tile.kind or layer.kind) for gid, tile in tiles.items()}) != 0
            kinds = laid({gid: kind_of[layer.kind, gid] for gid in tiles})
            n_covered += int(np.count_nonzero(is_filled & (kind[place] != EMPTY)))
            covers = is_filled & (tells | ~has_told[place])
            np.copyto(kind[place], kinds, where=covers)
            has_told[place] |= tells
            raises = is_filled
            if layer.level is None:
                raises = laid({gid: tile.level is not None for gid, tile in tiles.items()}) != 0
            base = layer.level or 0
            heights = laid({gid: base + (tile.level or 0) for gid, tile in tiles.items()})
            np.copyto(level[place], heights, where=raises)
    for target, layer in numbers:
        for place, part, chunk in _parts(layer.chunks, frame):
            values = {gid: _number(tilesets.tile(gid)) for gid in chunk.used if gid}
            np.copyto(target[place], chunk.look_up(values)[part], where=chunk.gids[part] != 0)
    if n_covered:
        notes.add(f"of tiles that lie over each other one is kept; tiles so lost: {n_covered}")
    return Surface(kind, level, thickness)


def used_gids(layers: Sequence[TileLayer]) -> set[tuple[str, int]]:
    """List which tiles layers of kinds use, each with the kind its layer tells."""
    return {
        (layer.kind, gid)
        for layer in layers
        if layer.role == "kind"
        for chunk in layer.chunks
        for gid in chunk.used
        if gid
    }


def bounds(layers: Sequence[TileLayer]) -> tuple[Position, tuple[int, int]] | None:
    """Give the first tile and the size of the box around all ground; None where there is none."""
    edges = []
    for layer in layers:
        for chunk in layer.chunks if layer.role == "kind" else ():
            rows, cols = np.nonzero(chunk.gids)
            if rows.size:
                top, left = chunk.first
                edges.append(
                    (rows.min() + top, cols.min() + left, rows.max() + top, cols.max() + left)
                )
    if not edges:
        return None
    table = np.array(edges)
    row, col = (int(value) for value in table[:, :2].min(0))
    last_row, last_col = (int(value) for value in table[:, 2:].max(0))
    return (row, col), (last_row - row + 1, last_col - col + 1)


def _parts(parts: Iterable[Chunk], frame: Frame) -> Iterator[tuple[Part, Part, Chunk]]:
    """Give where in the frame chunks lie, what of them lies in it, and the chunks."""
    for chunk in parts:
        down, right = chunk.first[0] - frame.origin[0], chunk.first[1] - frame.origin[1]
        rows, cols = chunk.gids.shape
        top, left = max(0, down), max(0, right)
        bottom, end = min(frame.shape[0], down + rows), min(frame.shape[1], right + cols)
        if top < bottom and left < end:
            part = slice(top - down, bottom - down), slice(left - right, end - right)
            yield (slice(top, bottom), slice(left, end)), part, chunk


def _number(tile: Tile) -> int:
    """Give the number that a tile means in a layer of numbers."""
    return tile.id if tile.level is None else tile.level
