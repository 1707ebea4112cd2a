"""Describe units, tiles and orders for panels: a heading line first, then details."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ai.board.board import Board
from ai.board.planning import Plan
from ai.board.unit import Unit, UnitState
from ai.game.battle import (
    CHANCE_PER_LEVEL,
    DAMAGE_PER_LEVEL,
    MAX_LEVELS,
    POISON_DAMAGE,
    SAFE_LEVELS,
    SIDES,
    SKILLS,
    Skill,
)
from ai.game.commander import Commander
from ai.game.objective import first_units, side_name, turn_name
from ai.game.squad_orders import SquadOrder
from ai.movers import figures_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.core.checks import plain
from terrain3d.core.translation import capitalized, tr, tr_n
from terrain3d.grid.grid import CellLike
from terrain3d.grid.reason import describe_place, plain_reason

DIRECTIONS = (
    "north",
    "north-west",
    "west",
    "south-west",
    "south",
    "south-east",
    "east",
    "north-east",
)
"""Names of headings, one for every 45 degrees."""


class Status(NamedTuple):
    """What holds of a unit in a battle; `icon` is one of `terrain3d.look.icons.ICONS`."""

    icon: str
    number: str
    """What stands beside the icon, or ""."""
    text: str
    """For the player, with its numbers."""


def statuses(unit: Unit, board: Board) -> list[Status]:
    """Return what holds of a unit now, the most urgent first."""
    stats, turn = unit.stats, board.turn
    found = []
    if left := stats.get("poison", 0):
        one = "poison: {damage} at the end of its turn, for {n} turn"
        many = "poison: {damage} at the end of its turn, for {n} turns"
        text = tr_n(one, many, left, damage=POISON_DAMAGE)
        if stats["hp"] <= POISON_DAMAGE:
            text = tr("dies of poison at the end of its turn")
        found.append(Status("poison", f"-{POISON_DAMAGE}", text))
    if held := stats.get("held", 0):
        text = tr_n("has held the goal for {n} round", "has held the goal for {n} rounds", held)
        found.append(Status("flag", "", text))
    if turn is not None and unit in turn.units and stats.get("acted") == turn.number:
        found.append(Status("check", "", tr("has acted")))
    if unit.has_zoc:
        found.append(Status("shield", "", tr("guards: enemies that come beside it stop")))
    if unit.profile.hover or unit.profile.can_fly:
        found.append(Status("wings", "", tr("floats")))
    return found


def rules_of_the_fight() -> list[tuple[str, str]]:
    """Return five rules of a battle for the player: a word, and what it does."""
    (side, _), (back, damage) = SIDES["side"], SIDES["back"]
    chance, most, harm = CHANCE_PER_LEVEL, MAX_LEVELS, DAMAGE_PER_LEVEL
    behind = "+{side} % to hit from the side; from behind +{back} %, and {damage} % more damage"
    above = "+{chance} % to hit for each level higher, -{chance} % for each lower, up to {most}"
    fall = "a push down more than {safe} levels takes {harm} hit points for each level more"
    poison = "takes {damage} hit points at the end of each turn"
    answer = "a unit that is attacked strikes back with its first skill, if that reaches"
    return [
        (tr("Side"), tr(behind, side=side, back=back, damage=damage)),
        (tr("Height"), tr(above, chance=chance, most=most)),
        (tr("Fall"), tr(fall, safe=SAFE_LEVELS, harm=harm)),
        (tr("Poison"), tr(poison, damage=POISON_DAMAGE)),
        (tr("Counterattack"), tr(answer)),
    ]


def describe_skill(skill: Skill) -> str:
    """Return in a line how far a skill reaches, what it does and how often it hits."""
    weapon = skill.weapon
    reach = f"{weapon.min_tiles}-{weapon.max_tiles}".removeprefix(f"{weapon.max_tiles}-")
    parts = [tr("Range {range}", range=reach), tr("{damage} damage", damage=skill.power)]
    if weapon.max_up < math.inf:
        most = math.floor(weapon.max_up)
        parts.append(tr_n("up to {n} level higher", "up to {n} levels higher", most))
    if weapon.max_down < math.inf:
        most = math.floor(weapon.max_down)
        parts.append(tr_n("up to {n} level lower", "up to {n} levels lower", most))
    if weapon.area is not None:
        parts.append(tr("hits several tiles"))
    if skill.push:
        parts.append(tr_n("pushes {n} tile", "pushes {n} tiles", skill.push))
    if skill.poison:
        parts.append(tr_n("poisons for {n} turn", "poisons for {n} turns", skill.poison))
    if skill.lift:
        lifts = "raises the ground {n} level", "raises the ground {n} levels"
        parts.append(tr_n(*lifts, skill.lift))
    return tr(", ").join([*parts, tr("{chance} % to hit", chance=skill.accuracy)])


def describe_skills(unit: Unit) -> list[str]:
    """Return a line for each skill of a unit: its name, and as `describe_skill`."""
    names = unit.stats.get("skills", ())
    lines = ((capitalized(tr(name)), describe_skill(SKILLS[name])) for name in names)
    return [tr("{name}: {what}", name=name, what=what) for name, what in lines]


def describe_strength(unit: Unit) -> str:
    """Return the class of a unit, how far it goes in a turn, and what protects it."""
    parts = [tr(figures_of(unit.profile)[0]), _describe_move(unit)]
    if defense := unit.stats.get("defense", 0):
        parts.append(tr("defense {n}", n=defense))
    if evasion := unit.stats.get("evasion", 0):
        parts.append(tr("evasion {n}", n=evasion))
    return capitalized(tr(", ").join(parts))


def unit_name(unit: Unit | UnitState) -> str:
    """Return the name of a unit with that of its side."""
    return tr("{unit} ({team})", unit=unit.name, team=side_name(unit.team))


def full_hit_points(unit: Unit, board: Board) -> float:
    """Return with how many hit points a unit has begun."""
    begun = first_units(board)
    found = (each.stats.get("hp", 0) for each in begun if each.name == unit.name)
    return float(max(next(found, 0), unit.stats.get("hp", 0)))


def describe_profile(profile: MoveProfile) -> str:
    """Return how units of a profile move."""
    if profile.can_fly:
        return tr("flies over everything")
    if profile.warp:
        return tr_n("warps up to {n} tile", "warps up to {n} tiles", profile.warp)
    up, down = _surcharge(profile.climb_cost), _surcharge(profile.drop_cost)
    parts = [
        _gait(profile),
        tr_n("climbs {n} level{price}", "climbs {n} levels{price}", profile.max_climb, price=up),
        tr_n("drops {n} level{price}", "drops {n} levels{price}", profile.max_drop, price=down),
    ]
    if profile.size > 1:
        parts.append(tr("covers {size} x {size} tiles", size=profile.size))
    return tr(", ").join(parts)


def describe_turn(board: Board, team: str | None = None) -> str:
    """Return the number of the turn and whose it is; "" without turns. `team` is the player's.

    A unit that the team does not see is not named.
    """
    turn = board.turn
    if turn is None:
        return ""
    first = turn.units[0] if board.turns == "wait" and turn.units else None
    is_seen = first is not None and (team is None or board.is_seen(first, team))
    who = first.name if first is not None and is_seen else side_name(turn.team)
    whose = tr("your turn, {who}" if turn.team == team else "{who}'s turn", who=who)
    now = capitalized(turn_name(turn.number, board.turns))
    return tr("{turn}: {whose}", turn=now, whose=whose)


def describe_next(board: Board, team: str | None = None) -> list[str]:
    """Return the units of the next ten turns as a list for a panel, on a board with such turns.

    With a `team` only units that it sees are named.
    """
    if board.turns != "wait":
        return []
    state = board.state if team is None else board.seen_state(team)
    units = enumerate(state.next_units(10), start=1)
    rows = (f"{number}  {unit_name(unit)}" for number, unit in units)
    return [tr("Next turns"), *rows]


def describe_units(units: Sequence[Unit]) -> list[str]:
    """Return the number and the team of several units, and the name and points of each."""
    count, team = len(units), side_name(units[0].team)
    heading = tr_n("{n} unit ({team})", "{n} units ({team})", count, team=team)
    return [heading, *(f"{unit.name}{tr(', ')}{_describe_points(unit)}" for unit in units)]


def describe_unit(unit: Unit, tilemap: TileMap, *, has_coordinates: bool = True) -> list[str]:
    """Return a unit's name and team, how far and how it moves, where it stands and looks.

    Here as below the player reads rows and columns of tiles if `has_coordinates`.
    """
    ground = _describe_ground(tilemap, unit.cell, has_coordinates)
    direction = DIRECTIONS[round(unit.heading_deg / 45) % len(DIRECTIONS)]
    lines = [
        unit_name(unit),
        _describe_points(unit),
        describe_profile(unit.profile),
        tr("on {ground}, faces {direction}", ground=ground, direction=tr(direction)),
    ]
    if unit.has_zoc:
        lines.append(tr("ends the moves of enemies beside it"))
    return lines


def describe_threat(commander: Commander, cell: Cell) -> list[str]:
    """Return which enemies could reach a tile, on a board with turns, and what "!" stands for."""
    threat = None if commander.board.turn is None else commander.threat
    there = commander.unit_seen_at(cell)
    names = [] if threat is None else [unit.name for unit in threat.by(cell) if unit is not there]
    lines = [tr("within reach of {units}", units=tr(", ").join(names))] if names else []
    if commander.first_threatened is not None:
        lines.append(tr("! from here on the path is within reach"))
    return lines


def describe_tile(
    board: Board,
    cell: CellLike,
    unit: Unit | None = None,
    *,
    unit_at: Callable[[Cell], Unit | None] | None = None,
    has_coordinates: bool = True,
) -> list[str]:
    """Return a tile's kind and level, its cost for a unit, and the unit that stands there.

    `unit_at` returns the unit that the player sees on a cell; without it all are seen.
    """
    tilemap = board.tilemap
    place = tilemap.cell(cell)
    if tilemap.is_void(place):
        where = describe_place(place) if has_coordinates else ""
        return [tr("No ground {place}", place=where).rstrip()]
    ground = _describe_ground(tilemap, place, has_coordinates)
    lines = [capitalized(ground)]
    decks = tilemap.decks_at(place[:2])
    if len(decks) > 1:
        lines.append(tr("on a bridge" if place.deck == decks[-1] else "under a bridge"))
    if unit is not None:
        lines.append(_describe_entry(unit.profile, tilemap, place))
    occupant = (unit_at or board.unit_at)(place)
    if occupant is not None and not occupant.is_moving:
        lines.append(tr("{unit} stands here", unit=unit_name(occupant)))
    return lines


def describe_plan(plan: Plan, board: Board, *, has_coordinates: bool = True) -> str:
    """Return the cost of an order, or why it would be refused."""
    if not plan:
        return plain_reason(plan.reason, plan.cell, has_coordinates=has_coordinates)
    points = plan.unit.points
    if plan.partial:
        cost, now = plan.path.cost, plan.cost
        if not board.turns:
            return tr("costs {cost}: {now} now", cost=plain(cost), now=plain(now))
        if len(plan.turn_ends) == 2 and plan.turn_ends[-1] == len(plan.path) - 1:
            text = "costs {cost}: {now} this turn, {rest} the next"
            return tr(text, cost=plain(cost), now=plain(now), rest=plain(cost - now))
        text = tr("costs {cost}: {now} this turn", cost=plain(cost), now=plain(now))
        if plan.turn_ends[-1] < len(plan.path) - 1:
            return text + tr(", and no turn has the points for the rest")
        return text + tr_n(", there in {n} turn", ", there in {n} turns", len(plan.turn_ends))
    if points == math.inf:
        return tr("costs {cost}", cost=plain(plan.cost))
    return tr_n("costs {cost} of {n} point", "costs {cost} of {n} points", points, cost=plan.cost)


def describe_foe(unit: Unit) -> str:
    """Return what is marked for a selected unit of another side."""
    text = "{unit} could go to the marked tiles; it takes no orders from you"
    return tr(text, unit=unit.name)


def describe_part(plan: Plan) -> str:
    """Return how far an order goes whose unit has not the points for all of it."""
    text = "Too far for now: goes {n} of {count} tiles; choose it again to go"
    return tr(text, n=len(plan) - 1, count=len(plan.path) - 1)


def describe_squad(order: SquadOrder, *, has_coordinates: bool = True) -> list[str]:
    """Return how many units of an order go, how far, and why each of the others stays."""
    n_units, n_going = len(order.units) + len(order.stays), len(order.units)
    if order.units and all(len({*path}) == 1 for path in order.plan.paths):
        heading = tr_n("{n} unit is there", "{n} units are there", n_going)
    else:
        heading = tr_n("{n} unit goes", "{n} units go", n_going)
    if order.stays:
        heading = tr("{n} of {count} units go", n=n_going, count=n_units)
    lines = [heading]
    if order.parts:
        names = tr(", ").join(unit.name for unit in order.parts)
        lines.append(tr("as far as points last: {units}", units=names))
    stays = order.stays.values()
    return [*lines, *(plain_reason(why, has_coordinates=has_coordinates) for why in stays)]


def advice(commander: Commander, keys: Mapping[str, str]) -> str:
    """Return what the player can do next; `keys` are the names of keys by their actions.

    They are those of "select_next", "confirm", "end_turn", and of all of the cursor's as "cursor".
    """
    if not commander.is_players_turn:
        return tr("Wait until its units have acted")
    selected, turn = commander.selected, commander.board.turn
    if selected is not None and commander.is_foe_selected:
        return describe_foe(selected)
    if turn is not None and not any(each.points for each in turn.units):
        text = "No points are left: {end_turn} ends the turn"
    elif selected is not None and turn is not None and not selected.points:
        text = "{unit} has no points left: choose another unit; {end_turn} ends the turn"
    elif selected is None:
        text = "Choose a unit: click it, or press {select_next}"
    elif len(commander.squad) > 1:
        names = tr(", ").join(unit.name for unit in commander.squad)
        return tr("Choose a tile for {units}: they go there together", units=names)
    else:
        text = "Choose a tile for {unit}: click it, or use {cursor} and {confirm}"
    return tr(text, unit="" if selected is None else selected.name, **keys)


def _describe_move(unit: Unit) -> str:
    if unit.move == math.inf:
        return tr("unlimited move points")
    return tr_n("{n} move point", "{n} move points", unit.move)


def _describe_points(unit: Unit) -> str:
    if unit.points == unit.move:
        return _describe_move(unit)
    left = "{left} left of {n} move point", "{left} left of {n} move points"
    return tr_n(*left, unit.move, left=plain(unit.points))


def _describe_ground(tilemap: TileMap, cell: Cell, has_coordinates: bool) -> str:
    """Return a surface's kind, level and place, or that an edit has removed it."""
    place = describe_place(cell) if has_coordinates else ""
    if not tilemap.has_surface(cell):
        return tr("no ground left {place}", place=place).rstrip()
    kind, level = tr(tilemap.kind_at(cell).name), tilemap.level_at(cell)
    return tr("{kind}, level {level} {place}", kind=kind, level=level, place=place).rstrip()


def _gait(profile: MoveProfile) -> str:
    if profile.hover:
        return tr("floats")
    return tr("walks" if profile.kind_cost.get("#liquid") is None else "swims")


def _describe_entry(profile: MoveProfile, tilemap: TileMap, cell: CellLike) -> str:
    kind = tilemap.kind_at(cell)
    cost = profile.cost_to_enter(kind)
    if profile.warp:
        text = tr("costs the distance to it")
    elif cost is None and not profile.can_fly:
        return tr("cannot be entered")
    else:
        price = 1 if cost is None or profile.can_fly else cost
        text = tr("costs {cost} to enter", cost=plain(price))
    return text if profile.can_stop_on(kind) else tr("{price}, no stopping", price=text)


def _surcharge(cost: float | Sequence[float]) -> str:
    """Return what the levels of a step cost beside the tile; costs by the level are a sequence."""
    if isinstance(cost, Sequence):
        rows = enumerate(cost, start=1)
        parts = (tr("+{cost} for {levels}", cost=plain(part), levels=n) for n, part in rows)
        return f" ({tr(', ').join(parts)})"
    return tr(" (+{cost} each)", cost=plain(cost)) if cost else ""
