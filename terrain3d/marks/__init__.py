"""Marks in the scene as vertex arrays: tiles, one tile's frame, a way, crumbs, short texts."""

from terrain3d.marks.crumbs import crumbs
from terrain3d.marks.frame import frame
from terrain3d.marks.labels import Glyph, Lettering
from terrain3d.marks.region import pattern, region
from terrain3d.marks.ribbon import middles, ribbon
from terrain3d.marks.shapes import fan, joined

__all__ = [
    "Glyph",
    "Lettering",
    "crumbs",
    "fan",
    "frame",
    "joined",
    "middles",
    "pattern",
    "region",
    "ribbon",
]
