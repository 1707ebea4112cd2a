"""Orientation of a Tiled map: its topology, and the tile at a point of its picture.

Orthogonal and isometric maps are square, row by row. A hexagonal map is the topology that offsets
the same rows or columns. The tiles of a staggered map are diamonds, which share edges along the
diagonals of the picture: it becomes a square map rotated by 45 degrees, with void at the corners.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import quoted
from terrain3d.formats.json_text import Fields
from terrain3d.map.tilemap import Extras

ORIENTATIONS = ("orthogonal", "isometric", "staggered", "hexagonal")
MAX_PIXELS = 2**16
"""The largest tile, in pixels."""

_HEX_TILE_PX = {"y": (28, 32), "x": (32, 28)}
_HEX_SIDE_PX = 16
_SQUARE_PX = 32
_DIGITS = 6
"""Of pixels: a point that is turned onto the border of a tile stays there."""

Position = tuple[int, int]
"""Row and column in the file; they may be negative in infinite maps."""


@dataclass(frozen=True)
class Layout:
    """The layout of tiles in the picture of a map.

    `orientation` is one of ORIENTATIONS, `tile_px` (width, height). `axis`, the stagger axis, is
    "y" if rows are offset, "x" if columns are, else "". `is_odd`: odd rows or columns are offset.
    `side_px` is the length of the edges of a hexagon along the axis.
    """

    orientation: str = "orthogonal"
    tile_px: tuple[int, int] = (_SQUARE_PX, _SQUARE_PX)
    axis: str = ""
    is_odd: bool = True
    side_px: int = 0

    @classmethod
    def of_topology(cls, topology: str) -> "Layout":
        """Return the layout that a topology is written in."""
        if topology == "square":
            return cls()
        axis = "y" if topology.endswith("r") else "x"
        return cls("hexagonal", _HEX_TILE_PX[axis], axis, "odd" in topology, _HEX_SIDE_PX)

    @classmethod
    def read(cls, top: Fields) -> "Layout":
        """Return the layout of a map."""
        orientation = top.text("orientation")
        if orientation == "oblique":  # of Tiled 1.12: drawn askew, and otherwise orthogonal
            orientation = "orthogonal"
        if orientation not in ORIENTATIONS:
            known = ", ".join(ORIENTATIONS)
            raise top.error(f"must be one of {known}, got {quoted(orientation)}", "orientation")
        tile_px = top.whole("tilewidth", 1, MAX_PIXELS), top.whole("tileheight", 1, MAX_PIXELS)
        axis, index = top.text("staggeraxis", "y"), top.text("staggerindex", "odd")
        side_px = top.whole("hexsidelength", 0, MAX_PIXELS, default=0)
        if orientation in ("orthogonal", "isometric"):
            return cls(orientation, tile_px)
        if axis not in ("x", "y"):
            raise top.error(f"must be x or y, got {quoted(axis)}", "staggeraxis")
        if index not in ("odd", "even"):
            raise top.error(f"must be odd or even, got {quoted(index)}", "staggerindex")
        return cls(orientation, tile_px, axis, index == "odd", side_px * (orientation[0] == "h"))

    def fields(self) -> Extras:
        """Return the layout as fields of a map."""
        width, height = self.tile_px
        fields: Extras = {"orientation": self.orientation, "tilewidth": width, "tileheight": height}
        if self.orientation == "hexagonal":
            fields |= {"hexsidelength": self.side_px, "staggeraxis": self.axis}
            fields["staggerindex"] = "odd" if self.is_odd else "even"
        return fields

    @property
    def insets_px(self) -> list[int]:
        """Distance of a tile's left edge from its bounding box, for each line of pixels."""
        width, height = self.tile_px
        if self.axis == "":
            return [0] * height
        distances = (abs(2 * line + 1 - height) / 2 for line in range(height))
        if self.axis == "x":
            return [round((width - self.side_px) * part / height) for part in distances]
        slant = width / (height - self.side_px)
        return [round(max(0.0, (part - self.side_px / 2) * slant)) for part in distances]

    @property
    def spacing_px(self) -> tuple[float, float]:
        """Distance from a column to the next, and from a row to the next, of upright layouts."""
        if self.axis == "":
            return self.tile_px
        across, down = self._pitch_px
        return (2 * across, down) if self.axis == "y" else (across, 2 * down)

    def topology(self, origin: Position) -> str:
        """Return the topology of a map whose first tile is at `origin`."""
        if self.orientation != "hexagonal":
            return "square"
        is_shifted = bool(origin[0 if self.axis == "y" else 1] % 2)
        parity = "odd" if self.is_odd != is_shifted else "even"
        return f"hex_{parity}_{'r' if self.axis == 'y' else 'q'}"

    def center_px(self, position: Position) -> tuple[float, float]:
        """Return the center of a tile in the coordinates of objects; not for isometric maps."""
        row, col = position
        if self.axis == "":
            return (col + 0.5) * self.tile_px[0], (row + 0.5) * self.tile_px[1]
        (width, height), (across, down) = self._even_px, self._pitch_px
        if self.axis == "y":
            return (2 * col + self._is_shifted(row)) * across + width / 2, row * down + height / 2
        return col * across + width / 2, (2 * row + self._is_shifted(col)) * down + height / 2

    def position_at(self, x_px: float, y_px: float) -> Position:
        """Return the position of the tile at a point of objects, also outside the map."""
        width, height = self.tile_px
        match self.orientation:
            case "orthogonal":
                return math.floor(y_px / height), math.floor(x_px / width)
            case "isometric":
                return math.floor(y_px / height), math.floor(x_px / height)
        wide, tall = self.spacing_px
        row, col = math.floor(y_px / tall), math.floor(x_px / wide)
        near = ((row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return min(near, key=lambda position: self._distance(position, x_px, y_px))

    def to_picture(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Return how far across and down the picture a step in the coordinates of objects leads."""
        if self.orientation != "isometric":
            return x_px, y_px
        width, height = self.tile_px
        return (x_px - y_px) * width / (2 * height), (x_px + y_px) / 2

    def from_picture(self, across_px: float, down_px: float) -> tuple[float, float]:
        """Return a step in the picture in the coordinates of objects; undoes `to_picture`."""
        if self.orientation == "isometric":
            aside = across_px * self.tile_px[1] / self.tile_px[0]
            across_px, down_px = down_px + aside, down_px - aside
        return round(across_px, _DIGITS), round(down_px, _DIGITS)

    def _is_shifted(self, line: int) -> int:
        return int(bool(line % 2) == self.is_odd)

    @property
    def _even_px(self) -> tuple[int, int]:
        """The size of a tile in even numbers, in which Tiled draws tiles that are offset."""
        width, height = (max(size // 2, 1) * 2 for size in self.tile_px)
        return width, height

    @property
    def _pitch_px(self) -> tuple[int, int]:
        """Distance from a tile to the next row or column of tiles, across and down."""
        width, height = self._even_px
        if self.axis == "y":
            return width // 2, (height + self.side_px) // 2
        return (width + self.side_px) // 2, height // 2

    def _distance(self, position: Position, x_px: float, y_px: float) -> float:
        """Return how far a point is from the center of a tile, whose outline is at 1."""
        x, y = self.center_px(position)
        (width, height), across, down = self._even_px, abs(x - x_px), abs(y - y_px)
        if self.axis == "x":
            width, height, across, down = height, width, down, across
        slant = across * (height - self.side_px) / width
        return max(across / width, (down + slant) / height) * 2


def turned(step_px: tuple[float, float], angle_deg: float) -> tuple[float, float]:
    """Return a step across and down the picture, turned clockwise."""
    (across, down), turn = step_px, math.radians(angle_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    return across * cos - down * sin, across * sin + down * cos


@dataclass(frozen=True)
class Anchor:
    """The point (x, y) of an object, about which its picture is turned clockwise.

    `offset_px` is that of its layer, across and down the picture.
    """

    x_px: float
    y_px: float
    rotation_deg: float = 0.0
    offset_px: tuple[float, float] = (0.0, 0.0)

    def moved(self, step_px: tuple[float, float], layout: Layout) -> tuple[float, float]:
        """Return where a step from the anchor leads, which is turned with the object.

        The step is in the picture, the point in the coordinates of objects.
        """
        across, down = turned(step_px, self.rotation_deg)
        x, y = layout.from_picture(across + self.offset_px[0], down + self.offset_px[1])
        return self.x_px + x, self.y_px + y


@dataclass(frozen=True)
class Frame:
    """The part of a file's tiles that becomes a map: (row, col) of the first tile, (rows, cols)."""

    layout: Layout
    origin: Position
    shape: tuple[int, int]

    @property
    def topology(self) -> str:
        """The topology of the map."""
        return self.layout.topology(self.origin)

    @property
    def map_shape(self) -> tuple[int, int]:
        """The size of the map, which is larger than `shape` if it is rotated."""
        if self.layout.orientation != "staggered":
            return self.shape
        (top, left), (bottom, right) = self._bounds
        return bottom - top + 1, right - left + 1

    def cell(self, position: Position) -> Position | None:
        """Return the cell of the map at a position in the file; None outside the frame."""
        row, col = position[0] - self.origin[0], position[1] - self.origin[1]
        if not (0 <= row < self.shape[0] and 0 <= col < self.shape[1]):
            return None
        if self.layout.orientation != "staggered":
            return row, col
        (top, left), _ = self._bounds
        rotated_row, rotated_col = self._rotated(*position)
        return int(rotated_row) - top, int(rotated_col) - left

    def to_map(self, values: NDArray[np.integer], empty: int) -> NDArray[np.integer]:
        """Return an array of the file's shape as one of the map's shape."""
        if self.layout.orientation != "staggered":
            return values
        (top, left), _ = self._bounds
        rows, cols = np.indices(self.shape, np.int64)
        rotated_rows, rotated_cols = self._rotated(rows + self.origin[0], cols + self.origin[1])
        mapped = np.full(self.map_shape, empty, values.dtype)
        mapped[rotated_rows - top, rotated_cols - left] = values
        return mapped

    @property
    def _bounds(self) -> tuple[Position, Position]:
        """First and last position of the rotated map, whose borders hold the frame's corners."""
        (row, col), (rows, cols) = self.origin, self.shape
        rotated = [
            self._rotated(*corner)
            for corner in itertools.product((row, row + rows - 1), (col, col + cols - 1))
        ]
        down, right = [int(row) for row, _ in rotated], [int(col) for _, col in rotated]
        return (min(down), min(right)), (max(down), max(right))

    def _rotated(
        self, row: int | NDArray[np.int64], col: int | NDArray[np.int64]
    ) -> tuple[int | NDArray[np.int64], int | NDArray[np.int64]]:
        """Return row and column of a staggered tile, counted along the edges of the diamonds."""
        is_odd = int(self.layout.is_odd)
        if self.layout.axis == "y":
            across, down = 2 * col + (row % 2 == is_odd), row
        else:
            across, down = col, 2 * row + (col % 2 == is_odd)
        return (down - across + 1 - is_odd) // 2, (down + across - 1 + is_odd) // 2
