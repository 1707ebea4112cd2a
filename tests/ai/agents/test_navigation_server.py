"""Planning within a budget: the same paths, fair turns, bounded memory, no starvation."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation, NavigationAgent3D, NavigationServer3D
from ai.agents.navigation_server import _MAX_INTERRUPTED_STARTS, _MAX_RUNNING
from ai.navigation.resumable_search import Search
from ai.search.workspace import Workspace
from terrain3d import Cell, TileMap
from tests.support.bodies import Stage
from tests.support.mixed_maps import cases, cells_to_ask, edits
from tests.support.plain_map import all_surfaces
from tests.support.reference import ground, thoroughly
from tests.support.strategies import tilemaps

OPEN_FIELD = "\n".join(["0" * 20] * 20)
counted_budgets = st.one_of(
    st.builds(lambda n: {"max_expansions": n}, st.integers(1, 40)),
    st.just({"max_expansions": None}),
)
budgets = st.one_of(
    counted_budgets,
    st.builds(lambda s: {"max_expansions": None, "seconds": s}, st.sampled_from([1e-9, 1e-3])),
    st.just({"max_expansions": 7, "seconds": 1.0}),
)


def patience(stage, n_agents, budget):
    """Return the number of frames after which all have an answer, however often they restart."""
    per_search = 2 * sum(1 for _ in all_surfaces(stage.tilemap)) + 2
    work = n_agents * (_MAX_INTERRUPTED_STARTS + 1) * per_search
    return n_agents * (_MAX_INTERRUPTED_STARTS + 1) + work // budget + 2


@thoroughly(60)
@given(cases(), budgets, st.integers(1, 9), st.data())
def test_with_any_budget_paths_are_those_of_a_query(case, budget, n_agents, data):
    stage = Stage(case.tilemap, **budget)
    cells = st.sampled_from(cells_to_ask(case.tilemap))
    bodies = [stage.add(data.draw(cells), case.profile, speed=0) for _ in range(n_agents)]
    for body in bodies:
        body.agent.blocked = sorted(case.blocked)
        body.agent.target_cell = data.draw(cells)
    n_frames = patience(stage, n_agents, budget["max_expansions"] or 1)
    while stage.server.n_waiting:
        n_frames -= 1
        assert n_frames > 0
        stage.run()
    for body in bodies:
        agent = body.agent
        if agent.get_current_navigation_path():
            assert body.events[0] == "path_changed"
        path = Navigation(case.tilemap).find_path(
            agent.cell, agent.target_cell, case.profile, blocked=case.blocked, partial=True
        )
        planned = agent._follower.path
        assert (planned.cost, planned.partial, planned.reason) == (
            path.cost,
            path.partial,
            path.reason,
        )
        assert planned.cells[-1:] == path.cells[-1:]
        if not path.partial:
            assert planned.cells == path.cells
        assert agent.is_target_reachable() >= (bool(path) and not path.partial)


@thoroughly(40)
@given(tilemaps(), st.integers(1, 9), st.integers(1, 9), st.data())
def test_every_agent_gets_a_path_however_often_targets_and_the_map_change(
    tilemap, budget, n_agents, data
):
    stage = Stage(tilemap, max_expansions=budget)
    places = cells_to_ask(tilemap)
    bodies = [stage.add(place, speed=0) for place in (places * 9)[:n_agents]]
    for number in range(patience(stage, n_agents, budget) + 5):
        for which, body in enumerate(bodies):
            agent, cell = body.agent, places[(number + which) % len(places)]
            agent.target_cell = cell if tilemap.has_cell(Cell(*cell)) else cell[:2]
        if number % 2:
            data.draw(edits(tilemap))(tilemap)
        stage.run()
    for body in bodies:
        assert "path_changed" in body.events


def test_requests_are_served_in_order():
    stage = Stage(ground(OPEN_FIELD), max_expansions=30)
    bodies = [stage.add((number, 0), speed=0) for number in range(20)]
    order = []
    for number, body in enumerate(bodies):
        body.agent.path_changed.connect(lambda number=number: order.append(number))
        body.agent.target_cell = (number, 15)
    stage.run(200)
    firsts = list(dict.fromkeys(order))
    assert len(firsts) == 20
    assert all(abs(place - number) <= _MAX_RUNNING for place, number in enumerate(firsts))


def test_a_long_search_does_not_delay_short_ones():
    bends = ["0" * 99, "#" * 98 + "0", "0" * 99, "0" + "#" * 98] * 20
    stage = Stage(TileMap.from_text("\n".join(bends)), max_expansions=1100)
    far = stage.add((0, 0), speed=0)
    near = [stage.add((0, 5), speed=0) for _ in range(5)]
    far.agent.target_cell = (76, 0)
    for body in near:
        body.agent.target_cell = (0, 9)
    stage.run(2)
    assert all(not body.agent.is_planning for body in near)
    assert far.agent.is_planning
    stage.run(20)
    assert not far.agent.is_planning


def test_one_budget_is_shared_by_all(monkeypatch):
    closed = []
    run = Search.run

    def counted(search, *limits):
        before = search.expansions
        is_done = run(search, *limits)
        closed[-1] += search.expansions - before
        return is_done

    monkeypatch.setattr(Search, "run", counted)
    stage = Stage(ground(OPEN_FIELD), max_expansions=50)
    for number in range(20):
        stage.add((number, 0), speed=0).agent.target_cell = (19 - number, 19)
    while stage.server.n_waiting:
        closed.append(0)
        stage.run()
    assert len(closed) > 20
    assert max(closed) <= 50
    assert min(closed[:-1]) >= 50 - _MAX_RUNNING


def test_memory_does_not_grow_with_the_number_of_requests(monkeypatch):
    made = []
    make = Workspace.of
    monkeypatch.setattr(
        Workspace, "of", staticmethod(lambda *args, **how: made.append(1) or make(*args, **how))
    )
    stage = Stage(ground(OPEN_FIELD), max_expansions=5)
    bodies = [stage.add((number % 20, 0), speed=0) for number in range(100)]
    for number, body in enumerate(bodies):
        body.agent.target_cell = (19 - number % 20, 19)
    for number in range(300):
        stage.run()
        if number % 3 == 0:
            bodies[number // 3].agent.target_cell = (number % 20, 9)
        if number % 50 == 0:
            stage.edit(((9, 9), number // 50 % 2))
        if number % 6 == 5:
            next(iter(stage.server._jobs)).parent.queue_free()
    assert len(made) < 10


def test_an_edit_elsewhere_restarts_a_search_too():
    stage = Stage(ground(OPEN_FIELD), max_expansions=3)
    body = stage.add((0, 0), speed=0)
    body.agent.target_cell = (0, 15)
    while body.agent.is_planning:
        stage.run()
    stage.edit(((0, 9), "void"))
    stage.run()
    assert body.agent.is_planning
    stage.edit(((1, 9), "void"))  # not on its path
    while body.agent.is_planning:
        stage.run()
    path = Navigation(stage.tilemap).find_path((0, 0), (0, 15))
    assert body.agent._follower.path.cells == path.cells


def test_a_search_that_restarts_often_runs_to_its_end_and_is_counted():
    stage = Stage(ground(OPEN_FIELD), max_expansions=4)
    body = stage.add((0, 0), speed=0)
    for number in range(_MAX_INTERRUPTED_STARTS + 1):
        assert body.agent.target_cell is None or body.agent.is_planning
        body.agent.target_cell = (19, 15 + number)
        stage.run()
    assert not body.agent.is_planning
    assert body.agent.is_target_reachable()
    other = stage.add((0, 0), speed=0)
    other.agent.target_cell = (0, 1)
    stage.run()
    assert other.agent.is_planning  # earlier frames have used up the budget of this one
    stage.run(200)
    assert not other.agent.is_planning


def test_a_server_may_have_a_limit_of_time_only():
    stage = Stage(ground(OPEN_FIELD), max_expansions=None, seconds=0.5)
    bodies = [stage.add((0, number), speed=0) for number in range(20)]
    for body in bodies:
        body.agent.target_cell = (19, 19)
    begin = time.monotonic()
    stage.run()
    assert time.monotonic() - begin < 60
    assert stage.server.n_waiting == 0


def test_listeners_that_request_again_do_not_block_the_frame():
    stage = Stage(ground("00000"), max_expansions=None)
    body = stage.add((0, 0), speed=0)
    agent = body.agent
    agent.path_changed.connect(lambda: setattr(agent, "target_cell", (0, 1 + len(body.events) % 4)))
    agent.target_cell = (0, 4)
    stage.run(3)
    assert body.events == ["path_changed"] * 3


def test_after_an_error_in_a_listener_all_agents_get_paths():
    stage = Stage(ground("0000"), max_expansions=None)
    one, other = stage.add((0, 0)), stage.add((0, 3))

    def fail():
        raise KeyError("of the game")

    one.agent.path_changed.connect(fail)
    one.agent.target_cell, other.agent.target_cell = (0, 2), (0, 1)
    with pytest.raises(KeyError, match="of the game"):
        stage.run()
    stage.run(20)
    assert one.agent.is_target_reached()
    assert other.agent.is_target_reached()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"max_expansions": 0}, ValueError),
        ({"max_expansions": 2.5}, TypeError),
        ({"seconds": 0}, ValueError),
        ({"seconds": math.nan}, ValueError),
        ({"seconds": math.inf}, ValueError),
        ({"seconds": "1"}, TypeError),
    ],
)
def test_bad_budgets_are_refused(wrong, error):
    with pytest.raises(error, match=next(iter(wrong))):
        NavigationServer3D(Navigation(ground("0")), **wrong)


def test_a_map_keeps_no_reference_to_a_server_that_has_left():
    stage = Stage(ground("00"))
    stage.tree.root.remove_child(stage.server)
    assert not stage.tilemap.changed.is_connected(stage.server._on_changed)
    agent = NavigationAgent3D(stage.server)
    assert not agent.is_inside_tree
