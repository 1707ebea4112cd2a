"""Build maps, figures and overlays as vertex arrays, with numpy alone.

May import `terrain3d.map` and what it imports. Start with `data.py`, the vertex arrays, and
`chunks.py`, which joins the meshes of one chunk of a map.
"""
