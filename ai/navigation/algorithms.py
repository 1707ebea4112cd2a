"""The algorithms of a resumable search by name: the graph and the heuristic that each one uses."""

from dataclasses import replace

import numpy as np

from ai.navigation.blockers import Blockers
from ai.navigation.profile_graph import ProfileGraph
from ai.search import Graph, GuidedGraph, Heuristic

ALGORITHMS = ("astar", "dijkstra", "bfs", "greedy")
"""A*, Dijkstra's, breadth-first, and best-first by the heuristic alone."""


def heuristic_name(algorithm: str, heuristic: str) -> str:
    """Return the name of the heuristic that an algorithm uses when a caller asks for one.

    Raises
    ------
    ValueError
        The algorithm is unknown, or does not work with that heuristic.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {ALGORITHMS}, got {algorithm!r}")
    if algorithm == "greedy" and heuristic == "zero":
        raise ValueError("greedy search needs an estimate; heuristic 'zero' gives none")
    return heuristic if algorithm in {"astar", "greedy"} else "zero"


def guided_graph_of(
    algorithm: str, heuristic: str, graph: ProfileGraph, blockers: Blockers
) -> GuidedGraph:
    """Return what an algorithm searches.

    Parameters
    ----------
    algorithm : str
        One of ALGORITHMS.
    heuristic : str
        As `heuristic_name` returns it.
    graph : ProfileGraph
    blockers : Blockers

    Raises
    ------
    ValueError
        The heuristic is unknown or could exceed the true cost.
    """
    guided = graph.guided(heuristic, blockers=blockers)
    if algorithm == "bfs":
        return GuidedGraph(_with_unit_costs(guided.graph))
    if algorithm == "greedy":
        estimate = guided.heuristic
        if not any(estimate.weights):  # where steps are free an exact bound leads nowhere
            estimate = Heuristic(graph.tilemap.grid.norm, 1, 2)
        return GuidedGraph(guided.graph.with_any_costs(), estimate, graph.least_step)
    return guided


def _with_unit_costs(graph: Graph) -> Graph:
    """Return the same graph with every step at cost 1."""
    steps = np.where(graph.step_cost < graph.broken, np.uint8(1), np.uint8(255))
    links = graph.links
    if links is not None:
        links = replace(links, cost=np.ones(len(links.cost), dtype=np.uint8))
    return replace(graph, step_cost=steps, links=links)
