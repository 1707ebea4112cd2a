"""Small boards with units, drawn or random, their commanders, and changes of one thing alone."""

import math
from contextlib import suppress
from functools import partial
from itertools import cycle

import hypothesis.strategies as st

from ai import Board, Commander, MoveProfile, Unit
from tests.support.reference import cells_of, ground, profiles, tilemaps

CLIMBER = MoveProfile(max_climb=9, max_drop=9)
VALLEY = "0113\n0250\n2201"
FIELD = "00000\n00000\n00000"


def board_with(*cells, levels=FIELD, teams=("blue",), **more):
    board = Board(ground(levels))
    entries = zip(["Mira", "Odo", "Pell"], cells, cycle(teams), strict=False)
    units = [board.add(Unit(name, cell, team, **more)) for name, cell, team in entries]
    board.clear_history()
    return board, *units


def posted(picture, levels=None, **more):
    """Make a board from a picture: small letters are units of one team, capitals of another.

    The first of several equal letters is the cell of a unit that covers them. Return the board and
    its units by their letters; `more` are arguments of single units by letter, or of "all".
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
    board.clear_history()
    return board, units


class OneByOne:
    """Carries out each call of a method in an edit, or in an action, of its own."""

    def __init__(self, opened):
        self._opened = opened

    def __getattr__(self, name):
        return partial(self._call, name)

    def _call(self, name, *values, **more):
        with self._opened() as change:
            return getattr(change, name)(*values, **more)


def one_edit(tilemap):
    return OneByOne(tilemap.edit)


def one_action(board):
    return OneByOne(partial(board.action, "act"))


TEAMS = st.sampled_from(["blue", "red", "green"])
MOVES = st.sampled_from([0, 1, 2, 5, 7.5, 20, math.inf])


def random_units(name, cells, movers=profiles, moves=MOVES, **more):
    waits = st.sampled_from([1, 2.5, 10])
    values = [st.just(name), st.sampled_from(cells), TEAMS, movers, moves]
    return st.builds(Unit, *values, has_zoc=st.booleans(), wait=waits, **more)


@st.composite
def random_boards(draw, movers=profiles, turns=(None,), max_side=6, most=8, **more):
    """Draw boards with up to `most` units on them; `more` are strategies for their arguments."""
    tilemap = draw(tilemaps(max_side=max_side))
    board = Board(tilemap, draw(st.sampled_from(turns)))
    for number in range(draw(st.integers(0, most))):
        with suppress(ValueError):  # it cannot stand there
            board.add(draw(random_units(f"unit {number}", cells_of(tilemap), movers, **more)))
    board.clear_history()
    return board


def twin_of(unit):
    """Return an equal unit that is on no board and looks north."""
    more = {"has_zoc": unit.has_zoc, "wait": unit.wait}
    return Unit(unit.name, unit.cell, unit.team, unit.profile, unit.move, **more)


def state(board):
    return [(unit.name, unit.cell, unit.pose, unit.is_moving) for unit in board.units]


def put(levels=VALLEY, cell=(0, 0), **more):
    """Return a board with one unit that can go anywhere, and the unit."""
    return board_with(cell, levels=levels, profile=CLIMBER, move=math.inf, **more)


def listen(unit):
    """Record every signal of a unit, with its pose at that time."""
    heard = []
    unit.move_started.connect(lambda cells: heard.append(("started", cells[0][:2], cells[-1][:2])))
    unit.step_finished.connect(lambda cell: heard.append(("step", cell[:2], unit.pose.point)))
    unit.move_finished.connect(lambda cell: heard.append(("finished", cell[:2], unit.pose.point)))
    return heard


def at(picture, levels=None, chosen=None, **more):
    board, units = posted(picture, levels, **more)
    commander = Commander(board)
    commander.select(units.get(chosen))
    return commander, units


def recorded_events(commander):
    events = []
    for name in ("unit_selected", "tile_aimed", "order_given", "order_undone", "order_redone"):
        getattr(commander, name).connect(lambda *values, name=name: events.append((name, *values)))
    commander.refused.connect(lambda reason: events.append(("refused", reason)))
    return events


def heard_of(signal):
    heard = []
    signal.connect(heard.append)
    return heard


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
