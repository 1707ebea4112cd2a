"""Vertex arrays of the ground: tops, sides such as cliffs, undersides, liquids.

Start reading with `patch.py`, the part of a map that a mesh is built from; `lattice.py` numbers a
tile's neighbors and corners. `tops.py` and `sides.py` build the arrays.
"""
