"""Measure what our own code does in a frame of the scene: `python -m tests.benchmarks.frames`.

The scene runs in memory on maps of several sizes, at rest and with everything on that it has;
`--battle` plays in fog on one map, with numbers, threat and thinking enemies. A time is that of the
one thread that does it all, without drawing and without what other programs take meanwhile.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from direct.showbase.ShowBase import ShowBase

from terrain3d.look.settings import Settings
from terrain3d.program.game_scene import GameScene
from terrain3d.view import PandaTree, attach
from terrain3d.view.window import window
from tests.benchmarks import report
from tests.benchmarks.scene import FRAME_S, open_scene

WINDOW = (1280, 720)
SIZES = (32, 64, 128)
BATTLE_SIZE = 64
_SETTLE_FRAMES = 40
_TURN_DEG = 0.5
_ARROWS = ("arrow_right", "arrow_up", "arrow_left", "arrow_down")
_SIDE = 4  # of the square around which the tile aimed at goes, a tile a frame
_LOADS = ("at rest", "everything on")
_TURN_FRAMES = 240  # of the player


def opened(base: ShowBase, size: int, *, has_battle: bool = False) -> tuple[PandaTree, GameScene]:
    """Open the scene on a map of a size, and wait until it takes orders."""
    tree = attach(base)
    scene = open_scene(tree, size, Settings(show_costs=True), has_battle=has_battle)
    while not scene.is_ready:
        base.task_mgr.step()
    return tree, scene


def measured(tree: PandaTree, count: int, act: Callable[[int], None]) -> list[float]:
    """Give what each frame takes, in ms, with what is done before it; some frames settle first."""
    times = []
    for frame in range(_SETTLE_FRAMES + count):
        begin = time.thread_time_ns()
        act(frame)
        tree.advance(FRAME_S)
        times.append((time.thread_time_ns() - begin) / 1e6)
    return times[_SETTLE_FRAMES:]


def turn_and_aim(base: ShowBase, scene: GameScene, frame: int, *, aims: bool = True) -> None:
    camera = scene.camera
    camera.goal = replace(camera.goal, heading_deg=camera.goal.heading_deg + _TURN_DEG)
    if aims:
        base.messenger.send(_ARROWS[frame // _SIDE % 4])


def run_battle(base: ShowBase, count: int) -> list[float]:
    """Give what each frame of a battle takes: of the player's turns and of the enemies'."""
    tree, scene = opened(base, BATTLE_SIZE, has_battle=True)
    base.messenger.send("f8")
    gc.freeze()  # as the program does

    def act(frame: int) -> None:
        is_players = scene.commander.is_players_turn
        turn_and_aim(base, scene, frame, aims=is_players)
        for _ in range(2 * (is_players and frame % _TURN_FRAMES == 0)):
            base.messenger.send("f10")

    return measured(tree, count, act)


def run_loads(base: ShowBase, size: int, count: int) -> list[list[float]]:
    """Give what each frame takes with each load; each has what those before it have."""
    tree, scene = opened(base, size)
    base.messenger.send("tab")
    found = [measured(tree, count, lambda _: None)]
    for unit in scene.board.units:
        scene.behavior_key.assign(unit, "wanders")
    base.messenger.send("tab")
    found.append(measured(tree, count, lambda frame: turn_and_aim(base, scene, frame)))
    tree.close()
    return found


def run(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--battle", action="store_true", help="measure a battle instead")
    options = parser.parse_args(arguments)
    base = window.open_offscreen(*WINDOW)
    if options.battle:
        times = run_battle(base, options.frames)
        middle, most = np.median(times), np.percentile(times, 99.9)
        longest = ", ".join(f"{each:.1f}" for each in sorted(times)[-5:])
        print(f"{middle:.2f} ms a frame (median), {most:.1f} (99.9 %); longest: {longest}")
        return 0
    rows = [[name] for name in _LOADS]
    for size in SIZES:
        for row, times in zip(rows, run_loads(base, size, options.frames), strict=True):
            row.append(f"{np.median(times):.2f} / {np.percentile(times, 95):.2f}")
    print("Machine: " + ", ".join(f"{what} {value}" for what, value in report.machine().items()))
    head = ["ms a frame: median / p95", *(f"{size}x{size}" for size in SIZES)]
    print(report.table(head, rows))
    return 0


if __name__ == "__main__":
    sys.exit(run())
