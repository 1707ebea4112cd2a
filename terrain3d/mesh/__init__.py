"""Maps and figures as vertex arrays, made by numpy alone."""

from terrain3d.mesh.chunk import CHUNK_SIZE, chunk_mesh, chunk_rects, touched_rects
from terrain3d.mesh.data import MeshData

__all__ = ["CHUNK_SIZE", "MeshData", "chunk_mesh", "chunk_rects", "touched_rects"]
