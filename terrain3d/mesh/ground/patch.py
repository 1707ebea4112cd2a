"""A part of the map with the data around it that its mesh depends on, and its shores."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Point, Rect
from terrain3d.map.tilemap import BASE_Z, TileMap
from terrain3d.mesh.data import lit
from terrain3d.mesh.ground.lattice import (
    Lattice,
    Surroundings,
    base_level,
    chance,
    drift,
    surroundings,
)
from terrain3d.mesh.ground.paint import KindPalette


@dataclass(frozen=True)
class Shores:
    """The surrounding tiles of the `w` liquid tiles of a patch."""

    tile: NDArray[np.int64]
    """(w,) indices of the liquid tiles in the patch."""
    kind: NDArray[np.int64]
    """(around, w) kinds of adjacent liquids at the same level, in the lattice's order, or -1."""
    is_shore: NDArray[np.bool_]
    """(around, w) whether ground or a higher liquid is there; lower ground does not count."""

    @classmethod
    def of(cls, patch: "Patch") -> Self:
        """Return the shores of the liquid tiles of a patch."""
        tilemap, levels, is_liquid = patch.tilemap, patch.levels, patch.palette.is_liquid
        tile = np.nonzero(is_liquid[patch.kind])[0]
        around = levels.around[:, tile] >= levels.level[tile]
        if not len(tile):
            return cls(tile, np.zeros(around.shape, dtype=np.int64), around)
        row, col = patch.row[tile] - patch.origin[0], patch.col[tile] - patch.origin[1]
        steps = patch.lattice.step_at(row, col)
        near_row, near_col = row + steps[..., 0], col + steps[..., 1]
        is_inside = (near_row >= 0) & (near_row < tilemap.rows)
        is_inside &= (near_col >= 0) & (near_col < tilemap.cols)
        near = (patch.deck, np.where(is_inside, near_row, row), np.where(is_inside, near_col, col))
        beside = tilemap.surface_kind[near].astype(np.int64)
        is_same = is_inside & ~tilemap.surface_void[near] & is_liquid[beside]
        is_same &= tilemap.surface_level[near] == levels.level[tile]
        return cls(tile, np.where(is_same, beside, -1), around & ~is_same)


_OCCLUSION = 0.22  # share of light that each higher tile at a corner takes
_SPOT_FROM, _SPOT_SLOPE = np.float32(0.15), np.float32(1.8)  # of the noise
_ROOF_SHADE = 0.45  # share of light that a deck right above takes


@dataclass(frozen=True)
class Patch:
    """The surfaces of one deck in a rectangle, `n` tiles with `c` corners, as flat arrays."""

    tilemap: TileMap
    rect: Rect
    origin: tuple[int, int]
    """Row and column of the tilemap's first tile in the whole map."""
    deck: int
    """0 for the ground, whose columns end at the map's base; others are slabs."""
    row: NDArray[np.int64]
    """(n,) rows in the whole map."""
    col: NDArray[np.int64]
    """(n,) columns in the whole map."""
    corner_coords: NDArray[np.int32]
    """(n, c, 2) corners in the lattice's order, as integers; see `Grid.corner_coords`."""
    corners: NDArray[np.float32]
    """(n, c, 2) x and y of the corners."""
    levels: Surroundings
    kind: NDArray[np.int64]
    """(n,) indices into the palette."""
    colors: NDArray[np.float32]
    """(n, c, 3) top colors at the corners, before occlusion."""

    @classmethod
    def of(
        cls, tilemap: TileMap, rect: Rect, deck: int = 0, origin: tuple[int, int] = (0, 0)
    ) -> "Patch":
        """Return the patch of a rectangle of a deck; both numbers of `origin` are even."""
        cells = (deck, *rect.slices())
        row, col = np.nonzero(~tilemap.surface_void[cells])
        level = tilemap.surface_level[cells][row, col]
        kind = tilemap.surface_kind[cells][row, col].astype(np.int64)
        row, col = row + rect.row, col + rect.col
        levels = surroundings(tilemap, rect, deck, row, col)
        row, col = row + origin[0], col + origin[1]
        corner_coords = Lattice.of(tilemap.grid).corner_coords(row, col).astype(np.int32)
        corners = (corner_coords * np.array(tilemap.grid.corner_scale)).astype(np.float32)
        noise = _noise(corner_coords, tilemap.grid.corner_scale)
        return cls(
            tilemap=tilemap,
            rect=rect,
            origin=origin,
            deck=deck,
            row=row,
            col=col,
            corner_coords=corner_coords,
            corners=corners,
            levels=levels,
            kind=kind,
            colors=_colors(KindPalette.of(tilemap.kinds), kind, row, col, level, noise),
        )

    @cached_property
    def lattice(self) -> Lattice:
        """The neighborhood of its tiles."""
        return Lattice.of(self.tilemap.grid)

    @cached_property
    def palette(self) -> KindPalette:
        """The look of the map's kinds."""
        return KindPalette.of(self.tilemap.kinds)

    @cached_property
    def shores(self) -> Shores:
        """The shores of its liquid tiles."""
        return Shores.of(self)

    @cached_property
    def z(self) -> NDArray[np.float32]:
        """The (n,) heights of the tops."""
        return self.z_at(self.levels.level)

    def z_at(self, level: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the heights of levels, the same to the last bit wherever a level is used."""
        step_height = self.tilemap.step_height
        is_base = level == base_level(step_height)
        return np.where(is_base, BASE_Z, level * step_height).astype(np.float32)

    def around(self) -> "Iterator[Patch]":
        """Yield the patches of all decks in the rectangle and the tiles around it."""
        grid = self.tilemap.grid
        near = self.rect.grown(1, grid.rows, grid.cols)
        for deck in range(self.tilemap.n_decks + 1):
            yield Patch.of(self.tilemap, near, deck, self.origin)

    @cached_property
    def center(self) -> NDArray[np.float32]:
        """The (n, 2) centers of the tops, (x, y)."""
        half = self.lattice.sides // 2
        return (self.corners[:, 0] + self.corners[:, half]) * np.float32(0.5)

    @cached_property
    def tones(self) -> NDArray[np.float32]:
        """The (n, 3) mean colors of the tops."""
        total = self.colors[:, 0].copy()
        for corner in range(1, self.lattice.sides):
            total += self.colors[:, corner]
        total *= np.float32(1.0 / self.lattice.sides)
        return total

    @cached_property
    def dry(self) -> NDArray[np.intp] | slice:
        """Indices of the tiles that are not liquid."""
        wet = self.shores.tile
        return np.delete(np.arange(len(self.z)), wet) if len(wet) else slice(None)

    @cached_property
    def drops(self) -> NDArray[np.bool_]:
        """(sides, n) whether a side of a tile is visible, for each direction."""
        return self.levels.foot < self.levels.level

    @cached_property
    def occlusion(self) -> NDArray[np.float32]:
        """The (n, c) share of light that reaches each corner of each top."""
        is_higher = self.levels.around > self.levels.level
        light = np.ones((len(self.z), self.lattice.sides), dtype=np.float32)
        for corner, sharing in enumerate(self.lattice.at_corner):
            for near in sharing:
                light[:, corner] -= _OCCLUSION * is_higher[near]
        roof = self.levels.roof
        if roof is not None:
            for corner, sharing in enumerate(self.lattice.at_corner):
                over = roof[0] + roof[1 + sharing].sum(axis=0)
                light[:, corner] *= 1.0 - _ROOF_SHADE * over / (1 + len(sharing))
        return light

    @cached_property
    def surface(self) -> NDArray[np.void]:
        """The (n,) `SURFACE` of the tops."""
        surface = self.palette.surface[self.kind]
        own, wet, half = self.levels.level, self.shores.tile, self.lattice.sides // 2
        for side, near in enumerate(self.levels.around[: self.lattice.sides]):
            edge = surface["edges"][:, side // half, side % half]
            edge += near < own
            edge -= near > own
            edge[wet] -= self.shores.is_shore[side] & (near[wet] <= own[wet])
        return surface


def _noise(corner_coords: NDArray[np.int32], corner_scale: Point) -> NDArray[np.float32]:
    """Return (2, n, c) smooth numbers in [-1, 1] at corners: slow ones, and faster ones."""
    if not len(corner_coords):
        return np.zeros((2, *corner_coords.shape[:2]), dtype=np.float32)
    east, south = corner_coords[..., 0].copy(), -corner_coords[..., 1]
    first_east, first_south = east.min(), south.min()
    cols = np.arange(first_east, east.max() + 1) * corner_scale[0]
    rows = np.arange(first_south, south.max() + 1) * corner_scale[1]
    fast = drift(rows, cols, 2, 2)
    table = np.stack([0.65 * drift(rows, cols, 5, 1) + 0.35 * fast, fast])
    at = (south - first_south) * len(cols) + (east - first_east)
    noise: NDArray[np.float32] = table.reshape(2, -1).take(at, axis=1)
    return noise


def _colors(
    palette: KindPalette,
    kind: NDArray[np.int64],
    row: NDArray[np.int64],
    col: NDArray[np.int64],
    level: NDArray[np.int16],
    noise: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return the kinds' colors, varied smoothly between corners and slightly between tiles."""
    bright = 1.0 + palette.jitter[kind] * (chance(row, col, 3) * 2.0 - 1.0)
    # Higher ground is slightly lighter, so that heights are easy to see; rock, which is bare, more.
    rock, steps = np.nonzero(palette.is_rock[kind])[0], np.minimum(level, 6)
    bright *= np.float32(0.95) + np.float32(0.025) * steps
    bright[rock] *= np.float32(0.93) + np.float32(0.004) * steps[rock]
    base, shift = palette.top[kind] * bright[:, None], palette.shift[kind]
    colors = lit(shift, noise[0])
    colors += np.float32(1.0)
    for channel in range(3):
        colors[..., channel] *= base[:, channel, None]
    spot = np.clip(_SPOT_SLOPE * (noise[:, rock].sum(axis=0) - _SPOT_FROM), 0.0, 1.0)
    colors[rock] *= 1.0 + lit(palette.spots[kind[rock]] - np.float32(1.0), spot)
    return colors
