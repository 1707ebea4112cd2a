"""Autonomous units on a board, with every behavior."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import Autopilot, Behavior, Board, MoveProfile, Unit
from ai.game.autopilot import BEHAVIORS, FARTHEST_TILES, NEAREST_TILES, REST_S
from terrain3d import SceneTree, TileMap
from tests.support import rulebook

RIVER = """\
300003
300003
300003"""


KINDS = ["grass", "deep", "void"]


def bridged():
    """Return high banks with a bridge between; the river bed is too deep to climb out of."""
    tilemap = TileMap.from_text(RIVER)
    with tilemap.edit() as edit:
        edit.add_deck([(1, col) for col in range(1, 5)], level=3)
    return tilemap


def test_a_turn_ends_though_a_unit_has_endless_points():
    board = Board(TileMap.from_text("000\n000"), turns="sides")
    board.add(Unit("blue", (0, 0)))
    red = board.add(Unit("red", (1, 2), "red", move=math.inf))
    autopilot = Autopilot(board)
    autopilot.assign(red, "wander")
    board.end_turn()
    for _ in range(100):
        red.advance(1.0)
        autopilot.advance(1.0)
        if board.turn.team == "blue":
            break
    assert board.turn.number == 2


def test_a_unit_that_stayed_acts_when_it_is_assigned_another_behavior_in_its_turn():
    board = Board(TileMap.from_text("00000"), turns="sides")
    blue = board.add(Unit("blue", (0, 0), move=3))
    board.add(Unit("waiting for orders", (0, 4)))  # or the turn would end
    autopilot = Autopilot(board)
    autopilot.assign(blue, "chase")  # there is no enemy
    autopilot.advance(1.0)
    assert autopilot.reason_of(blue)
    autopilot.assign(blue, "wander")
    autopilot.advance(1.0)
    assert blue.cell != (0, 0, 0)


def board_of(tilemap, **places):
    """Put units on a board, red ones by names in upper case."""
    board = Board(tilemap)
    for name, cell in places.items():
        team = "red" if name.isupper() else "blue"
        board.add(Unit(name, cell, team, MoveProfile(max_climb=1, max_drop=1)))
    board.clear_history()
    return board, {unit.name: unit for unit in board.units}


def pass_time(board, autopilot, seconds, dt_s=0.05):
    for _ in range(round(seconds / dt_s)):
        autopilot.advance(dt_s)
        for unit in board.units:
            unit.advance(dt_s)


def been(unit, before=()):
    """List the cells a unit comes to from now on."""
    cells = [unit.cell, *before]
    unit.step_finished.connect(cells.append)
    return cells


def test_an_enemy_chases_over_the_bridge():
    board, units = board_of(bridged(), mira=(1, 5), WOLF=(1, 0))
    autopilot, cells = Autopilot(board), been(units["WOLF"])
    autopilot.assign(units["WOLF"], "chase")
    pass_time(board, autopilot, 6)
    assert cells == [(1, 0, 0), (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 1)]
    assert autopilot.reason_of(units["WOLF"]) == "has caught up with the target at (1, 5)"


def test_a_patrol_goes_between_its_posts_over_the_bridge():
    board, units = board_of(bridged(), guard=(1, 0))
    autopilot, cells = Autopilot(board), been(units["guard"])
    autopilot.assign(units["guard"], "patrol", post=(1, 5))
    pass_time(board, autopilot, 20)
    turns = [cell for cell in cells if cell in ((1, 0, 0), (1, 5, 0))]
    assert turns[:3] == [(1, 0, 0), (1, 5, 0), (1, 0, 0)]
    assert autopilot.reason_of(units["guard"]).startswith("waits at") or units["guard"].is_moving


def test_a_patrol_without_a_post_takes_the_farthest_tile_in_reach():
    board, units = board_of(TileMap.from_text("0000"), guard=(0, 0))
    autopilot, cells = Autopilot(board), been(units["guard"])
    autopilot.assign(units["guard"], "patrol")
    pass_time(board, autopilot, 8)
    assert (0, 3, 0) in cells


def test_a_follower_goes_where_the_crumbs_lie():
    board, units = board_of(TileMap.from_text("000000"), goose=(0, 2), gosling=(0, 0))
    autopilot, cells = Autopilot(board), been(units["gosling"])
    autopilot.assign(units["gosling"], "follow")
    assert autopilot.crumbs() == [(0, 2, 0)]
    board.move(units["goose"], (0, 5))
    pass_time(board, autopilot, 6)
    assert autopilot.crumbs() == [(0, 5, 0), (0, 4, 0), (0, 3, 0), (0, 2, 0)]
    assert cells == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0)]


def test_a_fleeing_unit_ends_farther_from_the_enemy():
    board, units = board_of(TileMap.from_text("0000000"), hare=(0, 3), FOX=(0, 1))
    autopilot = Autopilot(board)
    autopilot.assign(units["hare"], "flee")
    pass_time(board, autopilot, 6)
    assert units["hare"].cell == (0, 6, 0)


def led_after_a_hare(behavior, fox_tiles_s):
    """Let a hare run along the upper edge of a field and a fox go after it; give the fox's cells.

    The fox starts four rows below that edge, where the hare has yet to come.
    """
    board, units = board_of(TileMap.from_text("\n".join(["0" * 13] * 5)), hare=(0, 0), FOX=(4, 9))
    autopilot, cells = Autopilot(board), been(units["FOX"])
    units["hare"].speed_tiles_s, units["FOX"].speed_tiles_s = 2.0, fox_tiles_s
    autopilot.assign(units["hare"], "patrol", post=(0, 12))
    autopilot.assign(units["FOX"], behavior)
    pass_time(board, autopilot, 3.5)
    return cells


def test_an_interceptor_goes_to_where_its_prey_will_be_if_it_is_fast_enough():
    cut, behind = (led_after_a_hare(behavior, 2.0) for behavior in ("intercept", "chase"))
    # The hare waits at its first post, while the fox comes to (4, 7). From there it is five steps
    # to (0, 6), as from (0, 1) for the hare; whatever comes before is nearer to the hare.
    assert cut[-3:] == [(3, 6, 0), (2, 6, 0), (1, 6, 0)]
    assert min(col for _, col, _ in behind) < 6
    assert led_after_a_hare("intercept", 0.9) == led_after_a_hare("chase", 0.9)


def test_an_interceptor_expects_its_prey_where_that_can_climb_though_it_cannot_itself():
    ledge = TileMap.from_text("\n".join(["0" * 6 + "2" * 7] * 5))
    board, units = board_of(ledge, FOX=(4, 9))
    hare = board.add(Unit("hare", (0, 0), profile=MoveProfile(max_climb=2, climb_cost=0)))
    autopilot, cells = Autopilot(board), been(units["FOX"])
    autopilot.assign(hare, "patrol", post=(0, 12))
    autopilot.assign(units["FOX"], "intercept")
    pass_time(board, autopilot, 2.5)
    assert len(cells) > 3
    assert min(row for row, *_ in cells) < 4  # to the edge the hare runs along, up on the ledge


def test_an_interceptor_goes_after_one_enemy_until_that_is_gone():
    board, units = board_of(TileMap.from_text("0000000"), near=(0, 2), far=(0, 6), FOX=(0, 0))
    autopilot = Autopilot(board)
    autopilot.assign(units["FOX"], "intercept")
    board.remove(units["near"])
    pass_time(board, autopilot, 1)
    assert autopilot.reason_of(units["FOX"]) == "there is no target"
    autopilot.assign(units["FOX"], "intercept")
    pass_time(board, autopilot, 4)
    assert units["FOX"].cell == (0, 5, 0)


@pytest.mark.parametrize(("start", "end"), [(3, 5), (4, 5), (5, 5), (7, 7), (9, 7)])
def test_a_unit_that_keeps_its_distance_ends_between_the_two_numbers(start, end):
    board, units = board_of(TileMap.from_text("0" * 12), archer=(0, start), WOLF=(0, 2))
    autopilot = Autopilot(board)
    autopilot.assign(units["archer"], "keep")
    pass_time(board, autopilot, 5)
    assert (NEAREST_TILES, FARTHEST_TILES) == (3, 5)
    assert units["archer"].cell == (0, end, 0)
    assert autopilot.reason_of(units["archer"]) == f"keeps its distance of {end - 2} tiles"


def test_a_unit_that_keeps_its_distance_does_not_flee_to_another_enemy():
    nook_or_lynx = TileMap.from_text("##0##\n00000\n###0#")
    board, units = board_of(nook_or_lynx, archer=(1, 2), WOLF=(1, 0), LYNX=(1, 4))
    autopilot = Autopilot(board)
    autopilot.assign(units["archer"], "keep")
    pass_time(board, autopilot, 3)
    assert units["archer"].cell == (0, 2, 0)


def stops_of(autopilot):
    """List the points that are still ahead, by their numbers."""
    marks = autopilot.points()
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
    autopilot, cells = Autopilot(board), been(units["mira"])
    assert autopilot.points() == {}
    autopilot.assign(units["mira"], "travel", post=(0, 19))
    autopilot.advance(0)
    marks = autopilot.points()
    stops = stops_of(autopilot)
    assert len(stops) > 2
    assert stops[-1] == (0, 19, 0)
    assert len(marks) > len(stops)
    pass_time(board, autopilot, 30)
    assert sorted(stops, key=cells.index) == stops
    assert autopilot.reason_of(units["mira"]) == "has arrived at (0, 19)"
    assert set(autopilot.points()) == set(marks)
    autopilot.assign(units["mira"], "")
    assert autopilot.points() == {}


def test_a_traveler_without_a_post_goes_to_the_farthest_tile_and_alike_have_the_same_points():
    board, units = board_of(TileMap.from_text(SLOPES), mira=(3, 0), odo=(0, 0))
    autopilot = Autopilot(board)
    autopilot.assign(units["mira"], "travel")
    of_one = {cell for cell, number in autopilot.points().items() if not number}
    autopilot.assign(units["odo"], "travel")
    assert of_one <= {*autopilot.points()}
    assert len(autopilot.points()) <= len(of_one) + 2  # and where they go
    pass_time(board, autopilot, 40)
    assert units["mira"].cell == (3, 19, 0)


def test_a_traveler_to_a_unit_follows_it_until_it_is_removed():
    board, units = board_of(TileMap.from_text(SLOPES), mira=(6, 0), odo=(0, 12))
    autopilot = Autopilot(board)
    autopilot.assign(units["mira"], "travel", post=(0, 12))
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
    autopilot = Autopilot(board)
    autopilot.assign(units["mira"], "travel", post=(0, 19))
    autopilot.advance(0)
    before, gone = {*autopilot.points()}, stops_of(autopilot)[-2]
    with tilemap.edit() as edit:
        edit.set_kind(gone, "void")
    assert before - {*autopilot.points()} == {gone}
    pass_time(board, autopilot, 30)
    assert autopilot.reason_of(units["mira"]) == "has arrived at (0, 19)"


def test_assign_next_goes_through_all_behaviors_and_back_to_orders():
    board, units = board_of(TileMap.from_text("00"), mira=(0, 0))
    autopilot = Autopilot(board)
    results = [autopilot.assign_next(units["mira"]) for _ in range(len(BEHAVIORS) + 1)]
    assert results == [*BEHAVIORS, ""]
    assert autopilot.behavior_of(units["mira"]) == ""


def test_a_unit_that_stays_is_asked_again_only_after_a_rest():
    board, units = board_of(TileMap.from_text("0"), WOLF=(0, 0))
    autopilot, results = Autopilot(board), []
    autopilot.assign(units["WOLF"], "chase")
    autopilot.changed.connect(results.append)
    asked = []
    behavior = autopilot._assigned[units["WOLF"]].behavior
    choose = behavior._choose
    behavior._choose = lambda situation: asked.append(1) or choose(situation)
    for _ in range(10):
        autopilot.advance(REST_S / 5)
    assert len(asked) == 2
    assert results == [units["WOLF"]]
    assert autopilot.reason_of(units["WOLF"]) == "there is no target"


def test_a_removed_unit_has_no_behavior_any_more():
    board, units = board_of(TileMap.from_text("000"), WOLF=(0, 0), mira=(0, 2))
    autopilot = Autopilot(board)
    autopilot.assign(units["WOLF"], "wander")
    autopilot.assign(units["mira"], "follow")
    board.remove(units["WOLF"])
    assert autopilot.behavior_of(units["WOLF"]) == ""
    assert autopilot.crumbs() == []
    pass_time(board, autopilot, 2)
    with pytest.raises(ValueError, match="WOLF is not on this board"):
        autopilot.assign(units["WOLF"], "chase")


def test_an_unknown_behavior_is_refused_and_the_old_one_goes_on():
    board, units = board_of(TileMap.from_text("000"), mira=(0, 0))
    autopilot = Autopilot(board)
    autopilot.assign(units["mira"], "explore")
    with pytest.raises(ValueError, match=r"be one of .*'chase', 'intercept', .*, got 'fly'"):
        autopilot.assign(units["mira"], "fly")
    with pytest.raises(IndexError, match="9"):
        autopilot.assign(units["mira"], "patrol", post=(0, 9))
    assert autopilot.behavior_of(units["mira"]) == "explore"


class Climb(Behavior):
    """Goes one level up."""

    def _choose(self, situation):
        level_at = situation.navigation.tilemap.level_at
        higher = [cell for cell in situation.steps() if level_at(cell) > level_at(situation.here)]
        return higher[0] if higher else "is on top"


def test_a_behavior_of_ones_own_is_assigned_as_an_object():
    board, units = board_of(TileMap.from_text("012"), goat=(0, 0))
    goat, autopilot = units["goat"], Autopilot(board)
    autopilot.assign(goat, Climb())
    assert autopilot.behavior_of(goat) == "Climb"
    pass_time(board, autopilot, 4)
    assert (goat.cell, autopilot.reason_of(goat)) == ((0, 2, 0), "is on top")
    assert autopilot.assign_next(goat) == next(iter(BEHAVIORS))


def test_one_behavior_object_moves_one_unit():
    board, units = board_of(TileMap.from_text("000"), a=(0, 0), b=(0, 2))
    autopilot, climb = Autopilot(board), Climb()
    autopilot.assign(units["a"], climb)
    with pytest.raises(ValueError, match="this Climb moves a; each unit needs its own"):
        autopilot.assign(units["b"], climb)
    autopilot.assign(units["a"], climb)
    autopilot.assign(units["a"], "")
    autopilot.assign(units["b"], climb)
    with pytest.raises(ValueError, match="post goes with a name, got a Climb"):
        autopilot.assign(units["b"], climb, post=(0, 0))


def test_once_freed_it_listens_to_no_unit():
    board, units = board_of(TileMap.from_text("000"), mira=(0, 0))
    tree = SceneTree()
    autopilot = tree.root.add_child(Autopilot(board))
    trail = autopilot.trail_of(units["mira"])
    tree.advance(0.1)
    autopilot.queue_free()
    tree.advance(0.1)
    board.move(units["mira"], (0, 2))
    units["mira"].advance(9)
    board.add(Unit("late", (0, 0)))
    assert len(trail) == 1


def test_undo_takes_back_the_last_order_with_all_that_went_by_itself_since():
    board, units = board_of(TileMap.from_text("000000\n000000"), mira=(0, 0), stray=(1, 3))
    autopilot = Autopilot(board, seed=1)
    board.move(units["mira"], (0, 2))
    pass_time(board, autopilot, 3)
    autopilot.assign(units["stray"], "wander")
    pass_time(board, autopilot, 3)
    assert units["stray"].cell != (1, 3, 0)
    assert board.undo()
    assert [unit.cell for unit in board.units] == [(0, 0, 0), (1, 3, 0)]
    assert not board.undo()
    pass_time(board, autopilot, 1)
    assert not board.undo()
    assert board.redo()
    assert units["mira"].cell == (0, 2, 0)


def test_a_unit_whose_next_step_is_refused_says_why():
    board = Board(TileMap.from_text("03\n03"))
    climber = board.add(Unit("climber", (0, 0), profile=MoveProfile(max_climb=3, climb_cost=9)))
    autopilot = Autopilot(board)
    autopilot.assign(climber, "patrol", post=(0, 1))
    pass_time(board, autopilot, 1)
    assert autopilot.reason_of(climber) == (
        "the step to (0, 1) costs 28 move points, but climber never has more than 5"
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_on_any_map_every_step_is_legal_and_no_two_units_share_a_tile(data):
    rows = data.draw(st.lists(st.text("0123", min_size=5, max_size=5), min_size=2, max_size=5))
    tilemap = TileMap.from_text("\n".join(rows))
    n_units = data.draw(st.integers(1, 4))
    cells = list(itertools.product(range(len(rows)), range(5)))
    places = data.draw(st.permutations(cells))[:n_units]
    board, units = board_of(tilemap, **dict(zip("aBcD", places, strict=False)))
    autopilot = Autopilot(board, seed=3)

    def check(unit, path):
        taken = {other.cell for other in board.units if other.team != unit.team}
        for before, after in itertools.pairwise(path.cells):
            legal = rulebook.steps_from(tilemap, unit.profile, tuple(before), taken)
            assert tuple(after) in [end for end, _ in legal]

    board.unit_moved.connect(check)
    for unit in units.values():
        post = data.draw(st.none() | st.sampled_from(cells))
        autopilot.assign(unit, data.draw(st.sampled_from([*BEHAVIORS])), post)
    for _ in range(3):
        pass_time(board, autopilot, 1.5, 0.1)
        with tilemap.edit() as edit:
            edit.set_level(data.draw(st.sampled_from(cells)), data.draw(st.integers(0, 3)))
            edit.set_kind(data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(KINDS)))
        assert not any(tilemap.is_void(cell) for cell in autopilot.points())
        held = [unit.cell for unit in board.units]
        assert len(set(held)) == len(held)
