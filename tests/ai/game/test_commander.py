"""A commander without a window: select, aim, plan, order, undo and redo, one reach a click."""

import itertools

import numpy as np
import pytest

from ai import Board, Commander, MoveProfile, Navigation, Unit
from terrain3d import TileMap
from tests.support.boards import arrive, at, heard_of, one_edit, posted, recorded_events
from tests.support.walks import recorded_calls


def test_no_order_is_planned_to_a_tile_where_a_click_selects_a_unit():
    commander, _ = at("a.b\n..B", chosen="a")
    for cell, is_planned in (((0, 1), True), ((0, 0), False), ((0, 2), False), ((1, 2), False)):
        commander.aim_at(cell)
        assert (commander.plan is not None) == is_planned


@pytest.mark.parametrize("turns", [None, "sides"])
@pytest.mark.parametrize("seed", range(8))
def test_waypoints_are_on_the_plan_at_the_costs_of_all_its_parts_and_it_is_carried_out(seed, turns):
    random = np.random.default_rng(seed)
    topology = ("square", "hex_odd_r")[seed % 2]
    tilemap = TileMap(random.integers(0, 4, (9, 9)), topology=topology)
    board = Board(tilemap, turns)
    spots = [(place // 9, place % 9) for place in random.permutation(81).tolist()]
    ann = board.add(Unit("ann", spots.pop(), "blue", move=7))
    board.add(Unit("friend", spots.pop(), "blue"))
    foes = [board.add(Unit(f"foe{n}", spots.pop(), "red")) for n in range(3)]
    commander = Commander(board, "blue")
    refused = heard_of(commander.refused)
    commander.select("ann")
    tried = [spots.pop() for _ in range(3)]
    for cell in tried:
        commander.add_waypoint(cell)
    nav, via = Navigation(tilemap), [cell[:2] for cell in commander.waypoints]
    assert len(refused) == len(tried) - len(via)
    goal = spots.pop()
    commander.aim_at(goal)
    plan = commander.plan
    foe_cells = [foe.cell for foe in foes]
    ends = [ann.cell[:2], *via, goal]
    parts = [nav.find_path(*pair, blocked=foe_cells) for pair in itertools.pairwise(ends)]
    if not all(parts):
        assert not plan.path
        return
    assert plan.path.cost == pytest.approx(sum(part.cost for part in parts))
    rest = iter(plan.path.cells)
    assert all(any(cell[:2] == wanted for cell in rest) for wanted in via)
    order, whole = plan.cells, plan.path.cells
    assert order == whole[: len(order)]
    assert turns is None or plan.cost <= ann.move
    if not order:
        return
    for _ in range(1 + plan.partial):
        commander.act_on(goal)
    assert [change.along for change in board.log[-1].changes] == [tuple(order)]
    assert commander.waypoints == ()


def test_no_waypoint_is_taken_that_leaves_no_tile_to_aim_at():
    board = Board(TileMap.from_text("0000000\n" * 3))
    ann, bob = (board.add(Unit(name, (1, n), "blue")) for n, name in enumerate(("ann", "bob")))
    board.add(Unit("Foe", (1, 5), "red", has_zoc=True))
    commander, refused = Commander(board, "blue"), []
    commander.refused.connect(lambda reason: refused.append(str(reason)))
    commander.add_waypoint(bob.cell)
    assert not refused
    commander.select(ann)
    for cell, why in (
        (bob.cell, "bob stands on (1, 1)"),
        (ann.cell, "ann stands on (1, 0)"),
        ((1, 4), "Foe's zone of control ends the path at (1, 4)"),
    ):
        commander.add_waypoint(cell)
        assert refused == [why]
        assert commander.waypoints == ()
        refused.clear()
    for _ in range(2):
        commander.add_waypoint((0, 2))
    assert (commander.waypoints, refused) == (((0, 2, 0),), [])
    commander.aim_at((1, 4))  # an order may end there
    assert commander.plan.path


def test_a_path_may_lead_over_an_ally():
    board = Board(TileMap.from_text("0000"))
    ann, bob, cid = (board.add(Unit(f"u{n}", (0, n), "blue")) for n in range(3))
    plan = board.plan(ann, (0, 3), via=[bob.cell, cid.cell])
    assert [*plan.cells] == [(0, col, 0) for col in range(4)]
    assert not board.plan(ann, cid.cell, via=[bob.cell])


def test_back_drops_waypoints_one_by_one_and_then_deselects():
    commander, units = at("a....\n.....", chosen="a")
    for cell in ((0, 3), (1, 3)):
        commander.add_waypoint(cell)
    assert commander.plan.path.cells[3] == (0, 3, 0)
    seen = []
    for _ in range(3):
        commander.back()
        seen.append((len(commander.waypoints), commander.selected))
    assert seen == [(1, units["a"]), (0, units["a"]), (0, None)]
    commander.select(units["a"])
    commander.add_waypoint((0, 2))
    one_edit(commander.board.tilemap).set_kind((0, 2), "void")
    commander.aim_at((0, 1))
    assert commander.plan is not None


def test_the_first_threatened_cell_counts_every_tile_that_a_unit_covers_there():
    board = Board(TileMap.from_text("0" * 8 + "\n" + "0" * 8), turns="sides")
    wide = board.add(Unit("Ox", (0, 0), profile=MoveProfile(size=2)))
    board.add(Unit("Odo", (1, 7), "red", move=2))  # reaches (1, 5) and (0, 6)
    commander = Commander(board, "blue")
    commander.select(wide)
    commander.aim_at((0, 3))
    assert commander.first_threatened is None
    commander.aim_at((0, 5))
    assert commander.first_threatened == 4


def test_a_click_out_of_reach_says_how_far_the_unit_goes_and_the_second_one_lets_it():
    commander, units = at("a....", all={"move": 3}, chosen="a")
    events = recorded_events(commander)
    for _ in range(2):
        commander.aim_at((0, 2))
        assert (bool(commander.plan), commander.part) == (True, None)  # of another tile
        commander.aim_at((0, 4))
        assert commander.part is None
        commander.act_on((0, 4))
        assert (commander.part.cost, commander.part.path.cost) == (3, 4)
    assert units["a"].cell == (0, 0, 0)
    events.clear()
    commander.act_on((0, 4))
    assert [(name, path.cost) for name, _, path in events] == [("order_given", 3)]
    commander.act_on((0, 4))
    assert units["a"].cell == (0, 4, 0)


def test_a_click_on_the_ground_sends_the_selected_unit_and_shows_its_next_reach():
    commander, units = at("a..\n...")
    events = recorded_events(commander)
    commander.act_on((1, 2))
    assert (events, commander.reach, commander.plan) == ([], None, None)
    commander.act_on((0, 0))
    commander.act_on((1, 2))
    (selected, (*order, path)), board = events, commander.board
    assert (selected, order) == (("unit_selected", units["a"]), ["order_given", units["a"]])
    assert (units["a"].cell[:2], len(path)) == ((1, 2), 4)
    assert commander.reach.cells == board.reach(units["a"]).cells  # while it walks
    commander.aim_at((0, 0))
    assert commander.plan.cells == board.plan(units["a"], (0, 0)).cells


def test_a_refused_order_changes_nothing_and_says_why():
    commander, units = at("a.b", "020", all={"move": 1}, chosen="a")
    events = recorded_events(commander)
    commander.act_on((0, 2))
    commander.act_on((0, 1))
    assert [name for name, *_ in events] == ["unit_selected", "refused"]
    why = "the step to (0, 1) costs 3 move points, but b never has more than 1"
    assert events[1:] == [("refused", f"b cannot go there: {why}")]
    assert units["b"].cell == (0, 2, 0)


def test_selecting_the_next_unit_goes_forward_backward_and_around():
    commander, _ = at("a.B.c")

    def turned(step):
        commander.select_next(step)
        return commander.selected.name

    assert [turned(1) for _ in range(4)] == ["a", "B", "c", "a"]
    assert [turned(-1) for _ in range(3)] == ["c", "B", "a"]
    commander.select(None)
    assert turned(-1) == "c"


def test_orders_are_taken_back_and_given_again():
    commander, units = at("a..", chosen="a")
    commander.act_on((0, 2))
    arrive(units["a"])
    events, has = recorded_events(commander), []
    for call in (commander.undo, commander.undo, commander.redo, commander.redo):
        has.append((commander.has_undo, commander.has_redo))
        call()
    assert events == [*itertools.product(("order_undone", "order_redone"), (True, False))]
    assert has == [(True, False), (False, True), (False, True), (True, False)]


def test_the_selected_unit_turns_toward_the_aim_and_enemies_do_not():
    board, units = posted("a..\n..B")
    commander = Commander(board, "blue")
    refused = heard_of(commander.refused)
    commander.face_aim()
    for name in "aB":
        commander.select(units[name])
        commander.aim_at((0, 1))
        commander.face_aim()
    assert units["a"].heading_deg == pytest.approx(-90)
    assert units["B"].heading_deg == 0
    why = "Select a unit and aim at the tile that it should face"
    assert refused == [why, "B of team red is not yours"]


def test_the_aim_goes_with_the_deck_it_lies_on():
    commander, units = at("a..")
    tilemap = commander.board.tilemap
    one_edit(tilemap).add_deck([(0, 2)], 2, "road")
    commander.select(units["a"])
    commander.aim_at((0, 2, 1))
    events = recorded_events(commander)
    tilemap.undo()
    assert (commander.aim, commander.plan) == (None, None)
    assert events == [("tile_aimed", None)]


def test_a_removed_unit_is_not_selected_any_more():
    commander, units = at("a.b", chosen="a")
    commander.board.remove(units["a"])
    assert commander.selected is None
    with pytest.raises(ValueError, match="a is not on this board"):
        commander.select(units["a"])


def test_closed_it_selects_and_aims_only():
    commander, units = at("a.b")
    commander.is_open = False
    commander.act_on((0, 2))
    assert commander.selected is units["b"]
    commander.aim_at((0, 1))
    commander.act_on((0, 1))
    assert units["b"].cell == (0, 2, 0)
    assert (commander.reach, commander.plan) == (None, None)
    events = []
    commander.changed.connect(lambda: events.append(commander.plan.cells))
    commander.is_open = True
    assert events == [[(0, 2, 0), (0, 1, 0)]]


def test_each_change_is_announced_once_and_no_change_never():
    commander, units = at("a..")
    count = []
    commander.changed.connect(lambda: count.append(1))

    def changes(call, *values):
        count.clear()
        call(*values)
        return len(count)

    assert changes(commander.select, units["a"]) == 1
    assert changes(commander.select, units["a"]) == 0
    assert changes(commander.aim_at, (0, 1)) == 1
    assert changes(commander.aim_at, (0, 1, 0)) == 0
    assert changes(commander.act_on, (0, 1)) == 1
    assert changes(arrive, units["a"]) == 1


def test_a_reach_is_flooded_once_and_a_path_searched_only_out_of_it(monkeypatch):
    queries = {name: recorded_calls(monkeypatch, name) for name in ("reach", "find_path")}
    board, units = posted("a....\n..B..\n.....", all={"move": 4})
    commander = Commander(board)
    commander.select(units["a"])
    for cell, n_paths in (((0, 1), 0), ((2, 1), 0), ((2, 4), 1), ((2, 1), 1)):
        commander.aim_at(cell)
        assert commander.reach is not None
        assert commander.plan is not None
        assert [*map(len, queries.values())] == [1, n_paths]
    commander.act_on((2, 1))
    assert units["a"].cell == (2, 1, 0)
    assert len(queries["reach"]) == 1


def test_an_action_on_the_board_is_a_change():
    commander, units = at("a.b\n..B", chosen="a")
    changes = []
    commander.changed.connect(lambda: changes.append(dict(units["a"].stats)))
    with commander.board.action("gust", by=units["b"]) as action:
        action.set(units["a"], hp=3)
    assert changes[-1] == {"hp": 3}
