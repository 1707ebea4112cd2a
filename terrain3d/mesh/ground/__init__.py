"""Build the vertex arrays of tops, sides and water.

Start with `patch.py`, the piece of a map that a mesh is built from.
"""
