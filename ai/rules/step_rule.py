"""The step rule of one profile on one map: its numbers, and the tables of prices made from them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.rules.footprint import Footprint
from ai.rules.moves import Moves
from ai.rules.nodes import Nodes
from ai.rules.profile import DIAGONAL_MODES, MoveProfile
from ai.rules.step_conditions import LEGAL, NO_EDGE, Mover, explained_statuses
from ai.rules.step_costs import SAME, price_steps
from ai.search.graph import MAX_WHOLE_COST
from terrain3d import Cell, Rect, TileMap
from terrain3d.mapfile import STANDARD_KINDS

DETOURS_NEEDED = dict(zip(DIAGONAL_MODES, (0, 0, 1, 2), strict=True))
_NOWHERE = np.zeros((0, 0, 0), dtype=np.bool_)
_NO_COSTS = np.zeros(0)
_NO_WHOLE = np.zeros((0, 0), dtype=np.uint8)
_NO_FRACTIONAL = np.zeros((0, 0), dtype=np.float64)
_MAX_WHOLE_SUM = 2**30  # whole costs so far have 31 bits, which include start costs


@dataclass(frozen=True)
class StepRule:
    """A profile's rule on one map, as the numbers that compiled code needs.

    `step_conditions` decides which steps are legal. Links add edges between any surfaces; a mover
    that warps has no other edges.
    """

    profile: MoveProfile
    footprint: Footprint
    """The surfaces as the mover stands on them."""
    moves: Moves
    mover: Mover
    kind_stop: NDArray[np.bool_]
    """(n_kinds,) whether a path may end on each kind."""
    parity: NDArray[np.uint8]
    """(rows, cols) which set of directions of the grid each column of surfaces has."""

    @classmethod
    def of(cls, tilemap: TileMap, profile: MoveProfile) -> "StepRule":
        """Return the rule of a profile on a map.

        Raises `ValueError` if the mover covers several tiles, and the map's are not squares, and
        for names of unknown kinds.
        """
        _check_names(profile, tilemap)
        if profile.size > 1 and tilemap.topology != "square":
            raise ValueError(
                f"a mover of size {profile.size} needs square tiles, this map is "
                f"{tilemap.topology!r}"
            )
        return cls(
            profile,
            Footprint(tilemap, profile),
            Moves.of(tilemap.grid, profile, tilemap.n_decks + 1),
            Mover.of(profile, tilemap),
            np.array([profile.can_stop_on(kind) for kind in tilemap.kinds]),
            tilemap.grid.cell_class(),
        )

    @cached_property
    def margin(self) -> int:
        """The distance in tiles at which an edit can change a step."""
        return max(1, self.profile.leap + 1) + self.profile.size - 1

    @property
    def cheapest_entry(self) -> float:
        """The lowest cost to enter a kind; 0 if none can be entered."""
        return float(self._entries.min()) if len(self._entries) else 0.0

    @cached_property
    def _entries(self) -> NDArray[np.float64]:
        """(n,) costs to enter the kinds that can be entered; 1 for a flyer."""
        entry = self.mover.entry[np.isfinite(self.mover.entry)]
        return np.ones(1) if self.profile.can_fly else entry

    @cached_property
    def least_step(self) -> float:
        """The lowest cost of a step above 0; 1 if all are free."""
        entry = self._entries
        if self.has_diagonals:
            entry = np.concatenate([entry, entry * self.profile.diagonal_cost])
        steps = entry if (entry > 0).all() else np.concatenate([entry, self.mover.rise_cost])
        return float(steps[steps > 0].min(initial=np.inf)) if (steps > 0).any() else 1.0

    @cached_property
    def has_free_steps(self) -> bool:
        """Whether a step, other than a link, could cost nothing."""
        return self.cheapest_entry == 0 or (self.has_diagonals and self.profile.diagonal_cost == 0)

    @property
    def has_diagonals(self) -> bool:
        """Whether the mover makes diagonal steps."""
        return self.moves.n_single > self.moves.n_straight

    @property
    def has_corners(self) -> bool:
        """Whether diagonal steps depend on the cells beside them."""
        return self.has_diagonals and DETOURS_NEEDED[self.profile.diagonal] > 0

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
        ground, mover, nodes = self.footprint.arrays[:-1], self.mover[:-1], self.nodes
        return explained_statuses(
            ground, mover, starts, ends, direction, n_detours, nodes.cols, nodes.n_cells
        )

    @cached_property
    def nodes(self) -> Nodes:
        """The numbers of the surfaces."""
        return Nodes(self.footprint.tilemap)

    def is_whole(
        self, link_costs: NDArray[np.float64], extra_costs: NDArray[np.float64] = _NO_COSTS
    ) -> bool:
        """Return whether all costs are whole and small enough for the fastest search.

        Each step or link may cost one of the extra costs more.
        """
        entry = self.mover.entry[np.isfinite(self.mover.entry)]
        factor = self.profile.diagonal_cost if self.has_diagonals else 1
        costs = np.concatenate(
            [entry, entry * factor, self.mover.rise_cost, link_costs, [factor], extra_costs]
        )
        highest = float(entry.max(initial=1)) * max(1, factor) + float(self.mover.rise_cost.max())
        highest = max(highest + self.profile.leap, float(link_costs.max(initial=0)))
        highest += float(extra_costs.max(initial=0))
        return (
            bool(np.all(costs == np.floor(costs)))
            and highest <= MAX_WHOLE_COST
            and highest * self.footprint.level.size <= _MAX_WHOLE_SUM
        )

    def table(self, *, is_whole: bool) -> NDArray[Any]:
        """Return an empty (n_layers, rows, cols, n_slots) table, uint8 or float64."""
        dtype = np.uint8 if is_whole else np.float64
        count = 0 if self.profile.warp else self.moves.count
        return np.empty((*self.footprint.level.shape, count), dtype=dtype)

    def price_steps(
        self, rect: Rect, table: NDArray[Any], blocked: NDArray[np.bool_] = _NOWHERE
    ) -> int:
        """Write the price of every step that starts in `rect` into a table of the whole map.

        Return SAME, CHANGED or CHEAPER: how the prices differ from those in the table before.
        The table is (n_layers, rows, cols, n_slots) by start, see `search.Graph`. No detour around
        a corner may use the surfaces in `blocked`, (n_layers, rows, cols).
        """
        n_slots = table.shape[3]
        if not n_slots:
            return SAME
        is_whole = table.dtype == _NO_WHOLE.dtype
        steps = table.reshape(-1, n_slots)
        # Loose arguments: as named tuples they add 4 us a call, 10 % of an edit's update.
        arguments: tuple[Any, ...] = (
            *self.footprint.arrays,
            *self._numbers,
            blocked.reshape(-1),
            rect.row,
            rect.col,
            rect.row + rect.rows,
            rect.col + rect.cols,
            is_whole,
            steps if is_whole else _NO_WHOLE,
            _NO_FRACTIONAL if is_whole else steps,
        )
        return price_steps(*arguments)

    @cached_property
    def _numbers(self) -> tuple[Any, ...]:
        """The arguments of `price_steps` that never change."""
        moves = self.moves
        return (
            *self.mover,
            moves.delta,
            moves.length,
            moves.n_straight,
            moves.n_single,
            self.parity,
            self.profile.size,
            float(self.profile.diagonal_cost),
            DETOURS_NEEDED[self.profile.diagonal],
        )


def _check_names(profile: MoveProfile, tilemap: TileMap) -> None:
    """Raise `ValueError` for a name that neither the map's kinds nor the standard ones have."""
    kinds = (*tilemap.kinds, *STANDARD_KINDS)
    known = {kind.name for kind in kinds} | {f"#{tag}" for kind in kinds for tag in kind.tags}
    for field, names in (("kind_cost", profile.kind_cost), ("no_stop", profile.no_stop)):
        unknown = sorted(set(names) - known)
        if unknown:
            raise ValueError(
                f"{field} has {unknown[0]!r}, which is no kind or tag of this map; "
                f"its kinds are {[kind.name for kind in tilemap.kinds]}; "
                f"add a kind of that name to the map, or leave it out of {field}"
            )
