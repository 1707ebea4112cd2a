"""Where faces of the ground meet they share whole edges, so that no light shines through."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from terrain3d import KINDS, TOPOLOGIES, Rect, TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.coarse import coarse_mesh
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.sides import sides
from terrain3d.mesh.ground.tops import tops, undersides, waters

SIZE, FIRST = 4, 260
"""Rows and columns with ground, in a map that is void elsewhere, and the first of them: far from
the origin positions are less precise.
"""
RELIEFS = (2, 7, 60, 2000)
"""Numbers of levels: sides of more than sixteen have bands of several levels."""


def ground(seed, topology, n_levels, step_height, n_decks):
    """Return a map of all kinds, void among them, with decks at any height."""
    rng = np.random.default_rng(seed)
    level = np.zeros((FIRST + SIZE, FIRST + SIZE), int)
    kind = np.full(level.shape, len(KINDS) - 1)
    level[FIRST:, FIRST:] = rng.integers(0, n_levels, (SIZE, SIZE))
    kind[FIRST:, FIRST:] = rng.integers(0, len(KINDS), (SIZE, SIZE))
    tilemap = TileMap(level, kind, step_height=step_height, topology=topology)
    for _ in range(n_decks):
        cell = tuple(rng.integers(FIRST, FIRST + SIZE, 2).tolist())
        above = int(rng.choice([1, 2, 3, n_levels]))
        thickness = int(rng.integers(1, above + 1))
        with tilemap.edit() as edit:
            decks = [deck for deck in tilemap.decks_at(cell) if deck]
            floor = max(tilemap.level_at((*cell, deck)) for deck in (0, *decks))
            edit.add_deck(cell, floor + above, thickness=thickness)
    return tilemap


def parts_of(tilemap, chunk):
    """Return the closed surface of a map, meshed in chunks of a size, and the lips on it."""
    bodies, lips = [], []
    for row in range(FIRST, tilemap.rows, chunk):
        for col in range(FIRST, tilemap.cols, chunk):
            rect = Rect(row, col, min(chunk, tilemap.rows - row), min(chunk, tilemap.cols - col))
            for deck in range(tilemap.n_decks + 1):
                patch = Patch.of(tilemap, rect, deck)
                if len(patch.z):
                    bands, hangs = [*sides(patch), None, None][:2]
                    bodies += [tops(patch), *waters(patch), *([bands] if bands else [])]
                    bodies += [undersides(patch)] if deck else []
                    if hangs:
                        lips.append(hangs)
                        collars = hangs.triangles.reshape(-1, 6, 3)[:, :2].reshape(-1, 3)
                        bodies.append(replace(hangs, triangles=collars))
    return MeshData.join(bodies), MeshData.join(lips)


def edges_of(mesh):
    """Return the (n, 2, 3) edges of a mesh's triangles that have an extent, to the last bit."""
    corners = mesh.positions[mesh.triangles]
    return np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3)


def keys(edges):
    """Return an edge as text, the same in both directions."""
    return [b"".join(sorted(end.tobytes() for end in edge)) for edge in edges + 0.0]


def single_edges(mesh, tilemap):
    """Return the edges of one triangle alone, but for those at the bottom and inside the ground."""
    edges = edges_of(mesh)
    _, first, count = np.unique(keys(edges), return_index=True, return_counts=True)
    single = edges[first[count == 1]]
    single = single[(single[..., 2] > tilemap.base_z + 1e-6).any(axis=1)]
    return [edge for edge in single if not is_buried(tilemap, *edge.mean(axis=0).tolist())]


def is_buried(tilemap, x, y, z):
    """Return whether there is ground on all sides of a point: a face in there is never seen."""
    for turn in np.arange(0.1, 2.0 * np.pi, np.pi / 6.0):
        cell = tilemap.grid.cell_at(x + 0.1 * np.cos(turn), y + 0.1 * np.sin(turn))
        bodies = []
        for deck in tilemap.decks_at(cell) if cell else ():
            top = tilemap.level_at((*cell[:2], deck))
            thickness = int(tilemap.surface_thickness[deck, cell.row, cell.col])
            bodies.append((top - thickness if deck else -np.inf, top))
        if not any(low < z / tilemap.step_height < high for low, high in bodies):
            return False
    return True


def cut_edges(mesh):
    """Return triples of the ends of an edge and a vertex between them, but for middles of tops."""
    is_middle = (mesh.uv == 0.5).all(axis=1) & (mesh.normals[:, 2] == 1.0)
    is_middle[np.setdiff1d(np.arange(len(is_middle)), mesh.triangles)] = True
    points = np.unique(mesh.positions[~is_middle], axis=0).astype(float)
    found = []
    edges = edges_of(mesh)
    for start, end in edges[np.unique(keys(edges), return_index=True)[1]].astype(float):
        along = end - start
        part = (points - start) @ along / (along @ along)
        off = np.linalg.norm(points - start - part[:, None] * along, axis=1)
        inner = (part > 1e-5) & (part < 1.0 - 1e-5) & (off < 1e-5)
        found += [(start, end, point) for point in points[inner]]
    return found


maps = st.builds(
    ground,
    st.integers(0, 2**32),
    st.sampled_from(TOPOLOGIES),
    st.sampled_from(RELIEFS),
    st.sampled_from((0.1, 0.3, 0.5, 1.0)),
    st.sampled_from((0, 0, 9)),
)


@settings(deadline=None, max_examples=20)
@given(maps, st.sampled_from((2, 3, SIZE)))
@example(ground(1, "square", 60, 0.5, 0), 2)
def test_faces_share_whole_edges_across_chunks(tilemap, chunk):
    body, lips = parts_of(tilemap, chunk)
    assert single_edges(body, tilemap) == []
    assert cut_edges(body) == []
    upper = lips.positions.reshape(-1, 8, 3)[:, :2]
    assert set(keys(upper)) <= set(keys(edges_of(body)))


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("n_levels", RELIEFS)
def test_blocks_share_whole_edges(topology, stride, n_levels):
    tilemap = ground(3, topology, n_levels, 0.5, 5)
    mesh = coarse_mesh(tilemap, Rect(FIRST, FIRST, SIZE, SIZE), stride)
    assert single_edges(mesh, tilemap) == []
    assert cut_edges(mesh) == []
