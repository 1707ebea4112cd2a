"""What tests of meshes share."""

from collections import Counter

import numpy as np

from terrain3d import Rect
from terrain3d.mesh.chunks import Chunk, chunk_rects
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.patch import Patch


def whole(tilemap):
    """Return the rectangle of all cells of a map."""
    return Rect(0, 0, tilemap.rows, tilemap.cols)


def patch_of(tilemap, deck=0):
    """Return the patch of one deck of a map."""
    return Patch.of(tilemap, whole(tilemap), deck)


def touched_rects(tilemap, changed):
    """Return the full chunks of a map that an edit of the cells in `changed` touches."""
    rects = chunk_rects(tilemap.rows, tilemap.cols)
    return [rect for rect in rects if Chunk(tilemap.grid, rect, 0).touches(changed)]


def vertex_rows(mesh):
    """Give each triangle's corners with all they carry, sorted."""
    edges = mesh.surface["edges"].reshape(-1, 8)
    others = [mesh.surface[name][:, None] for name in ("pattern", "is_cut", "part", "look")]
    parts = mesh.positions, mesh.normals, mesh.colors, mesh.uv, edges, *others
    all_of_it = np.concatenate(parts, axis=1)
    triangles = all_of_it[mesh.triangles].reshape(len(mesh.triangles), 3 * all_of_it.shape[1])
    weights = np.random.default_rng(0).random(triangles.shape[1])
    return triangles[np.argsort(triangles @ weights)]


def facing(mesh):
    """Give how far each triangle's own normal agrees with those of its corners."""
    a, b, c = (mesh.positions[mesh.triangles[:, i]].astype(float) for i in range(3))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.triangles].sum(axis=1))


def open_edges(mesh):
    """Return the (n, 2, 3) ends of edges that no second triangle has in the other direction."""
    corners = np.round(mesh.positions[mesh.triangles], 5) + 0.0  # no -0.0
    is_whole = (corners != np.roll(corners, 1, axis=1)).any(axis=2).all(axis=1)
    corners = corners[is_whole]  # at a pole one side has no length
    ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    seen = Counter((tuple(one), tuple(other)) for one, other in ends.tolist())
    assert max(seen.values()) == 1, "two triangles have an edge in the same direction"
    return np.array([edge for edge in seen if edge[::-1] not in seen])


def color_limits(monkeypatch):
    """Return a list that gets the least and the greatest color of each mesh made from now on."""
    limits, real = [], MeshData.of

    def of(positions, normals, colors, *rest):
        limits.extend((np.min(colors, initial=1.0), np.max(colors, initial=0.0)))
        return real(positions, normals, colors, *rest)

    monkeypatch.setattr(MeshData, "of", of)
    return limits
