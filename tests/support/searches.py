"""Replays of searches, and their open and closed tiles at a step."""

from ai import Navigation, Replay
from terrain3d import Cell


def replay_of(tilemap, start, goal, **how):
    return Replay(Navigation(tilemap).begin_search(start, goal, **how))


def cell_of(tilemap, number):
    return Cell(*divmod(number, tilemap.cols))


def open_and_closed(replay, tilemap):
    """Return the open and closed cells that the latest step did not touch."""
    latest = {replay.closed, *replay.opened.tolist(), *replay.cheaper.tolist()}
    numbers = [number for number in replay.met.tolist() if number not in latest]
    cells = [(cell_of(tilemap, number), int(replay.state[number])) for number in numbers]
    return [cell for cell, state in cells if state == 1], [
        cell for cell, state in cells if state == 2
    ]
