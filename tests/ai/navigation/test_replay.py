"""Replays: every step of a search as it was taken, forward and back, in the documented order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, Replay
from ai.navigation.search import ALGORITHMS, DONE, FRONTIER, UNSEEN
from ai.rules.heuristics import HEURISTICS
from terrain3d import TileMap
from tests.support import rulebook
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.plain_map import SQUARE_WAYS, column_ahead, distance, level
from tests.support.reference import thoroughly

HILL = "000000\n012210\n013310\n000000"
# Clockwise from north: the order in which a search tries its steps; hexagons in (q, r).
CLOCKWISE = {
    "square": SQUARE_WAYS,
    "hex_odd_r": ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
    "hex_even_q": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
}


def replay(picture=HILL, start=(3, 0), goal=(0, 4), profile=None, **how):
    search = Navigation(TileMap.from_text(picture)).begin_search(
        start, goal, profile or MoveProfile(), **how
    )
    return Replay(search)


def known(shown):
    """Return the state of all tiles in a replay, to be compared."""
    return shown.state.tolist(), shown.g.tolist(), shown.parent.tolist(), shown.n_open


def plain_search(tilemap, profile, start, goal, is_guided):
    """Search in plain Python by the documented rule: lowest f first, then the newest node.

    Gives what is known after each step: {cell: (state, g, parent)}, as one dictionary a step.
    """

    def estimate(cell):
        climb = max(0, level(tilemap, goal) - level(tilemap, cell)) * profile.climb_cost
        drop = max(0, level(tilemap, cell) - level(tilemap, goal)) * profile.drop_cost
        return (distance(tilemap, cell[:2], goal[:2]) + climb + drop) * is_guided

    came_in = [start]
    found = {start: (FRONTIER, 0, None)}
    steps = [dict(found)]
    while came_in:
        best = min(found[cell][1] + estimate(cell) for cell in came_in)
        here = [cell for cell in came_in if found[cell][1] + estimate(cell) == best][-1]
        came_in.remove(here)
        _, cost, parent = found[here]
        found[here] = (DONE, cost, parent)
        if here != goal:
            for direction in CLOCKWISE[tilemap.topology]:
                column = column_ahead(tilemap, here[:2], direction)
                if column is None:
                    continue
                there = (*column, 0)
                new = cost + rulebook.edge_cost(tilemap, profile, here, there, ())
                if new == math.inf or (there in found and found[there][1] <= new):
                    continue
                found[there] = (FRONTIER, new, here)
                if there in came_in:
                    came_in.remove(there)
                came_in.append(there)
        steps.append(dict(found))
        if here == goal:
            break
    return steps


@st.composite
def hills(draw):
    """Draw a small map of any topology, a mover of whole costs, and two cells."""
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    line = st.lists(st.integers(0, 4), min_size=cols, max_size=cols)
    levels = draw(st.lists(line, min_size=rows, max_size=rows))
    topology = draw(st.sampled_from(["square", *CLOCKWISE]))
    profile = MoveProfile(
        max_climb=draw(st.integers(1, 3)),
        max_drop=draw(st.integers(1, 3)),
        climb_cost=draw(st.integers(0, 3)),
        drop_cost=draw(st.integers(0, 1)),
    )
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1), st.just(0))
    return TileMap(levels, topology=topology), profile, draw(cell), draw(cell)


@thoroughly(200)
@given(hills(), st.sampled_from(["astar", "dijkstra"]))
def test_each_step_is_that_of_a_plain_search_by_the_documented_rule(hill, algorithm):
    tilemap, profile, start, goal = hill
    search = Navigation(tilemap).begin_search(start, goal, profile, algorithm=algorithm)
    shown = Replay(search)
    expected = plain_search(tilemap, profile, start, goal, algorithm == "astar")
    assert shown.n_steps == len(expected) - 1
    for number, found in enumerate(expected):
        shown.seek(number)
        for node in range(tilemap.rows * tilemap.cols):
            state, cost, parent = found.get(
                (*divmod(node, tilemap.cols), 0), (UNSEEN, math.inf, None)
            )
            above = -1 if parent is None else parent[0] * tilemap.cols + parent[1]
            assert (shown.state[node], shown.g[node], shown.parent[node]) == (state, cost, above)


def any_search(data, case):
    """Return a function that begins some search over a mixed map; None where it is refused."""
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    how = {
        "algorithm": data.draw(st.sampled_from(ALGORITHMS)),
        "heuristic": data.draw(st.sampled_from(["auto", "auto", *HEURISTICS])),
    }
    navigation = Navigation(case.tilemap)

    def begin():
        return navigation.begin_search(
            case.start, goal, case.profile, **how, blockers=case.blockers
        )

    try:
        begin()
    except ValueError:
        return None
    return begin


def check_steps(begin):
    """Run one search and the replay of its like side by side."""
    shown = Replay(begin())
    search = begin()
    before = shown.state.tolist()
    for number in range(1, shown.n_steps + 1):
        search.run(max_expansions=1)
        changed = shown.seek(number).tolist()
        assert shown.state.tolist() == search.state.ravel().tolist()
        assert shown.g.tolist() == search.g.ravel().tolist()
        assert shown.parent.tolist() == search.parent.ravel().tolist()
        assert shown.f.tolist() == search.f.ravel().tolist()
        assert shown.n_open == (shown.state == FRONTIER).sum()
        assert sorted([shown.closed, *shown.opened, *shown.cheaper]) == changed
        differing = np.flatnonzero(shown.state != before).tolist()
        assert set(differing) <= set(changed)
        assert set(shown.opened) == {node for node in differing if before[node] == UNSEEN}
        before = shown.state.tolist()
    search.run()
    assert search.expansions == shown.n_steps
    assert shown.search.path.cells == search.path.cells
    assert shown.search.path.reason == search.path.reason
    assert shown.search.closed_order.tolist() == search.closed_order.tolist()


@thoroughly(100)
@given(cases(), st.data())
def test_each_step_shows_what_the_search_itself_shows(case, data):
    case.tell()
    begin = any_search(data, case)
    if begin is not None:
        check_steps(begin)


@thoroughly(100)
@given(cases(), st.data())
def test_a_step_looks_the_same_from_every_step_before(case, data):
    case.tell()
    begin = any_search(data, case)
    if begin is None:
        return
    shown, fresh = (Replay(begin()) for _ in range(2))
    steps = st.integers(0, shown.n_steps)
    for number in data.draw(st.lists(steps, max_size=8)):
        shown.seek(number)
    last = shown.step
    for number in range(1, last + 1):
        fresh.seek(number)
    assert known(shown) == known(fresh)
    shown.seek(data.draw(steps))
    shown.seek(last)
    assert known(shown) == known(fresh)


@given(hills(), st.sampled_from(ALGORITHMS))
def test_the_node_closed_next_has_the_least_f_of_all_open_nodes(hill, algorithm):
    tilemap, profile, start, goal = hill
    search = Navigation(tilemap).begin_search(start, goal, profile, algorithm=algorithm)
    shown = Replay(search)
    for number, node in enumerate(shown.search.closed_order):
        shown.seek(number)
        waiting = np.flatnonzero(shown.state == FRONTIER)
        assert node in waiting
        assert shown.f[node] == shown.f[waiting].min()


def test_in_the_beginning_only_the_start_is_open():
    shown = replay()
    assert (shown.step, shown.closed, shown.n_open) == (0, -1, 1)
    assert (len(shown.opened), len(shown.cheaper)) == (0, 0)
    assert np.flatnonzero(shown.state).tolist() == [3 * 6]
    assert shown.g[3 * 6] == 0


def test_a_search_that_is_refused_has_no_steps_and_its_reason():
    shown = replay("00#", (0, 0), (0, 2))
    assert (shown.n_steps, shown.n_open) == (0, 0)
    assert not shown.state.any()
    assert shown.search.path.reason == "(0, 2) is void"


def test_the_start_may_be_the_goal():
    shown = replay(goal=(3, 0))
    assert shown.n_steps == 1
    assert shown.search.path.cost == 0


def test_every_array_is_read_only():
    shown = replay()
    arrays = [shown.state, shown.g, shown.h, shown.parent]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_more_steps_than_are_shown_are_refused(monkeypatch):
    n_steps = replay(algorithm="dijkstra").n_steps
    monkeypatch.setattr("ai.navigation.replay.MAX_STEPS", n_steps)
    assert replay(algorithm="dijkstra").n_steps == n_steps
    monkeypatch.setattr("ai.navigation.replay.MAX_STEPS", n_steps - 1)
    with pytest.raises(ValueError, match=f"more than {n_steps - 1} steps"):
        replay(algorithm="dijkstra")


def test_a_search_without_a_path_may_take_as_many_steps_as_there_are_tiles(monkeypatch):
    monkeypatch.setattr("ai.navigation.replay.MAX_STEPS", 2)
    shown = replay("009", (0, 0), (0, 2))
    assert shown.n_steps == 2
    assert shown.search.path.reason == "climb 9 > 2 at (0, 2)"


def test_a_search_that_has_begun_is_shown_from_its_first_step():
    search = Navigation(TileMap.from_text(HILL)).begin_search((3, 0), (0, 4))
    search.run(max_expansions=3)
    shown = Replay(search)
    shown.seek(shown.n_steps)
    other = replay()
    other.seek(other.n_steps)
    assert known(shown) == known(other)


@pytest.mark.parametrize("step", [-1, 10**6])
def test_there_are_no_other_steps(step):
    shown = replay()
    with pytest.raises(IndexError, match=f"in 0..{shown.n_steps}, got {step}"):
        shown.seek(step)


def test_the_search_of_an_edited_map_is_refused():
    tilemap = TileMap.from_text(HILL)
    search = Navigation(tilemap).begin_search((3, 0), (0, 4))
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 3)
    with pytest.raises(RuntimeError, match="edited"):
        Replay(search)
