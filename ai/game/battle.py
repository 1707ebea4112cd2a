"""A small tactics battle to copy and change: what its units can do, and what comes of it."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Self, cast

from ai.board.action import Action
from ai.board.area import Area
from ai.board.attack import Hit, Weapon
from ai.board.board import Board
from ai.board.state import Turn
from ai.board.unit import Unit
from ai.game.objective import Objective
from ai.motion.motion import heading_between, turn_between
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileKind
from terrain3d.grid.columns import MAX_LEVEL
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
    lift: int = 0
    """By how many levels it raises the ground under its target; else as `push`."""


CLOUD = Area("diamond", radius=1, up=1, down=2)
SKILLS = MappingProxyType(
    {
        "sword": Skill(Weapon(max_up=2, max_down=3), 9, 80),
        "bow": Skill(Weapon(2, 4, tiles_per_level_down=0.5, tiles_per_level_up=0.5, arc=4), 7, 70),
        "bash": Skill(Weapon(max_up=1, max_down=1), 4, 85, push=2),
        "poison": Skill(Weapon(1, 3, arc=math.inf, area=CLOUD), 3, 75, poison=3),
        "fire": Skill(Weapon(1, 3, arc=2), 9, 85),
        "gust": Skill(Weapon(1, 4, arc=math.inf), 2, 90, push=2),
        "pillar": Skill(Weapon(1, 2, max_up=3, max_down=6), 7, 90, lift=3),
    }
)
"""By name. A unit has ``stats={"hp": 24, "skills": ["sword", "bash"]}``, and may have `defense`,
`evasion` and `poison`, the turns left of it. It answers attacks with the first of its skills."""


class Blow(NamedTuple):
    """What a unit may do to another, with a chance in percent.

    `slide` is where it pushes, `lift` by how many levels it raises the ground. `above` is how many
    levels the attacker stands higher, as far as they count, and `fall` how many the target falls at
    once with harm, which does `fall_damage` beside `damage`.
    """

    by: Unit
    target: Unit
    skill: str
    side: str
    chance: int
    damage: int
    slide: tuple[Cell, ...]
    fall_damage: int
    lift: int
    above: int
    fall: int


class Choice(NamedTuple):
    """Where a unit goes, and which skill it then aims where; "door" opens one, "" does nothing."""

    cell: CellLike
    skill: str = ""
    aim: CellLike | None = None


class Battle:
    """A battle on a board with turns, in each of which a unit acts once.

    What happens is in the stats of units, on the map and in the log of the board, which gets one
    entry of `play` and of `end_turn`; after each it can be undone, saved and continued. Without
    dice each blow does a part of its damage, as large as its chance, to look ahead.
    """

    def __init__(self, board: Board, objective: Objective, *, has_dice: bool = True) -> None:
        if board.turn is None:
            raise ValueError('a battle needs a board with turns, as Board(tilemap, turns="sides")')
        self.board, self.objective, self._has_dice = board, objective, has_dice
        self._tilemap, self._unseen = board.tilemap, frozenset[str]()

    def look_ahead(self, team: str) -> Self:
        """Return a battle without dice on a copy of the board, with the units that a team sees.

        In fog it is not won there by the fall of the last enemy in sight: there may be others.
        """
        board = self.board.at(self.board.seen_state(team))
        made = type(self)(board, self.objective, has_dice=False)
        if board.has_fog:
            sides = {self.objective.attackers, self.objective.defenders}
            made._unseen = frozenset(side for side in sides if board.sides.are_enemies(side, team))
        return made

    @property
    def turn(self) -> Turn:
        """The turn now."""
        return cast(Turn, self.board.turn)

    @property
    def winner(self) -> str:
        """The team that has won; "" while the battle lasts."""
        return self.objective.winner(self.board, self._unseen)

    def forecast(
        self,
        unit: Unit,
        skill: str,
        aim: CellLike,
        team: str | None = None,
        *,
        at: CellLike | None = None,
    ) -> list[Blow]:
        """Return the blows of a skill of a unit, and then the counterattack.

        With `at` it has gone there before, else it acts from where it stands. With a `team` those
        of units that it sees, as if there were no others. `ValueError` if the unit has no such
        skill or cannot aim there.
        """
        if skill not in unit.stats["skills"]:
            raise ValueError(f"{unit.name} has no skill {skill!r}, only {unit.stats['skills']}")
        targets, weapon, aim = self.board.targets, SKILLS[skill].weapon, self._tilemap.cell(aim)
        here = unit.cell if at is None else self._tilemap.cell(at)
        hit = targets(unit, weapon, at=here).aims.get(aim)
        if hit is None:
            raise ValueError(f"{unit.name} cannot aim {skill} from {here} at {aim}")
        units, is_seen = self.board.units, self.board.is_seen
        stands = {each: each.cell for each in units if team is None or is_seen(each, team)}
        enemies = [each for each in self.board.enemies_of(unit) if {each, unit} <= {*stands}]
        struck = [each for each in enemies if not {*hit.cells}.isdisjoint(each.cells)]
        stands[unit] = here
        blows = [self._blow(unit, other, skill, stands) for other in struck]
        for other in struck if not SKILLS[skill].push + SKILLS[skill].lift else ():
            answer = other.stats["skills"][0]
            back = targets(other, SKILLS[answer].weapon, at=other.cell)
            if aim in other.cells and here in back.aims:
                # It has turned to its aim.
                blows.append(self._blow(other, unit, answer, stands, "front"))
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
                board.move(unit, cell)
            if aim is None or self._tilemap.cell(cell) != unit.cell:  # an unseen unit halted it
                return
            aim = self._tilemap.cell(aim)
            action.change(unit, heading_deg=self._heading(unit.cell, aim))
            if skill == DOOR.name:
                if aim not in self.doors_beside(unit.cell):
                    raise ValueError(f"{unit.name} is not beside a closed door at {aim}")
                floor = self._tilemap.kind_at(unit.cell).name
                self._rebuild(action, aim, self._tilemap.level_at(unit.cell), "wood", floor)
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
                    hit = {"by": "", "skill": "poison", **self._hidden(unit.name)}
                    self._hurt(action, unit, POISON_DAMAGE, hit)
            holders = self.objective.holders(board) if self.objective.rounds else ()
            for unit in board.units:
                held = unit.stats.get("held", 0) + (unit in units) if unit in holders else 0
                if held != unit.stats.get("held", 0):
                    action.set(unit, held=held)
            if not {*board.units}.isdisjoint(units):  # else the turn has passed on already
                board.end_turn()

    def end_turn_of(self, units: Iterable[Unit], *, is_automatic: bool = False) -> None:
        """End the turn if it is still that of any of some units, and nobody has won."""
        if not self.winner and not {*self.turn.units}.isdisjoint(units):
            self.end_turn(is_automatic=is_automatic)

    def stands(self, unit: Unit) -> Iterable[Cell]:
        """Return where a unit can act from: first where it stands."""
        return dict.fromkeys([unit.cell, *self.board.reach(unit)])

    def deeds(self, unit: Unit) -> Iterator[Choice]:
        """Yield the choices with a skill, or with a door to open."""
        stands = self.stands(unit)
        for cell in stands:
            yield from (Choice(cell, DOOR.name, door) for door in self.doors_beside(cell))
        for skill in unit.stats["skills"]:
            found = self.board.targets(unit, SKILLS[skill].weapon).from_cells.values()
            useful = {cell for at in found for cell in at}
            for cell in filter(useful.__contains__, stands):
                yield from (Choice(cell, skill, aim) for aim in self.aims(unit, skill, cell))

    def aims(self, unit: Unit, skill: str, at: CellLike) -> dict[Cell, Hit]:
        """Return each cell that a unit may aim at, with the units there that it sees and hits."""
        aims = self.board.targets(unit, SKILLS[skill].weapon, at=at).aims
        return {aim: hit for aim, hit in aims.items() if hit.units}

    def _blow(
        self, by: Unit, target: Unit, skill: str, stands: Mapping[Unit, Cell], side: str = ""
    ) -> Blow:
        """Return what a skill does to a unit, from a given side or from where the other stands.

        Known units, each with where it stands, are in the way of one that is pushed.
        """
        used, level_at = SKILLS[skill], self._tilemap.level_at
        start, here = stands[by], stands[target]
        turn = abs(turn_between(target.heading_deg, self._heading(here, start)))
        side = side or ("front" if turn < 50 else "side" if turn < 130 else "back")
        more_chance, more_damage = SIDES[side]
        levels = max(-MAX_LEVELS, min(level_at(start) - level_at(here), MAX_LEVELS))
        chance = used.accuracy + more_chance + CHANCE_PER_LEVEL * levels
        chance = max(0, min(chance - target.stats.get("evasion", 0), 100))
        damage = max(0, used.power - target.stats.get("defense", 0)) * (100 + more_damage) // 100
        slide = self._slide(target, self._heading(start, here), used.push, stands)
        drops = (level_at(a) - level_at(b) for a, b in itertools.pairwise((here, *slide)))
        falls = [drop for drop in drops if drop > SAFE_LEVELS]
        harm = sum(DAMAGE_PER_LEVEL * (drop - SAFE_LEVELS) for drop in falls)
        is_free = here.deck == 0 and target.profile.size == 1
        is_free = is_free and self._tilemap.headroom_at(here) is None
        lift = min(used.lift, MAX_LEVEL - level_at(here)) if is_free else 0
        values = chance, damage, slide, harm, lift, levels, sum(falls)
        return Blow(by, target, skill, side, *values)

    def _slide(
        self, unit: Unit, ahead_deg: float, n_tiles: int, stands: Mapping[Unit, Cell]
    ) -> tuple[Cell, ...]:
        """Return the cells over which a push takes a unit of one tile: straight on, never up."""
        nav, slide, level_at = self.board.navigation, [stands[unit]], self._tilemap.level_at
        distance = self._tilemap.grid.distance
        taken = {tile for u, cell in stands.items() for tile in tiles_of(cell, u.profile)}
        for _ in range(n_tiles if unit.profile.size == 1 else 0):
            here = slide[-1]
            for end in nav.steps_from(here, PUSHED):
                is_beside = distance(here[:2], end[:2]) == 1  # no link over other tiles
                is_ahead = abs(turn_between(ahead_deg, self._heading(here, end))) < 46
                is_free = end not in taken and not nav.explain_stop(end, unit.profile)
                if is_beside and is_ahead and is_free and level_at(end) <= level_at(here):
                    slide.append(end)
                    break
        return tuple(slide[1:])

    def _strike(self, action: Action, blow: Blow) -> None:
        """Roll the dice for a blow, and let it hurt, push and poison its target."""
        by, target, skill, side, chance, damage, slide, fall_damage, lift, _above, fall = blow
        dice, poison = self._has_dice, SKILLS[skill].poison
        part = int(action.random.integers(100) < chance) if dice else chance / 100
        hit = {"by": by.name, "skill": skill, "side": side, "chance": chance, "missed": part == 0}
        hit |= self._hidden(by.name, target.name)  # before a push out of sight
        if part > 0.5:
            hp = target.stats["hp"]
            hit |= {"fall": fall, "fall_damage": max(0, min(fall_damage, hp - damage))}
            hit |= {"pushed": len(slide), "poison": poison}
            damage += fall_damage
            if slide:
                action.place(target, slide[-1], along=slide)
            if lift:
                level = self._tilemap.level_at(target.cell) + lift
                self._rebuild(action, target.cell, level, "rock")
            action.set(target, poison=max(poison, target.stats.get("poison", 0)))
        self._hurt(action, target, part * min(damage, target.stats["hp"]), hit)

    def _rebuild(self, action: Action, cell: Cell, level: int, kind: str, other: str = "") -> None:
        """Change level and kind of a tile; a map without the kind gets the other, if any."""
        kind = kind if any(kind == each.name for each in self._tilemap.kinds) else other
        with action.edit() as edit:
            edit.set_level(cell, level)
            if kind:
                edit.set_kind(cell, kind)

    def _hidden(self, *names: str) -> dict[str, Any]:
        """Return what a hit says, in fog, of who of these units each side does not see."""
        if not self.board.has_fog or not self._has_dice:
            return {}
        sides, is_seen = (self.objective.attackers, self.objective.defenders), self.board.is_seen
        return {"unseen": {side: [n for n in names if not is_seen(n, side)] for side in sides}}

    def _hurt(self, action: Action, unit: Unit, damage: float, hit: dict[str, Any]) -> None:
        """Take hit points from a unit, remove it if it has none left, and note the hit."""
        damage = min(damage, unit.stats["hp"])
        left = unit.stats["hp"] - damage
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
