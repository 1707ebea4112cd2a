"""Movers that cover several tiles, as pictures."""

import pytest

from ai import Board, MoveProfile, Navigation, Unit
from terrain3d import TileKind, TileMap
from tests.support.mover_pictures import WALKER, land, path_of, reached

GATE = """\
00900
00000
00900"""


def test_who_is_two_tiles_wide_needs_a_gate_as_wide():
    assert path_of(land(GATE), WALKER, (1, 0), (1, 3))[1] == 3
    big = MoveProfile(size=2)
    assert isinstance(path_of(land(GATE), big, (1, 0), (1, 3)), str)
    wider = "\n".join([*GATE.split("\n")[:2], "00000"])
    assert path_of(land(wider), big, (1, 0), (1, 3)) == (".....\n0123.\n.....", 3)


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_who_is_big_needs_square_tiles(topology):
    navigation = Navigation(TileMap.from_text("000\n000", topology=topology))
    with pytest.raises(ValueError, match=f"size 2 needs square tiles, this map is '{topology}'"):
        navigation.find_path((0, 0), (1, 2), MoveProfile(size=2))
    assert navigation.find_path((0, 0), (1, 2), MoveProfile(size=1))


def test_who_is_big_stands_only_where_the_ground_is_level_enough():
    step = land("0011\n0011")
    assert reached(step, MoveProfile(size=2)) == "0...\n...."
    assert reached(step, MoveProfile(size=2, size_tolerance=1)) == "023.\n...."  # up, then along


def test_who_is_big_pays_for_the_dearest_tile_and_enters_with_all():
    assert reached(land("0000\n0000", "gggg\nggsg"), MoveProfile(size=2)) == "036.\n...."
    assert reached(land("0000\n0000", "gggg\nggdg"), MoveProfile(size=2)) == "0...\n...."


def test_who_is_big_stops_only_where_every_tile_allows_it():
    table = (TileKind("grass"), TileKind("bog", 2, can_stop=False), TileKind("swamp", 3))
    signs = {"g": "grass", "b": "bog", "s": "swamp"}
    wet = land("0000\n0000", "gggg\nggsb", table, signs)
    assert reached(wet, MoveProfile(size=2)) == "03..\n...."


def test_a_wall_before_any_of_its_tiles_stops_who_is_big():
    fenced = land("000\n000")
    with fenced.edit() as edit:
        edit.add_wall((1, 1), (1, 2))
    assert reached(fenced, MoveProfile(size=2)) == "0..\n..."
    assert reached(fenced, WALKER) == "012\n123"


def test_who_is_big_is_blocked_by_any_tile_and_never_by_itself():
    big = MoveProfile(size=2)
    assert reached(land("0000\n0000"), big, blocked={(1, 2, 0)}) == "0...\n...."
    court = land("000\n000\n000")
    assert reached(court, big, (1, 1), blocked={(1, 1, 0)}) == "21.\n10.\n..."


def test_who_is_big_may_leave_where_it_would_not_fit():
    assert reached(land("100\n000"), MoveProfile(size=2)) == "01.\n..."


def test_who_is_big_never_flies_off_the_map():
    big = MoveProfile(size=2, can_fly=True)
    assert reached(land("00000\n00000"), big, blocked={(0, 2, 0)}) == "0....\n....."
    assert reached(land("0000\n0#00"), big, (0, 2)) == "..0.\n...."


@pytest.mark.parametrize("end", [(1, 2), (0, 3), (1, 0)])
def test_who_is_big_never_leaves_the_map_through_a_link(end):
    tilemap = land("0000\n0000")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), end, 1)
    navigation = Navigation(tilemap)
    for profile in (MoveProfile(size=2, can_fly=True), MoveProfile(size=2)):
        path = navigation.find_path((0, 0), (0, 2), profile)
        assert (path.cells, path.cost) == ([(0, 0, 0), (0, 1, 0), (0, 2, 0)], 2)
        assert list(navigation.steps_from((0, 0), profile)) == [(0, 1, 0)]
        answer = navigation.explain_step((0, 0), end, profile)
        assert answer.reason == f"2 x 2 tiles do not fit at {(*end, 0)[:2]}"
        assert navigation.steps_from(end, profile) == {}
        assert navigation.explain_step(end, (0, 0), profile).reason == answer.reason


def test_a_big_flyer_takes_a_link_with_a_part_of_it_over_void():
    tilemap = land("0#00\n0000")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 2), 1)
    profile = MoveProfile(size=2, can_fly=True)
    navigation = Navigation(tilemap)
    assert navigation.steps_from((0, 0), profile) == {(0, 1, 0): 1, (0, 2, 0): 1}
    assert navigation.find_path((0, 2), (0, 0), profile).reason == "(0, 1) is void"
    assert navigation.explain_step((0, 2), (0, 0), profile).legal


def test_the_zone_of_who_is_big_is_on_the_map():
    tilemap = land("00000\n00000\n00000")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (2, 4), 1)
    board = Board(tilemap)
    dragon = MoveProfile(size=2, can_fly=True)
    board.add(Unit("Dragon", (0, 0), team="red", profile=dragon, has_zoc=True))
    hero = board.add(Unit("Hero", (2, 4), team="blue"))
    halting = {tuple(cell) for cell in board.situation(hero).halting}
    east, south = {(0, 1), (0, 2), (1, 1), (1, 2)}, {(1, 0), (1, 1), (2, 0), (2, 1)}
    assert halting == {(*tile, 0) for tile in east | south}
    assert board.reach(hero)


@pytest.mark.parametrize(
    ("wall", "start", "end", "reason"),
    [
        (((2, 1), (3, 1)), (2, 1), (1, 1), "a wall stands between (3, 1) and (2, 1)"),
        (((2, 2), (3, 2)), (2, 1), (1, 1), "a wall stands between (3, 2) and (2, 2)"),
        (((2, 2), (1, 2)), (2, 1), (1, 1), "a wall stands between (2, 2) and (1, 2)"),
        (((2, 2), (2, 3)), (2, 1), (2, 2), "a wall stands between (2, 2) and (2, 3)"),
        (((1, 1), (1, 2)), (2, 1), (1, 1), ""),
        (((2, 1), (3, 1), True), (2, 1), (1, 1), ""),
    ],
)
def test_the_wall_that_a_tile_of_who_is_big_would_cross_is_named(wall, start, end, reason):
    tilemap = land("00000\n00000\n00000\n00000\n00000")
    with tilemap.edit() as edit:
        edit.add_wall(*wall)
    answer = Navigation(tilemap).explain_step(start, end, MoveProfile(size=2))
    assert (answer.legal, answer.reason) == (not reason, reason)


@pytest.mark.parametrize(
    ("levels", "kinds", "goal", "reason"),
    [
        ("000\n000", "ggg\nggb", (0, 1), "cannot stop on bog at (1, 2)"),
        (
            "000\n000",
            "gsg\nggb",
            (0, 1),
            "cannot stop on bog at (1, 2)",
        ),  # not the swamp
        ("000\n000", "ggb\nggg", (0, 1), "cannot stop on bog at (0, 2)"),
        ("000\n000", "ggg\nggd", (0, 1), "deep at (1, 2) cannot be entered"),
        ("000\n00#", "ggg\ngg#", (0, 1), "(1, 2) is void"),
        ("000\n001", "ggg\nggg", (0, 1), "2 x 2 tiles do not fit at (0, 1)"),
        ("000\n000", "ggg\nggg", (0, 2), "2 x 2 tiles do not fit at (0, 2)"),
        ("00\n0#", "gg\ng#", (0, 0), "the start: (1, 1) is void"),
        ("#0\n00", "#g\ngg", (0, 0), "the start (0, 0) is void"),
    ],
)
def test_what_forbids_is_named_with_the_tile_that_it_lies_under(levels, kinds, goal, reason):
    signs = {"g": "grass", "b": "bog", "s": "swamp", "d": "deep", "#": "void"}
    bog = TileKind("bog", 2, can_stop=False)
    table = (TileKind("grass"), bog, TileKind("swamp", 3), TileKind("deep", None))
    ground = land(levels, kinds, table, signs)
    assert path_of(ground, MoveProfile(size=2), (0, 0), goal) == reason


def test_how_far_a_step_to_a_deck_rises_is_told_by_the_map_as_it_is():
    tilemap = TileMap.from_text("000\n000\n000")
    with tilemap.edit() as edit:
        edit.add_deck((1, 1), level=3)
        edit.add_deck((0, 0), level=3)
    navigation, giant = Navigation(tilemap), MoveProfile(size=2)
    assert navigation.explain_step((0, 0), (1, 1, 1), giant).rise == 3
    with tilemap.edit() as edit:
        edit.remove_deck((1, 1))
        edit.add_deck((1, 1), level=5)
    assert navigation.explain_step((0, 0), (1, 1, 1), giant).rise == 5


@pytest.mark.parametrize(
    ("levels", "tolerance", "says"),
    [
        ("01\n01", 0, "2 x 2 tiles do not fit at"),
        ("01\n01", 1, "no headroom: 1 < 9 at"),
        ("01\n01", 2, "no headroom: 1 < 9 at"),
        ("02\n00", 1, "2 x 2 tiles do not fit at"),
    ],
)
def test_ground_is_too_uneven_only_beyond_the_tolerance(levels, tolerance, says):
    tilemap = TileMap.from_text(levels)
    with tilemap.edit() as edit:
        edit.add_deck((1, 1), level=tilemap.level_at((1, 1)) + 2)
    profile = MoveProfile(size=2, size_tolerance=tolerance, body_height=9)
    assert Navigation(tilemap).explain_stop((0, 0), profile).startswith(says)
