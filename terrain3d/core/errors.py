"""Errors in map files, and helpers for their messages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from terrain3d.core.checks import whole_within

_SHOWN = 100
_OBJECT = re.compile(r" ?<[^<>]* at 0x[0-9a-fA-F]+>")
"""An object as Python shows it, with its address in memory."""


class MapFileError(ValueError):
    """Error in a map file or text that cannot be read, with the position of the problem.

    Parameters
    ----------
    problem : str
        The problem, with the limit and the value.
    line : int, optional
        Line of the text, counted from 1.
    field : str
        Field of the file, such as "kinds[2].cost".
    source : str, optional
        Name of the file.
    """

    def __init__(
        self, problem: str, *, line: int | None = None, field: str = "", source: str = ""
    ) -> None:
        self.problem = problem
        self.line = line
        self.field = field
        self.source = source
        position = [source] if source else []
        if line is not None:
            position.append(f"line {line}")
        if field:
            position.append(field)
        text = ": ".join([", ".join(position), problem]) if position else problem
        super().__init__(single_line(text))


def single_line(text: object, limit: int | None = None) -> str:
    """Return untrusted text with control characters replaced, so that it prints as one line."""
    shown = str(text)[: None if limit is None else whole_within("limit", limit, 0)]
    return "".join(char if char.isprintable() else " " for char in shown)


@contextmanager
def of_library(problem: str, field: str = "") -> Iterator[None]:
    """Turn any error of a `with` block that is no `MapFileError` into one: a problem and the error.

    Libraries raise a dozen types for a broken file.
    """
    try:
        yield
    except MapFileError:
        raise
    except Exception as error:
        cause = single_line(_OBJECT.sub("", str(error)), _SHOWN)
        raise MapFileError(f"{problem}: {cause}", field=field) from None


@contextmanager
def in_file(source: str) -> Iterator[None]:
    """Name a file in each `MapFileError` of a `with` block that does not name one."""
    try:
        yield
    except MapFileError as error:
        if error.source:
            raise
        line, field = error.line, error.field
        named = MapFileError(error.problem, line=line, field=field, source=source)
        raise named from error.__cause__


def check_tile_count(tiles: int, limit: int) -> None:
    """Raise `MapFileError` if a file has more tiles than the limit."""
    if tiles > limit:
        raise MapFileError(f"makes {tiles} tiles; the limit, max_surfaces, is {limit}")
