"""The steps of units that move at once, the clearance of each step, and conflicts of paths.

Two units are in conflict if they are on the same node at a tick or swap nodes during a tick. They
are also in conflict if one is in the clearance of the other's step before or after it. A step has a
clearance if it cuts a corner: the tiles at the corner must be free of other units. Tiles far above
or below, as under a bridge, do not count.

Costs are whole millionths, so sums of them are exact.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from ai.navigation.navigation import Navigation
from ai.navigation.profile_graph import ProfileGraph
from ai.rules.profile import MoveProfile
from terrain3d import Cell

Clearance = tuple[int, ...]
"""Nodes that must be free of other units before and after a step."""


class StepTable(dict[int, dict[int, tuple[int, Clearance]]]):
    """The steps of a profile: for each node its ends, each with the cost and clearance.

    A node is looked up when it is first asked for. Steps into blocked nodes, or with one of them in
    their clearance, are left out: units that do not move are there.

    Parameters
    ----------
    mover : ProfileGraph
    body : int
        Levels that the tallest unit of the squad takes up.
    blocked : frozenset of int
    """

    def __init__(
        self, mover: ProfileGraph, body: int, blocked: frozenset[int] = frozenset()
    ) -> None:
        super().__init__()
        self._mover, self._body, self._blocked = mover, body, blocked
        self._has_corners = mover.tilemap.topology == "square" and not mover.profile.warp

    def __missing__(self, node: int) -> dict[int, tuple[int, Clearance]]:
        """Look up the steps from a node; of several to the same end the cheapest counts."""
        graph, links, unit = self._mover.forward, dict[int, int](), self._mover.unit
        for end, cost in graph.links.out_of(node):
            links[end] = min(cost, links.get(end, cost))
        costs = dict(sorted(graph.edges_from(node), key=lambda edge: -edge[1]))
        found = {}
        for end, cost in costs.items():
            clearance = () if links.get(end) == cost else self._clearance(node, end)
            if self._blocked.isdisjoint((end, *clearance)):
                found[end] = cost * unit, clearance
        self[node] = found
        return found

    def can_stop(self, node: int) -> bool:
        """Return whether a unit may stop on a node."""
        return self._mover.can_stop_at(node)

    def _clearance(self, node: int, end: int) -> Clearance:
        """Return the nodes that a step from a node brushes: none unless it is diagonal."""
        cell_of = self._mover.nodes.cell
        here, there = cell_of(node), cell_of(end)
        if not self._has_corners or here.row == there.row or here.col == there.col:
            return ()
        n_cells, n_nodes = self._mover.nodes.n_cells, len(self._mover.is_void)
        corners = (Cell(there.row, here.col), Cell(here.row, there.col))
        columns = (range(self._mover.nodes.of(cell), n_nodes, n_cells) for cell in corners)
        return tuple(near for near in itertools.chain(*columns) if self._brushes(node, end, near))

    def _brushes(self, node: int, end: int, near: int) -> bool:
        """Return whether a unit on a node at the corner blocks a diagonal step."""
        mover, profile = self._mover, self._mover.profile
        start, goal, there = (int(mover.level[each]) for each in (node, end, near))
        # Ground nodes count even if void: a flying unit may hover above them.
        if mover.is_void[near] and near >= mover.nodes.n_cells:
            return False
        if min(start, goal) - self._body < there < max(start, goal) + self._body:
            return True
        # The detour around the corner has to be free, too.
        rises = there - start, goal - there
        is_detour = all(-profile.max_drop <= rise <= profile.max_climb for rise in rises)
        return profile.can_fly or is_detour


def step_tables(
    navigation: Navigation, profiles: Sequence[MoveProfile], blocked: frozenset[int] = frozenset()
) -> list[StepTable]:
    """Return the steps of each unit of a squad; units of one profile share a table."""
    body = max((profile.headroom for profile in profiles), default=0)
    tables = {
        profile: StepTable(navigation.profile_graph(profile), body, blocked)
        for profile in dict.fromkeys(profiles)
    }
    return [tables[profile] for profile in profiles]


class Conflict(NamedTuple):
    """Two units of which one has to give way."""

    code: str
    """That of its `Reason`: "trade_places", "would_brush" or "both_on_cell"."""
    unit: int
    other: int
    cell: Cell
    """Where the first unit goes, where the other is in its way, or which both are on."""


def first_conflict(
    navigation: Navigation, paths: Sequence[Sequence[Cell]], profiles: Sequence[MoveProfile]
) -> Conflict | None:
    """Return the first conflict of units on legal paths; None if there is none.

    A path has the unit's cell at tick 0, 1, ...; after the last it stays. There is a profile for
    each unit.
    """
    nodes, tables = navigation.profile_graph().nodes, step_tables(navigation, profiles)
    ticks = range(max(map(len, paths), default=0))
    rows = [[nodes.of(path[min(tick, len(path) - 1)]) for path in paths] for tick in ticks]
    for now, after in itertools.pairwise([*rows, *rows[-1:]]):
        on_now, on_after = ({node: unit for unit, node in enumerate(row)} for row in (now, after))
        for unit, (start, end) in enumerate(zip(now, after, strict=True)):
            other = on_now.get(end)
            if start != end and other is not None and after[other] == start:
                return Conflict("trade_places", unit, other, nodes.cell(end))
            for near in tables[unit][start][end][1] if start != end else ():
                other = on_now.get(near, on_after.get(near))
                if other is not None:
                    return Conflict("would_brush", unit, other, nodes.cell(near))
            if on_now[start] != unit:
                return Conflict("both_on_cell", unit, on_now[start], nodes.cell(start))
    return None
