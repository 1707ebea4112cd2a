"""Reference for squads in plain, slow Python: conflicts, steps, costs and the least cost.

Steps are those of the plain rulebook. A position is (row, col, deck), a path one position per tick.
"""

import heapq
import itertools
import math
import re
from collections import defaultdict
from functools import cache, partial

from hypothesis import strategies as st

from ai import MoveProfile
from terrain3d import TOPOLOGIES, TileMap
from tests.support import rulebook
from tests.support.plain_map import all_surfaces, columns, level
from tests.support.strategies import KINDS, cells_to_ask, profiles, tilemaps


def read(picture, topology="square"):
    """Return the map of a picture with units as letters on level 0, and the letters' cells."""
    lines = enumerate(picture.split("\n"))
    signs = [(row, *each) for row, line in lines for each in enumerate(line)]
    cells = {sign: (row, col) for row, col, sign in signs if sign.isalpha()}
    levels = re.sub(r"[a-zA-Z]", "0", picture)
    return TileMap.from_text(levels, topology=topology), cells


def own_steps(tilemap, profile, cell):
    """Return {end: (cost, columns passed)} of all steps from a cell.

    Of several steps to the same cell the cheapest counts, links before others.
    """
    found, options = {}, []
    rules = rulebook.straight_steps, rulebook.link_steps, rulebook.diagonal_steps
    for rule in (rulebook.warps,) if profile.warp else rules:
        for end, cost in rule(tilemap, profile, cell, ()):
            is_last = rule is rulebook.diagonal_steps
            corners = ((end[0], cell[1]), (cell[0], end[1])) if is_last else ()
            options.append((cost, is_last, end, corners))
    for cost, _, end, passed in sorted(options):
        if cost < math.inf:
            found.setdefault(tuple(end), (cost, passed))
    return found


class StepCache:
    def __init__(self, tilemap):
        self.tilemap, self.steps = tilemap, cache(partial(own_steps, tilemap))


class Referee:
    """Checks the steps of units, of which each has a profile, and finds conflicts."""

    def __init__(self, step_cache, profiles):
        self.step_cache, self.tilemap = step_cache, step_cache.tilemap
        self.profiles = profiles
        self.body = max(map(rulebook.body, self.profiles), default=0)

    def steps(self, unit, cell):
        return self.step_cache.steps(self.profiles[unit], cell)

    def may_wait(self, unit, cell, start):
        return cell == start or rulebook.can_stop(self.tilemap, self.profiles[unit], cell)

    def blocks_step(self, unit, start, end, other):
        """Return whether a unit on `other`, which another unit's step passes, blocks the step."""
        here, there, near = (level(self.tilemap, cell) for cell in (start, end, other))
        if min(here, there) - self.body < near < max(here, there) + self.body:
            return True
        profile, rises = self.profiles[unit], (near - here, there - near)
        is_step = all(-profile.max_drop <= rise <= profile.max_climb for rise in rises)
        return rulebook.flies(profile) or is_step

    def collision(self, before, after):
        """Return the first conflict of units during a tick, given their positions; "" if none."""
        was, is_ = ({cell: [] for cell in cells} for cells in (before, after))
        standing = defaultdict(set)
        for unit, (start, end) in enumerate(zip(before, after, strict=True)):
            was[start].append(unit)
            is_[end].append(unit)
            standing[start[:2]].add((unit, start))
            standing[end[:2]].add((unit, end))
        for unit, (start, end) in enumerate(zip(before, after, strict=True)):
            if len(was[start]) > 1 or len(is_[end]) > 1:
                return f"{unit} is not alone between {start} and {end}"
            if any(after[other] == start for other in was.get(end, ()) if other != unit):
                return f"{unit} swaps between {start} and {end}"
        for unit, profile in enumerate(self.profiles):
            start, end = before[unit], after[unit]
            for column in self.passed(profile, start, end):
                for other, cell in standing[column]:
                    if other != unit and self.blocks_step(unit, start, end, cell):
                        return f"{other} is in the clearance of {unit}"
        return ""

    def passed(self, profile, start, end):
        """Return the columns between the ends of a step; none if there is no such step."""
        steps = self.step_cache.steps(profile, start) if start != end else {}
        return steps[end][1] if end in steps else ()


def cost_of(referee, unit, path):
    """Return the cost of a path; fail if it is not legal."""
    total = 0
    for before, after in itertools.pairwise(path):
        if before == after:
            assert referee.may_wait(unit, before, path[0]), f"{unit} waits on {before}"
            total += 1
        else:
            steps = referee.steps(unit, before)
            assert after in steps, f"{unit} cannot step from {before} to {after}"
            total += steps[after][0]
    return total


def check(tilemap, profiles, starts, goals, plan):
    check_paths(Referee(StepCache(tilemap), profiles), starts, goals, plan)


def check_paths(referee, starts, goals, plan):
    """Check everything about a plan for the units of a referee."""
    assert plan, plan.reason
    assert len(plan.paths) == len(starts), f"{len(plan.paths)} paths for {len(starts)} units"
    paths = [[tuple(cell) for cell in path] for path in plan.paths]
    for unit, path in enumerate(paths):
        assert path[0] == (*starts[unit], 0)[:3], f"{unit} begins on {path[0]}"
        assert path[-1] == (*goals[unit], 0)[:3], f"{unit} ends on {path[-1]}"
        assert len(path) == 1 or path[-1] != path[-2], f"{unit} waits on its goal at the end"
        cost, claimed = cost_of(referee, unit, path), plan.costs[unit]
        assert math.isclose(cost, claimed, abs_tol=1e-9), f"{unit} pays {cost}, not {claimed}"
    total = sum(plan.costs)
    assert math.isclose(total, plan.cost, abs_tol=1e-9), f"costs {total}, not {plan.cost}"
    assert plan.lower_bound <= total * (1 + 1e-9), f"{total} is below {plan.lower_bound}"
    check_collisions(referee, paths)


def check_collisions(referee, paths):
    """Fail if units are in conflict on their paths."""
    last = max(map(len, paths), default=0)
    for tick in range(last):
        ticks = tick, tick + 1
        before, after = ([path[min(each, len(path) - 1)] for path in paths] for each in ticks)
        why = referee.collision(before, after)
        assert not why, f"tick {tick}: {why}"


def refusal(referee, paths):
    """Return why the units of a referee cannot move along paths together; "" if they can."""
    paths = [[tuple((*cell, 0)[:3]) for cell in path] for path in paths]
    try:
        for unit, path in enumerate(paths):
            cost_of(referee, unit, path)
            assert referee.may_wait(unit, path[-1], path[0]), f"{unit} ends on {path[-1]}"
        check_collisions(referee, paths)
    except AssertionError as error:
        return str(error)
    return ""


def least_cost(tilemap, profiles, starts, goals):
    """Return the least cost of a plan, by a search of all configurations; infinity without one.

    A unit on its goal may end its path there: from then on it stays and pays nothing.
    """
    referee = Referee(StepCache(tilemap), profiles)
    starts, goals = (tuple(tuple((*cell, 0)[:3]) for cell in each) for each in (starts, goals))
    n_units, number, settled = len(starts), itertools.count(), set()
    may = [
        rulebook.can_start(tilemap, profiles[unit], start) and referee.may_wait(unit, goal, start)
        for unit, (start, goal) in enumerate(zip(starts, goals, strict=True))
    ]
    if min(len(set(starts)), len(set(goals)), sum(may)) < n_units:
        return math.inf
    border = [(0, next(number), starts, (False,) * n_units)]
    while border:
        cost, _, cells, is_done = heapq.heappop(border)
        if (cells, is_done) in settled:
            continue
        settled.add((cells, is_done))
        if all(is_done):
            return cost
        units = zip(range(n_units), cells, starts, goals, is_done, strict=True)
        options = [list(moves(referee, *each)) for each in units]
        for chosen in itertools.product(*options):
            after = tuple(end for _, end, _ in chosen)
            if len(set(after)) == n_units and not referee.collision(cells, after):
                price = cost + sum(move[0] for move in chosen)
                done = tuple(move[2] for move in chosen)
                heapq.heappush(border, (price, next(number), after, done))
    return math.inf


def moves(referee, unit, cell, start, goal, is_done):
    """Yield (cost, end, whether it stays for good) for each action of a unit in a tick."""
    if is_done or cell == goal:
        yield 0, cell, True
    if not is_done:
        for end, step in referee.steps(unit, cell).items():
            yield step[0], end, False
        if referee.may_wait(unit, cell, start):
            yield 1, cell, False


MOVERS = (
    MoveProfile(),
    MoveProfile(max_climb=1, max_drop=2, climb_cost=2),
    MoveProfile(diagonal="always"),
    MoveProfile(diagonal="always", diagonal_cost=1.5, climb_cost=0, body_height=2),
    MoveProfile(diagonal="at_least_one_walkable", max_climb=1),
    MoveProfile(diagonal="only_if_no_obstacles", drop_cost=1),
    MoveProfile(can_fly=True),
    MoveProfile(can_fly=True, diagonal="always", max_climb=0, max_drop=0),
    MoveProfile(warp=2),
)
FEW_CELLS = 9
OPEN, PASSAGE = "00000000001112#", "###0"
SIZES = (2, 2), (1, 5), (2, 3), (2, 4), (3, 3), (3, 4), (1, 8)
SHAPES = *((*size, OPEN) for size in SIZES), *((2, cols, PASSAGE) for cols in (3, 4, 5))


@st.composite
def mixed(draw):
    """Draw a map with all rules mixed, and a profile, start and goal for each unit."""
    tilemap = draw(tilemaps(max_side=3))
    cells = all_surfaces(tilemap) * 4 + cells_to_ask(tilemap)
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = draw(st.lists(some, min_size=1, max_size=2))
    order = st.permutations(cells).map(lambda shuffled: list(dict.fromkeys(shuffled)))
    # The reference searches all configurations of the units in plain Python.
    n_cells = len(set(cells))
    n_units = min(draw(st.integers(1, 3)), 3 if n_cells <= FEW_CELLS else 2, n_cells)
    profiles_of = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    return tilemap, profiles_of, draw(order)[:n_units], draw(order)[:n_units]


@st.composite
def crowded(draw):
    """Draw two or three units on a few open tiles or in a passage, where they block each other."""
    n_rows, n_cols, signs = draw(st.sampled_from(SHAPES))
    line = st.lists(st.sampled_from(OPEN), min_size=n_cols, max_size=n_cols)
    beside = st.lists(st.sampled_from(signs), min_size=n_cols, max_size=n_cols)
    rows = ["".join(draw(beside if row else line)) for row in range(n_rows)]
    topology = draw(st.sampled_from(["square", *TOPOLOGIES]))
    tilemap = TileMap.from_text("\n".join(rows), KINDS, topology=topology)
    with tilemap.edit() as edit:
        for row, col in draw(st.sets(st.sampled_from(columns(tilemap)), max_size=2)):
            edit.add_deck([(row, col)], level=draw(st.integers(3, 4)), thickness=1)
    cells = all_surfaces(tilemap)
    if draw(st.booleans()) and len(cells) > 1:
        with tilemap.edit() as edit:
            edit.add_link(cells[0], cells[-1], cost=2, kind="ladder")
    most = min(len(cells), 3 if len(cells) <= FEW_CELLS else 2)
    n_units = min(draw(st.sampled_from([2, 2, 3])), most)
    movers = draw(st.lists(st.sampled_from(MOVERS), min_size=1, max_size=2))
    profiles_of = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    starts, goals = (draw(st.permutations(cells)) for _ in range(2))
    bogs = draw(st.sets(st.sampled_from(cells or [None]), max_size=2 * bool(cells)))
    if draw(st.booleans()):  # a unit that may have to step aside and to return
        goals = [*starts[:1], *(cell for cell in goals if cell not in starts[:1])]
        bogs |= {*starts[:1]} if draw(st.booleans()) else set()
    with tilemap.edit() as edit:
        for cell in bogs:
            edit.set_kind(cell, "bog")
    return tilemap, profiles_of, starts[:n_units], goals[:n_units]


@st.composite
def walks(draw, board):
    """Draw a schedule of legal steps and waits for the units of a board, conflicts and all."""
    paths = [[unit.cell] for unit in board.units]
    for unit, path in zip(board.units, paths, strict=True):
        for _ in range(draw(st.integers(0, 4))):
            ends = sorted(board.navigation.steps_from(path[-1], unit.profile))
            path.append(draw(st.sampled_from([path[-1], *ends])))
    return paths


@st.composite
def altered(draw, tilemap, paths):
    """Draw a schedule like another one: with delays, cut corners, other cells, other ends."""
    paths = [list(path) for path in paths]
    for _ in range(draw(st.integers(1, 5)) if paths else 0):
        path = draw(st.sampled_from(paths))
        at = draw(st.integers(0, len(path) - 1))
        change = draw(st.sampled_from(["wait", "wait", "hurry", "hurry", "cell", "go on"]))
        cell = draw(st.sampled_from([path[at], *all_surfaces(tilemap)]))
        if change == "wait":
            path.insert(at, path[at])
        elif change == "hurry" and at > 0:
            del path[at]
        elif change == "cell" and at > 0:
            path[at] = cell
        elif change == "go on":
            path.append(cell)
    return paths
