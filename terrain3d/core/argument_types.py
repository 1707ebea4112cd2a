"""Parsers for command line arguments, passed as `type=` to argparse; errors are one line."""

import argparse


def cell_argument(text: str) -> tuple[int, int]:
    """Return a cell from text such as "4,7"."""
    try:
        row, col = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"a cell is ROW,COL, like 4,7; got {text!r}") from None
    return row, col


def size_argument(text: str) -> tuple[int, int]:
    """Return the size of a picture from text such as "1280x720"."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (1 <= width <= 8192 and 1 <= height <= 8192):
        raise argparse.ArgumentTypeError(
            f"a size is WIDTHxHEIGHT with 1..8192 pixels each, like 1280x720; got {text!r}"
        )
    return width, height


def number_argument(text: str) -> float:
    """Return the number in a text, as an int if it is written without a fraction."""
    try:
        return float(text) if not text.lstrip("-").isdecimal() else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def names_argument(text: str) -> tuple[str, ...]:
    """Return names from text such as "Mira,Tove"."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"must be NAME,NAME, like Mira,Tove; got {text!r}")
    return names


def pair_argument(text: str) -> tuple[str, str]:
    """Return a name and its value from text such as "Bram=chase"."""
    name, separator, value = text.partition("=")
    if not (name and separator and value):
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, like Bram=chase; got {text!r}")
    return name, value
