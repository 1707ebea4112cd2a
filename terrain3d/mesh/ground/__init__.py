"""Vertex arrays of the ground: tops, sides, undersides, boards and liquids.

Start reading with `patch.py`, the part of a map that a mesh is built from; `lattice.py` numbers a
tile's neighbors and corners.
"""
