"""Texts for panels."""

import math

import pytest

from ai import Area, Board, Commander, MoveProfile, Unit, Weapon, movers
from ai.game.battle import Skill
from ai.game.descriptions import (
    advice,
    describe_part,
    describe_plan,
    describe_profile,
    describe_skill,
    describe_strength,
    describe_tile,
    describe_unit,
    describe_units,
    statuses,
)
from terrain3d.look.icons import ICONS
from tests.support.mover_pictures import land

KEYS = {"select_next": "Tab", "confirm": "Enter", "end_turn": "F10", "cursor": "the arrow keys"}
CLIMB = "climbs {} (+1 each)"
CLIMB_2, CLIMB_3 = CLIMB.format("2 levels"), CLIMB.format("3 levels")
DROP_3 = "drops 3 levels"


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        (movers.LIGHT_FOOT, f"walks, {CLIMB_2}, {DROP_3}"),
        (
            MoveProfile(climb_cost=0, drop_cost=0.5),
            f"walks, climbs 2 levels, {DROP_3} (+0.5 each)",
        ),
        (
            MoveProfile(climb_cost=(1, 4)),
            f"walks, climbs 2 levels (+1 for 1, +4 for 2), {DROP_3}",
        ),
        (movers.FLOAT, f"floats, {CLIMB_3}, {DROP_3}"),
        (movers.SWIMMER, f"swims, {CLIMB.format('1 level')}, {DROP_3}"),
        (movers.FLYER, "flies over everything"),
        (movers.WARP, "warps up to 5 tiles"),
        (MoveProfile(size=2), f"walks, {CLIMB_2}, {DROP_3}, covers 2 x 2 tiles"),
    ],
)
def test_a_mover_says_how_it_moves(profile, words):
    assert describe_profile(profile) == words


def on(levels, kinds, cell, **more):
    board = Board(land(levels, kinds))
    return board, board.add(Unit("Mira", cell, **more))


def test_a_unit_is_described_with_its_cell():
    board, mira = on("01\n00", "gf\ngg", (0, 1), move=1.0, has_zoc=True)
    assert describe_unit(mira, board.tilemap) == [
        "Mira (Blue)",
        "1 move point",
        "walks, climbs 2 levels (+1 each), drops 3 levels",
        "on forest, level 1 (row 0, col 1), faces north",
        "ends the moves of enemies beside it",
    ]
    mira.move = math.inf
    assert "unlimited move points" in describe_unit(mira, board.tilemap)


@pytest.mark.parametrize(
    ("skill", "words"),
    [
        (Skill(Weapon(), 9, 80), "Range 1, 9 damage, 80 % to hit"),
        (Skill(Weapon(2, 4), 7, 70, push=2), "Range 2-4, 7 damage, pushes 2 tiles, 70 % to hit"),
        (
            Skill(Weapon(1, 3, area=Area("diamond", radius=1)), 3, 75, poison=3, lift=1),
            "Range 1-3, 3 damage, hits several tiles, poisons for 3 turns, "
            "raises the ground 1 level, 75 % to hit",
        ),
    ],
)
def test_a_skill_says_how_far_it_reaches_what_it_does_and_how_often(skill, words):
    assert describe_skill(skill) == words


def test_a_card_says_class_points_and_what_protects():
    _, mira = on("0", "g", (0, 0), move=5, profile=movers.HEAVY_FOOT, stats={"defense": 2})
    assert describe_strength(mira) == "Knight, 5 move points, defense 2"
    bare = Unit("Zoe", (0, 0), profile=movers.FLOAT, stats={"evasion": 5})
    assert describe_strength(bare) == "Mage, 5 move points, defense 0, evasion 5"


def test_several_units_are_described_with_their_points():
    board, mira = on("01\n00", "gf\ngg", (0, 1), move=1.0)
    odo = board.add(Unit("Odo", (0, 0), move=math.inf))
    assert describe_units([mira, odo]) == [
        "2 units (Blue)",
        "Mira, 1 move point",
        "Odo, unlimited move points",
    ]


def test_a_unit_whose_ground_was_taken_away_says_so():
    board, mira = on("010", "gfg", (0, 1))
    with board.tilemap.edit() as edit:
        edit.set_kind((0, 1), "void")
    assert "on no ground left (row 0, col 1), faces north" in describe_unit(mira, board.tilemap)
    board.tilemap.undo()
    with board.tilemap.edit() as edit:
        edit.add_deck((0, 2), level=4)
    board.remove(mira)
    zoe = board.add(Unit("Zoe", (0, 2, 1)))
    with board.tilemap.edit() as edit:
        edit.remove_deck((0, 2))
    assert "on no ground left (row 0, col 2, deck 1), faces north" in describe_unit(
        zoe, board.tilemap
    )


def test_a_tile_is_described_with_the_unit_on_it():
    board, _ = on("010", "gf#", (0, 0))
    assert describe_tile(board, (0, 1)) == ["Forest, level 1 (row 0, col 1)"]
    assert describe_tile(board, (0, 0))[-1] == "Mira (Blue) stands here"
    assert describe_tile(board, (0, 2)) == ["No ground (row 0, col 2)"]


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        (movers.LIGHT_FOOT, "costs 2 to enter"),
        (MoveProfile(kind_cost={"forest": None}), "cannot be entered"),
        (MoveProfile(no_stop={"forest"}), "costs 2 to enter, no stopping"),
        (movers.FLYER, "costs 1 to enter"),
        (movers.WARP, "costs the distance to it"),
    ],
)
def test_a_tile_says_what_entering_it_costs_the_selected_unit(profile, words):
    board, mira = on("00", "gf", (0, 0), profile=profile)
    assert describe_tile(board, (0, 1), mira)[1:] == [words]


def test_of_several_surfaces_it_is_said_which():
    board, _ = on("303", "gsg", (0, 0))
    with board.tilemap.edit() as edit:
        edit.add_deck([(0, 1)], 3)
    assert describe_tile(board, (0, 1))[1] == "under a bridge"
    assert describe_tile(board, (0, 1, 1))[:2] == [
        "Wood, level 3 (row 0, col 1, deck 1)",
        "on a bridge",
    ]


def test_who_only_walks_there_does_not_stand_on_a_tile():
    board, mira = on("000", "ggg", (0, 0))
    board.move(mira, (0, 2))
    for is_there in (False, True):
        assert ("stands here" in "".join(describe_tile(board, (0, 2)))) == is_there
        mira.advance(99.0)


def test_an_order_says_its_cost_or_why_not():
    board, mira = on("0003", "gggg", (0, 0), move=2.0)
    commander = Commander(board)
    assert advice(commander, KEYS).startswith("Choose a unit")
    commander.select(mira)
    assert advice(commander, KEYS).startswith("Choose a tile for Mira")
    commander.is_open = False
    assert commander.reach is None
    commander.is_open = True
    commander.aim_at((0, 2))
    assert describe_plan(commander.plan, board) == "costs 2 of 2 points"
    commander.aim_at((0, 3))
    assert describe_plan(commander.plan, board) == "the climb there is 3 levels, the limit is 2"
    mira.move = math.inf
    commander.aim_at((0, 1))
    assert describe_plan(commander.plan, board) == "costs 1"


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_an_order_out_of_reach_speaks_of_turns_only_if_there_are_any(turns):
    board = Board(land("00000", "ggggg"), turns)
    commander = Commander(board)
    commander.select(board.add(Unit("Mira", (0, 0), move=2)))
    commander.aim_at((0, 4))
    plan = commander.plan
    assert plan.cells[-1] == (0, 2, 0)
    assert plan.turn_ends == ((2, 4) if turns else (2,))
    now = describe_plan(plan, board)
    assert now == ("costs 4: 2 this turn, 2 the next" if turns else "costs 4: 2 now")
    assert describe_part(plan).startswith("Too far for now: goes 2 of 4 tiles")


def test_an_order_that_no_number_of_turns_completes_says_so():
    board = Board(land("0022", "gggg"), "sides")
    commander = Commander(board)
    commander.select(board.add(Unit("Mira", (0, 0), move=2)))
    commander.aim_at((0, 3))
    words = "costs 5: 1 this turn, and no turn has the points for the rest"
    assert describe_plan(commander.plan, board) == words


def test_the_state_of_a_unit_is_listed_with_its_numbers_and_icons():
    board = Board(land("000"), turns="sides")
    stats = {"poison": 2, "held": 1, "acted": 1}
    mira = board.add(Unit("Mira", (0, 0), profile=movers.FLOAT, has_zoc=True, stats=stats))
    foe = board.add(Unit("Odo", (0, 2), team="red", stats={"acted": 1, "poison": 1}))
    found = statuses(mira, board)
    assert [each.icon for each in found] == ["poison", "flag", "check", "shield", "wings"]
    assert [each.text for each in found[:3]] == [
        "poison 3 per turn, 2 turns",
        "has held the goal for 1 round",
        "has acted",
    ]
    assert {each.icon for each in found} <= ICONS.keys()
    (only,) = statuses(foe, board)  # it has acted, but in the turn before
    assert only.text == "poison 3 per turn, 1 turn"
