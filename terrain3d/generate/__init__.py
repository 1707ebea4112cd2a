"""Generate height and kind arrays from seeded noise.

May import `terrain3d.grid` and `terrain3d.core`. Start with `noise.py`.
"""
