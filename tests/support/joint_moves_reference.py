"""Plans of squads judged in plain, slow Python: collisions, steps, costs, and what is cheapest.

Steps are those of the plain rulebook. A position is a (row, col, deck), a way one for each tick.
"""

import heapq
import itertools
import math
from collections import defaultdict

from terrain3d import TileMap
from tests.support import rulebook
from tests.support.plain_map import column_ahead, level, ways


def read(picture, topology="square"):
    """Make a map of a picture in which letters stand on level 0; give it and their cells."""
    rows = picture.split("\n")
    cells = {
        sign: (row, col)
        for row, line in enumerate(rows)
        for col, sign in enumerate(line)
        if sign.isalpha()
    }
    levels = "\n".join("".join("0" if sign.isalpha() else sign for sign in row) for row in rows)
    return TileMap.from_text(levels, topology=topology), cells


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


class Book:
    """Remembers the steps on a map."""

    def __init__(self, tilemap):
        self.tilemap = tilemap
        self.known = {}

    def steps(self, profile, cell):
        key = profile, cell
        if key not in self.known:
            self.known[key] = own_steps(self.tilemap, profile, cell)
        return self.known[key]


class Referee:
    """Knows who may go where, and who gets into whose way.

    Parameters
    ----------
    book : Book
    profiles : sequence of MoveProfile
        One a unit.
    bodies : sequence of MoveProfile
        Of others that are about, in the order of their ways.
    """

    def __init__(self, book, profiles, bodies=()):
        self.book, self.tilemap, self.n_own = book, book.tilemap, len(profiles)
        self.profiles = [*profiles, *bodies]
        self.body = max(map(rulebook.body, self.profiles), default=0)

    def steps(self, unit, cell):
        return self.book.steps(self.profiles[unit], cell)

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
        """Say how units, given by their positions, collide during a tick.

        Those that are not our own may do to each other what they want.
        """
        was, is_ = ({cell: [] for cell in cells} for cells in (before, after))
        standing = defaultdict(set)
        for unit, (start, end) in enumerate(zip(before, after, strict=True)):
            was[start].append(unit)
            is_[end].append(unit)
            standing[start[:2]].add((unit, start))
            standing[end[:2]].add((unit, end))
        for unit in range(self.n_own):
            start, end = before[unit], after[unit]
            if len(was[start]) > 1 or len(is_[end]) > 1:
                return f"{unit} is not alone between {start} and {end}"
            if any(after[other] == start for other in was.get(end, ()) if other != unit):
                return f"{unit} trades places between {start} and {end}"
        for unit, profile in enumerate(self.profiles):
            start, end = before[unit], after[unit]
            for column in self.passed(profile, start, end):
                for other, cell in standing[column]:
                    is_ours = unit < self.n_own or other < self.n_own
                    if other != unit and is_ours and self.is_brushed(unit, start, end, cell):
                        return f"{unit} brushes {other}"
        return ""

    def passed(self, profile, start, end):
        """List the columns between the ends of a step; none if there is no such step."""
        steps = self.book.steps(profile, start) if start != end else {}
        return steps[end][1] if end in steps else ()


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
    examine(Referee(Book(tilemap), profiles, bodies), starts, goals, plan, others)


def examine(referee, starts, goals, plan, others=()):
    """Find everything that could be wrong with a plan of units that a referee knows."""
    assert plan, plan.reason
    assert len(plan.paths) == len(starts), f"{len(plan.paths)} ways for {len(starts)} units"
    tracks = [[tuple(cell) for cell in way] for way in plan.paths]
    for unit, way in enumerate(tracks):
        assert way[0] == (*starts[unit], 0)[:3], f"{unit} begins on {way[0]}"
        assert way[-1] == (*goals[unit], 0)[:3], f"{unit} ends on {way[-1]}"
        assert len(way) == 1 or way[-1] != way[-2], f"{unit} waits on its goal at the end"
        price, told = price_of(referee, unit, way), plan.costs[unit]
        assert math.isclose(price, told, abs_tol=1e-9), f"{unit} pays {price}, not {told}"
    total = sum(plan.costs)
    assert math.isclose(total, plan.cost, abs_tol=1e-9), f"costs {total}, not {plan.cost}"
    assert plan.lower_bound <= total * (1 + 1e-9), f"{total} is below {plan.lower_bound}"
    tracks += [[tuple((*cell, 0)[:3]) for cell in way] for way in others]
    last = max(map(len, tracks), default=0)
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
    referee = Referee(Book(tilemap), profiles)
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
