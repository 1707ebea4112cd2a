"""Walks without a goal: exploring, wandering, following a wall."""

import itertools
import math

import numpy as np
from hypothesis import strategies as st

from ai import Explore, FollowWall, MoveProfile, Navigation, Situation, Wander
from terrain3d import TOPOLOGIES, Reason, TileMap
from tests.support.boards import one_edit
from tests.support.reference import (
    cells_of,
    costs_over,
    edges,
    ground,
    profiles,
    tilemaps,
    tried,
)
from tests.support.selection import table
from tests.support.walks import path_of, recorded_calls


def test_a_drop_of_no_return_is_taken_last():
    # The pit beside the start is the cheapest to reach, and cannot be left.
    tilemap = ground("25555\n2####")
    cells = [cell[:2] for cell in path_of(Explore(), tilemap, (0, 1), 50)]
    assert cells == [(0, 1), (0, 2), (0, 3), (0, 4), (0, 3), (0, 2), (0, 1), (0, 0), (1, 0)]


def test_it_goes_on_when_the_map_opens_or_a_unit_goes_away():
    tilemap, behavior = ground("00#0"), Explore()
    path_of(behavior, tilemap, (0, 0), 9)
    one_edit(tilemap).set_kind((0, 2), "grass")
    assert [cell.col for cell in path_of(behavior, tilemap, (0, 1), 9)] == [1, 2, 3]
    behavior, navigation = Explore(), Navigation(ground("000"))
    assert behavior.next_cell(Situation(navigation, (0, 0), blocked=[(0, 1)])) is None
    assert behavior.next_cell(Situation(navigation, (0, 0))) == (0, 1, 0)


def test_when_nothing_is_left_it_does_not_search_again(monkeypatch):
    tilemap, behavior = ground("000"), Explore()
    situation = Situation(Navigation(tilemap), path_of(behavior, tilemap, (0, 0), 9)[-1])
    behavior.next_cell(situation)
    reaches = recorded_calls(monkeypatch, "reach")
    for _ in range(9):
        assert behavior.next_cell(situation) is None
    assert not reaches


@tried(80, tilemaps(max_side=6), profiles, st.data())
def test_what_it_can_come_back_from_is_all_seen_and_nothing_reachable_is_left(
    tilemap, profile, data
):
    start = data.draw(st.sampled_from(cells_of(tilemap)))
    behavior = Explore()
    cells = path_of(behavior, tilemap, start, 600, profile=profile)
    seen, last = {cell[:2] for cell in cells}, cells[-1][:2]
    steps = edges(tilemap, profile)
    back = [(end, begin, cost) for begin, end, cost in steps]
    out, home = costs_over(tilemap, steps, start), costs_over(tilemap, back, start)
    from_last = costs_over(tilemap, steps, last)
    for cell in cells_of(tilemap):
        if max(out[cell], home[cell]) < math.inf or from_last[cell] < math.inf:
            assert cell in seen
    assert behavior.reason.code == "all_visited"


def wander(seed=0, turn_deg=30):
    return Wander(np.random.default_rng(seed), turn_deg)


def test_equal_seeds_make_equal_walks_and_others_others():
    tilemap = TileMap.from_noise(12, 12, seed=4)
    walks = [path_of(wander(seed, 90), tilemap, (5, 5), 60) for seed in (1, 1, 2)]
    assert walks[0] == walks[1] != walks[2]
    assert len(walks[0]) == 61


def test_a_mover_shut_in_stays_and_says_so():
    behavior = wander()
    for each, code in ((behavior, "no_step_from"), (FollowWall("left"), "walled_in")):
        assert path_of(each, ground("5"), (0, 0)) == [(0, 0, 0)]
        assert each.reason == Reason(code, cell=(0, 0))
    situation = Situation(Navigation(ground("000")), (0, 1), blocked=[(0, 0)], passable=[(0, 2)])
    assert behavior.next_cell(situation) is None


def turn(tilemap, before, here, after):
    """Return the unsigned angle between two steps, by the cosine of vectors."""
    points = [tilemap.surface_point(cell)[:2] for cell in (before, here, after)]
    first, second = np.diff(points, axis=0)
    cosine = first @ second / (np.linalg.norm(first) * np.linalg.norm(second))
    return math.degrees(math.acos(np.clip(cosine, -1, 1)))


@tried(80, tilemaps(), profiles, st.sampled_from([30, 45, 60, 90]), st.integers(0, 99), st.data())
def test_it_turns_no_further_than_it_may_or_has_to(tilemap, profile, most, seed, data):
    steps = edges(tilemap, profile)
    start = data.draw(st.sampled_from(cells_of(tilemap)))
    cells = [tuple(c[:2]) for c in path_of(wander(seed, most), tilemap, start, 25, profile=profile)]
    for before, here, after in zip(cells, cells[1:], cells[2:], strict=False):
        legal = [end for begin, end, _ in steps if begin == here]
        least = min(turn(tilemap, before, here, end) for end in legal)
        assert turn(tilemap, before, here, after) <= max(most, least) + 1e-3


OPEN = "00000\n00000\n00000\n00000\n00000"
PILLAR = "00000\n00000\n00#00\n00000\n00000"
COMPASS = {(-1, 0): "n", (0, 1): "e", (1, 0): "s", (0, -1): "w"}


def course(hand, tilemap, start, n_steps, **options):
    cells = path_of(FollowWall(hand), tilemap, start, n_steps, **options)
    steps = [(b.row - a.row, b.col - a.col) for a, b in itertools.pairwise(cells)]
    return "".join(COMPASS[step] for step in steps)


@table(
    "levels start right left",
    ("#0#\n000\n#0#", (2, 1), "newnswes", "nwensews"),  # at a crossing it turns to its hand
    (PILLAR, (2, 1), "neesswwn", "seennwws"),
    (OPEN, (2, 2), "nnwwsssseeee", "nneesssswwww"),  # it looks for a wall
)
def test_it_follows_the_wall_beside_its_hand(levels, start, right, left):
    for hand, path in (("right", right), ("left", left)):
        assert course(hand, ground(levels), start, len(path)) == path


def test_where_its_wall_is_taken_away_it_goes_on_to_the_next():
    tilemap = ground(PILLAR)
    behavior = FollowWall("right")
    first = path_of(behavior, tilemap, (2, 1), 1)
    one_edit(tilemap).set_kind((2, 2), "grass")
    cells = [cell[:2] for cell in path_of(behavior, tilemap, first[-1], 6)]
    assert cells == [(1, 1), (1, 2), (2, 2), (2, 1), (1, 1), (0, 1), (0, 0)]


def test_a_wall_is_whatever_it_cannot_step_over_to():
    # A drop of two levels, a climb as tall, water, another unit.
    cautious = MoveProfile(max_climb=1, max_drop=1)
    assert course("right", ground("222\n020\n000"), (0, 0), 5, profile=cautious) == "esnew"
    assert course("right", ground("002"), (0, 0), 2, profile=cautious) == "ew"
    assert course("right", ground("000", "ggw"), (0, 0), 2) == "ew"
    assert course("right", ground("000"), (0, 0), 2, blocked=[(0, 2)]) == "ew"


def test_of_several_surfaces_in_a_column_it_takes_the_most_level():
    tilemap = TileMap([[3, 0, 3]])
    one_edit(tilemap).add_deck((0, 1), 5)
    assert len(Navigation(tilemap).steps_from((0, 0))) == 2  # three levels down, or two up
    assert path_of(FollowWall(), tilemap, (0, 0), 1)[1] == (0, 1, 1)


def mazes(topology, rows, cols, rng):
    """Part all neighbors by walls but for those on a random tree."""
    tilemap = TileMap([[0] * cols] * rows, topology=topology)
    start = (int(rng.integers(rows)), int(rng.integers(cols)))
    seen, border, doors = {start}, [start], set()
    while border:
        cell = border.pop(int(rng.integers(len(border))))
        for end in rng.permutation([near[:2] for near in tilemap.grid.neighbors(cell)]).tolist():
            if tuple(end) not in seen:
                seen.add(tuple(end))
                border.append(tuple(end))
                doors.add(frozenset([cell, tuple(end)]))
    with tilemap.edit() as edit:
        for cell in seen:
            for end in (near[:2] for near in tilemap.grid.neighbors(cell)):
                if frozenset([cell, end]) not in doors and cell < end:
                    edit.add_wall(cell, end)
    return tilemap, start


side, hands = st.integers(1, 6), st.sampled_from(["right", "left"])


@tried(60, st.sampled_from(TOPOLOGIES), side, side, st.integers(0, 2**32 - 1), hands)
def test_a_maze_without_free_walls_is_seen_whole(topology, rows, cols, seed, hand):
    tilemap, start = mazes(topology, rows, cols, np.random.default_rng(seed))
    cells = path_of(FollowWall(hand), tilemap, start, 3 * rows * cols)
    assert len(set(cells)) == rows * cols
