"""The contents of a map file, whatever its format: arrays, lists and JSON-like data."""

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
"""None, a bool, a finite number, text, or lists and dictionaries (with text as keys) of these."""

Extras = dict[str, Json]

Entry = tuple[str, str | Cell | tuple[Cell, Cell]]
"""An entry of a list in a file: name of the list, and name, cell or pair of ends of the entry."""

UnknownFields = dict[Entry, Extras]
"""Fields of entries that this program does not know, by entry."""

DECK_FIELDS = ("row", "col", "deck", "level", "kind", "thickness")
DECK = np.dtype([(name, "i8") for name in DECK_FIELDS])
"""One surface of a deck."""

NO_DECKS: NDArray[np.void] = np.zeros(0, DECK)


@dataclass(frozen=True)
class MapRecord:
    """The contents of a map file; `TileMap.from_record` checks that they make a map.

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
        Further data in the file, by name.
    unknown_fields : dict
        Written again with their entries, as long as the map has these entries.
    format : str
        Name of the file's format.
    notes : sequence of str
        Parts of the file that a map cannot hold, and rules applied in reading; one line each.
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
    unknown_fields: UnknownFields = field(default_factory=dict)
    format: str = ""
    notes: tuple[str, ...] = ()


class FileContent(NamedTuple):
    """The files to write for a map.

    Parameters
    ----------
    data : bytes
        Content of the map's file.
    notes : sequence of str
        Parts of the map that the format cannot hold, one line each.
    other_files : mapping of str to bytes
        Content of further files that the map refers to, by name; they lie in the same folder.
    """

    data: bytes
    notes: tuple[str, ...] = ()
    other_files: Mapping[str, bytes] = MappingProxyType({})
