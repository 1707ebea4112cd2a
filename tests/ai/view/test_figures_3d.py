"""Figures of the units of a board, and how they stand on the ground."""

import gc
import itertools
import weakref

import pytest

from ai import Board, Unit
from ai.view import Figures3D, Unit3D
from ai.view.ground_contact import KNEE
from terrain3d import TileMap
from terrain3d.view import Terrain3D
from tests.ai.view.test_unit_3d import animated


@pytest.fixture
def board():
    board = Board(TileMap.from_text("2200000\n2200000\n2200000"))
    board.add(Unit("Mira", (1, 0)))
    board.add(Unit("Bram", (1, 1), team="red"))
    return board


@pytest.fixture
def shown(tree, board):
    return tree.root.add_child(Terrain3D(board.tilemap)).add_child(Figures3D(board))


def push(board):
    mira, bram = board.units
    with board.action("Push", by=mira) as action:
        action.place(bram, (1, 4), along=((1, 2), (1, 3)))
    return bram


def check(tree, board, shown):
    tree.advance(0.0)
    assert set(shown.figures) == set(board.units)
    assert {each.unit for each in shown.walk() if isinstance(each, Unit3D)} == set(board.units)


def test_there_is_one_figure_for_each_unit_also_after_undo_and_redo(tree, board, shown):
    mira, bram = board.units
    check(tree, board, shown)
    board.add(Unit("Ghost", (2, 2)))
    check(tree, board, shown)
    with board.action("Fireball", by=mira) as action:
        action.remove(bram)
        action.add(Unit("Odo", (1, 1)))
    check(tree, board, shown)
    while board.undo():
        check(tree, board, shown)
    assert shown.figures == {}
    while board.redo():
        check(tree, board, shown)
    assert {unit.name for unit in shown.figures} == {"Mira", "Ghost", "Odo"}


def test_a_unit_that_changes_its_team_has_its_color_and_undo_brings_it_back(tree, board, shown):
    _, bram = board.units
    color = shown.figures[bram].color
    bram.team = "blue"
    check(tree, board, shown)
    assert shown.figures[bram].color != color
    board.undo()
    check(tree, board, shown)
    assert shown.figures[bram].color == color


def test_a_pushed_unit_slides_along_its_cells_until_an_undo_and_does_not_walk(tree, board, shown):
    bram = push(board)
    figure, points = shown.figures[bram], []
    tree.advance(0.1)
    board.undo()
    tree.advance(0.0)
    assert not figure.is_acting
    assert figure.point == board.tilemap.surface_point((1, 1))
    board.redo()
    while figure.is_acting:
        points.append(figure.point)
        assert figure._action == "stand"
        tree.advance(0.02)
    assert points[0] == board.tilemap.surface_point((1, 1))
    assert figure.point == bram.pose.point == board.tilemap.surface_point((1, 4))
    xs, ys, _ = zip(*points, strict=True)
    assert (set(ys), [*xs]) == ({-1.5}, sorted(xs))
    assert 10 < len(set(xs)) <= len(points) < 3 / bram.speed_tiles_s / 0.02


def test_a_walk_after_a_push_begins_where_the_slide_ends(tree, board, shown):
    bram = push(board)
    board.move(bram, (2, 6))
    last, steps = shown.figures[bram].point, 0
    while shown.is_acting or bram.is_moving:
        tree.advance(0.01)
        point, steps = shown.figures[bram].point, steps + 1
        assert abs(point[0] - last[0]) + abs(point[1] - last[1]) < 0.5
        last = point
    assert last == board.tilemap.surface_point((2, 6))
    assert steps > 10


def test_a_model_plays_its_clips_and_stays_until_the_last_has_ended(tree, board):
    terrain = tree.root.add_child(Terrain3D(board.tilemap))
    mira, bram = board.units
    made = Figures3D(board, lambda unit: Unit3D(unit, model=animated("Idle", "fireball", "Death")))
    shown = terrain.add_child(made)
    tree.advance(0.0)
    actors = {unit: figure._model._actor for unit, figure in shown.figures.items()}
    dying = shown.figures[bram]
    with board.action("Fireball", by=mira) as action:
        action.remove(bram)
    tree.advance(0.0)
    assert actors[mira].get_current_anim() == "fireball"
    assert actors[bram].get_current_anim() == "Death"
    assert bram not in shown.figures
    assert not dying.is_freed
    for actor, name in ((actors[bram], "Death"), (actors[mira], "fireball")):
        actor.stop(name)
    tree.advance(0.0)
    tree.advance(0.0)
    assert dying.is_freed
    assert actors[mira].get_current_anim() == "Idle"


def test_a_board_does_not_keep_a_node_that_is_gone(board):
    shown = weakref.ref(Figures3D(board))
    gc.collect()
    assert shown() is None
    push(board)


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

    def show(cell):
        unit = board.add(Unit("scout", cell))
        return board, unit, terrain.add_child(Unit3D(unit, shape="scout"))

    return show


def sunk(figure):
    """Give how deep the body is below the feet of the unit."""
    body = figure.np.find("**/body")
    return -body.get_z(figure.np) if body.get_z() else 0.0


def shown_on(figure, name):
    return [node for node in figure.np.find_all_matches(f"**/{name}") if not node.is_hidden()]


def test_who_stands_in_water_wades_to_the_knee(tree, pond):
    figure = pond((0, 2))[2]
    tree.advance(FRAME_S)
    deep = figure.find_ancestor(Terrain3D).tilemap.step_height
    assert sunk(figure) == pytest.approx(min(KNEE, deep), rel=0.1)
    assert len(shown_on(figure, "ripple")) == 2
    assert figure.point[2] == 0.0  # the unit itself is where it is


def test_who_walks_into_water_sinks_by_and_by_and_comes_out_dry(tree, pond):
    board, unit, figure = pond((1, 1))
    tree.advance(FRAME_S)
    depths = [sunk(figure)]
    for cell in ((1, 3), (1, 0)):
        board.move(unit, cell)
        for _ in range(90):
            tree.advance(FRAME_S)
            depths.append(sunk(figure))
    assert depths[0] == depths[-1] == 0.0 < max(depths)
    assert max(b - a for a, b in itertools.pairwise(depths)) < KNEE / 2
    assert not shown_on(figure, "ripple")
