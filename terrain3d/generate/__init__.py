"""Levels and kinds of ground from seeded noise, as arrays.

May import `terrain3d.grid` and `terrain3d.core`. Start reading with `noise.py`; `relief.py` makes
the landscape of `terrain3d.map.landscape`.
"""
