"""Show the map and marks on it as nodes.

May import `light`, `window` and `geometry`. Start with `terrain_3d.py`.
"""
