"""Flat pictures of maps with values, lines and a legend: as SVG, and in notebooks.

North is up; kinds are colors, heights are shading. SVG documents need no scripts, styles or fonts
from elsewhere.
"""

from __future__ import annotations

import html
import itertools
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell, Grid, Point
from terrain3d.grid.kinds import TileKind

if TYPE_CHECKING:
    from terrain3d.map.tilemap import TileMap

__all__ = ["Drawable", "Line", "Picture", "flat_values"]

MAX_TILES = 96
"""Limit on rows and columns that are drawn one by one; larger maps are sampled."""

LINE_COLORS = ("#0072b2", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colors of lines in their order, of the palette of Okabe and Ito for color-blind readers."""

_LOW, _HIGH = 0.72, 1.08
_SLOPE, _STEEPEST = 0.16, 2
"""Change of brightness per level of rise toward the south-east, and the most levels counted."""

_RAMP = np.array([(253, 231, 37), (94, 201, 98), (33, 145, 140), (59, 82, 139), (68, 1, 84)])
"""Colors of values from the lowest to the highest: viridis of matplotlib, in reverse."""

_N_COLORS, _COVER = 16, 0.72
"""How many colors of the ramp are used, and how much of a tile's own color they replace."""

_SIZE, _LARGEST_TILE, _LABELED_TILE = 640, 30, 18
"""The longer side of an SVG's map in pixels, the most of a tile, and the least of one with text."""

_MIN_WIDTH, _MARGIN, _LINE_HEIGHT, _LETTER = 320, 8, 20, 7
"""Layout of title and legend in pixels; `_LETTER` is the width of a wide letter."""

Polygons = NDArray[np.float64]
"""(n, corners, 2) x and y in world units."""


def top_surfaces(
    ground: TileMap, row: NDArray[np.int64], col: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.uint8], NDArray[np.bool_]]:
    """Return level, kind and is-void of the highest surface where rows and columns cross."""
    at = np.ix_(row, col)
    level, kind = np.full((len(row), len(col)), np.int16(-1)), ground.surface_kind[0][at]
    for deck in range(ground.n_decks + 1):
        there = np.where(ground.surface_void[deck][at], -1, ground.surface_level[deck][at])
        is_higher = there > level
        np.copyto(level, there, where=is_higher)
        np.copyto(kind, ground.surface_kind[deck][at], where=is_higher)
    return np.maximum(level, 0), kind, level < 0


def shaded_colors(
    level: NDArray[np.int16], kind: NDArray[np.uint8], kinds: Sequence[TileKind], top_level: int
) -> NDArray[np.uint8]:
    """Return (rows, cols, 3) colors, shaded by height and by the rise from the north-west.

    Level ground has 0.72 of its kind's color at level 0 and 1.08 at the highest level.
    """
    table = 255.0 * np.array([entry.color for entry in kinds], np.float32)
    shade = np.float32(_LOW) + np.float32((_HIGH - _LOW) / max(top_level, 1)) * level
    before = np.pad(level, ((1, 0), (1, 0)), mode="edge")
    rise = np.clip(level - before[:-1, :-1], -_STEEPEST, _STEEPEST)
    shade *= np.float32(1.0) + np.float32(_SLOPE) * rise
    colors = np.empty((*level.shape, 3), np.uint8)
    for channel in range(3):  # numpy is slow along a last axis of three
        color = table[:, channel].take(kind) * shade
        colors[..., channel] = np.minimum(color + np.float32(0.5), np.float32(255.0))
    return colors


def sampled(count: int, limit: int) -> NDArray[np.int64]:
    """Return at most `limit` numbers spread evenly over 0..count - 1."""
    n_samples = min(count, limit)
    return (np.arange(n_samples) * count + count // 2) // n_samples


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

    ground: TileMap
    title: str
    values: NDArray[np.float64] | None = None
    unit: str = ""
    lines: tuple[Line, ...] = ()

    @property
    def grid(self) -> Grid:
        """Geometry of the cells."""
        return self.ground.grid

    @property
    def _is_sampled(self) -> bool:
        """Whether the map is too large to draw each tile."""
        return max(self.grid.rows, self.grid.cols) > MAX_TILES

    @cached_property
    def polygons(self) -> Polygons:
        """The outline of each tile that is drawn, row by row; of a block of tiles if sampled."""
        x0, y0, x1, y1 = self.grid.extent
        rows, cols = len(self._row), len(self._col)
        row, col = (axis.ravel() for axis in np.indices((rows, cols)))
        if not self._is_sampled:
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
        if self._is_sampled:
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

    def _colored_lines(self) -> list[tuple[Line, str]]:
        """Return the lines with their colors."""
        return list(zip(self.lines, itertools.cycle(LINE_COLORS), strict=False))

    def labels(self) -> list[tuple[Point, str, str]]:
        """Return where each value is written, as what and in which color; nothing if sampled."""
        if self.values is None or self._is_sampled:
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
        pairs += [(color, line.label) for line, color in self._colored_lines() if line.label]
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


def draw_svg(picture: Picture) -> str:
    """Return a picture as an SVG document."""
    x0, y0, x1, y1 = picture.grid.extent
    scale = min(_LARGEST_TILE, _SIZE / max(x1 - x0, y1 - y0))
    left, top = _MARGIN, _MARGIN + _LINE_HEIGHT

    def px(points: Sequence[Point] | Polygons) -> Polygons:
        pairs = np.reshape(points, (*np.shape(points)[:-1], 2))
        return (pairs - (x0, y1)) * (scale, -scale) + (left, top)

    body = [_tiles(picture, px(picture.polygons))]
    for segments, width in zip(picture.rises(), (0.5, 1.5), strict=False):
        path = "".join(f"M{_at(start)}L{_at(end)}" for start, end in px(segments))
        body.append(f'<path d="{path}" stroke="#000" stroke-opacity=".55" stroke-width="{width}"/>')
    if scale >= _LABELED_TILE:
        body += [_label(px([at])[0], text, color, scale) for at, text, color in picture.labels()]
    for line, color in picture._colored_lines():
        points = [picture.grid.center(cell[:2]) for cell in line.cells]
        body.append(_line(px(points), color, scale))
    map_width, bottom = (x1 - x0) * scale, top + (y1 - y0) * scale
    width = max(map_width, _MIN_WIDTH) + 2 * _MARGIN
    legend, height = _legend(picture.legend(), width, bottom + _LINE_HEIGHT)
    title = html.escape(picture.title)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="sans-serif" '
        f'font-size="13" fill="none">',
        f"<title>{title}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="18" fill="#222">{title}</text>',
        *body,
        *legend,
        "</svg>",
        "",
    ])  # fmt: skip


def _tiles(picture: Picture, polygons: Polygons) -> str:
    """Return one element per color, with all tiles of it."""
    drawn = np.flatnonzero(picture.is_drawn)
    names = [hex_color(color) for color in picture.colors[drawn]]
    shapes: dict[str, list[str]] = {}
    for name, polygon in zip(names, polygons[drawn], strict=True):
        steps = np.diff(np.round(polygon, 1), axis=0)
        shapes.setdefault(name, []).append(f"M{_at(polygon[0])}l{' '.join(map(_at, steps))}z")
    # A thin line of the same color hides the seams that smooth edges leave.
    look = 'stroke-width=".4"'
    return "\n".join(
        f'<path fill="{name}" stroke="{name}" {look} d="{"".join(parts)}"/>'
        for name, parts in shapes.items()
    )


def _line(points: Polygons, color: str, scale: float) -> str:
    """Return a line on a white one, a dot on its first point and a ring around its last."""
    width = min(max(scale / 7, 2), 4)
    path, start, end = "M" + "L".join(map(_at, points)), points[0], points[-1]
    look = 'stroke-linejoin="round" stroke-linecap="round"'
    return "\n".join([
        f'<path d="{path}" stroke="#fff" stroke-width="{2 * width:.3g}" {look}/>',
        f'<path d="{path}" stroke="{color}" stroke-width="{width:.3g}" {look}/>',
        f'<circle cx="{start[0]:.5g}" cy="{start[1]:.5g}" r="{1.6 * width:.3g}" fill="{color}"/>',
        f'<circle cx="{end[0]:.5g}" cy="{end[1]:.5g}" r="{2 * width:.3g}" fill="#fff" '
        f'stroke="{color}" stroke-width="{width:.3g}"/>',
    ])  # fmt: skip


def _label(point: Polygons, text: str, color: str, scale: float) -> str:
    size = min(scale / 2.4, 1.5 * scale / len(text))
    return (
        f'<text x="{point[0]:.5g}" y="{point[1] + size / 3:.5g}" font-size="{size:.3g}" '
        f'text-anchor="middle" fill="{color}">{text}</text>'
    )


def _legend(pairs: list[tuple[str, str]], width: float, top: float) -> tuple[list[str], float]:
    """Return the elements of the legend, in lines of at most `width`, and where it ends."""
    x, y, elements = float(_MARGIN), top, []
    for color, text in pairs:
        length = _LETTER * len(text) + (18 if color else 0) + 2 * _MARGIN
        if x > _MARGIN and x + length > width:
            x, y = float(_MARGIN), y + _LINE_HEIGHT
        if color:
            place = f'x="{x:.0f}" y="{y - 11:.0f}" width="13" height="13"'
            elements.append(f'<rect {place} fill="{color}" stroke="#666"/>')
        text_x = x + (18 if color else 0)
        elements.append(
            f'<text x="{text_x:.0f}" y="{y:.0f}" fill="#222">{html.escape(text)}</text>'
        )
        x += length
    return elements, y + _MARGIN + 2


def _at(point: Polygons) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"


class Drawable:
    """Something that has a picture, which notebooks show."""

    __slots__ = ()

    @abstractmethod
    def picture(self) -> Picture | None:
        """Return the picture; None if there is nothing to draw."""

    def to_svg(self) -> str:
        """Return the picture as an SVG document.

        Raises
        ------
        ValueError
            There is nothing to draw.
        """
        picture = self.picture()
        if picture is None:
            raise ValueError(f"there is nothing to draw: {self!r}")
        return draw_svg(picture)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the picture, else the text of `repr`."""
        picture = self.picture()
        return f"<pre>{html.escape(repr(self))}</pre>" if picture is None else draw_svg(picture)
