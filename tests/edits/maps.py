"""Random maps of middle size, movers, and edits of them, from a plain random generator."""

import math
import random

from ai import MoveProfile
from terrain3d import TOPOLOGIES, TileMap
from tests.support.mixed_maps import applied
from tests.support.plain_map import all_surfaces
from tests.support.strategies import KINDS, NAMES, ROAD, beside

PROFILES = (
    MoveProfile(),
    MoveProfile.classic(uphill=2),
    MoveProfile(max_climb=1, max_drop=2, climb_cost=0.7),
    MoveProfile(climb_cost=(1, 4), drop_cost=2, kind_cost={"#liquid": 2}),
    MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2)),
    MoveProfile(diagonal="always", diagonal_cost=1),
    MoveProfile(diagonal="at_least_one_walkable", diagonal_cost=1.5, body_height=2),
    MoveProfile(link_cost={"ladder": None}),
    MoveProfile(can_fly=True, body_height=2),
    MoveProfile(warp=2),
    MoveProfile(size=2, size_tolerance=1),
    MoveProfile(size=2, can_fly=True),
    MoveProfile(kind_cost={"ice": 0.5, "swamp": 9}, no_stop={"swamp"}),
)


def random_map(rng: random.Random, side: int) -> TileMap:
    """Draw a map of about so many rows and columns, with decks, links and walls."""
    rows, cols = rng.randint(side * 2 // 3, side), side
    table = rng.choice([KINDS, (*KINDS, ROAD)])
    topology = rng.choice(["square", "square", "square", *TOPOLOGIES])
    noise = TileMap.from_noise(rows, cols, rng.randrange(10**6), rng.randint(1, 6))
    kinds = [[random_kind(rng, len(table)) for _ in range(cols)] for _ in range(rows)]
    tilemap = TileMap(noise.level, kinds, table, topology=topology)
    for _ in range(rng.choice([0, 4, 4])):
        applied(tilemap, [operation(rng, tilemap, "add_deck") for _ in range(side // 4)])
    surfaces = all_surfaces(tilemap)
    for _ in range(rng.choice([0, 3, side])):
        for name in ("add_link", "add_wall", "add_wall"):
            applied(tilemap, [operation(rng, tilemap, name, surfaces)])
    return tilemap


def random_kind(rng: random.Random, n_kinds: int) -> int:
    return 0 if rng.random() < 0.7 else rng.randint(0, n_kinds)  # the last is void


def operation(rng: random.Random, tilemap: TileMap, name: str, surfaces: list | None = None):
    """Draw an operation of an edit as (its name, arguments); the map may refuse it."""
    column = rng.randrange(tilemap.rows), rng.randrange(tilemap.cols)
    here = rng.choice(surfaces) if surfaces else (*column, 0)
    level = int(tilemap.level[here[:2]])
    if name == "set_level":
        return name, here, max(0, level + rng.choice([-2, -1, 1, 2]))
    if name == "set_kind":
        return name, here, rng.choice([*NAMES, "void", "grass", "grass"])
    if name == "add_deck":
        return name, column, int(tilemap.level[column]) + rng.randint(1, 5), rng.choice(NAMES)
    if name == "add_wall":
        return name, here, rng.choice(beside(tilemap, here) or [here]), rng.random() < 0.3
    if name == "add_link":
        there = (rng.randrange(tilemap.rows), rng.randrange(tilemap.cols), 0)
        return name, here, there, rng.choice([0.7, 1, 1, 2, 9]), "ladder", rng.random() < 0.3
    if name == "remove_deck":
        decks = [cell for cell in surfaces or all_surfaces(tilemap) if cell[2]]
        *where, deck = rng.choice(decks or [here])
        return name, where, deck
    joints = tilemap.links if name == "remove_link" else tilemap.walls
    joint = rng.choice(joints) if joints else None
    return (name, joint.start, joint.end) if joint else ("set_level", here, level + 1)


OPERATIONS = (
    *["set_level"] * 6,
    *["set_kind"] * 4,
    "add_deck",
    "remove_deck",
    "add_link",
    "remove_link",
    "add_wall",
    "remove_wall",
)


def change(rng: random.Random, tilemap: TileMap) -> str:
    """Edit a map, or undo or redo an edit, and return what was done."""
    kind = rng.random()
    if kind < 0.15 and tilemap.undo():
        return "undo"
    if kind < 0.25 and tilemap.redo():
        return "redo"
    surfaces = all_surfaces(tilemap)
    for _ in range(9):
        names = rng.choices(OPERATIONS, k=rng.choice([1, 1, 2, 4]))
        orders = [operation(rng, tilemap, name, surfaces) for name in names]
        if applied(tilemap, orders):
            return str(orders)
    return "nothing"
