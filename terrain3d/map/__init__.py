"""The map: surfaces, edits, undo history, picking, and the sample landscape.

May import `terrain3d.formats`, `terrain3d.generate`, `terrain3d.grid` and `terrain3d.core`. Start
reading with `tilemap.py`; `surfaces.py` holds the arrays, `draft.py` an open edit, `change.py` the
difference that it makes, `history.py` undo and redo.
"""
