"""Small boards with units on them, and what can be seen of their state."""

import math

from ai import Board, MoveProfile, Unit
from tests.ai.reference import ground

CLIMBER = MoveProfile(max_climb=9, max_drop=9)
VALLEY = "0113\n0250\n2201"
FIELD = "00000\n00000\n00000"


def board_with(*cells, levels=FIELD, **more):
    board = Board(ground(levels))
    names = ["Mira", "Odo", "Pell"]
    units = [board.add(Unit(name, cell, **more)) for name, cell in zip(names, cells, strict=False)]
    return board, *units


def state(board):
    return [(unit.name, unit.cell, unit.pose, unit.is_moving) for unit in board.units]


def put(levels=VALLEY, cell=(0, 0), **more):
    """Make a board with one unit that gets anywhere; give both."""
    board = Board(ground(levels))
    return board, board.add(Unit("Mira", cell, profile=CLIMBER, move=math.inf, **more))


def listen(unit):
    """Write down everything a unit announces, with where its pose is then."""
    heard = []
    unit.move_started.connect(lambda cells: heard.append(("started", cells[0][:2], cells[-1][:2])))
    unit.step_finished.connect(lambda cell: heard.append(("step", cell[:2], unit.pose.point)))
    unit.move_finished.connect(lambda cell: heard.append(("finished", cell[:2], unit.pose.point)))
    return heard
