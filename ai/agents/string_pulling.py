"""Pulls paths straight over open ground, so that bodies need not walk from center to center.

From a bend of the path the body goes straight to a cell as far along it as possible; a second pass
does the same from the goal back. A line is legal if the steps over all edges that a body of
`BODY_RADIUS` touches are legal and level, and those around each corner that it touches. It may cost
no more than the piece of the path that it replaces; cost is length times the cost to enter the
ground. Climbs, drops and links stay steps from center to center.

References
----------
Pinter (2001), "Toward More Realistic Pathfinding", smooths paths by such lines. Amanatides and Woo
(1987), "A Fast Voxel Traversal Algorithm for Ray Tracing", follow a line from cell to cell.
"""

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.behaviors.behavior import Situation
from ai.compilation.jit import Array, Number, compiled, helper
from ai.motion.motion import BODY_RADIUS
from ai.navigation.profile_graph import ProfileGraph
from terrain3d import Cell
from terrain3d.grid.grid import Point

_INSIDE = 0.5 - BODY_RADIUS + 1e-9  # so far from a center, a body does not touch the edge
_NEAR_CORNER = BODY_RADIUS - 1e-9
_ROUNDING = 1 + 1e-9
_LONGEST_STEP = 1.5  # from center to center; links may be longer

_NODE, _MIDDLE, _PLACE, _IS_LEVEL, _N_COLUMNS = 0, 1, 3, 5, 6
"""Columns of a path: its nodes, the (x, y) of their centers and of the body there, and whether the
step to each node is level."""


class _Ground(NamedTuple):
    """A profile's graph, as lines need it."""

    step_cost: Array
    illegal: Number
    offset: Array
    node_class: Array
    n_moves: int
    level: Array
    kind: Array
    price: Array
    """(n_kinds,) cost to enter each kind."""
    blocked: Array
    """(n,) nodes that other bodies hold."""
    heading: Array
    """(n_directions, 2) from a center to those of the neighbors, clockwise."""


@helper
def _level_step(ground: _Ground, node: Number, direction: Number) -> Number:
    """Return the node of the same level to which a legal step leads; -1 without one."""
    own_class = np.int64(0) if len(ground.node_class) == 0 else np.int64(ground.node_class[node])
    for slot in range(direction, ground.step_cost.shape[1], ground.n_moves):
        if ground.step_cost[node, slot] < ground.illegal:
            end = node + ground.offset[own_class, slot]
            if ground.level[end] == ground.level[node]:
                for other in ground.blocked:
                    if other == end:
                        return np.int64(-1)
                return np.int64(end)
    return np.int64(-1)


@helper
def _distance(x: Number, y: Number, dx: Number, dy: Number) -> Number:
    """Return the distance of (0, 0) from the line between (x, y) and (x + dx, y + dy)."""
    length = dx * dx + dy * dy
    part = min(max(-(x * dx + y * dy) / length, 0.0), 1.0) if length > 0 else 0.0
    return np.hypot(x + part * dx, y + part * dy)


@helper
def _is_clear(
    ground: _Ground, node: Number, x: Number, y: Number, dx: Number, dy: Number, ahead: Array
) -> bool:
    """Return whether a body touches legal, level ground only, on a line within a cell.

    The line starts at (x, y) from the center. `ahead` gets the neighbors over the edges that the
    body touches, -1 in other directions.
    """
    heading, count = ground.heading, len(ground.heading)
    is_square = count == 4
    for direction in range(count):
        east, north = heading[direction, 0], heading[direction, 1]
        ahead[direction] = -1
        if east * x + north * y + max(0.0, east * dx + north * dy) > _INSIDE:
            ahead[direction] = _level_step(ground, node, direction)
            if ahead[direction] < 0:
                return False
    for left in range(count):
        right = (left + 1) % count
        if ahead[left] < 0 or ahead[right] < 0:
            continue
        share = 2 if is_square else 3
        corner_x = (heading[left, 0] + heading[right, 0]) / share
        corner_y = (heading[left, 1] + heading[right, 1]) / share
        if _distance(x - corner_x, y - corner_y, dx, dy) < _NEAR_CORNER:
            # Four squares meet there, or three hexagons.
            turn = right if is_square else (left + 2) % count
            beyond = _level_step(ground, ahead[left], turn)
            other = _level_step(ground, ahead[right], left) if is_square else ahead[right]
            if beyond < 0 or beyond != other:
                return False
    return True


@helper
def _copy(rows: Array, first: Number, source: Array, start: Number, count: Number) -> None:
    """Copy rows; slices take longer to compile."""
    for row in range(count):
        for column in range(_N_COLUMNS):
            rows[first + row, column] = source[start + row, column]


@helper
def _cross(  # noqa: C901 - one loop along a line
    ground: _Ground, path: Array, start: Number, end: Number, most: Number, crossed: Array
) -> tuple[Number, Number]:
    """Write the cells of the line from `start`, left out, to `end`; return its cost and length.

    The body's place on a cell is the midpoint of the line's part in it. The length, in cells, is 0
    if the line is not legal or costs more than `most`.
    """
    node, limit = np.int64(path[start, _NODE]), 2 * (end - start) + 2
    middle_x, middle_y = path[start, _MIDDLE], path[start, _MIDDLE + 1]
    x, y = path[start, _PLACE], path[start, _PLACE + 1]
    dx, dy = path[end, _PLACE] - x, path[end, _PLACE + 1] - y
    length, ahead = np.hypot(dx, dy), np.empty(len(ground.heading), dtype=np.int64)
    at, cost, count, out = 0.0, 0.0, 0, 0
    while out >= 0 and count < limit:
        until, out = 1.0, -1
        for direction in range(len(ground.heading)):
            east, north = ground.heading[direction, 0], ground.heading[direction, 1]
            speed = east * dx + north * dy
            if speed > 0:
                edge = (0.5 - east * (x - middle_x) - north * (y - middle_y)) / speed
                if edge < until:
                    until, out = edge, direction
        part = max(until, at) - at  # rounding may find an edge behind
        from_x, from_y = x + at * dx - middle_x, y + at * dy - middle_y
        if not _is_clear(ground, node, from_x, from_y, part * dx, part * dy, ahead):
            return np.inf, 0
        cost += part * length * ground.price[ground.kind[node]]
        if cost > most:
            return np.inf, 0
        if count > 0:
            middle = at + part / 2
            row = np.float64(node), middle_x, middle_y, x + middle * dx, y + middle * dy, 1.0
            for column in range(_N_COLUMNS):
                crossed[count - 1, column] = row[column]
        if out >= 0:
            node, at, count = ahead[out], at + part, count + 1
            middle_x += ground.heading[out, 0]
            middle_y += ground.heading[out, 1]
    if out >= 0 or node != np.int64(path[end, _NODE]):
        return np.inf, 0
    _copy(crossed, count - 1, path, end, 1)
    return cost, count


@helper
def _farthest(
    ground: _Ground, path: Array, costs: Array, here: Number, far: Number, crossed: Array
) -> Number:
    """Return a row of a path between two, as near to `far` as possible, to which a line leads.

    Tries the last one, then doubles the number of steps, then halves what is left.
    """
    sign = 1 if far > here else -1
    good, bad = 1, abs(far - here) + 1
    probe = bad - 1
    while bad - good > 1:
        end = here + sign * probe
        first, last = min(here, end), max(here, end)
        most = (costs[last] - costs[first]) * _ROUNDING
        if _cross(ground, path, first, last, most, crossed)[1] > 0:
            good = probe
        else:
            bad = probe
        probe = min(2 * good, (good + bad) // 2)
    return here + sign * good


@helper
def _pull(ground: _Ground, path: Array, sign: Number) -> tuple[Array, Number]:
    """Return a path pulled straight from its start (sign 1) or goal (sign -1), and its cost."""
    last, crossed = len(path) - 1, np.empty((2 * len(path) + 2, _N_COLUMNS))
    costs, is_bend = np.zeros(len(path)), np.zeros(len(path), dtype=np.bool_)
    for end in range(1, len(path)):
        dx = path[end, _PLACE] - path[end - 1, _PLACE]
        dy = path[end, _PLACE + 1] - path[end - 1, _PLACE + 1]
        before, after = np.int64(path[end - 1, _NODE]), np.int64(path[end, _NODE])
        price = ground.price[ground.kind[before]] + ground.price[ground.kind[after]]
        costs[end] = costs[end - 1] + np.hypot(dx, dy) * price / 2
    here = 0 if sign > 0 else last
    while 0 <= here <= last:
        is_bend[here] = True
        far = here
        while 0 <= far + sign <= last and path[max(far, far + sign), _IS_LEVEL] > 0:
            far += sign
        here = here + sign if far == here else _farthest(ground, path, costs, here, far, crossed)
    pulled, cost = np.empty((4 * len(path) + 2, _N_COLUMNS)), 0.0
    count, start = 1, 0
    _copy(pulled, 0, path, 0, 1)
    for end in range(1, len(path)):
        if is_bend[end]:
            added, n_crossed = np.inf, 0
            if path[end, _IS_LEVEL] > 0:
                begin = np.int64(start)  # not the literal 0, for which _cross is compiled once more
                added, n_crossed = _cross(ground, path, begin, end, np.inf, crossed)
            if n_crossed == 0:  # a step of the path itself
                added, n_crossed = costs[end] - costs[start], 1
                _copy(crossed, 0, path, end, 1)
            _copy(pulled, count, crossed, 0, n_crossed)
            count, cost, start = count + n_crossed, cost + added, end
    return pulled[:count], cost


@compiled
def _pull_both(ground: _Ground, path: Array) -> Array:
    """Return a path pulled straight from its start, then from its goal if that costs less."""
    pulled, cost = path, np.inf
    for sign in (1, -1):
        again, cost_again = _pull(ground, pulled, sign)
        if cost_again * _ROUNDING < cost:
            pulled, cost = again, cost_again
    return pulled


def pull_straight(
    situation: Situation, cells: tuple[Cell, ...], begin: Point, end: Point
) -> tuple[list[Cell], list[Point | None]]:
    """Return the cells of a path pulled straight, each with the place of the body on it.

    Consecutive cells are legal steps. A place is (x, y); None is the center of the body's tiles.
    `cells` are a path on the map as it is now, `begin` and `end` the body's places on the first and
    on the last of them.
    """
    profile, tilemap = situation.profile, situation.navigation.tilemap
    with tilemap.lock:
        graph = situation.navigation.profile_graph(profile)
        record, heading = np.array(cells, dtype=np.int64), np.array(tilemap.grid.headings)
        corners = tilemap.grid.corner_coords(record[:, 0], record[:, 1])
        path = np.zeros((len(cells), _N_COLUMNS))
        path[:, _NODE] = nodes = graph.nodes.of_record(record)
        middle, place = path[:, _MIDDLE:_PLACE], path[:, _PLACE:_IS_LEVEL]
        middle[:] = place[:] = corners.mean(axis=1) * tilemap.grid.corner_scale
        # The cell of a large body is its north-west tile, and so is that of its line.
        shift = np.array([0.5, -0.5]) * (profile.size - 1)
        place[0], place[-1] = begin - shift, end - shift
        path[1:, _IS_LEVEL] = _are_level(graph, middle, nodes)
        if (heading @ (place[0] - middle[0])).max() > 0.5:
            path[1:2, _IS_LEVEL] = 0  # the body is beside the first cell
        entry = graph.rule.mover.entry  # a path may start where it cannot enter
        price = np.ones_like(entry) if profile.can_fly else np.where(entry < np.inf, entry, 0)
        blocked = graph.nodes.around("blocked", situation.blocked, profile.size, int(nodes[0]))
        step_cost, (illegal,), offset, node_class, *_ = graph.forward.edge_arrays
        ground = _Ground(
            step_cost, illegal, offset, node_class, graph.rule.moves.n_moves, graph.level,
            graph.kind, price, blocked, heading,
        )  # fmt: skip
        pulled: NDArray[np.float64] = _pull_both(ground, path)
        found = [graph.nodes.cell(node) for node in pulled[:, _NODE].astype(np.int64).tolist()]
    middle, place = pulled[:, _MIDDLE:_PLACE], pulled[:, _PLACE:_IS_LEVEL]
    is_middle, points = (middle == place).all(axis=1).tolist(), (place + shift).tolist()
    return found, [
        None if is_there else (x, y) for is_there, (x, y) in zip(is_middle, points, strict=True)
    ]


def _are_level(
    graph: ProfileGraph, middle: NDArray[np.float64], nodes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(n - 1,) whether each step of a path is one over an edge or corner, on the level."""
    is_level: NDArray[np.bool_] = np.hypot(*np.diff(middle, axis=0).T) < _LONGEST_STEP
    is_level &= graph.level[nodes[1:]] == graph.level[nodes[:-1]]
    links = graph.forward.links
    if links is not None:
        for step, (start, end) in enumerate(itertools.pairwise(nodes)):
            is_level[step] &= end not in links.target[links.first[start] : links.first[start + 1]]
    return is_level
