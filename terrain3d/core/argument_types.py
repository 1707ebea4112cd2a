"""What people type on a command line, read as values; what is wrong is said in one line."""

import argparse


def cell_argument(text: str) -> tuple[int, int]:
    """Read a cell as people type it: "4,7"."""
    try:
        row, col = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"a cell is ROW,COL, like 4,7; got {text!r}") from None
    return row, col


def size_argument(text: str) -> tuple[int, int]:
    """Read a picture's size as people type it: "1280x720"."""
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
    """Read a number, whole if it is written so."""
    try:
        return float(text) if not text.lstrip("-").isdecimal() else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def names_argument(text: str) -> tuple[str, ...]:
    """Read several names: "Mira,Tove"."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"must be NAME,NAME, like Mira,Tove; got {text!r}")
    return names


def pair_argument(text: str) -> tuple[str, str]:
    """Read a name with what is said of it: "Bram=chase"."""
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise argparse.ArgumentTypeError(f"must be NAME=WHAT, like Bram=chase; got {text!r}")
    return name, value
