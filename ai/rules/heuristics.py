"""The heuristics by name, each a lower bound for a profile and its extra edges."""

import math

import numpy as np
from numpy.typing import NDArray

from ai.rules.step_rule import ExtraEdges, StepRule
from ai.search.heuristics import Heuristic, NodeLayout
from terrain3d.core.checks import one_of, quoted
from terrain3d.grid.grid import Grid

HEURISTICS = ("auto", "manhattan", "octile", "chebyshev", "euclidean", "zero")
"""Heuristics by name; see `heuristic_of`."""


def heuristic_of(rule: StepRule, grid: Grid, name: str = "auto") -> Heuristic:
    """Return the heuristic of a name, if it never exceeds the true cost of steps.

    "auto" is the tightest: the remaining steps at the cheapest entry, plus the net climb or drop.
    "manhattan", "octile", "chebyshev" and "euclidean" are distances on square tiles at the
    cheapest entry. "zero" is Dijkstra's algorithm. Raises `ValueError` for another name, and for a
    heuristic that could exceed the true cost for this profile.
    """
    one_of("heuristic", name, HEURISTICS)
    if name == "zero":
        return Heuristic()
    profile, entry, has_diagonals = rule.profile, rule.cheapest_entry, rule.has_diagonals
    if profile.warp:
        return Heuristic(grid.norm, 1, 2)
    across = entry * profile.diagonal_cost if has_diagonals else 2 * entry
    if name == "auto":
        axis = min(entry, across)
        climb, drop = _rates(rule)
        return Heuristic(grid.norm, axis, min(across, 2 * axis), climb, drop)
    if grid.norm == "hex":
        raise ValueError(f"heuristic {quoted(name)} is for square tiles; on hexagons use 'auto'")
    least = {"manhattan": 2.0, "octile": math.sqrt(2), "chebyshev": 1.0, "euclidean": math.sqrt(2)}
    if has_diagonals and profile.diagonal_cost < least[name]:
        raise ValueError(
            f"heuristic {quoted(name)} could exceed the true cost: it takes a diagonal step for at "
            f"least {least[name]:.4g} straight ones, diagonal_cost is {profile.diagonal_cost}"
        )
    if name == "euclidean":
        return Heuristic("straight", entry)
    return Heuristic(grid.norm, entry, entry * least[name])


def _rates(rule: StepRule) -> tuple[float, float]:
    """Return the lowest surcharge per level up and down."""
    profile = rule.profile
    if profile.can_fly:
        return 0.0, 0.0
    ground = profile.max_drop
    climbs = rule.mover.rise_cost[ground + 1 :] / np.arange(1, profile.max_climb + 1)
    drops = rule.mover.rise_cost[:ground][::-1] / np.arange(1, profile.max_drop + 1)
    # Where no step up or down is legal any number is a valid bound; 0 is used.
    return _least(climbs), _least(drops)


def _least(rates: NDArray[np.float64]) -> float:
    return float(rates.min()) if len(rates) else 0.0


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
    across = flat.over(away, rise)
    spare = edges.cost - across
    if (spare >= 0).all():
        climb = min([heuristic.climb, *(spare[rise > 0] / rise[rise > 0]).tolist()])
        drop = min([heuristic.drop, *(spare[rise < 0] / -rise[rise < 0]).tolist()])
        return Heuristic(heuristic.norm, heuristic.axis, heuristic.diagonal, climb, drop)
    share = float((edges.cost[across > 0] / across[across > 0]).min())
    return Heuristic(heuristic.norm, heuristic.axis * share, heuristic.diagonal * share)
