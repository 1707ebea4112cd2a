"""Marks on the map as vertex arrays: regions, paths, cursor frame, crumbs, labels, search tiles.

May import the other modules of `terrain3d.mesh`. Start with `flat_shapes.py`, which all marks use,
then `region.py` or `ribbon.py`.
"""
