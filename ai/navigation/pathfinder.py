"""Path queries between nodes: to a goal, to the nearest of several, as near as possible, many."""

import itertools
import math
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import thread_pool
from ai.navigation.blockers import NO_BLOCKERS, Blockers
from ai.navigation.diagnosis import Diagnosis
from ai.navigation.graph_cache import ProfileCache
from ai.navigation.path import Path, plain_number, trace_path
from ai.navigation.profile_graph import can_end, end_reason, nearest_end
from ai.navigation.reach import ReachArrays
from ai.search.hub_labels import HubLabels
from ai.search.search_state import GOAL_FOUND
from terrain3d import Reason

BUDGET_SLACK = 1 + 1e-12  # so that three steps of 0.1 fit a budget of 0.3
_WORTH_LABELING = 256  # a failed search of so many expansions pays for labeling the components
_MIN_SHARE = 16  # a thread costs more than it saves on fewer queries

T = TypeVar("T")
Q = TypeVar("Q")


class PathOptions(NamedTuple):
    """Options of a query of one path; see `Navigation.find_path`."""

    heuristic: str = "auto"
    blockers: Blockers = NO_BLOCKERS
    max_cost: float = math.inf

    def checked(self) -> "PathOptions":
        """Return the options, or `NO_OPTIONS` for them."""
        return NO_OPTIONS if self.blockers is NO_BLOCKERS and self == NO_OPTIONS else self


NO_OPTIONS = PathOptions()
"""A query without options; recognized by identity."""


def path_to(entry: ProfileCache, source: int, target: int, options: PathOptions) -> Path:
    """Return a cheapest path between two nodes."""
    graph, labels = entry.graph, entry.index.labels
    # A path of one cell is not cached: it has no step that gets illegal when its cell is void.
    is_plain = options is NO_OPTIONS and source != target
    if not is_plain:
        graph.guided(options.heuristic)  # raises for an unknown one, also without a search
    elif labels is None and (known := entry.paths.get((source, target))):
        return known
    # Where a path may end on every node it can reach, a found path needs no check of its ends.
    if not (is_plain and graph.stops_everywhere):
        reason = end_reason(graph, source, target, options.blockers)
        if reason:
            return Path.none(reason)
    if labels is not None:
        record = labels.look_up(source, target)
        path = Path(record, graph.tilemap)
        if not len(record) or (not is_plain and path.cost > options.max_cost * BUDGET_SLACK):
            return _no_path(entry, source, target, options, 0)
        if is_plain or not _is_in_the_way(entry, labels, record, options.blockers):
            return path
    return _searched_path(entry, source, target, options, is_plain=is_plain)


def _searched_path(
    entry: ProfileCache, source: int, target: int, options: PathOptions, *, is_plain: bool
) -> Path:
    """Return a path by a search; a plain one is kept for equal queries."""
    graph = entry.graph
    if entry.rules_out(source, target):
        return _no_path(entry, source, target, options, 0)
    if source == target:
        here = (*graph.nodes.cell(source), 0, graph.level.item(source))
        return Path(np.array([here], dtype=np.int32), graph.tilemap)
    workspace = entry.workspaces.borrow()
    landmarks = entry.index.landmarks if options.heuristic == "auto" else None
    workspace.one_source[0] = source
    graph.guided(options.heuristic, blockers=options.blockers).search(
        workspace,
        workspace.one_source,
        workspace.no_cost,
        target,
        landmarks=landmarks,
        limit=options.max_cost * BUDGET_SLACK,
        blocked=options.blockers.blocked,
    )
    record = workspace.found_path()
    n_expanded = 0 if len(record) else workspace.n_expanded
    entry.workspaces.give_back(workspace)
    if not len(record):
        return _no_path(entry, source, target, options, n_expanded)
    path = Path(record, graph.tilemap)
    if is_plain:
        entry.keep((source, target), path)
    return path


def cost_between(entry: ProfileCache, source: int, target: int) -> float:
    """Return the cost of a cheapest path between two nodes; infinity without one."""
    labels = entry.index.labels
    if labels is None or source == target or not entry.graph.stops_everywhere:
        return path_to(entry, source, target, NO_OPTIONS).cost
    return labels.cost(source, target)


def _is_in_the_way(
    entry: ProfileCache, labels: HubLabels, record: NDArray[np.int32], blockers: Blockers
) -> bool:
    """Return whether blockers may be in the way of a path by the labels."""
    # Beside a blocked node a diagonal step may cut its corner.
    margin = int(entry.graph.rule.has_corners)
    is_blocked = labels.is_near(record, blockers.blocked, margin)
    return is_blocked or labels.is_near(record[:-1], blockers.halting, 0)


def _no_path(
    entry: ProfileCache,
    source: int,
    target: int,
    options: PathOptions,
    n_expanded: int,
) -> Path:
    """Return the answer, with its reason, of a search that found no path."""
    reason = end_reason(entry.graph, source, target, options.blockers)
    if reason:
        return Path.none(reason)
    if options.max_cost < math.inf:
        goal, most = entry.graph.nodes.cell(target), plain_number(options.max_cost)
        return Path.none(Reason("over_budget", goal=goal, budget=most))
    if n_expanded >= _WORTH_LABELING:
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
    guided = graph.guided(options.heuristic, is_backward=True, blockers=blockers)
    with entry.workspaces.lend() as workspace:
        status = guided.search(
            workspace,
            np.array(free, dtype=np.int32),
            np.zeros(len(free), dtype=workspace.no_cost.dtype),
            source,
            limit=options.max_cost * BUDGET_SLACK,
            blocked=blockers.blocked,
            is_backward=True,
        )
        if status == GOAL_FOUND:
            return Path(workspace.found_path(), graph.tilemap)
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
    with thread_pool(min(os.cpu_count() or 1, len(queries) or 1)) as pool:
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
    record = reached(entry, source, options.max_cost, options.blockers)
    nodes = record[:, 6].astype(np.int64)
    last = nearest_end(graph, nodes, record[:, 3], source, targets, options.blockers)
    return Path(trace_path(record, last), graph.tilemap, no_path.reason, partial=True)


def reached(entry: ProfileCache, source: int, limit: float, blockers: Blockers) -> NDArray[Any]:
    """Return all nodes within a limit of cost; see `GuidedGraph.reach`."""
    guided, workspace = entry.graph.guided("zero", blockers=blockers), entry.workspaces.borrow()
    record = guided.reach(workspace, source, limit * BUDGET_SLACK, blockers.blocked)
    entry.workspaces.give_back(workspace)
    return record


def reach_all(entry: ProfileCache, sources: NDArray[np.int64], budget: float) -> ReachArrays:
    """Return what a budget reaches from each of some nodes."""
    graph, counts = entry.graph, np.zeros(len(sources), np.int64)
    is_begun = ~graph.is_void[sources]
    begun = sources[is_begun].astype(np.int32)
    with entry.workspaces.lend() as workspace:
        found = graph.guided("zero").reach_many(workspace, begun, budget * BUDGET_SLACK)
    counts[is_begun], cells, costs = found
    if not graph.stops_everywhere:
        nodes, owner = graph.nodes.of_record(cells), np.repeat(np.arange(len(sources)), counts)
        is_end = can_end(graph, nodes, NO_BLOCKERS) | (nodes == sources[owner])
        cells, costs = cells[is_end], costs[is_end]
        counts = np.bincount(owner[is_end], minlength=len(sources))
    return ReachArrays(np.cumsum([0, *counts], dtype=np.int64), cells, costs)


def steps_from(entry: ProfileCache, source: int, blockers: Blockers) -> dict[int, float]:
    """Return each node to which a legal step leads, with the cost of the cheapest one."""
    graph, edges, blocked = entry.graph, entry.graph.forward, blockers.blocked
    is_blocked = set(blocked.tolist())
    if is_blocked and graph.rule.has_corners:  # those farther away are not worth a graph
        here, cells = graph.nodes.cell(source), map(graph.nodes.cell, blocked.tolist())
        blocked = blocked[[abs(r - here.row) <= 1 and abs(c - here.col) <= 1 for r, c, _ in cells]]
        edges = graph.guided(blockers=Blockers(blocked)).graph
    costs: dict[int, float] = {}
    for node, cost in edges.edges_from(source):
        if node not in is_blocked and cost < costs.get(node, math.inf):
            costs[node] = cost
    return costs
