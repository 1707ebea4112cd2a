"""Tests of plans made one after the other, each around the rest of the earlier paths."""

from hypothesis import given, note
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, Reservation, SquadPlanner
from tests.support import joint_moves_reference
from tests.support.squad_maps import crowded

WALKER = MoveProfile()


def ordered(picture, *names):
    """Plan each letter to its capital, around the paths before it; return all paths.

    A path is written as the signs of its cells in the picture.
    """
    tilemap, cells = joint_moves_reference.read(picture)
    planner = SquadPlanner(Navigation(tilemap))
    signs = {cell: sign for sign, cell in cells.items()}
    queued, paths = [], []
    for name in names:
        starts, goals = [cells[name]], [cells[name.upper()]]
        plan = planner.plan(starts, goals, queued=queued)
        others = [each.cells for each in queued]
        joint_moves_reference.check(
            tilemap, [WALKER], starts, goals, plan, others, [WALKER] * len(others)
        )
        queued += plan.reservations()
        paths.append(" ".join(signs[cell[:2]] for cell in plan.paths[0]))
    return paths


def test_a_later_unit_lets_earlier_ones_pass():
    crossing = "#b#\naxA\n#B#"
    assert ordered(crossing, "a", "b") == ["a x A", "b b x B"]
    assert ordered(crossing, "b", "a") == ["b x B", "a a x A"]


def test_a_third_unit_waits_for_both():
    street = "##c##\nabxAB\n##C##"
    assert ordered(street, "b", "a", "c") == ["b x A B", "a b x A", "c c c x C"]


def test_in_a_passage_the_later_unit_steps_aside():
    assert ordered("aBxbA\n##s##", "a", "b") == ["a B x b A", "b x s x B"]


def test_a_unit_on_the_path_of_an_earlier_one_leaves_in_time():
    assert ordered("abA\n#B#", "a", "b") == ["a b A", "b B"]


def test_only_the_rest_of_an_earlier_path_is_reserved():
    tilemap, cells = joint_moves_reference.read("#b#\naxA\n#B#")
    planner = SquadPlanner(Navigation(tilemap))
    first = planner.plan([cells["a"]], [cells["A"]])
    for tick, ticks in ((0, 3), (1, 2), (2, 2), (9, 2)):
        later = planner.plan([cells["b"]], [cells["B"]], queued=first.reservations(tick))
        assert later.ticks == ticks


@given(crowded(), st.data())
def test_random_orders_at_random_ticks_have_no_conflicts(squad, data):
    tilemap, profiles, starts, goals = squad
    note(f"{tilemap.topology} {tilemap.surface_level.tolist()} {profiles} {starts} -> {goals}")
    planner = SquadPlanner(Navigation(tilemap))
    referee = joint_moves_reference.Referee(joint_moves_reference.StepCache(tilemap), profiles)
    tick, plans = 0, []
    for unit, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        queued = [each for plan, begun in plans for each in plan.reservations(tick - begun)]
        waiting = zip(starts[unit + 1 :], profiles[unit + 1 :], strict=True)
        queued += [Reservation([cell], profile) for cell, profile in waiting]
        plan = planner.plan([start], [goal], profiles[unit], queued=queued)
        if not plan:
            assert plan.reason
            plan = planner.plan([start], [start], profiles[unit], queued=queued)
        if not plan:
            return  # another unit will take its cell, and it has nowhere to go
        plans.append((plan, tick))
        tick += data.draw(st.integers(0, 2))
    for now in range(tick + max((plan.ticks for plan, _ in plans), default=0)):
        before, after = (
            [tuple(plan.at(max(0, late - begun))[0]) for plan, begun in plans]
            for late in (now, now + 1)
        )
        assert not referee.collision(before, after)
