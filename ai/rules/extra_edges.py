"""Edges beside the steps: the links of a map (ladders, doors, ledges) and a mover's warps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.rules.step_rule import StepRule
from ai.search.graph import Links
from ai.search.heuristics import Heuristic, NodeLayout

MAX_WARPS = 2**24
"""The highest number of warp edges on one map."""


@dataclass(frozen=True)
class ExtraEdges:
    """The (n,) sources, targets and costs of edges between nodes."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    cost: NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.source)

    def rows(self) -> list[tuple[int, int, float]]:
        """Return (source, target, cost) of each edge."""
        columns = self.source.tolist(), self.target.tolist(), self.cost.tolist()
        return list(zip(*columns, strict=True))

    def cheaper_sources(self, others: "ExtraEdges") -> NDArray[np.int64]:
        """(n,) nodes out of which an edge leads that is not in `others`, or costs more there."""
        cheapest = {(source, target): cost for source, target, cost in others.rows()}
        is_cheaper = [cost < cheapest.get((start, end), np.inf) for start, end, cost in self.rows()]
        return self.source[np.array(is_cheaper, dtype=np.bool_)]

    def as_links(self, n_nodes: int, dtype: type[np.generic]) -> Links | None:
        """Return the edges sorted by source, in the form of a graph; None without edges."""
        if not len(self):
            return None
        return Links.of(n_nodes, self.source, self.target, self.cost.astype(dtype))


NO_EDGES = ExtraEdges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def extra_edges_of(rule: StepRule) -> ExtraEdges:
    """Return the edges beside steps that a profile can use on a map.

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
    if not ends:
        return NO_EDGES
    # All at once: every edit of a map with links reads them again.
    cells = np.array(ends, dtype=np.int64)
    source, target = rule.nodes.of_record(cells), rule.nodes.of_record(cells[:, 3:])
    is_used = ~rule.footprint.no_start.reshape(-1)[source] & rule.can_arrive(target)
    return ExtraEdges(source[is_used], target[is_used], np.array(costs)[is_used])


def _warps(rule: StepRule) -> ExtraEdges:
    """Return edges from every surface to all in range on which the mover can stop."""
    tilemap, footprint, reach = rule.footprint.tilemap, rule.footprint, rule.profile.warp
    exists = ~footprint.is_void
    goal = rule.kind_stop[footprint.kind] & ~footprint.is_barred
    n_layers, rows, cols = exists.shape
    span = min(reach, rows + cols)
    if int(exists.sum()) * n_layers * 2 * span * (span + 1) > MAX_WARPS * 2:
        raise ValueError(
            f"warps of {reach} tiles over {rows} x {cols} tiles are too many: more than {MAX_WARPS}"
        )
    plane = tilemap.grid.plane().astype(np.int64)
    node = np.arange(exists.size).reshape(exists.shape)
    parts: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
    for down in range(-min(reach, rows - 1), min(reach, rows - 1) + 1):
        for right in range(-min(reach, cols - 1), min(reach, cols - 1) + 1):
            here = _window(down, rows), _window(right, cols)
            there = _window(-down, rows), _window(-right, cols)
            distance = tilemap.grid.lengths(plane[there] - plane[here])
            for deck in range(n_layers):
                for to in range(n_layers):
                    if deck == to and down == right == 0:
                        continue
                    is_edge = exists[deck][here] & goal[to][there] & (distance <= reach)
                    parts.append(
                        (
                            node[deck][here][is_edge],
                            node[to][there][is_edge],
                            np.maximum(distance, 1)[is_edge],
                        )
                    )
    if not parts:
        return NO_EDGES
    source, target, cost = (np.concatenate(column) for column in zip(*parts, strict=True))
    return ExtraEdges(source, target, cost.astype(np.float64))


def _window(shift: int, size: int) -> slice:
    """Return the range of indices from which a shift stays inside."""
    return slice(max(0, -shift), size - max(0, shift))


def keep_admissible(heuristic: Heuristic, edges: ExtraEdges, layout: NodeLayout) -> Heuristic:
    """Lower a heuristic until it exceeds the cost of no edge.

    The terms of climbs and drops, which ladders save, are lowered first, then the whole.
    """
    if not len(edges):
        return heuristic
    places = layout.with_places().place
    assert places is not None
    away = places[edges.target].astype(np.int64) - places[edges.source]
    rise = layout.level[edges.target].astype(np.int64) - layout.level[edges.source]
    flat = Heuristic(heuristic.norm, heuristic.axis, heuristic.diagonal)
    across = _length(flat, away)
    spare = edges.cost - across
    if (spare >= 0).all():
        climb = min([heuristic.climb, *(spare[rise > 0] / rise[rise > 0]).tolist()])
        drop = min([heuristic.drop, *(spare[rise < 0] / -rise[rise < 0]).tolist()])
        return Heuristic(heuristic.norm, heuristic.axis, heuristic.diagonal, climb, drop)
    share = float((edges.cost[across > 0] / across[across > 0]).min())
    return Heuristic(heuristic.norm, heuristic.axis * share, heuristic.diagonal * share)


def _length(heuristic: Heuristic, away: NDArray[np.int64]) -> NDArray[np.float64]:
    far = np.abs(away).astype(np.float64)
    low, high = far.min(axis=1), far.max(axis=1)
    if heuristic.norm == "hex":
        length = heuristic.axis * np.maximum(high, np.abs(away.sum(axis=1)))
    elif heuristic.norm == "straight":
        length = heuristic.axis * np.hypot(low, high)
    else:
        length = heuristic.axis * (high - low) + heuristic.diagonal * low
    return np.asarray(length, dtype=np.float64)
