"""Plans of squads judged in plain, slow Python: collisions, steps, costs, and what is cheapest.

Steps are those of the plain rulebook. A position is a (row, col, deck), a way one for each tick.
"""

import heapq
import itertools
import math
from collections import defaultdict

from tests.ai import rulebook
from tests.ai.plainmap import column_ahead, level, ways


def own_steps(tilemap, profile, cell):
    """Give {end: (cost, columns passed, whether it is a leap)} of all steps from a cell.

    Of several steps to one cell the cheapest counts, and a link before others.
    """
    found = {}
    walked = [
        (end, cost)
        for rule in (rulebook.straight_steps, rulebook.link_steps)
        for end, cost in rule(tilemap, profile, cell, ())
    ]
    if profile.warp:
        walked = list(rulebook.warps(tilemap, profile, cell, ()))
    options = [(cost, 0, end, (), False) for end, cost in walked]
    if not profile.warp:
        for end, cost in rulebook.diagonal_steps(tilemap, profile, cell, ()):
            corners = ((end[0], cell[1]), (cell[0], end[1]))
            options.append((cost, 1, end, corners, False))
        for end, cost in rulebook.leaps(tilemap, profile, cell, ()):
            options.append((cost, 2, end, skipped(tilemap, cell, end), True))
    for cost, _, end, passed, is_leap in sorted(options):
        if cost < math.inf:
            found.setdefault(tuple(end), (cost, passed, is_leap))
    return found


def skipped(tilemap, start, end):
    """List the columns over which a leap leads."""
    for way in ways(tilemap):
        for count in range(2, 12):
            if column_ahead(tilemap, start[:2], way, count) == end[:2]:
                return tuple(column_ahead(tilemap, start[:2], way, n) for n in range(1, count))
    raise AssertionError(f"{start} and {end} do not lie in line")


class Referee:
    """Knows who may go where, and who gets into whose way.

    Parameters
    ----------
    tilemap : TileMap
    profiles : sequence of MoveProfile
        One a unit.
    bodies : sequence of MoveProfile
        Of all that are about; the tallest of them counts.
    """

    def __init__(self, tilemap, profiles, bodies=()):
        self.tilemap, self.profiles = tilemap, profiles
        self.body = max(rulebook.body(profile) for profile in (*profiles, *bodies))
        self.known = {}

    def steps(self, unit, cell):
        key = self.profiles[unit], cell
        if key not in self.known:
            self.known[key] = own_steps(self.tilemap, self.profiles[unit], cell)
        return self.known[key]

    def may_wait(self, unit, cell, start):
        return cell == start or rulebook.can_stop(self.tilemap, self.profiles[unit], cell)

    def is_brushed(self, unit, start, end, other):
        """Tell whether who stands on `other`, which a unit's step passes, is in its way."""
        _, _, is_leap = self.steps(unit, start)[end]
        here, there, near = (level(self.tilemap, cell) for cell in (start, end, other))
        if min(here, there) - self.body < near < max(here, there) + self.body:
            return True
        profile = self.profiles[unit]
        rises = (near - here, there - near)
        is_detour = all(-profile.max_drop <= rise <= profile.max_climb for rise in rises)
        return is_detour and not is_leap

    def collision(self, before, after):
        """Say how two of the units, given by their positions, collide during a tick."""
        where = [{cell: unit for unit, cell in enumerate(cells)} for cells in (before, after)]
        if any(len(cells) < len(before) for cells in where):
            return f"two on one cell: {sorted(before)}, {sorted(after)}"
        for unit, (start, end) in enumerate(zip(before, after, strict=True)):
            other = where[0].get(end, unit)
            if other != unit and after[other] == start:
                return f"{unit} and {other} trade places"
        standing = defaultdict(set)
        for unit, cell in itertools.chain(enumerate(before), enumerate(after)):
            standing[cell[:2]].add((unit, cell))
        for unit in range(len(self.profiles)):
            for column in self.passed(unit, before[unit], after[unit]):
                for other, cell in standing[column]:
                    if other != unit and self.is_brushed(unit, before[unit], after[unit], cell):
                        return f"{unit} brushes {other}"
        return ""

    def passed(self, unit, start, end):
        """List the columns between the ends of a step."""
        return () if start == end else self.steps(unit, start)[end][1]


def price_of(referee, unit, way):
    """Price a way, or say what is wrong with it."""
    total = 0
    for before, after in itertools.pairwise(way):
        if before == after:
            assert referee.may_wait(unit, before, way[0]), f"{unit} waits on {before}"
            total += 1
        else:
            steps = referee.steps(unit, before)
            assert after in steps, f"{unit} cannot step from {before} to {after}"
            total += steps[after][0]
    return total


def check(tilemap, profiles, starts, goals, plan, others=(), bodies=()):
    """Find everything that could be wrong with a plan; `others` are ways that are settled."""
    assert plan, plan.reason
    referee = Referee(tilemap, profiles, bodies)
    assert len(plan.ways) == len(starts)
    tracks = [[tuple(cell) for cell in way] for way in plan.ways]
    for unit, way in enumerate(tracks):
        assert way[0] == (*starts[unit], 0)[:3]
        assert way[-1] == (*goals[unit], 0)[:3]
        assert len(way) == 1 or way[-1] != way[-2]
        assert math.isclose(price_of(referee, unit, way), plan.costs[unit], abs_tol=1e-9)
    assert math.isclose(sum(plan.costs), plan.cost, abs_tol=1e-9)
    assert plan.lower_bound <= plan.cost * (1 + 1e-9)
    tracks += [[tuple((*cell, 0)[:3]) for cell in way] for way in others]
    last = max(map(len, tracks))
    for tick in range(last):
        before, after = (
            [way[min(tick + late, len(way) - 1)] for way in tracks] for late in range(2)
        )
        why = referee.collision(before, after)
        assert not why, f"tick {tick}: {why}"


def least_cost(tilemap, profiles, starts, goals):
    """Give what the cheapest plan costs, by looking at all arrangements; infinity without one.

    A unit that is on its goal may end its way there: from then on it pays nothing and stays.
    """
    referee = Referee(tilemap, profiles)
    starts = tuple(tuple((*cell, 0)[:3]) for cell in starts)
    goals = tuple(tuple((*cell, 0)[:3]) for cell in goals)
    n_units = len(starts)
    if len(set(starts)) < n_units or len(set(goals)) < n_units:
        return math.inf
    for unit in range(n_units):
        if not rulebook.can_start(tilemap, profiles[unit], starts[unit]):
            return math.inf
        if not referee.may_wait(unit, goals[unit], starts[unit]):
            return math.inf
    settled = set()
    number = itertools.count()
    border = [(0, next(number), starts, (False,) * n_units)]
    while border:
        cost, _, cells, is_done = heapq.heappop(border)
        if (cells, is_done) in settled:
            continue
        settled.add((cells, is_done))
        if all(is_done):
            return cost
        options = [
            list(moves(referee, unit, cells[unit], starts[unit], goals[unit], is_done[unit]))
            for unit in range(n_units)
        ]
        for chosen in itertools.product(*options):
            after = tuple(end for _, end, _ in chosen)
            if len(set(after)) == n_units and not referee.collision(cells, after):
                price = cost + sum(move[0] for move in chosen)
                done = tuple(move[2] for move in chosen)
                heapq.heappush(border, (price, next(number), after, done))
    return math.inf


def moves(referee, unit, cell, start, goal, is_done):
    """List (cost, end, whether it stays there for good) of what a unit may do in a tick."""
    if is_done or cell == goal:
        yield 0, cell, True
    if not is_done:
        for end, step in referee.steps(unit, cell).items():
            yield step[0], end, False
        if referee.may_wait(unit, cell, start):
            yield 1, cell, False
