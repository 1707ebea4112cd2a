"""The algorithms of a search by name: which graph each goes over, and by which estimate."""

from dataclasses import replace

import numpy as np

from ai.navigation.blockers import Blockers
from ai.navigation.profile_graph import ProfileGraph
from ai.search import Graph, GuidedGraph, Heuristic

ALGORITHMS = ("astar", "dijkstra", "bfs", "greedy")
"""A*, Dijkstra's, breadth-first, and best-first by the estimate alone."""


def estimate_name(algorithm: str, heuristic: str) -> str:
    """Give the name of the estimate that an algorithm uses if it is asked for one.

    Raises
    ------
    ValueError
        There is no such algorithm, or it cannot do with that estimate.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {ALGORITHMS}, got {algorithm!r}")
    if algorithm == "greedy" and heuristic == "zero":
        raise ValueError("greedy search needs an estimate; heuristic 'zero' gives none")
    return heuristic if algorithm in {"astar", "greedy"} else "zero"


def guided_graph_of(
    algorithm: str, estimate: str, graph: ProfileGraph, blockers: Blockers
) -> GuidedGraph:
    """Give what an algorithm searches; `ValueError` if the estimate cannot be had.

    Parameters
    ----------
    algorithm : str
        One of ALGORITHMS.
    estimate : str
        As `estimate_name` gives it.
    graph : ProfileGraph
        The map and the profile.
    blockers : Blockers
        Who is in the way.
    """
    guided = graph.guided(estimate, blockers=blockers)
    if algorithm == "bfs":
        return GuidedGraph(_with_unit_costs(guided.graph))
    if algorithm == "greedy":
        bound = guided.heuristic
        if not any(bound.weights):  # where ground is free no bound leads anywhere
            bound = Heuristic(graph.tilemap.grid.norm, 1, 2)
        return GuidedGraph(guided.graph.with_any_costs(), bound, graph.least_step)
    return guided


def _with_unit_costs(graph: Graph) -> Graph:
    """Give the same graph with every step at cost 1."""
    steps = np.where(graph.step_cost < graph.broken, np.uint8(1), np.uint8(255))
    links = graph.links
    if links is not None:
        links = replace(links, cost=np.ones(len(links.cost), dtype=np.uint8))
    return replace(graph, step_cost=steps, links=links)
