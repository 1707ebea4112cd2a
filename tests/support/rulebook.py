"""The step rule in plain, slow Python: legal steps, their costs, and where a mover can stop.

Nothing is shared with the package but a profile's fields. It is written from the documentation.
`fired` counts how often each rule decided something.
"""

import heapq
import itertools
import math
from collections import Counter

from tests.support import plain_map

DIAGONAL_WAYS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
DETOURS_NEEDED = {"always": 0, "at_least_one_walkable": 1, "only_if_no_obstacles": 2}
NOT_AT_ALL = math.inf

RULES = (
    *("climb too high", "drop too deep", "kind not entered", "uneven ground", "walled"),
    *("no headroom to enter", "no headroom on a step", "wall on other decks", "no detour"),
    *("over void", "step from void", "link", "link not used", "link of a big mover"),
    *("link off the map", "warp", "no headroom for a warp", "kind not stopped on"),
    *("no headroom to stop", "blocked", "passable", "halting"),
    *("edit of several operations", "void and back in one edit"),
)
"""All that `fired` counts."""

fired = Counter()


def fires(rule, holds):
    """Count a rule if it decides something, and return whether it does."""
    if holds:
        fired[rule] += 1
    return holds


# What the mover is like.


def is_named(names, what):
    return what.name in names or any("#" + tag in names for tag in what.tags)


def entry_cost(profile, what):
    """Return the cost to enter a kind: by name, else the most expensive tag, else its own."""
    if what.name == "void":
        return NOT_AT_ALL
    if what.name in profile.kind_cost:
        prices = [profile.kind_cost[what.name]]
    else:
        tags = ["#" + tag for tag in what.tags if "#" + tag in profile.kind_cost]
        prices = [profile.kind_cost[tag] for tag in tags] or [what.cost]
    return NOT_AT_ALL if None in prices else max(prices)


def rounded(cost):
    return round(cost, 6)


def rise_cost(profile, rise):
    if rise == 0:
        return 0
    most = profile.max_climb if rise > 0 else profile.max_drop
    price = profile.climb_cost if rise > 0 else profile.drop_cost
    if fires("climb too high" if rise > 0 else "drop too deep", abs(rise) > most):
        return NOT_AT_ALL
    cost = price * abs(rise) if isinstance(price, int | float) else price[abs(rise) - 1]
    return rounded(cost)


def flies(profile):
    """Return whether a mover crosses the air; one that warps does nothing else."""
    return profile.can_fly and not profile.warp


def body(profile):
    """Return the headroom that a mover needs."""
    return profile.body_height + profile.hover


# A mover on the map. All of this holds for the tiles under it together; mostly it is one.


def tiles(profile, cell):
    """List what lies under a mover; what of it is beyond the map is listed too."""
    row, col, deck = cell
    block = itertools.product(range(profile.size), range(profile.size))
    return [(row + down, col + right, deck) for down, right in block]


def whereabouts(tilemap, profile):
    """List all surfaces where a mover could be, standing or in the air."""
    stacks = [places(tilemap, profile, column) for column in plain_map.columns(tilemap)]
    return [cell for stack in stacks for cell in stack if can_be(tilemap, profile, cell)]


def stand(tilemap, profile, cell):
    return max(plain_map.level(tilemap, tile) for tile in tiles(profile, cell))


def air(tilemap, profile, cell):
    return min(plain_map.ceiling(tilemap, tile) for tile in tiles(profile, cell))


def entry_under(tilemap, profile, cell):
    return max(entry_cost(profile, plain_map.kind(tilemap, tile)) for tile in tiles(profile, cell))


def places(tilemap, profile, column):
    """List the surfaces of a column over which a mover can be: flyers cross what is void too."""
    found = plain_map.surfaces(tilemap, column)
    ground = (*column, 0)
    return [ground, *found] if flies(profile) and ground not in found else found


def is_on_the_map(tilemap, profile, cell):
    under = tiles(profile, cell)
    has_room = profile.size == 1 or cell[2] == 0
    return has_room and all(plain_map.is_inside(tilemap, tile[:2]) for tile in under)


def is_ground(tilemap, profile, cell):
    """Tell whether there is something under all of a mover."""
    if not is_on_the_map(tilemap, profile, cell):
        return False
    return all(plain_map.exists(tilemap, tile) for tile in tiles(profile, cell))


def can_be(tilemap, profile, cell):
    """Tell whether a mover could be at a place: on ground, or anywhere on the map in the air."""
    may = is_on_the_map if flies(profile) else is_ground
    return may(tilemap, profile, cell)


def fits(tilemap, profile, cell):
    """Tell whether all ground under a mover can be entered and is level enough."""
    if not is_ground(tilemap, profile, cell):
        return False
    if fires("kind not entered", entry_under(tilemap, profile, cell) == NOT_AT_ALL):
        return False
    levels = [plain_map.level(tilemap, tile) for tile in tiles(profile, cell)]
    return not fires("uneven ground", max(levels) - min(levels) > profile.size_tolerance)


def has_headroom(tilemap, profile, cell):
    return air(tilemap, profile, cell) - stand(tilemap, profile, cell) >= body(profile)


def is_touched(profile, cell, cells):
    return any(tile in cells for tile in tiles(profile, cell))


def can_enter(tilemap, profile, cell, blocked=()):
    """Tell whether a mover may come to a surface, wherever it comes from."""
    may = is_on_the_map if flies(profile) else fits
    if not may(tilemap, profile, cell) or fires("blocked", is_touched(profile, cell, blocked)):
        return False
    if flies(profile):
        fires("over void", not is_ground(tilemap, profile, cell))
    return not fires("no headroom to enter", not has_headroom(tilemap, profile, cell))


def can_stop(tilemap, profile, cell, passable=()):
    """Return whether a mover may end its path on a surface."""
    if not fits(tilemap, profile, cell) or fires("passable", is_touched(profile, cell, passable)):
        return False
    if fires("no headroom to stop", not has_headroom(tilemap, profile, cell)):
        return False
    under = [plain_map.kind(tilemap, tile) for tile in tiles(profile, cell)]
    stops = all(what.can_stop and not is_named(profile.no_stop, what) for what in under)
    return not fires("kind not stopped on", not stops)


# Steps.


def walking_cost(tilemap, profile, start, end, blocked, factor=1):
    """Price going over to a surface beside by kinds, levels and headroom alone."""
    if not can_enter(tilemap, profile, end, blocked):
        return NOT_AT_ALL
    here, there = stand(tilemap, profile, start), stand(tilemap, profile, end)
    overhead = min(air(tilemap, profile, start), air(tilemap, profile, end))
    if fires("no headroom on a step", overhead - max(here, there) < body(profile)):
        return NOT_AT_ALL
    if flies(profile):
        return rounded(factor)
    entry = rounded(entry_under(tilemap, profile, end) * factor)
    return entry + rise_cost(profile, there - here)


def edge_cost(tilemap, profile, start, end, blocked=()):
    """Price a straight step, on which each tile of the mover goes to the one beside it."""
    crossed = zip(tiles(profile, start), tiles(profile, end), strict=True)
    if not flies(profile):
        if fires("walled", any(plain_map.is_walled(tilemap, *pair) for pair in crossed)):
            return NOT_AT_ALL
        parted = {wall.start[:2] + wall.end[:2] for wall in tilemap.walls}
        fires("wall on other decks", bool({start[:2] + end[:2], end[:2] + start[:2]} & parted))
    return walking_cost(tilemap, profile, start, end, blocked)


def straight_steps(tilemap, profile, start, blocked):
    for direction in plain_map.directions(tilemap):
        column = plain_map.column_ahead(tilemap, start[:2], direction)
        for end in places(tilemap, profile, column) if column else []:
            yield end, edge_cost(tilemap, profile, start, end, blocked)


def has_detour(tilemap, profile, start, end, corner):
    """Return whether two legal steps lead around a corner, whatever stands there."""
    return any(
        edge_cost(tilemap, profile, start, middle) < NOT_AT_ALL
        and edge_cost(tilemap, profile, middle, end) < NOT_AT_ALL
        for middle in places(tilemap, profile, corner)
    )


def diagonal_steps(tilemap, profile, start, blocked):
    if profile.diagonal == "never" or tilemap.topology != "square":
        return
    for down, right in DIAGONAL_WAYS:
        column = (start[0] + down, start[1] + right)
        corners = ((start[0] + down, start[1]), (start[0], start[1] + right))
        for end in places(tilemap, profile, column) if plain_map.is_inside(tilemap, column) else []:
            detours = [has_detour(tilemap, profile, start, end, turn) for turn in corners]
            if not fires("no detour", sum(detours) < DETOURS_NEEDED[profile.diagonal]):
                factor = profile.diagonal_cost
                yield end, walking_cost(tilemap, profile, start, end, blocked, factor)


def link_steps(tilemap, profile, start, blocked):
    for link in tilemap.links:
        ends = [link.end] if link.start == start else []
        ends += [link.start] if link.end == start and not link.one_way else []
        price = profile.link_cost.get(link.kind, link.cost)
        for end in ends:
            if fires("link not used", price is None):
                continue
            if fires("link off the map", not is_on_the_map(tilemap, profile, end)):
                continue
            if can_enter(tilemap, profile, end, blocked):
                fires("link of a big mover" if profile.size > 1 else "link", True)
                yield tuple(end), price


def warps(tilemap, profile, start, blocked):
    for end in plain_map.all_surfaces(tilemap):
        steps = plain_map.distance(tilemap, start[:2], end[:2])
        is_there = end != start and end not in blocked and steps <= profile.warp
        if is_there and can_stop(tilemap, profile, end):
            fires("warp", True)
            yield end, max(1, steps)
        elif is_there:
            fires("no headroom for a warp", not has_headroom(tilemap, profile, end))


def steps_from(tilemap, profile, cell, blocked=(), halting=()):
    """List all legal steps from a surface as (surface, cost); of two to the same both."""
    if not can_be(tilemap, profile, cell):
        return []
    if fires("halting", is_touched(profile, cell, halting)):
        return []
    if flies(profile):
        fires("step from void", not is_ground(tilemap, profile, cell))
    rules = (straight_steps, diagonal_steps, link_steps)
    found = [
        step
        for rule in ((warps,) if profile.warp else rules)
        for step in rule(tilemap, profile, cell, blocked)
    ]
    return [(end, cost) for end, cost in found if cost < NOT_AT_ALL]


def zone(tilemap, profile, cell):
    """Return the tiles that a mover would cover after any single step: its zone of control."""
    return {tile for end, _ in steps_from(tilemap, profile, cell) for tile in tiles(profile, end)}


# Paths.


def can_start(tilemap, profile, cell):
    """Return whether a path may begin on a surface: wherever one exists."""
    return is_ground(tilemap, profile, cell)


def spread(steps, costs):
    """Return the cheapest costs by Dijkstra; `steps` lists (cell, cost) steps from a cell."""
    best, border = {}, [(cost, cell) for cell, cost in costs.items()]
    heapq.heapify(border)
    while border:
        cost, cell = heapq.heappop(border)
        if cell not in best:
            best[cell] = cost
            for end, price in steps(cell):
                heapq.heappush(border, (cost + price, end))
    return best


def cheapest(tilemap, profile, start, blocked=(), halting=()):
    """Return {surface: cost} of all that can be entered from a start, to stop there or not."""
    if not can_start(tilemap, profile, start):
        return {}
    own = {*tiles(profile, start)}  # a mover does not block itself
    others, stops = set(blocked) - own, set(halting) - own
    return spread(lambda cell: steps_from(tilemap, profile, cell, others, stops), {start: 0})


def ends(tilemap, profile, start, blocked=(), passable=(), halting=()):
    """Return {surface: cost} of all on which a path from a start may end, the start included."""
    others = set(passable) - {*tiles(profile, start)}
    return {
        cell: cost
        for cell, cost in cheapest(tilemap, profile, start, blocked, halting).items()
        if cell == start or can_stop(tilemap, profile, cell, others)
    }


def costs_to(tilemap, profile, goals, blocked=()):
    """Return {surface: cost} of the cheapest paths to any of {goal: cost at the goal}.

    No path ends where the mover cannot stop, except the one that stays where it is.
    """
    back = {}
    for start in whereabouts(tilemap, profile):
        for end, cost in steps_from(tilemap, profile, start, blocked):
            back.setdefault(end, []).append((start, cost))
    open_goals = {
        goal: cost
        for goal, cost in goals.items()
        if not is_touched(profile, goal, blocked) and can_stop(tilemap, profile, goal)
    }
    best = spread(lambda cell: back.get(cell, []), open_goals)
    for goal, cost in goals.items():
        best[goal] = min(cost, best.get(goal, math.inf))
    return {cell: cost for cell, cost in best.items() if can_start(tilemap, profile, cell)}
