"""A map as plain Python reads it: surfaces, ceilings, walls, and which columns lie beside which.

A surface is (row, col, deck), a column (row, col), a direction one of `directions`. Nothing is
shared with the package but the arrays and tuples that a map shows of itself.
"""

import functools
import itertools
import math

import numpy as np

SQUARE_WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
HEX_WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # in (q, r)


def columns(tilemap):
    return list(itertools.product(range(tilemap.rows), range(tilemap.cols)))


def is_inside(tilemap, column):
    return 0 <= column[0] < tilemap.rows and 0 <= column[1] < tilemap.cols


def exists(tilemap, cell):
    return not tilemap.surface_void[cell[2], cell[0], cell[1]]


def level(tilemap, cell):
    return int(tilemap.surface_level[cell[2], cell[0], cell[1]])


def kind(tilemap, cell):
    return tilemap.kinds[int(tilemap.surface_kind[cell[2], cell[0], cell[1]])]


def surfaces(tilemap, column):
    every = [(*column, deck) for deck in range(len(tilemap.surface_level))]
    return [cell for cell in every if exists(tilemap, cell)]


def all_surfaces(tilemap):
    found = np.argwhere(~tilemap.surface_void).tolist()
    return sorted((row, col, deck) for deck, row, col in found)


def underside(tilemap, cell):
    return level(tilemap, cell) - int(tilemap.surface_thickness[cell[2], cell[0], cell[1]])


def ceiling(tilemap, cell):
    """Return the level at which the air above a surface ends."""
    others = surfaces(tilemap, cell[:2])
    above = [other for other in others if level(tilemap, other) > level(tilemap, cell)]
    return min((underside(tilemap, other) for other in above), default=math.inf)


def directions(tilemap):
    return SQUARE_WAYS if tilemap.topology == "square" else HEX_WAYS


def axial(topology, cell):
    """Give a hexagon's (q, r), by the layouts' definitions, one by one."""
    row, col = cell
    if topology == "hex_odd_r":
        return col - (row - row % 2) // 2, row
    if topology == "hex_even_r":
        return col - (row + row % 2) // 2, row
    if topology == "hex_odd_q":
        return col, row - (col - col % 2) // 2
    return col, row - (col + col % 2) // 2


def column_ahead(tilemap, column, direction):
    """Return the column one straight step ahead; None beyond the map."""
    if tilemap.topology == "square":
        ahead = (column[0] + direction[0], column[1] + direction[1])
        return ahead if is_inside(tilemap, ahead) else None
    q, r = axial(tilemap.topology, column)
    ahead = (q + direction[0], r + direction[1])
    return _by_axial(tilemap.topology, tilemap.rows, tilemap.cols).get(ahead)


@functools.lru_cache
def _by_axial(topology, rows, cols):
    cells = itertools.product(range(rows), range(cols))
    return {axial(topology, cell): cell for cell in cells}


def distance(tilemap, column, other):
    """Count the steps across edges from column to column, were all of it flat and open."""
    if tilemap.topology == "square":
        return abs(column[0] - other[0]) + abs(column[1] - other[1])
    (q, r), (end_q, end_r) = axial(tilemap.topology, column), axial(tilemap.topology, other)
    return max(abs(end_q - q), abs(end_r - r), abs(end_q + end_r - q - r))


def is_walled(tilemap, cell, other):
    return any(
        (cell, other) in [(wall.start, wall.end), (wall.end, wall.start)][: 2 - wall.one_way]
        for wall in tilemap.walls
    )


class PlainMap:
    """Surfaces, links and walls of a map as plain values; void ground is a surface of that kind."""

    def __init__(self, tilemap):
        ground = [(*column, 0) for column in columns(tilemap)]
        self.surfaces = {
            cell: (
                level(tilemap, cell),
                kind(tilemap, cell).name,
                level(tilemap, cell) - underside(tilemap, cell),
            )
            for cell in {*ground, *all_surfaces(tilemap)}
        }
        self.links = {(it.start, it.end, it.cost, it.kind, it.one_way) for it in tilemap.links}
        self.walls = {(one.start, one.end, one.one_way) for one in tilemap.walls}

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None

    def __repr__(self):
        return f"{sorted(self.surfaces.items())}, {sorted(self.links)}, {sorted(self.walls)}"

    def carry_out(self, orders):
        for name, *arguments in orders:
            getattr(self, f"_{name}")(*arguments)

    def _set_level(self, cell, height):
        _, name, thickness = self.surfaces[cell]
        self.surfaces[cell] = height, name, thickness

    def _set_kind(self, cell, name):
        height, _, thickness = self.surfaces[cell]
        self.surfaces[cell] = height, name, thickness
        if name == "void":
            self._drop_links(cell)

    def _drop_links(self, cell):
        self.links = {link for link in self.links if cell not in link[:2]}

    def _add_deck(self, column, height, name):
        numbers = itertools.count(1)
        deck = next(each for each in numbers if (*column, each) not in self.surfaces)
        self.surfaces[*column, deck] = height, name, 1

    def _remove_deck(self, column, deck):
        cell = (*column, deck)
        del self.surfaces[cell]
        self._drop_links(cell)
        self.walls = {wall for wall in self.walls if cell not in wall[:2]}

    def _add_link(self, start, end, cost, name, one_way):
        self.links.add((start, end, cost, name, one_way))

    def _remove_link(self, start, end):
        self.links = {link for link in self.links if link[:2] != (start, end)}

    def _add_wall(self, start, end, one_way):
        self.walls.add((start, end, one_way))

    def _remove_wall(self, start, end):
        self.walls = {wall for wall in self.walls if wall[:2] != (start, end)}
