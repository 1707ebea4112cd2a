"""Movers that cover several tiles, as pictures."""

import pytest

from ai import MoveProfile, Navigation
from terrain3d import TileKind, TileMap
from tests.support.mover_pictures import land, path_of


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"])
def test_who_is_big_needs_square_tiles(topology):
    navigation = Navigation(TileMap.from_text("000\n000", topology=topology))
    with pytest.raises(ValueError, match=f"size 2 needs square tiles, this map is '{topology}'"):
        navigation.find_path((0, 0), (1, 2), MoveProfile(size=2))
    assert navigation.find_path((0, 0), (1, 2), MoveProfile(size=1))


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
