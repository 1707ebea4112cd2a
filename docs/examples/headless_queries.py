"""Paths, reach and cost fields on a map, as numbers and arrays. Needs no engine and no display."""

import numpy as np

from ai import MoveProfile, Navigation
from terrain3d import TileMap

tilemap = TileMap.from_noise(64, 64, seed=7, levels=8)
nav = Navigation(tilemap)  # follows every edit of the map
light = MoveProfile(max_climb=2, max_drop=3)
heavy = MoveProfile(max_climb=1, max_drop=2, climb_cost=3)

path = nav.find_path((0, 0), (63, 63), light)
print(f"path: {len(path.cells)} cells, cost {path.cost}")
print("first steps:", *path.as_array()[:3].tolist())  # rows of row, col, deck

print("heavy:", nav.find_path((0, 0), (63, 63), heavy).reason or "can go there too")

reach = nav.reach((32, 32), budget=6, profile=light)
mask = reach.as_mask()  # (rows, cols), bool
print("tiles within 6 points:", int(mask.sum()))

field = nav.cost_field([(0, 0), (63, 63)], light)  # the cost from every cell to the nearer goal
print("farthest cell costs", np.max(field.cost[np.isfinite(field.cost)]))
print("next step from (32, 32):", field.next_step((32, 32)))

rng = np.random.default_rng(1)
starts, goals = (rng.integers(0, 64, (1000, 2)).tolist() for _ in range(2))
paths = nav.find_paths(starts, goals, light)  # on all cores
print("paths found:", sum(bool(each) for each in paths), "of", len(paths))

with tilemap.edit("a wall of rock") as edit:
    for col in range(1, 63):
        edit.set_level((31, col), 20)
print("after the edit:", nav.find_path((0, 0), (63, 63), light).cost)
