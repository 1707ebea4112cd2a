"""Why a step is not legal or a way cannot end somewhere, in words."""

import numpy as np
from numpy.typing import NDArray

from ai.rules.footprint import OPEN_SKY, tiles_of
from ai.rules.step_rule import DETOURS_NEEDED, StepRule
from terrain3d import Cell, Rect

Place = tuple[int, int, int]


def move_reason(rule: StepRule, start: Cell, end: Cell, *, is_beside: bool) -> str:
    """Say why nothing leads straight from a surface to another: no step, no link, no warp.

    Parameters
    ----------
    is_beside : bool
        Whether the mover would step, if it was legal.
    """
    if rule.footprint.is_void[_place(start)]:
        return _void(rule, start)
    if start != end and rule.profile.warp:
        return _warp_fault(rule, start, end)
    if is_beside:
        return step_reason(rule, start, end)
    return _link_fault(rule, start, end) or f"{start} and {end} are not neighbors"


def step_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    """Say why the step between surfaces of two neighboring columns is not legal; "" if it is."""
    why = (
        _absence(rule, start, rule.footprint.is_void)
        or entry_reason(rule, end)
        or _air_fault(rule, start, end)
    )
    if why or rule.profile.can_fly:
        return why or _corner_fault(rule, start, end)
    if _is_walled(rule, start, end):
        return f"a wall stands between {start} and {end}"
    level = rule.footprint.level
    rise = int(level[_place(end)]) - int(level[_place(start)])
    if rise > rule.profile.max_climb:
        return f"climb {rise} > {rule.profile.max_climb} at {end}"
    if -rise > rule.profile.max_drop:
        return f"drop {-rise} > {rule.profile.max_drop} at {end}"
    return _corner_fault(rule, start, end)


def entry_reason(rule: StepRule, cell: Cell) -> str:
    """Say why a mover cannot enter a surface, from wherever; "" if it can."""
    why = _absence(rule, cell, rule.footprint.is_barred)
    return why if why or rule.profile.can_fly else _kind_fault(rule, cell)


def stop_reason(rule: StepRule, cell: Cell) -> str:
    """Say why a way cannot end on a surface, whoever stands there; "" if it can."""
    if rule.footprint.is_barred[_place(cell)]:
        return _void(rule, cell)
    tilemap = rule.footprint.tilemap
    for tile in tiles_of(cell, rule.profile):
        why = _kind_fault(rule, tile)
        if not why and not rule.kind_stop[tilemap.surface_kind[_place(tile)]]:
            why = f"cannot stop on {tilemap.kind_at(tile).name} at {tile}"
        if why:
            return why
    return ""


def _warp_fault(rule: StepRule, start: Cell, end: Cell) -> str:
    far = rule.footprint.tilemap.grid.distance(start[:2], end[:2])
    if far > rule.profile.warp:
        return f"warp {far} > {rule.profile.warp} at {end}"
    return stop_reason(rule, end)


def _link_fault(rule: StepRule, start: Cell, end: Cell) -> str:
    """Say why a link between two surfaces does not lead there; "" if there is none."""
    for link in rule.footprint.tilemap.links_in(Rect(start.row, start.col, 1, 1)):
        if {link.start, link.end} != {start, end}:
            continue
        if link.one_way and link.start != start:
            return f"the {link.kind} leads from {end} to {start} only"
        if rule.profile.link_cost.get(link.kind, link.cost) is None:
            return f"the {link.kind} from {start} to {end} cannot be used"
        return entry_reason(rule, end) or _air_fault(rule, end, end)
    return ""


def _place(cell: Cell) -> Place:
    return cell.deck, cell.row, cell.col


def _kind_fault(rule: StepRule, tile: Cell) -> str:
    """Say why what a single tile is made of cannot be entered; "" if it can."""
    tilemap = rule.footprint.tilemap
    if np.isfinite(rule.kind_entry[tilemap.surface_kind[_place(tile)]]):
        return ""
    return f"{tilemap.kind_at(tile).name} at {tile} cannot be entered"


def _void(rule: StepRule, cell: Cell) -> str:
    """Say why a mover cannot come to stand on a surface: its ground, or that it does not fit."""
    size, tilemap = rule.profile.size, rule.footprint.tilemap
    tiles = tiles_of(cell, rule.profile)
    last = tiles[-1]
    if size == 1 or (cell.deck == 0 and last.row < tilemap.rows and last.col < tilemap.cols):
        for tile in tiles:
            if tilemap.surface_void[_place(tile)]:
                return f"{tile} is void"
        for tile in tiles:
            why = _kind_fault(rule, tile)
            if why:
                return why
    return f"{size} x {size} tiles do not fit at {cell}"


def _absence(rule: StepRule, cell: Cell, is_absent: NDArray[np.bool_]) -> str:
    """Say that a mover can be on no surface there, not even in passing."""
    if not is_absent[_place(cell)] or (rule.profile.can_fly and cell.deck == 0):
        return ""
    return _void(rule, cell)


def _air_fault(rule: StepRule, start: Cell, end: Cell) -> str:
    ceiling, level = rule.footprint.ceiling, rule.footprint.level
    if not len(ceiling):
        return ""
    here, there = _place(start), _place(end)
    room = int(min(ceiling[here], ceiling[there])) - int(max(level[here], level[there]))
    if room >= rule.body or room >= OPEN_SKY // 2:
        return ""
    return f"no headroom: {max(0, room)} < {rule.body} at {end}"


def _is_walled(rule: StepRule, start: Cell, end: Cell) -> bool:
    walls = rule.footprint.walls
    steps = rule.footprint.tilemap.grid.steps_from(start.row, start.col)
    step = end.row - start.row, end.col - start.col
    return bool(len(walls) and step in steps and (walls[_place(start)] >> steps.index(step)) & 1)


def _corner_fault(rule: StepRule, start: Cell, end: Cell) -> str:
    """Say why a step across a corner is not legal though its rise is; "" if it is."""
    if not rule.has_diagonals or start.row == end.row or start.col == end.col:
        return ""
    needed = DETOURS_NEEDED[rule.profile.diagonal]
    faults = []
    for row, col in ((end.row, start.col), (start.row, end.col)):
        ways = []
        for deck in range(len(rule.footprint.level)):
            corner = Cell(row, col, deck)
            if deck == 0 or not rule.footprint.is_void[_place(corner)]:
                ways.append(step_reason(rule, start, corner) or step_reason(rule, corner, end))
        faults.append(min(ways, key=bool))
    if sum(not why for why in faults) >= needed:
        return ""
    return corner_reason(next(why for why in faults if why))


def start_reason(rule: StepRule, cell: Cell) -> str:
    """Return why no path can start on a surface where nothing can stand."""
    why = stop_reason(rule, cell)
    return f"the start {why}" if why.startswith(str(cell)) else f"the start: {why}"


def corner_reason(why: str) -> str:
    """Return the reason that no path leads around the corner of a diagonal step."""
    return f"no path around the corner: {why}"


def blocked_reason(cell: Cell) -> str:
    """Return the reason that another unit stands on a cell."""
    return f"{cell} is occupied"


def halt_reason(cell: Cell) -> str:
    """Return the reason that a path which enters a cell ends there."""
    return f"the path has to end at {cell}"
