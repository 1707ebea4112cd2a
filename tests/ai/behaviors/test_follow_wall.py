"""Wall following: through mazes, around pillars and along cliffs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import FollowWall, MoveProfile, Navigation, Situation
from terrain3d import TileMap
from terrain3d.grid.hexgrid import TOPOLOGIES
from tests.support.reference import ground, thoroughly
from tests.support.walks import path_of

OPEN = "00000\n00000\n00000\n00000\n00000"
PILLAR = "00000\n00000\n00#00\n00000\n00000"
COMPASS = {(-1, 0): "n", (0, 1): "e", (1, 0): "s", (0, -1): "w"}


def course(hand, tilemap, start, n_steps, **options):
    """Return the compass directions of the steps."""
    cells = path_of(FollowWall(hand), tilemap, start, n_steps, **options)
    steps = [(b.row - a.row, b.col - a.col) for a, b in itertools.pairwise(cells)]
    return "".join(COMPASS[step] for step in steps)


@pytest.mark.parametrize("hand", ["right", "left"])
def test_it_goes_through_a_crooked_corridor_and_back(hand):
    maze = ground("#########\n#0#000#0#\n#0#0#0#0#\n#000#000#\n#########")
    assert course(hand, maze, (1, 1), 28) == "sseenneesseenn" + "sswwnnwwsswwnn"


@pytest.mark.parametrize(("hand", "path"), [("right", "newnswes"), ("left", "nwensews")])
def test_at_a_crossing_it_turns_to_its_hand(hand, path):
    assert course(hand, ground("#0#\n000\n#0#"), (2, 1), 8) == path


@pytest.mark.parametrize(("hand", "path"), [("right", "neesswwn"), ("left", "seennwws")])
def test_it_goes_around_a_pillar(hand, path):
    assert course(hand, ground(PILLAR), (2, 1), 16) == 2 * path


@pytest.mark.parametrize(("hand", "path"), [("right", "nnwwsssseeee"), ("left", "nneesssswwww")])
def test_in_the_open_it_looks_for_a_wall(hand, path):
    assert course(hand, ground(OPEN), (2, 2), 12) == path


def test_around_the_end_of_a_wall_on_an_edge_it_turns_twice():
    tilemap = ground(OPEN)
    with tilemap.edit() as edit:
        edit.add_wall((2, 1), (2, 2))
    assert course("right", tilemap, (2, 1), 6) == "nesswn"


def test_where_its_wall_is_taken_away_it_goes_on_to_the_next():
    tilemap = ground(PILLAR)
    behavior = FollowWall("right")
    first = path_of(behavior, tilemap, (2, 1), 1)
    with tilemap.edit() as edit:
        edit.set_kind((2, 2), "grass")
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
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), 5)
    assert len(Navigation(tilemap).steps_from((0, 0))) == 2  # three levels down, or two up
    assert path_of(FollowWall(), tilemap, (0, 0), 1)[1] == (0, 1, 1)


def test_a_mover_shut_in_stays_and_a_third_hand_is_refused():
    behavior = FollowWall("left")
    assert behavior.next_cell(Situation(Navigation(ground("090")), (0, 0))) is None
    assert behavior.reason == "walls stand all around (0, 0)"
    with pytest.raises(ValueError, match="hand must be one of"):
        FollowWall("Right")


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


@thoroughly(60)
@given(
    st.sampled_from(TOPOLOGIES),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["right", "left"]),
)
def test_a_maze_without_free_walls_is_seen_whole(topology, rows, cols, seed, hand):
    tilemap, start = mazes(topology, rows, cols, np.random.default_rng(seed))
    cells = path_of(FollowWall(hand), tilemap, start, 3 * rows * cols)
    assert len(set(cells)) == rows * cols
