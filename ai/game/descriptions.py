"""Units, tiles and orders in words, for panels: a heading line first, then what else is known."""

from collections.abc import Sequence

from ai.board.board import Board
from ai.board.unit import Unit
from ai.game.autopilot import Autopilot
from ai.game.behavior_catalog import BEHAVIORS
from ai.game.commander import Commander, Plan
from ai.navigation.path import plain_number
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.grid.grid import CellLike


def describe_profile(profile: MoveProfile) -> str:
    """Say how a mover moves."""
    if profile.can_fly:
        return "flies over everything"
    if profile.warp:
        return f"warps up to {_counted(profile.warp, 'tile')}"
    parts = [
        _manner(profile),
        f"climbs {profile.max_climb}{_surcharge(profile.climb_cost)}",
        f"drops {profile.max_drop}{_surcharge(profile.drop_cost)}",
    ]
    if profile.leap:
        parts.append(f"leaps over {_counted(profile.leap, 'tile')}")
    if profile.size > 1:
        parts.append(f"covers {profile.size} x {profile.size} tiles")
    return ", ".join(parts)


def describe_unit(unit: Unit, tilemap: TileMap) -> list[str]:
    """Say who a unit is, how it moves, how far, and where it stands."""
    lines = [
        f"{unit.name}, team {unit.team}",
        describe_profile(unit.profile),
        _counted(plain_number(unit.move), "move point"),
        f"at {unit.cell}, {_ground_words(tilemap, unit.cell)}",
    ]
    if unit.has_zoc:
        lines.append("ends the moves of enemies beside it")
    return lines


def describe_behavior(name: str) -> str:
    """Say how somebody moves by itself; see `ways.BEHAVIORS`."""
    return BEHAVIORS[name].text if name else "waits for orders"


def describe_autopilot(autopilot: Autopilot, unit: Unit) -> list[str]:
    """Say how a unit moves by itself, and why it stays if it does; nothing if it waits."""
    name, why = autopilot.behavior_of(unit), autopilot.reason_of(unit)
    if not name:
        return []
    return [f"by itself: {describe_behavior(name)}", *([why] if why else [])]


def describe_tile(board: Board, cell: CellLike, unit: Unit | None = None) -> list[str]:
    """Say what a tile is, what entering it costs a unit, and who stands there.

    Raises
    ------
    IndexError, TypeError
        The cell is outside the map or is no cell.
    """
    tilemap = board.tilemap
    place = tilemap.cell(cell)
    if tilemap.is_void(place):
        return ["no ground", f"at {place}"]
    lines = [_ground_words(tilemap, place), f"at {place}"]
    decks = tilemap.decks_at(place[:2])
    if len(decks) > 1:
        lines.append(f"surface {decks.index(place.deck) + 1} of {len(decks)} from below")
    if unit is not None:
        lines.append(_entry_words(unit.profile, tilemap, place))
    there = board.unit_at(place)
    if there is not None:
        lines.append(f"{there.name}, team {there.team}, stands here")
    return lines


def describe_plan(plan: Plan) -> str:
    """Say what an order would cost, or why it would be refused."""
    if not plan.is_allowed:
        return plan.reason
    return f"cost {plan.order.cost} of {plain_number(plan.unit.move)}"


def advice(commander: Commander) -> str:
    """Say what a person may do next."""
    if commander.selected is None:
        return "Choose a unit: click it, or press Tab"
    if len(commander.squad) > 1:
        names = ", ".join(unit.name for unit in commander.squad)
        return f"Choose a tile for {names}: they go there together"
    if commander.reach is None:
        return f"{commander.selected.name} is on the way"
    return f"Choose a tile for {commander.selected.name}: click it, or use the arrow keys and Enter"


def _ground_words(tilemap: TileMap, cell: Cell) -> str:
    """Say what a tile is made of; an edit may have taken it away."""
    if not tilemap.has_surface(cell):
        return "where no ground is left"
    return f"{tilemap.kind_at(cell).name}, level {tilemap.level_at(cell)}"


def _manner(profile: MoveProfile) -> str:
    if profile.hover:
        return "floats"
    return "walks" if profile.kind_cost.get("#liquid") is None else "swims"


def _entry_words(profile: MoveProfile, tilemap: TileMap, cell: CellLike) -> str:
    kind = tilemap.kind_at(cell)
    cost = profile.cost_to_enter(kind)
    if profile.warp:
        words = "costs the distance to it"
    elif profile.can_fly:
        words = "costs 1 to enter"
    elif cost is None:
        return "cannot be entered"
    else:
        words = f"costs {plain_number(cost)} to enter"
    return words if profile.can_stop_on(kind) else f"{words}, no stopping"


def _surcharge(cost: float | Sequence[float]) -> str:
    if isinstance(cost, Sequence):
        return " at " + ", ".join(f"+{plain_number(part)}" for part in cost)
    return f" at +{plain_number(cost)} a level" if cost else ""


def _counted(number: float, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
