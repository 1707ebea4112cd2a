"""Build the vertex arrays of walls, rails, doors, ladders, stairs and marks of links.

May import `terrain3d.mesh.ground` and the modules of `terrain3d.mesh`. Start with `tile_edges.py`,
the edges that structures are built on.
"""
