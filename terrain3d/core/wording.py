"""Numbers and counts in texts that people read."""


def plain(number: float) -> str:
    """Return a number without the rounding error of sums, such as "0.3"."""
    return f"{number:.12g}"


def counted(number: float, noun: str) -> str:
    """Return a number with a regular noun, such as "1 step" and "2 steps"."""
    return f"{plain(number)} {noun}{'s' * (number != 1)}"
