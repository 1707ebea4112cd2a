"""Paths over several turns, and what one turn reaches, by `ai.search.turn_search`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import BlockerCells, Blockers
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph, can_end, end_reason
from ai.navigation.reach import Reach
from ai.rules.profile import MoveProfile
from ai.search.turn_search import (
    BLOCKED,
    HALTING,
    NODE,
    NOWHERE,
    PARENT,
    REPLACED,
    STATE,
    STOP,
    TURN,
    search_turns,
)
from terrain3d import Cell


class TurnPath(NamedTuple):
    """A path over turns, and the number of its cell on which each turn ends."""

    path: Path
    turn_ends: tuple[int, ...]


def find_turn_path(
    navigation: Navigation,
    start: Cell,
    goal: Cell,
    profile: MoveProfile,
    budgets: tuple[float, float],
    blockers: BlockerCells,
    *,
    always_one_step: bool = False,
) -> TurnPath | None:
    """Return a path with the fewest turns, then the least cost, then the least in the last turn.

    Parameters
    ----------
    budgets : (number, number)
        What the first turn can spend, and each later one; what is left of a turn is lost.
    blockers : BlockerCells
        A turn ends on a halting cell that it enters, and the next turn goes on from there.
    always_one_step : bool
        Whether a step may cost more than what is left of a turn, if anything is left.

    Returns
    -------
    TurnPath or None
        None if no number of turns is enough. The first turn ends on cell 0 if it has too little
        for any step of the path.
    """
    with navigation.tilemap.lock:
        graph = navigation.profile_graph(profile)
        source, target = graph.nodes.of(start), graph.nodes.of(goal)
        around = Blockers.of(graph.nodes, profile.size, source, **blockers)
        if end_reason(graph, source, target, around):
            return None
        marks, limits = _marks(graph, around, blockers), np.array(budgets, float)
        labels, values, last = _search(
            graph, around, marks, (source, target), limits, always_one_step
        )
        if last < 0:
            return None
        chain = np.array([*_chain(labels, last)])[::-1]
        # Where a turn ends there are two labels of one node.
        begins_turn = np.diff(labels[chain, TURN], prepend=0) > 0
        place, kept = np.cumsum(~begins_turn) - 1, chain[~begins_turn]
        record = graph.record(labels[kept, NODE], values[kept, 0])
    ends = (*place[begins_turn].tolist(), len(kept) - 1)
    return TurnPath(Path(record, navigation.tilemap), ends)


def reach_with_one_step(
    navigation: Navigation,
    start: Cell,
    budget: float,
    profile: MoveProfile,
    blockers: BlockerCells,
) -> Reach:
    """Return what a budget reaches if, with anything left, a step may cost more than is left."""
    plain = navigation.reach(start, budget, profile, **blockers)
    if not len(plain):
        return plain
    with navigation.tilemap.lock:
        graph = navigation.profile_graph(profile)
        source = graph.nodes.of(start)
        around = Blockers.of(graph.nodes, profile.size, source, **blockers)
        marks, limits = _marks(graph, around, blockers), np.array([budget, -1.0])
        labels, values, _ = _search(graph, around, marks, (source, NOWHERE), limits, True)
        kept = np.flatnonzero(labels[:, STATE] != REPLACED)
        kept = kept[np.argsort(values[kept, 0], kind="stable")]
        entries = np.full(len(labels) + 1, -1)  # the last is that of no parent
        entries[kept] = np.arange(len(kept))
        nodes = labels[kept, NODE]
        record = np.column_stack(
            [graph.record(nodes, values[kept, 0]), entries[labels[kept, PARENT]], nodes]
        )
        is_end = (marks[nodes] & STOP > 0) | (nodes == source)
    return Reach(navigation.tilemap, budget, record, is_end=is_end)


def _marks(graph: ProfileGraph, around: Blockers, blockers: BlockerCells) -> NDArray[np.uint8]:
    """(n_nodes,) what `search_turns` has to know of each node."""
    marks = np.zeros(graph.level.size, np.uint8)
    marks[can_end(graph, np.arange(marks.size), around)] = STOP
    marks[around.blocked] = BLOCKED
    marks[[graph.nodes.of(tile) for tile in blockers["halting"]]] |= HALTING
    return marks


def _search(
    graph: ProfileGraph,
    around: Blockers,
    marks: NDArray[np.uint8],
    ends: tuple[int, int],
    limits: NDArray[np.float64],
    always_one_step: bool,
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Return what `search_turns` finds."""
    steps = graph.guided(blockers=Blockers(around.blocked)).graph
    shape = np.array([graph.nodes.cols, graph.profile.size])
    return search_turns(steps.edge_arrays, marks, shape, *ends, limits, always_one_step)


def _chain(labels: NDArray[np.int64], label: int) -> Iterator[int]:
    """Yield a label and those before it."""
    while label >= 0:
        yield label
        label = labels.item(label, PARENT)
