"""Decision points: cells of no straight corridor, found once, and a chase that plans there only."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Chase, MoveProfile, Navigation, Replan, Situation, Wander
from tests.support import rulebook
from tests.support.mixed_maps import cases, cells_to_ask, edits
from tests.support.reference import ground, thoroughly
from tests.support.strategies import profiles as movers
from tests.support.strategies import tilemaps as maps
from tests.support.walks import recorded_calls

ANY_MOVER = MoveProfile()


def drawn(text, profile=ANY_MOVER):
    """Draw the decision points of a map as stars."""
    tilemap = ground(text)
    navigation = Navigation(tilemap)
    rows = [list(row) for row in text.strip().splitlines()]
    for row, col in np.argwhere(~tilemap.void):
        cell = tilemap.cell((int(row), int(col)))
        rows[row][col] = "*" if navigation.is_decision_point(cell, profile) else "0"
    return "\n".join("".join(row) for row in rows)


@thoroughly(150)
@given(cases())
def test_they_are_those_of_the_rulebook(case):
    tilemap, profile = case.tilemap, case.profile
    navigation = Navigation(tilemap)

    def neighbors(cell):
        return {tuple(end) for end, _ in rulebook.steps_from(tilemap, profile, cell)}

    for cell in cells_to_ask(tilemap):
        ends = [end for end in neighbors(cell) if tuple(cell) in neighbors(end)]
        is_straight = False
        if len(ends) == 2:
            here, *there = (np.array(tilemap.surface_point(each)[:2]) for each in (cell, *ends))
            a, b = there[0] - here, there[1] - here
            is_straight = a @ b < 0 and abs(a[0] * b[1] - a[1] * b[0]) < 1e-6
        assert navigation.is_decision_point(cell, profile) != is_straight


def test_each_is_found_once_and_kept_through_edits_that_are_not_near(monkeypatch):
    tilemap = ground("0000000000\n##########")
    navigation = Navigation(tilemap)
    asked = recorded_calls(monkeypatch, "steps_from")

    def finds(cell):
        asked.clear()
        return navigation.is_decision_point(cell), len(asked)

    assert [finds((0, 2)), finds((0, 2))] == [(False, 3), (False, 0)]  # from it and its neighbors
    with tilemap.edit() as edit:
        edit.set_kind((1, 8), "grass")
    assert finds((0, 2)) == (False, 0)
    with tilemap.edit() as edit:
        edit.set_kind((1, 2), "grass")
    assert finds((0, 2)) == (True, 4)
    tilemap.undo()
    assert finds((0, 2))[0] is False
    assert navigation.is_decision_point((0, 2), MoveProfile(can_fly=True))


@thoroughly(60)
@given(st.data())
def test_after_any_edits_they_are_those_of_a_new_navigation(data):
    tilemap = data.draw(maps(max_side=4))
    profile = data.draw(movers(tilemap.topology, ["walk", "big", "warp"]))
    navigation = Navigation(tilemap)
    for _ in range(3):
        new = Navigation(tilemap)
        for cell in cells_to_ask(tilemap):
            is_point = navigation.is_decision_point(cell, profile)
            assert is_point == new.is_decision_point(cell, profile)
        data.draw(edits(tilemap))(tilemap)


def maze(rows, cols, seed):
    """Return the text of a maze of corridors, carved by a depth-first walk, with a few loops."""
    rng = np.random.default_rng(seed)
    open_ = np.zeros((2 * rows - 1, 2 * cols - 1), dtype=bool)
    open_[0, 0], stack = True, [(0, 0)]
    while stack:
        row, col = stack[-1]
        beside = [(row + a, col + b) for a, b in ((-2, 0), (2, 0), (0, -2), (0, 2))]
        new = [(a, b) for a, b in beside if 0 <= a < 2 * rows and 0 <= b < 2 * cols]
        new = [each for each in new if not open_[each]]
        if not new:
            stack.pop()
            continue
        end = new[rng.integers(len(new))]
        open_[end] = open_[(row + end[0]) // 2, (col + end[1]) // 2] = True
        stack.append(end)
    open_[::2] |= rng.random(open_[::2].shape) < 0.05
    return "\n".join("".join(".#"[not each] for each in row) for row in open_).replace(".", "0")


@pytest.mark.parametrize("seed", range(3))
def test_a_chase_in_a_maze_plans_at_decision_points_only(monkeypatch, seed):
    text = maze(12, 12, seed)
    stars = drawn(text).splitlines()
    navigation = Navigation(ground(text))
    searches = recorded_calls(monkeypatch, "find_path")
    prey, here = (22, 22), (0, 0)
    wander = Wander(np.random.default_rng(seed), 60)
    replan = Replan(math.inf, at_decision_points=True, straight_tiles=0)
    chase = Chase(lambda: prey, replan=replan)
    planned_for, n_steps = None, 0
    for _ in range(300):
        prey = wander.next_cell(Situation(navigation, prey, blocked=[here])) or prey
        n_before = len(searches)
        cell = chase.next_cell(Situation(navigation, here, blocked=[prey]))
        if cell is None:
            continue
        has_searched = len(searches) > n_before
        if planned_for is None:
            assert has_searched
        elif has_searched:  # at a decision point, or where the path ends beside the prey's old cell
            assert (
                stars[here[0]][here[1]] == "*"
                or navigation.tilemap.grid.distance(here[:2], planned_for[:2]) <= 1
            )
        else:
            assert stars[here[0]][here[1]] == "0" or prey == planned_for
        planned_for = prey if has_searched else planned_for
        here, n_steps = cell, n_steps + 1
    assert 0 < len(searches) < 0.7 * n_steps
