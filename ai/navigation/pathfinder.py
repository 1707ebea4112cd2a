"""Path queries between nodes: to a goal, to the nearest of several, as near as possible, many."""

import itertools
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import FREE, BlockerNodes
from ai.navigation.diagnosis import Diagnosis
from ai.navigation.graph_cache import ProfileCache
from ai.navigation.path import Path, as_partial, plain_number
from ai.navigation.profile_graph import ProfileGraph, can_end, end_reason, nearest_end
from ai.navigation.reach import Reach, ReachArrays
from ai.search.astar import NO_LIMIT
from ai.search.graph import MILLION, number_of, numbers_of
from ai.search.workspace import NO_NODES, PathReader
from terrain3d import Reason

_WORTH_LABELING = 256  # a failed search of so many expansions pays for labeling the components
_MIN_SHARE = 16  # a thread costs more than it saves on fewer queries

T = TypeVar("T")
Q = TypeVar("Q")


class PathOptions(NamedTuple):
    """Options of a query of one path; see `Navigation.find_path`."""

    blockers: BlockerNodes = FREE
    max_cost: float = math.inf

    def checked(self) -> "PathOptions":
        """Return the options, or `NO_OPTIONS` for them."""
        return NO_OPTIONS if self.blockers is FREE and self == NO_OPTIONS else self


NO_OPTIONS = PathOptions()
"""A query without options; recognized by identity."""


def path_to(entry: ProfileCache, source: int, target: int, options: PathOptions) -> Path:
    """Return a cheapest path between two nodes."""
    graph, labels = entry.graph, entry.index.labels
    # A path of one cell is not cached: it has no step that gets illegal when its cell is void.
    is_plain = options is NO_OPTIONS and source != target
    if is_plain and labels is None and (known := entry.paths.get((source, target))):
        return known
    # Where a path may end on every node it can reach, a found path needs no check of its ends.
    if not (is_plain and graph.stops_everywhere):
        reason = end_reason(graph, source, target, options.blockers)
        if reason:
            return Path.none(reason)
    if labels is not None:
        record = labels.path(source, target)
        limit = NO_LIMIT if is_plain else limit_in_units(options.max_cost, graph.unit)
        if not len(record) or record.item(-2) > limit:
            return _no_path(entry, source, target, options, 0)
        if is_plain or not _is_in_the_way(graph, record, options.blockers):
            return Path(record, graph.unit, graph.tilemap)
    return _searched_path(entry, source, target, options, is_plain=is_plain)


def _searched_path(
    entry: ProfileCache, source: int, target: int, options: PathOptions, *, is_plain: bool
) -> Path:
    """Return a path by a search; a plain one is kept for equal queries."""
    graph, blockers = entry.graph, options.blockers
    if entry.rules_out(source, target):
        return _no_path(entry, source, target, options, 0)
    limit = limit_in_units(options.max_cost, graph.unit)
    workspace = entry.workspaces.borrow()
    record = workspace.find_path(
        entry.guided, source, target, limit, blockers.blocked, blockers.halting
    )
    n_closed = workspace.n_closed
    entry.workspaces.give_back(workspace)
    if not len(record):
        return _no_path(entry, source, target, options, n_closed)
    path = Path(record, graph.unit, graph.tilemap)
    if is_plain:
        entry.keep((source, target), path)
    return path


def limit_in_units(limit: float, unit: int) -> int:
    """Return the highest cost in units, in millionths, that is not above a limit.

    A limit is rounded to millionths, as costs are: three steps of 0.1 fit 0.3.
    """
    if limit is math.inf or limit * MILLION >= NO_LIMIT * unit:
        return NO_LIMIT
    return round(limit * MILLION) // unit


def cost_between(entry: ProfileCache, source: int, target: int) -> float:
    """Return the cost of a cheapest path between two nodes; infinity without one."""
    labels = entry.index.labels
    if labels is None or source == target or not entry.graph.stops_everywhere:
        return path_to(entry, source, target, NO_OPTIONS).cost
    cost = labels.cost(source, target)
    return number_of(cost, entry.graph.unit) if cost >= 0 else math.inf


def _is_in_the_way(graph: ProfileGraph, record: NDArray[np.int64], blockers: BlockerNodes) -> bool:
    """Return whether blockers are in the way of a path."""
    nodes = graph.nodes.of_record(record)
    is_shut = np.isin(nodes, blockers.blocked) | np.isin(nodes, blockers.halting)
    return bool(is_shut[:-1].any())  # the goal may halt; a blocked one has been refused


def _no_path(
    entry: ProfileCache,
    source: int,
    target: int,
    options: PathOptions,
    n_closed: int,
) -> Path:
    """Return the answer, with its reason, of a search that found no path."""
    reason = end_reason(entry.graph, source, target, options.blockers)
    if reason:
        return Path.none(reason)
    if options.max_cost < math.inf:
        goal, most = entry.graph.nodes.cell(target), plain_number(options.max_cost)
        return Path.none(Reason("over_budget", goal=goal, budget=most))
    if n_closed >= _WORTH_LABELING:
        entry.label()
    return Path.none(Diagnosis(entry.graph, source, target, options.blockers))


def path_to_nearest(
    entry: ProfileCache, source: int, targets: list[int], options: PathOptions
) -> Path:
    """Return a cheapest path to the target that is cheapest to reach.

    One search runs from all targets back to the source. Ties between paths are broken by the
    next nodes; for a path to one target, by the nodes before.
    """
    graph, blockers = entry.graph, options.blockers
    targets = list(dict.fromkeys(targets))
    free = [target for target in targets if not end_reason(graph, source, target, blockers)]
    if len(free) <= 1:
        target = free[0] if free else targets[0]
        return path_to(entry, source, target, options)
    shut = blockers.blocked
    if len(blockers.halting):  # on reversed edges not entered, unless the path ends there
        halting = blockers.halting[~np.isin(blockers.halting, free)]
        shut = np.concatenate([shut, halting])
    limit = limit_in_units(options.max_cost, graph.unit)
    with entry.workspaces.lend() as workspace:
        guided = graph.guided(is_backward=True)
        record = workspace.find_path_back(guided, np.array(free), source, limit, shut)
    if len(record):
        return Path(record, graph.unit, graph.tilemap)
    return _no_path(entry, source, free[0], options, 0)


def find_all(entry: ProfileCache, pairs: Sequence[tuple[int, int]]) -> list[Path]:
    """Return a cheapest path from the first to the second node of each pair."""
    n_shares = max(1, min(os.cpu_count() or 1, len(pairs) // _MIN_SHARE))
    if entry.index.labels is not None:  # threads would wait for each other most of the time
        n_shares = 1
    elif len(pairs) >= _MIN_SHARE:
        entry.label()  # spares a full search for each pair without a path

    def find(share: Sequence[tuple[int, int]]) -> list[Path]:
        return [path_to(entry, *pair, NO_OPTIONS) for pair in share]

    if n_shares == 1:
        return find(pairs)
    ends = (len(pairs) * share // n_shares for share in range(n_shares + 1))
    found = in_threads(find, [pairs[low:high] for low, high in itertools.pairwise(ends)])
    return list(itertools.chain.from_iterable(found))


def in_threads(answer: Callable[[Q], T], queries: Sequence[Q]) -> list[T]:
    """Return the answers to queries, in order, on all cores."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(queries) or 1)) as pool:
        return list(pool.map(answer, queries))


def path_towards(
    entry: ProfileCache,
    source: int,
    targets: list[int],
    options: PathOptions,
    no_path: Path,
) -> Path:
    """Return the path to the reachable node that is nearest to a target.

    `no_path` is the answer to the query without a path that had the other arguments.
    """
    graph = entry.graph
    if graph.is_void[source]:
        return no_path
    record, reader = reached(entry, source, options.max_cost, options.blockers)
    nodes = record[:, -1]
    last = nearest_end(graph, nodes, record[:, -3], source, targets, options.blockers)
    reach = Reach(graph.tilemap, options.max_cost, record, graph.unit, reader=reader)
    return as_partial(reach.path_to(graph.nodes.cell(nodes.item(last))), no_path.reason)


def reached(
    entry: ProfileCache, source: int, budget: float, blockers: BlockerNodes
) -> tuple[NDArray[np.int64], PathReader | None]:
    """Return all nodes within a budget, and what reads paths to them; see `Workspace.reach`."""
    limit = limit_in_units(budget, entry.graph.unit)
    workspace, guided = entry.workspaces.borrow(), entry.guided
    record = workspace.reach(guided, source, limit, blockers.blocked, blockers.halting)
    entry.workspaces.give_back(workspace)
    if record.shape[1] == 7:
        return record, None
    return record, PathReader(guided.graph, NO_NODES, NO_NODES, blockers.halting)


def reach_all(entry: ProfileCache, sources: NDArray[np.int64], budget: float) -> ReachArrays:
    """Return what a budget reaches from each of some nodes."""
    graph, counts = entry.graph, np.zeros(len(sources), np.int64)
    is_begun = ~graph.is_void[sources]
    limit = limit_in_units(budget, graph.unit)
    with entry.workspaces.lend() as workspace:
        counts[is_begun], found = workspace.reach_many(entry.guided, sources[is_begun], limit)
    if not graph.stops_everywhere:
        nodes, owner = found[:, 0], np.repeat(np.arange(len(sources)), counts)
        is_end = can_end(graph, nodes, FREE) | (nodes == sources[owner])
        found = found[is_end]
        counts = np.bincount(owner[is_end], minlength=len(sources))
    offsets, costs = np.cumsum([0, *counts], dtype=np.int64), numbers_of(found[:, 1], graph.unit)
    return ReachArrays(offsets, graph.nodes.cells_of(found[:, 0]), costs)


def steps_from(entry: ProfileCache, source: int, blockers: BlockerNodes) -> dict[int, float]:
    """Return each node to which a legal step leads, with the cost of the cheapest one."""
    graph, blocked = entry.graph.forward, set(blockers.blocked.tolist())
    costs: dict[int, int] = {}
    for node, cost in graph.edges_from(source):
        if node not in blocked and cost < costs.get(node, NO_LIMIT):
            costs[node] = cost
    return {node: number_of(cost, graph.unit) for node, cost in costs.items()}
