"""Breaking texts into lines, and rows of lines into columns, for letters of any width."""

from collections.abc import Callable, Sequence

Measure = Callable[[str], float]
"""Gives how wide a text of one line is."""


def wrap_text(text: str, most: float, measure: Measure) -> list[str]:
    """Break a text into lines that are no wider than `most`, between words where it can.

    A word that is wider than that is broken too; a single letter never is.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if measure(longer) <= most:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and measure(lines[-1] + letter) > most:
                lines.append("")
            lines[-1] += letter
    return lines


def split_columns(heights: Sequence[int], most: int) -> list[range]:
    """Fill columns with rows, none higher than `most` lines if its rows are not, and all alike.

    Parameters
    ----------
    heights : sequence of int
        Lines of each row.
    most : int
        Lines that a column may have.

    Returns
    -------
    list of range
        Which rows each column has.
    """
    columns = _filled(heights, most)
    while most > 1 and len(_filled(heights, most - 1)) == len(columns):
        most -= 1
        columns = _filled(heights, most)
    return columns


def _filled(heights: Sequence[int], most: int) -> list[range]:
    starts, used = [0], 0
    for row, height in enumerate(heights):
        if used and used + height > most:
            starts.append(row)
            used = 0
        used += height
    ends = [*starts[1:], len(heights)]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]
