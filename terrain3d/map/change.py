"""What a finished edit did: enough to do it again, and to take it back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.grid.links import Link, P, Wall

Field = Literal["level", "kind", "thickness"]
FIELDS: tuple[Field, ...] = ("level", "kind", "thickness")

Swap = tuple[tuple[P, ...], tuple[P, ...]]
"""Which went and which came."""


class Patch(NamedTuple):
    """Values of one field at n surfaces, before and after; each array is (n,)."""

    deck: NDArray[np.intp]
    row: NDArray[np.intp]
    col: NDArray[np.intp]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    highest: int
    """No deck of them is higher."""

    def turned(self) -> "Patch":
        """Give the patch that takes this one back."""
        return self._replace(before=self.after, after=self.before)

    def where(self, chosen: NDArray[np.bool_]) -> "Patch":
        """Give the part of it that lies at some of its surfaces; `chosen` is (n,)."""
        deck, row, col = self.deck[chosen], self.row[chosen], self.col[chosen]
        return Patch(deck, row, col, self.before[chosen], self.after[chosen], self.highest)


@dataclass(frozen=True)
class Change:
    """Patches by field, and which links and walls went and which came.

    A deck that does not exist is patched as one of level 0, kind void and thickness 0.
    """

    name: str
    patches: dict[Field, Patch] = field(default_factory=dict)
    links: Swap[Link] = ((), ())
    walls: Swap[Wall] = ((), ())

    def turned(self) -> "Change":
        """Give the change that takes this one back."""
        patches = {name: patch.turned() for name, patch in self.patches.items()}
        return Change(self.name, patches, self.links[::-1], self.walls[::-1])

    @property
    def is_nothing(self) -> bool:
        """Whether it changes nothing."""
        return not (self.patches or any(self.links) or any(self.walls))

    @cached_property
    def rect(self) -> Rect:
        """The smallest rectangle that holds every changed cell and the ends of links and walls."""
        rows = [patch.row for patch in self.patches.values()]
        cols = [patch.col for patch in self.patches.values()]
        pairs = [pair for side in (*self.links, *self.walls) for pair in side]
        if pairs:
            ends = [end for pair in pairs for end in (pair.start, pair.end)]
            rows.append(np.array([end.row for end in ends], dtype=np.intp))
            cols.append(np.array([end.col for end in ends], dtype=np.intp))
        (top, bottom), (left, right) = _ends(rows), _ends(cols)
        return Rect(top, left, bottom - top + 1, right - left + 1)


def _ends(parts: Sequence[NDArray[np.intp]]) -> tuple[int, int]:
    """Give the least and the greatest of several arrays."""
    if len(parts) == 1 and len(parts[0]) == 1:  # an edit of one tile is in a hurry
        only = int(parts[0][0])
        return only, only
    places = np.concatenate(parts)
    return int(places.min()), int(places.max())


def joined(name: str, changes: Sequence[Change]) -> Change:
    """Give the one change that does what changes do one after the other."""
    patches: dict[Field, Patch] = {}
    for which in FIELDS:
        parts = [change.patches[which] for change in changes if which in change.patches]
        patch = _joined_patch(parts) if parts else None
        if patch is not None:
            patches[which] = patch
    links = _joined_pairs([change.links for change in changes])
    walls = _joined_pairs([change.walls for change in changes])
    return Change(name, patches, links, walls)


def _joined_patch(parts: Sequence[Patch]) -> Patch | None:
    """Give what each surface was at first and is at last; None if that is the same."""
    *places, before, after = (
        np.concatenate(arrays) for arrays in zip(*(part[:5] for part in parts), strict=True)
    )
    ids = np.ravel_multi_index(places, [int(place.max()) + 1 for place in places])
    _, first = np.unique(ids, return_index=True)
    _, from_end = np.unique(ids[::-1], return_index=True)
    after = after[len(ids) - 1 - from_end]
    differs = before[first] != after
    if not differs.any():
        return None
    deck, row, col = (place[first] for place in places)
    highest = max(part.highest for part in parts)
    return Patch(deck, row, col, before[first], after, highest).where(differs)


def _joined_pairs(swaps: Sequence[Swap[P]]) -> Swap[P]:
    """Give which went and which came in the end; what went and came again did neither."""
    gone: dict[P, None] = {}
    new: dict[P, None] = {}
    for left, came in swaps:
        for entries, opposite, own in ((left, new, gone), (came, gone, new)):
            for entry in entries:
                if entry in opposite:
                    del opposite[entry]
                else:
                    own[entry] = None
    return tuple(gone), tuple(new)
