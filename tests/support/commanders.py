"""Commanders and autonomous units of small boards, what they emit, and time that passes."""

from ai import Board, Commander, MoveProfile, Unit
from tests.support.boards import posted


def at(picture, levels=None, **more):
    board, units = posted(picture, levels, **more)
    return Commander(board), units


def recorded_events(commander):
    """Record every signal but `changed`."""
    events = []
    for name in ("unit_selected", "tile_aimed", "order_given", "order_undone", "order_redone"):
        getattr(commander, name).connect(lambda *values, name=name: events.append((name, *values)))
    commander.refused.connect(lambda reason: events.append(("refused", reason)))
    return events


def arrive(unit):
    unit.advance(1000.0)


def board_of(tilemap, **places):
    """Put units on a board, red ones by names in upper case."""
    board = Board(tilemap)
    for name, cell in places.items():
        team = "red" if name.isupper() else "blue"
        board.add(Unit(name, cell, team, MoveProfile(max_climb=1, max_drop=1)))
    board.clear_history()
    return board, {unit.name: unit for unit in board.units}


def pass_time(board, autopilot, seconds, dt_s=0.05):
    for _ in range(round(seconds / dt_s)):
        autopilot.advance(dt_s)
        for unit in board.units:
            unit.advance(dt_s)
