"""A small tactics battle to copy and change: its rules, and units that choose what they do."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, Self, cast

import numpy as np

from ai.board.action import Action
from ai.board.area import MAX_TILES, Area
from ai.board.attack import Hit, Weapon
from ai.board.board import Board
from ai.board.log import MoveRefused
from ai.board.turns import Turn
from ai.board.unit import Unit
from ai.motion.motion import heading_between, turn_between
from ai.navigation.known_map import KnownMap
from ai.rules.profile import MoveProfile
from terrain3d import KINDS, Cell, TileKind, TileMap
from terrain3d.core.checks import KnownAttributes, whole_within
from terrain3d.grid.grid import CellLike
from terrain3d.grid.reason import Reason

SIDES = MappingProxyType({"front": (0, 0), "side": (15, 0), "back": (30, 50)})
"""What an attack from there adds to the chance to hit and to the damage, in percent."""
CHANCE_PER_LEVEL, MAX_LEVELS = 5, 4
"""In percent for each level that the attacker stands higher, and how many levels count."""
SAFE_LEVELS, DAMAGE_PER_LEVEL = 2, 3
"""The deepest fall that does not hurt, and the damage of each level more."""
POISON_DAMAGE = 3
"""At the end of each turn."""
DOOR = TileKind("door", cost=None, color=(0.45, 0.30, 0.16), texture="planks")
PUSHED = MoveProfile(max_climb=0, max_drop=99)
HELD_VALUE, MOST_DISTANCE = 6, 99
"""In ratings: of each round that a goal is held, and the greatest distance from a goal."""
N_MOVES = 4
"""How many moves without a skill a unit thinks about."""


@dataclass(frozen=True)
class Skill:
    """What a unit can do to its enemies in the range of a weapon."""

    weapon: Weapon
    power: int
    """The damage, less the defense of the target."""
    accuracy: int
    """The chance to hit in percent, from the front on level ground, less the target's evasion."""
    push: int = 0
    """How many tiles it pushes its target; not with an area. Then no counterattack follows."""
    poison: int = 0
    """For how many turns it poisons."""


CLOUD = Area("diamond", radius=1, up=1, down=2)
SKILLS = MappingProxyType(
    {
        "sword": Skill(Weapon(max_up=2, max_down=3), 9, 80),
        "bow": Skill(Weapon(2, 4, tiles_per_level_down=0.5, tiles_per_level_up=0.5, arc=4), 7, 70),
        "bash": Skill(Weapon(max_up=1, max_down=1), 4, 85, push=2),
        "poison": Skill(Weapon(1, 3, arc=math.inf, area=CLOUD), 3, 75, poison=3),
    }
)
"""By name. A unit has ``stats={"hp": 24, "skills": ["sword", "bash"]}``, and may have `defense`,
`evasion` and `poison`, the turns left of it. It answers attacks with the first of its skills."""


@dataclass(frozen=True)
class Objective:
    """The attackers want to reach or hold one of some cells, or to defeat all defenders, in time.

    A game with another objective makes a subclass with its own `winner` and `goals`.
    """

    attackers: str
    defenders: str
    cells: tuple[Cell, ...]
    turns: int
    """After so many the defenders have won."""
    rounds: int = 0
    """How many ends of its turns a unit has to stay; 0: to reach a cell is enough."""

    def winner(self, board: Board) -> str:
        """Return the team that has won; "" while the battle lasts."""
        teams = {unit.team for unit in board.units}
        if self.defenders not in teams or any(
            unit.team == self.attackers and unit.stats.get("held", 0) >= self.rounds
            for unit in self.holders(board)
        ):
            return self.attackers
        is_late = cast(Turn, board.turn).number > self.turns
        return self.defenders if is_late or self.attackers not in teams else ""

    def holders(self, board: Board) -> list[Unit]:
        """Return the attackers that stand on one of the cells."""
        guests = map(board.unit_at, self.cells)
        return [unit for unit in guests if unit is not None and unit.team == self.attackers]

    def goals(self, board: Board, team: str) -> list[Cell]:
        """Return where units of a team want to be."""
        if team == self.attackers:
            return list(self.cells)
        return [unit.cell for unit in board.units if unit.team == self.attackers]


class Blow(NamedTuple):
    """What a unit may do to another, with a chance in percent; `slide` is where it pushes."""

    by: Unit
    target: Unit
    skill: str
    side: str
    chance: int
    damage: int
    slide: tuple[Cell, ...]
    fall_damage: int


class Choice(NamedTuple):
    """Where a unit goes, and which skill it then aims where; "door" opens one, "" does nothing."""

    cell: CellLike
    skill: str = ""
    aim: CellLike | None = None


class Care(NamedTuple):
    """How well a player thinks."""

    noise: float = 0
    """The standard deviation of the error in ratings."""
    guard: float = 0
    """How much a defender likes to stand on a goal that has to be held, in ratings."""


CAREFUL = Care()


class Battle(KnownAttributes):
    """A battle on a board with turns, in each of which a unit acts once.

    What happens is in the stats of units, on the map and in the log of the board, which gets one
    entry of `play` and of `end_turn`; after each it can be undone, saved and continued. Without
    dice each blow does a part of its damage, as large as its chance, to look ahead. With a `sight`
    in tiles units choose by what their side sees; its map is known.
    """

    def __init__(
        self, board: Board, objective: Objective, *, has_dice: bool = True, sight: int = 0
    ) -> None:
        if board.turn is None:
            raise ValueError('a battle needs a board with turns, as Board(tilemap, turns="sides")')
        self.board, self.objective, self._has_dice = board, objective, has_dice
        self._tilemap = board.tilemap
        self.sight = whole_within("sight", sight, 0, MAX_TILES)
        self._looked: tuple[object, int] = None, 0
        self.known: dict[str, KnownMap] = {}
        """By team, what it sees; empty if all see everything."""
        if sight:
            self.known = {unit.team: KnownMap(board.tilemap) for unit in board.units}
            for known in self.known.values():
                known.reveal(Cell(*at) for at in np.ndindex(known.is_known.shape))
            for changed in (board.acted, board.unit_moved, board.unit_returned):
                changed.connect(self._look, weak=True)
            self._look()

    def sees(self, team: str, unit: Unit) -> bool:
        """Return whether a team sees a unit."""
        return team == unit.team or team not in self.known or self.known[team].sees(unit.cells)

    def _look(self, *_values: object) -> None:
        """Let each team see what its units have in sight now."""
        eyes, places = Weapon(0, self.sight), [(each.team, each.cell) for each in self.board.units]
        if self._looked == (places, self._tilemap.version):
            return
        self._looked = places, self._tilemap.version
        for team, known in self.known.items():
            known.refog()
            own = (each for each in self.board.units if each.team == team)
            targets = self.board.targets
            known.reveal({at for each in own for at in targets(each, eyes, at=each.cell).cells})

    def look_ahead(self) -> Self:
        """Return a battle without dice on a copy of the board."""
        made = type(self)(self.board.copy(), self.objective, has_dice=False)
        made.known = self.known
        return made

    @property
    def turn(self) -> Turn:
        """The turn now."""
        return cast(Turn, self.board.turn)

    @property
    def round(self) -> int:
        """The number of the round, from 1; with ``turns="wait"`` of a turn of each unit."""
        return min(self._round_of(self.turn.number), self.last_round)

    @property
    def last_round(self) -> int:
        """The round in which the time of the attackers ends."""
        return self._round_of(self.objective.turns)

    def _round_of(self, number: int) -> int:
        """Return the round of a turn."""
        is_each = self.board.turns == "wait"
        return math.ceil(number / max(1, len(self.board.log_start.units))) if is_each else number

    @property
    def winner(self) -> str:
        """The team that has won; "" while the battle lasts."""
        return self.objective.winner(self.board)

    def forecast(self, unit: Unit, skill: str, aim: CellLike) -> list[Blow]:
        """Return the blows of a skill from where a unit stands, and then the counterattack.

        `ValueError` if the unit has no such skill or cannot aim there.
        """
        if skill not in unit.stats["skills"]:
            raise ValueError(f"{unit.name} has no skill {skill!r}, only {unit.stats['skills']}")
        targets, weapon, aim = self.board.targets, SKILLS[skill].weapon, self._tilemap.cell(aim)
        hit = targets(unit, weapon, at=unit.cell).aims.get(aim)
        if hit is None:
            raise ValueError(f"{unit.name} cannot aim {skill} from {unit.cell} at {aim}")
        blows = [self._blow(unit, other, skill) for other in hit.units]
        for other in hit.units if not SKILLS[skill].push else ():
            answer = other.stats["skills"][0]
            back = targets(other, SKILLS[answer].weapon, at=other.cell)
            if aim in other.cells and unit.cell in back.aims:
                blows.append(self._blow(other, unit, answer, "front"))  # it has turned to its aim
        return blows

    def play(self, unit: Unit, choice: Choice, *, is_automatic: bool = False) -> None:
        """Let a unit do what it has chosen, as one action; `ValueError` if it cannot."""
        board, (cell, skill, aim) = self.board, choice
        if (aim is None) != (skill == ""):
            raise ValueError(f"a choice has both a skill and an aim, or neither, got {choice}")
        if why := self.reason(unit):
            raise ValueError(why)
        with board.action(skill or "wait", by=unit, is_automatic=is_automatic) as action:
            action.set(unit, acted=self.turn.number)
            if self._tilemap.cell(cell) != unit.cell:
                known = self.known.get(unit.team) if self._has_dice else None
                board.move(unit, cell, known=known)
            if aim is None or self._tilemap.cell(cell) != unit.cell:  # an unseen unit halted it
                return
            aim = self._tilemap.cell(aim)
            action.change(unit, heading_deg=self._heading(unit.cell, aim))
            if skill == DOOR.name:
                if aim not in self.doors_beside(unit.cell):
                    raise ValueError(f"{unit.name} is not beside a closed door at {aim}")
                has_wood = any(kind.name == "wood" for kind in self._tilemap.kinds)
                with action.edit() as edit:
                    edit.set_level(aim, self._tilemap.level_at(unit.cell))
                    floor = "wood" if has_wood else self._tilemap.kind_at(unit.cell).name
                    edit.set_kind(aim, floor)
                return
            for blow in self.forecast(unit, skill, aim):
                if {blow.by, blow.target} <= {*board.units}:
                    self._strike(action, blow)

    def reason(self, unit: Unit) -> str:
        """Return why a unit may not act now; "" if it may."""
        if self.winner:
            return Reason("battle_over")
        if unit.stats.get("acted") == self.turn.number:
            return self.board.turn_reason(unit) or Reason("has_acted", unit=unit.name)
        return self.board.turn_reason(unit)

    def end_turn(self, *, is_automatic: bool = False) -> None:
        """End the turn, as one action: poison hurts the units whose turn it was, and expires."""
        board, units = self.board, self.turn.units
        with board.action("end of turn", is_automatic=is_automatic) as action:
            for unit in units:
                if left := unit.stats.get("poison"):
                    action.set(unit, poison=left - 1)
                    self._hurt(action, unit, POISON_DAMAGE, {"by": "", "skill": "poison"})
            holders = self.objective.holders(board) if self.objective.rounds else ()
            for unit in board.units:
                held = unit.stats.get("held", 0) + (unit in units) if unit in holders else 0
                if held != unit.stats.get("held", 0):
                    action.set(unit, held=held)
            if not {*board.units}.isdisjoint(units):  # else the turn has passed on already
                board.end_turn()

    def play_turn(self, care: Care = CAREFUL, *, is_automatic: bool = False) -> None:
        """Let each unit of the turn that has not acted do what looks best, and end the turn.

        `care` is as of `think`.
        """
        units = self.turn.units
        for unit, choice in self.decide(care):
            if choice is not None:
                self.play(unit, choice, is_automatic=is_automatic)
        self.end_turn_of(units, is_automatic=is_automatic)

    def decide(self, care: Care = CAREFUL) -> Iterator[tuple[Unit, Choice | None]]:
        """Yield each unit of the turn that may act: with None while it thinks, then its choice.

        It is the first of the best, and to be played before the next unit thinks. `care` is as of
        `think`.
        """
        for unit in self.turn.units:
            if unit in self.board.units and not self.reason(unit):
                best, choice = -math.inf, None
                for rating, each in self.think(unit, care):
                    if choice is None or rating > best:
                        best, choice = rating, each
                    yield unit, None
                yield unit, choice

    def end_turn_of(self, units: Iterable[Unit], *, is_automatic: bool = False) -> None:
        """End the turn if it is still that of any of some units, and nobody has won."""
        if not self.winner and not {*self.turn.units}.isdisjoint(units):
            self.end_turn(is_automatic=is_automatic)

    def choices(self, unit: Unit) -> Iterator[Choice]:
        """Yield all that a unit can do: each cell to go to, and from there each aim that hits."""
        yield from map(Choice, self._stands(unit))
        yield from self._deeds(unit)

    def think(self, unit: Unit, care: Care = CAREFUL) -> Iterator[tuple[float, Choice]]:
        """Yield promising choices and how good they look, one at a time: in slices, if need be.

        These are all that do something, and of the others those nearest to a goal. Errors follow
        from seed and log alone.
        """
        board = self.board
        random = np.random.default_rng((board.seed, len(board.log), board.units.index(unit)))
        moves = sorted(self._stands(unit), key=self._distance(unit))[:N_MOVES]
        if care.guard:
            moves += (each for each in self._stands(unit) if each in self.objective.cells)
        for choice in itertools.chain(map(Choice, moves), self._deeds(unit)):
            later = self.look_ahead()
            with suppress(MoveRefused):  # an unseen unit stands there or on the way
                later.play(later.board.unit(unit), choice)
            error, guard = care.noise * random.normal(), care.guard * later._n_guards(unit.team)
            yield later.rating(unit) + error + guard, choice

    def _n_guards(self, team: str) -> int:
        """Return how many units of a team keep attackers off the goal."""
        is_guarded = team == self.objective.defenders and self.objective.rounds > 0
        cells = self.objective.cells if is_guarded else ()
        return sum(each.team == team and each.cell in cells for each in self.board.units)

    def _stands(self, unit: Unit) -> Iterable[Cell]:
        """Return where a unit can act from: first where it stands."""
        known = self.known.get(unit.team)
        return dict.fromkeys([unit.cell, *self.board.reach(unit, known=known)])

    def _deeds(self, unit: Unit) -> Iterator[Choice]:
        """Yield the choices with a skill, or with a door to open."""
        stands = self._stands(unit)
        for cell in stands:
            yield from (Choice(cell, DOOR.name, door) for door in self.doors_beside(cell))
        for skill in unit.stats["skills"]:
            found = self.board.targets(unit, SKILLS[skill].weapon).from_cells.items()
            useful = {cell for other, at in found if self.sees(unit.team, other) for cell in at}
            for cell in filter(useful.__contains__, stands):
                yield from (Choice(cell, skill, aim) for aim in self.aims(unit, skill, cell))

    def aims(self, unit: Unit, skill: str, at: CellLike) -> dict[Cell, Hit]:
        """Return each cell that a unit may aim at, with the units there that it sees and hits."""
        aims = self.board.targets(unit, SKILLS[skill].weapon, at=at).aims
        sees = partial(self.sees, unit.team)
        seen = {aim: tuple(filter(sees, hit.units)) for aim, hit in aims.items()}
        return {aim: aims[aim]._replace(units=units) for aim, units in seen.items() if units}

    def rating(self, unit: Unit) -> float:
        """Return how good the state is for a unit: all hit points, and how far it has to go."""
        if self.winner:
            return math.inf if self.winner == unit.team else -math.inf
        objective, total, distance = self.objective, 0.0, self._distance(unit)
        for each in self.board.units:
            if each.name == unit.name:
                total -= distance(each.cell) / 4
            if each.team in {objective.attackers, objective.defenders}:
                hp = each.stats["hp"] - POISON_DAMAGE * each.stats.get("poison", 0)
                total += (10 + max(0, hp)) * (1 if each.team == unit.team else -1)
        for each in objective.holders(self.board) if objective.rounds else ():
            held = HELD_VALUE * (1 + each.stats.get("held", 0))
            total += held if each.team == unit.team else -held
        return total

    def _distance(self, unit: Unit) -> Callable[[Cell], float]:
        """Return how far cells are from the goals of a unit; a closed door is a detour."""
        is_known = any(kind.name == DOOR.name for kind in self._tilemap.kinds)
        scout = MoveProfile(kind_cost={DOOR.name: 3} if is_known else {})
        cells, known = self.objective.cells, self.known.get(unit.team)
        goals = self.objective.goals(self.board, unit.team)
        if known is not None:
            goals = [goal for goal in goals if goal in cells or known.sees([goal])] or [*cells]
        cost_from = self.board.navigation.cost_field(goals, scout).cost_from
        return lambda cell: min(cost_from(cell), MOST_DISTANCE)

    def _blow(self, by: Unit, target: Unit, skill: str, side: str = "") -> Blow:
        """Return what a skill does to a unit, from a given side or from where the other stands."""
        used, level_at, start, here = SKILLS[skill], self._tilemap.level_at, by.cell, target.cell
        turn = abs(turn_between(target.heading_deg, self._heading(here, start)))
        side = side or ("front" if turn < 50 else "side" if turn < 130 else "back")
        more_chance, more_damage = SIDES[side]
        levels = max(-MAX_LEVELS, min(level_at(start) - level_at(here), MAX_LEVELS))
        chance = used.accuracy + more_chance + CHANCE_PER_LEVEL * levels
        chance = max(0, min(chance - target.stats.get("evasion", 0), 100))
        damage = max(0, used.power - target.stats.get("defense", 0)) * (100 + more_damage) // 100
        slide = self._slide(target, self._heading(start, here), used.push)
        drops = (level_at(a) - level_at(b) for a, b in itertools.pairwise((here, *slide)))
        fall_damage = sum(DAMAGE_PER_LEVEL * max(0, drop - SAFE_LEVELS) for drop in drops)
        return Blow(by, target, skill, side, chance, damage, slide, fall_damage)

    def _slide(self, unit: Unit, ahead_deg: float, n_tiles: int) -> tuple[Cell, ...]:
        """Return the cells over which a push takes a unit of one tile: straight on, never up."""
        nav, slide, level_at = self.board.navigation, [unit.cell], self._tilemap.level_at
        for _ in range(n_tiles if unit.profile.size == 1 else 0):
            here = slide[-1]
            for end in nav.steps_from(here, PUSHED):
                is_beside = (
                    self._tilemap.grid.distance(here[:2], end[:2]) == 1
                )  # no link over other tiles
                is_ahead = abs(turn_between(ahead_deg, self._heading(here, end))) < 46
                is_free = not (self.board.unit_at(end) or nav.explain_stop(end, unit.profile))
                if is_beside and is_ahead and is_free and level_at(end) <= level_at(here):
                    slide.append(end)
                    break
        return tuple(slide[1:])

    def _strike(self, action: Action, blow: Blow) -> None:
        """Roll the dice for a blow, and let it hurt, push and poison its target."""
        by, target, skill, side, chance, damage, slide, fall_damage = blow
        dice, poison = self._has_dice, SKILLS[skill].poison
        part = int(action.random.integers(100) < chance) if dice else chance / 100
        hit = {"by": by.name, "skill": skill, "side": side, "chance": chance, "fall": 0}
        if part > 0.5:
            hit["fall"] = fall_damage
            damage += fall_damage
            if slide:
                action.place(target, slide[-1], along=slide)
            action.set(target, poison=max(poison, target.stats.get("poison", 0)))
        damage = damage if dice else min(damage, target.stats["hp"])
        self._hurt(action, target, part * damage, hit)

    def _hurt(self, action: Action, unit: Unit, damage: float, hit: dict[str, Any]) -> None:
        """Take hit points from a unit, remove it if it has none left, and note the hit."""
        left = max(0, unit.stats["hp"] - damage)
        hit |= {"target": unit.name, "damage": damage, "left": left}
        action.data.setdefault("hits", []).append(hit)
        action.set(unit, hp=left)
        if not left:
            action.remove(unit)

    def doors_beside(self, cell: Cell) -> list[Cell]:
        """Return the closed doors that a unit on a cell can open: none that would meet a deck."""
        tilemap, level = self._tilemap, self._tilemap.level_at(cell)
        around = tilemap.grid.neighbors(cell[:2])
        doors = [at for at in around if tilemap.kind_at(at).name == DOOR.name]
        free = {at: tilemap.headroom_at(at) for at in doors}
        return [at for at, n in free.items() if n is None or level <= tilemap.level_at(at) + n]

    def _heading(self, start: Cell, end: Cell) -> float:
        return heading_between(*map(self._tilemap.surface_point, (start, end))) or 0.0


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
