"""Movers and targets of several tiles, measured between their nearest tiles, by brute force."""

import itertools
import math
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import ai
from ai.behaviors.flee import danger
from terrain3d import TileMap
from terrain3d.program.behaviors import CHASE, BehaviorKey
from tests.support import rulebook, strategies
from tests.support.boards import pass_time
from tests.support.reference import cells_of, tilemaps, tried
from tests.support.strategies import MORE_SHAPES, cells_to_ask

FIELD = TileMap([[0] * 12] * 9)


def gap(tilemap, one, other):
    """Return the fewest steps between the tiles of two units."""
    pairs = itertools.product(one.cells, other.cells)
    return min(tilemap.grid.distance(a[:2], b[:2]) for a, b in pairs)


def walk(board, unit, behavior):
    """Let a behavior lead a unit until it stays; return the number of steps."""
    for step in range(300):
        behavior.advance(1)
        if not board.act(unit, behavior):
            return step
    raise AssertionError(f"{unit} does not come to rest")


def is_one_step_away(tilemap, profile, cell, targets, blocked):
    """Return whether a mover on a cell has a tile from which one step leads to a target's tile."""
    one = replace(profile, size=1)
    return any(
        tuple(end) in targets
        for tile in rulebook.tiles(profile, cell)
        for end, _ in rulebook.steps_from(tilemap, one, tile, blocked)
    )


@st.composite
def hunts(draw):
    """Draw a board with two units, of which one at least is large where tiles are square."""
    tilemap = draw(tilemaps(max_side=6))
    is_square = tilemap.topology == "square"
    sizes = st.tuples(st.integers(1, 3), st.integers(1, 3)) if is_square else st.just((1, 1))
    board, cells = ai.Board(tilemap), st.sampled_from(cells_of(tilemap))
    for name, team, size in zip(("hunter", "prey"), ("red", "blue"), draw(sizes), strict=True):
        most = draw(st.sampled_from([1, 2, 9]))
        profile = ai.MoveProfile(most, most, size=size, size_tolerance=draw(st.integers(0, 2)))
        unit = ai.Unit(name, draw(cells), team, profile, math.inf)
        free = all(tilemap.has_cell(cell) and not board.unit_at(cell) for cell in unit.cells)
        assume(free and not board.navigation.explain_stop(unit.cell, profile))
        board.add(unit)
    return board


@st.composite
def packs(draw):
    """Draw a board with a hunter, its prey and a third unit, of any rules on any ground."""
    tilemap = draw(strategies.tilemaps())
    board, cells = ai.Board(tilemap), st.sampled_from(cells_to_ask(tilemap))
    shapes = MORE_SHAPES if min(tilemap.level.shape) > 1 else strategies.SHAPES
    teams = "red", "blue", draw(st.sampled_from(["red", "blue"]))
    for name, team in zip(("hunter", "prey", "third"), teams, strict=True):
        profile = draw(strategies.profiles(tilemap.topology, shapes))
        for cell in draw(st.lists(cells, min_size=6, max_size=6)):
            with suppress(ValueError):  # it cannot stand there
                board.add(ai.Unit(name, cell, team, profile, math.inf))
                break
        assume(name == "third" or (board.units[-1:] and board.units[-1].name == name))
    return board


PLANNED = ai.Replan(straight_tiles=0)
FOLLOWERS = {
    "chase": lambda prey: ai.Chase(lambda: prey.cells[-1]),
    "chase by plan": lambda prey: ai.Chase(lambda: prey.cells[-1], replan=PLANNED),
    "intercept": lambda prey: ai.Intercept(lambda: prey.cells[-1]),
    "travel": lambda prey: ai.Travel(ai.Waypoints(), prey),
}


@pytest.mark.parametrize("name", FOLLOWERS)
@tried(80, board=packs())
def test_a_unit_comes_beside_another_wherever_there_is_a_path(name, board):
    hunter, prey, *_ = board.units
    tilemap, profile, others = board.tilemap, hunter.profile, board.situation(hunter)
    targets = {tuple(tile) for tile in prey.cells}
    blocked, passable = (set(map(tuple, cells)) for cells in (others.blocked, others.passable))
    stands = rulebook.ends(tilemap, profile, tuple(hunter.cell), blocked | targets, passable)
    around = blocked - targets
    caught = {at for at in stands if is_one_step_away(tilemap, profile, at, targets, around)}
    behavior = FOLLOWERS[name](prey)
    walk(board, hunter, behavior)
    is_beside = behavior.reason.startswith(("has caught up", "has arrived beside"))
    assert is_beside == bool(caught)
    assert not caught or tuple(hunter.cell) in caught


@pytest.mark.parametrize("name", FOLLOWERS)
@pytest.mark.parametrize("n_units", [2, 3, 4])
def test_a_pack_comes_beside_a_unit_on_all_sides(name, n_units):
    board = ai.Board(FIELD)
    prey = board.add(ai.Unit("P", (4, 6), "blue"))
    pack = [board.add(ai.Unit(f"U{row}", (row, 0), "red")) for row in range(n_units)]
    behaviors = [FOLLOWERS[name](prey) for _ in pack]
    for _ in range(120):
        for unit, behavior in zip(pack, behaviors, strict=True):
            behavior.advance(0.25)
            board.act(unit, behavior)
    assert [gap(FIELD, unit, prey) for unit in pack] == [1] * n_units


@pytest.mark.parametrize("hunter_size", [1, 2, 3])
@pytest.mark.parametrize("prey_size", [1, 2, 3])
@pytest.mark.parametrize("kind", [ai.Chase, ai.Intercept])
def test_in_the_open_it_takes_the_fewest_steps_to_the_nearest_side(kind, hunter_size, prey_size):
    for start, there in itertools.product([(0, 0), (6, 9), (0, 9), (5, 4)], repeat=2):
        board = ai.Board(FIELD)
        hunter = board.add(ai.Unit("H", start, "red", ai.MoveProfile(size=hunter_size)))
        prey = ai.Unit("P", there, "blue", ai.MoveProfile(size=prey_size))
        if any(map(board.unit_at, prey.cells)):
            continue
        board.add(prey)
        away = gap(FIELD, hunter, prey)
        behavior = kind(lambda prey=prey: prey.cell)
        assert walk(board, hunter, behavior) == away - 1
        assert gap(FIELD, hunter, prey) == 1
        assert behavior.reason.code == "caught_up"


@tried(100, st.tuples(st.integers(1, 3), st.integers(1, 3)), st.integers(1, 4), st.data())
def test_a_distance_is_kept_between_the_nearest_tiles(sizes, nearest, data):
    board, units = ai.Board(FIELD), []
    for name, size in zip("AB", sizes, strict=True):
        cell = data.draw(st.tuples(st.integers(0, 9 - size), st.integers(0, 12 - size)))
        units.append(ai.Unit(name, cell, name, ai.MoveProfile(size=size)))
        assume(not any(map(board.unit_at, units[-1].cells)))
        board.add(units[-1])
    archer, target = units
    flee = ai.Flee(lambda: [target.cell], factor=9)  # from corners, too, past the target
    behavior = ai.KeepDistance(lambda: target.cell, nearest, nearest + 1, flee=flee)
    before = gap(FIELD, archer, target)
    n_steps = walk(board, archer, behavior)
    tiles = gap(FIELD, archer, target)
    assert behavior.reason == f"keeps its distance of {tiles} tiles"
    assert nearest <= tiles <= nearest + 1
    assert before < nearest or n_steps == max(0, before - nearest - 1)


@tried(150, hunts(), st.booleans())
def test_it_flees_from_what_the_threat_pays_to_cover_its_nearest_tile(board, is_known):
    threat, mover = board.units
    tilemap, rules = board.tilemap, (threat if is_known else mover).profile
    starts = [threat.cell]
    if rules.size != threat.profile.size:
        rules, starts = replace(rules, size=1), threat.cells
    expected = np.full(tilemap.level.shape, math.inf)
    for start in starts:
        for cell, cost in rulebook.cheapest(tilemap, rules, tuple(start)).items():
            for row, col, _ in rulebook.tiles(rules, cell):
                expected[row, col] = min(expected[row, col], cost)
    result = danger(board.navigation, [threat.cells], rules)
    np.testing.assert_allclose(result, [expected])
    hunter = threat.profile if is_known else None
    flee = ai.Flee(lambda: [threat.cells[-1]], hunter=hunter, factor=9)
    walk(board, mover, flee)
    assert flee.reason.code == "no_safer_place"
    farthest = 2 * expected[np.isfinite(expected)].max() + 1
    stands = rulebook.ends(tilemap, mover.profile, tuple(mover.cell), set(map(tuple, threat.cells)))
    under = {cell: [tile[:2] for tile in rulebook.tiles(mover.profile, cell)] for cell in stands}
    worth = {cell: 9 * min(farthest, *map(expected.item, tiles)) for cell, tiles in under.items()}
    best = max(worth[cell] - cost for cell, cost in stands.items())
    assert worth[tuple(mover.cell)] >= best - 1e-6


def trail_to(goal):
    trail = ai.Trail()
    trail.drop(goal)
    return ai.FollowTrail(trail, np.random.default_rng(0), sight_tiles=99)


GOALS = {
    "patrol": lambda goal: ai.Patrol([goal], wait_s=99),
    "travel": lambda goal: ai.Travel(ai.Waypoints(), goal),
    "trail": trail_to,
    "seek": lambda goal: ai.Seek(goal, np.random.default_rng(0)),
}


@pytest.mark.parametrize("name", GOALS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_in_the_open_a_goal_is_reached_with_the_nearest_tile(name, size):
    for start, goal in itertools.product([(0, 0), (6, 9), (3, 4)], [(8, 11), (8, 0), (0, 11)]):
        board = ai.Board(FIELD)
        mover = board.add(ai.Unit("M", start, profile=ai.MoveProfile(size=size)))
        away = min(FIELD.grid.distance(tile[:2], goal) for tile in mover.cells)
        assert walk(board, mover, GOALS[name](goal)) == away
        assert (*goal, 0) in mover.cells


@tried(150, hunts(), st.sampled_from(["patrol", "travel"]), st.data())
def test_a_goal_is_reached_wherever_a_path_covers_it(board, name, data):
    mover, other = board.units
    tilemap, profile = board.tilemap, mover.profile
    board.remove(other)
    goal = tilemap.cell(data.draw(st.sampled_from(cells_of(tilemap))))
    stands = rulebook.ends(tilemap, profile, tuple(mover.cell))
    covers = [cell for cell in stands if tuple(goal) in rulebook.tiles(profile, cell)]
    walk(board, mover, GOALS[name](goal))
    assert (goal in mover.cells) == bool(covers)
    if covers:
        assert tuple(mover.cell) in covers


def test_a_large_explorer_covers_every_tile_that_it_can():
    ground = TileMap.from_text("000000\n000##0\n000000\n000000")
    mover = ai.MoveProfile(size=2)
    board = ai.Board(ground)
    unit, explore = board.add(ai.Unit("Ox", (0, 0), profile=mover)), ai.Explore()
    walk(board, unit, explore)
    stands = rulebook.ends(ground, mover, (0, 0, 0))
    assert explore.visited == {tile for cell in stands for tile in rulebook.tiles(mover, cell)}


@pytest.mark.parametrize("behavior", [CHASE, "chases enemies nearby, else patrols"])
def test_an_autopilot_hunts_the_enemy_whose_nearest_tile_is_nearest(behavior):
    board = ai.Board(FIELD)
    man = board.add(ai.Unit("Man", (4, 5), "blue"))
    board.add(ai.Unit("Giant", (3, 1), "red", ai.MoveProfile(size=3)))  # its nearest tile is 2 away
    board.add(ai.Unit("Elf", (4, 9), "red"))
    pilot = ai.Autopilot(board)
    BehaviorKey(pilot, board, 0).assign(man, behavior)
    pass_time(board, pilot, 10, 0.25)
    assert (man.cell, "(3, 1)" in pilot.reason_of(man)) == ((4, 4, 0), True)


def test_without_a_board_bodies_are_given_to_the_situation():
    giant = [(row, col) for row in (4, 5) for col in (5, 6)]
    navigation, here = ai.Navigation(FIELD), (8, 11)
    chase = ai.Chase(lambda: (4, 5))
    for _ in range(20):
        around = ai.Situation(navigation, here, blocked=giant, bodies=[giant])
        here = chase.next_cell(around) or here
    assert FIELD.grid.distance(here[:2], (5, 6)) == 1
