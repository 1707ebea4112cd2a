"""Build the vertex arrays of figures, and of the marks at their feet.

May import the modules of `terrain3d.mesh`. Start with `catalog.py`.
"""
