"""Compose the tile layers of a deck: the kind, level and thickness at each position.

Layers cover those below them. A tile without a kind does not replace a kind below it. The level at
a position is that of its topmost tile with a level: its own, that of its layer, or their sum. A
layer of numbers overrides all other levels.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from terrain3d.mapfile.tiled.notes import Notes
from terrain3d.mapfile.tiled.orientation import Frame, Position
from terrain3d.mapfile.tiled.tile_layers import Chunk, TileLayer
from terrain3d.mapfile.tiled.tilesets import Tile, Tilesets

EMPTY = -1

Region = tuple[slice, slice]


@dataclass(frozen=True)
class Surface:
    """One composed deck: (rows, cols) arrays; `kind` has indices of kinds, EMPTY without a tile."""

    kind: NDArray[np.int32]
    level: NDArray[np.int32]
    thickness: NDArray[np.int32]


KindOf = Mapping[tuple[str, int], int]
"""Index of the kind of a tile, by the kind of its layer and its gid."""


def compose(
    layers: Iterable[TileLayer], frame: Frame, tilesets: Tilesets, kind_of: KindOf, notes: Notes
) -> Surface:
    """Return the surface that the layers of one deck make."""
    shape = frame.shape
    kind, level = np.full(shape, EMPTY, np.int32), np.zeros(shape, np.int32)
    thickness, has_own_kind = np.ones(shape, np.int32), np.zeros(shape, bool)
    number_layers: list[tuple[NDArray[np.int32], TileLayer]] = []
    n_covered = 0
    for layer in layers:
        if layer.role != "kind":
            number_layers.append((thickness if layer.role == "thickness" else level, layer))
            continue
        for region, chunk in _cut_to_frame(layer.chunks, frame):
            tiles = {gid: tilesets.tile(gid) for gid in chunk.used if gid}
            is_tile = chunk.gids != 0
            named = {gid: bool(tile.kind or layer.kind) for gid, tile in tiles.items()}
            has_kind = chunk.look_up(named).astype(bool)
            kinds = chunk.look_up({gid: kind_of[layer.kind, gid] for gid in tiles})
            n_covered += int(np.count_nonzero(is_tile & (kind[region] != EMPTY)))
            np.copyto(kind[region], kinds, where=is_tile & (has_kind | ~has_own_kind[region]))
            has_own_kind[region] |= has_kind
            has_level = is_tile
            if layer.level is None:
                leveled = {gid: tile.level is not None for gid, tile in tiles.items()}
                has_level = chunk.look_up(leveled).astype(bool)
            base = layer.level or 0
            levels = chunk.look_up({gid: base + (tile.level or 0) for gid, tile in tiles.items()})
            np.copyto(level[region], levels, where=has_level)
    for target, layer in number_layers:
        for region, chunk in _cut_to_frame(layer.chunks, frame):
            values = {gid: _number(tilesets.tile(gid)) for gid in chunk.used if gid}
            np.copyto(target[region], chunk.look_up(values), where=chunk.gids != 0)
    if n_covered:
        notes.add(f"where tiles cover each other, one is kept; tiles lost: {n_covered}")
    return Surface(kind, level, thickness)


def used_gids(layers: Sequence[TileLayer]) -> set[tuple[str, int]]:
    """Return the gids in layers of kinds, each with the kind of its layer."""
    return {
        (layer.kind, gid)
        for layer in layers
        if layer.role == "kind"
        for chunk in layer.chunks
        for gid in chunk.used
        if gid
    }


def bounds(layers: Sequence[TileLayer]) -> tuple[Position, tuple[int, int]] | None:
    """Return position and size of the rectangle around all tiles of kinds; None without tiles."""
    corners = []
    for layer in layers:
        for chunk in layer.chunks if layer.role == "kind" else ():
            positions = np.argwhere(chunk.gids)
            if len(positions):
                corners += [positions.min(0) + chunk.origin, positions.max(0) + chunk.origin]
    if not corners:
        return None
    (row, col), (last_row, last_col) = np.min(corners, 0).tolist(), np.max(corners, 0).tolist()
    return (row, col), (last_row - row + 1, last_col - col + 1)


def _cut_to_frame(chunks: Iterable[Chunk], frame: Frame) -> Iterator[tuple[Region, Chunk]]:
    """Yield the part of each chunk that is in the frame, with its region there."""
    for chunk in chunks:
        down, right = chunk.origin[0] - frame.origin[0], chunk.origin[1] - frame.origin[1]
        rows, cols = chunk.gids.shape
        top, left = max(0, down), max(0, right)
        bottom, end = min(frame.shape[0], down + rows), min(frame.shape[1], right + cols)
        if top < bottom and left < end:
            inside = chunk.gids[top - down : bottom - down, left - right : end - right]
            yield (slice(top, bottom), slice(left, end)), replace(chunk, gids=inside)


def _number(tile: Tile) -> int:
    """Return the number that a tile stands for in a layer of numbers."""
    return tile.id if tile.level is None else tile.level
