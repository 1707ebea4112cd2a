"""Compiling, which no frame waits for: the first picture, and orders until then."""

import pytest

from ai import Commander
from ai.game import background
from ai.game.background import Readiness
from ai.navigation import graph_cache
from terrain3d import SceneTree
from tests.support.boards import posted
from tests.support.paths import ROOT
from tests.support.programs import run_python

DEADLINE_S = 300.0
"""A first start compiles for some seconds; only a hang takes longer than this."""


@pytest.fixture
def commander():
    board, _ = posted("a.b\n..A")
    return Commander(board)


@pytest.fixture
def signals(commander):
    """Return a function that advances a tree with a `Readiness` and returns its signals so far."""
    tree, events = SceneTree(), []
    node = tree.root.add_child(Readiness(commander))
    for name in ("begun", "opened"):
        getattr(node, name).connect(lambda name=name: events.append(name))

    def advance():
        tree.advance(0.1)
        return events

    advance.wait = lambda: node._compiling.result(DEADLINE_S)
    yield advance
    tree.close()


def test_it_opens_once_after_the_first_picture(commander, signals):
    assert not commander.is_open
    assert signals() == []
    for _ in range(5):
        assert signals() == ["begun", "opened"]
    assert commander.is_open


def test_on_a_large_map_orders_wait_under_a_progress_that_moves(commander, monkeypatch):
    monkeypatch.setattr(background, "MOST_UNCOMPILED_TILES", 5)
    tree, jobs = SceneTree(), []
    monkeypatch.setattr(background, "in_background", lambda _job: jobs.append(Job()) or jobs[-1])
    node = tree.root.add_child(Readiness(commander))
    shown = []
    for _ in range(12):
        tree.advance(0.25)
        shown.append(node.progress)
    assert not commander.is_open
    assert shown[0] == "Getting ready to take orders: 0.0 s so far"
    assert len(set(shown[1:])) > 5
    jobs[0].is_done = True
    tree.advance(0.1)
    assert (commander.is_open, node.progress) == (True, "")
    tree.close()


def test_on_a_large_map_a_thread_makes_the_graphs_and_compiles_on_a_small_one(
    commander, monkeypatch
):
    monkeypatch.setattr(background, "MOST_UNCOMPILED_TILES", 5)
    tree, jobs, sizes = SceneTree(), [], []
    with commander.board.tilemap.edit() as edit:
        edit.add_deck((0, 1), 9, "grass")
        edit.add_deck((0, 1), 20, "grass")
        edit.add_link((0, 0), (1, 1), 2.5)
        edit.add_wall((0, 0), (1, 0))
    monkeypatch.setattr(background, "in_background", lambda job: jobs.append(job) or Job())
    monkeypatch.setattr(background, "warm_up", lambda tilemap, _: sizes.append(tilemap))
    tree.root.add_child(Readiness(commander))
    tree.advance(0.1)
    tree.advance(0.1)
    jobs[0]()
    (sample,) = sizes
    assert sample is not commander.board.tilemap
    assert (sample.n_decks, len(sample.links), len(sample.walls)) == (2, 1, 1)
    monkeypatch.setattr(graph_cache, "ProfileGraph", None)  # no more graphs can be made
    for unit in commander.board.units:
        assert commander.board.reach(unit)
    tree.close()


class Job:
    is_done = False

    def done(self):
        return self.is_done


def test_edits_are_allowed_while_it_compiles(commander, signals):
    signals()
    signals()
    with commander.board.tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
    signals.wait()


SCENE = """
import sys, threading

import ai
from ai.compilation import jit
from ai.game.background import Readiness
from ai.game.unit_loader import UnitLoader
from terrain3d import SceneTree, TileMap
from tests.support.first_calls import first_calls

if sys.argv[1] == "never ready":
    jit._Compiler.compile = lambda *_: threading.Event().wait()
with first_calls() as found:
    board, tree, given, early = ai.Board(TileMap.from_noise(20, 20, 7)), SceneTree(), [], []
    commander = ai.Commander(board)
    commander.order_given.connect(lambda unit, path: given.append(unit.name))
    node = tree.root.add_child(Readiness(commander))
    UnitLoader(board, ai.MoveProfile())
    node.begun.connect(lambda: early.extend(found))
    for frame in range(30):
        tree.advance(0.03)
        if frame > 0:
            commander.select_next()
            reach = commander.reach
            if reach is not None:
                commander.aim_at(reach.cells[-1])
                commander.plan
                commander.act_on(reach.cells[-1])
    autopilot = ai.Autopilot(board)
    autopilot.assign(board.units[0], "patrol")
    autopilot.advance(0.2)
here = [name for name, thread in found if thread == threading.current_thread().name]
print(early, here, sorted(given) == sorted(unit.name for unit in board.units))
"""


@pytest.mark.parametrize(
    "compiler", ["never ready", pytest.param("cold", marks=pytest.mark.nightly)]
)
def test_a_start_compiles_nothing_before_the_first_picture_and_in_its_own_thread(
    tmp_path, compiler
):
    env = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = run_python("-W", "error", "-c", SCENE, compiler, env=env)
    assert (done.returncode, done.stdout) == (0, "[] [] True\n"), done.stderr


PATHS = """
import copy
import sys

import ai
from ai.navigation.resumable_search import ALGORITHMS
from ai.game.autopilot import BEHAVIORS
from ai.game.unit_loader import UnitLoader
from terrain3d import TileMap, landscape
from tests.support.first_calls import first_calls

ground, uphill = sys.argv[1], float(sys.argv[2])
tilemap = landscape(20, 20, 7) if ground == "landscape" else TileMap.from_noise(20, 20, 7)
profile = ai.MoveProfile(climb_cost=uphill)
board = ai.Board(tilemap)
UnitLoader(board, profile)
ai.warm_up(copy.copy(tilemap), [unit.profile for unit in board.units])
with first_calls() as late:
    commander, autopilot = ai.Commander(board), ai.Autopilot(board)
    for unit in board.units:
        commander.select(unit)
        reach = commander.reach
        for cell in ((0, 0), (19, 19), reach.cells[-1]):
            commander.aim_at(cell)
            commander.plan
        commander.act_on(reach.cells[-1])
        unit.advance(60)
        for algorithm in ALGORITHMS:
            show = ai.SearchComparison(
                lambda *rest, unit=unit, **more: board.begin_search(unit, (9, 9), *rest, **more),
                ai.SearchOptions(unit.profile, algorithm),
            )
            show.replays()
    with tilemap.edit() as edit:
        edit.set_level((5, 5), 3)
    commander.undo()
    commander.redo()
    for behavior in BEHAVIORS:
        for unit in board.units:
            autopilot.assign(unit, behavior)
        for _ in range(30):
            autopilot.advance(0.2)
            for unit in board.units:
                unit.advance(0.2)
    for unit in board.units:
        autopilot.assign(unit, "")
        unit.advance(60)
print(sorted(set(late)))
"""


@pytest.mark.parametrize(("ground", "uphill"), [("landscape", "1"), ("noise", "0.5")])
def test_a_running_scene_compiles_nothing(ground, uphill):
    done = run_python("-c", PATHS, ground, uphill)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
