"""Show the problems of a map while it is edited, as marks on it and as a line of text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ai.analysis.map_check import check
from ai.game.background import in_thread
from terrain3d.core.node import Node
from terrain3d.core.signals import Signal
from terrain3d.core.translation import capitalized, tr
from terrain3d.editor.map_editor import MAX_SHOWN_TILES
from terrain3d.grid.grid import Cell
from terrain3d.grid.reason import plain_reason
from terrain3d.view.scene.mark_3d import TileOverlay3D

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ai.analysis.map_check import Finding, MapReport
    from ai.board.board import Board
    from ai.rules.profile import MoveProfile
    from terrain3d.look.palettes import Palette
    from terrain3d.view.map_editor_3d import MapEditor3D

_MARKS = {"x": ("island", "deck", "spawn", "link"), "!": ("trap",), "><": ("choke point",)}
"""The label of each set of marks, and the kinds of findings that it shows."""


class DoctorView(Node):
    """Shows the problems and choke points of a map while its editor is active.

    A child of Terrain3D. `profile` is the one whose problems are shown. A thread checks the map,
    one version at a time.
    """

    changed = Signal()
    """A check has ended, and `text` may have changed."""

    def __init__(self, board: Board, profile: MoveProfile, editor: MapEditor3D) -> None:
        super().__init__("doctor")
        self._board, self._profile, self._editor = board, profile, editor
        self._is_active = False
        self._version: int | None = None
        self._checking: Future[None] | None = None
        self._report: MapReport | None = None
        self.overlays = {label: TileOverlay3D(kinds[0]) for label, kinds in _MARKS.items()}
        for label, overlay in self.overlays.items():
            overlay.shows_labels, overlay.is_dashed = True, label == "!"
            self.add_child(overlay)
        self.text = ""
        """The first problem in words; "" while the editor is not active or all is sound."""

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        colors = palette.threat, palette.reach, palette.path
        for overlay, color in zip(self.overlays.values(), colors, strict=True):
            overlay.color, overlay.is_hatched = color, palette.is_hatched

    def _process(self, _dt_s: float) -> None:
        was_active, self._is_active = self._is_active, self._editor.is_active
        if was_active and not self._is_active:
            self.text, self._version = "", None  # units may move before it is active again
            for overlay in self.overlays.values():
                overlay.clear()
        if self._checking is not None and self._checking.done():
            error, self._checking = self._checking.exception(), None
            if isinstance(error, IndexError):  # the deck of a unit was removed meanwhile
                self._version = None
            elif self._is_active:
                self._show_result(error)
        version = self._board.tilemap.version
        if self._is_active and self._checking is None and self._version != version:
            self._version = version
            self._checking = in_thread(self._check)

    def _check(self) -> None:
        tilemap, navigation = self._board.tilemap, self._board.navigation
        standing = [unit for unit in self._board.units if tilemap.has_cell(unit.cell)]
        self._report = check(navigation, self._profile, spawns=standing)

    def _show_result(self, error: BaseException | None) -> None:
        if error is not None:  # as when memory is short; the next edit is checked again
            why = str(error) or type(error).__name__
            self.text = tr("This map cannot be checked: {why}", why=why)
        elif self._report is not None:
            self._show(self._report)
        self.changed.emit()

    def _show(self, report: MapReport) -> None:
        findings = *report.problems, *report.notes
        for label, overlay in self.overlays.items():
            found = (each for each in findings if each.kind in _MARKS[label])
            rows = (row for each in found for row in _labeled(each, label))
            there = (row for row in rows if self._board.tilemap.has_surface(row[0]))
            shown = dict(islice(there, MAX_SHOWN_TILES))
            overlay.show(shown, list(shown.values()))
        self.text = ""
        for problem in report.problems[:1]:
            kind, count = capitalized(tr(problem.kind)), len(report.problems)
            if count > 1:
                kind = tr("{problem} (1 of {count})", problem=kind, count=count)
            self.text = tr("{problem}: {text}", problem=kind, text=plain_reason(problem.text))


def _labeled(finding: Finding, label: str) -> Iterator[tuple[Cell, str]]:
    """Yield the surfaces of a finding that can be shown, the first one with a label."""
    for number, row in enumerate(finding.where[:MAX_SHOWN_TILES].tolist()):
        yield Cell(*row), "" if number else label
