"""Check a map again after each edit, in a thread, so that no frame waits."""

from concurrent.futures import Future

from ai.analysis.map_report import MapReport
from ai.board.board import Board
from ai.compilation.uncompiled import in_background
from ai.navigation.warm_up import MOST_UNCOMPILED_TILES
from ai.rules.profile import MoveProfile
from terrain3d import Node, Signal


class MapWatch(Node):
    """Keeps a report on the map of a board for a profile while it is active.

    The thread that compiles checks the map, one version at a time. On maps of up to
    MOST_UNCOMPILED_TILES tiles it looks for a fix of the first problem too.
    """

    checked = Signal("report")
    """A check has ended; the map may have changed since it began."""
    failed = Signal("reason")
    """A check has failed, as when memory is short; the map is checked again after the next edit."""

    def __init__(self, board: Board, profile: MoveProfile) -> None:
        super().__init__("MapWatch")
        self._board, self._profile = board, profile
        self.is_active = False
        self._version: int | None = None
        self._checking: Future[None] | None = None
        self._report: MapReport | None = None

    def _process(self, _dt_s: float) -> None:
        tilemap = self._board.tilemap
        if self._checking is not None and self._checking.done():
            error, self._checking = self._checking.exception(), None
            if isinstance(error, IndexError):  # the deck of a unit was removed meanwhile
                self._version = None
            elif error is not None:
                self.failed.emit(str(error) or type(error).__name__)
            elif self._report is not None and self.is_active:
                self.checked.emit(self._report)
        if not self.is_active:
            self._version = None  # units may move before it is active again
        elif self._checking is None and self._version != tilemap.version:
            self._version = tilemap.version
            self._checking = in_background(self._check)

    def _check(self) -> None:
        tilemap, units = self._board.tilemap, self._board.units
        is_small = tilemap.rows * tilemap.cols <= MOST_UNCOMPILED_TILES
        standing = [unit for unit in units if tilemap.has_cell(unit.cell)]
        check = self._board.navigation.check
        self._report = check(self._profile, spawns=standing, fixes=int(is_small))
