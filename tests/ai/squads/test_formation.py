"""Formations as pictures: units keep the shape in which they stand where the ground lets them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, formation
from terrain3d import TileMap
from tests.support import joint_moves_reference
from tests.support.mixed_maps import cells_to_ask, profiles, tilemaps
from tests.support.mover_pictures import spanned
from tests.support.reference import axial


def sent(picture, target, **more):
    """Draw where the letters of a picture, who stand on level 0, are sent."""
    tilemap, cells = joint_moves_reference.read(picture)
    names = sorted(cells)
    goals = formation(Navigation(tilemap), [cells[name] for name in names], target, **more)
    rows = [list(row) for row in tilemap.to_text().split("\n")]
    for name, goal in zip(names, goals, strict=True):
        rows[goal.row][goal.col] = name
    return "\n".join(map("".join, rows))


def test_on_open_ground_the_shape_is_kept_around_the_one_in_the_middle():
    assert sent("ba0000\n0c0000\n000000", (1, 4)) == "000000\n000ba0\n0000c0"


def test_whose_place_is_not_there_takes_the_nearest_free_one():
    # Of equally near ones it is nearest to the target, then to its level, then the first.
    assert sent("ba0000\n0c0000\n######", (1, 4)) == "0000c0\n000ba0\n######"
    assert sent("ba0010\n0c0000\n######", (1, 4)) == "000010\n000bac\n######"


def test_where_others_stand_is_not_free():
    assert sent("ba0000\n0c0000\n000000", (1, 4), blocked=[(1, 3)]) == "000b00\n0000a0\n0000c0"


def test_nobody_is_sent_where_it_cannot_get():
    assert sent("ab090\n00090", (0, 4)) == "0ba90\n00090"
    assert sent("a#b00", (0, 3)) == "a#00b"


def test_they_can_be_gathered_instead():
    assert sent("a0b0c00\n0000000\n0000000", (1, 3), keep_shape=False) == (
        "000b000\n00ca000\n0000000"
    )


def test_places_on_a_bridge_are_those_on_its_level():
    tilemap = spanned("30003\n30003\n30003", ([(1, 1), (1, 2), (1, 3)], 3))
    starts, target = [(1, 0), (0, 0)], (1, 2, 1)
    assert formation(Navigation(tilemap), starts, target) == [target, (0, 2, 0)]
    careful = MoveProfile(max_drop=2)
    assert formation(Navigation(tilemap), starts, target, careful) == [target, (1, 1, 1)]


def test_who_can_get_nowhere_else_keeps_its_cell_though_others_could_come_there():
    pit = TileMap.from_text("0333")
    assert formation(Navigation(pit), [(0, 1), (0, 0)], (0, 0)) == [(0, 1, 0), (0, 0, 0)]


@pytest.mark.parametrize("target", [(4, 4), (5, 4)])
def test_on_hexagons_the_shape_is_that_of_their_steps(target):
    topology = "hex_odd_r"
    tilemap = TileMap.from_text("\n".join(["0" * 8] * 8), topology=topology)
    starts = [(1, 1), (1, 2), (2, 1), (0, 2)]
    goals = formation(Navigation(tilemap), starts, target)
    shifts = {
        (end[0] - begin[0], end[1] - begin[1])
        for begin, end in (
            (axial(topology, start), axial(topology, goal[:2]))
            for start, goal in zip(starts, goals, strict=True)
        )
    }
    assert len(shifts) == 1
    assert target in {goal[:2] for goal in goals}


def test_bad_questions_are_refused():
    navigation = Navigation(TileMap.from_text("000"))
    with pytest.raises(ValueError, match="got 1 starts and 2 profiles"):
        formation(navigation, [(0, 0)], (0, 1), [MoveProfile()] * 2)
    with pytest.raises(IndexError, match="outside"):
        formation(navigation, [(0, 0)], (0, 9))
    with pytest.raises(ValueError, match="cover 1 tile, got one of size 2"):
        formation(navigation, [(0, 0)], (0, 1), MoveProfile(size=2))
    with pytest.raises(TypeError, match="a profile must be a MoveProfile, got None"):
        formation(navigation, [(0, 0)], (0, 1), None)
    assert formation(navigation, [], (0, 1)) == []


@given(st.data())
def test_everybody_gets_a_place_of_its_own_where_it_can_get_and_stop(data):
    tilemap = data.draw(tilemaps(max_side=4))
    cells = cells_to_ask(tilemap)
    starts = data.draw(st.permutations(cells))[:5]
    mover = data.draw(profiles(tilemap.topology).filter(lambda each: each.size == 1))
    others = data.draw(st.sets(st.sampled_from(cells), max_size=3)) - {*starts}
    navigation = Navigation(tilemap)
    goals = formation(
        navigation,
        starts,
        data.draw(st.sampled_from(cells)),
        mover,
        keep_shape=data.draw(st.booleans()),
        blocked=others,
    )
    assert len(set(goals)) == len(starts)
    for start, goal in zip(starts, goals, strict=True):
        assert start == goal or navigation.find_path(start, goal, mover, blocked=others)
