"""A flat picture of a map with values, lines and a legend, north up."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Grid, Point
from terrain3d.picture.surface_colors import Ground, sampled, shaded_colors, top_surfaces

MAX_TILES = 96
"""Limit on rows and columns that are drawn one by one; larger maps are sampled."""

_RAMP = np.array([(253, 231, 37), (94, 201, 98), (33, 145, 140), (59, 82, 139), (68, 1, 84)])
"""Colors of values from the lowest to the highest: viridis of matplotlib, in reverse."""

_N_COLORS, _COVER = 16, 0.72
"""How many colors of the ramp are used, and how much of a tile's own color they replace."""

LINE_COLORS = ("#0072b2", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colors of lines in their order, of the palette of Okabe and Ito for color-blind readers."""

Polygons = NDArray[np.float64]
"""(n, corners, 2) x and y in world units."""


@dataclass(frozen=True)
class Line:
    """A line through the centers of cells; `label` names it in the legend."""

    cells: tuple[Cell, ...]
    label: str = ""


@dataclass(frozen=True, eq=False)
class Picture:
    """A map from above, with what was found on it.

    Each column shows its highest surface; heights are shades, and lines where the level changes,
    thick ones where it changes by more than 1. Maps of more than MAX_TILES rows or columns are
    sampled and have no such lines.

    Parameters
    ----------
    ground : TileMap
    title : str
    values : (rows, cols) float, optional
        Colors of tiles, from light to dark; tiles without a finite value keep their own.
    unit : str
        What the values are, as "cost".
    lines : tuple of Line
    """

    ground: Ground
    title: str
    values: NDArray[np.float64] | None = None
    unit: str = ""
    lines: tuple[Line, ...] = ()

    @property
    def grid(self) -> Grid:
        """Geometry of the cells."""
        return self.ground.grid

    @property
    def is_sampled(self) -> bool:
        """Whether the map is too large to draw each tile."""
        return max(self.grid.rows, self.grid.cols) > MAX_TILES

    @cached_property
    def polygons(self) -> Polygons:
        """The outline of each tile that is drawn, row by row; of a block of tiles if sampled."""
        x0, y0, x1, y1 = self.grid.extent
        rows, cols = len(self._row), len(self._col)
        row, col = (axis.ravel() for axis in np.indices((rows, cols)))
        if not self.is_sampled:
            return np.multiply(self.grid.corner_coords(row, col), self.grid.corner_scale)
        corners = np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
        east = x0 + (col[:, None] + corners[:, 0]) * (x1 - x0) / cols
        north = y1 - (row[:, None] + corners[:, 1]) * (y1 - y0) / rows
        return np.stack([east, north], axis=2)

    @cached_property
    def colors(self) -> NDArray[np.uint8]:
        """(n, 3) colors of the tiles that are drawn."""
        level, kind, _ = self._tops
        colors = shaded_colors(level, kind, self.ground.kinds, self.ground.surface_level.max())
        share = self._shares
        number = np.nan_to_num(share * (_N_COLORS - 1)).round() / (_N_COLORS - 1)
        at = number * (len(_RAMP) - 1)
        ramp = np.stack([np.interp(at, range(len(_RAMP)), part) for part in _RAMP.T], axis=-1)
        mixed = (_COVER * ramp + (1 - _COVER) * colors).round().astype(np.uint8)
        return np.where(np.isfinite(share)[..., None], mixed, colors).reshape(-1, 3)

    @property
    def is_drawn(self) -> NDArray[np.bool_]:
        """(n,) bool, False where there is no surface."""
        return ~self._tops[2].ravel()

    def rises(self) -> list[Polygons]:
        """Return the edges where the level changes by 1, and by more: (n, 2, 2) points each."""
        if self.is_sampled:
            return []
        level = np.where(self._tops[2], -1, self._tops[0]).ravel().astype(np.int64)
        row, col = (axis.ravel() for axis in np.indices((self.grid.rows, self.grid.cols)))
        corner = self.grid.corner_coords(row, col)
        ends = np.stack([corner, np.roll(corner, -1, axis=1)], axis=2).reshape(-1, 2, 2)
        is_swapped = (ends[:, 0, 0] - ends[:, 1, 0]) * 2**31 > ends[:, 1, 1] - ends[:, 0, 1]
        ends[is_swapped] = ends[is_swapped, ::-1]
        tile = np.repeat(np.arange(len(level)), corner.shape[1])
        edges, first, number = np.unique(
            ends.reshape(-1, 4), axis=0, return_index=True, return_inverse=True
        )
        total = np.bincount(number.ravel(), weights=level[tile])
        count = np.bincount(number.ravel())
        rise = np.where(count == 2, np.abs(total - 2 * level[tile[first]]), 0)
        lines = edges.reshape(-1, 2, 2) * np.array(self.grid.corner_scale)
        return [lines[rise == 1], lines[rise > 1]]

    def line_points(self, line: Line) -> list[Point]:
        """Return the (x, y) of the centers of a line's cells."""
        return [self.grid.center((row, col)) for row, col, _ in line.cells]

    def labels(self) -> list[tuple[Point, str, str]]:
        """Return where each value is written, as what and in which color; nothing if sampled."""
        if self.values is None or self.is_sampled:
            return []
        is_dark = self.colors @ np.array((0.3, 0.6, 0.1)) < 128
        return [
            (
                self.grid.center((row, col)),
                f"{self.values[row, col]:.4g}",
                "#fff" if is_dark[row * self.grid.cols + col] else "#000",
            )
            for row, col in np.argwhere(np.isfinite(self.values)).tolist()
        ]

    def legend(self) -> list[tuple[str, str]]:
        """Return pairs of a color and a text: values, lines, kinds and the range of levels.

        Kinds are those of the tiles without a value; the colors of values cover the others.
        """
        level, kind, is_void = self._tops
        pairs = []
        if self.values is not None and np.isfinite(self.values).any():
            found = self.values[np.isfinite(self.values)]
            low, high = (hex_color(_RAMP[end]) for end in (0, -1))
            pairs += [(low, f"{self.unit} {found.min():.4g}"), (high, f"{found.max():.4g}")]
        for number, line in enumerate(self.lines):
            if line.label:
                pairs.append((LINE_COLORS[number % len(LINE_COLORS)], line.label))
        has_own_color = ~is_void & ~np.isfinite(self._shares)
        for index in np.unique(kind[has_own_color]).tolist():
            entry = self.ground.kinds[index]
            pairs.append((hex_color(np.array(entry.color) * 255), entry.name))
        if not is_void.all():
            low, high = level[~is_void].min(), level[~is_void].max()
            pairs.append(("", f"levels {low} (dark) to {high} (light)"))
        return pairs

    @cached_property
    def _row(self) -> NDArray[np.int64]:
        return sampled(self.grid.rows, MAX_TILES)

    @cached_property
    def _col(self) -> NDArray[np.int64]:
        return sampled(self.grid.cols, MAX_TILES)

    @cached_property
    def _tops(self) -> tuple[NDArray[np.int16], NDArray[np.uint8], NDArray[np.bool_]]:
        return top_surfaces(self.ground, self._row, self._col)

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """(rows, cols) values as shares of their range, not finite where there is none."""
        if self.values is None:
            return np.full((len(self._row), len(self._col)), np.nan)
        finite = self.values[np.isfinite(self.values)]
        low, high = (finite.min(), finite.max()) if len(finite) else (0, 0)
        values = self.values[np.ix_(self._row, self._col)]
        return (np.where(np.isfinite(values), values, np.nan) - low) / ((high - low) or 1)


def hex_color(color: NDArray[Any]) -> str:
    """Return a color of three numbers in 0..255 as #rrggbb."""
    return "#" + bytes(np.round(color).astype(np.uint8).tolist()).hex()


def flat_values(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (rows, cols) values: of each column the least of its surfaces."""
    return values if values.ndim == 2 else values.min(axis=0)
