"""Turn a player's selection, aim and chosen skill into what a unit does in a battle."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from ai.board.attack import Hit
from ai.board.planning import Plan
from ai.board.unit import Unit
from ai.game.battle import DOOR, SKILLS, Battle, Blow, Choice
from ai.game.commander import Commander
from ai.game.squad_orders import CommonReach
from ai.navigation.reach import Reach
from terrain3d import Cell, Reason
from terrain3d.core.checks import listed
from terrain3d.core.translation import tr, tr_n
from terrain3d.grid.grid import CellLike

NO_AIMS: Mapping[Cell, Hit] = MappingProxyType({})


class BattleCommander(Commander):
    """A commander of one side of a battle: its units move, and then act once.

    With a chosen `skill` the tile aimed at is a target, and `act_on` uses the skill there.
    """

    def __init__(self, battle: Battle, team: str) -> None:
        super().__init__(battle.board, team)
        self.battle = battle
        self._skill = ""
        self._aims: tuple[object, Mapping[Cell, Hit]] = None, NO_AIMS

    @property
    def skill(self) -> str:
        """The skill that the next click uses; "" to move."""
        return self._skill if self._skill in self.skills else ""

    @property
    def can_act(self) -> bool:
        """Whether the selected unit is the player's, may act now and stands still."""
        unit = self.selected
        return (
            unit is not None
            and not (self.is_foe_selected or unit.is_moving)
            and self.is_open
            and not self.battle.reason(unit)
        )

    @property
    def idle_units(self) -> list[Unit]:
        """The player's units that may still act in this turn."""
        is_own = self.is_players_turn and not self.battle.winner
        units = self.battle.turn.units if is_own else ()
        return [unit for unit in units if not self.battle.reason(unit)]

    def aims_of(self, skill: str) -> Mapping[Cell, Hit]:
        """Return the tiles in range of a skill of the selected unit, and what it hits there."""
        unit, board = self.selected, self.board
        if unit is None or not skill:
            return NO_AIMS
        key = skill, unit, board.state, board.state.revision
        if self._aims[0] != key:
            self._aims = key, self.battle.aims(unit, skill, unit.cell)
        return self._aims[1]

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills of the selected unit, if it may act."""
        unit = self.selected
        return tuple(unit.stats["skills"]) if unit is not None and self.can_act else ()

    @property
    def forecast(self) -> list[Blow]:
        """What the chosen skill would do at the tile aimed at, to and by units that are seen."""
        unit, aim, skill = self.selected, self.aim, self.skill
        if unit is None or aim is None or aim not in self.aims_of(skill):
            return []
        return self.battle.forecast(unit, skill, aim, unit.team)

    @property
    def opens_door(self) -> bool:
        """Whether the next click opens a door beside the selected unit."""
        unit = self.selected
        if unit is None or self.aim is None or self.skill or not self.can_act:
            return False
        return self.aim in self.battle.doors_beside(unit.cell)

    @property
    def reach(self) -> Reach | CommonReach | None:
        """As of a commander; None for a unit that has acted, and while a skill is chosen."""
        return super().reach if self._may_move else None

    @property
    def _may_move(self) -> bool:
        """Whether a unit that is or may be selected can still move, and no skill is chosen."""
        unit = self.selected
        has_acted = unit is not None and not self.is_foe_selected and self.battle.reason(unit)
        return self.is_players_turn and not self.skill and not has_acted

    @property
    def plan(self) -> Plan | None:
        """As of a commander; None if it may not act, has a chosen skill or would open a door."""
        is_moving = self.can_act and not (self.skill or self.opens_door)
        return super().plan if is_moving else None

    @property
    def foe_reach(self) -> Reach | None:
        """As of a commander; None for a unit that has acted, and while a skill is chosen."""
        return super().foe_reach if self._may_move else None

    def choose(self, skill: str) -> None:
        """Choose a skill of the selected unit and aim at its next target; "" to move instead."""
        if skill and (not self.can_act or skill not in self.skills):
            self._refuse_acting()
        elif skill and not self.aims_of(skill):
            self.refused.emit(Reason("no_enemy_in_range", skill=skill))
        else:
            self._skill = skill
            if skill:
                self.next_target()
            self.changed.emit()

    def choose_next(self) -> None:
        """Choose the next skill of the selected unit that has something in range."""
        able = [*filter(self.aims_of, self.skills)] or [*self.skills]
        if able:
            self.choose(able[(able.index(self.skill) + 1) % len(able) if self.skill in able else 0])
        else:
            self._refuse_acting()

    def next_target(self, step: int = 1) -> None:
        """Aim at the next target of the chosen skill; at the first unless one is aimed at."""
        aims = [
            aim
            for aim, hit in self.aims_of(self.skill).items()
            if any(aim in unit.cells for unit in hit.units)
        ] or [*self.aims_of(self.skill)]
        if self.aim in aims:
            self.aim_at(aims[(aims.index(self.aim) + step) % len(aims)])
        elif aims:
            self.aim_at(aims[0])

    def act_on(self, cell: CellLike) -> None:
        """Use the chosen skill at a tile; or choose one for an enemy in range, select or move."""
        place, unit = self.board.tilemap.cell(cell), self.selected
        if self.battle.winner or not self.is_players_turn:
            return
        there = self.unit_seen_at(place)
        if self.skill:
            if place in self.aims_of(self.skill) and unit is not None:
                self._play(unit, Choice(unit.cell, self.skill, place))
            else:
                self.choose("")
            return
        if there is not None and there.team != self.team and self.can_act:
            able = [each for each in self.skills if place in self.aims_of(each)]
            if able:
                self._skill = able[0]
                self.aim_at(place)
                self.changed.emit()
                return
        self.aim_at(place)
        if self.opens_door and unit is not None:
            self._play(unit, Choice(unit.cell, DOOR.name, place))
            return
        own = None if unit is None or self.is_foe_selected else unit
        if there is None and own is not None and self.battle.reason(own):
            self._refuse_acting()
        else:
            super().act_on(place)

    def face_aim(self) -> None:
        """Turn the selected unit toward the tile aimed at, unless it has acted."""
        if self.selected is None or self.can_act:
            super().face_aim()
        else:
            self._refuse_acting()

    def wait(self) -> None:
        """Let the selected unit do nothing in this turn."""
        unit = self.selected
        if unit is None or not self.can_act:
            self._refuse_acting()
        else:
            self._play(unit, Choice(unit.cell))

    def back(self) -> None:
        """Give up the chosen skill, or the last waypoint; without them, deselect."""
        if self.skill:
            self.choose("")
        else:
            super().back()

    def select_all(self, units: Iterable[Unit]) -> None:
        """Select the first of several units: in a battle each acts for itself."""
        self._skill = ""
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
    def has_redo(self) -> bool:
        """False: what was undone can be ordered again."""
        return False

    def end_turn(self) -> None:
        """End the player's turn, unless a unit is still walking or the battle is over."""
        if self.battle.winner:
            self.refused.emit(Reason("battle_over"))
        else:
            super().end_turn()

    def _pass_turn(self) -> None:
        self._skill = ""
        self.battle.end_turn()

    def _play(self, unit: Unit, choice: Choice) -> None:
        """Carry out a choice, and go on to the next unit."""
        self._skill, self._waypoints = "", ()
        self.battle.play(unit, choice)
        if self.board.turns == "wait":
            self.battle.end_turn_of([unit])
        self.changed.emit()

    def _refuse_acting(self) -> None:
        unit = self.selected
        if unit is None:
            self.refused.emit(Reason("nothing_selected"))
        elif not self.refuse_foe():
            walks = Reason("is_walking", unit=unit.name)
            self.refused.emit(self.battle.reason(unit) or walks)


def describe_state(commander: BattleCommander) -> str:
    """Return what the player can do now, in a line."""
    unit, idle = commander.selected, commander.idle_units
    if commander.battle.winner:
        return tr("The battle is over")
    if not commander.is_players_turn:
        return tr("The enemy acts; click or confirm to hurry")
    if commander.skill:
        return tr("Choose a target; choose it again to attack")
    if unit is not None and commander.can_act:
        if unit.points <= 0:
            return tr("Choose an enemy or a skill to attack, or wait")
        return tr("Choose a marked tile to move to, or an enemy or a skill to attack")
    if idle:
        return tr_n("{n} unit may still act", "{n} units may still act", len(idle))
    return tr("All units have acted: end the turn")


def describe_blows(blows: Sequence[Blow]) -> list[str]:
    """Return chance, damage and more of what a skill and its answer do, a line each."""
    lines = []
    for blow in blows:
        text = tr(
            "{by}: {skill} on {target}, {chance} % to hit, takes {damage} of {hp} hit points",
            by=blow.by.name,
            skill=tr(blow.skill),
            target=blow.target.name,
            chance=blow.chance,
            damage=blow.damage,
            hp=round(blow.target.stats["hp"]),
        )
        turns = SKILLS[blow.skill].poison
        more = [tr("from the {side}", side=tr(blow.side))] if blow.side != "front" else []
        more += [tr_n("pushed {n} tile", "pushed {n} tiles", len(blow.slide))] if blow.slide else []
        fall = tr("{damage} more by the fall", damage=blow.fall_damage)
        more += [fall] if blow.fall_damage else []
        more += [tr_n("poisoned for {n} turn", "poisoned for {n} turns", turns)] if turns else []
        lines.append(tr(", ").join([text, *more]))
    return lines


def describe_deed(commander: BattleCommander) -> list[str]:
    """Return what the next click does, a line each, unless it moves or selects."""
    return [tr("Open the door")] if commander.opens_door else describe_blows(commander.forecast)
