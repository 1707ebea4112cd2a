"""What a file holds that a map cannot, collected while it is read."""

from collections.abc import Container

from terrain3d.mapfile.native.fields import Fields

MAX_NOTES = 60
_SHOWN = 60


def shown(name: object) -> str:
    """Show a name from a file within a line."""
    text = str(name)
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


class Notes:
    """Lines, each told once, in the order in which they came up."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._n_more = 0

    def add(self, line: str) -> None:
        """Tell of one thing."""
        if line in self._lines:
            return
        if len(self._lines) < MAX_NOTES:
            self._lines[line] = None
        else:
            self._n_more += 1

    def add_left(self, what: str, fields: Fields, ignored: Container[str] = ()) -> None:
        """Tell of all fields that nobody has taken and that would have meant something."""
        names = [name for name, value in fields.left.items() if name not in ignored and value]
        if names:
            self.add(f"{what}: {', '.join(shown(name)[1:-1] for name in names[:9])} not kept")

    @property
    def lines(self) -> tuple[str, ...]:
        """All of them; of very many the first."""
        more = (f"and {self._n_more} more such notes",) if self._n_more else ()
        return (*self._lines, *more)
