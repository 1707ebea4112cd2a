"""Answers on small random maps with all rules mixed, beside those of the plain rulebook.

Each function asks one kind of question: the cost of a path, the legality of a step, one cell of a
reach.
"""

import copy
import itertools
import math
from collections import Counter
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from ai import Board, MoveProfile, Navigation, Unit
from tests.long import Kind, by_seed, drawn_with
from tests.support import reason_claims, rulebook
from tests.support.map_states import state_of
from tests.support.plain_map import PlainMap, all_surfaces, exists
from tests.support.strategies import MORE_SHAPES, applied, cases, cells_to_ask, operations, profiles


class Tally:
    """Counts comparisons by what is compared; a difference is an AssertionError."""

    def __init__(self):
        self.cases = Counter()

    def same(self, what, got, expected, about=""):
        self.cases[what] += 1
        assert got == expected, f"{what} {about}: {got!r}, but {expected!r} by the rulebook"

    def close(self, what, got, expected, about=""):
        self.cases[what] += 1
        is_close = got == expected or math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
        assert is_close, f"{what} {about}: {got}, but {expected} by the rulebook"

    def true(self, what, holds, about):
        self.cases[what] += 1
        assert holds, f"{what}: {about}"


def check_reason(case, tally, start, answer, is_legal, others=()):
    """Compare whether there is a reason, and what it claims, with the map."""
    tally.same("reason present", answer.reason == "", is_legal, answer)
    if answer.reason:
        holds = reason_claims.is_true(case.tilemap, case.profile, start, answer.reason, others)
        tally.true("reason true", holds, f"{start}: {answer.reason}")


def stops(case, navigation, tally, _asked):
    """Compare on which cells a path can end."""
    for cell in cells_to_ask(case.tilemap):
        reason = navigation.explain_stop(cell, case.profile)
        expected = rulebook.can_stop(case.tilemap, case.profile, cell)
        tally.same("stop", reason == "", expected, f"{cell}, {reason}")
        if reason:
            holds = reason_claims.is_true(case.tilemap, case.profile, cell, reason)
            tally.true("reason true", holds, f"stop on {cell}: {reason}")


def cheapest_steps(tilemap, profile, start):
    steps = {}
    for end, cost in rulebook.steps_from(tilemap, profile, start):
        steps[end] = min(cost, steps.get(end, math.inf))
    return steps


def single_steps(case, navigation, tally, asked):
    """Compare the steps of several movers from everywhere: which are legal, and their costs."""
    cells = cells_to_ask(case.tilemap)
    for profile, start in itertools.product([case.profile, *asked.others], cells):
        steps = cheapest_steps(case.tilemap, profile, start)
        costs = navigation.steps_from(start, profile)
        about = profile, start
        tally.same("steps from a place", {tuple(end) for end in costs}, set(steps), about)
        for end, cost in costs.items():
            tally.close("cost of a step", cost, steps[end], (*about, end))


def explained_steps(case, navigation, tally, _asked):
    """Compare which steps from the start and from a cell over void are legal, and the reasons."""
    cells = cells_to_ask(case.tilemap)
    void = set(cells) - set(all_surfaces(case.tilemap))
    for start in {case.start, *sorted(void)[:1]}:
        steps = cheapest_steps(case.tilemap, case.profile, start)
        for end in set(cells) - {start}:
            answer = navigation.explain_step(start, end, case.profile)
            tally.same("step legal", answer.legal, end in steps, (start, end, answer))
            tally.close("cost of a step", answer.cost, steps.get(end, math.inf), (start, end))
            check_reason(case, tally, start, answer, end in steps)


def check_steps(case, tally, path, others, halting):
    """Follow a path step by step; fail if a step breaks the rule or its cost is wrong."""
    tilemap, profile = case.tilemap, case.profile
    cells = [tuple(cell) for cell in path.cells]
    assert path.as_array().tolist() == [list(cell) for cell in cells]
    total, navigation = 0, Navigation(tilemap)
    for (before, after), step in zip(itertools.pairwise(cells), path.steps, strict=True):
        legal = rulebook.steps_from(tilemap, profile, before, others, halting)
        prices = [cost for end, cost in legal if end == after]
        tally.true("step of a path legal", bool(prices), f"{before} to {after}")
        assert (step.start, step.end) == (before, after)
        stands = [rulebook.stand(tilemap, profile, cell) for cell in (before, after)]
        tally.same("rise", step.rise, stands[1] - stands[0], (before, after))
        tally.close("cost of a step", step.cost, min(prices), (before, after))
        answer = navigation.explain_step(before, after, profile)
        tally.true("step of a path explained", answer.legal, f"{before} to {after}: {answer}")
        total += min(prices)
    tally.close("sum of the steps", path.cost, total, cells)


def check_path(case, tally, path, goals):
    """Fail if a path is not a cheapest legal one to one of the goals."""
    start = case.start
    reached = rulebook.ends(case.tilemap, case.profile, start, **case.others)
    best = min((reached.get(goal, math.inf) for goal in goals), default=math.inf)
    tally.close("cost of a path", path.cost, best, (start, goals, path))
    check_reason(case, tally, start, path, best < math.inf, case.others)
    assert bool(path) == (best < math.inf)
    if path:
        assert path.cells[0] == start
        assert path.cells[-1] in goals
        own = {*rulebook.tiles(case.profile, start)}
        check_steps(case, tally, path, case.blocked - own, case.halting - own)


def paths(case, navigation, tally, asked):
    """Compare the path to each goal, and to the nearest of them."""
    for to in (*asked.goals, asked.goals):
        path = navigation.find_path(case.start, to, case.profile, blockers=case.blockers)
        check_path(case, tally, path, [to] if isinstance(to, tuple) else to)


def many_at_once(case, navigation, tally, _asked):
    """Compare yes or no, the cost and the path to each cell, all at once; without blockers."""
    tilemap, profile, start = case.tilemap, case.profile, case.start
    ends, cells = rulebook.ends(tilemap, profile, start), cells_to_ask(tilemap)
    found = navigation.find_paths([start] * len(cells), cells, profile)
    for goal, path in zip(cells, found, strict=True):
        best = ends.get(goal, math.inf)
        tally.close("cost of a path", path.cost, best, (start, goal))
        tally.same("reachable", navigation.is_reachable(start, goal, profile), goal in ends, goal)
        tally.close("distance", navigation.distance(start, goal, profile), best, (start, goal))


def check_reach(case, tally, reach, ends, budget):
    """Fail if a reach does not hold exactly what can be paid, at its cost."""
    for cell in cells_to_ask(case.tilemap):
        cost = ends.get(cell, math.inf)
        is_paid = cost <= budget + 1e-9 and cost < math.inf
        tally.same("in reach", cell in reach, is_paid, (case.start, cell, budget))
        if is_paid:
            tally.close("cost of a reach", reach.cost_to(cell), cost, (case.start, cell))


def reaches(case, navigation, tally, asked):
    """Compare what is in reach, the costs, and the paths to it."""
    reach = navigation.reach(case.start, asked.budget, case.profile, blockers=case.blockers)
    ends = rulebook.ends(case.tilemap, case.profile, case.start, **case.others)
    check_reach(case, tally, reach, ends, asked.budget)
    for cell in reach.cells[-2:]:
        check_path(case, tally, reach.path_to(cell), [cell])
    for cell in set(cells_to_ask(case.tilemap)) - {tuple(cell) for cell in reach}:
        assert not reach.path_to(cell)


def fields(case, navigation, tally, asked):
    """Compare the cost from every cell to the nearest goal, and some of the paths."""
    tilemap, profile, goals = case.tilemap, case.profile, asked.goals
    field = navigation.cost_field(goals, profile, blocked=case.blocked)
    assert field.cost.shape == (tilemap.rows, tilemap.cols)
    expected = rulebook.costs_to(tilemap, profile, dict.fromkeys(goals, 0), case.blocked)
    cells = cells_to_ask(tilemap)
    for cell in cells:
        cost = expected.get(cell, math.inf)
        tally.close("cost of a field", field.cost_from(cell), cost, (cell, goals))
        path = field.path_from(cell)
        tally.close("cost of a path", path.cost, cost, (cell, goals))
        if path:
            end = tuple(path.cells[-1])
            assert path.cells[0] == cell
            assert end in goals
            assert end == cell or rulebook.can_stop(tilemap, profile, end)
    for cell in cells[:3]:
        if path := field.path_from(cell):
            check_steps(case, tally, path, case.blocked, ())


def boards(case, _navigation, tally, asked):
    """Compare who may be put on a board, an enemy's zone of control, and the reach beside it."""
    tilemap, board, places = case.tilemap, Board(case.tilemap), asked.places
    foe = Unit("foe", places[0], "red", asked.foe, has_zoc=True)
    mover = Unit("mover", places[1], "blue", case.profile, asked.budget)
    taken = set()
    for unit in (foe, mover):
        own = {*rulebook.tiles(unit.profile, tuple(unit.cell))}
        may = rulebook.can_stop(tilemap, unit.profile, tuple(unit.cell)) and not own & taken
        try:
            board.add(unit)
            reason = ""
        except ValueError as error:
            reason = str(error)
        tally.same("unit added", reason == "", may, (unit.cell, unit.profile, reason))
        if not may:
            return
        taken |= own
    zone = rulebook.zone(tilemap, asked.foe, places[0])
    if case.profile.ignores_zoc:
        zone = set()
    found = {tuple(cell) for cell in board.situation(mover).halting}
    for cell in {*cells_to_ask(tilemap), *zone, *found}:
        tally.same("in a zone of control", cell in found, cell in zone, (places[0], cell))
    blocked = set(rulebook.tiles(asked.foe, places[0]))
    ends = rulebook.ends(tilemap, case.profile, places[1], blocked, halting=zone)
    check_reach(case, tally, board.reach(mover), ends, asked.budget)


def edits(case, _navigation, tally, asked):
    """Compare the map after one edit of several operations, after an edit for each, and by hand."""
    once, one_by_one = copy.copy(case.tilemap), copy.copy(case.tilemap)
    plain, orders = PlainMap(case.tilemap), asked.orders
    before, version = state_of(once), once.version
    accepted = [applied(one_by_one, [order]) for order in orders]
    if not all(accepted):
        return
    plain.carry_out(orders)
    tally.same("map after edits", PlainMap(one_by_one), plain, orders)
    tally.true("edit accepted", applied(once, orders), orders)
    tally.same("map after one edit", PlainMap(once), plain, orders)
    if once.version != version:
        once.undo()
    tally.same("map after undo", state_of(once), before, orders)
    rulebook.fires("edit of several operations", len(orders) > 1)
    void = {tuple(cell) for name, cell, *more in orders if (name, more) == ("set_kind", ["void"])}
    linked = {end for link in case.tilemap.links for end in (link.start, link.end)}
    back = [cell for cell in void & linked if exists(one_by_one, cell)]
    rulebook.fires("void and back in one edit", bool(back))


@dataclass
class Questions:
    """What to ask about a map and its mover, before and after an edit."""

    goals: list[tuple[int, int, int]]
    budget: float
    foe: MoveProfile
    others: list[MoveProfile]
    places: list[tuple[int, int, int]]
    orders: list[tuple]
    kinds: list[str]
    kinds_after: list[str]


ASK = {
    "stops": stops,
    "single steps": single_steps,
    "explained steps": explained_steps,
    "many at once": many_at_once,
    "paths": paths,
    "reach": reaches,
    "field": fields,
    "board": boards,
    "edit": edits,
}
ALWAYS = ("edit", "reach", "single steps")
"""What is asked about every map: most rules decide there, and the rarest only there."""


def all_shapes(profile, topology):
    """Return a cautious walker, a warper, a large walker and a flyer with a profile's numbers."""
    plain = replace(profile, warp=0, size=1, can_fly=False)
    large = replace(plain, size=2 if topology == "square" else 1, diagonal="never")
    cautious = {"diagonal": "only_if_no_obstacles", "link_cost": {"rope": None}}
    return [
        replace(plain, body_height=3, **cautious),
        replace(plain, warp=1),
        large,
        replace(large, can_fly=True),
    ]


@st.composite
def questions(draw, case):
    topology = case.tilemap.topology
    cell = st.sampled_from(cells_to_ask(case.tilemap))
    kinds = st.lists(st.sampled_from(sorted(ASK)), unique=True, min_size=1, max_size=4)
    foe = draw(profiles(topology, MORE_SHAPES))
    return Questions(
        draw(st.lists(cell, min_size=1, max_size=3, unique=True)),
        draw(st.sampled_from([0, 1, 3.5, 7, 20])),
        foe,
        all_shapes(foe, topology),
        [draw(cell), draw(cell)],
        draw(operations(case.tilemap)),
        sorted({*ALWAYS, *draw(kinds)}),
        draw(kinds),
    )


def _still_there(case, asked):
    """Return a case and its questions without the decks that an edit has removed."""

    def kept(cells):
        return [cell for cell in cells if case.tilemap.has_cell(cell)]

    start, *places = [kept([cell, (*cell[:2], 0)])[0] for cell in (case.start, *asked.places)]
    goals = kept(asked.goals) or [start]
    others = {name: set(kept(cells)) for name, cells in case.others.items()}
    return replace(case, start=start, **others), replace(asked, goals=goals, places=places)


def everything(case, tally, asked):
    """Ask some kinds of questions about a map, then edit it and ask the same Navigation again."""
    navigation = Navigation(case.tilemap)
    for kind in asked.kinds:
        ASK[kind](case, navigation, tally, asked)
    if applied(case.tilemap, asked.orders):
        case, asked = _still_there(case, asked)
        for kind in asked.kinds_after:
            ASK[kind](case, navigation, tally, asked)


MAPS_PER_SEED = 10
"""Maps that are drawn with one seed; of those that differ the smallest is shown. From the eleventh
on hypothesis mostly alters maps drawn before, and rare rules decide on many of them or on none."""


def check(seed: int) -> Counter[str]:
    """Compare answers on some maps; return the cases, and on how many maps each rule decided."""
    tally, fired = Tally(), Counter(dict.fromkeys(rulebook.RULES, 0))

    @drawn_with(seed, MAPS_PER_SEED, cases(), st.data())
    def compare(case, data):
        rulebook.fired.clear()
        everything(case, tally, data.draw(questions(case)))
        fired.update({"maps", *rulebook.fired})

    compare()
    fired.update(tally.cases, cases=tally.cases.total())
    return fired


KIND = Kind("cases", 20_000, by_seed(check))
