"""Measure how fast a terrain becomes solid and follows edits: `python -m tests.benchmarks.physics`.

A time is that of the one thread that does it all, without what other programs and Python's garbage
collection take meanwhile.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable

from panda3d.bullet import BulletWorld

from terrain3d import TileMap
from terrain3d.view import Terrain3D, TerrainBody3D, TerrainCollider3D, attach
from terrain3d.view.window import window
from tests.benchmarks import report

SIZE = 256
N_EDITS = 40


def measured(call: Callable[..., object], *values: object) -> float:
    """Return what a call takes, in ms."""
    begin = time.thread_time_ns()
    call(*values)
    return (time.thread_time_ns() - begin) / 1e6


def raise_corner(tilemap: TileMap, number: int) -> None:
    """Raise a tile at a corner of four chunks."""
    cell = 16 * (number % 15 + 1), 16 * (number // 15 + 1)
    with tilemap.edit() as edit:
        edit.set_level(cell, tilemap.level_at(cell) + 1)


def run() -> int:
    """Print a table: what it takes to build each node, and to follow the edit of a tile."""
    tree = attach(window.open_offscreen(320, 200))
    gc.disable()
    rows = []
    for topology in ("square", "hex_odd_r"):
        tilemap = TileMap.from_noise(SIZE, SIZE, seed=7, levels=8, topology=topology)
        terrain = tree.root.add_child(Terrain3D(tilemap))
        for node in (TerrainBody3D(terrain, BulletWorld()), TerrainCollider3D(terrain)):
            built = measured(terrain.add_child, node)
            times = []
            for number in range(N_EDITS):
                raise_corner(tilemap, number)
                times.append(measured(node._process, 0.0))
            spread = f"{statistics.median(times):.1f} / {max(times):.1f}"
            rows.append([f"{type(node).__name__}, {topology}", f"{built:.0f}", spread])
        terrain.queue_free()
        tree.advance(0.0)
    print("Machine: " + ", ".join(f"{what} {value}" for what, value in report.machine().items()))
    head = [f"ms, {SIZE} x {SIZE}", "built", "an edit of a tile: median / slowest"]
    print(report.table(head, rows))
    return 0


if __name__ == "__main__":
    sys.exit(run())
