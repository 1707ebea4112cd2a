"""Preset profiles by name: light and heavy foot, acrobat, floater, swimmer, flyer, warp, leaper."""

from ai.rules.presets import (
    ACROBAT,
    BY_NAME,
    FLOAT,
    FLYER,
    HEAVY_FOOT,
    LEAPER,
    LIGHT_FOOT,
    SWIMMER,
    WARP,
    figure_of,
    named,
)

__all__ = [
    "ACROBAT",
    "BY_NAME",
    "FLOAT",
    "FLYER",
    "HEAVY_FOOT",
    "LEAPER",
    "LIGHT_FOOT",
    "SWIMMER",
    "WARP",
    "figure_of",
    "named",
]
