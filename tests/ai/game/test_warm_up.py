"""A running scene never stops to compile something."""

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

SCENE = """
import copy
import sys

from numba.core import event

import ai
from ai.navigation.resumable_search import ALGORITHMS
from ai.game.autopilot import BEHAVIORS
from ai.game.unit_loader import UnitLoader
from terrain3d import TileMap, landscape

ground, uphill = sys.argv[1], float(sys.argv[2])
tilemap = landscape(20, 20, 7) if ground == "landscape" else TileMap.from_noise(20, 20, 7)
profile = ai.MoveProfile(climb_cost=uphill)
board = ai.Board(tilemap)
UnitLoader(board, profile)
ai.warm_up(copy.copy(tilemap), [unit.profile for unit in board.units])
ai.warm_up_squads()
late = []


class Listener(event.Listener):
    def on_start(self, event):
        late.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass


with event.install_listener("numba:compile", Listener()):
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
    commander.select_all(board.units)
    row, col, _ = commander.selected.cell
    commander.act_on((row - 1 if row else 1, col))
print(sorted(set(late)))
"""


@pytest.mark.parametrize(("ground", "uphill"), [("landscape", "1"), ("noise", "0.5")])
def test_a_running_scene_compiles_nothing(tmp_path, ground, uphill):
    done = subprocess.run(
        [sys.executable, "-c", SCENE, ground, uphill],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
