"""Orders, facing and edits on the board: where units may go, why orders are refused, and copies."""

import copy
import pickle
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ai import Board, Commander, MoveProfile, MoveRefused, Path, SquadOrders, Unit
from terrain3d import TileMap
from tests.support.boards import FIELD, board_with, state
from tests.support.reference import ground, thoroughly

SQUARE = "000\n000\n000"


def refuse(board, unit, cell, message):
    """Order what must be refused, and see that nothing has changed and nothing was announced."""
    before, heard = state(board), []
    for signal in (board.changed, unit.move_started):
        signal.connect(lambda *values: heard.append(values))
    with pytest.raises(MoveRefused, match=re.escape(message)):
        board.move(unit, cell)
    assert (state(board), heard) == (before, [])


def test_an_order_takes_the_cell_at_once_and_the_pose_follows():
    board, mira = board_with((0, 0))
    events = []
    board.changed.connect(lambda entry: events.append((entry.kind, entry.changes[0].along)))
    path = board.move(mira, (0, 3))
    assert (mira.cell, path.cost, events) == ((0, 3, 0), 3, [("move", tuple(path.cells))])
    assert mira.pose.point == board.tilemap.surface_point((0, 0))
    assert (board.unit_at((0, 3)), board.unit_at((0, 0))) == (mira, None)


def test_an_order_beyond_the_move_points_is_refused_with_both_numbers():
    board, mira = board_with((0, 0), move=3)
    refuse(board, mira, (1, 3), "Mira cannot go there: costs 4 move points, but Mira has 3")
    assert board.move(mira, (0, 3)).cost == 3
    assert not board.plan(mira, (2, 1))
    assert board.find_path(mira, (2, 1)).cost == 4


def test_a_plan_is_carried_out_as_it_is():
    board, mira = board_with((0, 0))
    plan = board.plan(mira, (2, 2))
    assert (plan.unit, plan.cell, plan.cost, plan.path) == (mira, (2, 2, 0), 4, plan)
    assert board.move(plan) is plan
    assert (mira.cell, board.log[-1].changes[0].along) == ((2, 2, 0), tuple(plan.cells))


CHANGES = {
    "map": lambda board, _: raise_ground(board),
    "units": lambda _, odo: setattr(odo, "has_zoc", True),
    "units of it": lambda board, odo: board.remove(odo),
    "units by a turn": lambda board, _: board.end_turn(),
}


def raise_ground(board):
    with board.tilemap.edit() as edit:
        edit.set_level((2, 4), 1)


@pytest.mark.parametrize("change", CHANGES)
def test_a_plan_is_refused_after_any_change_and_holds_again_if_that_is_undone(change):
    board, mira, odo = board_with((0, 0), (2, 0))
    board.change_turns("sides")
    plan = board.plan(mira, (1, 1))
    board.move(odo, (2, 2))
    board.undo()
    assert board.move(plan) is plan
    board.undo()
    CHANGES[change](board, odo)
    before = state(board)
    what = "the map has" if change == "map" else "units have"
    with pytest.raises(MoveRefused) as refused:
        board.move(plan)
    assert str(refused.value) == f"Mira cannot go there: {what} changed since the plan was made"
    assert state(board) == before


def test_a_plan_of_another_board_is_refused_and_one_that_is_false_says_why():
    board, _ = board_with((0, 0))
    twin, mira = board_with((0, 0))
    with pytest.raises(MoveRefused, match="Mira cannot go there: the plan is one of another board"):
        board.move(twin.plan(mira, (0, 1)))
    with pytest.raises(MoveRefused, match="Mira cannot go there: costs 6 move points"):
        twin.move(twin.plan(mira, (2, 4)))
    with pytest.raises(TypeError, match=re.escape("leads to its own cell, got (0, 1) as well")):
        twin.move(twin.plan(mira, (0, 1)), (0, 1))


def test_a_partial_plan_goes_as_far_as_the_points_last():
    board, mira = board_with((0, 0), move=3)
    plan = board.plan(mira, (0, 4), partial=True)
    assert (plan.cost, plan.path.cost, plan.turn_ends, plan.partial) == (3, 4, (3,), True)
    assert plan.reason == "costs 4 move points, but Mira has 3"
    assert not board.plan(mira, (0, 4))
    board.move(plan)
    assert mira.cell == (0, 3, 0)


def test_a_pickled_plan_is_a_path():
    board, mira = board_with((0, 0))
    path = pickle.loads(pickle.dumps(board.plan(mira, (0, 2))))
    assert (type(path), path.cells, path.cost) == (Path, [(0, 0, 0), (0, 1, 0), (0, 2, 0)], 2)


def test_an_order_against_the_ground_is_refused_with_its_reason():
    board, mira = board_with((0, 0), levels="03#")
    refuse(board, mira, (0, 1), "Mira cannot go there: climb 3 > 2 at (0, 1)")
    refuse(board, mira, (0, 2), "Mira cannot go there: (0, 2) is void")


def test_an_order_while_walking_goes_on_from_the_end():
    board, mira = board_with((0, 0), speed_tiles_s=1)
    board.move(mira, (0, 2))
    mira.advance(0.5)
    assert board.move(mira, (2, 2)).cells[0] == (0, 2, 0)
    assert mira.pose.point == pytest.approx((1.0, -0.5, 0))
    mira.advance(2.5)
    assert mira.pose.point == pytest.approx((2.5, -1.5, 0))
    mira.advance(1)
    assert not mira.is_moving


def test_a_unit_is_added_once():
    board, mira = board_with((0, 0))
    with pytest.raises(ValueError, match="Mira is on this board already"):
        board.add(mira)


def test_a_unit_of_no_board_takes_no_orders():
    board, _ = board_with((0, 0))
    stranger = Unit("Odo", (1, 1))
    for ask in (board.move, board.plan, board.find_path):
        for cell in [(1, 2), (0, 0)]:
            with pytest.raises(ValueError, match="Odo is not on this board"):
                ask(stranger, cell)
    with pytest.raises(ValueError, match="Odo is not on this board"):
        board.reach(stranger)


def test_a_unit_whose_ground_was_removed_gets_the_reason():
    board, mira = board_with((0, 0))
    with board.tilemap.edit() as edit:
        edit.set_kind((0, 0), "void")
    refuse(board, mira, (0, 1), "the start (0, 0) is void")


def test_two_boards_on_one_map_are_independent():
    tilemap = ground(FIELD)
    one, other = Board(tilemap), Board(tilemap)
    mira, odo = one.add(Unit("Mira", (0, 0))), other.add(Unit("Odo", (0, 1)))
    assert one.move(mira, (0, 2)).cost == 2
    assert other.log[0].by == "Odo"
    assert other.move(odo, (0, 2)).cost == 1
    with tilemap.edit() as edit:
        edit.set_level((0, 3), 9)
    assert (one.plan(mira, (0, 4)).cost, other.plan(odo, (0, 4)).cost) == (4, 4)


def test_a_board_has_one_unit_of_a_name():
    board, mira = board_with((0, 0))
    twin = Unit("Mira", (1, 1))
    with pytest.raises(ValueError, match="this board has another unit named 'Mira'"):
        board.add(twin)
    assert board.units == (mira,)
    assert not twin.is_placed
    twin.name = "Odo"
    board.add(twin)
    with pytest.raises(ValueError, match="the name of Odo cannot change while it is on a board"):
        twin.name = "Mira"
    board.remove(mira)
    board.remove(twin)
    twin.name = "Mira"
    assert board.add(twin).name == "Mira"


def board_of(picture, *cells, **options):
    tilemap = TileMap.from_text(picture)
    board = Board(tilemap)
    units = [board.add(Unit(f"u{i}", cell, move=9, **options)) for i, cell in enumerate(cells)]
    return tilemap, board, units


def test_clearing_the_cells_of_a_path_changes_neither_the_walk_nor_undo():
    _, board, (unit,) = board_of("0000", (0, 0))
    board.move(unit, (0, 3)).cells.clear()
    unit.advance(99)
    assert unit.pose.point == (3.5, -0.5, 0.0)
    assert board.undo()
    assert unit.cell == (0, 0, 0)


def test_clearing_the_cells_of_a_reach_changes_nothing():
    _, board, (unit,) = board_of("0000", (0, 0))
    reach = board.reach(unit)
    reach.cells.clear()
    assert len(reach) == len(list(reach)) == 4


def test_a_unit_belongs_to_one_board():
    tilemap, _, (unit,) = board_of("0000", (0, 0))
    with pytest.raises(ValueError, match="another board"):
        Board(tilemap).add(unit)


def test_a_walking_unit_stays_on_the_ground_that_rises_under_it():
    tilemap, board, (unit,) = board_of("00000", (0, 0), profile=MoveProfile(max_climb=9))
    board.move(unit, (0, 4))
    unit.advance(0.5)
    x_before = unit.pose.point[0]
    with tilemap.edit() as edit:
        for col in range(5):
            edit.set_level((0, col), 4)
    assert unit.pose.point[0] == pytest.approx(x_before)
    assert unit.pose.point[2] == pytest.approx(4 * tilemap.step_height)
    unit.advance(99)
    assert unit.pose.point == tilemap.surface_point((0, 4))


def test_a_cliff_raised_on_the_path_is_climbed_over_its_edge():
    tilemap, board, (unit,) = board_of("00000", (0, 0))
    board.move(unit, (0, 4))
    unit.advance(0.1)
    with tilemap.edit() as edit:
        edit.set_level((0, 2), 3)
    highest = 0.0
    while unit.is_moving:
        unit.advance(0.01)
        x, _, z = unit.pose.point
        highest = max(highest, z)
        if 2.0 <= x <= 3.0:
            assert z >= 3 * tilemap.step_height - 1e-9
    assert highest > 3 * tilemap.step_height


def test_both_signals_of_an_order_are_heard_even_if_a_listener_raises():
    _, board, (unit,) = board_of("000", (0, 0))
    heard = []

    def fail(_cells):
        raise RuntimeError("a listener's own fault")

    unit.move_started.connect(fail)
    board.changed.connect(lambda entry: heard.append(entry.changes[0].along[-1]))
    with pytest.raises(RuntimeError, match="own fault"):
        board.move(unit, (0, 2))
    assert heard == [(0, 2, 0)]
    assert unit.cell == (0, 2, 0)


def test_a_plan_takes_the_path_of_the_reach():
    _, board, (unit,) = board_of("0120\n0000", (0, 0))
    reach = board.reach(unit)
    for cell in reach:
        assert board.plan(unit, cell).cells == reach.path_to(cell).cells


def pair_on(turns=None, **options):
    board = Board(TileMap.from_text(SQUARE), turns=turns)
    board.add(Unit("Mira", cell=(1, 1), **options))
    board.add(Unit("Bram", cell=(2, 2), team="red"))
    return board, board.units[0]


@pytest.mark.parametrize(
    ("cell", "heading_deg"),
    [((0, 1), 0), ((1, 0), 90), ((2, 1), 180), ((1, 2), -90), ((0, 0), 45), ((2, 2), -135)],
)
def test_a_unit_faces_the_tile_and_stays_where_it_is(cell, heading_deg):
    board, mira = pair_on(heading_deg=10)
    board.face(mira, cell)
    assert mira.cell == (1, 1, 0)
    assert (mira.pose.heading_deg - heading_deg) % 360 == pytest.approx(0)


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_undo_redo_and_replay_restore_heading_and_digest(turns):
    board, mira = pair_on(turns)
    digests = [board.digest()]
    board.move(mira, (1, 2))
    mira.advance(9)
    digests.append(board.digest())
    board.face(mira, (0, 2))
    digests.append(board.digest())
    assert len(set(digests)) == 3
    again = board.copy()
    assert again.digest() == digests[2]
    for each in (board, again):
        assert each.undo()
        assert each.digest() == digests[1]
        assert each.undo()
        assert each.digest() == digests[0]
        assert each.redo()
        each.units[0].advance(9)
        assert each.redo()
        assert each.digest() == digests[2]


def test_facing_where_it_looks_already_or_its_own_tile_is_no_order():
    board, mira = pair_on()
    before = board.log
    board.face(mira, (0, 1))
    board.face(mira, (1, 1))
    assert board.log == before


ORDERS = st.lists(
    st.tuples(
        st.sampled_from(["move", "face", "together", "undo", "redo"]),
        st.sampled_from([(row, col) for row in range(3) for col in range(3)]),
    ),
    min_size=1,
    max_size=8,
)


def answers_to(orders, seconds):
    """Give the orders, let so much time pass after each, and return the states and refusals."""
    board, mira = pair_on()
    board.clear_history()
    found = []
    for name, cell in orders:
        try:
            if name == "together":
                board.move_together(SquadOrders(board).plan(board.units, cell).paths)
            elif name in {"undo", "redo"}:
                getattr(board, name)()
            else:
                getattr(board, name)(mira, cell)
            found.append(board.digest())
        except MoveRefused as refusal:
            found.append(str(refusal))
        for unit in board.units:
            unit.advance(seconds)
    for unit in board.units:
        unit.advance(999.0)
        assert (unit.is_moving, unit.pose.heading_deg) == (False, unit.heading_deg)
    return found, board.log


@thoroughly(40)
@given(ORDERS, st.floats(0.0, 3.0))
@example([("move", (0, 0)), ("face", (2, 2)), ("undo", (0, 0)), ("redo", (0, 0))], 0.2)
@example([("move", (0, 0)), ("together", (1, 0))], 0.2)
def test_orders_do_not_wait_for_figures(orders, seconds):
    expected = answers_to(orders, 999.0)
    assert answers_to(orders, 0.0) == answers_to(orders, seconds) == expected


def test_a_turn_that_is_undone_leaves_the_walk_before_it():
    board, mira = pair_on()
    board.move(mira, (1, 0))
    board.face(mira, (2, 0))
    mira.advance(0.1)
    board.undo()
    assert mira.is_moving
    assert mira.heading_deg == pytest.approx(90)


def test_a_unit_whose_turn_it_is_not_is_refused():
    board, _ = pair_on("sides")
    bram, before = board.units[1], board.digest()
    with pytest.raises(MoveRefused, match="Bram cannot turn: it is blue's turn"):
        board.face(bram, (0, 0))
    assert board.digest() == before


def test_a_commander_turns_the_selected_unit_toward_its_aim_or_says_what_is_missing():
    board, mira = pair_on()
    commander, refused = Commander(board), []
    commander.refused.connect(refused.append)
    commander.face_aim()
    assert refused == ["Select a unit and aim at the tile that it should face"]
    commander.select(mira)
    commander.aim_at((1, 0))
    commander.face_aim()
    assert mira.heading_deg == pytest.approx(90)
    commander.undo()
    assert mira.heading_deg == 0
    assert len(refused) == 1


def units_on(*entries):
    tilemap = TileMap.from_text(SQUARE)
    tilemap.extras["units"] = list(entries)
    return tilemap


MIRA = {"name": "Mira", "cell": [0, 1], "mover": "acrobat", "team": "red", "stats": {"hp": 3}}


def test_all_units_of_a_map_come_as_one_entry():
    tilemap = units_on(MIRA, {"name": "Odo", "cell": [2, 2], "move": 3, "rank": "sergeant"})
    board = Board(tilemap)
    mira, odo = board.add_all(tilemap)
    assert board.units == (mira, odo)
    assert (mira.profile.max_climb, mira.team, mira.stats["hp"]) == (3, "red", 3)
    assert (odo.cell, odo.move, len(board.log)) == ((2, 2, 0), 3, 1)
    assert board.undo()
    assert board.units == ()


@pytest.mark.parametrize(
    ("entry", "error", "problem"),
    [
        ({"name": "Odo", "cell": [0, 1]}, ValueError, "stands on"),
        ({"name": "Mira", "cell": [0, 0]}, ValueError, "another unit named 'Mira'"),
        ({"name": "Odo", "cell": [0, 9]}, IndexError, r"units\[1\]: .*outside the map"),
        (
            {"name": "Odo", "cell": [0, 0], "mover": "snail"},
            ValueError,
            r"units\[1\]: mover must be",
        ),
        ({"name": "Odo", "cell": [0, 0], "move": -1}, ValueError, r"units\[1\]: move"),
        ({"cell": [0, 0]}, ValueError, r"units\[1\]: it has no name"),
        (5, TypeError, r"units\[1\]: it must be"),
    ],
)
def test_no_unit_of_a_map_comes_if_one_cannot(entry, error, problem):
    tilemap = units_on(MIRA, entry)
    board = Board(tilemap)
    before = board.state
    with pytest.raises(error, match=problem):
        board.add_all(tilemap)
    assert (board.state, board.log, board.units) == (before, (), ())


WAYS = [
    pytest.param(Board.copy, id="copy()"),
    pytest.param(copy.copy, id="copy.copy"),
    pytest.param(copy.deepcopy, id="deepcopy"),
    *(
        pytest.param(
            lambda board, protocol=protocol: pickle.loads(pickle.dumps(board, protocol)),
            id=f"pickle {protocol}",
        )
        for protocol in range(2, 6)
    ),
]


def test_units_of_a_copy_are_found_by_name_or_by_their_twins():
    board = Board(TileMap.from_text("000"))
    mira = board.add(Unit("Mira", (0, 0), stats={"hp": 3}))
    other = board.copy()
    twin = other.unit("Mira")
    assert twin is other.unit(mira) is not mira
    assert (twin.stats, twin.is_placed) == ({"hp": 3}, True)
    other.move(twin, (0, 2))
    assert mira.cell == (0, 0, 0)
    with pytest.raises(KeyError, match="named 'Odo'"):
        board.unit("Odo")


def test_a_copy_of_a_copy_shares_until_any_of_them_is_edited():
    board = Board(TileMap.from_text("000\n000"))
    board.add(Unit("Mira", (0, 0)))
    first = board.copy()
    second = first.copy()
    assert second.tilemap.level is not None
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    assert [each.tilemap.level_at((0, 1)) for each in (board, first, second)] == [3, 0, 0]
    with first.tilemap.edit() as edit:
        edit.set_level((0, 1), 5)
    assert [each.tilemap.level_at((0, 1)) for each in (board, first, second)] == [3, 5, 0]
    costs = [each.navigation.distance((0, 0), (0, 1)) for each in (board, first, second)]
    assert costs == [float("inf"), float("inf"), 1]


def test_no_copy_is_made_inside_an_action():
    board = Board(TileMap.from_text("000"))
    with board.action("Look"), pytest.raises(RuntimeError, match="inside an action"):
        board.copy()
