"""The map: how it is made, edited, undone, redone and copied."""

import copy
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d import noise
from terrain3d.change import Change
from terrain3d.checks import MAX_CELLS, whole_number, whole_numbers
from terrain3d.content import Content
from terrain3d.draft import Draft
from terrain3d.edit import MAX_LEVEL, Edit
from terrain3d.grid import Rect
from terrain3d.ground import ground_kinds
from terrain3d.history import History
from terrain3d.kinds import KINDS, VOID, TileKind, index_of, kind_table
from terrain3d.mapfile import text as text_picture
from terrain3d.signals import Signal
from terrain3d.surface_map import SurfaceMap
from terrain3d.surfaces import Surfaces
from terrain3d.topology import make_grid


class TileMap(SurfaceMap):
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
    The map is changed by `edit`, `undo` and `redo` alone; a new one has no decks, links or walls.
    """

    changed = Signal("rect")

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
        self._history = History()
        self._open: Edit | None = None

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
        void_index = index_of(VOID.name, table)
        kind = np.where(is_void, void_index, 0 if void_index else 1)
        return cls(level, kind, table, step_height, topology)

    def to_text(self) -> str:
        """Draw the levels as a text picture; `ValueError` above level 35."""
        return text_picture.render(self.level, self.void)

    def __copy__(self) -> Self:
        """Copy the map whole: two maps never share what either can change."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle the map with its history, without who listens to it."""
        return {name: value for name, value in vars(self).items() if name != "changed"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take a copied state; an edit that was open is open for the first map only."""
        vars(self).update(state)
        self._open = None

    def __repr__(self) -> str:
        """Show the size and the range of levels."""
        return (
            f"<TileMap {self.rows} x {self.cols}, "
            f"levels {self.level.min()}..{self.level.max()}, version {self.version}>"
        )

    @property
    def version(self) -> int:
        """Counts the changes since the map was made."""
        return self._history.version

    @contextmanager
    def edit(self, name: str = "edit") -> Iterator[Edit]:
        """Change the map as one: all of it or nothing, one undo entry, one `changed` signal.

        Parameters
        ----------
        name : str
            What the undo entry is called.

        Raises
        ------
        RuntimeError
            Another edit of this map is open.
        """
        if self._open is not None:
            raise RuntimeError("this map has an open edit; edits do not nest")
        draft = Draft(self._content)
        edit = self._open = Edit(draft, self._kinds)
        try:
            yield edit
        finally:
            self._open = None
            edit.close()
        change = draft.change(name)
        if change is not None:
            self._content.apply(change)
            self._history.add(change)
            self.changed.emit(change.rect)

    def undo(self) -> bool:
        """Take the latest edit back; False if there is none."""
        self._refuse_inside_edit("undo")
        change = self._history.step_back()
        if change is not None:
            self._apply(change.turned())
        return change is not None

    def redo(self) -> bool:
        """Make the latest undone edit again; False if there is none."""
        self._refuse_inside_edit("redo")
        change = self._history.step_forward()
        if change is not None:
            self._apply(change)
        return change is not None

    @property
    def undo_name(self) -> str:
        """What the edit that `undo` would take back is called; "" if there is none."""
        return self._history.undo_name

    @property
    def redo_name(self) -> str:
        """What the edit that `redo` would make again is called; "" if there is none."""
        return self._history.redo_name

    def changed_since(self, version: int) -> Rect | None:
        """Give the rectangle that holds all changes since `version`; None if there were none."""
        return self._history.since(version, Rect(0, 0, self.rows, self.cols))

    def _refuse_inside_edit(self, what: str) -> None:
        if self._open is not None:
            raise RuntimeError(f"{what} cannot run inside an open edit")

    def _apply(self, change: Change) -> None:
        self._content.apply(change)
        self.changed.emit(change.rect)
