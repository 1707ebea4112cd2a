"""Set up a battle on any map: units and objective of its extras, or such as suit its terrain.

A map carries units as `UnitLoader` reads them, each with `stats` if it likes, and in
`TileMap.extras["objective"]` the fields of `Objective`: `attackers`, `defenders`, `cells`, `turns`,
`rounds` and `place`.
"""

import functools
import itertools
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ai.board.board import Board
from ai.board.game_record import GameRecord
from ai.board.plain import cell_entry
from ai.board.unit import Unit
from ai.game.battle import DOOR, SKILLS, Battle
from ai.game.battle_ai import BattleAI
from ai.game.objective import EXTRA, PLACES, ROUNDS, TURNS, Objective, first_units, read_objective
from ai.game.unit_loader import PLAYER_TEAM, UnitLoader
from ai.movers import HEAVY_FOOT
from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from terrain3d import KINDS, Cell, MapFileError, TileMap
from terrain3d.core.checks import quoted, whole_within, with_whole_numbers
from terrain3d.grid.grid import Grid

LEVEL = "difficulty"
"""The name under which a saved battle carries its difficulty."""
FOE_TEAM = "red"
DIFFICULTIES: Mapping[str, BattleAI] = MappingProxyType(
    {"easy": BattleAI(noise=9), "normal": BattleAI(noise=4), "hard": BattleAI(noise=1)}
)
"""Who plays the enemies, by name."""


class Role(NamedTuple):
    """What the units of a mover can do, unless their entries have stats."""

    skills: tuple[str, ...]
    hp: int
    defense: int
    evasion: int


ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "heavy foot": Role(("sword", "bash"), 36, 2, 0),
        "light foot": Role(("bow",), 28, 0, 10),
        "float": Role(("fire", "gust", "pillar"), 30, 1, 5),
        "acrobat": Role(("sword", "poison"), 32, 1, 10),
    }
)
_LEAST, _MOST = {"hp": 1, "defense": -999, "evasion": -999, "poison": 0, "held": 0}, 999
"""The limits of whole numbers in stats."""
NAMES = {
    PLAYER_TEAM: ("Bram", "Mira", "Ilka", "Tove"),
    FOE_TEAM: ("Odo", "Runa", "Vesna", "Kuno", "Aldo"),
}
_NEAR, _FAR, _APART = 6, 12, 7
"""Costs to the hilltop at which armies begin, and their least distance from each other."""
_ROOM = 1.5
"""Between units of an army, in tiles: more than a diagonal, so that none hides another."""
MIN_WORTH = 0.35
"""Of 200 islands five in six are worth more, of 30 landscapes three in four."""
MOVE, _TRIES, _STARTS, _FAR_OUT = 5, 60, 60, 3


def set_up(
    tilemap: TileMap, seed: int = 0, turns: str = "sides", *, fog: bool = False
) -> tuple[Battle, list[str]]:
    """Return a battle on a map, and notes on what of its extras cannot be used.

    In fog each side sees only what its units have in sight, as far as the `sight` of each.

    Raises
    ------
    ValueError
        The map has no room for a battle.
    """
    extras, places = tilemap.extras, functools.cache(functools.partial(_places, tilemap))
    read = UnitLoader(Board(tilemap), MoveProfile(), has_party=False)
    teams = {unit.team for unit in read.board.units}
    missing = {PLAYER_TEAM} - teams | ({FOE_TEAM} if teams <= {PLAYER_TEAM} else set())
    if missing:
        entries = extras["units"] if isinstance(extras.get("units"), list) else []
        armies = _armies(places()[1])
        extras["units"] = [*entries, *(each for each in armies if each["team"] in missing)]
    board = Board(tilemap, turns, seed=seed, fog=fog)
    loaded = UnitLoader(board, MoveProfile(), has_party=False)
    notes: list[str] = [*dict.fromkeys([*read.notes, *loaded.notes])]
    foes = [unit for unit in board.units if unit.team != PLAYER_TEAM]
    if not 0 < len(foes) < len(board.units):
        found = ", ".join(sorted({unit.team for unit in board.units})) or "none"
        raise ValueError(
            f"a battle needs units of {PLAYER_TEAM} and of another team, found {found}"
        )
    with board.action("armed") as action:
        for unit in board.units:
            stats, wrong = _stats_of(unit)
            action.set(unit, **stats)
            notes += wrong
    objective = None
    try:
        objective = read_objective(tilemap, {unit.team for unit in board.units})
    except (IndexError, TypeError, ValueError) as error:
        notes.append(f"{EXTRA} is not used: {error}")
    if objective is None:
        n_turns = TURNS * (len(board.units) if turns == "wait" else 1)  # a unit's turn each
        goals = tuple(unit.cell for unit in foes if unit.team == foes[0].team)
        place = PLACES[0]
        with suppress(ValueError):  # without a hill the goal is where the enemies begin
            goals, place = places()[0], PLACES[1]
        objective = Objective(PLAYER_TEAM, foes[0].team, goals, n_turns, ROUNDS, place)
        cells = [cell_entry(cell) for cell in objective.cells]
        extras[EXTRA] = asdict(objective) | {"cells": cells}
    board.clear_history()
    return Battle(board, objective), notes


def skirmish(seed: int = 0, turns: str = "sides") -> Battle:
    """Return a battle of three against three over a wall with a door; `seed` is that of dice."""
    rows = ("0012444210", "0002444200", "0000080000", "0000030000", "0010080003", "0000080033")
    tilemap = TileMap.from_text("\n".join(rows), (*KINDS, DOOR))
    with tilemap.edit("a door") as edit:
        edit.set_kind((3, 5), DOOR.name)
    board = Board(tilemap, turns, seed=seed)
    sides = ("blue", 1, -90), ("red", 8, 90)
    armies = {"Mira Orla": ("bow",), "Bram Foe": ("sword", "bash"), "Odo Ilse": ("sword", "poison")}
    for row, (names, skills) in enumerate(armies.items(), start=2):
        stats = {"hp": 24, "defense": 1, "evasion": 5, "skills": skills}
        for name, (team, col, deg) in zip(names.split(), sides, strict=True):
            board.add(Unit(name, (row, col), team, move=4, heading_deg=deg, stats=stats))
    board.clear_history()
    return Battle(board, Objective("blue", "red", (Cell(2, 9),), turns=20))


def worth(battle: Battle) -> float:
    """Return how well the ground suits a battle: 0 to 1, by the moves of the least agile mover.

    It is the product of four parts: the share of tiles from which a way leads to the goal, that of
    levels which have a 20th of these tiles, how equal the costs of both sides to the goal are, and
    whether the way between the sides leads over a bridge or through water, half if not.
    """
    nav, tilemap, goal = battle.board.navigation, battle.board.tilemap, battle.objective
    field = nav.cost_field(goal.cells, HEAVY_FOOT)
    is_used = np.isfinite(field.cost) & (HEAVY_FOOT.entry_cost(tilemap) < np.inf)[tilemap.kind]
    counts = np.bincount(tilemap.level[is_used])
    first, second = (
        [field.cost_from(unit.cell) for unit in battle.board.units if unit.team == team]
        for team in (goal.attackers, goal.defenders)
    )
    starts = [next(u.cell for u in battle.board.units if u.team == team) for team in NAMES]
    way = nav.find_path(starts[0], starts[1], HEAVY_FOOT).cells
    is_crossed = any(cell.deck or "liquid" in tilemap.kind_at(cell).tags for cell in way)
    apart = abs(sum(first) / len(first) - sum(second) / len(second))
    heights = np.count_nonzero(counts >= is_used.sum() / 20) / (tilemap.top_level + 1)
    return float(is_used.mean() * heights / (1 + apart / 2) * (1 if is_crossed else 0.5))


class Match(NamedTuple):
    """A battle that somebody plays, and how well the enemies play."""

    battle: Battle
    difficulty: str = "normal"
    is_new: bool = False

    @property
    def enemy(self) -> BattleAI:
        """Who plays the enemies."""
        return DIFFICULTIES[self.difficulty]

    def restarted(self) -> "Match":
        """Return the match from its start, with the same dice."""
        board = GameRecord.of(self.battle.board).replay(0)
        return Match(Battle(board, self.battle.objective), self.difficulty)

    def record(self) -> GameRecord:
        """Return the battle so far, to be saved as a map file."""
        board = self.battle.board.copy()
        board.tilemap.extras[LEVEL] = self.difficulty
        return GameRecord.of(board)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the battle with its log to a map file; errors as `TileMap.save`."""
        self.record().save(path)


def load(path: str | os.PathLike[str]) -> Match:
    """Return a saved match; `MapFileError` if the file holds none."""
    board = GameRecord.load(path).replay()
    try:
        teams = {unit.team for unit in first_units(board)}
        objective = read_objective(board.tilemap, teams)
        level = str(board.tilemap.extras.pop(LEVEL, ""))
        if objective is None or board.turn is None:
            raise ValueError("it has no battle")
        for unit in board.units:
            for wrong in _stats_of(unit)[1]:
                raise ValueError(wrong)
        battle = Battle(board, objective)
    except (IndexError, TypeError, ValueError) as error:
        raise MapFileError(str(error), source=str(path), field=EXTRA) from None
    return Match(battle, level if level in DIFFICULTIES else "normal")


def _stats_of(unit: Unit) -> tuple[dict[str, Any], list[str]]:
    """Return stats of a unit for a battle, of its role what it lacks or is wrong, and notes."""
    stats, notes, role = dict(unit.stats), [], _role_of(unit)._asdict()
    for name in _LEAST.keys() & stats:
        try:
            whole = with_whole_numbers(stats[name])
            stats[name] = whole_within(f"{name} of {unit.name}", whole, _LEAST[name], _MOST)
        except (TypeError, ValueError) as error:
            notes.append(str(error))
            stats[name] = role.get(name, 0)
    given = stats.get("skills", ())
    known = given if isinstance(given, tuple) else ()
    known = tuple(dict.fromkeys(skill for skill in known if skill in SKILLS))
    if "skills" in stats and (known != given or not known):
        some = ", ".join(SKILLS)
        notes.append(f"skills of {unit.name} must be some of {some}, got {quoted(given)}")
    is_armed = {"hp", "skills"} <= stats.keys()
    return {**({} if is_armed else role), **stats, "skills": known or role["skills"]}, notes


def _role_of(unit: Unit) -> Role:
    """Return the role of a unit's mover, or of the preset that moves most like it."""
    if unit.profile.hover:
        return ROLES["float"]
    climb = unit.profile.max_climb
    return ROLES["heavy foot" if climb < 2 else "light foot" if climb == 2 else "acrobat"]


def _armies(starts: Mapping[str, Sequence[Cell]]) -> Iterator[dict[str, Any]]:
    """Yield entries of units at their starts."""
    for team, cells in starts.items():
        for name, mover, cell in zip(NAMES[team], ROLES, cells, strict=False):
            stats = ROLES[mover]._asdict()
            where = {"cell": cell_entry(cell), "move": MOVE}
            yield {"name": name, "team": team, "mover": mover, **where, "stats": stats}


def _unfairness(grid: Grid, cost: Callable[[Cell], float], first: Cell, second: Cell) -> float:
    """Return how much farther one start is from the goal, and how near the starts are."""
    return 2 * abs(cost(first) - cost(second)) - grid.distance(first, second)


def _spread(cells: Iterable[Cell], tilemap: TileMap) -> list[Cell]:
    """Return the first of the cells and those after it that are no neighbors of one before."""
    found = list[Cell]()
    for cell in cells:
        x, y, _ = tilemap.surface_point(cell)
        others = map(tilemap.surface_point, found)
        if all(math.dist((x, y), other[:2]) > _ROOM for other in others):
            found.append(cell)
    return found


def _places(tilemap: TileMap) -> tuple[tuple[Cell, ...], dict[str, list[Cell]]]:
    """Return the cells of a hilltop, and where armies begin on two sides of it.

    The hilltop is a high place that enough ground leads up to, the nearer to the middle of the map
    the better. All costs are those of the least agile mover.
    """
    field, grid = Navigation(tilemap).cost_field, tilemap.grid
    is_easy = HEAVY_FOOT.entry_cost(tilemap) <= 1
    is_easy &= [HEAVY_FOOT.can_stop_on(kind) for kind in tilemap.kinds]
    easy = [Cell(*cell) for cell in np.argwhere(is_easy[tilemap.kind] & ~tilemap.void).tolist()]
    middle = Cell(tilemap.rows // 2, tilemap.cols // 2)
    most = 0
    order = sorted(easy, key=lambda c: grid.distance(c, middle) / _FAR_OUT - tilemap.level_at(c))
    for hill in order[:: max(1, len(order) // _TRIES)]:
        cost = field(hill, HEAVY_FOOT).cost_from
        near = [cell for cell in easy if _NEAR <= cost(cell) <= _FAR]
        most = max(most, len(near))
        if len(near) < 2 * len(ROLES):
            continue
        pairs = itertools.combinations(near[:: 1 + len(near) // _STARTS], 2)
        armies = []
        for start in min(pairs, key=lambda p: _unfairness(grid, cost, *p)):
            around = field(start, HEAVY_FOOT).cost_from
            reached = [cell for cell in easy if around(cell) <= _NEAR]
            reached.sort(key=lambda c: around(c) + abs(cost(c) - cost(start)))
            spread = _spread(reached, tilemap)
            is_enough = len(spread) >= len(ROLES)
            armies.append((spread if is_enough else sorted(near, key=around))[: len(ROLES)])
        armies.sort(key=lambda army: -sum(army[0]))  # blue is nearer to the first view
        if min(itertools.starmap(grid.distance, itertools.product(*armies))) >= _APART:
            break
    else:
        why = f"near a hilltop it has no two places with easy ground {_APART} tiles apart"
        if most < 2 * len(ROLES):
            n_tiles = 2 * len(ROLES)
            why = f"near a hilltop it needs {n_tiles} tiles of easy ground, and has at most {most}"
        raise ValueError(
            f"this map has no room for a battle: {why}; "
            f"give it units of {PLAYER_TEAM} and of another team"
        )
    level = tilemap.level_at(hill)
    beside = (cell for cell in grid.neighbors(hill) if cell in easy)
    return (hill, *(cell for cell in beside if tilemap.level_at(cell) == level)), dict(
        zip(NAMES, armies, strict=True)
    )
