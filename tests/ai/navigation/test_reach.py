"""Reached cells, lines of sight and pictures of answers, against plain references."""

import math
import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Blockers, MoveProfile, Navigation, Path, SquadPlanner
from terrain3d import TOPOLOGIES, Cell, Reason, TileKind, TileMap
from tests.support.boards import one_edit
from tests.support.reference import cases, cells_of, costs, tried, true_costs, walk
from tests.support.sight_reference import sees
from tests.support.strategies import KINDS, bare_map, cells_to_ask, decks


@tried(500, cases(), costs | st.just(math.inf))
def test_a_reach_equals_that_of_scipy_within_the_budget(case, budget):
    tilemap, profile, start = case.tilemap, case.profile, case.start
    reach = Navigation(tilemap).reach(start, budget, profile, blocked=case.blocked)
    cheapest = true_costs(tilemap, profile, start, case.blocked)
    mask = reach.as_mask()
    limit = round(budget, 6) if budget < math.inf else 1e15
    assert mask.tolist() == (cheapest < limit + 1e-7).tolist()
    assert len(reach) == len(reach.cells) == mask.sum()
    for cell in cells_of(tilemap):
        assert (cell in reach) == mask[cell]
        path = reach.path_to(cell)
        assert bool(path) == mask[cell]
        if path:
            assert reach.cost_to(cell) == pytest.approx(cheapest[cell], rel=1e-12, abs=1e-12)
            assert path.cost == reach.cost_to(cell)
            walk(tilemap, profile, path, start, cell, case.blocked)
        else:
            assert reach.cost_to(cell) == math.inf
            assert path.reason


@given(cases(), costs)
def test_cells_come_cheapest_first_with_the_start_in_front(case, budget):
    reach = Navigation(case.tilemap).reach(case.start, budget, case.profile)
    prices = [reach.cost_to(cell) for cell in reach.cells]
    assert prices == sorted(prices)
    assert list(reach) == reach.cells
    assert len(set(reach.cells)) == len(reach.cells)
    if reach.cells:
        assert reach.cells[0] == Cell(*case.start)
        assert prices[0] == 0


def test_a_reason_says_why_no_path_ends_on_a_cell():
    navigation = Navigation(TileMap.from_text("000#\n99##"))
    too_far = navigation.reach((0, 0), 1).path_to((0, 2)).reason
    assert too_far == Reason("over_budget", goal=(0, 2), budget=1)
    everything = navigation.reach((0, 0), math.inf)
    assert everything.path_to((1, 0)).reason == Reason("no_path", goal=(1, 0))
    past_a_friend = navigation.reach((0, 0), 2, blockers=Blockers(passable=[(0, 1)]))
    assert past_a_friend.cells == [(0, 0, 0), (0, 2, 0)]
    assert past_a_friend.path_to((0, 1)).reason == Reason("passed_only", cell=(0, 1))


def test_a_void_kind_with_a_cost_is_still_no_ground():
    tilemap = TileMap([[0, 0, 0]], [[0, 1, 0]], (TileKind("grass"), TileKind("void", cost=1)))
    assert Navigation(tilemap).reach((0, 0), 9).cells == [(0, 0, 0)]


def test_a_cell_beside_the_map_is_in_no_reach_and_on_no_path():
    navigation = Navigation(TileMap.from_text("000\n000"))
    reach, path = navigation.reach((0, 0), 1), navigation.find_path((0, 0), (0, 2))
    for cell, is_reached, is_passed in [
        ((0, 1), True, True),
        ((0, 1, 0), True, True),
        ((1, 0), True, False),
        ((9, 9), False, False),
        ((-1, 0), False, False),
        ((0, 0, 3), False, False),
    ]:
        assert (cell in reach, cell in path) == (is_reached, is_passed)
    for answer in (reach, path):
        with pytest.raises(TypeError, match="a cell is"):
            "here" in answer  # noqa: B015


@st.composite
def sights(draw):
    tilemap = bare_map(draw, 5, KINDS, ["square", *TOPOLOGIES])
    if draw(st.booleans()):
        with tilemap.edit() as edit:
            for column, height, _, thickness in draw(decks(tilemap)):
                edit.add_deck(column, height, "wood", thickness)
    cell, height = st.sampled_from(cells_to_ask(tilemap)), st.sampled_from([0, 0.5, 1, 1, 2])
    return tilemap, draw(cell), draw(cell), draw(height), draw(height)


@tried(250, sights())
def test_lines_are_open_as_dense_sampling_finds_in_both_directions(sight):
    tilemap, start, end, eye, target = sight
    navigation = Navigation(tilemap)
    is_open = navigation.line_of_sight(start, end, eye=eye, target=target)
    assert is_open == sees(tilemap, start, end, eye, target)
    assert is_open == navigation.line_of_sight(end, start, eye=target, target=eye)


RULES = MoveProfile(max_climb=2, max_drop=3)


@pytest.fixture
def navigation():
    tilemap = TileMap.from_noise(9, 11, 4)
    with tilemap.edit() as edit:
        edit.add_deck((4, 4), level=8)
    return Navigation(tilemap)


def test_every_way_to_a_path_gives_a_picture_with_its_cells(navigation):
    field = navigation.cost_field([(8, 10)], RULES)
    search = navigation.begin_search((0, 0), (8, 10), RULES)
    search.run()
    nearest = navigation.find_path((0, 0), [(8, 10), (8, 9)], RULES)
    paths = [
        navigation.find_path((0, 0), (8, 10), RULES),
        navigation.find_path((0, 0), (8, 10), RULES).head(3),
        navigation.find_paths([(0, 0)], [(8, 10)], RULES)[0],
        navigation.reach((0, 0), 99, RULES).path_to((8, 10)),
        field.path_from((0, 0)),
        search.path,
        nearest,
    ]
    for path in paths:
        picture = path.picture()
        assert picture.lines[0].cells == tuple(path.cells)
        ET.fromstring(path.to_svg())
        assert path._repr_html_() == path.to_svg()


def test_without_a_path_or_after_pickling_the_text_is_shown(navigation):
    none = Path.none("a < b")
    assert none._repr_html_() == "<pre>&lt;no Path: a &lt; b&gt;</pre>"
    path = pickle.loads(pickle.dumps(navigation.find_path((0, 0), (8, 10), RULES)))
    assert "Path of" in path._repr_html_()
    for nothing in (none, path):
        with pytest.raises(ValueError, match="there is nothing to draw: <"):
            nothing.to_svg()


def test_a_plan_shows_the_path_of_each_unit(navigation):
    plan = SquadPlanner(navigation).plan([(0, 0), (0, 2)], [(0, 2), (0, 0)], RULES)
    assert tuple(line.cells for line in plan.picture().lines) == plan.paths
    ET.fromstring(plan.to_svg())
    assert pickle.loads(pickle.dumps(plan)).picture() is None


def test_a_search_shows_when_each_tile_was_closed(navigation):
    search = navigation.begin_search((0, 0), (8, 10), RULES, algorithm="dijkstra")
    search.run()
    picture = search.picture()
    found = picture.values[np.isfinite(picture.values)]
    assert len(found) <= search.expansions
    assert picture.values[0, 0] == 1
    assert picture.lines[0].cells == tuple(search.path)


def test_answers_stay_as_they_were_when_a_deck_goes_and_comes_back():
    tilemap, above = TileMap.from_text("000"), (0, 1, 1)
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), 5)
        edit.add_link((0, 0), above, cost=1)
    nav = Navigation(tilemap)
    reach, field = nav.reach((0, 0), 5), nav.cost_field([(0, 0), above])

    def answers():
        yield from (reach.cost_to(above), reach.path_to(above).cells, reach.as_costs().tolist())
        yield from (field.cost_from(above), field.next_step(above), field.path_from(above).cells)
        yield from (above in field, field.next_steps([above, (0, 2)]).tolist())
        yield reach.as_mask(decks=True).tolist()

    before = [*answers()]
    one_edit(tilemap).remove_deck((0, 1))
    assert [*answers()] == before
    for ask in (reach.cost_to, field.cost_from, field.next_step):
        with pytest.raises(IndexError, match="has no deck 1"):
            ask((0, 2, 1))
    field = nav.cost_field([(0, 2)])
    tilemap.undo()
    assert (field.next_step(above), field.cost_from(above)) == (None, math.inf)
    assert not field.path_from(above)
    assert field.next_steps([above, (0, 1)]).tolist() == [[-1] * 3, [0, 2, 0]]
