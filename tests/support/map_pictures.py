"""Meshes as text pictures: a character for each small square that a mesh covers."""

import numpy as np

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
    col, row = (
        np.floor(each / size).astype(int) for each, size in zip((across, down), sizes, strict=True)
    )
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
