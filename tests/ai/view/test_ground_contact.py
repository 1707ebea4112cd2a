"""How figures touch the ground: they wade in liquids with ripples, and land in dust."""

import itertools

import pytest

from ai import Board, MoveProfile, Unit
from ai.view import Unit3D
from ai.view.ground_contact import KNEE
from terrain3d import TileMap
from terrain3d.view import Terrain3D

FRAME_S = 1 / 30


@pytest.fixture
def pond(tree):
    """A board whose right half is shallow water, and a function that shows a unit on it."""
    tilemap = TileMap.from_text("2000\n0000")
    with tilemap.edit() as edit:
        for cell in ((0, 2), (0, 3), (1, 2), (1, 3)):
            edit.set_kind(cell, "shallow")
    terrain = tree.root.add_child(Terrain3D(tilemap))
    board = Board(tilemap)

    def show(cell, shape="scout", hover=0):
        profile = MoveProfile(max_drop=4, hover=hover, can_fly=hover > 0)
        unit = board.add(Unit(shape, cell, "blue", profile))
        return board, unit, terrain.add_child(Unit3D(unit, shape=shape))

    return show


def sunk(figure):
    """Give how deep the body is below the feet of the unit."""
    body = figure.np.find("**/body")
    return -body.get_z(figure.np) if body.get_z() else 0.0


def shown(figure, name):
    return [node for node in figure.np.find_all_matches(f"**/{name}") if not node.is_hidden()]


def advance(tree, seconds):
    for _ in range(round(seconds / FRAME_S)):
        tree.advance(FRAME_S)


def test_who_stands_in_water_wades_to_the_knee(tree, pond):
    figure = pond((0, 2))[2]
    tree.advance(FRAME_S)
    deep = figure.find_ancestor(Terrain3D).tilemap.step_height
    assert sunk(figure) == pytest.approx(min(KNEE, deep), rel=0.1)
    assert len(shown(figure, "ripple")) == 2
    assert figure.point[2] == 0.0  # the unit itself is where it is


def test_who_stands_on_dry_ground_or_floats_does_not(tree, pond):
    for cell, shape, hover in (((0, 1), "scout", 0), ((0, 2), "mage", 0), ((0, 3), "flyer", 1)):
        figure = pond(cell, shape, hover)[2]
        advance(tree, 0.5)
        assert not sunk(figure)
        assert not shown(figure, "ripple")


def test_who_walks_into_water_sinks_by_and_by_and_comes_out_dry(tree, pond):
    board, unit, figure = pond((1, 1))
    tree.advance(FRAME_S)
    depths = [sunk(figure)]
    board.move(unit, (1, 3))
    while unit.is_moving:
        tree.advance(FRAME_S)
        depths.append(sunk(figure))
    advance(tree, 1.0)
    assert depths[0] == 0.0 < sunk(figure)
    assert max(b - a for a, b in itertools.pairwise(depths)) < KNEE / 2
    board.move(unit, (1, 0))
    while unit.is_moving:
        tree.advance(FRAME_S)
    advance(tree, 1.0)
    assert not sunk(figure)
    assert not shown(figure, "ripple")


def test_who_jumps_down_lands_in_dust_that_settles(tree, pond):
    board, unit, figure = pond((0, 0))
    board.move(unit, (0, 1))
    has_dust = []
    while unit.is_moving:
        tree.advance(FRAME_S)
        has_dust.append(bool(shown(figure, "puff")))
    advance(tree, FRAME_S)
    assert not any(has_dust[: len(has_dust) // 2])
    assert shown(figure, "puff")
    advance(tree, 1.0)
    assert not shown(figure, "puff")


def test_who_jumps_into_water_splashes_higher_than_dust_and_lower_than_itself(tree, pond):
    board, unit, figure = pond((0, 0))
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 2)
    board.move(unit, (0, 2))
    heights = []
    for _ in range(round(3.0 / FRAME_S)):
        tree.advance(FRAME_S)
        heights += [puff.get_z() for puff in shown(figure, "puff")]
    assert 0.2 < max(heights) < 0.8
