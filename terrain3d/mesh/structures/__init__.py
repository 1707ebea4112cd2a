"""Build the vertex arrays of walls, doors, ladders, stairs, rails and other links.

Start with `tile_edges.py`, the edges that structures stand on.
"""
