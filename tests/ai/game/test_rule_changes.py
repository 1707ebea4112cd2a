"""Rules of the selected unit, changed by sliders, and its paths before and after."""

import math
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from ai import Board, Commander, MoveProfile, Navigation, Unit
from ai.game.rule_changes import RuleChanges
from terrain3d import TileMap
from tests.support.reference import tried
from tests.support.selection import table

HILL = "0000\n0210\n0000"


def chosen(profile=None, levels=HILL):
    board = Board(TileMap.from_text(levels))
    unit = board.add(Unit("Mira", (1, 0), profile=profile, move=9))
    commander = Commander(board)
    commander.select(unit)
    return RuleChanges(commander), commander, unit


def change(changes, rule, value):
    [(number, slider)] = [each for each in enumerate(changes.sliders) if each[1].rule == rule]
    changes.set(number, list(slider.values).index(value))


def test_a_player_sees_the_rules_of_an_enemy_and_cannot_change_them():
    board = Board(TileMap.from_text(HILL), turns="sides")
    bram = board.add(Unit("Bram", (1, 0), team="red"))
    commander, said = Commander(board, "blue"), []
    commander.refused.connect(said.append)
    commander.select(bram)
    changes = RuleChanges(commander)
    before = bram.profile
    assert len(changes.sliders) == 2
    change(changes, "max_climb", 9)
    changes.reset()
    assert (bram.profile, said) == (before, ["Bram of team red is not yours"] * 2)


@table(
    "profile shown",
    (MoveProfile(3, climb_cost=7), [(7, "7"), (3, "3")]),
    # A value between two places, or beyond them, is shown at the nearest one.
    (MoveProfile(30, climb_cost=2.4), [(2, "2.4"), (9, "30")]),
    # Surcharges by the level: the last one per level.
    (MoveProfile(max_climb=3, climb_cost=(1, 5, 12)), [(4, "1, 5, 12"), (3, "3")]),
)
def test_sliders_show_the_rules_of_the_selected_unit(profile, shown):
    sliders = chosen(profile)[0].sliders
    assert [each.rule for each in sliders] == ["climb_cost", "max_climb"]
    assert list(sliders[0].values) == list(range(1, 11))
    for slider, expected in zip(sliders, shown, strict=True):
        assert expected == (slider.values[slider.place], slider.text)


@pytest.mark.parametrize("profile", [MoveProfile(can_fly=True), MoveProfile(warp=2)])
def test_without_a_unit_that_climbs_there_is_no_slider(profile):
    changes, commander, _ = chosen(profile)
    assert changes.sliders == ()
    commander.select(None)
    changes.reset()
    assert (changes.sliders, changes.comparison) == ((), None)


def test_a_change_is_announced_once():
    changes, commander, unit = chosen()
    announced = []
    commander.changed.connect(lambda: announced.append(commander.reach.cost_to((1, 1))))
    change(changes, "climb_cost", 10)
    change(changes, "climb_cost", 10)
    assert announced == [math.inf]
    assert unit.profile == MoveProfile(climb_cost=10)


def test_the_first_path_stays_for_comparison_with_both_prices_of_both_paths():
    changes, commander, _ = chosen(levels="0000\n0110\n0000")
    commander.aim_at((1, 3))
    assert changes.comparison is None
    change(changes, "climb_cost", 10)
    found = changes.comparison
    # Over the hill: 3 tiles and one level. Around it: 5 tiles.
    assert (found.first.cost, found.first_cost_now) == (4, 13)
    assert (found.now.cost, found.now_cost_first) == (5, 5)
    change(changes, "max_climb", 0)
    assert changes.comparison.first_cost_now == math.inf
    change(changes, "max_climb", 2)
    change(changes, "climb_cost", 1)
    assert changes.comparison is None


def test_each_unit_has_its_own_first_rules():
    changes, commander, mira = chosen()
    odo = commander.board.add(Unit("Odo", (0, 0), profile=MoveProfile(1, 1)))
    change(changes, "climb_cost", 9)
    commander.select(odo)
    changes.reset()
    change(changes, "max_climb", 5)
    assert (mira.profile.climb_cost, odo.profile.max_climb) == (9, 5)
    changes.reset()
    assert (mira.profile.climb_cost, odo.profile) == (9, MoveProfile(1, 1))
    commander.select(mira)
    changes.reset()
    assert mira.profile == MoveProfile()


def test_surcharges_listed_by_level_follow_the_limit_and_come_back():
    changes, _, unit = chosen(MoveProfile(2, climb_cost=(1, 3)))
    assert changes.sliders[0].text == "1, 3"
    change(changes, "max_climb", 4)
    assert unit.profile.climb_cost == (1, 3, 3, 3)
    change(changes, "max_climb", 0)
    change(changes, "max_climb", 3)
    assert unit.profile.climb_cost == (1, 3, 3)
    change(changes, "climb_cost", 5)
    assert unit.profile.climb_cost == 5


@pytest.mark.parametrize(("number", "place"), [(2, 0), (0, 10)])
def test_there_is_no_other_slider_or_place(number, place):
    changes, _, _ = chosen()
    with pytest.raises(ValueError, match=r"must be in 0\.\."):
        changes.set(number, place)


@tried(30, st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), max_size=6), st.randoms())
def test_after_any_changes_the_answers_are_those_of_a_new_unit_with_these_rules(moves, random):
    levels = "\n".join("".join(random.choice("00123") for _ in range(5)) for _ in range(5))
    changes, commander, unit = chosen(levels=levels)
    commander.aim_at((4, 4))
    for number, part in moves:
        changes.set(number, round(part * (len(changes.sliders[number].values) - 1)))
    nav = Navigation(commander.board.tilemap)
    assert commander.plan.path.cells == nav.find_path((1, 0), (4, 4), unit.profile).cells
    assert commander.reach.cells == nav.reach((1, 0), 9, unit.profile).cells
    found = changes.comparison
    assert (found is None) == (unit.profile == MoveProfile())
    if found is not None:
        assert found.first.cells == nav.find_path((1, 0), (4, 4)).cells
        if found.now and math.isfinite(found.now_cost_first):
            assert found.first.cost <= found.now_cost_first
        if found.first and math.isfinite(found.first_cost_now):
            assert found.now.cost <= found.first_cost_now
    changes.reset()
    assert unit.profile == replace(MoveProfile())
