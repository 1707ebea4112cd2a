"""Wrap text into lines and split rows of lines into columns, for characters of any width."""

from collections.abc import Callable, Sequence

Measure = Callable[[str], float]
"""Returns the width of a line of text."""


def wrap_text(text: str, most: float, measure: Measure) -> list[str]:
    """Wrap a text into lines no wider than `most`, between words where possible.

    A word wider than `most` is broken between characters. The breaks of the text stay.
    """
    if "\n" in text:
        return [part for line in text.split("\n") for part in wrap_text(line, most, measure)]
    words = text.split()
    if measure(" ".join(words)) <= most:
        return [" ".join(words)]
    lines = [""]
    for word in words:
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
    """Return the rows of each column, of about equal height and none higher than `most` lines.

    `heights` are the numbers of lines of the rows. A column exceeds the limit only if it is a
    single row that does.
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
