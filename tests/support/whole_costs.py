"""Random maps and movers with whole costs, on which many paths cost the same."""

import contextlib
import itertools

from ai import MoveProfile
from ai.rules.profile import DIAGONAL_MODES
from terrain3d import TileKind, TileMap

KINDS = (TileKind("grass"), TileKind("swamp", cost=3), TileKind("bog", cost=2, can_stop=False))
TOPOLOGIES = ("square", "square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q")


def random_map(rng):
    """Make a map with void, decks, links near and far, and walls, all at random."""
    rows, cols = rng.integers(1, 18, 2).tolist()
    shape, highest = (rows, cols), int(rng.choice([1, 2, 5]))
    kinds = rng.choice(4, shape, p=[0.6, 0.2, 0.1, 0.1])  # the last one is void
    topology = str(rng.choice(TOPOLOGIES))
    tilemap = TileMap(rng.integers(0, highest, shape), kinds, KINDS, topology=topology)
    cells = list(itertools.product(range(rows), range(cols)))
    with tilemap.edit() as edit:
        for cell in cells if rng.random() < 0.5 else []:
            if rng.random() < 0.4 and not tilemap.void[cell]:
                edit.add_deck(cell, tilemap.level_at(cell) + int(rng.integers(3, 6)), "grass", 1)
    for _ in range(int(rng.integers(0, 8))):
        ends = [cells[number] for number in rng.integers(0, len(cells), 2).tolist()]
        with contextlib.suppress(ValueError), tilemap.edit() as edit:
            edit.add_link(*ends, int(rng.integers(1, 6)), one_way=bool(rng.random() < 0.3))
        with contextlib.suppress(ValueError, IndexError), tilemap.edit() as edit:
            near = tilemap.grid.neighbors(ends[0])
            edit.add_wall(ends[0], near[int(rng.integers(len(near)))][:2])
    return tilemap


def random_profile(rng, tilemap):
    """Make a walker, flyer or large mover with whole costs."""
    climb, drop = rng.integers(0, 4, 2).tolist()
    fields = {
        "max_climb": climb,
        "max_drop": drop,
        "climb_cost": int(rng.integers(0, 3)),
        "drop_cost": int(rng.integers(0, 2)),
        "can_fly": bool(rng.random() < 0.2),
    }
    if tilemap.topology == "square" and min(tilemap.rows, tilemap.cols) > 2 and rng.random() < 0.2:
        return MoveProfile(**fields, size=int(rng.integers(2, 4)))
    diagonal = str(rng.choice(DIAGONAL_MODES))
    return MoveProfile(**fields, diagonal=diagonal, diagonal_cost=int(rng.integers(1, 3)))
