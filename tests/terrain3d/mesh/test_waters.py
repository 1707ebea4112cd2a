"""Liquids: shores, and colors that vary smoothly with depth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import Rect, TileKind, TileMap
from terrain3d.grid.hexgrid import TOPOLOGIES
from terrain3d.mesh.data import CUT_UNIT, LIQUID, MOLTEN, PATTERN_UNIT, RISE_UNIT
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.ground.tops import waters

BLUE = (0.4, 0.6, 0.7)
TABLE = [
    TileKind("land", texture="sand"),
    TileKind("pond", color=BLUE, texture="water", depth=1),
    TileKind("lake", color=BLUE, texture="water", depth=4),
    TileKind("fire", texture="lava", depth=1),
]
NORTH, EAST, SOUTH, WEST = 1, 2, 8, 16
CORNERS = {"sw": 0, "se": 1, "ne": 2, "nw": 3}


def pool(picture, levels=None, topology="square"):
    """Return a map of "." land, "~" pond, "=" lake, "^" fire and "#" void; flat by default."""
    rows = picture.split()
    kind = np.array([[".~=^#".index(sign) for sign in row] for row in rows])
    level = (
        np.zeros(kind.shape, int)
        if levels is None
        else np.array([[int(sign) for sign in row] for row in levels.split()])
    )
    return TileMap(level, kind, TABLE, topology=topology)


def patch_of(tilemap):
    return Patch.of(tilemap, Rect(0, 0, tilemap.rows, tilemap.cols))


def marks_at(tilemap, row, col):
    patch = patch_of(tilemap)
    (at,) = np.nonzero((patch.row == row) & (patch.col == col))[0]
    return patch.marks[at]


def colors_of(tilemap):
    """Give each liquid tile's colors in 0..255 by its cell: four corners, then the middle."""
    patch = patch_of(tilemap)
    (mesh,) = waters(patch)
    cells = zip(patch.row[patch.shores.tile], patch.col[patch.shores.tile], strict=True)
    colors = mesh.colors.reshape(-1, patch.lattice.sides + 1, 4)[..., :3].astype(int)
    return dict(zip([(int(row), int(col)) for row, col in cells], colors, strict=True))


def test_the_shore_of_a_liquid_is_where_no_liquid_of_its_level_is():
    flat = pool("...\n.~~\n.~.")
    assert marks_at(flat, 1, 1) == LIQUID * PATTERN_UNIT + RISE_UNIT * (NORTH + WEST)
    banks = pool("...\n.~~\n.~.", "020\n000\n000")
    assert marks_at(banks, 1, 1) == LIQUID * PATTERN_UNIT + RISE_UNIT * (NORTH + WEST)


def test_lower_ground_is_no_shore():
    fall = pool("~~~", "022")
    assert marks_at(fall, 0, 1) == LIQUID * PATTERN_UNIT + NORTH + SOUTH + WEST
    assert marks_at(fall, 0, 0) == LIQUID * PATTERN_UNIT + NORTH + SOUTH + WEST + RISE_UNIT * EAST
    hole = pool("~#")
    assert marks_at(hole, 0, 0) == LIQUID * PATTERN_UNIT + NORTH + EAST + SOUTH + WEST


def test_dry_ground_has_no_shore():
    assert marks_at(pool("...\n.~.\n..."), 0, 1) % PATTERN_UNIT == NORTH
    assert patch_of(pool("..\n..")).shores.tile.tolist() == []
    assert waters(patch_of(pool("..\n.."))) == []


def test_lava_is_a_liquid_of_its_own_pattern():
    assert marks_at(pool("^"), 0, 0) // PATTERN_UNIT == MOLTEN


def test_a_shore_that_only_touches_a_corner_cuts_it():
    (mesh,) = waters(patch_of(pool("~~~\n~~~\n~~.")))
    cut = mesh.uv[:, 2].reshape(-1, 5) >= CUT_UNIT
    assert np.argwhere(cut).tolist() == [[4, CORNERS["se"]]]  # of the middle tile


def test_a_deeper_middle_is_darker_and_a_corner_lies_between():
    colors = colors_of(pool("~~~~\n~==~\n~~~~"))
    pond, lake = colors[0, 0][4], colors[1, 1][4]
    assert (lake < pond - 20).all()
    shared = colors[1, 1][CORNERS["nw"]]
    assert ((lake < shared) & (shared < pond)).all()


def test_the_shore_is_paler():
    colors = colors_of(pool("~~~\n~~~\n..."))
    assert (colors[1, 1][CORNERS["sw"]] > colors[1, 1][4] + 5).all()
    assert (colors[0, 1][CORNERS["nw"]] == colors[0, 1][4]).all()


@given(st.integers(0, 2**32), st.sampled_from(TOPOLOGIES))
def test_colors_on_one_level_are_continuous_between_tiles(seed, topology):
    """What meets in a point has one color there: no tile's edge shows."""
    rng = np.random.default_rng(seed)
    tilemap = TileMap(np.zeros((5, 6), int), rng.integers(0, 3, (5, 6)), TABLE, topology=topology)
    patch = patch_of(tilemap)
    parts = waters(patch)
    at = {}
    for mesh in parts:
        for point, color in zip(mesh.positions, mesh.colors, strict=True):
            at.setdefault(tuple(point), set()).add(tuple(color))
    assert all(len(colors) == 1 for colors in at.values())


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_liquid_top_is_a_fan_that_faces_up(topology):
    (mesh,) = waters(patch_of(pool("~~~\n~=~\n~~~", topology=topology)))
    a, b, c = (mesh.positions[mesh.triangles[:, i]].astype(float) for i in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    assert len(mesh.triangles) == 9 * (4 if topology == "square" else 6)
