"""Explores a map that has to be seen first."""

import math

import numpy as np

from ai import Board, Explore, Navigation, Situation, Unit
from terrain3d import TileKind, TileMap

board = Board(
    TileMap.from_text("""
    000000900000
    012100900330
    012210900330
    001110000000
    000000900033
    000000900034
    """)
)
mira, truth = board.add(Unit("Mira", (0, 0))), board.tilemap
kinds, shape = [*truth.kinds, TileKind("unknown")], (truth.rows, truth.cols)
seen = TileMap(np.zeros(shape, int), np.full(shape, len(kinds) - 1), kinds)


def is_unknown(cell):
    return seen.kind_at(cell).name == "unknown"


def look():
    """Copy what is in sight. Unknown ground goes on at the level of the ground before it."""
    here = mira.cell
    near = [
        cell
        for cell in np.ndindex(shape)
        if is_unknown(cell) and truth.grid.distance(here[:2], cell) <= 4
        if board.navigation.line_of_sight(here, cell)
    ]
    with seen.edit("look") as edit:
        for cell in near:
            edit.set_level(cell, truth.level_at(cell))
            edit.set_kind(cell, truth.kind_at(cell).name)
    with seen.edit("guess") as edit:
        for cell in near:
            for beside in filter(is_unknown, truth.grid.neighbors(cell)):
                edit.set_level(beside, truth.level_at(cell))


nav, explore = Navigation(seen), Explore()
look()
while cell := explore.next_cell(Situation(nav, mira.cell, mira.profile)):
    board.move(mira, cell)  # a legal step: its end has been seen
    look()
assert explore.visited == {*board.navigation.reach((0, 0), math.inf)}
