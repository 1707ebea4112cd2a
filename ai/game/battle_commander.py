"""Turn a player's selection, aim and chosen skill into what a unit does in a battle."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from operator import itemgetter
from typing import Any, TypeVar, cast

from ai.board.attack import Hit, Targets, Weapon, range_of
from ai.board.planning import Plan
from ai.board.unit import Unit
from ai.game.battle import DOOR, SKILLS, Battle, Blow, Choice
from ai.game.battle_ai import distance_to_goals
from ai.game.commander import Commander
from ai.game.descriptions import describe_foe
from ai.game.squad_orders import CommonReach
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from terrain3d import Cell, Reason
from terrain3d.core.checks import listed
from terrain3d.core.translation import capitalized, tr, tr_n
from terrain3d.grid.grid import CellLike
from terrain3d.grid.reason import plain_reason

Found = TypeVar("Found")


class BattleCommander(Commander):
    """A commander of one side of a battle: its units move, and then act once.

    Aimed at an enemy, `choice` is a skill and where the unit goes to use it. The first `act_on`
    there makes it `is_ready`, the second carries it out. With a chosen `skill` every tile in its
    range is a target, and nothing else can be clicked.
    """

    def __init__(self, battle: Battle, team: str) -> None:
        super().__init__(battle.board, team)
        self.battle = battle
        self._skill = ""  # that the player has chosen by its name
        self._shown: Choice | None = None  # that the next click on its target carries out
        self._found_in: object = None
        self._found: dict[object, Any] = {}

    @property
    def skill(self) -> str:
        """The skill that the next click uses; "" to move."""
        skill = self._skill or ("" if self._shown is None else self._shown.skill)
        return skill if skill in self._open_skills else ""

    @property
    def choice(self) -> Choice | None:
        """What the unit does at the tile aimed at: a skill, after a walk if need be, or a door.

        None if a click there moves or selects, or does nothing.
        """
        return None if self.aim is None else self._choice_at(self.aim)

    @property
    def is_ready(self) -> bool:
        """Whether the next click or confirm carries out `choice`; else it is shown first."""
        choice = self.choice
        return choice is not None and (choice == self._shown or choice.skill == DOOR.name)

    @property
    def can_act(self) -> bool:
        """Whether the selected unit is the player's and may act now."""
        return not self.why_not()

    def why_not(self, skill: str = "") -> str:
        """Return why the selected unit cannot act now, or use a skill; "" if it can."""
        unit = self.selected
        if unit is None:
            return Reason("nothing_selected")
        if why := self.why_no_orders or self.battle.reason(unit):
            return why
        if not self.is_open:
            return Reason("not_ready")
        if skill and not (skill in self.skills and self._targets_of(skill).from_cells):
            return Reason("no_enemy_in_range", skill=skill)
        return ""

    @property
    def why_no_attack(self) -> str:
        """Why the enemy aimed at is no target in this turn; "" if it is one, or nobody is there."""
        unit, foe = self.selected, None if self.aim is None else self.unit_seen_at(self.aim)
        if unit is None or foe is None or self.choice is not None or not self.can_act:
            return ""
        if foe not in self.board.enemies_of(unit):
            return ""
        return self._once((unit, foe, self._skill), partial(self._why_too_far, unit, foe))

    @property
    def idle_units(self) -> list[Unit]:
        """The player's units that may still act in this turn."""
        is_own = self.is_players_turn and not self.battle.winner
        units = self.battle.turn.units if is_own else ()
        return [unit for unit in units if not self.battle.reason(unit)]

    @property
    def useful_units(self) -> list[Unit]:
        """Those of `idle_units` that could still strike, open a door or come nearer to a goal."""
        return self._once("useful", self._find_useful)

    def _find_useful(self) -> list[Unit]:
        idle, found = self.idle_units, []
        known = self.battle.look_ahead(idle[0].team) if idle else self.battle
        for unit in idle:
            distance = distance_to_goals(known, known.board.unit(unit))
            here = distance(unit.cell)
            is_nearer = any(distance(cell) < here for cell in self.board.reach(unit))
            if is_nearer or any(self.battle.deeds(unit)):
                found.append(unit)
        return found

    def aims_of(self, skill: str) -> Mapping[Cell, Hit]:
        """Return the tiles in range of a skill of the selected unit, and what it hits there."""
        unit = self.selected
        if unit is None or not skill:
            return {}
        return self._once((unit, skill), partial(self.battle.aims, unit, skill, unit.cell))

    @property
    def targets(self) -> list[Unit]:
        """The enemies that the selected unit can strike in this turn, by the skills that it may.

        These are the chosen one, or all of them.
        """
        found = [self._targets_of(skill).from_cells for skill in self._open_skills]
        return [unit for unit in self.board.units if any(unit in each for each in found)]

    @property
    def fringe(self) -> Set[Cell]:
        """The tiles that the selected unit could strike after a move, without its `reach`.

        None where its allies stand, and once a target is shown.
        """
        skills, reach = self._open_skills if self._skill or not self.skill else (), self.reach
        key = "fringe", self.selected, skills, reach is None
        return self._once(key, lambda: self._find_fringe(skills, reach))

    def _find_fringe(
        self, skills: Iterable[str], reach: Reach | CommonReach | None
    ) -> frozenset[Cell]:
        struck = (self._targets_of(skill).after_move for skill in skills)
        are_allies, team = self.board.sides.are_allies, cast(str, self.team)
        allied = (unit.cells for unit in self.board.units if are_allies(unit.team, team))
        cells = itertools.chain(() if reach is None else reach.cells, *allied)
        return frozenset(itertools.chain.from_iterable(struck)).difference(cells)

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills of the selected unit, if it is the player's; it may not act now."""
        unit = self.selected
        return () if unit is None or self.is_foe_selected else tuple(unit.stats["skills"])

    @property
    def forecast(self) -> list[Blow]:
        """What `choice` would do, to and by units that are seen."""
        choice = self.choice
        return [] if choice is None else self._blows_of(choice)

    def _blows_of(self, choice: Choice) -> list[Blow]:
        """Return what a choice of the selected unit would do, as `forecast`."""
        unit = cast(Unit, self.selected)
        if choice.aim is None or choice.skill == DOOR.name:
            return []
        find = partial(self.battle.forecast, unit, choice.skill, choice.aim, unit.team)
        return self._once((unit, choice), partial(find, at=choice.cell))

    @property
    def reach(self) -> Reach | CommonReach | None:
        """As of a commander; None for a unit that has acted, and while a skill is chosen."""
        unit = self.selected
        has_acted = unit is not None and not self.is_foe_selected and self.battle.reason(unit)
        may_move = self.is_players_turn and not self.skill and not has_acted
        return super().reach if may_move else None

    @property
    def plan(self) -> Plan | None:
        """As of a commander, or where the unit goes for `choice`; None if it stays where it is."""
        unit, choice = self.selected, self.choice
        if unit is not None and choice is not None:
            cell = self.board.tilemap.cell(choice.cell)
            return None if cell == unit.cell else self._planned(unit, cell, ())
        is_able = unit is not None and unit.points > 0 and self.can_act
        return super().plan if is_able and not self.skill else None

    def _weapons(self) -> Mapping[Unit, Sequence[Weapon]]:
        seen = filter(self.sees, self.board.units)
        skills = {unit: unit.stats.get("skills", ()) for unit in seen}
        return {unit: [SKILLS[each].weapon for each in names] for unit, names in skills.items()}

    @property
    def first_threatened(self) -> int | None:
        """As of a commander; None on the way to an attack."""
        return super().first_threatened if self.choice is None else None

    def choose(self, skill: str) -> None:
        """Choose a skill of the selected unit and aim at a target; "" to move instead."""
        if skill and (why := self.why_not(skill)):
            self.refused.emit(why)
        else:
            self._skill, self._shown = skill, None
            if skill:
                self.next_target(0)
            self.changed.emit()

    def choose_next(self) -> None:
        """Choose the next skill of the selected unit that can strike in this turn."""
        able = [skill for skill in self.skills if not self.why_not(skill)] or [*self.skills]
        if able:
            self.choose(able[(able.index(self.skill) + 1) % len(able) if self.skill in able else 0])
        else:
            self.refused.emit(self.why_not())

    def next_target(self, step: int = 1) -> None:
        """Aim at the next target of the chosen skill; at the first unless one is aimed at.

        Those that it reaches from here come first, then the others by the way to them.
        """
        unit = self.selected
        if unit is None or not self.skill:
            return
        found = self._targets_of(self.skill).from_cells
        aims = [foe.cell for foe in sorted(found, key=lambda foe: self._way_to(found[foe][0]))]
        if self.aim in aims:
            self.aim_at(aims[(aims.index(self.aim) + step) % len(aims)])
        elif aims:
            self.aim_at(aims[0])
        self._shown = self.choice

    def act_on(self, cell: CellLike) -> None:
        """Show what the unit can do at a tile, or do it if it is shown; or else move or select."""
        place, unit = self.board.tilemap.cell(cell), self.selected
        if self.battle.winner or not self.is_players_turn:
            return
        self.aim_at(place)
        there, choice = self.unit_seen_at(place), self.choice
        if unit is None or self.is_foe_selected:
            super().act_on(place)
            return
        if choice is not None:
            if self.is_ready:
                self._play(unit, choice)
            else:
                self._shown = choice
                self.changed.emit()
        elif why := self.why_no_attack:
            self.refused.emit(why)
        elif there is None and self.battle.reason(unit):
            self.refused.emit(self.why_not())
        elif not self.skill:
            super().act_on(place)

    def face_aim(self) -> None:
        """Turn the selected unit toward the tile aimed at, unless it has acted."""
        if self.selected is None or self.can_act:
            super().face_aim()
        else:
            self.refused.emit(self.why_not())

    def wait(self) -> None:
        """Let the selected unit do nothing in this turn."""
        unit = self.selected
        if unit is None or not self.can_act:
            self.refused.emit(self.why_not())
        else:
            self._play(unit, Choice(unit.cell))

    def _choice_at(self, place: Cell) -> Choice | None:
        """Return what the selected unit does at a tile."""
        unit = self.selected
        if unit is None or not self.can_act:
            return None
        return self._once((unit, self._skill, place), partial(self._find_choice, unit, place))

    def _find_choice(self, unit: Unit, place: Cell) -> Choice | None:
        """Return the choice that takes most hit points on average from who is there.

        On a tile of the goal the unit stays if a skill reaches from there. Of equal choices it is
        that with the shortest way, then that of the first skill.
        """
        named = self._skill if self._skill in self.skills else ""
        if place in self.aims_of(named):
            return Choice(unit.cell, named, place)
        if not named and place in self.battle.doors_beside(unit.cell):
            return Choice(unit.cell, DOOR.name, place)
        foe = self.unit_seen_at(place)
        if foe is None or foe not in self.targets:
            return None
        goals, found = self.battle.objective.cells, []
        for skill in self._open_skills:
            if cells := self._targets_of(skill).from_cells.get(foe):
                cell = min(cells, key=lambda each: (self._way_to(each), each not in goals))
                aims = self.battle.aims(unit, skill, cell)
                hits = (aim for aim, hit in aims.items() if foe in hit.units)
                aim = next((each for each in (place, *foe.cells) if each in aims), None)
                choice = Choice(cell, skill, next(hits) if aim is None else aim)
                blows = (blow for blow in self._blows_of(choice) if blow.target == foe)
                harms = ((each.chance, each.damage + each.fall_damage) for each in blows)
                taken = sum(chance * min(harm, foe.stats["hp"]) for chance, harm in harms)
                order = _leaves(goals, unit, cell), -taken, self._way_to(cell)
                found.append((order, choice))
        return min(found, key=itemgetter(0))[1]

    def _way_to(self, cell: Cell) -> float:
        """Return what it costs the selected unit to go to a cell that it can attack from."""
        unit = cast(Unit, self.selected)
        return 0.0 if cell == unit.cell else self.board.reach(unit).cost_to(cell)

    @property
    def _open_skills(self) -> tuple[str, ...]:
        """The skills that a click on an enemy may use: the chosen one, or all; none if it waits."""
        if not self.can_act:
            return ()
        return (self._skill,) if self._skill in self.skills else self.skills

    def _targets_of(self, skill: str) -> Targets:
        """Return the units that the selected unit can strike with a skill, also after a move."""
        unit, weapon = cast(Unit, self.selected), SKILLS[skill].weapon
        return self._once((unit, weapon), partial(self.board.targets, unit, weapon))

    def _why_too_far(self, unit: Unit, foe: Unit) -> Reason:
        """Return by how many tiles an enemy is too far this turn; if it is not, that none hits."""
        tilemap, missing = self.board.tilemap, []
        level_at, distance = tilemap.level_at, tilemap.grid.distance
        for skill in self._open_skills:
            weapon = SKILLS[skill].weapon
            for stand, end in itertools.product(self.battle.stands(unit), foe.cells):
                far = min(distance(tile[:2], end[:2]) for tile in tiles_of(stand, unit.profile))
                n_tiles = math.ceil(far - range_of(weapon, level_at(stand) - level_at(end)))
                missing.append((n_tiles, skill))
        n_tiles, skill = min(missing, key=itemgetter(0))
        if n_tiles <= 0:
            return Reason("cannot_be_hit", unit=foe.name, skill=skill)
        return Reason("too_far", unit=foe.name, skill=skill, n=n_tiles)

    def _once(self, key: object, make: Callable[[], Found]) -> Found:
        """Return what is found in this state of the board; it is looked for only once."""
        if self._found_in is not self.board.state:
            self._found_in, self._found = self.board.state, {}
        if key not in self._found:
            self._found[key] = make()
        return cast(Found, self._found[key])

    def back(self) -> None:
        """Give up the chosen skill, or the last waypoint; without them, deselect."""
        if self.skill:
            self.choose("")
        else:
            super().back()

    def select_all(self, units: Iterable[Unit | str]) -> None:
        """Select the first of several units: in a battle each acts for itself."""
        self._skill, self._shown = "", None
        super().select_all(listed("units", units)[:1])

    def select_next(self, step: int = 1) -> Cell | None:
        """Select the next unit that may act; with a chosen skill, aim at its next target."""
        if not self.skill:
            return super().select_next(step)
        self.next_target(step)
        return self.aim

    def _units_to_select(self) -> list[Unit]:
        return self.idle_units or super()._units_to_select()

    @property
    def has_undo(self) -> bool:
        """Whether the last that happened is the player's move, which has not won the battle.

        What dice have decided stays. What a move shows in the fog is out of sight after its undo,
        but the player knows it.
        """
        log = self.board.log if self.is_players_turn and not self.battle.winner else ()
        return bool(log) and log[-1].kind in {"move", "face"} and not log[-1].is_automatic

    @property
    def why_no_undo(self) -> str:
        """As of a commander, also that what dice have decided stays."""
        why = super().why_no_undo
        return Reason("dice_have_decided") if why and self.has_rewind else why

    @property
    def has_rewind(self) -> bool:
        """Whether the player has ordered anything in this turn, and the battle goes on."""
        log = self.board.log if self.is_players_turn and not self.battle.winner else ()
        return bool(log) and not log[-1].begins_turn

    def rewind(self) -> None:
        """Go back to the start of the player's turn.

        The dice are those of before: the same orders, in the same order, have the same results.
        """
        self._skill, self._shown, self._waypoints = "", None, ()
        while self.has_rewind and self.board.undo():
            pass
        self.order_undone.emit(True)
        self.changed.emit()

    def undo(self) -> None:
        """Undo the last move, and show no target any more."""
        self._shown = None
        super().undo()

    @property
    def has_redo(self) -> bool:
        """False: what was undone can be ordered again."""
        return False

    @property
    def why_no_end(self) -> str:
        """As of a commander, also that the battle is over."""
        return Reason("battle_over") if self.battle.winner else super().why_no_end

    def _pass_turn(self) -> None:
        self._skill, self._shown = "", None
        self.battle.end_turn()

    def _play(self, unit: Unit, choice: Choice) -> None:
        """Carry out a choice, and go on to the next unit."""
        self._skill, self._shown, self._waypoints = "", None, ()
        self.battle.play(unit, choice)
        if self.board.turns == "wait":
            self.battle.end_turn_of([unit])
        self.changed.emit()


def describe_state(commander: BattleCommander) -> str:
    """Return what the player can do now, in a line."""
    unit, useful = commander.selected, commander.useful_units
    if commander.battle.winner:
        return tr("The battle is over")
    if not commander.is_players_turn:
        return tr("The enemy acts; click to speed it up")
    if commander.skill:
        is_ready = commander.is_ready
        return tr(
            "Choose the target again to attack" if is_ready else "Choose a target, or go back"
        )
    if unit is not None and commander.is_foe_selected:
        return describe_foe(unit)
    if unit is not None and commander.can_act:
        can_go = commander.reach is not None and len(commander.reach.cells) > 1
        if commander.targets:
            text = "Choose a filled tile to move to, or an enemy to attack"
            return tr(text if can_go else "Choose an enemy to attack")
        text = "Move to a filled tile; from there you can strike striped ones"
        return tr(text if can_go else "No enemy is in range")
    if useful:
        return tr_n("{n} unit can still act", "{n} units can still act", len(useful))
    return tr("Nothing is left to do: end the turn")


def describe_deed(commander: BattleCommander) -> str:
    """Return what the next click does, or why not, unless that is seen on the map."""
    unit, choice, goal = commander.selected, commander.choice, commander.battle.objective
    if unit is None or choice is None:
        return capitalized(plain_reason(commander.why_no_attack))
    if choice.skill == DOOR.name:
        return tr("Open the door")
    cell = commander.board.tilemap.cell(choice.cell)
    is_leaving = _leaves(goal.cells, unit, cell)
    return tr("Leaves {place}", place=tr(goal.place)) if is_leaving else ""


def _leaves(goals: Sequence[Cell], unit: Unit, cell: Cell) -> bool:
    """Return whether a unit stands on a goal, and not any more on a cell."""
    return unit.cell in goals and cell not in goals
