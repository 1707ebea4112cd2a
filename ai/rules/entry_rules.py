"""Rules of a game: what more it costs to enter surfaces, or that they cannot be entered.

Numbers that a caller gives for each surface are checked here.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ai.rules.profile import MoveProfile
from terrain3d import TileMap
from terrain3d.core.checks import MAX_COST, checked_function, listed, plain


class EntryRule(Protocol):
    """A function of a map and a profile: a rule of a game."""

    def __call__(self, tilemap: TileMap, profile: MoveProfile, /) -> ArrayLike:
        """Return (rows, cols), or (n_decks + 1, rows, cols) for each surface its own.

        bool: which surfaces cannot be entered. Numbers, 0..MAX_COST: how much more it costs to
        enter each; infinity: it cannot be entered.
        """


def checked_rules(rules: Iterable[EntryRule]) -> tuple[EntryRule, ...]:
    """Return rules after checking that each takes a map and a profile."""
    given = enumerate(listed("rules", rules))
    return tuple(checked_function(f"rules[{number}]", rule, 2) for number, rule in given)


def ask_rules(
    rules: Sequence[EntryRule], tilemap: TileMap, profile: MoveProfile
) -> tuple[NDArray[np.float64], ...]:
    """(n_layers, rows, cols) for each rule what more it costs to enter each surface.

    Raises as `surface_values`, with the name of the rule.
    """
    return tuple(
        surface_values(
            f"what the rule {name_of(rule)!r} returns",
            rule(tilemap, profile),
            tilemap,
            "; infinity, or True in an array of bool, blocks",
            may_block=True,
        )
        for rule in rules
    )


def name_of(rule: EntryRule) -> str:
    """Return the name of a rule's function in words, as "too hot beside lava"."""
    name: str = getattr(rule, "__name__", type(rule).__name__)
    return name.replace("_", " ").strip()


def surface_values(
    name: str, values: ArrayLike, tilemap: TileMap, hint: str = "", *, may_block: bool = False
) -> NDArray[np.float64]:
    """(n_decks + 1, rows, cols) a copy of a number for each surface, after checking all.

    With `may_block` infinity is a number, and an array of bool has infinity where it is True.
    Raises `TypeError` for what holds no numbers, `ValueError` for a wrong shape and for a number
    outside 0..MAX_COST.
    """
    shape = tilemap.n_decks + 1, tilemap.rows, tilemap.cols
    shapes = f"{name} must be of shape {shape[1:]}, or {shape} for each surface its own"
    try:
        array: NDArray[Any] = np.asarray(values)
    except ValueError:
        raise ValueError(f"{shapes}, got rows of different lengths") from None
    if may_block and array.dtype.kind == "b":
        array = np.where(array, np.inf, 0)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold numbers, got {array.dtype}")
    if array.shape not in (shape, shape[1:]):
        raise ValueError(f"{shapes}, got {array.shape}")
    array = array.astype(np.result_type(array, np.float64))  # half precision ends below MAX_COST
    is_right = (array >= 0) & (array <= MAX_COST)  # NaN compares false
    if may_block:
        is_right |= array == np.inf
    if not is_right.all():
        place = tuple(np.argwhere(~is_right)[0].tolist())
        wrong = plain(array[place])
        raise ValueError(f"{name} must be in 0..{MAX_COST}, got {wrong} at {place}{hint}")
    return np.broadcast_to(array, shape).astype(np.float64)
