"""Many queries at once, by threads or by the workers of an executor."""

from __future__ import annotations

import copy
import functools
import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Literal, Self, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.navigation.blockers import NO_BLOCKERS
from ai.navigation.cost_field import CostField, compute_cost_field
from ai.navigation.diagnosis import Diagnosis
from ai.navigation.graph_cache import GraphCache, ProfileCache
from ai.navigation.path import Path, PathArrays, on_map
from ai.navigation.profile_graph import end_reason
from ai.rules.nodes import NO_NODES, Nodes, converted
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from ai.search.search_state import GOAL_FOUND
from ai.search.workspace import IntWorkspace
from terrain3d import TileMap
from terrain3d.core.checks import instance_of, optional, true_or_false
from terrain3d.grid.grid import CellLike

_MIN_SHARE = 16  # a thread costs more than it saves on fewer queries
_MIN_SENT_PATHS, _MIN_SENT_FIELDS = 256, 4  # each share for an executor takes the map along
_MAX_SENT_SHARES = 64

T = TypeVar("T")
Q = TypeVar("Q")

Pair = tuple[int, int]


class BatchQueries:
    """The queries of `Navigation` that are many at once."""

    def __init__(self, tilemap: TileMap) -> None:
        self._tilemap = instance_of("tilemap", tilemap, TileMap)
        self._nodes = Nodes(tilemap)
        self._graphs = GraphCache(tilemap)

    @overload
    def find_paths(
        self,
        starts: Iterable[CellLike],
        goals: Iterable[CellLike],
        profile: MoveProfile = ...,
        *,
        extra_cost: ArrayLike | None = ...,
        executor: Executor | None = ...,
        as_arrays: Literal[False] = ...,
    ) -> list[Path]: ...

    @overload
    def find_paths(
        self,
        starts: Iterable[CellLike],
        goals: Iterable[CellLike],
        profile: MoveProfile = ...,
        *,
        extra_cost: ArrayLike | None = ...,
        executor: Executor | None = ...,
        as_arrays: Literal[True],
    ) -> PathArrays: ...

    def find_paths(
        self,
        starts: Iterable[CellLike],
        goals: Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        extra_cost: ArrayLike | None = None,
        executor: Executor | None = None,
        as_arrays: bool = False,
    ) -> list[Path] | PathArrays:
        """Answer many queries at once, on all cores: the i-th path leads from start i to goal i.

        Parameters
        ----------
        starts, goals : cells
        profile, extra_cost
            As in `find_path`.
        executor : concurrent.futures.Executor, optional
            Answers shares of at least 256 queries, as on other machines. Each share takes a copy of
            the map along, without indexes.
        as_arrays : bool
            Whether to return the paths as `PathArrays`: offsets, cells and costs.

        Raises
        ------
        IndexError, TypeError, ValueError
            There are not as many goals as starts; as `find_path`.
        """
        true_or_false("as_arrays", as_arrays)
        with self._tilemap.lock:
            ends = self._nodes.each("starts", starts), self._nodes.each("goals", goals)
            if len(ends[0]) != len(ends[1]):
                raise ValueError(f"got {len(ends[0])} starts and {len(ends[1])} goals")
            pairs = list(zip(*ends, strict=True))
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            copied = self._copy_for(executor)
            paths = _find_all(entry, pairs) if copied is None else []
        if copied is not None and executor is not None:
            find = functools.partial(copied.find_paths, extra_cost=extra_cost)
            cells = tuple(list(map(self._nodes.cell, each)) for each in ends)
            sent = _send(executor, find, cells, _MIN_SENT_PATHS, profile)
            paths = [on_map(path, self._tilemap) for path in sent]
        return PathArrays.of(paths) if as_arrays else paths

    def cost_fields(
        self,
        goal_sets: Iterable[CellLike | Iterable[CellLike]],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        extra_cost: ArrayLike | None = None,
        executor: Executor | None = None,
    ) -> list[CostField]:
        """Compute many cost fields at once, on all cores: one for each cell or set of goals.

        Parameters
        ----------
        goal_sets : sequence of cell or cells
        profile, extra_cost
            As in `find_path`.
        executor : concurrent.futures.Executor, optional
            Computes shares of at least 4 fields. Each share takes a copy of the map along, and
            brings back up to 22 bytes for each surface and field.

        Raises
        ------
        IndexError, TypeError, ValueError
            As `cost_field`.
        """
        with self._tilemap.lock:
            to_nodes = functools.partial(self._nodes.several, what="goal")
            nodes = converted("goal_sets", goal_sets, to_nodes)
            entry = self._graphs.with_extra_cost(self._graphs.of(profile), extra_cost)
            copied = self._copy_for(executor)
            if copied is None or executor is None:
                return _in_threads(functools.partial(_compute_field, entry), nodes)
        compute = functools.partial(copied.cost_fields, extra_cost=extra_cost)
        worker = functools.partial(_field_arrays, compute)
        cells = [list(map(self._nodes.cell, each)) for each in nodes]
        found = _send(executor, worker, (cells,), _MIN_SENT_FIELDS, profile)
        return [CostField(self._nodes, *arrays) for arrays in found]

    def distances(
        self,
        starts: Iterable[CellLike],
        goals: Iterable[CellLike],
        profile: MoveProfile = DEFAULT_PROFILE,
        *,
        pairwise: bool = False,
    ) -> NDArray[np.float64]:
        """Return the costs of cheapest paths between many cells; infinity without a path.

        Parameters
        ----------
        starts, goals : n and m cells
        profile : MoveProfile
        pairwise : bool
            Whether to answer only from start i to goal i, which needs as many starts as goals.

        Returns
        -------
        (n, m) or, if pairwise, (n,) float64
            From start i to goal j at [i, j]. The matrix takes a cost field for each goal, the
            vector a search for each pair.
        """
        if true_or_false("pairwise", pairwise):
            return self.find_paths(starts, goals, profile, as_arrays=True).costs
        with self._tilemap.lock:
            nodes = self._nodes.each("starts", starts)
            targets = self._nodes.each("goals", goals)
            entry = self._graphs.of(profile)

            def costs_to(goal: int) -> NDArray[np.float64]:
                # A field takes 22 bytes for each surface: none is kept.
                return _compute_field(entry, [goal]).cost.ravel()[nodes]

            costs = _in_threads(costs_to, targets)
        return np.array(costs, np.float64).reshape(len(targets), len(nodes)).T.copy()

    def _copy_for(self, executor: Executor | None) -> Self | None:
        """Return a copy for the workers of an executor, that later edits do not change."""
        optional("executor", executor, Executor)
        return None if executor is None else type(self)(copy.copy(self._tilemap))


def _find_all(entry: ProfileCache, pairs: Sequence[Pair]) -> list[Path]:
    """Return a cheapest path from the first to the second node of each pair."""
    n_shares = max(1, min(os.cpu_count() or 1, len(pairs) // _MIN_SHARE))
    if entry.components is None and len(pairs) >= _MIN_SHARE:
        entry.label_components()  # spares a full search for each pair without a path

    def answer(share: Sequence[Pair]) -> list[Path]:
        return _find_share(entry, share)

    if n_shares == 1:
        return answer(pairs)
    bounds = [len(pairs) * share // n_shares for share in range(n_shares + 1)]
    shares = [pairs[low:high] for low, high in itertools.pairwise(bounds)]
    with ThreadPoolExecutor(n_shares) as pool:
        return [path for paths in pool.map(answer, shares) for path in paths]


def _compute_field(entry: ProfileCache, goals: Sequence[int]) -> CostField:
    targets, costs = np.array(goals, dtype=np.int32), np.zeros(len(goals))
    return compute_cost_field(entry.graph, entry.workspaces, targets, costs, NO_NODES)


def _in_threads(answer: Callable[[Q], T], queries: Sequence[Q]) -> list[T]:
    """Return the answers to queries, in order, on all cores."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(queries) or 1)) as pool:
        return list(pool.map(answer, queries))


def _send(
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
    n_shares = max(1, min(_MAX_SENT_SHARES, count // least))
    bounds = [count * share // n_shares for share in range(n_shares + 1)]
    futures = [
        executor.submit(answer, *(each[low:high] for each in queries), *others)
        for low, high in itertools.pairwise(bounds)
    ]
    return [each for future in futures for each in future.result()]


def _field_arrays(
    compute: Callable[..., list[CostField]], goal_sets: Sequence[Any], profile: MoveProfile
) -> list[tuple[NDArray[Any], ...]]:
    """Return the arrays of cost fields, which a worker sends back without the map."""
    return [field.arrays for field in compute(goal_sets, profile)]


def _find_share(entry: ProfileCache, pairs: Sequence[Pair]) -> list[Path]:
    graph = entry.graph
    guided = graph.guided()
    reasons: dict[int, object] = {}
    for number, (start, goal) in enumerate(pairs):
        reason: object = end_reason(graph, start, goal, NO_BLOCKERS)
        if not reason and entry.rules_out(start, goal):
            reason = Diagnosis(graph, start, goal, NO_BLOCKERS)
        if reason:
            reasons[number] = reason
    searched = [pair for number, pair in enumerate(pairs) if number not in reasons]
    starts = np.array([start for start, _ in searched], dtype=np.int32)
    goals = np.array([goal for _, goal in searched], dtype=np.int32)
    all_pairs, landmarks = entry.index.all_pairs, entry.index.landmarks
    with entry.workspaces.lend() as workspace:
        if all_pairs is not None:
            records = all_pairs.look_up_many(workspace, starts, goals)
        elif isinstance(workspace, IntWorkspace):
            records = guided.search_many(workspace, starts, goals, landmarks)
        else:
            records = []
            for start, goal in searched:
                workspace.one_source[0] = start
                sources = workspace.one_source, workspace.no_cost
                status = guided.search(workspace, *sources, goal, landmarks=landmarks)
                records.append(workspace.found_path()[: None if status == GOAL_FOUND else 0])
    remaining = iter(records)
    paths = []
    for number, (start, goal) in enumerate(pairs):
        record = None if number in reasons else next(remaining)
        if record is not None and len(record):
            paths.append(Path(record, tilemap=graph.tilemap))
        else:
            reason = reasons.get(number) or Diagnosis(graph, start, goal, NO_BLOCKERS)
            paths.append(Path.none(reason))
    return paths
