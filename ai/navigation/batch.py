"""Many queries at once, by threads or by the workers of an executor."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import thread_pool
from ai.navigation.blockers import NO_BLOCKERS
from ai.navigation.cost_field import CostField, compute_cost_field
from ai.navigation.graph_cache import ProfileCache
from ai.navigation.path import Path
from ai.navigation.pathfinder import BUDGET_SLACK, NO_OPTIONS, path_to
from ai.navigation.profile_graph import can_end
from ai.navigation.reach import ReachArrays
from ai.rules.profile import MoveProfile

_MIN_SHARE = 16  # a thread costs more than it saves on fewer queries
MIN_SENT_PATHS, MIN_SENT_FIELDS = 256, 4  # each share for an executor takes the map along
_MAX_SENT_SHARES = 64

T = TypeVar("T")
Q = TypeVar("Q")

Pair = tuple[int, int]


def find_all(entry: ProfileCache, pairs: Sequence[Pair]) -> list[Path]:
    """Return a cheapest path from the first to the second node of each pair."""
    n_shares = max(1, min(os.cpu_count() or 1, len(pairs) // _MIN_SHARE))
    if entry.index.labels is not None:  # threads would wait for each other most of the time
        n_shares = 1
    elif len(pairs) >= _MIN_SHARE:
        entry.label()  # spares a full search for each pair without a path

    def find(share: Sequence[Pair]) -> list[Path]:
        return [path_to(entry, *pair, NO_OPTIONS) for pair in share]

    if n_shares == 1:
        return find(pairs)
    found = in_threads(find, [pairs[low:high] for low, high in _bounds(len(pairs), n_shares)])
    return list(itertools.chain.from_iterable(found))


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


def _bounds(count: int, n_shares: int) -> Iterator[tuple[int, int]]:
    """Return where each of equal shares begins and ends."""
    return itertools.pairwise(count * share // n_shares for share in range(n_shares + 1))


def compute_field(entry: ProfileCache, goals: Sequence[int]) -> CostField:
    """Return the cost field of some goal nodes."""
    targets, costs = np.array(goals, dtype=np.int32), np.zeros(len(goals))
    return compute_cost_field(entry, targets, costs, NO_BLOCKERS)


def in_threads(answer: Callable[[Q], T], queries: Sequence[Q]) -> list[T]:
    """Return the answers to queries, in order, on all cores."""
    with thread_pool(min(os.cpu_count() or 1, len(queries) or 1)) as pool:
        return list(pool.map(answer, queries))


def send(
    executor: Executor,
    answer: Callable[..., list[T]],
    queries: Sequence[Sequence[Any]],
    least: int,
    *others: object,
) -> list[T]:
    """Return what an executor's workers answer to shares of at least `least` queries, in order.

    `queries` are the arguments that are shared out, all of one length; `others` follow them.
    """
    count = len(queries[0])
    futures = [
        executor.submit(answer, *(each[low:high] for each in queries), *others)
        for low, high in _bounds(count, max(1, min(_MAX_SENT_SHARES, count // least)))
    ]
    return [each for future in futures for each in future.result()]


def field_arrays(
    compute: Callable[..., list[CostField]], goal_sets: Sequence[Any], profile: MoveProfile
) -> list[tuple[NDArray[Any], ...]]:
    """Return the arrays of cost fields, which a worker sends back without the map."""
    return [field.arrays for field in compute(goal_sets, profile)]
