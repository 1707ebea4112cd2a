"""What weapons hit: by pictures, and compared with a plain rule and dense sampling."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation, Weapon
from ai.board.attack import AttackRange
from ai.testing.strategies import decks
from terrain3d import Cell, TileMap
from tests.support.mover_pictures import spanned
from tests.support.plain_map import all_surfaces
from tests.support.reference import cells_of, ground, thoroughly, tilemaps
from tests.support.sight_reference import sees

BOW = {"min_tiles": 2, "max_tiles": 3, "tiles_per_level_down": 0.5, "tiles_per_level_up": 1}


def hit_from(tilemap, start, **weapon):
    """Draw what a weapon hits from a cell: its level, or a dot."""
    (hits,) = AttackRange(tilemap, Weapon(**weapon)).hits([tilemap.cell(start)])
    cells = {(row, col) for row, col, _ in hits.tolist()}
    return "\n".join(
        "".join(
            str(tilemap.level[row, col]) if (row, col) in cells else "."
            for col in range(tilemap.cols)
        )
        for row in range(tilemap.rows)
    )


@pytest.mark.parametrize(
    ("levels", "start", "weapon", "hit"),
    [
        ("00000", (0, 2), {}, ".0.0."),
        ("00000", (0, 0), {"min_tiles": 2, "max_tiles": 3}, "..00."),
        ("0#000", (0, 0), {"max_tiles": 2}, "..0.."),
        ("30345", (0, 2), {"max_up": 2, "max_down": 3}, ".0.4."),
        ("03600", (0, 1), {"max_up": 2, "max_down": 3}, "0...."),
        ("400000000", (0, 0), BOW, "..0000..."),  # two tiles farther from 4 levels up
        ("300000000", (0, 0), BOW, "..000...."),  # 3 levels are one tile and a half
        ("000111", (0, 0), BOW, "..0..."),  # a tile less for each level up
        ("004000", (0, 0), {"max_tiles": 4}, ".04..."),
        ("004000", (0, 0), {"max_tiles": 4, "arc": 6}, ".0400."),
        ("004000", (0, 0), {"max_tiles": 4, "arc": 4}, ".04.0."),  # 4.75 levels up at its edge
        ("004000", (0, 0), {"max_tiles": 4, "arc": 3}, ".04..."),  # only 3.8125 there
        ("009000", (0, 0), {"max_tiles": 4, "arc": math.inf}, ".0900."),
    ],
)
def test_along_a_row(levels, start, weapon, hit):
    assert hit_from(TileMap.from_text(levels), start, **weapon) == hit


def test_tiles_are_counted_as_steps_on_each_topology():
    assert hit_from(ground("000\n000\n000"), (1, 1)) == ".0.\n0.0\n.0."
    hexes = TileMap([[0] * 3] * 3, topology="hex_odd_r")
    assert hit_from(hexes, (1, 1)) == ".00\n0.0\n.00"


def test_a_lobbed_shot_goes_over_a_bridge_and_a_flat_one_under_it():
    tilemap = spanned("00000", ([(0, 2)], 3))
    flat, lobbed = (
        AttackRange(tilemap, Weapon(min_tiles=4, max_tiles=4, arc=arc)).hits([Cell(0, 0)])[0]
        for arc in (0, 2)
    )
    assert flat.tolist() == [[0, 4, 0]]
    assert lobbed.tolist() == []  # two levels above the eye is inside of the slab
    (high,) = AttackRange(tilemap, Weapon(min_tiles=4, max_tiles=4, arc=3)).hits([Cell(0, 0)])
    assert high.tolist() == [[0, 4, 0]]


def test_only_the_top_of_a_lobbed_shot_meets_a_slab_above():
    tilemap = spanned("000", ([(0, 1)], 5))  # its underside is at level 4
    for arc, hit in [(3, [[0, 2, 0]]), (4, [])]:  # 4 and 5 levels up at the apex, 4 at the edges
        attack = AttackRange(tilemap, Weapon(min_tiles=2, max_tiles=2, arc=arc))
        assert attack.hits([Cell(0, 0)])[0].tolist() == hit


weapons = st.builds(
    lambda low, more, arc, **limits: Weapon(low, low + more, arc=arc, **limits),
    st.integers(1, 2),
    st.integers(0, 3),
    st.sampled_from([0, 0, 1, 2, 5, math.inf]),
    max_up=st.sampled_from([math.inf, 0, 2]),
    max_down=st.sampled_from([math.inf, 1, 3]),
    tiles_per_level_down=st.sampled_from([0, 0.5, 1]),
    tiles_per_level_up=st.sampled_from([0, 0.5, 1]),
)


@st.composite
def maps(draw):
    tilemap = draw(tilemaps(max_side=5))
    if draw(st.booleans()):
        with tilemap.edit() as edit:
            for column, height, _, thickness in draw(decks(tilemap)):
                edit.add_deck(column, height, "road", thickness)
    return tilemap


def surfaces(tilemap):
    return list(map(tilemap.cell, all_surfaces(tilemap)))


def is_hit(tilemap, start, end, weapon):
    """Return what the definition says, one pair at a time."""
    steps = tilemap.grid.distance(start[:2], end[:2])
    rise = tilemap.level_at(end) - tilemap.level_at(start)
    change = -weapon.tiles_per_level_up * rise if rise > 0 else -weapon.tiles_per_level_down * rise
    if not weapon.min_tiles <= steps <= weapon.max_tiles + change:
        return False
    if not -weapon.max_down <= rise <= weapon.max_up:
        return False
    return weapon.arc == math.inf or sees(tilemap, start, end, 1, 1, weapon.arc)


@thoroughly(60)
@given(maps(), weapons, st.data())
def test_what_is_hit_is_what_the_definition_says(tilemap, weapon, data):
    starts = surfaces(tilemap)
    if not starts:
        return
    if tilemap.topology != "square" and 0 < weapon.arc < math.inf:
        weapon = replace(weapon, arc=0)  # samples miss the lowest points over hexagons
    start = data.draw(st.sampled_from(starts))
    attack = AttackRange(tilemap, weapon)
    attack.hits(starts[:3])  # some are known already
    hits = {Cell(*end) for end in attack.hits([start, *starts])[0].tolist()}
    for end in data.draw(st.lists(st.sampled_from(starts), min_size=1, max_size=5)):
        assert (end in hits) == is_hit(tilemap, start, end, weapon)


@thoroughly(40)
@given(maps(), st.integers(1, 4), st.sampled_from([0, 2, math.inf]))
def test_without_terms_of_height_two_surfaces_hit_each_other_or_neither(tilemap, far, arc):
    starts = surfaces(tilemap)
    attack = AttackRange(tilemap, Weapon(max_tiles=far, arc=arc))
    pairs = {
        (start, Cell(*end))
        for start, hits in zip(starts, attack.hits(starts), strict=True)
        for end in hits.tolist()
    }
    assert pairs == {(end, start) for start, end in pairs}


@thoroughly(30)
@given(tilemaps(max_side=6), weapons, st.data())
def test_answers_follow_edits(tilemap, weapon, data):
    starts = surfaces(tilemap)
    attack = AttackRange(tilemap, weapon)
    for _ in range(3):
        attack.hits(starts)
        cell, level = data.draw(st.sampled_from(cells_of(tilemap))), data.draw(st.integers(0, 9))
        with tilemap.edit() as edit:
            edit.set_level(cell[:2], level)
        fresh = AttackRange(tilemap, weapon).hits(starts)
        assert [hits.tolist() for hits in attack.hits(starts)] == [hits.tolist() for hits in fresh]


def test_only_starts_in_range_of_an_edit_are_asked_again():
    tilemap = ground("\n".join(["0" * 20] * 2))
    attack = AttackRange(tilemap, Weapon(max_tiles=3))
    near, far = attack.hits([Cell(0, 3), Cell(0, 15)])
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "road")
    assert attack.hits([Cell(0, 15)])[0] is far
    assert attack.hits([Cell(0, 3)])[0] is not near


@pytest.mark.parametrize(
    ("values", "error", "why"),
    [
        ({"max_tiles": 0}, ValueError, "max_tiles must be in 1..64, got 0"),
        ({"min_tiles": 3, "max_tiles": 2}, ValueError, "min_tiles must be in 1..2, got 3"),
        ({"max_up": -1}, ValueError, "max_up must be .*, got -1"),
        ({"tiles_per_level_down": math.inf}, ValueError, "tiles_per_level_down must be .* inf"),
        ({"arc": 0.5}, TypeError, "arc must be .* 0.5"),
        ({"arc": -1}, ValueError, "arc must be .* -1"),
    ],
)
def test_bad_weapons_are_refused(values, error, why):
    with pytest.raises(error, match=why):
        Weapon(**values)


def test_a_line_of_sight_is_exact_for_any_height_of_the_eye():
    navigation = Navigation(ground("0010"))
    heights = [0.1, 0.3, math.nextafter(1, 0), 1]
    seen = [navigation.line_of_sight((0, 0), (0, 3), eye=eye, target=eye) for eye in heights]
    assert seen == [False, False, False, True]
