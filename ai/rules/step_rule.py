"""The step rule of one profile on one map: its moves, the prices of its steps, and other edges.

A slot of a node is a move and the deck it ends on. The class of a node stands for its deck and the
parity of its row or column, so that a slot has the same offset for all nodes of a class. Beside
steps there are the links of a map (ladders, doors, ledges) and a mover's warps.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ai.rules.entry_rules import EntryRule
from ai.rules.footprint import OPEN_SKY, Footprint, Ground
from ai.rules.nodes import Nodes
from ai.rules.profile import DIAGONAL_MODES, MoveProfile
from ai.rules.steps import (
    CANNOT_ENTER,
    LEGAL,
    NO_EDGE,
    NO_END,
    SAME,
    Mover,
    StepTable,
    explained_statuses,
    price_steps,
)
from ai.search.graph import (
    MAX_SMALL_COST,
    MILLION,
    Costs,
    Layout,
    Links,
    in_millionths,
    in_units,
    unit_of,
)
from terrain3d import KINDS, Cell, Rect, TileMap
from terrain3d.core.checks import quoted
from terrain3d.grid.grid import Grid

MAX_WARPS = 2**24
"""The highest number of warp edges on one map."""

DETOURS_NEEDED = dict(zip(DIAGONAL_MODES, (0, 0, 1, 2), strict=True))


@dataclass(frozen=True)
class Moves:
    """The moves of a profile on a grid: over edges, clockwise from north, then over corners."""

    delta: NDArray[np.int64]
    """(n_parities, n_moves, 2) change of row and column."""
    n_straight: int
    """Number of moves across an edge, which are the directions of the grid."""
    n_layers: int
    """The highest number of surfaces in a column."""

    @classmethod
    def of(cls, grid: Grid, profile: MoveProfile, n_layers: int) -> "Moves":
        """Return the moves of a profile."""
        table, n_straight = np.array(grid.directions, dtype=np.int64), len(grid.opposite)
        if profile.diagonal != "never":
            corners = np.array(grid.diagonals, dtype=np.int64).reshape(-1, 2)
            table = np.concatenate([table, np.tile(corners, (len(table), 1, 1))], axis=1)
        return cls(table, n_straight, n_layers)

    @property
    def n_moves(self) -> int:
        """Number of moves."""
        return int(self.delta.shape[1])

    @property
    def count(self) -> int:
        """The number of slots of a node."""
        return self.n_layers * self.n_moves

    def slot_group(self) -> NDArray[np.uint8]:
        """(n_slots,) 0 for moves across an edge, 1 for others."""
        is_other = np.arange(self.n_moves) >= self.n_straight
        return np.tile(is_other.astype(np.uint8), self.n_layers)

    def slot(self, layout: Layout) -> NDArray[np.int64]:
        """(n_classes, n_slots, 4) what `Graph.slot` has of each slot."""
        parities = np.arange(len(self.delta))[:, None]  # of a row or a column, whichever shifts
        row, col = parities + self.delta[:, :, 0], parities + self.delta[:, :, 1]
        offsets = layout.coordinates(row, col) - layout.coordinates(parities, parities)
        flat = self.delta[:, :, 0] * layout.cols + self.delta[:, :, 1]
        parity = (row if layout.shift[0] else col) % len(flat)
        start, end = np.arange(self.n_layers)[:, None, None], np.arange(self.n_layers)[:, None]
        shape = len(flat), self.n_layers, self.n_layers, self.n_moves
        table = np.empty((*shape, 4), dtype=np.int64)
        table[..., 0] = flat[:, None, None] + (end - start) * layout.n_cells
        table[..., 1:3] = offsets[:, None, None]
        table[..., 3] = parity[:, None, None] * self.n_layers + end
        return table.reshape(len(flat) * self.n_layers, -1, 4)

    def node_class(self, parity: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(n_nodes,) class of each node; empty if all are of one class."""
        if len(self.delta) == 1 and self.n_layers == 1:
            return np.zeros(0, np.uint8)
        decks = np.arange(self.n_layers, dtype=np.uint8)
        by_deck = parity.ravel()[None, :] * np.uint8(self.n_layers) + decks[:, None]
        return np.asarray(by_deck.ravel(), dtype=np.uint8)


@dataclass(frozen=True)
class StepRule:
    """A profile's rule on one map, as the numbers that compiled code needs.

    `ai.rules.steps` decides which steps are legal. Links add edges between any surfaces; a mover
    that warps has no other edges.
    """

    profile: MoveProfile
    footprint: Footprint
    """The surfaces as the mover stands on them."""
    moves: Moves
    mover: Mover
    table: StepTable
    unit: int
    """The unit of all costs, in millionths; see `search.graph`."""
    highest: int
    """No step or link costs more, in units."""
    least: int
    """None costs less, in units."""

    @classmethod
    def of(
        cls,
        tilemap: TileMap,
        profile: MoveProfile,
        rules: tuple[EntryRule, ...] = (),
        part: Rect | None = None,
    ) -> "StepRule":
        """Return the rule of a profile on a map or a part of it, with the rules of a game.

        Errors are those of `check_profile` and `ask_rules`.
        """
        check_profile(profile, tilemap)
        footprint = Footprint(tilemap, profile, rules, part)
        moves = Moves.of(tilemap.grid, profile, tilemap.n_decks + 1)
        can_enter = np.isfinite(footprint.entry)
        entry = np.where(can_enter, footprint.entry, 0)
        if profile.can_fly:
            entry = np.ones(len(entry))
        straight, rise = in_millionths(entry), in_millionths(profile.rise_cost())
        diagonal = in_millionths(entry * np.float64(profile.diagonal_cost))
        if moves.n_moves == moves.n_straight:
            diagonal = straight
        if profile.warp:
            links = np.array([MILLION])
            highest = MILLION * max(profile.warp, 1)
        else:
            links = link_amounts(profile, tilemap)
            most = max(int(straight.max(initial=0)), int(diagonal.max(initial=0)))
            highest = max(most + int(rise.max()), int(links.max(initial=0)))
        amounts = np.concatenate([straight, diagonal, rise, links])
        unit = unit_of(amounts, highest, footprint.level.size)
        steps = np.concatenate([straight, diagonal, links])
        least = int(in_units(steps[steps > 0], unit).min(initial=2**30))
        prices = (
            np.where(can_enter | profile.can_fly, in_units(each, unit), CANNOT_ENTER)
            for each in (straight, diagonal)
        )
        limits = profile.max_climb, profile.max_drop, profile.headroom, profile.can_fly
        mover = Mover(next(prices), *limits, next(prices), in_units(rise, unit))
        parity = tilemap.grid.cell_class()
        n_detours = DETOURS_NEEDED[profile.diagonal]
        table = StepTable(moves.delta, moves.n_straight, parity, profile.size, n_detours)
        return cls(profile, footprint, moves, mover, table, unit, -(-highest // unit), least)

    @property
    def parity(self) -> NDArray[np.uint8]:
        """(rows, cols) which set of directions of the grid each column of surfaces has."""
        return self.table.parity

    @property
    def cheapest(self) -> tuple[int, int]:
        """The lowest prices to enter a kind, over an edge and by a diagonal step; 0 if none can."""
        prices = (each[each < CANNOT_ENTER] for each in (self.mover.entry, self.mover.diagonal))
        straight, diagonal = (int(each.min()) if len(each) else 0 for each in prices)
        return straight, diagonal

    @property
    def has_diagonals(self) -> bool:
        """Whether the mover makes diagonal steps."""
        return self.moves.n_moves > self.moves.n_straight

    def status(self, start: Cell, end: Cell) -> tuple[int, int]:
        """Return the status of the step between surfaces of two neighboring columns.

        The second number holds the corners of a diagonal step around which a detour leads, see
        `open_corners`.
        """
        steps = self.footprint.tilemap.grid.steps_from(start.row, start.col)
        step = end.row - start.row, end.col - start.col
        direction = steps.index(step) if step in steps else NO_EDGE
        is_diagonal = self.has_diagonals and 0 not in step
        n_detours = DETOURS_NEEDED[self.profile.diagonal] if is_diagonal else 0
        ends = np.array([self.nodes.of(start)]), np.array([self.nodes.of(end)])
        status, corners = self._statuses(*ends, direction, n_detours)[0].tolist()
        return status, corners

    def n_broken(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64], direction: int
    ) -> NDArray[np.int64]:
        """(n,) how many of kind, headroom, wall and rise forbid illegal steps, at least 1.

        The steps lead to neighboring columns in a direction of the grid, or over no edge.
        """
        *rest, walls = self.footprint.arrays
        own, nodes = self.mover, self.nodes
        free = own._replace(
            entry=np.zeros_like(own.entry), max_climb=OPEN_SKY, max_drop=OPEN_SKY,
            headroom=-OPEN_SKY,
        )  # fmt: skip
        count = np.zeros(len(starts), dtype=np.int64)
        for limits in (["entry"], ["headroom"], ["max_climb", "max_drop"], []):  # or walls alone
            mover = free._replace(**{name: getattr(own, name) for name in limits})
            ground = cast(Ground, (*rest, walls[:0] if limits else walls))
            found = explained_statuses(
                ground, _plain(mover), starts, ends, direction, 0, nodes.cols, nodes.n_cells
            )
            count += found[:, 0] > NO_END
        return np.maximum(count, 1)

    def can_arrive(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(n,) whether the mover can enter nodes by a link, from wherever it leads."""
        return np.asarray(self._statuses(nodes, nodes, NO_EDGE, 0)[:, 0] == LEGAL)

    def _statuses(
        self,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        direction: int,
        n_detours: int,
    ) -> NDArray[np.int64]:
        """Return (n, 2) what `explained_statuses` does for steps between nodes."""
        ground, mover, nodes = self.footprint.arrays, _plain(self.mover), self.nodes
        return explained_statuses(
            ground, mover, starts, ends, direction, n_detours, nodes.cols, nodes.n_cells
        )

    @cached_property
    def nodes(self) -> Nodes:
        """The numbers of the surfaces."""
        return Nodes(self.footprint.tilemap)

    def fits(self, costs: NDArray[np.int64]) -> bool:
        """Return whether links of some costs, in millionths, need no graph of another unit."""
        in_whole_units = bool((costs % self.unit == 0).all())
        units = costs // self.unit
        return in_whole_units and bool(((units >= self.least) & (units <= self.highest)).all())

    def empty_table(self) -> Costs:
        """Return an empty (n_nodes, n_slots) table for the prices of all steps."""
        size = self.footprint.level.size, 0 if self.profile.warp else self.moves.count
        if self.highest <= MAX_SMALL_COST:
            return np.empty(size, dtype=np.uint8)
        return np.empty(size, dtype=np.int32)

    def price_steps(self, rect: Rect, cost: Costs) -> int:
        """Write the price of every step that starts in `rect` into a table of the whole map.

        Return SAME, CHANGED or CHEAPER: how the prices differ from those in the table before.
        """
        if not cost.shape[1]:
            return SAME
        edges = rect.row, rect.col, rect.row + rect.rows, rect.col + rect.cols
        mover, table = _plain(self.mover), _plain(self.table)
        return int(price_steps(self.footprint.arrays, mover, table, edges, cost))


_Values = TypeVar("_Values", Mover, StepTable)


def _plain(values: _Values) -> _Values:
    """Return a plain tuple, which takes less time to pass to compiled code."""
    return cast(_Values, tuple(values))


COMMON_NAMES = ("water", "tree")
"""Kinds that many maps have besides those of `terrain3d.KINDS`; a profile may name them for any."""


def check_profile(profile: MoveProfile, tilemap: TileMap) -> None:
    """Raise `ValueError` for a profile that no unit on a map can have.

    It names a kind that is not of the map's, the default or common ones, or the mover covers
    several tiles, and the map's are not squares.
    """
    if profile.size > 1 and tilemap.topology != "square":
        raise ValueError(
            f"a mover of size {profile.size} needs square tiles, this map is {tilemap.topology!r}"
        )
    kinds = (*tilemap.kinds, *KINDS)
    known = {f"#{tag}" for kind in kinds for tag in kind.tags}
    known |= {*COMMON_NAMES, *(kind.name for kind in kinds)}
    for field, names in (("kind_cost", profile.kind_cost), ("no_stop", profile.no_stop)):
        unknown = sorted(set(names) - known)
        if unknown:
            raise ValueError(
                f"{field} has {quoted(unknown[0])}, which is no kind or tag of this map; "
                f"its kinds are {[kind.name for kind in tilemap.kinds]}; "
                f"add a kind of that name to the map, or leave it out of {field}"
            )


def link_amounts(profile: MoveProfile, tilemap: TileMap) -> NDArray[np.int64]:
    """(n,) costs, in millionths, of the links of a map that a profile may use."""
    costs = (profile.link_cost.get(link.kind, link.cost) for link in tilemap.links)
    return in_millionths(np.array([cost for cost in costs if cost is not None], np.float64))


def links_of(rule: StepRule) -> Links:
    """Return the edges beside steps that a profile can use on a map: its links, or warps.

    Raises `ValueError` if the profile would have more than `MAX_WARPS` warp edges.
    """
    if rule.profile.warp:
        return _warps(rule)
    ends: list[tuple[int, ...]] = []  # row, column and deck of both ends
    costs: list[float] = []
    for link in rule.footprint.tilemap.links:
        cost = rule.profile.link_cost.get(link.kind, link.cost)
        if cost is None:
            continue
        pairs = [(*link.start, *link.end)]
        if not link.one_way:
            pairs.append((*link.end, *link.start))
        ends += pairs
        costs += [float(cost)] * len(pairs)
    # All at once: every edit of a map with links reads them again.
    cells = np.array(ends, dtype=np.int64).reshape(-1, 6)
    source, target = rule.nodes.of_record(cells), rule.nodes.of_record(cells[:, 3:])
    is_used = ~rule.footprint.no_start.reshape(-1)[source] & rule.can_arrive(target)
    units = in_units(in_millionths(np.array(costs)), rule.unit)
    used = (each[is_used] for each in (source, target, units))
    return Links.of(rule.footprint.level.size, *used)


def _warps(rule: StepRule) -> Links:
    """Return edges from every surface to all in range on which the mover can stop."""
    tilemap, footprint, reach = rule.footprint.tilemap, rule.footprint, rule.profile.warp
    n_layers, rows, cols = footprint.level.shape
    exists = ~footprint.is_void.reshape(n_layers, -1)
    goal = footprint.kind_stop[footprint.kind] & ~footprint.is_barred
    goal = goal.reshape(n_layers, -1)
    span = min(reach, rows + cols)
    if int(exists.sum()) * n_layers * 2 * span * (span + 1) > MAX_WARPS * 2:
        raise ValueError(
            f"warps of {reach} tiles over {rows} x {cols} tiles are too many: more than {MAX_WARPS}"
        )
    plane = tilemap.grid.plane().reshape(-1, 2)
    row, col = np.divmod(np.arange(rows * cols), cols)
    far = min(reach, max(rows, cols) - 1)
    parts = [np.zeros((3, 0), np.int64)]
    for down, right in itertools.product(range(-far, far + 1), repeat=2):
        is_inside = (row + down >= 0) & (row + down < rows)
        here = np.flatnonzero(is_inside & (col + right >= 0) & (col + right < cols))
        there = here + down * cols + right
        distance = tilemap.grid.lengths(plane[there] - plane[here])
        for deck, to in np.ndindex(n_layers, n_layers):
            is_edge = exists[deck, here] & goal[to, there] & (distance <= reach)
            if deck != to or down != 0 or right != 0:
                ends = here + deck * len(row), there + to * len(row), np.maximum(distance, 1)
                parts.append(np.stack(ends)[:, is_edge])
    source, target, cost = np.concatenate(parts, axis=1)
    return Links.of(footprint.level.size, source, target, cost * (MILLION // rule.unit))
