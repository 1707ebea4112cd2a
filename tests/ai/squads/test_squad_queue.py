"""Orders given one after the other: each heeds the moves that earlier ones still have to make."""

from hypothesis import given, note
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, Reservation, SquadPlanner
from tests.ai.squads.test_squads_oracle import crowded
from tests.support import joint_moves_reference

WALKER = MoveProfile()


def ordered(picture, *names):
    """Order letters to their capitals, each knowing only of those before; draw all ways.

    A way is told by the cells' signs in the picture, a unit's own cells by its letter.
    """
    tilemap, cells = joint_moves_reference.read(picture)
    planner = SquadPlanner(Navigation(tilemap))
    signs = {cell: sign for sign, cell in cells.items()}
    queued, told = [], []
    for name in names:
        starts, goals = [cells[name]], [cells[name.upper()]]
        plan = planner.plan(starts, goals, queued=queued)
        others = [way.cells for way in queued]
        joint_moves_reference.check(
            tilemap, [WALKER], starts, goals, plan, others, [WALKER] * len(others)
        )
        queued += plan.reservations()
        told.append(" ".join(signs[cell[:2]] for cell in plan.paths[0]))
    return told


def test_who_is_ordered_later_lets_the_others_pass():
    crossing = "#b#\naxA\n#B#"
    assert ordered(crossing, "a", "b") == ["a x A", "b b x B"]
    assert ordered(crossing, "b", "a") == ["b x B", "a a x A"]


def test_a_third_waits_for_both():
    street = "##c##\nabxAB\n##C##"
    assert ordered(street, "b", "a", "c") == ["b x A B", "a b x A", "c c c x C"]


def test_in_a_passage_it_steps_aside_until_the_other_is_past():
    assert ordered("aBxbA\n##s##", "a", "b") == ["a B x b A", "b x s x B"]


def test_who_stands_on_the_way_of_an_earlier_one_clears_it_in_time():
    assert ordered("abA\n#B#", "a", "b") == ["a b A", "b B"]


def test_what_is_left_of_an_order_is_what_counts_later():
    tilemap, cells = joint_moves_reference.read("#b#\naxA\n#B#")
    planner = SquadPlanner(Navigation(tilemap))
    first = planner.plan([cells["a"]], [cells["A"]])
    for tick, ticks in ((0, 3), (1, 2), (2, 2), (9, 2)):
        later = planner.plan([cells["b"]], [cells["B"]], queued=first.reservations(tick))
        assert later.ticks == ticks


@given(crowded(), st.data())
def test_whatever_is_ordered_when_nobody_collides(squad, data):
    tilemap, who, starts, goals = squad
    note(f"{tilemap.topology} {tilemap.surface_level.tolist()} {who} {starts} -> {goals}")
    planner = SquadPlanner(Navigation(tilemap))
    referee = joint_moves_reference.Referee(joint_moves_reference.Book(tilemap), who)
    tick, plans = 0, []
    for unit, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        queued = [way for plan, begun in plans for way in plan.reservations(tick - begun)]
        waiting = zip(starts[unit + 1 :], who[unit + 1 :], strict=True)
        queued += [Reservation([cell], profile) for cell, profile in waiting]
        plan = planner.plan([start], [goal], who[unit], queued=queued)
        if not plan:
            assert plan.reason
            plan = planner.plan([start], [start], who[unit], queued=queued)
        if not plan:
            return  # somebody is about to go where it stands, and it has nowhere to go
        plans.append((plan, tick))
        tick += data.draw(st.integers(0, 2))
    for now in range(tick + max(plan.ticks for plan, _ in plans)):
        before, after = (
            [tuple(plan.at(max(0, late - begun))[0]) for plan, begun in plans]
            for late in (now, now + 1)
        )
        assert not referee.collision(before, after)
