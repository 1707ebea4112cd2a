"""Areas of effect: the surfaces that an attack hits around its aim, or from the attacker to it."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell, TileMap, make_grid
from terrain3d.core.checks import instance_of, number_within, one_of, true_or_false, whole_within
from terrain3d.grid.grid import CellLike, Grid

MAX_TILES = 64
"""The longest range of a weapon, gains by height included, and the largest area."""

_SIZES = {"diamond": "radius", "square": "radius", "line": "length", "cone": "length"}
"""For each shape the name of its size."""


@dataclass(frozen=True)
class Area:
    """The surfaces that an attack hits, as data.

    A diamond and a square lie around the aim. A line and a cone begin beside the attacker, lead
    towards the aim and may go beyond it or end before it.

    Parameters
    ----------
    shape : str
        "diamond": all tiles at most `radius` steps away, as counted on open, level ground. On
        hexagons that is a hexagon. "square": at most `radius` rows and columns away; on square
        tiles only. "line": at each of 1 to `length` steps the tile that lies nearest to the
        straight line; of two equally near the one on the right. "cone": the tiles 1 to `length`
        steps away in directions at most 45 degrees off that of the aim, 30 on hexagons.
    radius : int, in steps
        Of a diamond or square, 0..MAX_TILES.
    length : int, in steps
        Of a line or cone, 1..MAX_TILES.
    up, down : number, in levels
        How much higher or lower surfaces are hit, >= 0: than the aim, for lines and cones than the
        attacker.
    stops_at_walls : bool
        Whether it spreads from the aim, or from the attacker, over edges between its tiles that
        have no wall, and hits only the tiles that it comes to.

    Raises
    ------
    TypeError, ValueError
        A value has another type or is out of its limits, or the size has the other name.
    """

    shape: str
    radius: int | None = None
    length: int | None = None
    up: float = math.inf
    down: float = math.inf
    stops_at_walls: bool = False

    def __post_init__(self) -> None:
        """Check the fields."""
        name = _SIZES[one_of("shape", self.shape, tuple(_SIZES))]
        other = "radius" if name == "length" else "length"
        if getattr(self, name) is None or getattr(self, other) is not None:
            raise ValueError(f"a {self.shape} has a {name} in steps, and no {other}: {name}=2")
        whole_within(name, getattr(self, name), int(name == "length"), MAX_TILES)
        for limit in ("up", "down"):
            number_within(limit, getattr(self, limit), 0)
        true_or_false("stops_at_walls", self.stops_at_walls)

    def cells(
        self, tilemap: TileMap, aim: CellLike, start: CellLike | None = None
    ) -> tuple[Cell, ...]:
        """Return the surfaces that are hit, in reading order, deck by deck.

        Parameters
        ----------
        tilemap : TileMap
        aim : cell
        start : cell, optional
            That of the attacker, which a line or cone needs; at most MAX_TILES steps from the aim.

        Raises
        ------
        IndexError, TypeError, ValueError
            A cell is outside the map or is not a cell; a line or cone has no direction; a square on
            hexagons.

        Examples
        --------
        >>> tilemap = TileMap.from_text("00000")
        >>> [cell.col for cell in Area("line", length=3).cells(tilemap, (0, 2), start=(0, 0))]
        [1, 2, 3]
        """
        grid = instance_of("tilemap", tilemap, TileMap).grid
        if self.shape == "square" and tilemap.topology != "square":
            raise ValueError(f'a square needs square tiles, not {tilemap.topology}: use "diamond"')
        origin, away = tilemap.cell(aim), (0, 0)
        if self.length is not None:
            row, col, _ = origin
            origin = origin if start is None else tilemap.cell(start)
            away = row - origin.row, col - origin.col
            if not 0 < grid.distance(origin[:2], (row, col)) <= MAX_TILES:
                raise ValueError(
                    f"a {self.shape} needs start, the attacker's cell, 1..{MAX_TILES} steps from "
                    f"the aim, got {start} for {aim}"
                )
        cell_class = grid.directions.index(grid.steps_from(origin.row, origin.col))
        size = self.length or self.radius or 0
        offsets = _offsets(self.shape, size, tilemap.topology, cell_class, away)
        row, col = offsets.T + np.array([[origin.row], [origin.col]])
        inside = (row >= 0) & (row < tilemap.rows) & (col >= 0) & (col < tilemap.cols)
        row, col = row[inside], col[inside]
        rise = tilemap.surface_level[:, row, col].astype(np.int64) - tilemap.level_at(origin)
        is_hit = ~tilemap.surface_void[:, row, col] & (rise <= self.up) & (rise >= -self.down)
        deck, number = np.nonzero(is_hit)
        hit = map(Cell, row[number].tolist(), col[number].tolist(), deck.tolist())
        if not self.stops_at_walls:
            return tuple(hit)
        found = spread(tilemap, origin, {*zip(row.tolist(), col.tolist(), strict=True)})
        return tuple(cell for cell in hit if cell in found)


def spread(
    tilemap: TileMap, origin: Cell, columns: Collection[tuple[int, int]], *, goes_on: bool = False
) -> set[Cell]:
    """Return the surfaces, also void ground, to which no wall keeps an area from spreading.

    A shot `goes_on`: each step leads farther from the origin.
    """
    distance = tilemap.grid.distance
    found, frontier, bits = {origin}, [origin], tilemap.wall_bits
    while frontier:
        row, col, deck = frontier.pop()
        for direction, (down, right) in enumerate(tilemap.grid.steps_from(row, col)):
            column = row + down, col + right
            if column not in columns or (
                goes_on and distance(origin[:2], column) <= distance(origin[:2], (row, col))
            ):
                continue
            for end in (Cell(*column, to) for to in {0, *tilemap.decks_at(column)}):
                if end not in found and not bits[end.deck, deck, row, col] >> direction & 1:
                    found.add(end)
                    frontier.append(end)
    return found


def tiles_around(
    topology: str, cell_class: int, far: int
) -> tuple[Grid, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return a grid of `far` rows and columns on each side of a cell of a class, and its tiles.

    Their (n, 2) rows down and columns to the right of that cell, (n, 2) offsets in the coordinates
    of `Grid.plane`, and (n,) steps on open, level ground; in reading order.
    """
    center = np.argwhere(make_grid(topology, 2, 2).cell_class() == cell_class)[0] + far + far % 2
    grid = make_grid(topology, *(center + far + 1).tolist())
    plane = grid.plane().astype(np.int64)
    away = (plane - plane[tuple(center)]).reshape(-1, 2)
    return grid, np.argwhere(np.ones(plane.shape[:2])) - center, away, grid.lengths(away)


@lru_cache(4096)
def _offsets(
    shape: str, size: int, topology: str, cell_class: int, aim: tuple[int, int]
) -> NDArray[np.int64]:
    """(n, 2) rows down and columns to the right from the origin of an area to its tiles.

    `aim` is such an offset, from the attacker to the aim of a line or cone.
    """
    grid, offset, away, steps = tiles_around(topology, cell_class, max(size, *map(abs, aim)))
    if shape == "square":
        steps = np.abs(away).max(axis=1)
    if shape in {"square", "diamond"}:
        return offset[steps <= size]
    to_aim = np.flatnonzero((offset == aim).all(axis=1))
    ahead, steps_to_aim = away[to_aim], steps[to_aim]
    is_lattice = grid.norm == "lattice"

    def dot(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,) twice the scalar products of offsets as they lie in the world."""
        both: NDArray[np.int64] = 2 * (a * b).sum(axis=1)
        return both if is_lattice else both + (a * b[:, ::-1]).sum(axis=1)

    is_near = (steps >= 1) & (steps <= size)
    if shape == "cone":
        along, squares = dot(away, ahead), dot(away, away) * dot(ahead, ahead)
        part, whole = (1, 2) if is_lattice else (3, 4)  # of the square of the cosine
        return offset[is_near & (along > 0) & (whole * along * along >= part * squares)]
    beside = steps_to_aim * away - steps[:, None] * ahead
    left = away[:, 1] * ahead[:, 0] - away[:, 0] * ahead[:, 1]  # of the straight line, if > 0
    order = np.lexsort((left if is_lattice else -left, dot(beside, beside), steps))
    first: NDArray[np.int64] = order[np.unique(steps[order], return_index=True)[1]]
    return offset[np.sort(first[is_near[first]])]
