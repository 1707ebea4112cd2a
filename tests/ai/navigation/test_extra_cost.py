"""Extra costs for one query: compared with scipy, and with the choice of paths in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.rules.footprint import tiles_of
from terrain3d import TileMap
from tests.support import reference, strategies

NEARLY = {"rel": 1e-11, "abs": 1e-12}
WALKER = MoveProfile()


@st.composite
def extras(draw, shape):
    """Draw extra costs: whole and few, fractional, or beyond what a byte holds."""
    some = [0, 1, 2, 3], [0, 0.5, 1.5], [0, 1, 1e6], [0, 1 / 3, 2**0.5, 1e-6]
    cost = st.sampled_from(draw(st.sampled_from(some)))
    size = math.prod(shape)
    return np.reshape(draw(st.lists(cost, min_size=size, max_size=size)), shape)


def steps_with(tilemap, profile, extra, blocked):
    """List all legal steps as (start, end, cost), with extra costs, in whole units."""
    paid = [reference.nearest(cost) for _, _, cost in reference.edges(tilemap, profile)]
    added = [reference.nearest(cost) for cost in extra.flat]
    amounts = [reference.unit_of(tilemap, profile), *added]
    unit = reference.shared_unit(tilemap, amounts, max(paid, default=0) + max(added))
    return [
        (
            here,
            there,
            (reference.nearest(cost, unit) + reference.nearest(extra[there], unit))
            / reference.MILLION,
        )
        for here, there, cost in reference.edges(tilemap, profile, blocked)
    ]


@reference.tried(200, reference.cases(), st.data())
def test_every_query_costs_what_scipy_says(case, data):
    tilemap, profile, start, blocked = case.tilemap, case.profile, case.start, case.blocked
    extra = data.draw(extras((tilemap.rows, tilemap.cols)))
    others = blocked - {start}
    steps = steps_with(tilemap, profile, extra, others)
    cheapest = reference.costs_over(tilemap, steps, start)
    navigation, ends = Navigation(tilemap), reference.cells_of(tilemap)
    how = {"blocked": blocked, "extra_cost": extra}
    paths = [navigation.find_path(start, goal, profile, **how) for goal in ends]
    assert [path.cost for path in paths] == pytest.approx(list(cheapest.flat), **NEARLY)
    for path in paths:
        for step in path.steps:
            pair = step.start[:2], step.end[:2]
            [cost] = [cost for here, there, cost in steps if (here, there) == pair]
            assert step.cost == pytest.approx(cost, abs=1e-12 * max(1, path.cost))
    reach = navigation.reach(start, math.inf, profile, **how)
    if reach:
        assert reach.as_costs() == pytest.approx(cheapest, **NEARLY)
    if not blocked:
        together = navigation.find_paths([start] * len(ends), ends, profile, extra_cost=extra)
        assert [path.cells for path in together] == [path.cells for path in paths]
    back = [(there, here, cost) for here, there, cost in steps]
    field = navigation.cost_field(start, profile, **how | {"blocked": others})
    assert field.cost == pytest.approx(reference.costs_over(tilemap, back, start), **NEARLY)
    for goal, path in zip(ends, paths, strict=True):
        search = navigation.begin_search(start, goal, profile, **how)
        search.run()
        assert search.path.cells == path.cells


@reference.tried(80, strategies.cases(), st.data())
def test_index_limit_and_goals_change_no_cell(case, data):
    tilemap, profile = case.tilemap, case.profile
    layers = (tilemap.n_decks + 1,) if data.draw(st.booleans()) else ()
    extra = data.draw(extras((*layers, tilemap.rows, tilemap.cols)))
    plain, indexed, table = (Navigation(tilemap) for _ in range(3))
    indexed.build_index(profile, landmarks=1)
    table.build_index(profile)
    nodes = plain.profile_graph(profile).nodes
    source = nodes.of(case.start)
    steps = [
        (here, there, cost + _extra_at(tilemap, profile, extra, nodes.cell(there)), sort)
        for here, there, cost, sort in reference.steps_around(plain, case)
    ]
    others = {"blockers": case.blockers, "extra_cost": extra}
    reach = plain.reach(case.start, 1e9, profile, **others)
    for goal in strategies.cells_to_ask(tilemap):
        path = plain.find_path(case.start, goal, profile, **others)
        if path:
            expected = reference.first_cells(steps, source, nodes.of(goal))
            assert [nodes.of(cell) for cell in path.cells] == expected
        assert reach.path_to(goal).cells == path.cells
        for navigation, more in (
            (plain, {"max_cost": 1e12}), (indexed, {}), (table, {}), (table, {"max_cost": 1e12})
        ):  # fmt: skip
            found = navigation.find_path(case.start, goal, profile, **others, **more)
            assert (found.cells, found.cost) == (path.cells, path.cost)
        assert plain.find_path(case.start, [goal], profile, **others).cells == path.cells


def _extra_at(tilemap, profile, extra, cell):
    inside = [
        tile
        for tile in tiles_of(cell, profile)
        if max(tile[0] - tilemap.rows, tile[1] - tilemap.cols) < 0
    ]
    tiles = [(tile.deck, tile.row, tile.col) if extra.ndim == 3 else tile[:2] for tile in inside]
    return reference.nearest(max(float(extra[tile]) for tile in tiles))


WRONG = {
    "negative": (np.full((2, 3), -1), r"extra_cost must be in 0..1000000, got -1 at \(0, 0\)"),
    "not a number": ([[0, 0, 0], [0, math.nan, 0]], r"got nan at \(1, 1\); .* blocked"),
    "infinite": ([[0, 0, math.inf], [0, 0, 0]], r"got inf at \(0, 2\)"),
    "a number": (3, r"of shape \(2, 3\), or \(1, 2, 3\) for each surface its own, got \(\)"),
    "transposed": (np.zeros((3, 2)), r"of shape \(2, 3\).*, got \(3, 2\)"),
    "ragged": ([[1, 2, 3], [1]], "got rows of different lengths"),
    "missing layers": (np.zeros((2, 2, 3)), r"got \(2, 2, 3\)"),
}


@pytest.mark.parametrize(("wrong", "message"), WRONG.values(), ids=WRONG)
def test_wrong_extra_costs_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Navigation(TileMap.from_text("000\n000")).reach((0, 0), 3, extra_cost=wrong)
