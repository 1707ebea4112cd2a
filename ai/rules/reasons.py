"""The reasons why no step, link or warp joins two surfaces, or no path can end on a surface."""

from ai.rules.footprint import tiles_of, void_reason
from ai.rules.step_conditions import CORNER, status_reason
from ai.rules.step_rule import StepRule
from terrain3d import Cell, Reason, Rect


def move_reason(rule: StepRule, start: Cell, end: Cell, *, is_beside: bool) -> str:
    """Return why no step, link or warp leads from one surface to another.

    `is_beside`: whether a legal step would lead there.
    """
    if rule.footprint.no_start[start.deck, start.row, start.col]:
        return rule.footprint.absence_reason(start)
    if start != end and rule.profile.warp:
        return _warp_reason(rule, start, end)
    if is_beside:
        return step_reason(rule, start, end)
    plain = "no step leads from {} to {}"
    no_step = Reason("{} and {} are not neighbors", start, end, plain=plain)
    return _link_reason(rule, start, end) or no_step


def step_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    """Return why the step between surfaces of neighboring columns is not legal; "" if it is."""
    status, open_corners = rule.status(start, end)
    if status != CORNER:
        return status_reason(status, rule.footprint, rule.mover, start, end)
    corner = Cell(start.row, end.col) if open_corners & 1 else Cell(end.row, start.col)
    reason = step_reason(rule, start, corner) or step_reason(rule, corner, end)
    return corner_reason(reason)


def stop_reason(rule: StepRule, cell: Cell) -> str:
    """Return why no path of the mover can end on a surface; "" if one can."""
    footprint = rule.footprint
    if footprint.is_barred[cell.deck, cell.row, cell.col]:
        return footprint.absence_reason(cell)
    for tile in tiles_of(cell, rule.profile):
        kind = footprint.tilemap.kind_at(tile)
        reason = footprint.kind_reason(tile)
        if not reason and not rule.profile.can_stop_on(kind):
            reason = Reason("cannot stop on {} at {}", kind.name, tile)
        if reason:
            return reason
    return ""


def _warp_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    length, limit = rule.footprint.tilemap.grid.distance(start[:2], end[:2]), rule.profile.warp
    if length > limit:
        plain = "the warp to {2} is {0} tiles, the limit is {1}"
        return Reason("warp {} > {} at {}", length, limit, end, plain=plain)
    return stop_reason(rule, end)


def _link_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    """Return why a link between two surfaces does not lead there; "" if there is none."""
    for link in rule.footprint.tilemap.links_in(Rect(start.row, start.col, 1, 1)):
        if {link.start, link.end} != {start, end}:
            continue
        if link.one_way and link.start != start:
            return Reason("the {} leads from {} to {} only", link.kind, end, start)
        if rule.profile.link_cost.get(link.kind, link.cost) is None:
            return Reason("the {} from {} to {} cannot be used", link.kind, start, end)
        return step_reason(rule, end, end)
    return ""


def start_reason(rule: StepRule, cell: Cell) -> str:
    """Return why no path can start on a surface where nothing can stand."""
    why = stop_reason(rule, cell)
    if why == void_reason(cell):
        return Reason("the start {}", why, plain="there is no ground at the start")
    return Reason("the start: {}", why)


def corner_reason(why: str) -> str:
    """Return the reason that no path leads around the corner of a diagonal step."""
    return Reason("no path around the corner: {}", why)


def blocked_reason(cell: Cell) -> str:
    """Return the reason that another unit stands on a cell."""
    return Reason("{} is occupied", cell, plain="another unit stands at {}")


def halt_reason(cell: Cell) -> str:
    """Return the reason that a path which enters a cell ends there."""
    return Reason("the path has to end at {}", cell)
