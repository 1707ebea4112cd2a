"""Small boards with units on them, and what can be seen of their state."""

import math
from itertools import cycle

from ai import Board, MoveProfile, Unit
from tests.support.reference import ground

CLIMBER = MoveProfile(max_climb=9, max_drop=9)
VALLEY = "0113\n0250\n2201"
FIELD = "00000\n00000\n00000"


def board_with(*cells, levels=FIELD, teams=("blue",), **more):
    board = Board(ground(levels))
    who = zip(["Mira", "Odo", "Pell"], cells, cycle(teams), strict=False)
    units = [board.add(Unit(name, cell, team, **more)) for name, cell, team in who]
    return board, *units


def posted(picture, levels=None, **more):
    """Make a board from a picture: small letters are units of one team, capitals of another.

    Of a letter that is there several times, the first is the cell of a unit that covers them.
    Give the board and its units by their letters; `more` are arguments of single units by letter,
    and with "all" those of all.
    """
    lines = picture.split("\n")
    board = Board(ground(levels or "\n".join("0" * len(line) for line in lines)))
    units = {}
    for row, line in enumerate(lines):
        for col, sign in enumerate(line):
            if sign.isalpha() and sign not in units:
                options = {"has_zoc": sign.isupper(), **more.get("all", {}), **more.get(sign, {})}
                team = "red" if sign.isupper() else "blue"
                units[sign] = board.add(Unit(sign, (row, col), team, **options))
    return board, units


def reached(board, unit):
    """Draw what one order can take a unit to: the cost of each tile, dots, and others' letters."""
    reach = board.reach(unit)
    rows = []
    for row in range(board.tilemap.rows):
        cells = [(row, col) for col in range(board.tilemap.cols)]
        rows.append("".join(_sign(board, unit, reach, cell) for cell in cells))
    return "\n".join(rows)


def _sign(board, unit, reach, cell):
    other = board.unit_at(cell)
    if cell in reach:
        assert other in (None, unit)
        return str(reach.cost_to(cell))
    return "." if other is None else other.name


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
