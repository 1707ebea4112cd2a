"""Plans of crowds on generated ground, in rooms and in corridors, checked by plain code."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from functools import partial

from tests.long import Check, Kind
from tests.long.plans import Board, columns, field, generated, packed, planned, rooms


def crowds(seed: int) -> Iterator[Board]:
    """Yield boards with many units."""
    for n_units in (40, 160):
        yield from generated(32, n_units, seed)
    yield from map(rooms, (20, 100, 200))
    yield from map(packed, (32, 50, 60))
    yield from (field(), columns(3), columns(4))


def check(board: Board) -> Counter[str]:
    """Plan the crowd of a board, and print a row of a table."""
    plan, excess, seconds = planned(board)
    result = (f"{1 + excess:.3f}", plan.ticks) if plan else (plan.reason, "")
    print("", board.name, len(board.starts), *result, f"{seconds:.3g} s", "", sep=" | ")
    return Counter(["boards"])


def checks(options: Namespace) -> Iterator[tuple[str, Check]]:
    """Yield a check for each board."""
    print("| board | units | cost / lower bound | ticks | time |")
    for board in crowds(options.seed):
        yield str(board), partial(check, board)


KIND = Kind("boards", None, checks)
