"""Marks on the ground as vertex arrays: a set of tiles, one tile's frame, a way."""

from terrain3d.marks.frame import frame
from terrain3d.marks.region import pattern, region
from terrain3d.marks.ribbon import ribbon
from terrain3d.marks.shapes import fan, joined

__all__ = ["fan", "frame", "joined", "pattern", "region", "ribbon"]
