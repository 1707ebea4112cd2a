"""`TileMap`: surfaces, edits, undo and picking.

May import `terrain3d.generate`, `terrain3d.grid`, `terrain3d.picture` and `terrain3d.core`. Start
reading with `tilemap.py`; `surfaces.py` holds the arrays, `edit.py` an open edit, `change.py` the
changes that were applied.
"""
