"""Take the fields out of a JSON object one by one, and check the type of each."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from terrain3d.core.errors import MapFileError
from terrain3d.grid.grid import Cell
from terrain3d.mapfile.record import Extras, Json

_REQUIRED = object()
_SHOWN = 200


class Fields:
    """One object of a file. `unread` has the fields that have not been taken yet.

    `path` is the path of the object in the file, such as "kinds[2]", or "" for the outermost
    object; errors name it, and `source`, the name of a file beside the one that is read.
    """

    def __init__(self, value: Json, path: str = "", source: str = "") -> None:
        self._path, self.source = path, source
        if not isinstance(value, dict):
            raise self.error(f"must be an object, got {_shown(value)}")
        self.unread: Extras = dict(value)

    def error(self, problem: str, name: str = "") -> MapFileError:
        """Return an error about this object, or about one of its fields."""
        path = ".".join(part for part in (self._path, name) if part)
        return MapFileError(_cut(problem), field=path, source=self.source)

    @contextmanager
    def naming(self, name: str = "") -> Iterator[None]:
        """Let errors in the values of a `with` block be about this object, or one of its fields."""
        try:
            yield
        except MapFileError:
            raise
        except (TypeError, ValueError) as error:
            raise self.error(str(error), name) from None

    def take(self, name: str, default: Json = _REQUIRED) -> Json:
        """Take a field of any type."""
        if name not in self.unread and default is _REQUIRED:
            raise self.error("is missing", name)
        return self.unread.pop(name, default)

    def whole(self, name: str, low: int, high: int, default: Json = _REQUIRED) -> int:
        """Take a whole number within low..high."""
        value = self.take(name, default)
        if not _is_whole(value) or not low <= value <= high:
            raise self.error(f"must be a whole number in {low}..{high}, got {_shown(value)}", name)
        return int(value)

    def number(self, name: str, default: Json = _REQUIRED) -> float:
        """Take a number within the range of floating point."""
        value = self.take(name, default)
        is_number = _is_whole(value) or isinstance(value, float)
        if not is_number or abs(value) > sys.float_info.max:
            raise self.error(f"must be a number, got {_shown(value)}", name)
        number: float = value
        return number

    def text(self, name: str, default: Json = _REQUIRED) -> str:
        """Take a text."""
        value = self.take(name, default)
        if not isinstance(value, str):
            raise self.error(f"must be text, got {_shown(value)}", name)
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Take true or false."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise self.error(f"must be true or false, got {_shown(value)}", name)
        return value

    def cell(self, name: str) -> Cell:
        """Take a cell, [row, col] or [row, col, deck]."""
        value = self.take(name)
        if not (isinstance(value, list) and 2 <= len(value) <= 3 and all(map(_is_whole, value))):
            raise self.error(f"must be [row, col] or [row, col, deck], got {_shown(value)}", name)
        return Cell(*value)

    def objects(self, name: str, default: Json = _REQUIRED) -> Iterator["Fields"]:
        """Take a list of objects."""
        value = self.take(name, default)
        if not isinstance(value, list):
            raise self.error(f"must be a list, got {_shown(value)}", name)
        path = ".".join(part for part in (self._path, name) if part)
        return (Fields(entry, f"{path}[{index}]", self.source) for index, entry in enumerate(value))


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: Json) -> str:
    """Return a value as text, cut to one line."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
