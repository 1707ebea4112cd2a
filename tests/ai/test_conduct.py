"""Units that move by themselves at a board, in every way there is."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Board, Conduct, MoveProfile, Unit
from ai.conduct import REST_S, WAYS
from terrain3d import SceneTree, TileMap
from tests.ai import rulebook

RIVER = """\
300003
300003
300003"""


def bridged():
    """Give high banks with a bridge between; the river bed is too deep to climb out of."""
    tilemap = TileMap.from_text(RIVER)
    with tilemap.edit() as edit:
        edit.add_deck([(1, col) for col in range(1, 5)], level=3)
    return tilemap


def board_of(tilemap, **places):
    """Put units on a board, red ones by names in upper case."""
    board = Board(tilemap)
    for name, cell in places.items():
        team = "red" if name.isupper() else "blue"
        board.add(Unit(name, cell, team, MoveProfile(max_climb=1, max_drop=1)))
    return board, {unit.name: unit for unit in board.units}


def pass_time(board, conduct, seconds, dt_s=0.05):
    for _ in range(round(seconds / dt_s)):
        conduct.advance(dt_s)
        for unit in board.units:
            unit.advance(dt_s)


def been(unit, before=()):
    """List the cells a unit comes to from now on."""
    cells = [unit.cell, *before]
    unit.step_finished.connect(cells.append)
    return cells


def test_an_enemy_chases_over_the_bridge():
    board, units = board_of(bridged(), mira=(1, 5), WOLF=(1, 0))
    conduct, cells = Conduct(board), been(units["WOLF"])
    conduct.lead(units["WOLF"], "chase")
    pass_time(board, conduct, 6)
    assert cells == [(1, 0, 0), (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 1)]
    assert conduct.reason_of(units["WOLF"]) == "has caught up with the target at (1, 5)"


def test_a_patrol_goes_between_its_posts_over_the_bridge():
    board, units = board_of(bridged(), guard=(1, 0))
    conduct, cells = Conduct(board), been(units["guard"])
    conduct.lead(units["guard"], "patrol", post=(1, 5))
    pass_time(board, conduct, 20)
    turns = [cell for cell in cells if cell in ((1, 0, 0), (1, 5, 0))]
    assert turns[:3] == [(1, 0, 0), (1, 5, 0), (1, 0, 0)]
    assert conduct.reason_of(units["guard"]).startswith("waits at") or units["guard"].is_moving


def test_a_patrol_without_a_post_takes_the_farthest_tile_in_reach():
    board, units = board_of(TileMap.from_text("0000"), guard=(0, 0))
    conduct, cells = Conduct(board), been(units["guard"])
    conduct.lead(units["guard"], "patrol")
    pass_time(board, conduct, 8)
    assert (0, 3, 0) in cells


def test_who_follows_goes_where_the_crumbs_lie_and_they_are_told():
    board, units = board_of(TileMap.from_text("000000"), goose=(0, 2), gosling=(0, 0))
    conduct, cells = Conduct(board), been(units["gosling"])
    conduct.lead(units["gosling"], "follow")
    assert conduct.crumbs() == [(0, 2, 0)]
    board.move(units["goose"], (0, 5))
    pass_time(board, conduct, 6)
    assert conduct.crumbs() == [(0, 5, 0), (0, 4, 0), (0, 3, 0), (0, 2, 0)]
    assert cells == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0)]


def test_who_flees_ends_farther_from_the_enemy():
    board, units = board_of(TileMap.from_text("0000000"), hare=(0, 3), FOX=(0, 1))
    conduct = Conduct(board)
    conduct.lead(units["hare"], "flee")
    pass_time(board, conduct, 6)
    assert units["hare"].cell == (0, 6, 0)


def test_one_key_leads_through_all_ways_and_back_to_orders():
    board, units = board_of(TileMap.from_text("00"), mira=(0, 0))
    conduct = Conduct(board)
    told = [conduct.lead_on(units["mira"]) for _ in range(len(WAYS) + 1)]
    assert told == [*WAYS, ""]
    assert conduct.way_of(units["mira"]) == ""


def test_who_stays_is_asked_again_only_after_a_rest():
    board, units = board_of(TileMap.from_text("0"), WOLF=(0, 0))
    conduct, told = Conduct(board), []
    conduct.lead(units["WOLF"], "chase")
    conduct.changed.connect(told.append)
    asked = []
    behavior = conduct._led[units["WOLF"]].behavior
    choose = behavior._choose
    behavior._choose = lambda situation: asked.append(1) or choose(situation)
    for _ in range(10):
        conduct.advance(REST_S / 5)
    assert len(asked) == 2
    assert told == [units["WOLF"]]
    assert conduct.reason_of(units["WOLF"]) == "there is no target"


def test_who_leaves_the_board_is_led_no_more():
    board, units = board_of(TileMap.from_text("000"), WOLF=(0, 0), mira=(0, 2))
    conduct = Conduct(board)
    conduct.lead(units["WOLF"], "wander")
    conduct.lead(units["mira"], "follow")
    board.remove(units["WOLF"])
    assert conduct.way_of(units["WOLF"]) == ""
    assert conduct.crumbs() == []
    pass_time(board, conduct, 2)
    with pytest.raises(ValueError, match="WOLF is not on this board"):
        conduct.lead(units["WOLF"], "chase")


def test_an_unknown_way_is_refused_and_the_unit_goes_on_as_before():
    board, units = board_of(TileMap.from_text("000"), mira=(0, 0))
    conduct = Conduct(board)
    conduct.lead(units["mira"], "explore")
    with pytest.raises(ValueError, match=r"way must be one of chase, flee, .*, got 'fly'"):
        conduct.lead(units["mira"], "fly")
    with pytest.raises(IndexError, match="9"):
        conduct.lead(units["mira"], "patrol", post=(0, 9))
    assert conduct.way_of(units["mira"]) == "explore"


def test_once_freed_it_listens_to_nobody():
    board, units = board_of(TileMap.from_text("000"), mira=(0, 0))
    tree = SceneTree()
    conduct = tree.root.add_child(Conduct(board))
    trail = conduct.trail_of(units["mira"])
    tree.advance(0.1)
    conduct.queue_free()
    tree.advance(0.1)
    board.move(units["mira"], (0, 2))
    units["mira"].advance(9)
    board.add(Unit("late", (0, 0)))
    assert len(trail) == 1


def test_undo_takes_back_the_last_order_with_all_that_went_by_itself_since():
    board, units = board_of(TileMap.from_text("000000\n000000"), mira=(0, 0), stray=(1, 3))
    conduct = Conduct(board, seed=1)
    board.move(units["mira"], (0, 2))
    pass_time(board, conduct, 3)
    conduct.lead(units["stray"], "wander")
    pass_time(board, conduct, 3)
    assert units["stray"].cell != (1, 3, 0)
    assert board.undo()
    assert [unit.cell for unit in board.units] == [(0, 0, 0), (1, 3, 0)]
    assert not board.undo()
    pass_time(board, conduct, 1)
    assert not board.undo()
    assert board.redo()
    assert units["mira"].cell == (0, 2, 0)


def test_who_may_not_take_its_next_step_says_why():
    board = Board(TileMap.from_text("03\n03"))
    climber = board.add(Unit("climber", (0, 0), profile=MoveProfile(max_climb=3, climb_cost=9)))
    conduct = Conduct(board)
    conduct.lead(climber, "patrol", post=(0, 1))
    pass_time(board, conduct, 1)
    assert conduct.reason_of(climber) == "costs 28, climber has 5 move points"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_the_map_and_the_ways_every_step_is_legal_and_nobody_shares_a_tile(data):
    rows = data.draw(st.lists(st.text("0123", min_size=5, max_size=5), min_size=2, max_size=5))
    tilemap = TileMap.from_text("\n".join(rows))
    n_units = data.draw(st.integers(1, 4))
    cells = list(itertools.product(range(len(rows)), range(5)))
    places = data.draw(st.permutations(cells))[:n_units]
    board, units = board_of(tilemap, **dict(zip("aBcD", places, strict=False)))
    conduct = Conduct(board, seed=3)

    def check(unit, path):
        taken = {other.cell for other in board.units if other.team != unit.team}
        for before, after in itertools.pairwise(path.cells):
            legal = rulebook.steps_from(tilemap, unit.profile, tuple(before), taken)
            assert tuple(after) in [end for end, _ in legal]

    board.unit_moved.connect(check)
    for unit in units.values():
        conduct.lead(unit, data.draw(st.sampled_from(WAYS)))
    for _ in range(3):
        pass_time(board, conduct, 1.5, 0.1)
        with tilemap.edit() as edit:
            edit.set_level(data.draw(st.sampled_from(cells)), data.draw(st.integers(0, 3)))
        held = [unit.cell for unit in board.units]
        assert len(set(held)) == len(held)
