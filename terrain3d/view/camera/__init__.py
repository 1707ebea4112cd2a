"""Orbit the camera around the map.

May import `scene`, `light`, `window` and `geometry`. Start with `orbit_camera_3d.py`.
"""
