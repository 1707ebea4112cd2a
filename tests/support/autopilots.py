"""Boards with autonomous units, and time that passes for them."""

from ai import Board, MoveProfile, Unit


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
