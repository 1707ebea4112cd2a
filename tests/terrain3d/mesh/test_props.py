"""Props grow where they should, the same each time, with room for a figure, in sound shapes."""

import numpy as np
import pytest

from terrain3d import KINDS, Rect, TileKind, TileMap
from terrain3d.grid.kinds import PROPS
from terrain3d.mesh.chunks import chunk_mesh
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
ROOM = 0.2  # around a tile's middle, where a figure's body is


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


@pytest.mark.parametrize(("kind", "grow"), [("forest", trees), ("swamp", reeds), ("rock", rubble)])
def test_plants_stay_on_their_tile_and_stand_on_its_top(kind, grow):
    patch, _ = field(kind)
    x, y, z = vertices(grow(patch)).T
    assert x.min() > -0.15
    assert x.max() < 12.15
    assert y.max() < 0.15
    assert y.min() > -12.15
    assert -0.05 < z.min() - 1.0 < 0.0
    assert 0.1 < z.max() - 1.0 < 1.25


@pytest.mark.parametrize(("kind", "grow"), [("forest", trees), ("swamp", reeds), ("rock", rubble)])
def test_a_figure_has_room_in_the_middle(kind, grow):
    patch, _ = field(kind)
    x, y, z = vertices(grow(patch)).T
    to_middle = np.hypot(x % 1.0 - 0.5, y % 1.0 - 0.5)
    assert to_middle[z > 1.05].min() > ROOM


def test_every_forest_tile_has_two_to_four_trees_and_no_two_tiles_are_alike():
    patch, _ = field("forest", 20, 20)
    x, y, z = vertices(trees(patch)).T
    is_foot = z < 0.99  # four points of each trunk lie a little in the ground
    tile = np.floor(-y[is_foot]).astype(int) * 20 + np.floor(x[is_foot]).astype(int)
    count = np.bincount(tile, minlength=400) / 4
    assert set(count) == {2, 3, 4}
    corner_x = np.sort(x[is_foot] % 1.0)
    assert len(np.unique(np.round(corner_x, 4))) > 0.5 * len(corner_x)


def by_corner(kind, grow):
    """Return, for each type of a prop, the (n, 2) points of those at each corner of far tiles.

    They are relative to the middle of their tile, to the east and to the north.
    """
    number = np.full((60, 60), NAMES.index("road"))
    number[1::3, 1::3] = NAMES.index(kind)  # so far apart that no two props meet
    tilemap = TileMap(np.zeros((60, 60), int), number)
    found = []
    for mesh in grow(Patch.of(tilemap, Rect(0, 0, 60, 60))):
        x, y, _ = mesh.positions.T
        aside = np.stack([x % 3.0 - 1.5, y % 3.0 - 1.5], axis=1)
        place = np.floor(x / 3.0) * 20 + np.floor(-y / 3.0)
        corner = place * 4 + 2 * (aside[:, 0] > 0) + (aside[:, 1] > 0)
        found.append([aside[corner == each] for each in np.unique(corner)])
    return found


@pytest.mark.parametrize(("kind", "grow"), [("forest", trees), ("rock", rubble)])
def test_trees_and_stones_stand_near_the_corners(kind, grow):
    """Seen from the middle of their tile, in the directions of its diagonals."""
    for props_of_type in by_corner(kind, grow):
        assert len(props_of_type) > 50
        for points in props_of_type:
            turn = np.degrees(np.arctan2(*np.abs(points.mean(axis=0)))) - 45.0
            assert abs(turn) < 15.0


def test_stones_of_both_types_are_large_and_small():
    """The widest is more than twice as wide as the narrowest."""
    for stones in by_corner("rock", rubble):
        widths = [np.hypot(*np.ptp(points, axis=0)) for points in stones]
        assert max(widths) > 2.0 * min(widths)


def test_all_types_of_trees_occur():
    patch, _ = field("forest", 20, 20)
    numbers = [len(sort.positions) for sort in trees(patch)]
    assert len(numbers) == 4
    assert min(numbers) > 0.04 * sum(numbers)
    assert max(numbers) < 0.7 * sum(numbers)


def test_flowers_grow_in_patches():
    patch, _ = field("grass", 30, 30)
    (flowers,) = [
        mesh for mesh in props(patch) if mesh.colors[:, 0].max() > 240
    ]  # none else is as bright
    x, y, _ = flowers.positions.T
    tiles = {(int(row), int(col)) for row, col in zip(-y, x, strict=True)}
    neighbors = [(row, col + 1) in tiles for row, col in tiles]
    assert 0.05 < len(tiles) / 900 < 0.4
    assert np.mean(neighbors) > 1.5 * len(tiles) / 900


def test_rubble_lies_in_the_corners_of_rock_in_some_squares_only():
    patch, _ = field("rock", 30, 30)
    x, y, z = vertices(rubble(patch)).T
    assert -0.05 < z.min() - 1.0 < 0.0
    assert 0.1 < z.max() - 1.0 < 0.3
    aside = np.minimum(np.abs(x % 1.0 - 0.5), np.abs(-y % 1.0 - 0.5))
    assert aside[z > 1.05].min() > 0.1
    per_square = np.histogram2d(x, y, bins=10, range=((0, 30), (-30, 0)))[0]
    assert np.median(per_square) < 0.4 * per_square.max()
    assert (per_square > 0).mean() > 0.5


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


@pytest.mark.parametrize(("kind", "grow"), [("forest", trees), ("swamp", reeds), ("rock", rubble)])
def test_nothing_pierces_a_bridge(kind, grow):
    _, tilemap = field(kind, 9, 9)
    with tilemap.edit() as edit:
        edit.add_deck([(4, col) for col in range(9)], level=4)
    patch = Patch.of(tilemap, Rect(0, 0, 9, 9))
    grown = vertices(grow(patch))
    middles = grown[np.abs(grown[:, 1] + 4.5) < 0.3]
    assert len(grown) > 50
    assert len(middles) == 0


@pytest.mark.parametrize(("kind", "grow"), [("forest", trees), ("swamp", reeds), ("rock", rubble)])
def test_hexagons_have_props_too(kind, grow):
    shape = (6, 6)
    tilemap = TileMap(np.zeros(shape, int), np.full(shape, NAMES.index(kind)), topology="hex_odd_r")
    patch = Patch.of(tilemap, Rect(0, 0, *shape))
    grown = vertices(grow(patch))
    apart = np.linalg.norm(grown[:, None, :2] - patch.center[None], axis=2).min(axis=1)
    assert apart[grown[:, 2] > 0.05].min() > ROOM
    assert apart.max() < 0.8


def test_a_forest_stays_light_enough_to_draw():
    _, tilemap = field("forest", 16, 16)
    mesh = chunk_mesh(tilemap, Rect(0, 0, 16, 16))
    assert len(mesh.triangles) < 256 * 200


MOST = 0.16  # how far a small plant reaches from its point, in tiles
BLADES = ((0.3, 0.05, 0.15), (2.6, 0.07, 0.12))
SMALL = {"tuft": tuft(BLADES), "flowers": flowers(), "mushrooms": mushrooms(), "pebble": pebble()}


def alone(shape):
    """Return one unturned copy of a shape at (0, 0, 0) in its own size."""
    grey = np.full((1, 3), 0.5)
    return copies(shape, np.zeros((1, 3), np.float32), np.zeros(1), np.ones((1, 1)), grey, grey)


def grown(kind):
    """Return the meshes of all props on a field, each of many copies of one shape."""
    tilemap = TileMap(np.ones((30, 30), int), kinds=[TileKind("x", props=kind)])
    return props(Patch.of(tilemap, Rect(0, 0, 30, 30)))


def stones():
    """Return meshes of stones on ground at height 0."""
    tilemap = TileMap(np.zeros((9, 9), int), kinds=[TileKind("x", props="rubble")])
    return [alone(pebble()), *rubble(Patch.of(tilemap, Rect(0, 0, 9, 9)))]


@pytest.mark.parametrize("kind", [name for name in PROPS if name])
def test_no_triangle_of_a_prop_is_degenerate(kind):
    for mesh in grown(kind):
        a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1).astype(float)
        longest = np.max([np.linalg.norm(side, axis=1) for side in (b - a, c - b, a - c)], axis=0)
        height = np.linalg.norm(np.cross(b - a, c - a), axis=1) / longest
        assert height.min() > 0.002  # of a tile


def test_stones_are_closed_above_the_ground():
    for mesh in stones():
        edges = open_edges(mesh)
        assert len(edges)
        assert edges[..., 2].max() < 0.0  # in the ground, where nobody sees it


@pytest.mark.parametrize("name", SMALL)
def test_small_plants_stay_within_their_documented_size(name):
    points = alone(SMALL[name]).positions
    assert np.hypot(points[:, 0], points[:, 1]).max() <= MOST
    assert -0.02 < points[:, 2].min() < 0.0 < points[:, 2].max() <= MOST


def test_blades_stand_upright_where_they_lean_from():
    """The foot of a blade is across the direction that its tip leans to."""
    points = alone(tuft(BLADES)).positions.reshape(-1, 3, 3)
    for (turn, lean, height), (left, right, tip) in zip(BLADES, points, strict=True):
        ahead = np.array((np.cos(turn), np.sin(turn)))
        assert tip == pytest.approx((*lean * ahead, height), abs=1e-6)
        assert (left - right)[:2] @ ahead == pytest.approx(0.0, abs=1e-6)
        middle = (left + right)[:2] / 2.0
        assert middle / np.linalg.norm(middle) == pytest.approx(ahead, abs=1e-5)
        assert np.linalg.norm(middle) < lean


def test_the_heart_of_a_flower_is_in_the_middle_of_its_petals():
    mesh = alone(flowers())
    is_heart = mesh.colors[:, 0].astype(int) > mesh.colors[:, 2].astype(int) + 50
    hearts = mesh.positions[is_heart].reshape(3, 3, 3)
    petals = mesh.positions[mesh.positions[:, 2] > 0.07]
    for heart in hearts:
        middle = heart.mean(axis=0)
        sides = np.linalg.norm(heart - np.roll(heart, 1, axis=0), axis=1)
        assert np.ptp(sides) < 0.1 * sides.max()
        near = petals[np.linalg.norm(petals[:, :2] - middle[:2], axis=1) < 0.05]
        assert near[:, :2].mean(axis=0) == pytest.approx(middle[:2], abs=0.004)


def test_flowers_look_the_same_after_a_fifth_of_a_turn():
    mesh = alone(flowers())
    is_petal = (mesh.colors[:, 0] == mesh.colors[:, 2]) & (mesh.positions[:, 2] > 0.07)
    is_petal &= mesh.colors[:, 0] > 90  # no tips of stems
    fifth = 2.0 * np.pi / 5.0
    turn = np.array([(np.cos(fifth), -np.sin(fifth)), (np.sin(fifth), np.cos(fifth))])
    for petals in mesh.positions[is_petal, :2].reshape(3, 11, 2):
        around = petals[1:] - petals[0]
        for point in around @ turn.T:
            assert np.linalg.norm(around - point, axis=1).min() < 1e-4


def test_the_second_mushroom_is_smaller_than_the_first():
    points = alone(mushrooms()).positions
    is_first = np.hypot(points[:, 0], points[:, 1]) < 0.05
    first, second = points[is_first], points[~is_first]
    for axis in (0, 1, 2):
        assert np.ptp(second[:, axis]) < np.ptp(first[:, axis])
