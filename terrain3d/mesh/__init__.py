"""Build maps, figures and overlays as vertex arrays, with numpy alone.

May import `terrain3d.map` and what it imports. Start with `data.py`, the vertex arrays, and
`chunk.py`, which joins the meshes of one chunk of a map.
"""

from terrain3d.mesh.chunk import CHUNK_SIZE, chunk_mesh, chunk_rects, touched_rects
from terrain3d.mesh.data import MeshData

__all__ = ["CHUNK_SIZE", "MeshData", "chunk_mesh", "chunk_rects", "touched_rects"]
