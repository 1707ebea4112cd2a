"""The map: how it is made, read from a file and saved."""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d import mapfile
from terrain3d.core.checks import MAX_CELLS, whole_number, whole_numbers
from terrain3d.core.files import atomic_write
from terrain3d.generate import noise
from terrain3d.generate.biomes import ground_kinds
from terrain3d.grid.kinds import KINDS, VOID, TileKind, index_of, kind_table
from terrain3d.grid.topology import make_grid
from terrain3d.map.change import FIELDS
from terrain3d.map.content import Content
from terrain3d.map.edit import MAX_LEVEL
from terrain3d.map.editable import EditableMap
from terrain3d.map.restore import furnish
from terrain3d.map.surfaces import Surfaces
from terrain3d.mapfile import text as text_picture
from terrain3d.mapfile.native import native


class TileMap(EditableMap):
    """Stepped terrain: every tile has a whole level and a kind of ground, and maybe decks above.

    Parameters
    ----------
    level : (rows, cols) int
        Height of each tile's top in steps, 0..MAX_LEVEL.
    kind : (rows, cols) int, optional
        Index of each tile's kind in `kinds`; all of the first kind that is not void if not given.
    kinds : sequence of TileKind
        The kinds of this map. "void" is added at the end if it is missing.
    step_height : float, in world units
        Height of one level; a tile's edge is 1.
    topology : str
        How the tiles lie: one of `topology.TOPOLOGIES`.

    Raises
    ------
    TypeError, ValueError
        An array has the wrong shape, type or range; names of kinds repeat; a bad step height; the
        topology is unknown.

    Notes
    -----
    The map is changed by edits, `undo` and `redo` alone; a new one has no decks, links or walls.
    What `extras` holds is no part of it: the map only carries that from file to file.
    """

    def __init__(
        self,
        level: ArrayLike,
        kind: ArrayLike | None = None,
        kinds: Sequence[TileKind] = KINDS,
        step_height: float = 0.5,
        topology: str = "square",
    ) -> None:
        if not isinstance(step_height, int | float | np.integer | np.floating):
            raise TypeError(f"step_height must be a number, got {step_height!r}")
        if not (math.isfinite(step_height) and step_height > 0):
            raise ValueError(f"step_height must be finite and > 0, got {step_height!r}")
        table = kind_table(kinds)
        levels = whole_numbers("level", level, 0, MAX_LEVEL)
        void_index = index_of(VOID.name, table)
        indices: NDArray[np.integer] = np.full(levels.shape, 0 if void_index else 1, np.uint8)
        if kind is not None:
            indices = whole_numbers("kind", kind, 0, len(table) - 1)
            if indices.shape != levels.shape:
                raise ValueError(f"level is {levels.shape} but kind is {indices.shape}")
        grid = make_grid(topology, *levels.shape)
        content = Content(grid, Surfaces(levels, indices, void_index))
        super().__init__(content, table, float(step_height), topology)
        self.extras: mapfile.Extras = {}
        """JSON-like data by name that is saved with the map: "metadata", "units", "waypoints"."""
        self._kept: mapfile.Kept = {}

    @classmethod
    def from_noise(
        cls,
        rows: int,
        cols: int,
        seed: int,
        levels: int = 5,
        cell_sizes: Sequence[int] = noise.CELL_SIZES,
        weights: Sequence[float] = noise.WEIGHTS,
        step_height: float = 0.5,
        kinds: Sequence[TileKind] = KINDS,
        topology: str = "square",
    ) -> Self:
        """Grow a map of `levels` levels from seeded noise; see `noise.fractal_noise`.

        What ground lies where is told by `ground.ground_kinds`; `kinds` may add to the usual ones.

        Raises
        ------
        TypeError, ValueError
            A size, the seed, the octaves or the number of levels is out of its limits; the
            topology is unknown.
        """
        rows, cols = whole_number("rows", rows), whole_number("cols", cols)
        seed, levels = whole_number("seed", seed), whole_number("levels", levels)
        if rows < 1 or cols < 1:
            raise ValueError(f"a map needs at least 1 row and 1 column, got {rows} x {cols}")
        if rows * cols > MAX_CELLS:
            raise ValueError(f"a map has at most {MAX_CELLS} tiles, got {rows} x {cols}")
        if not 1 <= levels <= MAX_LEVEL + 1:
            raise ValueError(f"levels must be in 1..{MAX_LEVEL + 1}, got {levels}")
        values = noise.fractal_noise(rows, cols, seed, cell_sizes, weights)
        level = noise.quantize(values, levels)
        kind = ground_kinds(level, levels, seed, kinds)
        return cls(level, kind, kinds, step_height, topology)

    @classmethod
    def from_text(
        cls,
        text: str,
        kinds: Sequence[TileKind] = KINDS,
        step_height: float = 0.5,
        source: str = "",
        topology: str = "square",
    ) -> Self:
        r"""Read a text picture, all ground of the first kind; see `mapfile.text`.

        Parameters
        ----------
        text : str
            One line a row, one sign a tile.
        kinds, step_height, topology
            As of a map.
        source : str
            Where the text comes from, for the text of errors.

        Raises
        ------
        MapFileError
            The picture is empty, ragged, or has an unknown sign.
        ValueError
            The table of kinds, the step height or the topology is none.

        Examples
        --------
        >>> TileMap.from_text("003\n#13").level.tolist()
        [[0, 0, 3], [0, 1, 3]]
        """
        if not isinstance(text, str):
            raise TypeError(f"a picture is text, one line a row, got {type(text).__name__}")
        level, is_void = text_picture.parse(text, source)
        table = kind_table(kinds)
        kind = text_picture.kind_of(is_void, table)
        return cls(level, kind, table, step_height, topology)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        topology: str = "square",
        max_surfaces: int = native.MAX_SURFACES,
        heights: mapfile.HeightRules | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> Self:
        """Read a file in any format; docs/formats.md lists them.

        Parameters
        ----------
        path : path of a plain file
        topology : str
            How tiles lie; a native file tells itself.
        max_surfaces : int
            The most tiles, on all decks together, that a file may make.
        heights : HeightRules, optional
            How heights become levels, in a file that holds heights.
        weights : mapping of str to float, optional
            What entering each sign of a MovingAI map costs; see `mapfile.load_weights`.

        Raises
        ------
        MapFileError
            It is no plain file, too large, or no map; with the line or the field if it has one.
        """
        path = Path(path)
        record = mapfile.read(path, topology, max_surfaces, heights, weights)
        return cls.from_record(record, str(path))

    @classmethod
    def from_record(cls, record: mapfile.MapRecord, source: str = "") -> Self:
        """Make the map that a file tells of, as `mapfile.read` gives it.

        Raises
        ------
        MapFileError
            What the file tells is no map; `source` names it there.
        """
        try:
            tilemap = cls(
                record.level, record.kind, record.kinds, record.step_height, record.topology
            )
            decks, n_kinds = record.decks, len(tilemap.kinds)
            furnish(tilemap._content, decks, record.links, record.walls, n_kinds)
        except (TypeError, ValueError, IndexError) as error:
            raise mapfile.MapFileError(str(error), source=source) from None
        tilemap.extras, tilemap._kept = record.extras, record.kept
        return tilemap

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all of the map but its history to a file in the native format.

        Whoever looks finds the old file or the new one, whole; a failure leaves the old one.

        Raises
        ------
        OSError
            It cannot be written.
        TypeError, ValueError
            Something in `extras` is not JSON-like, or named as a field of the map.
        """
        data = native.render(self._record())
        with atomic_write(Path(path)) as file:
            file.write(data)

    def export(self, path: str | os.PathLike[str], tilesets: str = "") -> tuple[str, ...]:
        """Write the map in the format that the suffix of a file tells; see docs/formats.md.

        Parameters
        ----------
        path : path
        tilesets : str
            ".tsx" or ".tsj": write the tilesets of a Tiled map to files of their own beside it.

        Returns
        -------
        tuple of str
            What that format cannot hold and was left out, a line each; empty for ".tmap".

        Raises
        ------
        OSError
            It cannot be written.
        TypeError, ValueError
            No format has that suffix, the format cannot hold such a map at all, or has no tilesets.
        """
        return mapfile.write(Path(path), self._record(), tilesets)

    def to_text(self) -> str:
        """Draw the levels as a text picture; `ValueError` above level 35."""
        return text_picture.render(self.level, self.void)

    def __repr__(self) -> str:
        """Show the size and the range of levels."""
        return (
            f"<TileMap {self.rows} x {self.cols}, "
            f"levels {self.level.min()}..{self.level.max()}, version {self.version}>"
        )

    def _record(self) -> mapfile.MapRecord:
        """Tell all that a file tells."""
        deck, row, col = np.nonzero(~self.surface_void[1:])
        deck += 1
        decks = np.empty(len(deck), mapfile.DECK)
        decks["row"], decks["col"], decks["deck"] = row, col, deck
        surfaces = self._surfaces
        for name in FIELDS:
            decks[name] = surfaces.values(name, deck, row, col, self.n_decks)
        return mapfile.MapRecord(
            self.level,
            self.kind,
            self.kinds,
            self.step_height,
            self.topology,
            decks,
            self.links,
            self.walls,
            self.extras,
            self._kept,
        )
