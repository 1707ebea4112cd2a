"""Searches on the map: their cells, and the open and closed tiles of a theatre."""

from ai.navigation.search import DONE, FRONTIER
from terrain3d import Cell


def cell_of(tilemap, number):
    return Cell(*divmod(number, tilemap.cols))


def latest(theatre):
    """Return what the step that is shown has changed: the closed node, and all nodes."""
    step = theatre.search.steps[theatre.step - 1]
    return step.closed, [*step.after]


def open_and_closed(theatre):
    """Return the open and closed cells that the latest step did not touch."""
    search = theatre.search
    known = {node: 0 for step in search.steps for node in step.after}
    known[search.ends[0]] = FRONTIER
    for step in search.steps[: theatre.step]:
        known |= {node: each.state for node, each in step.after.items()}
    cells = [
        (cell_of(search.tilemap, node), state)
        for node, state in known.items()
        if node not in latest(theatre)[1]
    ]
    return tuple([cell for cell, state in cells if state == each] for each in (FRONTIER, DONE))
