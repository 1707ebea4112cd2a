"""Cells and numbers of any form, and the highest costs."""

import math
import sys

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from ai import MoveProfile, Navigation
from terrain3d import Reason, TileKind, TileMap
from tests.support.selection import table

HERE = (0, 0)
MANY = {
    "starts": lambda nav, cells: nav.find_paths(cells, [HERE] * len(cells)),
    "goals": lambda nav, cells: nav.find_paths([HERE] * len(cells), cells),
    "starts of distances": lambda nav, cells: nav.distances(cells, [HERE]),
    "goals of distances": lambda nav, cells: nav.distances([HERE], cells),
    "starts of reaches": lambda nav, cells: nav.reaches(cells, 3).costs,
    "goal_sets": lambda nav, cells: nav.cost_fields(cells),
}
OUTSIDE = r"cell \(9, 9\) is outside the map"
FRACTIONS_GIVEN = r"{0} must hold whole numbers, got float64: write {0}.astype\(int\)"
TURNED = r"{0} must be \(n, 2\) or \(n, 3\), got \(2, 5\): write {0}.T"


@pytest.mark.parametrize("what", MANY)
@table(
    "wrong error message",
    ([HERE, HERE, (9, 9)], IndexError, rf"{{}}\[2\]: {OUTSIDE}"),
    (np.array([HERE, (9, 9)]), IndexError, rf"{{}}\[1\]: {OUTSIDE}"),
    (np.array([HERE, (0.0, 1.0)]), TypeError, FRACTIONS_GIVEN),
    (np.zeros((2, 5), int), TypeError, TURNED),
)
def test_of_many_cells_the_error_names_the_wrong_one(what, wrong, error, message):
    name = what.split()[0]
    with pytest.raises(error, match=f"^{message.format(name)}"):
        MANY[what](Navigation(TileMap.from_text("000\n000")), wrong)


@pytest.mark.parametrize("what", MANY)
@pytest.mark.parametrize("none", [[], np.zeros(0), np.zeros((0, 2))])
def test_no_cells_at_all_have_no_answers(what, none):
    assert np.size(MANY[what](Navigation(TileMap.from_text("000\n000")), none)) == 0


@pytest.mark.parametrize("nothing", [[], (), np.zeros((0, 2), int), np.zeros(0, int)])
def test_empty_goals_and_starts_are_refused(nothing):
    navigation = Navigation(TileMap.from_text("000"))
    for ask in (navigation.find_path, navigation.distance):
        with pytest.raises(ValueError, match="there is no goal"):
            ask(HERE, nothing)
    with pytest.raises(ValueError, match="there is no goal"):
        navigation.cost_field(nothing)
    with pytest.raises(ValueError, match="there is no start"):
        navigation.distance(nothing, HERE)


@pytest.mark.parametrize("enough", [10**400, 1e305, math.inf, np.float32(9), np.int8(100)])
@pytest.mark.parametrize("price", [1, 0.3])
def test_limits_may_be_any_large_number(enough, price):
    navigation = Navigation(TileMap.from_text("0001#"))
    profile = MoveProfile(climb_cost=price)
    assert navigation.find_path(HERE, (0, 3), profile, max_cost=enough).cost == 3 + price
    assert len(navigation.reach(HERE, enough, profile)) == 4
    refused = navigation.find_path(HERE, (0, 4), profile, max_cost=enough)
    assert refused.reason == Reason("is_void", cell=(0, 4))


def test_blocked_cells_may_have_any_form_and_repeat():
    navigation = Navigation(TileMap.from_text("000\n000"))
    for blocked in (
        [(0, 1)],
        {(0, 1), (0, 1, 0)},
        np.array([[0, 1], [0, 1]]),
        iter([(0, 1), [0, 1]]),
        (cell for cell in [(0, 0), (0, 1)]),
        {(0, 1): "Odo"},
    ):
        assert navigation.find_path(HERE, (0, 2), blocked=blocked).cost == 4
    assert navigation.find_path(HERE, (0, 2), blocked=()).cost == 2
    assert navigation.reach(HERE, 9, blocked=np.zeros((0, 2), int)).cost_to((0, 2)) == 2


@pytest.mark.parametrize("kind", [list, set, iter, dict.fromkeys, np.array, frozenset])
def test_goals_and_starts_may_come_from_any_iterable(kind):
    navigation = Navigation(TileMap.from_text("0000"))
    ends = [(0, 3), (0, 1)]
    assert navigation.find_path(HERE, kind(ends)).cost == 1
    assert navigation.cost_field(kind(ends)).cost_from(HERE) == 1
    assert navigation.distance(kind(ends), kind([HERE])) == 1
    assert len(navigation.find_paths(kind(ends), kind(ends))) == 2


@pytest.mark.parametrize(
    ("grass", "climb_cost", "height", "length"),
    [(10**6, 1, 2, 3_000), (1, 10**6, 2000, 3_000), (255, 1, 2, 300), (254, 1, 2, 300)],
)
def test_sums_beyond_32_bits_are_exact(grass, climb_cost, height, length):
    level = np.zeros((1, length), dtype=int)
    level[0, 1::2] = height
    profile = MoveProfile(height, 32767, climb_cost, 0, {"grass": grass})
    expected = grass * (length - 1) + climb_cost * height * (length // 2)
    navigation = Navigation(TileMap(level, kinds=[TileKind("grass")]))
    assert navigation.find_path(HERE, (0, length - 1), profile).cost == expected
    assert navigation.reach(HERE, math.inf, profile).cost_to((0, length - 1)) == expected
    assert navigation.cost_field((0, length - 1), profile).cost[HERE] == expected


@pytest.mark.parametrize("mover", [MoveProfile(0, 0, 10**6, 10**6), MoveProfile(2, 0, 1, 10**6)])
def test_a_goal_at_the_bottom_of_the_deepest_pit_is_refused_at_once(mover):
    tilemap = TileMap([[32767, 32767, 0, 0]])
    path = Navigation(tilemap).find_path(HERE, (0, 3), mover)
    assert path.reason == Reason("deep_drop", rise=32767, limit=0, cell=(0, 2))
    back = Navigation(tilemap).find_path((0, 3), HERE, mover)
    assert (back.reason.code, back.reason.values["rise"]) == ("high_climb", 32767)


def n_compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith("ai.")]
    every = {id(value): value for module in modules for value in vars(module).values()}.values()
    return sum(len(value.signatures) for value in every if isinstance(value, Dispatcher))


FRACTIONS = (np.float16, np.float32, np.float64, np.longdouble)
WHOLE = (np.int8, np.uint8, np.int16, np.int64, np.uint64)
ENDS = (0, 0), (2, 2)
ASK = {
    "max_cost": lambda nav, number: nav.find_path(*ENDS, max_cost=number(9)),
    "budget": lambda nav, number: nav.reach(ENDS[0], number(3)),
    "costs": lambda nav, number: nav.find_path(*ENDS, MoveProfile(climb_cost=number(2))),
    "extra_cost": lambda nav, number: nav.find_path(*ENDS, extra_cost=np.full((3, 3), number(3))),
    "expansions": lambda nav, number: nav.begin_search(*ENDS).run(number(4)),
}


@pytest.mark.parametrize("what", ASK)
def test_numbers_of_numpy_are_answered_by_the_code_for_those_of_python(what):
    nav, kinds = Navigation(TileMap([[0, 1, 0]] * 3)), WHOLE + FRACTIONS * (what != "expansions")
    for number in (int, float)[: 1 + (what != "expansions")]:
        ASK[what](nav, number)
    before = n_compiled()
    for number in kinds:
        ASK[what](nav, number)
    assert n_compiled() == before
