"""Reads a map and a scenario of the MovingAI benchmarks."""

import math
from pathlib import Path

import numpy as np

from ai import MoveProfile, Navigation
from terrain3d import TileKind, TileMap

KINDS = [
    TileKind("grass"),
    TileKind("swamp", texture="mud", props="reeds"),
    TileKind("water", cost=None, depth=1, texture="water"),
    TileKind("tree", cost=None, texture="grass", props="trees"),
]
KIND_OF = {".": 0, "G": 0, "S": 1, "W": 2, "T": 3, "@": 4, "O": 4}  # 4 is void, which each map has


def read_map(path: Path) -> TileMap:
    rows = path.read_text().partition("map\n")[2].split()
    kind = np.array([[KIND_OF[sign] for sign in row] for row in rows])
    return TileMap(np.zeros_like(kind), kind, KINDS)


def read_scenario(path: Path) -> list[tuple[tuple[int, int], tuple[int, int], float]]:
    queries = []
    for line in path.read_text().splitlines()[1:]:
        *_, x, y, goal_x, goal_y, length = line.split()
        queries.append(((int(y), int(x)), (int(goal_y), int(goal_x)), float(length)))
    return queries


Path("keep.map").write_text("type octile\nheight 3\nwidth 4\nmap\n.@..\n....\nT.@.\n")
Path("keep.map.scen").write_text("version 1\n0\tkeep.map\t4\t3\t0\t0\t2\t0\t4\n")

navigation = Navigation(read_map(Path("keep.map")))
profile = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2))
for start, goal, length in read_scenario(Path("keep.map.scen")):
    cost = navigation.find_path(start, goal, profile).cost
    print(start, goal, cost, "is right" if abs(cost - length) < 0.01 else f"is not {length}")
