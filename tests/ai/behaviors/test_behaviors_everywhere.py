"""Every behavior on any map, edited and crowded between steps: its steps are legal, none raises."""

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import strategies as st

import ai
from terrain3d import Cell
from tests.support import rulebook
from tests.support.reason_claims import CELL
from tests.support.reference import tried
from tests.support.strategies import cases, cells_to_ask, edits
from tests.support.walks import check_legal


class World:
    """What behaviors look at: places that wander over the map, or beyond it."""

    def __init__(self, case, seed):
        self.case = case
        self.rng = np.random.default_rng(seed)
        self.cells = [*cells_to_ask(case.tilemap), (0, 0, 3), (99, 0, 0)]
        self.reached = list(ai.Navigation(case.tilemap).reach(case.start, math.inf, case.profile))
        self.target = self.place()
        self.trail = ai.Trail(6)

    def place(self):
        if self.reached and self.rng.random() < 0.8:
            return self.reached[self.rng.integers(len(self.reached))]
        return Cell(*self.cells[self.rng.integers(len(self.cells))])

    def places(self):
        return [self.place() for _ in range(self.rng.integers(0, 4))]

    def go_on(self):
        """Move the target, mostly to some cell beside where it is."""
        beside = [cell for cell in self.cells if math.dist(cell, self.target) < 1.5]
        if self.rng.random() < 0.7:
            self.target = Cell(*beside[self.rng.integers(len(beside))])
        elif self.rng.random() < 0.1:
            self.target = self.place()
        self.trail.drop(self.target)

    def now(self):
        return self.target if self.rng.random() < 0.95 else None

    def waypoints(self):
        points = ai.Waypoints()
        for number in range(4):
            points.add_point(str(number), self.place())
        ai.measure(points, ai.Navigation(self.case.tilemap), self.case.profile)
        points.connect("0", "3", 0)
        return points


BEHAVIORS = {
    "chase": lambda w: ai.Chase(w.now, replan=ai.Replan(seconds=1.5, at_decision_points=True)),
    "explore": lambda _: ai.Explore(),
    "first of": lambda w: ai.FirstOf(
        ai.Chase(w.now, max_cost=4), ai.Patrol([w.place(), *w.places()])
    ),
    "flee": lambda w: ai.Flee(lambda: [*filter(None, [w.now()]), *w.places()[:1]]),
    "follow a trail": lambda w: ai.FollowTrail(w.trail, w.rng, sight_tiles=3),
    "follow a wall": lambda _: ai.FollowWall("left"),
    "intercept": lambda w: ai.Intercept(w.now, speed_ratio=2),
    "keep distance": lambda w: ai.KeepDistance(w.now, 1, 2),
    "patrol": lambda w: ai.Patrol([w.place(), *w.places()], wait_s=1),
    "seek": lambda w: ai.Seek(w.place(), w.rng, max_side_steps=2, max_detours=3),
    "travel": lambda w: ai.Travel(w.waypoints(), w.place()),
    "travel after": lambda w: ai.Travel(w.waypoints(), w.now, join_within=5, replan=ai.Replan(2)),
    "wander": lambda w: ai.Wander(w.rng, 45),
    "while": lambda w: ai.While(lambda: w.rng.random() < 0.7, ai.Wander(w.rng)),
}


@pytest.mark.parametrize("name", BEHAVIORS)
@tried(60, cases(), st.integers(0, 2**32 - 1), st.data())
def test_it_goes_by_legal_steps_or_says_why_it_stays(name, case, seed, data):
    world = World(case, seed)
    behavior = BEHAVIORS[name](world)
    navigation, here = ai.Navigation(case.tilemap), Cell(*case.start)
    blocked, passable = case.blocked, case.passable
    for _ in range(8):
        behavior.advance(float(world.rng.random()))
        own = {Cell(*tile) for tile in rulebook.tiles(case.profile, here)}  # no one else is there
        others = blocked - own, passable - own, case.halting
        situation = ai.Situation(navigation, here, case.profile, *others)
        cell = behavior.next_cell(situation)
        assert (cell is None) == bool(behavior.reason), behavior.reason
        assert not CELL.search(ai.plain_reason(behavior.reason))
        if cell is not None:
            check_legal(situation, cell)
            here = cell
        world.go_on()
        if world.rng.random() < 0.3:
            data.draw(edits(case.tilemap))(case.tilemap)
        if world.rng.random() < 0.3:
            blocked, passable = set(world.places()), set(world.places())


@pytest.mark.parametrize("name", BEHAVIORS)
@tried(30, cases(), st.integers(0, 2**32 - 1))
def test_a_board_never_refuses_what_a_behavior_wants(name, case, seed):
    world, board = World(case, seed), ai.Board(case.tilemap)
    for number, cell in enumerate([case.start, *world.places()]):
        team = "blue" if number % 2 else "red"
        with suppress(ValueError, IndexError):  # it cannot stand there
            board.add(ai.Unit(f"unit {number}", cell, team, case.profile, math.inf))
    if not board.units:
        return
    mover = board.units[0]
    behavior = BEHAVIORS[name](world)
    for _ in range(8):
        behavior.advance(1)
        before, wanted = mover.cell, behavior.next_cell(board.situation(mover))
        if wanted is not None:
            assert board.move(mover, wanted).cells[0] == before
            assert mover.cell == wanted
        world.go_on()
