"""What a step is paid for, and why no step joins two surfaces or no path can end on one."""

from typing import NamedTuple

from ai.rules.footprint import OPEN_SKY, Footprint, tiles_of
from ai.rules.step_rule import StepRule
from ai.rules.steps import CLIMB, CORNER, DROP, HEADROOM, KIND, NO_END, NO_START, WALL
from ai.search.graph import number_of
from terrain3d import Cell, Reason, Rect
from terrain3d.grid.reason import register_reasons

register_reasons(
    is_void=("{cell} is void", "there is no ground {cell:at}"),
    void_start=("the start {cell} is void", "there is no ground at the start"),
    bad_start=("the start: {why}",),
    does_not_fit=("{size} x {size} tiles do not fit {cell:at}",),
    closed_kind=("{kind} at {cell} cannot be entered", "{kind} cannot be entered {cell:at}"),
    closed_by_rule=("{cell} cannot be entered: {rule}", "{cell:tile} cannot be entered: {rule}"),
    no_stop_kind=("cannot stop on {kind} {cell:at}",),
    low_ceiling=(
        "no headroom: {room} < {headroom} at {cell}",
        "it is {headroom:levels} tall, with room for {room} {cell:at}",
    ),
    wall_between=("a wall stands between {start} and {end}",),
    high_climb=(
        "climb {rise} > {limit} at {cell}",
        "the climb {cell:at} is {rise:levels}, the limit is {limit}",
    ),
    deep_drop=(
        "drop {rise} > {limit} at {cell}",
        "the drop {cell:at} is {rise:levels}, the limit is {limit}",
    ),
    closed_corner=("no path around the corner: {why}",),
    not_neighbors=("{start} and {end} are not neighbors", "no step leads from {start} {end:to}"),
    far_warp=(
        "warp {length} > {limit} at {cell}",
        "the warp {cell:to} is {length:tiles}, the limit is {limit}",
    ),
    one_way_link=("the {kind} leads from {start} {end:to} only",),
    closed_link=("the {kind} from {start} {end:to} cannot be used",),
)


class StepParts(NamedTuple):
    """A cost by what it is paid for; the parts add up to the cost of a step, or of a path."""

    ground: float = 0
    """Entering tiles, by their kinds and the rules of a game; for a flyer 1 a step."""
    diagonal: float = 0
    """The surcharge of diagonal steps over straight ones; negative if they cost less."""
    climb: float = 0
    drop: float = 0
    link: float = 0
    warp: float = 0
    extra: float = 0
    """The extra costs of a query."""


class StepAnswer(NamedTuple):
    """The answer to `Navigation.explain_step`: legal or not, cost, rise, why not, and the parts.

    Without a legal step the cost is infinity, and no part is above 0.
    """

    legal: bool
    cost: float
    rise: int
    reason: str
    parts: StepParts = StepParts()


def step_parts(rule: StepRule, start: int, end: int, cost: float, slot: int) -> StepParts:
    """Return the parts of an edge between two nodes, by its cost and slot in `Graph`.

    Warps and links have the slots after those of the steps.
    """
    mover, moves = rule.mover, rule.moves
    if rule.profile.warp:
        return StepParts(warp=cost)
    if slot >= moves.count:
        return StepParts(link=cost)
    level, kind = rule.footprint.arrays[:2]
    rise = int(level[end]) - int(level[start])
    enter, diagonal = (each[kind[end]].item() for each in (mover.entry, mover.diagonal))
    surcharge = 0 if mover.can_fly else mover.rise[rise + mover.max_drop].item()
    is_diagonal = slot % moves.n_moves >= moves.n_straight
    return StepParts(
        ground=number_of(enter, rule.unit),
        diagonal=number_of(diagonal - enter, rule.unit) if is_diagonal else 0,
        climb=number_of(surcharge, rule.unit) if rise > 0 else 0,
        drop=number_of(surcharge, rule.unit) if rise < 0 else 0,
    )


def move_reason(rule: StepRule, start: Cell, end: Cell, *, is_beside: bool) -> str:
    """Return why no step, link or warp leads from one surface to another.

    `is_beside`: whether a legal step would lead there.
    """
    if rule.footprint.no_start[start.deck, start.row, start.col]:
        return _absence_reason(rule.footprint, start)
    if start != end and rule.profile.warp:
        return _warp_reason(rule, start, end)
    if is_beside:
        return step_reason(rule, start, end)
    return _link_reason(rule, start, end) or Reason("not_neighbors", start=start, end=end)


def step_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    """Return why the step between surfaces of neighboring columns is not legal; "" if it is."""
    footprint = rule.footprint
    status, open_corners = rule.status(start, end)
    if status == NO_START:
        return _absence_reason(footprint, start)
    if status == NO_END:
        return _absence_reason(footprint, end)
    if status == KIND:
        return _entry_reason(footprint, end)
    if status == WALL:
        return _wall_reason(footprint, start, end)
    if status in {HEADROOM, CLIMB, DROP}:
        why = "" if rule.mover.can_fly else _rise_reason(rule, start, end)
        # A step to a roof passes the slab, but what is too much for the mover is the climb.
        rooms = [_room(footprint, cell) for cell in (start, end) if status == HEADROOM]
        is_low = min(rooms, default=OPEN_SKY) < rule.mover.headroom
        return _headroom_reason(footprint, start, end) if is_low or not why else why
    if status == CORNER:
        corner = Cell(start.row, end.col) if open_corners & 1 else Cell(end.row, start.col)
        why = step_reason(rule, start, corner) or step_reason(rule, corner, end)
        return Reason("closed_corner", why=why)
    return ""


def stop_reason(rule: StepRule, cell: Cell) -> str:
    """Return why no path of the mover can end on a surface; "" if one can."""
    footprint = rule.footprint
    if footprint.is_barred[cell.deck, cell.row, cell.col]:
        return _absence_reason(footprint, cell)
    for tile in tiles_of(cell, rule.profile):
        kind = footprint.tilemap.kind_at(tile)
        reason = _entry_reason(footprint, tile)
        if not reason and not rule.profile.can_stop_on(kind):
            reason = Reason("no_stop_kind", kind=kind.name, cell=tile)
        if reason:
            return reason
    return ""


def start_reason(rule: StepRule, cell: Cell) -> str:
    """Return why no path can start on a surface where nothing can stand."""
    why = stop_reason(rule, cell)
    if isinstance(why, Reason) and why.code == "is_void" and why.cells == (cell,):
        return Reason("void_start", cell=cell)
    return Reason("bad_start", why=why)


def _warp_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    length, limit = rule.footprint.tilemap.grid.distance(start[:2], end[:2]), rule.profile.warp
    if length > limit:
        return Reason("far_warp", length=length, limit=limit, cell=end)
    return stop_reason(rule, end)


def _link_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    """Return why a link between two surfaces does not lead there; "" if there is none."""
    for link in rule.footprint.tilemap.links_in(Rect(start.row, start.col, 1, 1)):
        if {link.start, link.end} != {start, end}:
            continue
        if link.one_way and link.start != start:
            return Reason("one_way_link", kind=link.kind, start=end, end=start)
        if rule.profile.link_cost.get(link.kind, link.cost) is None:
            return Reason("closed_link", kind=link.kind, start=start, end=end)
        return step_reason(rule, end, end)
    return ""


def _absence_reason(footprint: Footprint, cell: Cell) -> str:
    """Return why the mover cannot stand on a barred surface: ground, size or headroom."""
    size, tilemap = footprint.profile.size, footprint.tilemap
    tiles = tiles_of(cell, footprint.profile)
    last = tiles[-1]
    if size == 1 or (cell.deck == 0 and last.row < tilemap.rows and last.col < tilemap.cols):
        for tile in tiles:
            if tilemap.surface_void[tile.deck, tile.row, tile.col]:
                return Reason("is_void", cell=tile)
        for tile in tiles:
            reason = _entry_reason(footprint, tile)
            if reason:
                return reason
        levels = [tilemap.level_at(tile) for tile in tiles]
        if max(levels) - min(levels) <= footprint.profile.size_tolerance:
            return _headroom_reason(footprint, cell, cell)
    return Reason("does_not_fit", size=size, cell=cell)


def _entry_reason(footprint: Footprint, tile: Cell) -> str:
    """Return why a single tile cannot be entered by its kind or a rule; "" if it can."""
    kind = footprint.tilemap.kind_at(tile)
    if footprint.profile.cost_to_enter(kind) is None:
        return Reason("closed_kind", kind=kind.name, cell=tile)
    rule = footprint.blocking_rule(tile)
    return Reason("closed_by_rule", rule=rule, cell=tile) if rule else ""


def _rise_reason(rule: StepRule, start: Cell, end: Cell) -> str:
    """Return by how much a step rises or falls too far; "" if it does not."""
    level, mover = rule.footprint.level, rule.mover
    rise = int(level[end.deck, end.row, end.col]) - int(level[start.deck, start.row, start.col])
    if rise > mover.max_climb:
        return Reason("high_climb", rise=rise, limit=mover.max_climb, cell=end)
    if -rise > mover.max_drop:
        return Reason("deep_drop", rise=-rise, limit=mover.max_drop, cell=end)
    return ""


def _room(footprint: Footprint, *cells: Cell) -> int:
    """Return the levels of free air above a surface, or above a step between two."""
    ends = [(cell.deck, cell.row, cell.col) for cell in cells]
    return int(min(footprint.ceiling[at] for at in ends) - max(footprint.level[at] for at in ends))


def _headroom_reason(footprint: Footprint, start: Cell, end: Cell) -> str:
    """Return that a mover on its path from start to end is too tall, and where."""
    room, ceiling = max(0, _room(footprint, start, end)), footprint.ceiling
    lower = min((end, start), key=lambda cell: int(ceiling[cell.deck, cell.row, cell.col]))
    return Reason("low_ceiling", room=room, headroom=footprint.profile.headroom, cell=lower)


def _wall_reason(footprint: Footprint, start: Cell, end: Cell) -> str:
    """Return which wall a tile of the mover would cross on a step that walls block."""
    bits = footprint.tilemap.wall_bits
    steps = footprint.tilemap.grid.steps_from(start.row, start.col)
    direction = steps.index((end.row - start.row, end.col - start.col))
    tiles = (tiles_of(cell, footprint.profile) for cell in (start, end))
    here, there = next(
        (here, there)
        for here, there in zip(*tiles, strict=True)
        if bits[there.deck, here.deck, here.row, here.col] >> direction & 1
    )
    return Reason("wall_between", start=here, end=there)
