"""What a game may set on figures: the team's color, and how fast they go."""

import numpy as np
import pytest

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.figures import team_color
from terrain3d.view import OrbitCamera3D, Terrain3D
from tests.terrain3d.view.test_overlays_3d import picture


@pytest.fixture
def mira(tree):
    board = Board(TileMap.from_text("0000000"))
    unit = board.add(Unit("Mira", (0, 0), move=9))
    terrain = tree.root.add_child(Terrain3D(board.tilemap))
    figure = terrain.add_child(Unit3D(unit))
    return board, unit, figure


def test_a_figure_takes_another_color(base, tree, mira):
    _, _, figure = mira
    assert figure.color == team_color("blue")
    camera = tree.root.add_child(OrbitCamera3D(target=figure.parent))
    camera.look(OrbitView(0.0, 30.0, 6.0, figure.point))
    before = picture(base, tree)
    figure.color = (0.9, 0.8, 0.0)
    after = picture(base, tree)
    changed = abs(after - before).max(axis=2) > 30
    assert changed.sum() > 200
    assert (after[changed][:, 0] - after[changed][:, 2]).mean() > 60
    figure.color = team_color("blue")
    assert np.array_equal(picture(base, tree), before)


@pytest.mark.parametrize(("pace", "factor"), [(1.0, 1.0), (4.0, 4.0), (0.25, 0.25)])
def test_the_pace_is_how_fast_a_unit_walks(tree, mira, pace, factor):
    board, unit, figure = mira
    figure.pace = pace
    board.move(unit, (0, 6))
    tree.advance(0.4)
    beside, other = Board(board.tilemap), Unit("Odo", (0, 0), move=9)
    beside.add(other)
    beside.move(other, (0, 6))
    other.advance(0.4 * factor)
    assert figure.point == pytest.approx(other.pose.point)


def test_at_an_endless_pace_a_unit_is_there_at_once(tree, mira):
    board, unit, figure = mira
    figure.pace = 1e6
    board.move(unit, (0, 6))
    tree.advance(0.01)
    assert not unit.is_moving
    assert figure.np.get_pos(figure.parent.np).x == pytest.approx(6.5)
