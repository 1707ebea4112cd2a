"""Orbit a camera around one or more maps.

May import `scene`, `light`, `window` and `geometry`. Start with `orbit_camera_3d.py`.
"""
