"""Edges beside the steps: the links of a map (ladders, doors, ledges) and a mover's warps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.rules.step_conditions import LEGAL
from ai.rules.step_rule import StepRule
from ai.search import Heuristic, Links, NodeLayout

MAX_WARPS = 2**24
"""The most edges that warps over one map may have."""


@dataclass(frozen=True)
class ExtraEdges:
    """ExtraEdges between nodes, `n` of them.

    Parameters
    ----------
    source, target : (n,) int64
    cost : (n,) float64
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    cost: NDArray[np.float64]

    def __len__(self) -> int:
        """Count them."""
        return len(self.source)

    def rows(self) -> list[tuple[int, int, float]]:
        """List (source, target, cost) of each."""
        columns = self.source.tolist(), self.target.tolist(), self.cost.tolist()
        return list(zip(*columns, strict=True))

    def is_nowhere_cheaper(self, others: "ExtraEdges") -> bool:
        """Tell whether for each of them one of the others leads there at its cost or less."""
        cheapest = {(source, target): cost for source, target, cost in others.rows()}
        rows = self.rows()
        return all(cost >= cheapest.get((start, end), np.inf) for start, end, cost in rows)

    def as_links(self, n_nodes: int, dtype: type[np.generic]) -> Links | None:
        """Sort them by where they start, as a graph needs them; None if there are none."""
        if not len(self):
            return None
        order = np.argsort(self.source, kind="stable")
        first = np.zeros(n_nodes + 1, dtype=np.int32)
        np.cumsum(np.bincount(self.source, minlength=n_nodes), out=first[1:])
        return Links(first, self.target[order].astype(np.int32), self.cost[order].astype(dtype))


def extra_edges_of(rule: StepRule) -> ExtraEdges:
    """Give the edges beside steps that a profile can use on a map as it is.

    Raises
    ------
    ValueError
        The warps of the profile would be more than MAX_WARPS.
    """
    if rule.profile.warp:
        return _warps(rule)
    tilemap, footprint = rule.footprint.tilemap, rule.footprint
    found: list[tuple[int, int, float]] = []
    for link in tilemap.links:
        cost = rule.profile.link_cost.get(link.kind, link.cost)
        if cost is None:
            continue
        ends = [(link.start, link.end)]
        if not link.one_way:
            ends.append((link.end, link.start))
        for start, end in ends:
            has_start = not footprint.is_void[start.deck, start.row, start.col]
            if has_start and rule.status(end, end)[0] == LEGAL:
                found.append((rule.nodes.of(start), rule.nodes.of(end), float(cost)))
    source, target, price = zip(*found, strict=True) if found else ((), (), ())
    return ExtraEdges(
        np.array(source, dtype=np.int64), np.array(target, dtype=np.int64), np.array(price, float)
    )


def _warps(rule: StepRule) -> ExtraEdges:
    """Lead from every surface to every one within range on which the mover can stop."""
    tilemap, footprint, reach = rule.footprint.tilemap, rule.footprint, rule.profile.warp
    exists = ~footprint.is_void
    goal = exists & rule.kind_stop[footprint.kind]
    n_layers, rows, cols = exists.shape
    span = min(reach, rows + cols)
    if int(exists.sum()) * n_layers * 2 * span * (span + 1) > MAX_WARPS * 2:
        raise ValueError(
            f"warps of {reach} tiles over {rows} x {cols} tiles are too many: more than {MAX_WARPS}"
        )
    layout = tilemap.grid.plane().astype(np.int64)
    node = np.arange(exists.size).reshape(exists.shape)
    parts: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
    for down in range(-min(reach, rows - 1), min(reach, rows - 1) + 1):
        for right in range(-min(reach, cols - 1), min(reach, cols - 1) + 1):
            here = _window(down, rows), _window(right, cols)
            there = _window(-down, rows), _window(-right, cols)
            distance = tilemap.grid.lengths(layout[there] - layout[here])
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
        nothing = np.zeros(0, dtype=np.int64)
        return ExtraEdges(nothing, nothing, np.zeros(0))
    source, target, cost = (np.concatenate(column) for column in zip(*parts, strict=True))
    return ExtraEdges(source, target, cost.astype(np.float64))


def _window(shift: int, size: int) -> slice:
    """Give the places from which a shift stays inside."""
    return slice(max(0, -shift), size - max(0, shift))


def keep_admissible(estimate: Heuristic, edges: ExtraEdges, layout: NodeLayout) -> Heuristic:
    """Lower an estimate until no edge is cheaper than what it says of it.

    First by what it says of climbs and drops, which is what ladders save, then as a whole.
    """
    if not len(edges):
        return estimate
    places = layout.with_places().place
    assert places is not None
    away = places[edges.target].astype(np.int64) - places[edges.source]
    rise = layout.level[edges.target].astype(np.int64) - layout.level[edges.source]
    flat = Heuristic(estimate.norm, estimate.axis, estimate.diagonal)
    across = _length(flat, away)
    spare = edges.cost - across
    if (spare >= 0).all():
        climb = min([estimate.climb, *(spare[rise > 0] / rise[rise > 0]).tolist()])
        drop = min([estimate.drop, *(spare[rise < 0] / -rise[rise < 0]).tolist()])
        return Heuristic(estimate.norm, estimate.axis, estimate.diagonal, climb, drop)
    share = float((edges.cost[across > 0] / across[across > 0]).min())
    return Heuristic(estimate.norm, estimate.axis * share, estimate.diagonal * share)


def _length(estimate: Heuristic, away: NDArray[np.int64]) -> NDArray[np.float64]:
    far = np.abs(away).astype(np.float64)
    low, high = far.min(axis=1), far.max(axis=1)
    if estimate.norm == "hex":
        length = estimate.axis * np.maximum(high, np.abs(away.sum(axis=1)))
    elif estimate.norm == "straight":
        length = estimate.axis * np.hypot(low, high)
    else:
        length = estimate.axis * (high - low) + estimate.diagonal * low
    return np.asarray(length, dtype=np.float64)
