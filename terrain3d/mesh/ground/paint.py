"""The look of each texture besides its color: pattern, lip, flanks and variation."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import PROPS, Color, TileKind
from terrain3d.mesh.data import DRIFT, LIQUID, MOLTEN, SOFT, STONE

_FLANK_SHADE = 0.72

WOOD = np.array((0.42, 0.29, 0.18), dtype=np.float32)
MASONRY = np.array((0.55, 0.51, 0.46), dtype=np.float32)
"""Colors of structures."""


@dataclass(frozen=True)
class Paint:
    """The look of a texture; lengths are in world units."""

    pattern: int = SOFT
    """Surface pattern; see `mesh.data`."""
    lip: float = 0.06
    """Overhang of the top at an edge, at most 0.15."""
    rag: float = 0.015
    """Height variation of the lip's lower edge, at most `lip`."""
    jitter: float = 0.05
    """Largest relative change of brightness from tile to tile, at most 0.1."""
    shift: Color = (0.06, 0.01, -0.05)
    """Relative change of color where the slow noise is 1, at most 0.25 in size."""
    flank: Color | None = None
    """Color of the sides right below the top; default: a darker shade of the top."""
    has_boards: bool = False
    """Whether tops have boards, drops have rails, and other structures are of wood, not stone."""
    is_rock: bool = False
    """Whether the sides look like the top far down."""


PAINTS = {
    "grass": Paint(
        lip=0.13, rag=0.10, jitter=0.04, shift=(0.24, 0.06, -0.10), flank=(0.51, 0.38, 0.27)
    ),
    "soil": Paint(shift=(0.05, -0.01, -0.06)),
    "mud": Paint(
        lip=0.08, rag=0.07, jitter=0.06, shift=(0.10, 0.04, -0.08), flank=(0.36, 0.30, 0.22)
    ),
    "sand": Paint(
        DRIFT, lip=0.07, rag=0.03, jitter=0.03, shift=(0.02, -0.02, -0.07), flank=(0.76, 0.62, 0.42)
    ),
    "rock": Paint(
        STONE,
        lip=0.05,
        rag=0.0,
        jitter=0.10,
        shift=(0.11, 0.04, -0.11),
        flank=(0.49, 0.46, 0.43),
        is_rock=True,
    ),
    "paving": Paint(
        STONE, lip=0.06, rag=0.0, jitter=0.07, shift=(0.04, 0.0, -0.05), flank=(0.56, 0.47, 0.37)
    ),
    "snow": Paint(
        DRIFT, lip=0.15, rag=0.09, jitter=0.02, shift=(-0.03, -0.01, 0.02), flank=(0.50, 0.49, 0.50)
    ),
    "planks": Paint(
        lip=0.05,
        rag=0.0,
        jitter=0.08,
        shift=(0.04, 0.0, -0.05),
        flank=(0.40, 0.28, 0.18),
        has_boards=True,
    ),
    "water": Paint(
        LIQUID, lip=0.03, rag=0.0, jitter=0.01, shift=(-0.05, 0.0, 0.03), flank=(0.56, 0.50, 0.39)
    ),
    "lava": Paint(
        MOLTEN, lip=0.03, rag=0.0, jitter=0.05, shift=(0.03, 0.16, 0.02), flank=(0.30, 0.20, 0.18)
    ),
}
"""The look of each texture; see `kinds.TEXTURES`."""

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


@dataclass(frozen=True)
class KindPalette:
    """The look of a map's kinds as arrays, one row per kind.

    `top` is the kind's own color, `is_liquid` whether it is water or lava, `depth` the levels of
    liquid above the bed, `props` an index into PROPS, and `built` the color of walls and stairs.
    The other fields are those of `Paint`.
    """

    top: NDArray[np.float32]
    flank: NDArray[np.float32]
    shift: NDArray[np.float32]
    jitter: NDArray[np.float32]
    lip: NDArray[np.float32]
    rag: NDArray[np.float32]
    pattern: NDArray[np.float32]
    has_boards: NDArray[np.bool_]
    is_rock: NDArray[np.bool_]
    is_liquid: NDArray[np.bool_]
    depth: NDArray[np.int64]
    props: NDArray[np.int64]
    built: NDArray[np.float32]
    built_pattern: NDArray[np.float32]

    @classmethod
    @cache
    def of(cls, kinds: tuple[TileKind, ...]) -> "KindPalette":
        """Return the palette of a table of kinds, computed once."""
        paints = [PAINTS[kind.texture] for kind in kinds]
        top = np.array([kind.color for kind in kinds], dtype=np.float32)
        flank = np.float32(_FLANK_SHADE) * top
        for index, paint in enumerate(paints):
            if paint.flank is not None:
                flank[index] = paint.flank

        def column(name: str) -> NDArray[np.float32]:
            return np.array([getattr(paint, name) for paint in paints], dtype=np.float32)

        has_boards = column("has_boards") > 0
        return cls(
            top,
            flank,
            column("shift"),
            column("jitter"),
            column("lip"),
            column("rag"),
            column("pattern"),
            has_boards,
            column("is_rock") > 0,
            np.isin(column("pattern"), (LIQUID, MOLTEN)),
            np.array([kind.depth for kind in kinds]),
            np.array([PROPS.index(kind.props) for kind in kinds]),
            np.where(has_boards[:, None], WOOD, MASONRY),
            np.where(has_boards, np.float32(SOFT), np.float32(STONE)),
        )
