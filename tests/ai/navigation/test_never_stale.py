"""After any sequence of edits, undos and queries, answers equal those of a new Navigation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.rules.profile import DIAGONAL_MODES
from terrain3d import TileKind, TileMap
from terrain3d.grid.hexgrid import TOPOLOGIES
from tests.support.reference import KINDS, cells_of, thoroughly

KIND_NAMES = [*[kind.name for kind in KINDS], "void"]


def test_a_shortcut_far_from_the_search_is_noticed_with_an_index():
    level = np.zeros((72, 72), dtype=int)
    level[1] = 9
    level[1, 30] = 0
    kind = np.zeros((72, 72), dtype=int)
    kind[1, 30] = 1
    swamp = TileKind("swamp", cost=200)
    tilemap = TileMap(level, kind, (KINDS[0], swamp))
    navigation = Navigation(tilemap)
    navigation.build_index(landmarks=8)
    assert navigation.find_path((0, 30), (2, 30)).cost == 201
    with tilemap.edit() as edit:
        edit.set_level((1, 70), 0)
    assert navigation.find_path((0, 30), (2, 30)).cost == 82  # 40 there, 2 down, 40 back


class World:
    """A map, some profiles, and a few queries that repeat."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        rows, cols = (int(side) for side in rng.integers(1, rng.choice([4, 9, 14]), 2))
        level = rng.integers(0, rng.integers(1, 5), (rows, cols))
        kind = rng.choice(6, (rows, cols), p=[0.75, 0.05, 0.05, 0.05, 0.05, 0.05])
        topology = str(rng.choice(["square", *TOPOLOGIES]))
        self.tilemap = TileMap(level, kind, KINDS, topology=topology)
        self.navigation = Navigation(self.tilemap)
        self.cells = cells_of(self.tilemap)
        self.movers = [self.mover() for _ in range(rng.integers(1, 5))]
        self.ends = [self.cell() for _ in range(4)]

    def cell(self):
        return self.cells[self.rng.integers(len(self.cells))]

    def end(self):
        """Return one of a few cells, so that equal queries repeat."""
        return self.ends[self.rng.integers(len(self.ends))]

    def mover(self):
        rng = self.rng
        price = rng.choice([1, 1, 2, 0.3])
        return MoveProfile(
            int(rng.integers(0, 4)),
            int(rng.integers(0, 4)),
            float(price),
            float(rng.integers(0, 2)),
            {"road": 1} if rng.random() < 0.6 else {"water": 2.5},
            str(rng.choice(DIAGONAL_MODES)),
            float(rng.choice([1, 2, math.sqrt(2)])),
        )

    def change(self):
        what = self.rng.choice(["edit", "edit", "kind", "undo", "redo", "both"])
        if what in ("undo", "redo"):
            getattr(self.tilemap, what)()
            return
        with self.tilemap.edit() as edit:
            for _ in range(self.rng.integers(1, 4)):
                if what != "kind":
                    edit.set_level(self.cell(), int(self.rng.integers(0, 6)))
                if what != "edit":
                    edit.set_kind(self.cell(), str(self.rng.choice(KIND_NAMES)))

    def ask(self):
        """Compare the answers of the old Navigation and of a new one."""
        mover = self.movers[self.rng.integers(len(self.movers))]
        start, goal = self.end(), self.end()
        more = {}
        if self.rng.random() < 0.3:
            more["blocked"] = [self.cell() for _ in range(3)]
        what = self.rng.choice(
            ["path", "path", "path", "goals", "partial", "reach", "field", "yes"]
        )
        answers = [
            getattr(self, f"_{what}")(navigation, mover, start, goal, more)
            for navigation in (self.navigation, Navigation(self.tilemap))
        ]
        assert answers[0] == answers[1]

    def _path(self, navigation, mover, start, goal, more):
        path = navigation.find_path(start, goal, mover, **more)
        return path.cells, path.cost, path.reason, path.steps

    def _goals(self, navigation, mover, start, goal, more):
        return self._path(navigation, mover, start, [goal, *self.ends[:2]], more)

    def _partial(self, navigation, mover, start, goal, more):
        return self._path(navigation, mover, start, goal, more | {"partial": True})

    def _reach(self, navigation, mover, start, goal, more):
        reach = navigation.reach(start, math.inf, mover, **more)
        path = reach.path_to(goal)
        return reach.cells, [reach.cost_to(cell) for cell in reach], path.cells, path.reason

    def _field(self, navigation, mover, start, goal, more):
        field = navigation.cost_field([goal, self.ends[0]], mover, **more)
        return field.cost.tolist(), field.path_from(start).cells

    def _yes(self, navigation, mover, start, goal, _more):
        return (
            navigation.is_reachable(start, goal, mover),
            navigation.distance(start, goal, mover),
            navigation.explain_step(start, goal, mover),
        )


def play(seed, rounds):
    world = World(seed)
    for _ in range(rounds):
        # Not every profile is queried after every change, so some follow several at once.
        for _ in range(world.rng.integers(0, 3)):
            world.change()
        for _ in range(world.rng.integers(1, 4)):
            world.ask()


@thoroughly(150)
@given(st.integers(0, 2**32 - 1))
def test_answers_are_those_of_a_new_navigation(seed):
    play(seed, rounds=6)


@pytest.mark.slow
def test_answers_are_those_of_a_new_navigation_ten_thousand_times():
    """Run with `python -m pytest tests/ai/navigation/test_never_stale.py -m slow`."""
    for seed in range(200):
        play(seed, rounds=50)


@thoroughly(90)
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 2]))
def test_with_an_index_costs_are_those_of_a_new_navigation(seed, landmarks):
    world = World(seed)
    for mover in world.movers:
        world.navigation.build_index(mover, landmarks=landmarks)
    for _ in range(6):
        world.change()
        for mover in world.movers:
            start, goal = world.end(), world.end()
            path = world.navigation.find_path(start, goal, mover)
            expected = Navigation(world.tilemap).find_path(start, goal, mover)
            assert path.cost == pytest.approx(expected.cost, rel=1e-12)
            assert path.reason == expected.reason


def test_a_reason_with_a_limit_does_not_depend_on_earlier_questions():
    navigation = Navigation(TileMap.from_text("09"))
    first = navigation.find_path((0, 0), (0, 1), max_cost=5).reason
    assert not navigation.is_reachable((0, 0), (0, 1))  # labels the components
    assert navigation.find_path((0, 0), (0, 1), max_cost=5).reason == first
