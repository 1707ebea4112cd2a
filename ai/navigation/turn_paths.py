"""Paths over several turns, and what one turn reaches, by `ai.search.turn_search`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import BlockerCells, Blockers
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.profile_graph import ProfileGraph, can_end
from ai.rules.profile import MoveProfile
from ai.search.turn_search import BLOCKED, HALTING, NODE, PARENT, STOP, TURN, search_turns
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
) -> TurnPath | None:
    """Return a path with the fewest turns, then the least cost, then the least in the last turn.

    Parameters
    ----------
    navigation : Navigation
    start, goal : Cell
    profile : MoveProfile
    budgets : (number, number)
        What the first turn can spend, and each later one; what is left of a turn is lost.
    blockers : BlockerCells
        A turn ends on a halting cell that it enters, and the next turn goes on from there.

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
        marks = np.zeros(graph.level.size, np.uint8)
        marks[can_end(graph, np.arange(marks.size), around)] = STOP
        marks[around.blocked] = BLOCKED
        marks[[graph.nodes.of(tile) for tile in blockers["halting"]]] |= HALTING
        if graph.is_void[source] or not marks[target] & STOP:
            return None
        steps = graph.guided(blockers=Blockers(around.blocked)).graph
        shape, limits = np.array([graph.nodes.cols, profile.size]), np.array(budgets, float)
        labels, values, last = search_turns(
            steps.edge_arrays, marks, shape, source, target, limits, False
        )
        if last < 0:
            return None
        chain = np.array([*_chain(labels, last)])[::-1]
        # Where a turn ends there are two labels of one node.
        begins_turn = np.diff(labels[chain, TURN], prepend=0) > 0
        place, kept = np.cumsum(~begins_turn) - 1, chain[~begins_turn]
        record = _record(graph, labels[kept, NODE], values[kept, 0])
    ends = (*place[begins_turn].tolist(), len(kept) - 1)
    return TurnPath(Path(record, tilemap=navigation.tilemap), ends)


def _chain(labels: NDArray[np.int64], label: int) -> Iterator[int]:
    """Yield a label and those before it."""
    while label >= 0:
        yield label
        label = labels.item(label, PARENT)


def _record(
    graph: ProfileGraph, nodes: NDArray[np.int64], costs: NDArray[np.float64]
) -> NDArray[Any]:
    """(n, 5) row, column, deck, cost so far and level of nodes."""
    cells = np.array([graph.nodes.cell(node) for node in nodes.tolist()])
    return np.column_stack([cells, costs, graph.level[nodes]])
