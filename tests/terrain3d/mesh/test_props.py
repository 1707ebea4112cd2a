"""Props grow where they should, the same each time, with room for a figure, in sound shapes."""

import numpy as np
import pytest

from terrain3d import KINDS, Rect, TileKind, TileMap
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.props import (
    copies,
    flowers,
    mushrooms,
    pebble,
    props,
    reeds,
    rubble,
    trees,
    tuft,
)
from tests.support.meshes import open_edges

NAMES = [kind.name for kind in KINDS]


def field(kind, rows=12, cols=12, level=2):
    shape = (rows, cols)
    tilemap = TileMap(np.full(shape, level), np.full(shape, NAMES.index(kind)))
    return Patch.of(tilemap, Rect(0, 0, rows, cols)), tilemap


def vertices(meshes):
    """Return the (n, 3) points of meshes."""
    return np.concatenate([mesh.positions for mesh in meshes])


@pytest.mark.parametrize("kind", ["road", "shallow", "deep", "lava", "wood"])
def test_nothing_grows_on_roads_bridges_and_liquids(kind):
    patch, _ = field(kind)
    assert props(patch) == []


@pytest.mark.parametrize(
    ("kind", "grow", "top"), [("forest", trees, 1.25), ("swamp", reeds, 0.6), ("rock", rubble, 0.3)]
)
def test_plants_stand_on_their_tile_leave_room_for_a_figure_and_pierce_no_bridge(kind, grow, top):
    patch, _ = field(kind)
    x, y, z = vertices(grow(patch)).T
    assert min(x.min(), -y.max()) > -0.15
    assert max(x.max(), -y.min()) < 12.15
    assert -0.05 < z.min() - 1.0 < 0.0
    assert 0.1 < z.max() - 1.0 < top
    to_middle = np.hypot(x % 1.0 - 0.5, y % 1.0 - 0.5)
    assert to_middle[z > 1.05].min() > 0.2
    _, tilemap = field(kind, 9, 9)
    with tilemap.edit() as edit:
        edit.add_deck([(4, col) for col in range(9)], level=4)
    patch = Patch.of(tilemap, Rect(0, 0, 9, 9))
    grown = vertices(grow(patch))
    middles = grown[np.abs(grown[:, 1] + 4.5) < 0.3]
    assert len(grown) > 50
    assert len(middles) == 0


@pytest.mark.parametrize("kind", ["forest", "swamp", "rock", "grass"])
def test_a_tile_looks_the_same_beside_any_neighbors(kind):
    """The neighbors do not shift what grows on a tile: it hangs on its place alone."""
    patch, tilemap = field(kind)
    alone = np.full((12, 12), NAMES.index("road"))
    alone[3:6, 4:8] = NAMES.index(kind)
    lone_map = TileMap(tilemap.level, alone)
    lone = vertices(props(Patch.of(lone_map, Rect(0, 0, 12, 12))))
    crowd = {tuple(point) for point in vertices(props(patch))}
    assert len(lone) > 50
    assert all(tuple(point) in crowd for point in lone)


def test_stones_are_closed_above_the_ground():
    tilemap = TileMap(np.zeros((9, 9), int), kinds=[TileKind("x", props="rubble")])
    for mesh in rubble(Patch.of(tilemap, Rect(0, 0, 9, 9))):
        edges = open_edges(mesh)
        assert len(edges)
        assert edges[..., 2].max() < 0.0  # in the ground, where nobody sees it


def test_rubble_is_dense_in_some_squares_of_a_field_and_more_often_boulders_than_slabs():
    boulders, slabs = rubble(field("rock", 30, 30)[0])
    assert len(boulders.positions) > 2 * len(slabs.positions)
    x, y, _ = vertices([boulders, slabs]).T
    per_square = np.histogram2d(x, -y, bins=10, range=((0, 30), (0, 30)))[0]
    assert np.median(per_square) < 0.4 * per_square.max()
    assert (per_square > 0).mean() > 0.5


def test_the_crown_of_a_tree_is_around_its_trunk():
    for mesh in trees(field("forest")[0]):
        is_foot = mesh.positions[:, 2] < 0.99  # four points of each trunk, a little in the ground
        foot = mesh.positions[is_foot].reshape(-1, 4, 3).mean(axis=1)
        middle = mesh.positions.reshape(len(foot), -1, 3).mean(axis=1)
        assert np.hypot(*(middle - foot).T[:2]).max() < 0.03


@pytest.mark.parametrize("shape", [tuft([(0.3, 0.05, 0.15)]), flowers(), mushrooms(), pebble()])
def test_small_plants_are_small_and_grow_out_of_the_ground(shape):
    gray, at = np.full((1, 3), 0.5), np.zeros((1, 3), np.float32)
    x, y, z = copies(shape, at, np.zeros(1), np.ones((1, 1)), gray, gray).positions.T
    assert np.hypot(x, y).max() <= 0.16
    assert -0.02 < z.min() < 0.0 < z.max() <= 0.16
