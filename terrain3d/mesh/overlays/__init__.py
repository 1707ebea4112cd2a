"""Marks on the map as vertex arrays: regions, paths, cursor frame, crumbs, labels, search tiles.

May import the other modules of `terrain3d.mesh`. Start with `flat_shapes.py`, which all marks use,
then `region.py` or `ribbon.py`.
"""

from terrain3d.mesh.overlays.crumbs import crumbs
from terrain3d.mesh.overlays.flat_shapes import fan, joined
from terrain3d.mesh.overlays.frame import frame
from terrain3d.mesh.overlays.labels import Glyph, Lettering
from terrain3d.mesh.overlays.region import pattern, region
from terrain3d.mesh.overlays.ribbon import ribbon, step_midpoints

__all__ = [
    "Glyph",
    "Lettering",
    "crumbs",
    "fan",
    "frame",
    "joined",
    "pattern",
    "region",
    "ribbon",
    "step_midpoints",
]
