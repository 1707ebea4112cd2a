"""The heuristics by name, each a lower bound for a profile and its links."""

import math

import numpy as np
from numpy.typing import NDArray

from ai.rules.step_rule import StepRule
from ai.search.graph import MILLION, Bound, Graph, Layout, Links
from terrain3d.core.checks import one_of, quoted

HEURISTICS = ("auto", "manhattan", "octile", "chebyshev", "euclidean", "zero")
"""Heuristics by name; see `estimates`."""
_DIAGONAL = {"manhattan": 2.0, "octile": math.sqrt(2), "chebyshev": 1.0, "euclidean": math.sqrt(2)}
"""For how many straight steps each distance takes a diagonal one."""


def bound_of(rule: StepRule, links: Links, layout: Layout) -> Bound:
    """Return the tightest bound: steps at the cheapest entry, plus the net climb or drop.

    It exceeds the cost of no link: the terms of climbs and drops, which ladders save, are
    lowered first, then the whole.
    """
    is_hex = any(layout.shift) or len(rule.moves.delta) > 1
    if rule.profile.warp:
        bound = _norm(MILLION // rule.unit, 2 * MILLION // rule.unit, is_hex=is_hex)
    else:
        axis, across = rule.cheapest
        across = across if rule.has_diagonals else 2 * axis
        axis = min(axis, across)
        bound = _norm(axis, min(across, 2 * axis), is_hex=is_hex)
        climb, drop = _rates(rule)
        bound = bound._replace(climb=climb, drop=drop)
    if not len(links):
        return bound
    away = layout.places(links.target) - layout.places(links.source)
    rise = layout.level[links.target].astype(np.int64) - layout.level[links.source]
    across_ground = bound._replace(climb=0, drop=0).over(away, rise)
    spare = links.cost - across_ground
    if (spare >= 0).all():
        climbs, drops = spare[rise > 0] // rise[rise > 0], spare[rise < 0] // -rise[rise < 0]
        climb = min([bound.climb, *climbs.tolist()])
        return bound._replace(climb=climb, drop=min([bound.drop, *drops.tolist()]))
    flat = bound._replace(climb=0, drop=0)
    is_away = across_ground > 0
    return flat.scaled(float((links.cost[is_away] / across_ground[is_away]).min()) * (1 - 2**-40))


def _norm(axis: int, diagonal: int, *, is_hex: bool) -> Bound:
    """Return the bound of distances with a cost along an axis, and on squares a diagonal one."""
    return Bound(axis, axis, 0) if is_hex else Bound(axis, diagonal - axis, diagonal - axis)


def _rates(rule: StepRule) -> tuple[int, int]:
    """Return the lowest surcharge per level up and down, in units, rounded down."""
    profile = rule.profile
    if profile.can_fly:
        return 0, 0
    ground = profile.max_drop
    climbs = rule.mover.rise[ground + 1 :] // np.arange(1, profile.max_climb + 1)
    drops = rule.mover.rise[:ground][::-1] // np.arange(1, profile.max_drop + 1)
    # Where no step up or down is legal any number is a valid bound; 0 is used.
    return int(climbs.min()) if len(climbs) else 0, int(drops.min()) if len(drops) else 0


def estimates(
    rule: StepRule, graph: Graph, links: Links, goal: int, name: str
) -> NDArray[np.float64]:
    """(n_nodes,) bounds of the cost to a goal, in units, by the heuristic of a name.

    "auto" is that of `bound_of`. "manhattan", "octile", "chebyshev" and "euclidean" are distances
    on square tiles at the cheapest entry. "zero" is Dijkstra's algorithm.

    Raises
    ------
    ValueError
        The name is another one, or the heuristic could exceed the true cost for this profile.
    """
    one_of("heuristic", name, HEURISTICS)
    nodes, level = np.arange(graph.n_nodes), graph.layout.level.astype(np.int64)
    if name == "zero":
        return np.zeros(graph.n_nodes)
    away = graph.layout.places(np.array([goal])) - graph.layout.places(nodes)
    if name == "auto" or rule.profile.warp:
        return graph.bound.over(away, level[goal] - level).astype(np.float64)
    profile = rule.profile
    if len(rule.moves.delta) > 1:
        raise ValueError(f"heuristic {quoted(name)} is for square tiles; on hexagons use 'auto'")
    if rule.has_diagonals and profile.diagonal_cost < _DIAGONAL[name]:
        raise ValueError(
            f"heuristic {quoted(name)} could exceed the true cost: it takes a diagonal step for at "
            f"least {_DIAGONAL[name]:.4g} straight ones, diagonal_cost is {profile.diagonal_cost}"
        )
    straight, across = rule.cheapest
    rates = [straight, across / _DIAGONAL[name]] if rule.has_diagonals else [straight]
    if len(links):
        lengths = _distance(
            name, graph.layout.places(links.target) - graph.layout.places(links.source)
        )
        is_away = lengths > 0
        rates += (links.cost[is_away] / lengths[is_away]).tolist()
    rate = min(rates) * rule.unit / graph.unit
    # Costs in a coarser unit are rounded.
    rate = rate if rule.unit % graph.unit == 0 else math.floor(rate)
    bounds: NDArray[np.float64] = rate * _distance(name, away)
    return bounds


def _distance(name: str, away: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) lengths of (n, 2) offsets, in straight steps."""
    high, low = np.abs(away).max(axis=1), np.abs(away).min(axis=1)
    length: NDArray[np.float64] = np.hypot(high, low)
    if name != "euclidean":
        length = high + (_DIAGONAL[name] - 1) * low
    return length
