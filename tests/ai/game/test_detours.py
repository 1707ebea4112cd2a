"""The line that says why a planned path is longer than the straight route."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Board, Commander, MoveProfile, Unit
from ai.game.descriptions import MAX_STEPS, describe_detour, straight_route
from terrain3d import Cell, TileMap
from terrain3d.grid.hexgrid import LAYOUTS


def line_about(picture, start, goal, profile=None, enemy=None, links=()):
    tilemap = TileMap.from_text(picture)
    with tilemap.edit() as edit:
        for link in links:
            edit.add_link(*link)
    board = Board(tilemap)
    unit = board.add(Unit("Mira", start, "blue", profile or MoveProfile()))
    if enemy is not None:
        board.add(Unit("Grim", enemy, "red"))
    commander = Commander(board)
    commander.select(unit)
    commander.aim_at(goal)
    return describe_detour(commander.plan, board)


def test_around_a_hill_it_says_what_is_saved_and_both_costs():
    line = line_about("022220\n000000", (0, 0), (0, 5), MoveProfile(climb_cost=2))
    assert line == "7 instead of 9 straight: 4 less for climbing, 2 more for ground"


def test_going_down_can_be_what_is_saved():
    line = line_about("22022\n22222", (0, 0), (0, 4), MoveProfile(climb_cost=0, drop_cost=3))
    assert line == "6 instead of 10 straight: 6 less for going down, 2 more for ground"


def test_a_cliff_on_the_straight_route_is_named():
    line = line_about("0090\n0000", (0, 0), (0, 3))
    assert line == "no straight path: the climb at (row 0, col 2) is 9 levels, the limit is 2"


def test_a_hole_and_a_unit_on_the_straight_route_are_named():
    assert line_about("00#0\n0000", (0, 0), (0, 3)) == (
        "no straight path: there is no ground at (row 0, col 2)"
    )
    assert line_about("0000\n0000", (0, 0), (0, 3), enemy=(0, 2)) == (
        "no straight path: another unit stands at (row 0, col 2)"
    )


@pytest.mark.parametrize(
    ("picture", "goal", "links"),
    [
        ("0000\n0000", (1, 3), ()),  # as short as straight
        ("0190\n0000", (1, 3), ()),  # not straight, but no longer
        ("0099\n0099", (0, 3), ()),  # no path
        ("0000", (0, 3), [((0, 0), (0, 3), 1)]),  # shorter than straight
        ("020\n000", (0, 2), ()),  # 4 steps, or 2 that climb 2 levels: the same cost
    ],
)
def test_without_a_detour_it_says_nothing(picture, goal, links):
    assert line_about(picture, (0, 0), goal, links=links) == ""


def test_a_path_too_long_for_a_frame_is_not_explained():
    cols = MAX_STEPS // 2  # there and back: 2 * (cols - 1) + 2 steps
    rows = ["0" * cols, "9" * (cols - 1) + "0", "0" * cols]
    assert line_about("\n".join(rows), (0, 0), (2, 0)).startswith("no straight path")
    longer = "\n".join(row[:1] + row for row in rows)
    assert line_about(longer, (0, 0), (2, 0)) == ""


SIDE = st.integers(1, 9)


@given(SIDE, SIDE, st.sampled_from(["square", "diagonal", *LAYOUTS]), st.data())
def test_the_straight_route_has_the_fewest_steps_and_stays_at_the_line(rows, cols, shape, data):
    topology = "square" if shape == "diagonal" else shape
    tilemap = TileMap([[0] * cols] * rows, topology=topology)
    profile = MoveProfile(diagonal="always") if shape == "diagonal" else MoveProfile()
    cell = st.builds(Cell, st.integers(0, rows - 1), st.integers(0, cols - 1), st.just(0))
    start, goal = data.draw(cell), data.draw(cell)
    route = straight_route(tilemap, start, goal, profile)
    board = Board(tilemap)
    assert len(route) == len(board.navigation.find_path(start, goal, profile))
    assert board.navigation.compare(route, [start], profile).path.cost == len(route) - 1
    (x, y), (goal_x, goal_y) = (tilemap.grid.center(end[:2]) for end in (start, goal))
    length = ((goal_x - x) ** 2 + (goal_y - y) ** 2) ** 0.5
    for here in route:
        at_x, at_y = tilemap.grid.center(here[:2])
        across = (at_x - x) * (goal_y - y) - (at_y - y) * (goal_x - x)
        assert abs(across) <= length + 1e-9  # within a tile of the line


def test_the_straight_route_stays_on_a_bridge():
    tilemap = TileMap([[2, 0, 0, 2]])
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1), (0, 2)], level=2)
    route = straight_route(tilemap, Cell(0, 0), Cell(0, 3), MoveProfile())
    assert route == [(0, 0, 0), (0, 1, 1), (0, 2, 1), (0, 3, 0)]
