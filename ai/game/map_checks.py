"""Check many map files at once, as before a game is released.

Check a map again after each edit, in a thread, so that no frame waits.
"""

from collections.abc import Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ai.analysis.map_check import MapReport
from ai.board.board import Board
from ai.compilation.uncompiled import in_background
from ai.game.unit_loader import check_with_units
from ai.navigation.warm_up import MOST_UNCOMPILED_TILES
from ai.rules.profile import MoveProfile, checked_profile
from terrain3d import MapFileError, Node, Signal, TileMap, mapfile
from terrain3d.core.checks import checked_path, listed, optional


@dataclass(frozen=True)
class MapCheck:
    """The result of checking one map file.

    Parameters
    ----------
    path : Path
    report : MapReport, optional
        None if the file cannot be read.
    error : str
        Why it cannot be read; "" otherwise.
    notes : sequence of str
        What is left out of the file, and units that cannot be placed.
    """

    path: Path
    report: MapReport | None
    error: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether the file can be read and its map has no problems."""
        return self.report is not None and self.report.is_sound

    def __str__(self) -> str:
        """Return the file and its report, or why it cannot be read."""
        return self.error or f"{self.path}: {self.report}"


def check_maps(
    files: Iterable[str | Path],
    profile: MoveProfile | None = None,
    executor: Executor | None = None,
) -> list[MapCheck]:
    """Check map files for a profile, one call for each; see `Navigation.check`.

    Units in a file that move by the profile are the spawns.

    Parameters
    ----------
    files : sequence of str or path
    profile : MoveProfile, optional
        `MoveProfile()` if not given.
    executor : concurrent.futures.Executor, optional
        Runs the checks; its workers must see the same paths. Threads of this process if not given.

    Returns
    -------
    list of MapCheck
        One for each file, in their order. A file that cannot be read is no error.

    Raises
    ------
    TypeError
        An argument is of the wrong type.
    """
    paths = [checked_path("files", file) for file in listed("files", files)]
    rules = checked_profile(MoveProfile() if profile is None else profile)
    check = partial(_checked, profile=rules)
    optional("executor", executor, Executor)
    with nullcontext(executor) if executor is not None else ThreadPoolExecutor() as workers:
        futures = [workers.submit(check, path) for path in paths]
        return [future.result() for future in futures]


def _checked(path: Path, profile: MoveProfile) -> MapCheck:
    try:
        record = mapfile.read(path)
        report, notes = check_with_units(TileMap.from_record(record, str(path)), profile)
    except MapFileError as error:
        return MapCheck(path, None, str(error))
    return MapCheck(path, report, notes=(*record.notes, *notes))


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
