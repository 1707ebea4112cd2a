"""What goes wrong with a map that came from outside."""


class MapFileError(ValueError):
    """A map file or text that cannot be read, with the place where it fails.

    Parameters
    ----------
    problem : str
        What is wrong, with the limit and the value.
    line : int, optional
        Line of the text, from 1.
    field : str
        Field of the file, as "kinds[2].cost".
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
        place = [source] if source else []
        if line is not None:
            place.append(f"line {line}")
        if field:
            place.append(field)
        text = ": ".join([", ".join(place), problem]) if place else problem
        super().__init__(single_line(text))


def single_line(text: object, limit: int | None = None) -> str:
    """Show a text that a stranger may have written, so that it stays a line wherever it goes."""
    shown = str(text)[:limit]
    return "".join(sign if sign.isprintable() else " " for sign in shown)


def check_tile_count(tiles: int, limit: int, source: str) -> None:
    """Refuse more tiles than a caller allows.

    Raises
    ------
    MapFileError
        There are more.
    """
    if tiles > limit:
        problem = f"makes {tiles} tiles; the limit, max_surfaces, is {limit}"
        raise MapFileError(problem, source=source)
