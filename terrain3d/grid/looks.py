"""The look of ground by name: textures and props, our own and those of games, and water."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import checked_path, instance_of, listed, number_within, quoted
from terrain3d.core.gif import check_pillow

Color = tuple[float, float, float]

PLAIN, SOFT, STONE, DRIFT, LIQUID, GLOW, MOLTEN, IMAGE = range(8)
"""Surface patterns: none, grass and earth, rock and paving, sand and snow, water, what glows by
itself, lava, and the image of a texture."""
MAX_IMAGE_SIZE = 4096
"""Largest width and height of an image, in pixels."""
MAX_SPEED = 10.0


@dataclass(frozen=True, eq=False)
class Paint:
    """The look of a texture; lengths are in world units."""

    color: Color
    """Color of a kind that has none of its own."""
    pattern: int = SOFT
    """Surface pattern."""
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
    image: NDArray[np.uint8] | None = None
    """(height, width, 3) pixels of a tile's top, the northern row first; their mean is `color`."""


TEXTURES: dict[str, Paint] = {
    "grass": Paint(
        *((0.50, 0.66, 0.29), SOFT, 0.13, 0.10, 0.04, (0.24, 0.06, -0.10)),
        flank=(0.51, 0.38, 0.27),
    ),
    "soil": Paint((0.61, 0.47, 0.33), shift=(0.05, -0.01, -0.06)),
    "mud": Paint(
        *((0.36, 0.40, 0.24), SOFT, 0.08, 0.07, 0.06, (0.10, 0.04, -0.08)),
        flank=(0.36, 0.30, 0.22),
    ),
    "sand": Paint(
        *((0.90, 0.80, 0.58), DRIFT, 0.07, 0.03, 0.03, (0.02, -0.02, -0.07)),
        flank=(0.76, 0.62, 0.42),
    ),
    "rock": Paint(
        *((0.60, 0.58, 0.56), STONE, 0.05, 0.0, 0.10, (0.11, 0.04, -0.11)),
        flank=(0.49, 0.46, 0.43),
        is_rock=True,
    ),
    "paving": Paint(
        *((0.72, 0.66, 0.56), STONE, 0.06, 0.0, 0.07, (0.04, 0.0, -0.05)),
        flank=(0.56, 0.47, 0.37),
    ),
    "snow": Paint(
        *((0.86, 0.89, 0.94), DRIFT, 0.15, 0.09, 0.02, (-0.03, -0.01, 0.02)),
        flank=(0.50, 0.49, 0.50),
    ),
    "planks": Paint(
        *((0.61, 0.44, 0.28), SOFT, 0.05, 0.0, 0.08, (0.04, 0.0, -0.05)),
        flank=(0.40, 0.28, 0.18),
        has_boards=True,
    ),
    "water": Paint(
        *((0.42, 0.66, 0.68), LIQUID, 0.03, 0.0, 0.01, (-0.05, 0.0, 0.03)),
        flank=(0.56, 0.50, 0.39),
    ),
    "lava": Paint(
        *((0.93, 0.38, 0.12), MOLTEN, 0.03, 0.0, 0.05, (0.03, 0.16, 0.02)),
        flank=(0.30, 0.20, 0.18),
    ),
}
"""The textures of kinds."""


@dataclass(frozen=True)
class Prop:
    """The look of props."""

    afar: Color = (1.0, 1.0, 1.0)
    """Color of the ground with them, as seen from afar, as a share of that without."""
    draw: Callable[..., Any] | None = None
    """Returns the meshes of a patch; None for those of `mesh.props` itself."""


PROPS: dict[str, Prop] = {
    **dict.fromkeys(("", "meadow", "stones", "rubble"), Prop()),
    "reeds": Prop((0.96, 0.98, 1.01)),
    "trees": Prop((0.84, 0.83, 0.90)),
}
"""The props of kinds: none, tufts and flowers, pebbles, boulders, reeds by puddles, trees."""

BUILT_IN = frozenset((*TEXTURES, *PROPS))
"""The names that games cannot register again."""
_UNKNOWN = Paint((0.62, 0.60, 0.58), jitter=0.02, shift=(0.0, 0.0, 0.0))


class Unregistered(str):
    """A name in a file under which nothing is registered: it is kept, and its look is plain."""

    __slots__ = ()


def paint_of(texture: str) -> Paint:
    """Return the look of a texture; a plain one if it is not registered."""
    return TEXTURES.get(texture, _UNKNOWN)


def name_in_file(name: object, table: Mapping[str, object]) -> object:
    """Return the name of a texture or of props in a file, marked if it is not registered."""
    return Unregistered(name) if isinstance(name, str) and name not in table else name


@dataclass(frozen=True)
class Water:
    """The look of water.

    Parameters
    ----------
    color : (red, green, blue), each 0..1, optional
        It becomes the color of the kind and is not kept here; default: that of the kind.
    foam : float
        Strength of the foam at shores, 0..1.
    speed : float
        Speed of waves and foam, 0..10, in steps of 0.1; 0 is still.
    clarity : float
        0..1: with 0 nothing is seen below the surface, with 1 the bed of shallow water.

    Raises
    ------
    TypeError, ValueError
        A value is out of its limits.
    """

    color: Color | None = None
    foam: float = 1.0
    speed: float = 1.0
    clarity: float = 0.0

    def __post_init__(self) -> None:
        """Check the values."""
        if self.color is not None:
            object.__setattr__(self, "color", checked_color("color of water", self.color))
        limits = {"foam": 1.0, "speed": MAX_SPEED, "clarity": 1.0}
        for name, limit in limits.items():
            value = number_within(f"{name} of water", getattr(self, name), 0, limit)
            object.__setattr__(self, name, round(value, 1) if name == "speed" else value)


def water_in_file(values: object) -> object:
    """Return the water of an object in a file; anything else as it is."""
    if not isinstance(values, dict):
        return values
    known = [field.name for field in fields(Water)]
    if unknown := [name for name in values if name not in known]:
        raise ValueError(f"water has {', '.join(known)}, got {quoted(unknown[0])}")
    color = values.get("color")
    return Water(**values | ({"color": tuple(color)} if isinstance(color, list) else {}))


def checked_color(what: str, color: Color) -> Color:
    """Return a color as a tuple; `TypeError` or `ValueError` unless it is 3 numbers in 0..1."""
    parts = tuple(number_within(what, part, 0, 1) for part in listed(what, color))
    if len(parts) != 3:
        raise ValueError(f"{what} must be 3 numbers in 0..1, got {quoted(color)}")
    return parts


def checked_name(what: str, name: str) -> str:
    """Return a name to register; `TypeError`, `ValueError` if it is empty or one of ours."""
    if not instance_of(f"name of a {what}", name, str) or name in BUILT_IN:
        raise ValueError(
            f"the name of a {what} must be text that terrain3d does not use itself, "
            f"got {quoted(name)}"
        )
    return name


def register_texture(name: str, image: str | os.PathLike[str] | NDArray[np.uint8]) -> None:
    """Draw the tops of kinds with `texture=name` as an image, its upper edge to the north.

    The image covers one tile. It is multiplied by a color such that its mean is the color of the
    kind; a kind without one has the mean of the image, so the image is shown as it is. Pixels of
    images up to 64 x 64 stay sharp. A later call replaces an earlier one; maps that are shown
    already do not change.

    Parameters
    ----------
    name : str
        Any that is not the name of a texture or of props of terrain3d.
    image : path or (height, width, 3 or 4) uint8 array
        An image file, which Pillow reads, or pixels with the top row first. Clear pixels get the
        mean color of the others.

    Raises
    ------
    ImportError
        A file is given, and Pillow is not installed.
    TypeError, ValueError
        The name is empty or one of ours; the file is no image, or the image has no pixels or more
        than 4096 x 4096.
    """
    checked_name("texture", name)
    pixels = image if isinstance(image, np.ndarray) else _read(name, image)
    shape = pixels.shape
    is_image = pixels.dtype == np.uint8 and len(shape) == 3 and shape[2] in (3, 4)
    if not is_image or not 1 <= min(shape) <= max(shape) <= MAX_IMAGE_SIZE:
        raise ValueError(
            f"image of {name!r} must be a uint8 array (height, width, 3 or 4) of at most "
            f"{MAX_IMAGE_SIZE} x {MAX_IMAGE_SIZE} pixels, got {pixels.dtype} {shape}"
        )
    shown = pixels[..., :3].astype(np.float64)
    alpha = pixels[..., 3:] / 255.0 if shape[2] == 4 else np.ones((*shape[:2], 1))
    mean = (shown * alpha).sum(axis=(0, 1)) / max(float(alpha.sum()), 1e-9)
    opaque = np.rint(shown * alpha + mean * (1.0 - alpha)).astype(np.uint8)
    opaque.flags.writeable = False
    red, green, blue = (mean / 255.0).tolist()
    TEXTURES[name] = Paint((red, green, blue), jitter=0.02, shift=(0.0, 0.0, 0.0), image=opaque)


def _read(name: str, source: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Return the (height, width, 4) pixels of an image file."""
    path = checked_path(f"image of {name!r}", source)
    check_pillow("a texture from a file")
    from PIL import Image

    problem = ""
    try:
        with Image.open(path) as image:
            wide, high = image.size
            if max(wide, high) <= MAX_IMAGE_SIZE:
                return np.asarray(image.convert("RGBA"))
            problem = f", of {wide} x {high} pixels"
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        problem = f": {getattr(error, 'strerror', None) or 'it cannot be read'}"
    raise ValueError(
        f"image of {name!r} must be an image file such as PNG or JPEG of at most "
        f"{MAX_IMAGE_SIZE} x {MAX_IMAGE_SIZE} pixels, got {quoted(str(path))}{problem}"
    )
