"""Check many map files at once, as before a game is released."""

from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ai.analysis.map_report import MapReport
from ai.game.unit_loader import check_with_units
from ai.rules.profile import MoveProfile, checked_profile
from terrain3d import MapFileError, TileMap, mapfile
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
