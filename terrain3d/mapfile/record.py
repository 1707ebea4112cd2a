"""What a file tells of a map, whatever its format: plain arrays, lists and JSON-like data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import TileKind
from terrain3d.grid.links import Link, Wall

Json = Any
"""None, a bool, a finite number, text, or lists and dictionaries (with texts as keys) of these."""

Extras = dict[str, Json]

Entry = tuple[str, str | Cell | tuple[Cell, Cell]]
"""One entry of a list in a file: the list, and the name, the cell or the ends that tell it."""

Kept = dict[Entry, Extras]
"""Fields of entries that this program does not know."""

DECK_FIELDS = ("row", "col", "deck", "level", "kind", "thickness")
DECK = np.dtype([(name, "i8") for name in DECK_FIELDS])
"""What is told of one deck."""

NO_DECKS: NDArray[np.void] = np.zeros(0, DECK)


@dataclass(frozen=True)
class MapRecord:
    """A map as a file tells it; what the numbers mean is not checked yet.

    Parameters
    ----------
    level, kind : (rows, cols) int
        The ground; `kind` as indices into `kinds`.
    kinds : sequence of TileKind
    step_height : float, in world units
    topology : str
    decks : (n,) of DECK
    links : sequence of Link
    walls : sequence of Wall
    extras : dict
        What the file carries beside the map, by name.
    kept : dict
        To be written again with the entries, as far as they are still there.
    format : str
        What the file is, for people.
    notes : sequence of str
        What the file holds that a map cannot, and by which rule it was read; a line each.
    """

    level: NDArray[np.integer]
    kind: NDArray[np.integer]
    kinds: tuple[TileKind, ...]
    step_height: float = 0.5
    topology: str = "square"
    decks: NDArray[np.void] = field(default_factory=lambda: NO_DECKS)
    links: tuple[Link, ...] = ()
    walls: tuple[Wall, ...] = ()
    extras: Extras = field(default_factory=dict)
    kept: Kept = field(default_factory=dict)
    format: str = ""
    notes: tuple[str, ...] = ()


class Rendered(NamedTuple):
    """A map as a file holds it.

    Parameters
    ----------
    data : bytes
    notes : sequence of str
        What the file cannot hold, a line for each part.
    beside : mapping of str to bytes
        Further files that it refers to, by name, which lie in its folder.
    """

    data: bytes
    notes: tuple[str, ...] = ()
    beside: Mapping[str, bytes] = MappingProxyType({})
