"""Collect notes on the parts of a file that a map cannot hold, while it is read."""

from collections.abc import Container

from terrain3d.mapfile.json_fields import Fields

MAX_NOTES = 60
_SHOWN = 60


def quoted(name: object) -> str:
    """Return a name from a file in quotes, cut to one line."""
    text = str(name)
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


class Notes:
    """Distinct notes in the order in which they were added, at most MAX_NOTES."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._n_more = 0

    def add(self, line: str) -> None:
        """Add a note unless it is known."""
        if line in self._lines:
            return
        if len(self._lines) < MAX_NOTES:
            self._lines[line] = None
        else:
            self._n_more += 1

    def add_unread(self, owner: str, fields: Fields, ignored: Container[str] = ()) -> None:
        """Note the fields of an owner that were not read, except empty and ignored ones."""
        names = [name for name, value in fields.unread.items() if name not in ignored and value]
        if names:
            self.add(f"{owner}: {', '.join(quoted(name)[1:-1] for name in names[:9])} not kept")

    @property
    def lines(self) -> tuple[str, ...]:
        """The notes, and how many more there were."""
        more = (f"and {self._n_more} more notes",) if self._n_more else ()
        return (*self._lines, *more)
