"""Who has to go where: MAPF scenarios from a folder, and boards that we generate."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ai import MoveProfile
from terrain3d import MapFileError, TileMap, landscape
from terrain3d.mapfile.movingai.movingai_map import load_map
from terrain3d.mapfile.movingai.scenarios import load_scenarios
from tests.squads.plain import Cell, PlainWays

_LEAST = 10
_SINGLE = ".map.scen"
_KING = MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=1.5)


class NoSquad(ValueError):
    """A scenario file whose queries are not those of units that move at the same time."""


@dataclass(frozen=True)
class Board:
    """A map with units that want to go from starts to goals; the first n of them can be asked for.

    Parameters
    ----------
    name : str
        Boards with the same name stand in one row of the table.
    """

    name: str
    tilemap: TileMap
    profile: MoveProfile
    starts: list[Cell]
    goals: list[Cell]

    @property
    def counts(self) -> list[int]:
        """How many units are asked for: 10, 20, 40, ... and all."""
        n_units = len(self.starts)
        found = [_LEAST << power for power in range(16)]
        return [*(count for count in found if count < n_units), n_units]


def read(path: Path) -> Board:
    """Read a `.scen` file, whose map lies beside it, as one squad.

    Raises
    ------
    MapFileError
        The file or its map cannot be read, or they do not belong together.
    NoSquad
        It has the name of a benchmark of single ways, like `arena.map.scen`; there are no queries,
        they are for several maps, or two would stand or end on one cell.
    """
    if path.name.endswith(_SINGLE):
        raise NoSquad(f"{path.name} is of single ways")
    queries = load_scenarios(path)
    starts, goals = [tuple(each.start) for each in queries], [tuple(each.goal) for each in queries]
    if len({each.map_name for each in queries}) != 1:
        raise NoSquad(f"{path.name} is not for one map")
    if len(set(starts)) < len(starts) or len(set(goals)) < len(goals):
        raise NoSquad(f"{path.name} has two units on one cell")
    beside = path.with_name(Path(queries[0].map_name).name)
    tilemap = TileMap(*load_map(beside))
    for each in queries:
        if (each.rows, each.cols) != (tilemap.rows, tilemap.cols):
            size = f"{each.rows} x {each.cols}"
            raise MapFileError(f"has another size than its scenarios, {size}", source=str(beside))
    return Board(beside.stem, tilemap, MoveProfile(), starts, goals)


def generated(size: int, n_units: int, seed: int) -> Iterator[Board]:
    """Make boards of stepped ground: hills, a landscape with bridges, hexagons, diagonal steps."""
    hills = TileMap.from_noise(size, size, seed=seed, levels=5)
    hexagons = TileMap.from_noise(size, size, seed=seed, levels=5, topology="hex_odd_r")
    kinds = {
        "hills": (hills, MoveProfile()),
        "landscape": (landscape(size, size, seed), MoveProfile()),
        "hexagons": (hexagons, MoveProfile(max_climb=1, max_drop=2)),
        "diagonals": (hills, _KING),
    }
    rng = np.random.default_rng(seed)
    for name, (tilemap, profile) in kinds.items():
        cells = PlainWays(tilemap, profile).largest_part()
        starts, goals = ([cells[place] for place in rng.permutation(len(cells))] for _ in range(2))
        yield Board(f"{name}-{size}", tilemap, profile, starts[:n_units], goals[:n_units])
