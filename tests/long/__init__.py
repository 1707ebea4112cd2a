"""What a kind of long run is: checks, and what of them is counted."""

import itertools
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings

Check = Callable[[], Counter[str]]
"""Compares something; returns what it has compared how often, raises an error if it is wrong."""


class Kind(NamedTuple):
    """The checks of a run, and when it ends."""

    unit: str
    """What `--cases` counts."""
    cases: int | None
    """How many by default; None for all that there are."""
    checks: Callable[[Namespace], Iterable[tuple[str, Check]]]
    """Takes the options; returns the checks with their names."""
    faults: Callable[..., list[str]] = lambda *_: []
    """Takes all counts and what the run is of; returns what is wrong with them."""


def by_seed(check: Callable[..., Counter[str]]) -> Callable[[Namespace], Iterator]:
    """Return the checks of a function of a seed and what the run is of: one for each seed."""

    def checks(options: Namespace) -> Iterator[tuple[str, Check]]:
        for number in itertools.count(options.seed):
            yield f"--seed {number}", partial(check, number, *options.of)

    return checks


def drawn_with(number: int, max_examples: int, *strategies: Any) -> Callable:
    """Return a decorator of a function that is called with examples from a seed."""
    options = settings(
        **{"max_examples": max_examples, "database": None, "deadline": None, "derandomize": False},
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    return lambda function: seed(number)(options(given(*strategies)(function)))
