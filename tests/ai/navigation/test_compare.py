"""Routes compared: the parts of their costs, against the rulebook, and where they diverge."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, StepParts
from terrain3d import TileKind, TileMap
from tests.support import rulebook
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.reference import thoroughly

NEARLY = {"rel": 1e-9, "abs": 1e-9}
KINDS = [TileKind("grass"), TileKind("swamp", cost=3), TileKind("water", cost=None)]


def parts_by_rulebook(case, here, there, halting):
    """List the parts of every legal step from one surface to another, by the rulebook alone."""
    tilemap, profile = case.tilemap, case.profile
    own = {*rulebook.tiles(profile, case.start)}
    blocked, halting = case.blocked - own, case.halting - own
    if not rulebook.can_be(tilemap, profile, here) or rulebook.is_touched(profile, here, halting):
        return
    rules = ("straight_steps", "diagonal_steps", "link_steps")
    for name in ("warps",) if profile.warp else rules:
        for end, cost in getattr(rulebook, name)(tilemap, profile, here, blocked):
            if end != there or cost == math.inf:
                continue
            if name in {"link_steps", "warps"}:
                yield StepParts(**{name.split("_")[0].rstrip("s"): cost})
                continue
            stand = [rulebook.stand(tilemap, profile, cell) for cell in (here, there)]
            up = stand[1] - stand[0]
            flies = rulebook.flies(profile)
            ground = 1 if flies else rulebook.entry_under(tilemap, profile, there)
            factor = profile.diagonal_cost if name == "diagonal_steps" else 1
            surcharge = 0 if flies else rulebook.rise_cost(profile, up)
            yield StepParts(
                ground=ground,
                diagonal=ground * (factor - 1),
                climb=surcharge * (up > 0),
                drop=surcharge * (up < 0),
            )


def check_route(case, route, extra):
    """Fail unless every step is priced, part by part, or refused as by the rulebook."""
    for (here, there), answer in zip(itertools.pairwise(route.cells), route.answers, strict=True):
        options = list(parts_by_rulebook(case, here, there, case.halting))
        assert answer.legal == bool(options) == (not answer.reason)
        if not options:
            assert (answer.cost, answer.parts) == (math.inf, StepParts())
            continue
        tiles = rulebook.tiles(case.profile, there)
        paid = max(extra[tile[2], tile[0], tile[1]] for tile in tiles)
        cheapest = min(map(sum, options))
        assert sum(answer.parts) == pytest.approx(answer.cost, **NEARLY)
        assert answer.cost == pytest.approx(cheapest + paid, **NEARLY)
        expected = [[*parts._replace(extra=paid)] for parts in options]
        assert any([*answer.parts] == pytest.approx(parts, **NEARLY) for parts in expected)


@thoroughly(150)
@given(cases(), st.data())
def test_the_parts_are_those_of_the_rulebook_and_add_up_to_the_cost(case, data):
    case.tell()
    navigation, every = Navigation(case.tilemap), cells_to_ask(case.tilemap)
    shape = case.tilemap.surface_level.shape
    seed = data.draw(st.integers(0, 99))
    extra = np.random.default_rng(seed).integers(0, 3, shape) * data.draw(st.sampled_from([0, 1]))
    others = {"blocked": case.blocked, "halting": case.halting, "extra_cost": extra}
    goal, cell = data.draw(st.sampled_from(every)), st.sampled_from(every)
    path = navigation.find_path(case.start, goal, case.profile, passable=case.passable, **others)
    assume(path)
    near = [case.start]
    for _ in range(data.draw(st.integers(0, 5))):
        ends = [tuple(end) for end in navigation.steps_from(near[-1], case.profile)]
        near.append(data.draw(st.sampled_from(ends) if ends else cell))
    other = data.draw(st.sampled_from([near, [case.start, *data.draw(st.lists(cell, max_size=4))]]))
    found = navigation.compare(path, other, case.profile, **others)
    assert ([*found.path.cells], [*found.other.cells]) == (path.cells, other)
    assert found.path.cost == pytest.approx(path.cost, **NEARLY)
    assert sum(found.path.parts) == pytest.approx(path.cost, **NEARLY)
    assert navigation.price(path, case.profile, **others) == found.path
    assert navigation.price(other, case.profile, **others) == found.other
    assert found.other.reason == next(
        (answer.reason for answer in found.other.answers if not answer.legal), ""
    )
    check_route(case, found.path, extra)
    check_route(case, found.other, extra)
    if not found.other.reason:
        saved = found.other.cost - found.path.cost
        assert sum(found.savings) == pytest.approx(saved, **NEARLY)


routes = st.lists(st.integers(0, 5), min_size=1, max_size=7)


@given(routes, routes)
def test_sections_are_all_that_two_routes_do_not_share(first, second):
    navigation = Navigation(TileMap([[0] * 6]))
    cells = [[(0, col, 0) for col in route] for route in (first, second)]
    found = navigation.compare(*cells, MoveProfile(warp=5))
    shared = []  # how many cells and steps outside of the sections
    for number, route in enumerate(cells):
        place, n_parted = 0, 0
        for part in (section[number].cells for section in found.sections):
            n = len(part)  # each is found again, in the order of the route
            place += next(i for i in range(len(route)) if (*route[place + i :][:n],) == part)
            place += n - 1
            n_parted += n - 1
        shared.append(len(route) - n_parted)
    assert shared[0] == shared[1]
    for own, other in found.sections:
        assert not {*own.cells[1:-1]} & {*other.cells[1:-1]}
    assert bool(found.sections) == (first != second)


def test_around_a_hill_and_over_it():
    tilemap = TileMap.from_text("02220\n00000")
    navigation, over = Navigation(tilemap), [(0, col) for col in range(5)]
    profile = MoveProfile(climb_cost=2, drop_cost=0.5)
    path = navigation.find_path((0, 0), (0, 4), profile)
    found = navigation.compare(path, over, profile)
    assert (found.path.cost, found.other.cost) == (6, 9)
    assert found.path.parts == StepParts(ground=6)
    assert found.other.parts == StepParts(ground=4, climb=4, drop=1)
    assert found.savings == StepParts(ground=-2, climb=4, drop=1)
    [(around, across)] = found.sections
    assert around.cells[0] == across.cells[0] == (0, 0, 0)
    assert around.cells[-1] == across.cells[-1] == (0, 4, 0)
    assert str(found).splitlines() == [
        "             path    other",
        "ground          6        4",
        "climb           0        4",
        "drop            0        1",
        "cost            6        9",
        "path  (0, 0) to (0, 4): 6 in 6 steps",
        "other (0, 0) to (0, 4): 9 in 4 steps",
    ]


def test_an_illegal_step_has_its_reason_and_the_others_their_price():
    tilemap = TileMap.from_text("0050")
    found = Navigation(tilemap).compare([(0, 0)], [(0, 0), (0, 1), (0, 2), (0, 3)])
    assert [answer.cost for answer in found.other.answers] == [1, math.inf, math.inf]
    assert found.other.reason == "climb 5 > 2 at (0, 2)"
    assert found.other.cost == math.inf
    assert found.other.parts == StepParts(ground=1)
    assert str(found).endswith("other (0, 0) to (0, 3): climb 5 > 2 at (0, 2)")


def test_units_in_the_way_and_zones_of_control_are_reasons():
    navigation, line = Navigation(TileMap([[0] * 4])), [(0, col) for col in range(4)]
    taken = navigation.compare(line[:1], line, blocked=[(0, 2)])
    assert taken.other.reason == "(0, 2) is occupied"
    held = navigation.compare(line[:1], line, halting=[(0, 1)])
    assert held.other.reason == "the path has to end at (0, 1)"
    own = navigation.compare(line[:1], line, blocked=[(0, 0)], halting=[(0, 0)])
    assert own.other.cost == 3


def test_a_path_found_by_other_arguments_is_refused_with_both_costs():
    navigation = Navigation(TileMap.from_text("0100"))
    path = navigation.find_path((0, 0), (0, 3), MoveProfile(climb_cost=5))
    with pytest.raises(ValueError, match="path costs 8 as it was found, but 4 by this profile"):
        navigation.compare(path, path.cells)
    assert navigation.compare(path.cells, path.cells).path.cost == 4


def test_routes_without_cells_are_refused():
    navigation = Navigation(TileMap.from_text("09"))
    path = navigation.find_path((0, 0), (0, 1))
    with pytest.raises(ValueError, match=r"at least one cell, got no path: climb 9 > 2 at \(0, 1"):
        navigation.compare(path, [(0, 0)])
    with pytest.raises(ValueError, match="other must have at least one cell, got none"):
        navigation.compare([(0, 0)], [])
    with pytest.raises(IndexError, match=r"\(0, 2\) is outside the map"):
        navigation.compare([(0, 0)], [(0, 0), (0, 2)])
