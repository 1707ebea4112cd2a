"""First tries in a notebook: mistakes raise clear errors, and reprs show the answers."""

from ai import (
    Board,
    Unit,
    Waypoints,
)
from terrain3d import TileMap


def board():
    made = Board(TileMap.from_text("012\n0#0"))
    made.add(Unit("Mira", (0, 0)))
    return made


def test_reprs_show_the_answers():
    made = board()
    assert repr(made) == "<Board of 1 units on <TileMap 2 x 3, levels 0..2, version 0>>"
    assert repr(made.navigation) == "<Navigation over <TileMap 2 x 3, levels 0..2, version 0>>"
    reach = made.navigation.reach((0, 0), 2)
    assert repr(reach) == "<Reach of 3 cells from (0, 0) for at most 2>"
    assert repr(made.navigation.reach((1, 1), 2)) == "<no Reach: the start (1, 1) is void>"
    assert repr(made.navigation.cost_field((0, 0))) == "<CostField of 5 cells, at most 5>"
    points = Waypoints()
    points.add_point("inn", (0, 0))
    points.add_point("mill", (0, 2))
    points.connect("inn", "mill", 4)
    assert repr(points) == "<Waypoints: 2 points, 2 edges>"
