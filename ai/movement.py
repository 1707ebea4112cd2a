"""Who may step where, and at what price: the one owner of the step rule.

A step from u to a neighbor v rises by r = level(v) - level(u). It is legal if -max_drop <= r <=
max_climb, both are ground, and v's kind can be entered. It costs entry(v), on a diagonal times
diagonal_cost, plus climb_cost * max(0, r) + drop_cost * max(0, -r). A diagonal step may also need
the two-step detours around its corner, whose steps follow the same rule.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.profile import DIAGONAL_MODES, MoveProfile
from ai.search import Estimate
from ai.search.compiled import Array, Number, compiled
from ai.search.graph import (
    BROKEN_STEP,
    BROKEN_STEP_FLOAT,
    MAX_WHOLE_COST,
    NO_STEP,
    NO_STEP_FLOAT,
)
from terrain3d import Cell, Rect, TileMap

HEURISTICS = ("auto", "manhattan", "octile", "chebyshev", "euclidean", "zero")
"""Estimates by name; see `estimate_of`."""

_NOWHERE = np.zeros((0, 0), dtype=np.bool_)
_DETOURS_NEEDED = dict(zip(DIAGONAL_MODES, (0, 0, 1, 2), strict=True))
_MAX_WHOLE_SUM = 2**30  # whole costs so far are kept in 32 bits, and start costs come on top


@compiled
def _price(
    rise: Number,
    entry: Number,
    rise_cost: Array,
    max_drop: Number,
) -> Number:
    """Price a step by its rise and what its end costs to enter; infinity: not legal."""
    place = rise + max_drop
    if place < 0 or place >= len(rise_cost):
        return np.inf
    return entry + rise_cost[place]


@compiled
def _ways_around(
    level: Array,
    kind: Array,
    kind_entry: Array,
    blocked: Array,
    rise_cost: Array,
    max_drop: Number,
    row: Number,
    col: Number,
    end_row: Number,
    end_col: Number,
) -> Number:
    """Count the legal two-step detours of a diagonal step: along the column first, or the row."""
    ways = 0
    end_entry = kind_entry[kind[end_row, end_col]]
    for side_row, side_col in ((end_row, col), (row, end_col)):
        if len(blocked) > 0 and blocked[side_row, side_col]:
            continue
        side = np.int64(level[side_row, side_col])
        rise_in = side - np.int64(level[row, col])
        rise_out = np.int64(level[end_row, end_col]) - side
        side_entry = kind_entry[kind[side_row, side_col]]
        if (
            _price(rise_in, side_entry, rise_cost, max_drop) < np.inf
            and _price(rise_out, end_entry, rise_cost, max_drop) < np.inf
        ):
            ways += 1
    return ways


@compiled
def _bake(
    level: Array,
    kind: Array,
    is_void: Array,
    kind_entry: Array,
    blocked: Array,
    rise_cost: Array,
    max_drop: Number,
    moves: Array,
    cell_class: Array,
    n_straight: Number,
    factor: Number,
    corner_mode: Number,
    top: Number,
    left: Number,
    bottom: Number,
    right: Number,
    step_cost: Array,
    broken: Number,
    none: Number,
) -> None:
    rows, cols = level.shape
    n_slots = moves.shape[1]
    for row in range(top, bottom):
        for col in range(left, right):
            kind_of_cell = np.int64(cell_class[row, col]) if moves.shape[0] > 1 else np.int64(0)
            is_ground = not is_void[row, col]
            for slot in range(n_slots):
                move = moves[kind_of_cell, slot]
                there_row, there_col = row + move[0], col + move[1]
                if not (0 <= there_row < rows and 0 <= there_col < cols):
                    step_cost[row, col, slot] = none
                    continue
                entry = kind_entry[kind[there_row, there_col]]
                if slot >= n_straight:
                    entry *= factor
                rise = np.int64(level[there_row, there_col]) - np.int64(level[row, col])
                price = _price(rise, entry, rise_cost, max_drop)
                if not is_ground or not price < np.inf:
                    step_cost[row, col, slot] = broken
                    continue
                if slot >= n_straight and corner_mode > 0:
                    ways = _ways_around(
                        level,
                        kind,
                        kind_entry,
                        blocked,
                        rise_cost,
                        max_drop,
                        row,
                        col,
                        there_row,
                        there_col,
                    )
                    if ways < corner_mode:
                        step_cost[row, col, slot] = broken
                        continue
                step_cost[row, col, slot] = price


@dataclass(frozen=True)
class StepRule:
    """A profile's rule on one map's grid and kinds, as the numbers that `bake` works with.

    Parameters
    ----------
    profile : MoveProfile
    kind_entry : (n_kinds,) float64
        What entering each kind costs; infinity: it cannot be entered.
    rise_cost : (max_drop + max_climb + 1,) float64
        Surcharge of each legal rise.
    moves : (n_classes, n_slots, 2) int64
        (row, col) steps of each slot, straight ones first.
    n_straight : int
        How many slots lead across an edge; the others lead across a corner.
    cell_class : (rows, cols) uint8
        Which class of `moves` a cell has.
    """

    profile: MoveProfile
    kind_entry: NDArray[np.float64]
    rise_cost: NDArray[np.float64]
    moves: NDArray[np.int64]
    n_straight: int
    cell_class: NDArray[np.uint8]

    @classmethod
    def of(cls, tilemap: TileMap, profile: MoveProfile) -> "StepRule":
        """Work out the rule of a profile on a map."""
        grid = tilemap.grid
        diagonals = grid.diagonals if profile.diagonal != "never" else ()
        moves = np.array([[*straight, *diagonals] for straight in grid.directions])
        return cls(
            profile,
            profile.entry_cost(tilemap),
            profile.rise_cost(),
            moves,
            len(grid.directions[0]),
            grid.cell_class(),
        )

    @property
    def cheapest_entry(self) -> float:
        """The least that entering any kind costs; 0 if nothing can be entered."""
        legal = self.kind_entry[np.isfinite(self.kind_entry)]
        return float(legal.min()) if len(legal) else 0.0

    @property
    def least_step(self) -> float:
        """The least that a step costs if it costs anything; 1 if none does."""
        entry = self.kind_entry[np.isfinite(self.kind_entry)]
        if self.moves.shape[1] > self.n_straight:
            entry = np.concatenate([entry, entry * self.profile.diagonal_cost])
        steps = entry if (entry > 0).all() else np.concatenate([entry, self.rise_cost])
        return float(steps[steps > 0].min(initial=np.inf)) if (steps > 0).any() else 1.0

    @property
    def has_corners(self) -> bool:
        """Whether diagonal steps depend on the cells beside them."""
        return self.moves.shape[1] > self.n_straight and _DETOURS_NEEDED[self.profile.diagonal] > 0

    def is_whole(self, n_cells: int) -> bool:
        """Tell whether all costs are whole and small enough for the quickest search."""
        entry = self.kind_entry[np.isfinite(self.kind_entry)]
        factor = self.profile.diagonal_cost if self.moves.shape[1] > self.n_straight else 1
        costs = np.concatenate([entry, entry * factor, self.rise_cost])
        dearest = float(entry.max(initial=0)) * max(1, factor) + float(self.rise_cost.max())
        return (
            bool(np.all(costs == np.floor(costs)))
            and dearest <= MAX_WHOLE_COST
            and dearest * n_cells <= _MAX_WHOLE_SUM
        )

    def table(self, rows: int, cols: int) -> NDArray[Any]:
        """Make an empty (rows, cols, n_slots) table for `bake`, uint8 or float64."""
        dtype = np.uint8 if self.is_whole(rows * cols) else np.float64
        return np.empty((rows, cols, self.moves.shape[1]), dtype=dtype)

    def bake(
        self,
        tilemap: TileMap,
        rect: Rect,
        table: NDArray[Any],
        blocked: NDArray[np.bool_] = _NOWHERE,
    ) -> None:
        """Price every step that starts in `rect`.

        Parameters
        ----------
        table : (rows, cols, n_slots)
            The whole map's steps by the start's row and column; see `search.Graph`. Only `rect`
            is written.
        blocked : (rows, cols) bool, optional
            Cells that no detour around a corner may use.
        """
        is_whole = table.dtype == np.uint8
        _bake(
            tilemap.level,
            tilemap.kind,
            tilemap.void,
            self.kind_entry,
            blocked,
            self.rise_cost,
            self.profile.max_drop,
            self.moves,
            self.cell_class,
            self.n_straight,
            float(self.profile.diagonal_cost),
            _DETOURS_NEEDED[self.profile.diagonal],
            rect.row,
            rect.col,
            rect.row + rect.rows,
            rect.col + rect.cols,
            table,
            BROKEN_STEP if is_whole else BROKEN_STEP_FLOAT,
            NO_STEP if is_whole else NO_STEP_FLOAT,
        )


def fault(tilemap: TileMap, profile: MoveProfile, start: Cell, end: Cell) -> str:
    """Say why the step between two neighbors is not legal; "" if it is."""
    if tilemap.is_void(start):
        return f"({start.row}, {start.col}) is void"
    why = entry_fault(tilemap, profile, end)
    if why:
        return why
    rise = tilemap.level_at(end) - tilemap.level_at(start)
    if rise > profile.max_climb:
        return f"climb {rise} > {profile.max_climb} at ({end.row}, {end.col})"
    if -rise > profile.max_drop:
        return f"drop {-rise} > {profile.max_drop} at ({end.row}, {end.col})"
    return _corner_fault(tilemap, profile, start, end)


def _corner_fault(tilemap: TileMap, profile: MoveProfile, start: Cell, end: Cell) -> str:
    """Say why a step across a corner is not legal though its rise is; "" if it is."""
    if end in tilemap.grid.neighbors(start):
        return ""
    needed = _DETOURS_NEEDED[profile.diagonal]
    corners = (Cell(end.row, start.col), Cell(start.row, end.col))
    faults = [
        fault(tilemap, profile, start, corner) or fault(tilemap, profile, corner, end)
        for corner in corners
    ]
    if sum(not why for why in faults) >= needed:
        return ""
    return f"no way around the corner: {next(why for why in faults if why)}"


def entry_fault(tilemap: TileMap, profile: MoveProfile, cell: Cell) -> str:
    """Say why nobody with this profile can enter a cell, from wherever; "" if one can."""
    if tilemap.is_void(cell):
        return f"({cell.row}, {cell.col}) is void"
    kind = tilemap.kind_at(cell)
    if profile.kind_cost.get(kind.name, kind.cost) is None:
        return f"{kind.name} at ({cell.row}, {cell.col}) cannot be entered"
    return ""


def estimate_of(rule: StepRule, norm: str, name: str = "auto") -> Estimate:
    """Make the estimate of that name, if it never exceeds the true cost.

    Parameters
    ----------
    rule : StepRule
    norm : str
        How the grid measures distance: "lattice" or "hex".
    name : str
        "auto" is the tightest: the steps left at the cheapest entry, plus the net climb or drop.
        "manhattan", "octile", "chebyshev" and "euclidean" are distances on square tiles at the
        cheapest entry, "zero" is no estimate.

    Raises
    ------
    ValueError
        There is no such name, or it could exceed the true cost for this profile.
    """
    if name not in HEURISTICS:
        raise ValueError(f"heuristic must be one of {HEURISTICS}, got {name!r}")
    profile, entry = rule.profile, rule.cheapest_entry
    has_diagonals = rule.moves.shape[1] > rule.n_straight
    across = entry * profile.diagonal_cost if has_diagonals else 2 * entry
    if name == "zero":
        return Estimate()
    if name == "auto":
        axis = min(entry, across)
        climb, drop = profile.climb_cost, profile.drop_cost
        return Estimate(norm, axis, min(across, 2 * axis), climb, drop)
    if norm == "hex":
        raise ValueError(f"heuristic {name!r} is for square tiles; on hexagons use 'auto'")
    least = {"manhattan": 2.0, "octile": math.sqrt(2), "chebyshev": 1.0, "euclidean": math.sqrt(2)}
    if has_diagonals and profile.diagonal_cost < least[name]:
        raise ValueError(
            f"heuristic {name!r} could exceed the true cost: it takes a diagonal step for at "
            f"least {least[name]:.4g} straight ones, diagonal_cost is {profile.diagonal_cost}"
        )
    if name == "euclidean":
        return Estimate("straight", entry)
    return Estimate(norm, entry, entry * least[name])
