"""Build maps, figures and overlays as vertex arrays, with numpy alone.

May import `terrain3d.map` and what it imports. Start with `data.py`, the vertex arrays, and
`chunk.py`, which joins the meshes of one chunk of a map.
"""

from terrain3d.mesh.chunk import CHUNK_SIZE, chunk_mesh, chunk_rects
from terrain3d.mesh.chunk_tree import Chunk, ChunkTree, Sight
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.coarse import coarse_mesh

__all__ = [
    "CHUNK_SIZE",
    "Chunk",
    "ChunkTree",
    "MeshData",
    "Sight",
    "chunk_mesh",
    "chunk_rects",
    "coarse_mesh",
]
