"""Agents walk straight over open ground, as far as a body may."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from ai.motion.motion import point_on
from terrain3d import TOPOLOGIES, TileMap
from tests.support.bodies import Stage
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.mover_pictures import spanned
from tests.support.reference import ground, thoroughly
from tests.support.walked_lines import Lines, length, weighted_length

LARGE = 10**6


def open_ground(rows, cols, topology="square"):
    return TileMap(np.zeros((rows, cols), dtype=int), topology=topology)


def planned(tilemap, start, goal, profile=None, blocked=(), mode="corridor_funnel"):
    """Return the points that an agent walks, after a check of all lines between them."""
    profile = profile or MoveProfile()
    stage = Stage(tilemap, max_expansions=LARGE)
    body = stage.add(start, profile, speed=0)
    agent = body.agent
    agent.path_postprocessing = mode
    agent.blocked = blocked
    agent.target_cell = goal
    stage.run()
    agent.is_navigation_finished()
    points = agent.get_current_navigation_path()
    cells = agent._follower.cells_ahead if points else ()
    Lines(tilemap, profile, blocked).check(cells, points)
    return points


def walked(stage, body, dt_s=0.1, n_frames=5000):
    """Return the points of a body, frame by frame, until its navigation is finished."""
    points = [body.position]
    for _ in range(n_frames):
        stage.tree.advance(dt_s)
        points.append(body.position)
        if body.agent.is_navigation_finished():
            return points
    raise AssertionError("it does not arrive")


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("goal", [(9, 9), (3, 12), (12, 4), (1, 12), (8, 1), (12, 12), (2, 2)])
@pytest.mark.parametrize("diagonal", ["never", "always"])
def test_on_open_ground_it_walks_straight(topology, goal, diagonal):
    tilemap = open_ground(14, 14, topology)
    points = planned(tilemap, (1, 1), goal, MoveProfile(diagonal=diagonal))
    straight = math.dist(*(tilemap.surface_point(cell) for cell in [(1, 1), goal]))
    assert length(points) == pytest.approx(straight)


def test_the_length_walked_is_that_of_the_straight_line_and_not_of_the_tiles():
    lengths = {}
    for mode in ("corridor_funnel", "none"):
        stage = Stage(open_ground(12, 12))
        body = stage.add((0, 0), speed=3.2)
        body.agent.path_postprocessing = mode
        body.agent.target_cell = (8, 8)
        lengths[mode] = length(walked(stage, body, dt_s=1 / 60))
    assert lengths["none"] > 15
    assert lengths["corridor_funnel"] <= 1.01 * math.hypot(8, 8)
    assert lengths["corridor_funnel"] >= math.hypot(8, 8) - 0.1


def test_it_walks_straight_between_places_that_are_not_middles():
    stage = Stage(open_ground(9, 12))
    body = stage.add((0, 0), speed=1.0)
    body.position = 0.3, -0.7, 0.0
    body.agent.target_position = (10.7, -6.3, 0)
    assert length(walked(stage, body)) <= 1.001 * math.dist((0.3, -0.7), (10.7, -6.3))


BLOCK = "\n".join("00000000000" if not 3 <= row <= 7 else "000#####000" for row in range(11))


def shortest(tilemap, start, goal):
    """Return the length of the shortest line with one bend, 0.2 beside a corner of the block."""
    (x, y), (end_x, end_y) = (tilemap.surface_point(cell)[:2] for cell in (start, goal))
    lengths = []
    for bend in itertools.product((3 - 0.2, 8 + 0.2), (-3 + 0.2, -8 - 0.2)):
        line = np.concatenate(
            [np.linspace((x, y), bend, 500), np.linspace(bend, (end_x, end_y), 500)]
        )
        is_inside = (line > (3, -8)).all(axis=1) & (line < (8, -3)).all(axis=1)
        if not is_inside.any():
            lengths.append(math.dist((x, y), bend) + math.dist(bend, (end_x, end_y)))
    return min(lengths)


@pytest.mark.parametrize("diagonal", ["never", "only_if_no_obstacles", "always"])
@pytest.mark.parametrize("ends", [((0, 0), (10, 10)), ((10, 0), (0, 10)), ((2, 0), (10, 6))])
def test_it_goes_round_a_block_by_about_the_shortest_line(diagonal, ends):
    tilemap = ground(BLOCK)
    points = planned(tilemap, *ends, MoveProfile(diagonal=diagonal))
    assert length(points) <= 1.04 * shortest(tilemap, *ends)


def test_a_body_keeps_its_radius_from_corners():
    tilemap = ground("00000\n00#00\n00000\n00000")
    points = planned(tilemap, (0, 0), (3, 4))
    a = np.array([point[:2] for point in points])
    ends = list(itertools.pairwise(a))
    for corner in [(2, -2), (3, -2), (2, -1), (3, -1)]:
        gaps = [np.linalg.norm(np.linspace(p, q, 200) - corner, axis=1).min() for p, q in ends]
        assert min(gaps) >= 0.2 - 1e-3


def test_a_body_keeps_its_radius_from_a_corner_between_two_open_edges():
    stage = Stage(ground("0000\n0#00\n0000\n0000"), max_expansions=LARGE)
    body = stage.add((0, 1), speed=0)
    body.position = 1.5, -0.25, 0.0  # the straight line passes 0.18 beside the corner
    body.agent.target_position = 3.05, -1.8, 0.0
    stage.run()
    points = [body.position, *body.agent.get_current_navigation_path()[1:]]
    for (x, y, _), (end_x, end_y, _) in itertools.pairwise(points):
        line = np.linspace((x, y), (end_x, end_y), 300)
        assert np.hypot(*(line - (2, -1)).T).min() >= 0.2 - 1e-3


def test_a_large_body_goes_through_a_gap_it_fits_and_no_other():
    tilemap = ground("\n".join(["0000#0000"] * 2 + ["000000000"] * 2 + ["0000#0000"] * 2))
    profile = MoveProfile(size=2)
    points = planned(tilemap, (0, 0), (4, 7), profile)
    assert length(points) < 11
    # In the gap it stands on both rows, and its middle is on the line between them.
    inside = [y for x, y, _ in points if 3.3 < x < 5.7]
    assert inside
    assert all(abs(y + 3) <= 0.3 for y in inside)
    small = planned(tilemap, (0, 0), (4, 7))
    assert length(small) < length(planned(tilemap, (0, 0), (4, 7), mode="none"))


def test_it_stays_on_its_deck_and_goes_straight_over_a_wide_one():
    tilemap = spanned(
        "\n".join(["3000003"] * 4), ([(row, col) for row in range(4) for col in range(1, 6)], 3)
    )
    points = planned(tilemap, (0, 0), (3, 6))
    assert {z for _, _, z in points} == {1.5}
    assert length(points) == pytest.approx(math.hypot(3, 6))
    below = planned(tilemap, (0, 1), (3, 5))
    assert {z for _, _, z in below} == {0}
    assert length(below) == pytest.approx(5)


def test_it_climbs_from_middle_to_middle():
    tilemap = ground("00001111\n00001111\n00001111\n00001111")
    points = planned(tilemap, (0, 0), (3, 7))
    rises = [(a, b) for a, b in itertools.pairwise(points) if a[2] != b[2]]
    assert len(rises) == 1
    (x, y, _), (end_x, end_y, _) = rises[0]
    assert (x, end_x, y) == (3.5, 4.5, end_y)
    assert y % 1 == 0.5
    assert length(points) < 8.5


def test_it_does_not_cut_through_a_swamp_that_its_path_avoids():
    kinds = "\n".join(["ggggggg", "ggsssgg", "ggsssgg", "ggsssgg", "ggggggg"])
    tilemap = ground("\n".join(["0000000"] * 5), kinds)
    points = planned(tilemap, (2, 0), (2, 6))
    assert weighted_length(tilemap, MoveProfile(), points) <= 10
    assert not any(2 < x < 5 and -4 < y < -1 for x, y, _ in points)
    across = planned(tilemap, (2, 0), (2, 6), MoveProfile(kind_cost={"swamp": 1}))
    assert length(across) == pytest.approx(6)


def test_walls_along_a_line_are_not_grazed():
    tilemap = open_ground(2, 12)
    with tilemap.edit() as edit:
        for col in range(12):
            if col != 6:
                edit.add_wall((0, col), (1, col))
    points = planned(tilemap, (0, 0), (1, 11))
    assert length(points) > math.hypot(1, 11) + 0.05


def test_it_keeps_clear_of_blocked_cells():
    tilemap = open_ground(5, 9)
    free, blocked = planned(tilemap, (0, 0), (4, 8)), [(2, 4), (1, 3), (2, 5)]
    around = planned(tilemap, (0, 0), (4, 8), blocked=blocked)
    assert length(free) == pytest.approx(math.hypot(4, 8))
    assert length(free) < length(around) < 12


def test_it_follows_tiles_if_asked_to():
    points = planned(open_ground(5, 5), (0, 0), (4, 4), mode="none")
    assert length(points) == 8
    assert all(x % 1 == 0.5 and y % 1 == 0.5 for x, y, _ in points)


def test_an_unknown_postprocessing_is_refused():
    agent = Stage(ground("00")).add((0, 0)).agent
    with pytest.raises(ValueError, match=r"path_postprocessing must be .* got 'edge_centered'"):
        agent.path_postprocessing = "edge_centered"
    assert agent.path_postprocessing == "corridor_funnel"


def test_the_same_path_is_walked_for_any_split_of_time():
    tilemap = ground(BLOCK)
    lines = []
    for dt_s in (1 / 7, 1 / 30, 1 / 60, 1 / 144):
        stage = Stage(tilemap)
        body = stage.add((0, 0), speed=1.0)
        body.agent.target_cell = (10, 10)
        walk = walked(stage, body, dt_s=dt_s)
        lines.append(body.agent.get_current_navigation_path())
        assert length(walk) == pytest.approx(length(lines[-1]), abs=0.25)
    assert all(line == lines[0] for line in lines)


@thoroughly(150)
@given(cases(), st.data())
def test_lines_touch_legal_ground_only_and_cost_no_more(case, data):
    case.tell()
    goal = data.draw(st.sampled_from(cells_to_ask(case.tilemap)))
    tilemap, profile = case.tilemap, case.profile
    blocked = case.blocked - {case.start}
    points = planned(tilemap, case.start, goal, profile, blocked)
    path = Navigation(tilemap).find_path(case.start, goal, profile, blocked=blocked, partial=True)
    if path and points:
        tiles = [point_on(tilemap, cell, profile) for cell in path.cells]
        assert points[-1] == tiles[-1]
        if not tilemap.n_decks:
            cost = weighted_length(tilemap, profile, points)
            assert cost <= weighted_length(tilemap, profile, tiles) * 1.02 + 0.05


@thoroughly(12)
@given(st.randoms(use_true_random=False), st.sampled_from(["square", "hex_odd_r", "hex_even_q"]))
def test_a_walk_among_edits_and_blockers_never_leaves_legal_ground(rng, topology):
    tilemap = open_ground(8, 8, topology)
    stage = Stage(tilemap, max_expansions=LARGE)
    profile = MoveProfile(max_climb=1, max_drop=1)
    body = stage.add((0, 0), profile, speed=2.0)
    agent = body.agent
    agent.target_cell = (7, 7)
    for frame in range(80):
        here = body.position
        far = [
            (row, col)
            for row in range(8)
            for col in range(8)
            if math.dist(tilemap.surface_point((row, col))[:2], here[:2]) > 1.5
        ]
        if frame % 5 == 0:
            stage.edit(*((rng.choice(far), rng.choice([0, 0, 4])) for _ in range(2)))
        if frame % 7 == 0:
            agent.blocked = rng.sample(far, 3)
        blocked = agent.blocked
        start = agent.cell
        stage.run()
        lines = Lines(tilemap, profile, blocked)
        end = (*lines.column(np.array(body.position[:2])), 0)
        assert tilemap.level_at(end) == 0
        assert end[:2] == start[:2] or math.dist(here, body.position) <= 0.21
        reached = {tuple(start)}
        for _ in range(2):  # two at a corner
            reached |= {step for each in reached for step in lines.level_steps(each)}
        assert end in reached
