"""Marks in the scene as vertex arrays: tiles, one tile's frame, a way, crumbs, short texts."""

from terrain3d.mesh.overlays.crumbs import crumbs
from terrain3d.mesh.overlays.flat_shapes import fan, joined
from terrain3d.mesh.overlays.frame import frame
from terrain3d.mesh.overlays.labels import Glyph, Lettering
from terrain3d.mesh.overlays.region import pattern, region
from terrain3d.mesh.overlays.ribbon import middles, ribbon

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
