"""Boards for squads: MAPF scenarios from files, and generated boards."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ai import MoveProfile
from terrain3d import MapFileError, TileMap, landscape
from tests.squads.scipy_paths import Cell, ScipyPaths
from tests.support.movingai_files import load_map, load_scenarios

_MIN_UNITS = 10
_SINGLE = ".map.scen"
_CROWDS = {
    "empty-8-8": (32, 50),
    "random-32-32-10": (20, 100, 400),
    "room-32-32-4": (20, 100, 200, 400),
}
"""Numbers of units on published maps."""
_LIKE = "like "
_KING = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=1.5)


class NotASquad(ValueError):
    """The queries of a scenario file are not those of units that move at the same time."""


@dataclass(frozen=True)
class Board:
    """A map with the starts and goals of units, of which the first n can be planned.

    Parameters
    ----------
    name : str
        Boards of the same name share a row of the table.
    is_whole : bool
        Whether only all units are planned, not the first n.
    """

    name: str
    tilemap: TileMap
    profile: MoveProfile
    starts: list[Cell]
    goals: list[Cell]
    is_whole: bool = False

    @property
    def counts(self) -> list[int]:
        """Numbers of units that are planned: 10, 20, 40, ... and all."""
        n_units = len(self.starts)
        if self.is_whole:
            return [n_units]
        found = [_MIN_UNITS << power for power in range(16)]
        return [*(count for count in found if count < n_units), n_units]


def read(path: Path) -> Board:
    """Read a `.scen` file and the map beside it as one squad.

    Raises
    ------
    MapFileError
        The file or its map cannot be read, or they do not belong together.
    NotASquad
        The file is named like a benchmark of single paths, such as `arena.map.scen`; it has no
        queries or queries for several maps; or two units would start or end on the same cell.
    """
    if path.name.endswith(_SINGLE):
        raise NotASquad(f"{path.name} is a benchmark of single paths")
    queries = load_scenarios(path)
    starts, goals = [tuple(each.start) for each in queries], [tuple(each.goal) for each in queries]
    if len({each.map_name for each in queries}) != 1:
        raise NotASquad(f"{path.name} is not for one map")
    if len(set(starts)) < len(starts) or len(set(goals)) < len(goals):
        raise NotASquad(f"{path.name} has two units on one cell")
    map_path = path.with_name(Path(queries[0].map_name).name)
    tilemap = load_map(map_path)
    for each in queries:
        if (each.rows, each.cols) != (tilemap.rows, tilemap.cols):
            size = f"{each.rows} x {each.cols}"
            raise MapFileError(f"has another size than its scenarios, {size}", source=str(map_path))
    return Board(map_path.stem, tilemap, MoveProfile(), starts, goals)


def generated(size: int, n_units: int, seed: int) -> Iterator[Board]:
    """Yield boards of stepped ground: hills, a landscape with bridges, hexagons, diagonal steps."""
    hills = TileMap.from_noise(size, size, seed=seed, levels=5)
    hexagons = TileMap.from_noise(size, size, seed=seed, levels=5, topology="hex_odd_r")
    variants = {
        "hills": (hills, MoveProfile()),
        "landscape": (landscape(size, size, seed), MoveProfile()),
        "hexagons": (hexagons, MoveProfile(max_climb=1, max_drop=2)),
        "diagonals": (hills, _KING),
    }
    rng = np.random.default_rng(seed)
    for name, (tilemap, profile) in variants.items():
        cells = ScipyPaths(tilemap, profile).largest_component()
        starts, goals = ([cells[index] for index in rng.permutation(len(cells))] for _ in range(2))
        yield Board(f"{name}-{size}", tilemap, profile, starts[:n_units], goals[:n_units])


def crowds(folder: Path | None, seed: int) -> Iterator[Board]:
    """Yield boards with starts and goals drawn by the seed.

    They are on the published maps in a folder; without one, on generated maps like those.
    """
    paths = sorted(folder.rglob("*.map")) if folder else ()
    published = {path.stem: load_map(path) for path in paths if path.stem in _CROWDS}
    for name, tilemap in published.items() if folder else _like_published().items():
        for n_units in _CROWDS[name.removeprefix(_LIKE)]:
            yield scattered(name, tilemap, n_units, seed)


def _like_published() -> dict[str, TileMap]:
    """Return an open map, one with obstacles on a tenth of its tiles, and rooms with doors."""
    rng = np.random.default_rng(0)
    obstacles = rng.random((32, 32)) < 0.1
    rooms = np.zeros((32, 32), dtype=bool)
    rooms[::4] = rooms[:, ::4] = True
    for begin in range(1, 32, 4):
        for wall in range(0, 32, 4):
            at = begin + rng.integers(3, size=2)
            rooms[wall, at[0]] = rooms[at[1], wall] = False
    walls = {"empty-8-8": np.zeros((8, 8), dtype=bool)}
    walls |= {"random-32-32-10": obstacles, "room-32-32-4": rooms}
    return {
        _LIKE + name: TileMap.from_text(
            "\n".join("".join("0#"[int(here)] for here in row) for row in rows)
        )
        for name, rows in walls.items()
    }


def scattered(name: str, tilemap: TileMap, n_units: int, seed: int) -> Board:
    """Return units that all can reach each other's random starts and goals."""
    cells = ScipyPaths(tilemap, MoveProfile()).largest_component()
    rng = np.random.default_rng(seed)
    starts, goals = ([cells[at] for at in rng.permutation(len(cells))[:n_units]] for _ in range(2))
    return Board(name, tilemap, MoveProfile(), starts, goals, True)


def columns(n_units: int) -> Board:
    """Return two columns of n units that pass each other in a corridor with one bay."""
    arm = 2 * n_units
    last = 2 * arm
    tilemap = TileMap.from_text("0" * (last + 1) + "\n" + "#" * arm + "0" + "#" * arm)
    left = [(0, col, 0) for col in range(n_units)]
    right = [(0, last - col, 0) for col in range(n_units)]
    return Board("columns", tilemap, MoveProfile(), left + right, right[::-1] + left[::-1], True)


def field() -> Board:
    """Return 50 units against 50 that change sides of an open field."""
    tilemap = TileMap.from_text("\n".join(["0" * 30] * 30))
    left = [(row, col, 0) for col in (0, 1) for row in range(2, 27)]
    right = [(row, 29 - col, 0) for row, col, _ in left]
    return Board("field", tilemap, MoveProfile(), left + right, right + left, True)


def packed(n_units: int, seed: int) -> Board:
    """Return up to 64 units on 8 x 8 tiles."""
    return scattered("packed", TileMap.from_text("\n".join(["0" * 8] * 8)), n_units, seed)
