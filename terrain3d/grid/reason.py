"""Reasons: texts that also know their words for a player."""

from collections.abc import Collection
from string import Formatter

from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import Cell, CellLike, as_cell


class Reason(str):
    """A text with cells, such as "(4, 7) is occupied", and the same in the words of a player.

    It equals its text. `str(reason)` and `str(ValueError(reason))` keep both wordings; a text that
    is made of it by an f-string or `join` has only the first. `plain_reason` returns the second.

    Parameters
    ----------
    text : str
        The text, with `{}` for each value, as in `str.format`.
    *values : object
        Cells, numbers, names and other reasons.
    plain : str, optional
        The words of a player, with `{}` or `{0}` for a value; `text` if not given.
    """

    _values: tuple[object, ...]
    _wording: str

    def __new__(cls, text: str, *values: object, plain: str = "") -> "Reason":
        """Fill in the values; a text without values may contain braces."""
        instance_of("text", text, str)
        instance_of("plain", plain, str)
        filled = [each.format(*values) if values else each for each in (text, plain)]
        reason = super().__new__(cls, filled[0])
        reason._values, reason._wording = values, plain or text
        return reason

    def __str__(self) -> str:
        """Return itself, so that `str` keeps both wordings."""
        return self


def join_reasons(reasons: Collection[str]) -> Reason:
    """Return one reason with several others, separated by semicolons."""
    return Reason("; ".join(["{}"] * len(reasons)), *reasons)


def plain_reason(reason: str, aim: CellLike | None = None) -> str:
    """Return a reason in the words of a player; the cell aimed at is called "there".

    Plain text, as a log file has it, is returned as it is.

    Examples
    --------
    >>> reason = Reason("{} is void", Cell(4, 7), plain="there is no ground at {}")
    >>> reason, plain_reason(reason)
    ('(4, 7) is void', 'there is no ground at (row 4, col 7)')
    >>> plain_reason(reason, aim=(4, 7))
    'there is no ground there'
    """
    instance_of("reason", reason, str)
    there = None if aim is None else as_cell(aim)
    if not isinstance(reason, Reason):
        return reason
    if not reason._values:
        return reason._wording
    unnumbered, words = iter(reason._values), ""
    for literal, number, _, _ in Formatter().parse(reason._wording):
        words += literal
        if number is None:  # no value follows
            continue
        value = reason._values[int(number)] if number else next(unnumbered)
        if isinstance(value, Cell):
            words = words or "the tile at "
            is_there = value == there and words.endswith(("at ", "on ", "to "))
            words = words[:-3] + "there" if is_there else words + describe_place(value)
        else:
            words += plain_reason(value, there) if isinstance(value, Reason) else str(value)
    return words


def describe_place(cell: Cell) -> str:
    """Return row and column in parentheses, and the deck if it is above the ground."""
    deck = f", deck {cell.deck}" if cell.deck else ""
    return f"(row {cell.row}, col {cell.col}{deck})"
