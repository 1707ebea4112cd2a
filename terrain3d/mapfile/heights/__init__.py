"""Read grids of heights: PNG, ESRI ASCII, SRTM and numpy files.

May import `terrain3d.grid` and `terrain3d.core`. Start with `height_rules.py`, which turns heights
into levels.
"""
