"""Show the map, units and marks as nodes.

May import `light`, `window` and `geometry`. Start with `terrain_3d.py`.
"""
