"""Agents on any map, edited and crowded while they walk: legal steps, correct signals."""

import math

from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation, Situation
from ai.motion.motion import point_on
from terrain3d import Cell
from tests.ai.agents.test_navigation_server import counted_budgets
from tests.support.bodies import Stage
from tests.support.mixed_maps import cases, cells_to_ask, edits
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly
from tests.support.walks import check_legal


class World:
    """Bodies on a map, with random events."""

    def __init__(self, case, budget, rng):
        self.rng, self.tilemap = rng, case.tilemap
        self.stage = Stage(case.tilemap, **budget)
        self.cells = cells_to_ask(case.tilemap)
        self.bodies = [self.stage.add(self.cells[0], case.profile, 9) for _ in range(3)]
        self.acts = [self.aim, self.aim, self.point, self.crowd, self.carry, self.stop, self.free]

    def act(self, body):
        self.rng.choice(self.acts)(body)

    def place(self):
        return self.rng.choice([*self.cells, (0, 0, 3), (99, 0, 0)])

    def somewhere(self):
        return tuple(self.rng.uniform(*limits) for limits in [(-2, 8), (-8, 2), (-1, 4)])

    def aim(self, body):
        body.agent.target_cell = self.rng.choice(cells_to_ask(self.tilemap))

    def point(self, body):
        body.agent.target_desired_distance = self.rng.choice([0.1, 2.0])
        body.agent.target_position = self.somewhere()

    def crowd(self, body):
        body.agent.blocked = [self.place() for _ in range(3)]

    def carry(self, body):
        body.position = self.somewhere()

    def stop(self, body):
        if self.rng.random() < 0.2:
            body.agent.target_cell = None

    def free(self, body):
        if self.rng.random() < 0.1:
            body.queue_free()


@thoroughly(100)
@given(cases(), counted_budgets, st.randoms(use_true_random=False), st.data())
def test_no_edit_or_blocker_makes_them_raise(case, budget, rng, data):
    case.tell()
    world = World(case, budget, rng)
    one, other, third = world.bodies
    if rng.random() < 0.5:
        one.agent.waypoint_reached.connect(lambda _: world.act(one))
        other.agent.path_changed.connect(lambda: world.act(third))
        third.agent.target_reached.connect(lambda: world.act(third))
    for _ in range(12):
        for body in world.bodies:
            if rng.random() < 0.4:
                world.act(body)
        if rng.random() < 0.3:
            data.draw(edits(case.tilemap))(case.tilemap)
        world.stage.run()
        for body in world.bodies:
            ask_everything(body.agent)


def ask_everything(agent):
    path = agent.get_current_navigation_path()
    assert agent.get_current_navigation_path_index() <= max(0, len(path) - 1)
    assert math.dist(agent.get_final_position(), agent.position) >= 0
    assert isinstance(agent.reason, str)
    assert agent.distance_to_target() >= 0
    if agent.is_target_reached():
        assert agent.is_navigation_finished()
        assert not agent.is_planning
    assert isinstance(agent.get_next_path_cell(), Cell)
    assert len(agent.get_next_path_position()) == 3
    assert agent.is_target_reachable() in {True, False}


@thoroughly(60)
@given(cases(), st.integers(1, 30), st.data())
def test_every_step_is_legal_when_it_is_taken(case, budget, data):
    case.tell()
    stage = Stage(case.tilemap, max_expansions=budget)
    cells = cells_to_ask(case.tilemap)
    body = stage.add(case.start, case.profile, speed=0)
    body.agent.target_cell = data.draw(st.sampled_from(cells))
    here = body.agent.cell
    for number in range(12):
        if number % 3 == 2:
            data.draw(edits(case.tilemap))(case.tilemap)
            here = body.agent.cell  # a surface at its feet may be new
        if number % 4 == 3:
            body.agent.blocked = data.draw(st.sets(st.sampled_from(cells), max_size=2)) - {here}
        cell = body.agent.get_next_path_cell()
        is_ground = case.tilemap.has_cell(here) and not case.tilemap.is_void(here)
        # A flyer may be led over void, and no query returns steps from there.
        if cell != here and is_ground and not case.profile.can_fly:
            others = [each for each in body.agent.blocked if case.tilemap.has_cell(each)]
            check_legal(Situation(stage.navigation, here, case.profile, others), cell)
        here = cell
        body.position = point_on(case.tilemap, cell, case.profile)
        stage.run()


@thoroughly(60)
@given(cases(), st.integers(1, 30), st.data())
def test_they_walk_by_legal_steps_to_the_end_of_the_path(case, budget, data):
    case.tell()
    stage = Stage(case.tilemap, max_expansions=budget)
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    body = stage.add(case.start, case.profile, speed=0)
    agent, navigation = body.agent, Navigation(case.tilemap)
    agent.target_cell = goal
    start = here = agent.cell
    for _ in range(20 * len(all_surfaces(case.tilemap)) + 50):
        if agent.is_navigation_finished():
            break
        cell = agent.get_next_path_cell()
        if cell != here:
            check_legal(Situation(navigation, here, case.profile), cell)
            here = cell
        body.position = point_on(case.tilemap, cell, case.profile)
        stage.run()
    path = navigation.find_path(start, goal, case.profile, partial=True)
    assert agent.is_navigation_finished()
    assert agent.is_target_reached() == (agent.distance_to_target() <= 0.1)
    assert agent.is_target_reached() or path.partial or not path
    assert body.events.count("navigation_finished") == 1
    assert body.events.count("target_reached") == agent.is_target_reached()
    if path and not path.partial:
        assert agent.cell == goal
    elif path and agent.cell == path.cells[-1]:
        assert agent.reason
