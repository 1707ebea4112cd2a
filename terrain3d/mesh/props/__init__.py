"""Build the vertex arrays of trees, plants and stones on tiles.

May import `terrain3d.mesh.ground` and the modules of `terrain3d.mesh`. Start with `props.py`, which
puts them on a patch, and `scatter.py`, which copies a shape.
"""
