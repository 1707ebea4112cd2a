"""Every behavior of the key of the scene."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Autopilot, Board, Explore, Unit
from terrain3d import Cell, TileMap
from terrain3d.program.behaviors import BEHAVIORS, BehaviorKey
from tests.support import rulebook
from tests.support.commanders import board_of, pass_time

RIVER = """\
300003
300003
300003"""
CHASE, FLEE, PATROL, GUARD, *_ = BEHAVIORS
KINDS = ["grass", "deep", "void"]


def keyed(board):
    """Return an autopilot, and what gives behaviors to units."""
    autopilot = Autopilot(board)
    return autopilot, BehaviorKey(autopilot, board, 3)


def bridged():
    """Return high banks with a bridge between; the river bed is too deep to climb out of."""
    tilemap = TileMap.from_text(RIVER)
    with tilemap.edit() as edit:
        edit.add_deck([(1, col) for col in range(1, 5)], level=3)
    return tilemap


def been(unit, before=()):
    """List the cells a unit comes to from now on."""
    cells = [unit.cell, *before]
    unit.step_finished.connect(cells.append)
    return cells


def test_an_enemy_chases_over_the_bridge():
    board, units = board_of(bridged(), mira=(1, 5), WOLF=(1, 0))
    (autopilot, key), cells = keyed(board), been(units["WOLF"])
    key.assign(units["WOLF"], CHASE)
    pass_time(board, autopilot, 6)
    assert cells == [(1, 0, 0), (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 1)]
    assert autopilot.reason_of(units["WOLF"]) == "has caught up with the target at (1, 5)"


def test_a_patrol_goes_between_its_posts_over_the_bridge():
    board, units = board_of(bridged(), guard=(1, 0))
    (autopilot, key), cells = keyed(board), been(units["guard"])
    key.assign(units["guard"], PATROL, post=Cell(1, 5))
    pass_time(board, autopilot, 20)
    turns = [cell for cell in cells if cell in ((1, 0, 0), (1, 5, 0))]
    assert turns[:3] == [(1, 0, 0), (1, 5, 0), (1, 0, 0)]
    assert autopilot.reason_of(units["guard"]).startswith("waits at") or units["guard"].is_moving


def test_a_patrol_without_a_post_takes_the_farthest_tile_in_reach():
    board, units = board_of(TileMap.from_text("0000"), guard=(0, 0))
    (autopilot, key), cells = keyed(board), been(units["guard"])
    key.assign(units["guard"], PATROL)
    pass_time(board, autopilot, 8)
    assert (0, 3, 0) in cells


def test_a_fleeing_unit_ends_farther_from_the_enemy():
    board, units = board_of(TileMap.from_text("0000000"), hare=(0, 3), FOX=(0, 1))
    autopilot, key = keyed(board)
    key.assign(units["hare"], FLEE)
    pass_time(board, autopilot, 6)
    assert units["hare"].cell == (0, 6, 0)


def test_assign_next_goes_through_all_behaviors_and_back_to_orders():
    board, units = board_of(TileMap.from_text("00"), mira=(0, 0))
    autopilot, key = keyed(board)
    results = [key.assign_next(units["mira"]) for _ in range(len(BEHAVIORS) + 1)]
    assert results == [*BEHAVIORS, "waits for orders"]
    assert autopilot.behavior_of(units["mira"]) is None
    autopilot.assign(units["mira"], Explore())  # one of a game
    assert key.describe(units["mira"], has_coordinates=True) == []
    assert key.assign_next(units["mira"]) == CHASE


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_on_any_map_every_step_is_legal_and_no_two_units_share_a_tile(data):
    rows = data.draw(st.lists(st.text("0123", min_size=5, max_size=5), min_size=2, max_size=5))
    tilemap = TileMap.from_text("\n".join(rows))
    n_units = data.draw(st.integers(1, 4))
    cells = list(itertools.product(range(len(rows)), range(5)))
    places = data.draw(st.permutations(cells))[:n_units]
    board, units = board_of(tilemap, **dict(zip("aBcD", places, strict=False)))
    autopilot, key = keyed(board)

    def check(entry):
        for change in entry.changes:
            unit = change.unit
            taken = {other.cell for other in board.units if other.team != unit.team}
            for before, after in itertools.pairwise(change.along):
                legal = rulebook.steps_from(tilemap, unit.profile, tuple(before), taken)
                assert tuple(after) in [end for end, _ in legal]

    board.changed.connect(check)
    for unit in units.values():
        post = data.draw(st.none() | st.sampled_from(cells))
        post = post and Cell(*post)
        key.assign(unit, data.draw(st.sampled_from([*BEHAVIORS])), post)
    for _ in range(3):
        pass_time(board, autopilot, 1.5, 0.1)
        with tilemap.edit() as edit:
            edit.set_level(data.draw(st.sampled_from(cells)), data.draw(st.integers(0, 3)))
            edit.set_kind(data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(KINDS)))
        held = [unit.cell for unit in board.units]
        assert len(set(held)) == len(held)


def test_a_unit_says_what_it_does_and_why_it_stays():
    board, units = board_of(TileMap.from_text("00"), WOLF=(0, 0))
    autopilot, key = keyed(board)
    assert key.describe(units["WOLF"], has_coordinates=True) == []
    key.assign(units["WOLF"], CHASE)
    autopilot.advance(0.1)
    lines = ["autopilot: chases the nearest enemy", "there is no target"]
    assert key.describe(units["WOLF"], has_coordinates=True) == lines


@pytest.mark.parametrize("name", [CHASE, FLEE, GUARD])
def test_in_fog_a_unit_goes_after_and_away_from_those_in_sight_alone(name):
    ends = set()
    for foe in ((0, 9), (0, 11)):
        board = Board(TileMap.from_text("0" * 12), fog=True)
        unit = board.add(Unit("mira", (0, 4), sight=3))
        board.add(Unit("FOE", foe, "red"))
        autopilot, key = keyed(board)
        key.assign(unit, name)
        autopilot.advance(0.1)
        ends.add((unit.cell, autopilot.reason_of(unit)))
    assert len(ends) == 1
