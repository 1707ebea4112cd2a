"""The colors of a map seen from above: kinds as colors, heights as shading."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid
from terrain3d.grid.kinds import TileKind

_LOW, _HIGH = 0.72, 1.08
_SLOPE, _STEEPEST = 0.16, 2
"""Change of brightness per level of rise toward the south-east, and the most levels counted."""


class Ground(Protocol):
    """What a picture needs of a map; see the properties of `TileMap`."""

    @property
    def grid(self) -> Grid:
        """Geometry of the cells."""

    @property
    def kinds(self) -> tuple[TileKind, ...]:
        """Kinds of tiles."""

    @property
    def n_decks(self) -> int:
        """Number of decks of the tile with the most decks."""

    @property
    def surface_level(self) -> NDArray[np.int16]:
        """(n_decks + 1, rows, cols) level of each surface."""

    @property
    def surface_kind(self) -> NDArray[np.uint8]:
        """(n_decks + 1, rows, cols) kind of each surface."""

    @property
    def surface_void(self) -> NDArray[np.bool_]:
        """(n_decks + 1, rows, cols) bool, True where there is no surface."""


def top_surfaces(
    ground: Ground, row: NDArray[np.int64], col: NDArray[np.int64]
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
