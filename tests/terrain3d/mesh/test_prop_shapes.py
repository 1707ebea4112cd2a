"""Shapes of props hold together: no degenerate or flipped triangle, no hole, no part astray."""

import numpy as np
import pytest

from terrain3d import Rect, TileKind, TileMap
from terrain3d.grid.kinds import PROPS
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.props import copies, flowers, mushrooms, pebble, props, rubble, tuft
from tests.support.meshes import open_edges

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
