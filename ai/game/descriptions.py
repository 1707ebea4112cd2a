"""Describe units, tiles, orders and detours for panels: a heading line first, then details."""

import math
from collections.abc import Sequence

from ai.board.board import Board
from ai.board.occupancy import Plan
from ai.board.unit import Unit
from ai.game.autopilot import BEHAVIORS, Autopilot
from ai.game.commander import Commander
from ai.game.squad_orders import SquadOrder
from ai.navigation.path import plain_number
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.core.checks import counted
from terrain3d.grid.grid import CellLike
from terrain3d.grid.reason import describe_place, plain_reason


def describe_profile(profile: MoveProfile) -> str:
    """Return how units of a profile move."""
    if profile.can_fly:
        return "flies over everything"
    if profile.warp:
        return f"warps up to {counted(profile.warp, 'tile')}"
    parts = [
        _gait(profile),
        f"climbs {counted(profile.max_climb, 'level')}{_surcharge(profile.climb_cost)}",
        f"drops {counted(profile.max_drop, 'level')}{_surcharge(profile.drop_cost)}",
    ]
    if profile.leap:
        parts.append(f"leaps over {counted(profile.leap, 'tile')}")
    if profile.size > 1:
        parts.append(f"covers {profile.size} x {profile.size} tiles")
    return ", ".join(parts)


def describe_turn(board: Board, team: str | None = None) -> str:
    """Return the round and whose turn it is; "" without turns. `team` is the player's."""
    turn = board.turn
    if turn is None:
        return ""
    who = turn.units[0].name if board.turns == "wait" and turn.units else turn.team
    what = "Turn" if board.turns == "wait" else "Round"
    whose = f"your turn, {who}" if turn.team == team else f"{who}'s turn"
    return f"{what} {turn.number}: {whose}"


def describe_next(board: Board) -> list[str]:
    """Return the units of the next ten turns as a list for a panel, on a board with such turns."""
    if board.turns != "wait":
        return []
    units = enumerate(board.next_units(), start=1)
    return ["Next turns", *(f"{number}  {unit.name}, {unit.team}" for number, unit in units)]


def describe_units(units: Sequence[Unit]) -> list[str]:
    """Return the number and the team of several units, and the name and points of each."""
    heading = f"{len(units)} units, team {units[0].team}"
    return [heading, *(f"{unit.name}, {_describe_points(unit)}" for unit in units)]


def describe_unit(unit: Unit, tilemap: TileMap) -> list[str]:
    """Return a unit's name and team, how it moves, how far, and where it stands."""
    lines = [
        f"{unit.name}, team {unit.team}",
        describe_profile(unit.profile),
        _describe_points(unit),
        f"on {_describe_ground(tilemap, unit.cell)} {describe_place(unit.cell)}",
    ]
    if unit.has_zoc:
        lines.append("ends the moves of enemies beside it")
    return lines


def describe_threat(commander: Commander, cell: Cell) -> list[str]:
    """Return which enemies could reach a tile, on a board with turns; no lines if none could."""
    threat = None if commander.board.turn is None else commander.threat
    there = commander.board.unit_at(cell)
    names = [] if threat is None else [unit.name for unit in threat.by(cell) if unit is not there]
    return [f"within reach of {', '.join(names)}"] if names else []


def describe_behavior(name: str) -> str:
    """Return what a unit with a behavior does; "" is a unit without one."""
    if not name:
        return "waits for orders"
    return BEHAVIORS[name].text if name in BEHAVIORS else f"follows {name}"


def describe_autopilot(autopilot: Autopilot, unit: Unit) -> list[str]:
    """Return a unit's behavior, and why it stays if it does; no lines without a behavior."""
    name, why = autopilot.behavior_of(unit), autopilot.reason_of(unit)
    if not name:
        return []
    return [f"autopilot: {describe_behavior(name)}", *([plain_reason(why)] if why else [])]


def describe_tile(board: Board, cell: CellLike, unit: Unit | None = None) -> list[str]:
    """Return a tile's kind and level, its cost for a unit, and the unit that stands there."""
    tilemap = board.tilemap
    place = tilemap.cell(cell)
    if tilemap.is_void(place):
        return [f"No ground {describe_place(place)}"]
    ground = _describe_ground(tilemap, place)
    lines = [f"{ground[0].upper()}{ground[1:]} {describe_place(place)}"]
    decks = tilemap.decks_at(place[:2])
    if len(decks) > 1:
        lines.append(f"surface {decks.index(place.deck) + 1} of {len(decks)} from below")
    if unit is not None:
        lines.append(_describe_entry(unit.profile, tilemap, place))
    occupant = board.unit_at(place)
    if occupant is not None:
        lines.append(f"{occupant.name}, team {occupant.team}, stands here")
    return lines


def describe_plan(plan: Plan, board: Board) -> str:
    """Return the cost of an order, or why it would be refused."""
    if not plan:
        return plain_reason(plan.reason, plan.cell)
    points = plan.unit.points
    if plan.partial:
        when = "this turn" if board.turns else "now"
        part = f"{counted(plan.path.cost, 'point')}: {plan.cost} {when}"
        return part + _turns(plan, board, "turn")
    return f"costs {plan.cost}" + f" of {plain_number(points)} points" * (points < math.inf)


def describe_rest(plan: Plan, board: Board) -> str:
    """Return what is left of a path after an order along its first part."""
    left = counted(plain_number(plan.path.cost - plan.cost), "point")
    more = _turns(plan, board, "more turn", n_done=1)
    return f"{plan.unit.name} goes as far as its points last; the rest costs {left}{more}"


def _turns(plan: Plan, board: Board, what: str, n_done: int = 0) -> str:
    """Return in how many turns a path ends, or that it never does; "" without turns."""
    if not board.turns:
        return ""
    if plan.turn_ends[-1] < len(plan.path) - 1:
        return ", and no turn has the points for the rest"
    return f", there in {counted(len(plan.turn_ends) - n_done, what)}"


def describe_squad(order: SquadOrder) -> list[str]:
    """Return how many units of an order go, how far, and why each of the others stays."""
    n_units = len(order.units) + len(order.stays)
    of_all = f" of {n_units}" if order.stays else ""
    are_there = order.units and all(len({*path}) == 1 for path in order.plan.paths)
    lines = [f"{len(order.units)}{of_all} units {'are there' if are_there else 'go'}"]
    if order.parts:
        names = ", ".join(unit.name for unit in order.parts)
        lines.append(f"as far as points last: {names}")
    return [*lines, *map(plain_reason, order.stays.values())]


def advice(commander: Commander) -> str:
    """Return what the player can do next."""
    if not commander.is_players_turn:
        return "Wait for its units"
    selected = commander.selected
    if selected is not None and commander.is_foe_selected:
        return f"{selected.name} could go to the marked tiles; it takes no orders from you"
    if commander.board.turn is not None and not any(
        each.points for each in commander.board.turn.units
    ):
        return "No points are left: F10 ends the turn"
    if selected is not None and commander.board.turn is not None and not selected.points:
        return f"{selected.name} has no points left: choose another unit; F10 ends the turn"
    if commander.selected is None:
        return "Choose a unit: click it, or press Tab"
    if len(commander.squad) > 1:
        names = ", ".join(unit.name for unit in commander.squad)
        return f"Choose a tile for {names}: they go there together"
    if commander.selected.is_moving:
        return f"{commander.selected.name} is walking"
    return f"Choose a tile for {commander.selected.name}: click it, or use the arrow keys and Enter"


def _describe_points(unit: Unit) -> str:
    if unit.move == math.inf:
        return "unlimited move points"
    left = "" if unit.points == unit.move else f"{plain_number(unit.points)} left of "
    return left + counted(plain_number(unit.move), "move point")


def _describe_ground(tilemap: TileMap, cell: Cell) -> str:
    """Return a surface's kind and level, or that an edit has removed it."""
    if not tilemap.has_surface(cell):
        return "no ground left"
    return f"{tilemap.kind_at(cell).name}, level {tilemap.level_at(cell)}"


def _gait(profile: MoveProfile) -> str:
    if profile.hover:
        return "floats"
    return "walks" if profile.kind_cost.get("#liquid") is None else "swims"


def _describe_entry(profile: MoveProfile, tilemap: TileMap, cell: CellLike) -> str:
    kind = tilemap.kind_at(cell)
    cost = profile.cost_to_enter(kind)
    if profile.warp:
        text = "costs the distance to it"
    elif profile.can_fly:
        text = "costs 1 to enter"
    elif cost is None:
        return "cannot be entered"
    else:
        text = f"costs {plain_number(cost)} to enter"
    return text if profile.can_stop_on(kind) else f"{text}, no stopping"


def _surcharge(cost: float | Sequence[float]) -> str:
    """Return what the levels of a step cost beside the tile; costs by the level are a sequence."""
    if isinstance(cost, Sequence):
        parts = (f"+{plain_number(part)} for {levels}" for levels, part in enumerate(cost, 1))
        return f" ({', '.join(parts)})"
    return f" (+{plain_number(cost)} each)" if cost else ""


MAX_STEPS = 120
"""The longest path that is explained; longer ones would take too much of a frame."""

_PAID_FOR = {
    "ground": "ground",
    "diagonal": "diagonal steps",
    "climb": "climbing",
    "drop": "going down",
    "leap": "leaps",
    "link": "ladders and doors",
}
"""Names for the player of what a step pays for."""


def straight_route(tilemap: TileMap, start: Cell, goal: Cell, profile: MoveProfile) -> list[Cell]:
    """Return the cells along the straight line to a goal, whether or not a step is legal there.

    Each next cell is a neighbor with one step less to go on open ground, and of these the one
    nearest to the line. Of several surfaces of a column the one nearest in level is next.
    """
    grid, route = tilemap.grid, [start]
    diagonals = grid.diagonals if profile.diagonal != "never" else ()
    (x, y), (goal_x, goal_y) = grid.center(start[:2]), grid.center(goal[:2])

    def left(cell: Cell) -> tuple[int, float]:
        across = abs(cell.row - goal.row), abs(cell.col - goal.col)
        n_steps = max(across) if diagonals else grid.distance(cell[:2], goal[:2])
        cell_x, cell_y = grid.center(cell[:2])
        off = (cell_x - x) * (goal_y - y) - (cell_y - y) * (goal_x - x)
        return n_steps, round(abs(off), 9)

    def level(cell: Cell) -> int:
        return int(tilemap.surface_level[cell.deck, cell.row, cell.col])

    while (here := route[-1])[:2] != goal[:2]:
        corners = (Cell(here.row + down, here.col + right) for down, right in diagonals)
        column = min([*grid.neighbors(here[:2]), *filter(grid.contains, corners)], key=left)
        surfaces = [column._replace(deck=deck) for deck in tilemap.decks_at(column[:2]) or [0]]
        route.append(min(surfaces, key=lambda cell: abs(level(cell) - level(here))))
    return [*route[:-1], goal]


def describe_detour(plan: Plan, board: Board) -> str:
    """Return why the path of a plan has more steps than the straight route, and what it saves.

    "" if it has not, if there is no path or a very long one, and if both cost the same.
    """
    cells, unit, others = plan.path.cells, plan.unit, board.situation(plan.unit)
    if not 1 < len(cells) <= MAX_STEPS + 1:
        return ""
    route = straight_route(board.tilemap, cells[0], plan.cell, unit.profile)
    if len(cells) <= len(route):
        return ""
    found = board.navigation.compare(
        cells, route, unit.profile, blocked=others.blocked, halting=others.halting
    )
    if found.other.reason:
        return f"no straight path: {plain_reason(found.other.reason, plan.cell)}"
    if found.path.cost == found.other.cost:
        return ""
    saved = {name: getattr(found.savings, part) for part, name in _PAID_FOR.items()}
    terms = [
        f"{abs(cost):.12g} {'less' if cost > 0 else 'more'} for {name}"
        for name, cost in sorted(saved.items(), key=lambda row: -row[1])
        if cost
    ]
    costs = f"{found.path.cost:.12g} instead of {found.other.cost:.12g}"
    return f"{costs} straight: {', '.join(terms)}"
