"""Textures, props and shadows of tests, and how colors look with each kind of color vision."""

from contextlib import contextmanager

import numpy as np

from terrain3d.grid.kinds import PROPS, TEXTURES
from terrain3d.look.settings import QUALITIES


@contextmanager
def forgotten():
    """Leave textures and props as they were before a `with` block."""
    before = dict(TEXTURES), dict(PROPS)
    try:
        yield
    finally:
        for table, entries in zip((TEXTURES, PROPS), before, strict=True):
            table.clear()
            table.update(entries)


def make_shadows_small() -> None:
    """Give all levels of quality shadows of a quarter of their size in this process."""
    for quality in QUALITIES.values():
        object.__setattr__(quality, "shadow_size", quality.shadow_size // 4)


# Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency" (2009), https://doi.org/10.1109/TVCG.2009.113: severity 1.0, for linear RGB.
VISION = {
    "usual": [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "protanopia": [
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ],
    "deuteranopia": [
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ],
    "tritanopia": [
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ],
}


def linear_as_seen(colors, vision):
    """Return colors, (..., 3) in 0..1 of sRGB, as linear light after the loss of a vision."""
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return np.clip(linear @ np.transpose(VISION[vision]), 0.0, 1.0)


def as_seen(colors, vision):
    """Return colors, (..., 3) in 0..1 of sRGB, as they look with a vision."""
    linear = linear_as_seen(colors, vision)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
