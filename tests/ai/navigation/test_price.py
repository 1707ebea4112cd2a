"""Routes priced step by step: the parts of their costs, against the rulebook."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, StepParts
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.reference import tried
from tests.support.strategies import cases, cells_to_ask

NEARLY = {"rel": 1e-9, "abs": 1e-9}


def parts_by_rulebook(case, here, there, halting):
    tilemap, profile = case.tilemap, case.profile
    own = {*rulebook.tiles(profile, case.start)}
    blocked, halting = case.blocked - own, case.halting - own
    if not rulebook.can_be(tilemap, profile, here) or rulebook.is_touched(profile, here, halting):
        return
    rules = ("straight_steps", "diagonal_steps", "link_steps")
    flies = rulebook.flies(profile)
    for name in ("warps",) if profile.warp else rules:
        for end, cost in getattr(rulebook, name)(tilemap, profile, here, blocked):
            if end != there or cost == math.inf:
                continue
            if name in {"link_steps", "warps"}:
                yield StepParts(**{name.split("_")[0].rstrip("s"): cost})
                continue
            low, high = (rulebook.stand(tilemap, profile, cell) for cell in (here, there))
            entry = 1 if flies else rulebook.entry_under(tilemap, profile, there)
            ground, across = map(rulebook.rounded, (entry, entry * profile.diagonal_cost))
            more = (across - ground) * (name == "diagonal_steps")
            surcharge = 0 if flies else rulebook.rise_cost(profile, high - low)
            parts = surcharge * (high > low), surcharge * (high < low)
            yield StepParts(ground, more, *parts)


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


@tried(150, cases(), st.data())
def test_the_parts_are_those_of_the_rulebook_and_add_up_to_the_cost(case, data):
    navigation, every = Navigation(case.tilemap), cells_to_ask(case.tilemap)
    shape = case.tilemap.surface_level.shape
    seed = data.draw(st.integers(0, 99))
    extra = np.random.default_rng(seed).integers(0, 3, shape) * data.draw(st.sampled_from([0, 1]))
    others = {"blockers": case.blockers, "extra_cost": extra}
    goal, cell = data.draw(st.sampled_from(every)), st.sampled_from(every)
    path = navigation.find_path(case.start, goal, case.profile, **others)
    assume(path)
    near = [case.start]
    for _ in range(data.draw(st.integers(0, 5))):
        ends = [tuple(end) for end in navigation.steps_from(near[-1], case.profile)]
        near.append(data.draw(st.sampled_from(ends) if ends else cell))
    other = data.draw(st.sampled_from([near, [case.start, *data.draw(st.lists(cell, max_size=4))]]))
    own, given = (navigation.price(each, case.profile, **others) for each in (path, other))
    assert ([*own.cells], [*given.cells]) == (path.cells, other)
    assert own.cost == pytest.approx(path.cost, **NEARLY)
    assert sum(own.parts) == pytest.approx(path.cost, **NEARLY)
    assert given.reason == next((each.reason for each in given.answers if not each.legal), "")
    check_route(case, own, extra)
    check_route(case, given, extra)


def test_a_path_found_by_other_arguments_is_refused_with_both_costs():
    navigation = Navigation(TileMap.from_text("0100"))
    path = navigation.find_path((0, 0), (0, 3), MoveProfile(climb_cost=5))
    with pytest.raises(ValueError, match="path costs 8 as it was found, but 4 by this profile"):
        navigation.price(path)
    assert navigation.price(path.cells).cost == 4


def test_routes_without_cells_are_refused():
    navigation = Navigation(TileMap.from_text("09"))
    path = navigation.find_path((0, 0), (0, 1))
    with pytest.raises(ValueError, match=r"at least one cell, got no path: climb 9 > 2 at \(0, 1"):
        navigation.price(path)
    with pytest.raises(ValueError, match="cells must have at least one cell, got none"):
        navigation.price([])
    with pytest.raises(IndexError, match=r"\(0, 2\) is outside the map"):
        navigation.price([(0, 0), (0, 2)])
