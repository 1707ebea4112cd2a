"""Reasons of paths and orders in the words of a player."""

import re

from terrain3d import Cell
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike, as_cell

_CELL = r"(\(\d+, \d+\)(?: deck \d+)?)"
_WORDINGS = (
    (r"climb (\d+) > (\d+) at @", r"the climb at \3 is \1 levels, the limit is \2"),
    (r"drop (\d+) > (\d+) at @", r"the drop at \3 is \1 levels, the limit is \2"),
    (r"warp (\d+) > (\d+) at @", r"the warp to \3 is \1 tiles, the limit is \2"),
    (r"no headroom: (-?\d+) < (\d+) at @", r"it is \2 levels tall, and \1 are free at \3"),
    (r" at @ cannot be entered", r" cannot be entered at \1"),
    (r"the start @ is void", r"there is no ground at the start"),
    (r"@ is void", r"there is no ground at \1"),
    (r"@ is occupied", r"another unit stands at \1"),
    (r"no warps of range (\d+) lead to @", r"no warp over \1 tiles leads to \2"),
    (r"@ and @ are not neighbors", r"no step leads from \1 to \2"),
    (r"would brush (.*) on @", r"would bump into \1 at \2"),
    (r"(^|: )@ ", r"\1the tile at \2 "),
    (r"(no plan exists: |units planned first |gave up: ).*", "not all of them find a path"),
)
"""Patterns of reasons, with @ for a cell, and what a player reads instead."""


def plain_reason(reason: str, aim: CellLike | None = None) -> str:
    """Return a reason in the words of a player; the cell aimed at is called "there".

    Examples
    --------
    >>> plain_reason("Mira cannot go there: climb 3 > 2 at (4, 7)")
    'Mira cannot go there: the climb at (row 4, col 7) is 3 levels, the limit is 2'
    """
    instance_of("reason", reason, str)
    for pattern, words in _WORDINGS:
        reason = re.sub(pattern.replace("@", _CELL), words, reason)
    if aim is not None:
        reason = re.sub(rf"\b(at|on|to) {re.escape(str(as_cell(aim)))}(?! deck)", "there", reason)
    numbers = re.compile(r"\d+").findall
    return re.sub(_CELL, lambda cell: describe_place(Cell(*map(int, numbers(cell[0])))), reason)


def describe_place(cell: Cell) -> str:
    """Return row and column in parentheses, and the deck if it is above the ground."""
    deck = f", deck {cell.deck}" if cell.deck else ""
    return f"(row {cell.row}, col {cell.col}{deck})"
