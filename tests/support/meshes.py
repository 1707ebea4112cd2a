"""Measures of meshes, and meshes as text pictures."""

from collections import Counter

import numpy as np

from terrain3d import Rect
from terrain3d.mesh.chunks import Chunk, chunk_rects
from terrain3d.mesh.ground.patch import Patch


def whole(tilemap):
    return Rect(0, 0, tilemap.rows, tilemap.cols)


def patch_of(tilemap, deck=0):
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


FINE = 12


def insides(meshes):
    """Return (n, 3) points inside the triangles of meshes."""
    corners = np.concatenate([mesh.positions[mesh.triangles] for mesh in meshes]).astype(float)
    a, b = (np.indices((FINE, FINE)).reshape(2, -1) + 0.5) / FINE
    a, b = np.where(a + b > 1.0, (1.0 - b, 1.0 - a), (a, b))
    shares = np.stack([1.0 - a - b, a, b], axis=1)
    return np.einsum("sc,tcx->tsx", shares, corners).reshape(-1, 3)


def drawn(across, down, sizes, shape):
    """Draw points as "#" in a picture of `shape` rows and columns of squares of those sizes."""
    rows, cols = shape
    col, row = np.floor(np.divide((across, down), np.reshape(sizes, (2, 1)))).astype(int)
    seen = np.zeros(shape, dtype=bool)
    inside = (row >= 0) & (row < rows) & (col >= 0) & (col < cols)
    seen[row[inside], col[inside]] = True
    return "\n".join("".join("#" if sign else "." for sign in line) for line in seen)


def from_above(meshes, rows, cols):
    """Draw a map of squares with 3 characters per tile, so that edges have their own rows."""
    if not meshes:
        return drawn(np.zeros(0), np.zeros(0), (1, 1), (3 * rows + 1, 3 * cols + 1))
    x, y, _ = insides(meshes).T
    third = 1.0 / 3.0
    shape = 3 * rows + 1, 3 * cols + 1
    return drawn(x + third / 2, -y + third / 2, (third, third), shape)


def by_tiles(meshes, tilemap):
    """Draw a map with one character per tile, "#" where the meshes do more than touch its edge."""
    seen = np.zeros((tilemap.rows, tilemap.cols), dtype=bool)
    points = insides(meshes)[:, :2] if meshes else np.zeros((0, 2))
    for cell in np.ndindex(*seen.shape):
        out = (points - tilemap.grid.center(cell)) @ np.array(tilemap.grid.headings).T
        seen[cell] = (out.max(axis=1, initial=-1.0) < 0.48).any()
    return "\n".join("".join("#" if sign else "." for sign in line) for line in seen)


def picture(text):
    """Remove the indentation of a picture in a test."""
    return "\n".join(line.strip() for line in text.strip().splitlines())
