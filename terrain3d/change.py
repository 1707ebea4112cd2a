"""What a finished edit did: enough to do it again, and to take it back."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid import Rect
from terrain3d.links import Link, Wall

Field = Literal["level", "kind", "thickness"]


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
    links: tuple[tuple[Link, ...], tuple[Link, ...]] = ((), ())
    walls: tuple[tuple[Wall, ...], tuple[Wall, ...]] = ((), ())

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
        all_rows, all_cols = np.concatenate(rows), np.concatenate(cols)
        row, col = int(all_rows.min()), int(all_cols.min())
        return Rect(row, col, int(all_rows.max()) - row + 1, int(all_cols.max()) - col + 1)
