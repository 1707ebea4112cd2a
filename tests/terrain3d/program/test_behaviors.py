"""Every behavior of the key of the scene."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Autopilot, Board, Explore, MoveProfile, Unit
from terrain3d import Cell, TileMap
from terrain3d.program.behaviors import BEHAVIORS, FARTHEST_TILES, NEAREST_TILES, BehaviorKey
from tests.support import rulebook
from tests.support.autopilots import board_of, pass_time

RIVER = """\
300003
300003
300003"""
CHASE, INTERCEPT, FLEE, KEEP, PATROL, GUARD, TRAVEL, _, FOLLOW, *_ = BEHAVIORS
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


def test_a_follower_goes_where_the_crumbs_lie():
    board, units = board_of(TileMap.from_text("000000"), goose=(0, 2), gosling=(0, 0))
    (autopilot, key), cells = keyed(board), been(units["gosling"])
    key.assign(units["gosling"], FOLLOW)
    assert key.crumbs() == [(0, 2, 0)]
    board.move(units["goose"], (0, 5))
    pass_time(board, autopilot, 6)
    assert key.crumbs() == [(0, 5, 0), (0, 4, 0), (0, 3, 0), (0, 2, 0)]
    assert cells == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0)]


def test_a_fleeing_unit_ends_farther_from_the_enemy():
    board, units = board_of(TileMap.from_text("0000000"), hare=(0, 3), FOX=(0, 1))
    autopilot, key = keyed(board)
    key.assign(units["hare"], FLEE)
    pass_time(board, autopilot, 6)
    assert units["hare"].cell == (0, 6, 0)


def led_after_a_hare(behavior, fox_tiles_s):
    """Let a hare run along the upper edge of a field and a fox go after it; give the fox's cells.

    The fox starts four rows below that edge, where the hare has yet to come.
    """
    board, units = board_of(TileMap.from_text("\n".join(["0" * 13] * 5)), hare=(0, 0), FOX=(4, 9))
    (autopilot, key), cells = keyed(board), been(units["FOX"])
    units["hare"].speed_tiles_s, units["FOX"].speed_tiles_s = 2.0, fox_tiles_s
    key.assign(units["hare"], PATROL, post=Cell(0, 12))
    key.assign(units["FOX"], behavior)
    pass_time(board, autopilot, 3.5)
    return cells


def test_an_interceptor_goes_to_where_its_prey_will_be_if_it_is_fast_enough():
    cut, behind = (led_after_a_hare(behavior, 2.0) for behavior in (INTERCEPT, CHASE))
    # The hare waits at its first post, while the fox comes to (4, 7). From there it is five steps
    # to (0, 6), as from (0, 1) for the hare; whatever comes before is nearer to the hare.
    assert cut[-3:] == [(3, 6, 0), (2, 6, 0), (1, 6, 0)]
    assert min(col for _, col, _ in behind) < 6
    assert led_after_a_hare(INTERCEPT, 0.9) == led_after_a_hare(CHASE, 0.9)


def test_an_interceptor_expects_its_prey_where_that_can_climb_though_it_cannot_itself():
    ledge = TileMap.from_text("\n".join(["0" * 6 + "2" * 7] * 5))
    board, units = board_of(ledge, FOX=(4, 9))
    hare = board.add(Unit("hare", (0, 0), profile=MoveProfile(max_climb=2, climb_cost=0)))
    (autopilot, key), cells = keyed(board), been(units["FOX"])
    key.assign(hare, PATROL, post=Cell(0, 12))
    key.assign(units["FOX"], INTERCEPT)
    pass_time(board, autopilot, 2.5)
    assert len(cells) > 3
    assert min(row for row, *_ in cells) < 4  # to the edge the hare runs along, up on the ledge


def test_an_interceptor_goes_after_one_enemy_until_that_is_gone():
    board, units = board_of(TileMap.from_text("0000000"), near=(0, 2), far=(0, 6), FOX=(0, 0))
    autopilot, key = keyed(board)
    key.assign(units["FOX"], INTERCEPT)
    board.remove(units["near"])
    pass_time(board, autopilot, 1)
    assert autopilot.reason_of(units["FOX"]) == "there is no target"
    key.assign(units["FOX"], INTERCEPT)
    pass_time(board, autopilot, 4)
    assert units["FOX"].cell == (0, 5, 0)


@pytest.mark.parametrize(("start", "end"), [(3, 5), (4, 5), (5, 5), (7, 7), (9, 7)])
def test_a_unit_that_keeps_its_distance_ends_between_the_two_numbers(start, end):
    board, units = board_of(TileMap.from_text("0" * 12), archer=(0, start), WOLF=(0, 2))
    autopilot, key = keyed(board)
    key.assign(units["archer"], KEEP)
    pass_time(board, autopilot, 5)
    assert (NEAREST_TILES, FARTHEST_TILES) == (3, 5)
    assert units["archer"].cell == (0, end, 0)
    assert autopilot.reason_of(units["archer"]) == f"keeps its distance of {end - 2} tiles"


def test_a_unit_that_keeps_its_distance_does_not_flee_to_another_enemy():
    nook_or_lynx = TileMap.from_text("##0##\n00000\n###0#")
    board, units = board_of(nook_or_lynx, archer=(1, 2), WOLF=(1, 0), LYNX=(1, 4))
    autopilot, key = keyed(board)
    key.assign(units["archer"], KEEP)
    pass_time(board, autopilot, 3)
    assert units["archer"].cell == (0, 2, 0)


def stops_of(key):
    """List the points that are still ahead, by their numbers."""
    marks = key.points()
    stops = sorted((cell for cell in marks if marks[cell]), key=marks.get)
    assert [marks[cell] for cell in stops] == [*range(1, len(stops) + 1)]
    return stops


SLOPES = """\
00000000000000000000
00111110000000000000
00122210000#########
00123210000#00000000
00122210000#00000000
00111110000000000000
00000000000000000000"""


def test_a_traveler_goes_by_the_points_that_are_numbered_and_arrives():
    board, units = board_of(TileMap.from_text(SLOPES), mira=(6, 0))
    (autopilot, key), cells = keyed(board), been(units["mira"])
    assert key.points() == {}
    key.assign(units["mira"], TRAVEL, post=Cell(0, 19))
    autopilot.advance(0)
    marks = key.points()
    stops = stops_of(key)
    assert len(stops) > 2
    assert stops[-1] == (0, 19, 0)
    assert len(marks) > len(stops)
    pass_time(board, autopilot, 30)
    assert sorted(stops, key=cells.index) == stops
    assert autopilot.reason_of(units["mira"]) == "has arrived at (0, 19)"
    assert set(key.points()) == set(marks)
    key.assign(units["mira"], "")
    assert key.points() == {}


def test_a_traveler_without_a_post_goes_to_the_farthest_tile_and_alike_have_the_same_points():
    board, units = board_of(TileMap.from_text(SLOPES), mira=(3, 0), odo=(0, 0))
    autopilot, key = keyed(board)
    key.assign(units["mira"], TRAVEL)
    of_one = {cell for cell, number in key.points().items() if not number}
    key.assign(units["odo"], TRAVEL)
    assert of_one <= {*key.points()}
    assert len(key.points()) <= len(of_one) + 2  # and where they go
    pass_time(board, autopilot, 40)
    assert units["mira"].cell == (3, 19, 0)


def test_a_traveler_to_a_unit_follows_it_until_it_is_removed():
    board, units = board_of(TileMap.from_text(SLOPES), mira=(6, 0), odo=(0, 12))
    autopilot, key = keyed(board)
    key.assign(units["mira"], TRAVEL, post=Cell(0, 12))
    pass_time(board, autopilot, 4)
    board.move(units["odo"], (0, 17))
    pass_time(board, autopilot, 30)
    assert autopilot.reason_of(units["mira"]) == "has arrived beside (0, 17)"
    board.remove(units["odo"])
    pass_time(board, autopilot, 4)
    assert autopilot.reason_of(units["mira"]) == "there is no goal"


def test_points_whose_ground_is_taken_away_are_left_out():
    tilemap = TileMap.from_text(SLOPES)
    board, units = board_of(tilemap, mira=(6, 0))
    autopilot, key = keyed(board)
    key.assign(units["mira"], TRAVEL, post=Cell(0, 19))
    autopilot.advance(0)
    before, gone = {*key.points()}, stops_of(key)[-2]
    with tilemap.edit() as edit:
        edit.set_kind(gone, "void")
    assert before - {*key.points()} == {gone}
    pass_time(board, autopilot, 30)
    assert autopilot.reason_of(units["mira"]) == "has arrived at (0, 19)"


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
        assert not any(tilemap.is_void(cell) for cell in key.points())
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


@pytest.mark.parametrize("name", [CHASE, INTERCEPT, FLEE, KEEP, GUARD, FOLLOW, TRAVEL])
def test_in_fog_a_unit_goes_after_and_away_from_those_in_sight_alone(name):
    ends = set()
    for foe in ((0, 9), (0, 11)):
        board = Board(TileMap.from_text("0" * 12), fog=True)
        unit = board.add(Unit("mira", (0, 4), sight=3))
        board.add(Unit("FOE", foe, "red"))
        autopilot, key = keyed(board)
        key.assign(unit, name, Cell(0, 9) if name == TRAVEL else None)
        autopilot.advance(0.1)
        ends.add((unit.cell, autopilot.reason_of(unit)))
    assert len(ends) == 1
