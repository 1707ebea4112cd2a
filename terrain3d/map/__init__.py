"""Hold a map: its surfaces, edits, undo history and picking.

May import `terrain3d.mapfile`, `terrain3d.generate`, `terrain3d.grid` and `terrain3d.core`. Start
with `tilemap.py`.
"""
