"""Marks in the scene as vertex arrays: a set of tiles, one tile's frame, a way, short texts."""

from terrain3d.marks.frame import frame
from terrain3d.marks.labels import Glyph, Lettering
from terrain3d.marks.region import pattern, region
from terrain3d.marks.ribbon import middles, ribbon
from terrain3d.marks.shapes import fan, joined

__all__ = ["Glyph", "Lettering", "fan", "frame", "joined", "middles", "pattern", "region", "ribbon"]
