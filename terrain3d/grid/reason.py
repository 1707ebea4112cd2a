"""Reasons: why something is refused, as data with one wording for programs and one for players."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from string import Formatter
from types import MappingProxyType
from typing import Any, cast

from terrain3d.core.checks import instance_of, plain, quoted, true_or_false
from terrain3d.core.translation import tr, tr_n
from terrain3d.grid.grid import Cell, CellLike, as_cell

WORDINGS: dict[str, tuple[str, ...]] = {"several": ("{reasons}",)}
"""The wordings of each code, for programs and for players; `register_reasons` adds to them."""

_PLACES = {
    "at": "at {place}",
    "on": "on {place}",
    "to": "to {place}",
    "tile": "the tile at {place}",
}
_ELSEWHERE = {
    "at": "at another tile",
    "on": "on another tile",
    "to": "to another tile",
    "tile": "another tile",
    "": "another tile",
}
"""What a player reads without coordinates of a tile that is not aimed at."""

_DETAIL = re.compile(r"\{(\w+):([a-z][a-z ]+)\}")
"""A field with words, which formats of Python such as `:.2f` and `:03d` are not."""
_WORDS = re.compile(r"[a-z][a-z ]+")


class Reason(str):
    """A reason as data; as a text it is the wording for programs, such as "(4, 7) is occupied".

    It equals its text. `str(reason)` and `str(ValueError(reason))` keep the data; a text that is
    made of it by an f-string or `join` does not. `plain_reason` returns the wording for players.

    Parameters
    ----------
    code : str
        One of `register_reasons`; any other text is its own wording, with fields if there are
        values.
    **values : object
        Cells, numbers, names and other reasons, by the fields of the wordings.

    Raises
    ------
    TypeError, KeyError
        The code is not text, a tuple that stands for a place is not a cell, or a field of the
        wording has no value.
    """

    _code: str
    _values: dict[str, object]
    _for_players: str

    def __new__(cls, code: str, /, **values: object) -> "Reason":
        """Word the reason."""
        text, for_players = _wordings(instance_of("code", code, str))
        for name in places_in(code):
            if isinstance(values.get(name), tuple):
                values[name] = as_cell(cast(CellLike, values[name]))
        reason = super().__new__(cls, text.format(**values) if values else text)
        reason._code, reason._values, reason._for_players = code, values, for_players
        return reason

    def __str__(self) -> str:
        """Return itself, so that `str` keeps the data."""
        return self

    @property
    def code(self) -> str:
        """What kind of reason it is."""
        return self._code

    @property
    def values(self) -> Mapping[str, object]:
        """What it is about, by name."""
        return MappingProxyType(self._values)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells among its values, and those of the reasons among them."""
        found: list[Cell] = []
        for value in self._values.values():
            for each in value if isinstance(value, _Several) else (value,):
                found += [each] if isinstance(each, Cell) else ()
                found += each.cells if isinstance(each, Reason) else ()
        return tuple(found)


def register_reasons(**wordings: tuple[str] | tuple[str, str]) -> None:
    """Add the words of reasons by their codes, for programs and for players; one if they are alike.

    A package does so when it is imported, a game before it gives such reasons. The words for
    players are texts to translate, as by `tr`.

    A field is the name of a value. `{cell:at}`, with a preposition, is "at (4, 7)" for a program,
    and for a player "there" where the cell is the one aimed at; `{cell:tile}` is "(4, 7)", for a
    player "the tile at" its place. `{n:levels}` is a number with a noun, for a player "1 level".

    Raises
    ------
    TypeError
        The wordings of a code are no tuple of texts.
    ValueError
        There are no or more than two wordings; a code has other ones already; a wording is no
        format, or that for players has a field that the other one lacks.

    Examples
    --------
    >>> register_reasons(is_locked=("{door} is locked", "the {door} does not open"))
    >>> reason = Reason("is_locked", door="gate")
    >>> reason, plain_reason(reason)
    ('gate is locked', 'the gate does not open')
    """
    for code, texts in wordings.items():
        fields = [_fields_in(text) for text in instance_of(code, texts, tuple)]
        if len(fields) not in (1, 2):
            raise ValueError(f"a reason has one or two wordings, got {len(fields)} for {code!r}")
        if missing := fields[-1] - fields[0]:
            raise ValueError(f"the first wording of {code!r} must have the fields {missing} too")
        if WORDINGS.get(code, texts) != texts:
            raise ValueError(f"{code!r} has other wordings already: {quoted(WORDINGS[code])}")
    WORDINGS.update(wordings)
    _wordings.cache_clear()


def _fields_in(wording: str) -> set[str]:
    parts = Formatter().parse(instance_of("a wording", wording, str))
    return {re.split(r"[.[]", name)[0] for _, name, _, _ in parts if name}


@lru_cache(maxsize=256)
def _wordings(code: str) -> tuple[str, str]:
    """Return the wording for programs, without details in its fields, and that for players."""
    known = WORDINGS.get(code, (code,))
    text = known[0].replace(":tile}", "}")
    bare = _DETAIL.sub(lambda field: _beside(f"{{{field[1]}}}", field[2]), text)
    return bare, known[-1]


def places_in(code: str) -> list[str]:
    """Return the fields of a wording for places, which are cells in reasons of our own."""
    return [name for name, detail in _DETAIL.findall(_wordings(code)[1]) if detail in _PLACES]


def _beside(text: str, words: str) -> str:
    """Return a text after a preposition, or before a noun."""
    return f"{words} {text}" if words in _PLACES else f"{text} {words}"


class _Several(tuple[str, ...]):
    """Reasons as one value."""

    def __str__(self) -> str:
        """Return all, separated by semicolons."""
        return "; ".join(self)


class _Place(Cell):
    """A cell in the words of a player."""

    is_there = has_coordinates = False

    def __format__(self, preposition: str) -> str:
        """Return where it is; with a preposition, "there" if it is the cell aimed at."""
        if preposition not in _ELSEWHERE:
            return _beside(f"{self}", preposition)
        if preposition and self.is_there:
            return tr("the tile there" if preposition == "tile" else "there")
        if not self.has_coordinates:
            return tr(_ELSEWHERE[preposition])
        place = describe_place(self)
        return tr(_PLACES[preposition], place=place) if preposition else place


@dataclass(frozen=True)
class _Value:
    """A number, or what has a detail that is none of Python's, in the words of a player."""

    value: Any

    def __format__(self, detail: str) -> str:
        """Return it, a number perhaps with a regular noun in the form for it."""
        number = float(self.value) if isinstance(self.value, Real) else None
        if number is None or (detail and not _WORDS.fullmatch(detail)):
            has_words = _WORDS.fullmatch(detail)
            return _beside(f"{self.value}", detail) if has_words else format(self.value, detail)
        if not detail or detail in _PLACES:
            return _beside(plain(number), detail).strip()
        return tr_n(f"{{n}} {detail[:-1]}", f"{{n}} {detail}", number)


def join_reasons(reasons: Iterable[str]) -> Reason:
    """Return one reason with several others, separated by semicolons."""
    return Reason("several", reasons=_Several(reasons))


def plain_reason(reason: str, aim: CellLike | None = None, *, has_coordinates: bool = True) -> str:
    """Return a reason in the words of a player; the cell aimed at is called "there".

    Without coordinates no tile is named by its row and column. The words are those of the
    player's language. Plain text without a translation, as a log file has it, is returned as it is.

    Examples
    --------
    >>> reason = Reason("no path leads {goal:to}", goal=Cell(4, 7))
    >>> reason, plain_reason(reason)
    ('no path leads to (4, 7)', 'no path leads to (row 4, col 7)')
    >>> plain_reason(reason, aim=(4, 7))
    'no path leads there'
    """
    there = None if aim is None else as_cell(aim)
    instance_of("reason", reason, str)
    true_or_false("has_coordinates", has_coordinates)
    if not isinstance(reason, Reason):
        return tr(reason)
    values: dict[str, object] = {}
    wording = reason._for_players
    detailed = {name for name, _ in _DETAIL.findall(wording)}
    for name, value in reason.values.items():
        if isinstance(value, Cell):
            place = values[name] = _Place(*value)
            place.is_there, place.has_coordinates = value == there, has_coordinates
        elif isinstance(value, _Several):
            values[name] = tr("; ").join(
                plain_reason(each, there, has_coordinates=has_coordinates) for each in value
            )
        else:
            if isinstance(value, str):
                value = plain_reason(value, there, has_coordinates=has_coordinates)
            is_worded = isinstance(value, Real) or name in detailed
            values[name] = _Value(value) if is_worded else value
    return tr(wording, **values)


def describe_place(cell: Cell) -> str:
    """Return row and column in parentheses, and the deck if it is above the ground."""
    if cell.deck:
        return tr("(row {row}, col {col}, deck {deck})", **cell._asdict())
    return tr("(row {row}, col {col})", row=cell.row, col=cell.col)
