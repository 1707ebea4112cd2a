"""Squads on small random maps beside brute force, and joint moves beside a plain checker.

Squads are drawn on maps of at most 12 tiles with all rules mixed. Every plan is compared with a
search of all configurations: it is legal, it is not below the least cost, what is called cheapest
is, and "no plan" is only said where there is none. A board then gets the paths and an altered copy
of them: its verdict has to be that of the plain rules. After every 100 squads, 20 units are planned
on a board of 8 x 8 tiles of each sort and checked for collisions.
"""

import math
from collections import Counter

from hypothesis import note
from hypothesis import strategies as st

from ai import Board, MoveRefused, Navigation, SquadPlanner, Unit
from tests.long import Kind, by_seed, drawn_with
from tests.long.plans import generated, planned
from tests.support import joint_moves_reference
from tests.support.joint_moves_reference import altered, crowded, mixed, walks
from tests.support.plain_map import all_surfaces, kind

_SQUADS_PER_SEED = 100
_MAX_STEPS = 10_000_000  # of searches that prove that there is no plan
_FEW_STEPS = 20_000


def check_plan(squad, seed):
    """Plan a squad, compare the plan with the reference, and return it."""
    tilemap, movers, starts, goals = squad
    note(f"{tilemap.topology} {tilemap.surface_level.tolist()} {movers} {starts} -> {goals}")
    planner = SquadPlanner(Navigation(tilemap))
    plan = planner.plan(starts, goals, movers, seed=seed, max_steps=_FEW_STEPS)
    if plan.reason.startswith("gave up"):
        plan = planner.plan(starts, goals, movers, seed=seed, max_steps=_MAX_STEPS)
    least = joint_moves_reference.least_cost(tilemap, movers, starts, goals)
    assert bool(plan) == (least < math.inf), plan
    if not plan:
        assert plan.reason
        assert "gave up" not in plan.reason
        return plan
    joint_moves_reference.check(tilemap, movers, starts, goals, plan)
    assert plan.cost >= least - 1e-9
    assert plan.lower_bound <= least + 1e-9
    if plan.is_cheapest:
        assert math.isclose(plan.cost, least, abs_tol=1e-9)
    return plan


def board_of(squad):
    """Return a board with the units on their starts; None if a board cannot have them there.

    Ground where a unit cannot stop comes after the unit, by an edit.
    """
    tilemap, movers, starts, _ = squad
    if not set(starts) <= set(all_surfaces(tilemap)):
        return None
    board = Board(tilemap)
    names = {cell: kind(tilemap, cell).name for cell in starts}
    with tilemap.edit() as edit:
        for cell in names:
            edit.set_kind(cell, "grass")
    explain_stop = board.navigation.explain_stop
    is_free = not any(explain_stop(*pair) for pair in zip(starts, movers, strict=True))
    for number, (profile, cell) in enumerate(zip(movers, starts, strict=True)):
        if is_free:
            board.add(Unit(str(number), cell, profile=profile, move=1e9))
    with tilemap.edit() as edit:
        for cell, name in names.items():
            edit.set_kind(cell, name)
    return board if is_free else None


def is_accepted(board, paths):
    """Return whether the board moves its first units along paths; check where they are then."""
    units, before = board.units[: len(paths)], board.digest()
    try:
        board.move_together(dict(zip(units, paths, strict=True)))
    except MoveRefused as refused:
        note(f"board: {refused}")
        assert board.digest() == before
        return False
    assert [unit.cell for unit in units] == [tuple((*path[-1], 0)[:3]) for path in paths]
    return True


def check_verdict(board, paths):
    """Compare the board's verdict on paths with the reference; return it and undo the move."""
    movers = [unit.profile for unit in board.units]
    steps = joint_moves_reference.StepCache(board.tilemap)
    note(f"{board.tilemap.surface_level.tolist()} {movers} {paths}")
    why = joint_moves_reference.refusal(joint_moves_reference.Referee(steps, movers), paths)
    note(f"reference: {why}")
    verdict = is_accepted(board, paths)
    assert verdict == (not why)
    if verdict and any(set(path) != {path[0]} for path in paths):
        assert board.undo()
    return verdict


def check_squad(squad, seed, data):
    """Check the plan of a squad, and its joint moves; return what was compared."""
    plan = check_plan(squad, seed)
    counts = Counter({"squads": 1, "plans": bool(plan), "proven cheapest": plan.is_cheapest})
    board = board_of(squad)
    if board is not None:
        paths = plan.paths or [[cell] for cell in squad[2]]
        for other in (paths, data.draw(altered(board.tilemap, paths)), data.draw(walks(board))):
            counts["joint moves"] += 1
            counts["accepted"] += check_verdict(board, other)
    return counts


def check_crowds(seed):
    """Check the plans of 20 units on generated boards; return how many there are."""
    for board in generated(8, 20, seed):
        assert planned(board).plan, f"{board}, seed {seed}"
    return Counter({"crowds": 4})


def check(seed):
    found = Counter()

    @drawn_with(seed, _SQUADS_PER_SEED, crowded() | mixed(), st.integers(0, 3), st.data())
    def compare(squad, tie_seed, data):
        found.update(check_squad(squad, tie_seed, data))

    compare()
    found.update(check_crowds(seed))
    return found


KIND = Kind("squads", 1000, by_seed(check))
