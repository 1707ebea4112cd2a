"""Keep a figure for each unit of a board, and show the actions of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ai.board.board import Board
from ai.board.unit import Unit
from ai.game.unit_loader import PLAYER_TEAM
from ai.motion.motion import point_on
from ai.movers import figures_of
from ai.view.unit_3d import Unit3D
from terrain3d.core.checks import instance_of
from terrain3d.core.signals import Signal
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from ai.board.log import Entry

_REMOVED_CLIPS = "die", "death"


class Figures3D(Node3D):
    """Keeps a `Unit3D` for each unit of a board, also through undo; a child of a `Terrain3D`.

    Each looks unlike those before it, as long as there are other figures for its mover; the
    player's units choose theirs first. A unit that changes its team has a new figure.

    Parameters
    ----------
    board : Board
        Its actions are shown: units that are moved by force slide, and a model plays its animation
        with the name of the action, or "die" or "death" when its unit is removed.
    make : callable, optional
        Returns the new `Unit3D` of a unit, such as one with a model.

    Raises
    ------
    TypeError
        It is not a board.
    """

    figure_added = Signal("unit", "figure")
    """A unit has a new figure."""

    def __init__(self, board: Board, make: Callable[[Unit], Unit3D] | None = None) -> None:
        super().__init__()
        self._make = make
        self._board = instance_of("board", board, Board)
        self._figures: dict[Unit, Unit3D] = {}
        self._looks: WeakKeyDictionary[Unit, tuple[str, str]] = WeakKeyDictionary()
        self.figures: Mapping[Unit, Unit3D] = MappingProxyType(self._figures)
        """The figure of each unit that is on the board, read-only."""
        board.changed.connect(self._follow_entry, weak=True)
        self.follow()

    @property
    def is_acting(self) -> bool:
        """Whether a figure shows an action, also one whose unit has left."""
        return any(isinstance(each, Unit3D) and each.is_acting for each in self.children)

    def follow(self) -> None:
        """Add and remove figures as the board is now; it does so by itself in each frame."""
        units = self._board.units
        for unit in [each for each in self._figures if each not in units]:
            self._figures.pop(unit).leave()
        for unit in sorted(units, key=lambda unit: unit.team != PLAYER_TEAM):
            if unit not in self._figures or self._looks[unit][1] != unit.team:
                self._add(unit)

    def _add(self, unit: Unit) -> None:
        if (old := self._figure_of(unit)) is not None:
            old.queue_free()
        used = Counter(self._looks[each][0] for each in self._figures)
        shape, _ = self._looks.get(unit, ("", ""))  # it comes back as it was
        shape = shape or min(figures_of(unit.profile), key=lambda each: used[each])
        self._looks[unit] = shape, unit.team
        figure = Unit3D(unit, shape=shape) if self._make is None else self._make(unit)
        self._figures[unit] = self.add_child(figure)
        self.figure_added.emit(unit, figure)

    def _figure_of(self, unit: Unit) -> Unit3D | None:
        """Return the figure of a unit, also of one that is leaving; None without one."""
        shown = (each for each in self.children if isinstance(each, Unit3D))
        return next((each for each in shown if each.unit is unit), None)

    def _follow_entry(self, entry: Entry) -> None:
        self.follow()
        if entry.kind != "action" or entry.is_undo:
            return
        unit_of, tilemap = self._board.unit, self._board.tilemap
        for change in entry.changes:
            figure = self._figure_of(unit_of(change.unit))
            if figure is None:
                continue
            along = change.along if change.walked.is_forced else ()
            if change.after is None:
                figure.play(*_REMOVED_CLIPS)
                along = change.unit.cell, unit_of(change.unit).cell  # where it was and fell
            cells = (cell for cell in along if tilemap.has_cell(cell))
            figure.slide([point_on(tilemap, cell, change.unit.profile) for cell in cells])
        by = entry.before.find(entry.by)
        figure = None if by is None else self._figure_of(unit_of(by))
        if figure is not None:
            figure.play(entry.name)

    def _process(self, _dt_s: float) -> None:
        self.follow()
