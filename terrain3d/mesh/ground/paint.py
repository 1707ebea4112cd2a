"""The look of a map's kinds as arrays, and that which its vertices do not hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import (
    IMAGE,
    LIQUID,
    MOLTEN,
    PROPS,
    SOFT,
    STONE,
    VOID,
    Color,
    Paint,
    TileKind,
    Water,
    paint_of,
)
from terrain3d.mesh.data import surface_of

_FLANK_SHADE = 0.72

WOOD = np.array((0.42, 0.29, 0.18), dtype=np.float32)
MASONRY = np.array((0.55, 0.51, 0.46), dtype=np.float32)
"""Colors of structures."""

STRATA = np.array(
    [
        (0.48, 0.37, 0.29),
        (0.56, 0.44, 0.34),
        (0.43, 0.33, 0.27),
        (0.61, 0.50, 0.38),
        (0.51, 0.39, 0.31),
        (0.40, 0.32, 0.28),
        (0.57, 0.47, 0.38),
    ],
    dtype=np.float32,
)
"""Earth tones, one per level, repeated."""
STONE_STRATA = np.array(
    [
        (0.47, 0.46, 0.46),
        (0.52, 0.50, 0.48),
        (0.43, 0.43, 0.45),
        (0.54, 0.53, 0.52),
        (0.48, 0.46, 0.44),
        (0.41, 0.42, 0.44),
        (0.50, 0.49, 0.49),
    ],
    dtype=np.float32,
)
"""Tones of stone, likewise."""


@dataclass(frozen=True, eq=False)
class Look:
    """What the vertices of a kind's tops do not hold."""

    light: NDArray[np.float32]
    """Color of its own light; that of the image's, if there is one, is multiplied by it."""
    image: NDArray[np.uint8] | None
    """See `Paint`."""
    glow: float
    foam: float
    speed: float


@dataclass(frozen=True)
class KindPalette:
    """The look of a map's kinds as arrays, one row per kind.

    `top` is the kind's own color, `tint` that by which its tops are multiplied if they have an
    image, else 1; `surface` is the `SURFACE` of its tops; `is_liquid` whether it is water or lava,
    `depth` the levels of liquid above the bed, `clarity` that of water, `afar` the share of the
    color that props leave as seen from afar, and `built` the color of walls and stairs. The other
    fields are those of `Paint`. `props` are the names of props, and `looks` has the looks by
    number.
    """

    top: NDArray[np.float32]
    tint: NDArray[np.float32]
    flank: NDArray[np.float32]
    shift: NDArray[np.float32]
    jitter: NDArray[np.float32]
    lip: NDArray[np.float32]
    rag: NDArray[np.float32]
    pattern: NDArray[np.float32]
    surface: NDArray[np.void]
    has_boards: NDArray[np.bool_]
    is_rock: NDArray[np.bool_]
    spots: NDArray[np.float32]
    is_liquid: NDArray[np.bool_]
    depth: NDArray[np.int64]
    clarity: NDArray[np.float32]
    afar: NDArray[np.float32]
    built: NDArray[np.float32]
    built_pattern: NDArray[np.float32]
    props: tuple[str, ...]
    looks: Mapping[int, Look]

    @classmethod
    def of(cls, kinds: tuple[TileKind, ...]) -> "KindPalette":
        """Return the palette of a table of kinds, computed once for what is registered."""
        paints = tuple(paint_of(kind.texture) for kind in kinds)
        return cls._of(
            kinds, paints, tuple(PROPS.get(kind.props, PROPS[""]).afar for kind in kinds)
        )

    @classmethod
    @cache
    def _of(
        cls, kinds: tuple[TileKind, ...], paints: tuple[Paint, ...], afar: tuple[Color, ...]
    ) -> "KindPalette":
        top = np.array([kind.color for kind in kinds], dtype=np.float32)
        flank = np.float32(_FLANK_SHADE) * top
        for index, paint in enumerate(paints):
            if paint.flank is not None:
                flank[index] = paint.flank

        def column(name: str) -> NDArray[np.float32]:
            return np.array([getattr(paint, name) for paint in paints], dtype=np.float32)

        has_boards, pattern, tint = column("has_boards") > 0, column("pattern"), np.ones_like(top)
        surface, looks = surface_of(pattern), {}
        drawn = [index for index, kind in enumerate(kinds) if kind.name != VOID.name]
        for number, index in enumerate(drawn, start=1):
            kind, paint = kinds[index], paints[index]
            if paint.image is not None:
                surface["pattern"][index] = IMAGE
                tint[index] = 1.0 / np.maximum(paint.color, 1 / 255)
            if paint.image is not None or kind.glow or kind.water:
                surface["look"][index] = number
                water, light = kind.water or Water(), top[index] * tint[index] * kind.glow
                looks[number] = Look(
                    np.minimum(light, 1.0), paint.image, kind.glow, water.foam, water.speed
                )
        return cls(
            top,
            tint,
            flank,
            column("shift"),
            column("jitter"),
            column("lip"),
            column("rag"),
            pattern,
            surface,
            has_boards,
            column("is_rock") > 0,
            column("spots"),
            np.isin(pattern, (LIQUID, MOLTEN)),
            np.array([kind.depth for kind in kinds]),
            np.array([kind.water.clarity if kind.water else 0.0 for kind in kinds], np.float32),
            np.array(afar, dtype=np.float32),
            np.where(has_boards[:, None], WOOD, MASONRY),
            np.where(has_boards, np.float32(SOFT), np.float32(STONE)),
            tuple(kind.props for kind in kinds),
            looks,
        )
