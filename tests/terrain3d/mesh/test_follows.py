"""Edits change only the chunks that are meshed again."""

from dataclasses import fields

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, TOPOLOGIES, Rect, TileMap
from terrain3d.mesh.chunks import CHUNK_SIZE, chunk_mesh, chunk_rects
from terrain3d.mesh.data import MeshData
from tests.support.meshes import touched_rects, vertex_rows

LINKS = ("ladder", "stairs", "door", "ledge", "teleporter", "lift")
SIZE = CHUNK_SIZE + 4
"""Four chunks, three of them small; the random cells below lie about the point where they meet."""


def a_cell(rng, tilemap):
    """Choose a cell near where chunks meet, half of the time one where a link or a wall ends."""
    ends = [end for pair in (*tilemap.links, *tilemap.walls) for end in (pair.start, pair.end)]
    if ends and rng.random() < 0.5:
        return tuple(ends[int(rng.integers(len(ends)))][:2])
    return tuple(int(n) for n in rng.integers(CHUNK_SIZE - 3, SIZE, 2))


def ground(rng, topology):
    """Make a map with ground near where chunks meet alone, which is quickly meshed."""
    kind = np.full((SIZE, SIZE), len(KINDS) - 1)
    kind[CHUNK_SIZE - 5 :, CHUNK_SIZE - 5 :] = 0
    return TileMap(rng.integers(0, 4, kind.shape), kind, topology=topology)


def orders(rng, tilemap):
    """Choose random orders that an edit may give, some of which it refuses."""
    cell, other = a_cell(rng, tilemap), a_cell(rng, tilemap)

    def highest(place):
        return (*place[:2], max(tilemap.decks_at(place[:2]), default=0))

    neighbors = tilemap.grid.neighbors(cell)
    near = neighbors[int(rng.integers(len(neighbors)))]
    far = other if rng.random() < 0.5 else near
    one_way = bool(rng.random() < 0.5)
    return [
        ("set_level", cell, int(rng.integers(0, 5))),
        ("set_kind", cell, str(rng.choice(["shallow", "wood", "forest"]))),
        ("add_deck", cell, int(rng.integers(6, 9))),
        ("remove_deck", cell),
        ("add_wall", cell, highest(near), one_way),
        ("remove_wall", cell, near),
        ("add_link", cell, highest(far), 1, str(rng.choice(LINKS)), one_way),
        ("remove_link", cell, near),
    ]


def try_one(rng, tilemap):
    choices = orders(rng, tilemap)
    name, *arguments = choices[int(rng.integers(len(choices)))]
    try:
        with tilemap.edit() as edit:
            getattr(edit, name)(*arguments)
    except (ValueError, IndexError):
        pass


def meshes(tilemap):
    return {rect: chunk_mesh(tilemap, rect) for rect in chunk_rects(tilemap.rows, tilemap.cols)}


def is_same(one, other):
    return all(
        np.array_equal(getattr(one, entry.name), getattr(other, entry.name))
        for entry in fields(MeshData)
    )


@given(st.sampled_from(TOPOLOGIES), st.integers(0, 2**32))
def test_chunks_that_no_edit_touches_stay_as_they_are(topology, seed):
    rng = np.random.default_rng(seed)
    tilemap = ground(rng, topology)
    for _ in range(15):
        try_one(rng, tilemap)
    before = meshes(tilemap)
    for _ in range(5):
        version = tilemap.version
        if rng.random() < 0.2:
            tilemap.undo()
        else:
            try_one(rng, tilemap)
        changed = tilemap.changed_since(version)
        touched = touched_rects(tilemap, changed) if changed else []
        after = meshes(tilemap)
        assert all(is_same(before[rect], after[rect]) for rect in before if rect not in touched)
        before = after


@given(st.sampled_from(TOPOLOGIES), st.integers(0, 2**32))
def test_chunks_hold_each_wall_and_link_once(topology, seed):
    rng = np.random.default_rng(seed)
    tilemap = ground(rng, topology)
    for _ in range(15):
        try_one(rng, tilemap)
    one = chunk_mesh(tilemap, Rect(0, 0, SIZE, SIZE))
    parts = MeshData.join(list(meshes(tilemap).values()))

    np.testing.assert_array_equal(vertex_rows(parts), vertex_rows(one))
