"""Compiling, which no frame waits for: the first picture, and orders until then."""

import subprocess
from concurrent.futures import Future

import pytest

import ai
from ai import Commander
from ai.game import background
from ai.game.background import Readiness
from ai.navigation import graph_cache
from terrain3d import SceneTree
from tests.support.boards import one_edit, posted
from tests.support.programs import run_python

DEADLINE_S = 300.0
"""A first start compiles for some seconds; only a hang takes longer than this."""


@pytest.fixture
def commander():
    board, _ = posted("a.b\n..A")
    return Commander(board)


class Compiling:
    def __init__(self):
        self.future, self.maps = Future(), []

    def warm_up(self, tilemap, profiles, *, background):
        assert profiles
        assert background
        self.maps.append(tilemap)
        return self.future


@pytest.fixture
def compiling(monkeypatch):
    compiling = Compiling()
    monkeypatch.setattr(background, "warm_up", compiling.warm_up)
    yield compiling
    compiling.future.cancel()


@pytest.fixture
def opening(commander, compiling):  # noqa: ARG001 - nothing is compiled
    """Return a tree with a `Readiness`, the node, and its signals so far."""
    tree, events = SceneTree(), []
    node = tree.root.add_child(Readiness(commander))
    for name in ("begun", "opened"):
        getattr(node, name).connect(lambda name=name: events.append(name))
    yield tree, node, events
    tree.close()


def test_the_other_process_imports_what_this_one_does(tmp_path, monkeypatch):
    (tmp_path / "ai.py").write_text("raise SystemExit('a module of a game')")
    monkeypatch.chdir(tmp_path)
    run, found = subprocess.run, []

    def run_one(command, **more):
        command[-1] = "import ai; print(ai.__file__)"
        found.append(run(command, stdout=subprocess.PIPE, text=True, **more).stdout.strip())

    monkeypatch.setattr(subprocess, "run", run_one)
    monkeypatch.setattr("ai.game.warm_up.is_compiled", lambda: False)
    ai.warm_up(background=True).result(DEADLINE_S)
    assert found == [ai.__file__]


def finish(tree, node, compiling):
    """Let the compiling end and the thread make the graphs."""
    compiling.future.set_result(None)
    tree.advance(0.1)
    node._making.result(DEADLINE_S)
    tree.advance(0.1)


def test_it_begins_after_the_first_picture_and_opens_once(commander, compiling, opening):
    tree, node, events = opening
    tree.advance(0.1)
    assert (events, compiling.maps) == ([], [])
    shown = [node.progress]
    for _ in range(12):
        tree.advance(0.25)
        shown.append(node.progress)
    assert (events, commander.is_open) == (["begun"], False)
    assert shown[0] == "Getting ready to take orders: 0.0 s so far"
    assert len(set(shown)) > 5
    one_edit(commander.board.tilemap).set_level((0, 1), 3)
    finish(tree, node, compiling)
    for _ in range(3):
        tree.advance(0.1)
        assert events == ["begun", "opened"]
    assert (commander.is_open, node.progress) == (True, "")


def test_a_thread_makes_the_graphs_of_the_map(commander, compiling, opening, monkeypatch):
    tree, node, _ = opening
    with commander.board.tilemap.edit() as edit:
        edit.add_deck((0, 1), 9, "grass")
        edit.add_deck((0, 1), 20, "grass")
        edit.add_link((0, 0), (1, 1), 2.5)
        edit.add_wall((0, 0), (1, 0))
    tree.advance(0.1)
    tree.advance(0.1)
    finish(tree, node, compiling)
    (sample,) = compiling.maps
    assert sample is not commander.board.tilemap
    assert (sample.n_decks, len(sample.links), len(sample.walls)) == (2, 1, 1)
    monkeypatch.setattr(graph_cache, "ProfileGraph", None)  # no more graphs can be made
    for unit in commander.board.units:
        assert commander.board.reach(unit)


SCENE = """
import threading
from concurrent.futures import Future

import ai
from ai.game import background
from ai.game.unit_loader import UnitLoader
from terrain3d import SceneTree, TileMap
from tests.support.programs import first_calls

background.warm_up = lambda *_, **__: Future()  # it never ends
with first_calls() as found:
    board, tree = ai.Board(TileMap.from_noise(20, 20, 7)), SceneTree()
    commander = ai.Commander(board)
    node = tree.root.add_child(background.Readiness(commander))
    UnitLoader(board, ai.MoveProfile())
    for frame in range(30):
        tree.advance(0.03)
        commander.select_next()
        commander.aim_at((frame % 20, 3))
        commander.plan, commander.reach
        commander.act_on((frame % 20, 3))
print(found, node.progress)
"""


def test_the_scene_asks_for_no_search_before_it_is_ready():
    done = run_python("-W", "error", "-c", SCENE)
    answer = "[] Getting ready to take orders: 0.9 s so far\n"
    assert (done.returncode, done.stdout) == (0, answer), done.stderr


PATHS = """
import copy
import sys
from functools import partial

import ai
from ai.navigation.search import ALGORITHMS
from ai.game.unit_loader import UnitLoader
from terrain3d import TileMap, landscape
from terrain3d.program.behaviors import BEHAVIORS, BehaviorKey
from tests.support.programs import first_calls

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
            around = board.situation(unit)
            search = board.navigation.begin_search(
                around.here, (9, 9), unit.profile, algorithm=algorithm, blockers=around.blockers
            )
            search.run()
    with tilemap.edit() as edit:
        edit.set_level((5, 5), 3)
    commander.undo()
    commander.redo()
    key = BehaviorKey(autopilot, board, 0)
    for behavior in BEHAVIORS:
        for unit in board.units:
            key.assign(unit, behavior)
        for _ in range(30):
            autopilot.advance(0.2)
            for unit in board.units:
                unit.advance(0.2)
    for unit in board.units:
        autopilot.assign(unit, None)
        unit.advance(60)
print(sorted(set(late)))
"""


@pytest.mark.parametrize(("ground", "uphill"), [("landscape", "1"), ("noise", "0.5")])
def test_a_running_scene_compiles_nothing(ground, uphill):
    done = run_python("-c", PATHS, ground, uphill)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
