"""What weapons hit, targets and threat: by pictures, by a plain rule, and by each reach."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Board, MoveProfile, Navigation, Unit, Weapon
from ai.board.attack import AttackRange
from terrain3d import Cell, TileMap
from tests.support.boards import posted, random_boards, twin_of
from tests.support.plain_map import all_surfaces
from tests.support.reference import ground, profiles, thoroughly, tilemaps
from tests.support.sight_reference import sees
from tests.support.strategies import decks

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
    hits = {Cell(*end) for end in attack.hits([start, *starts])[start].tolist()}
    for end in starts:
        assert (end in hits) == is_hit(tilemap, start, end, weapon)


def test_a_line_of_sight_is_exact_for_any_height_of_the_eye():
    navigation = Navigation(ground("0010"))
    heights = [0.1, 0.3, math.nextafter(1, 0), 1]
    seen = [navigation.line_of_sight((0, 0), (0, 3), eye=eye, target=eye) for eye in heights]
    assert seen == [False, False, False, True]


MOVERS = (
    MoveProfile(size=2, max_climb=5, max_drop=5),
    MoveProfile(can_fly=True),
    MoveProfile(warp=2),
)


def covered(reach, size):
    """(rows, cols) what a mover of size x size tiles could cover."""
    mask = np.zeros_like(reach.as_mask())
    for row, col, _ in reach.cells:
        mask[row : row + size, col : col + size] = True
    return mask


# Without turns, so that `reach` is that with all points; several units share a profile.
boards = random_boards(st.sampled_from(MOVERS) | profiles)


@thoroughly(150)
@given(boards, st.sampled_from(["blue", "red", "nobody"]))
def test_a_tile_counts_every_enemy_that_reaches_it(board, team):
    threat = board.threat(team)
    enemies = [unit for unit in board.units if unit.team != team]
    masks = {unit: covered(board.reach(unit), unit.profile.size) for unit in enemies}
    shape = board.tilemap.level.shape
    assert threat.count.tolist() == sum(masks.values(), np.zeros(shape, int)).tolist()
    for cell in np.ndindex(shape):
        assert threat.by(cell) == tuple(unit for unit in enemies if masks[unit][cell])


def test_threat_is_that_of_all_points_whoever_acts():
    picture = "a...\n...B"
    free, _ = posted(picture, all={"move": 2})
    board = Board(free.tilemap, turns="sides")
    for unit in free.units:
        board.add(twin_of(unit))
    assert board.threat("blue").count.tolist() == free.threat("blue").count.tolist()
    board.end_turn()
    board.move(board.units[1], (1, 2))
    free.move(free.units[1], (1, 2))
    assert board.units[1].points == 1
    assert board.threat("blue").count.tolist() == free.threat("blue").count.tolist()


def test_a_unit_without_ground_threatens_nothing():
    board, _ = posted("a.B")
    with board.tilemap.edit() as edit:
        edit.add_deck([(0, 1)], level=4, kind="road")
    flyer = board.add(Unit("Ilka", (0, 1, 1), "red"))
    assert flyer in board.threat("blue").by((0, 1))
    with board.tilemap.edit() as edit:
        edit.remove_deck([(0, 1)], deck=1)
    assert flyer not in board.threat("blue").by((0, 1))


def test_the_count_is_read_only():
    board, _ = posted("a.B")
    with pytest.raises(ValueError, match="read-only"):
        board.threat("blue").count[0, 0] = 7


SWORD = Weapon(max_up=2, max_down=3)
HILL_BOW = Weapon(min_tiles=2, max_tiles=4, tiles_per_level_down=0.5, tiles_per_level_up=0.5)
arms = st.sampled_from([SWORD, HILL_BOW, Weapon(2, 3, arc=3), Weapon(1, 2, arc=math.inf)])


def test_a_bow_hits_farther_from_the_hill_and_a_sword_only_after_a_step():
    board, units = posted("a.....B..", "400000000", all={"move": 2})
    archer, enemy = units["a"], units["B"]
    from_hill = board.targets(archer, HILL_BOW)
    assert from_hill.units == (enemy,)
    assert (0, 6, 0) in from_hill.cells
    assert (0, 7, 0) not in from_hill.cells
    assert from_hill.from_cells == {enemy: ((0, 0, 0),)}  # the hill is too high to climb down
    assert board.targets(archer, SWORD).cells == ()
    assert repr(from_hill) == "<Targets: 1 now, 1 after a move>"


@pytest.mark.parametrize("gain", [0.5, 20])
def test_no_range_grows_beyond_the_longest_one(gain):
    board, units = posted("a" + "." * 79, "9" + "0" * 79)
    weapon = Weapon(max_tiles=60, tiles_per_level_down=gain)
    hit = board.targets(units["a"], weapon).cells
    assert max(col for _, col, _ in hit) == 64
    flat, on_flat = posted("a" + "." * 79, "0" * 79 + "9")
    assert max(col for _, col, _ in flat.targets(on_flat["a"], weapon).cells) == 60


def hits_from(board, unit, weapon, cell):
    """Return what a unit hits that stands on a cell, from each of its tiles."""
    size = unit.profile.size
    tiles = [
        board.tilemap.cell((cell.row + down, cell.col + right, cell.deck))
        for down in range(size)
        for right in range(size)
    ]
    hits = AttackRange(board.tilemap, weapon).hits(tiles).values()
    return {tuple(end) for found in hits for end in found.tolist()} - set(tiles)


@thoroughly(30)
@given(boards, arms)
def test_targets_are_those_of_each_cell_that_is_reached(board, weapon):
    for unit in board.units:
        targets = board.targets(unit, weapon)
        here = hits_from(board, unit, weapon, unit.cell)
        assert set(targets.cells) == here
        enemies = [other for other in board.units if other.team != unit.team]
        assert targets.units == tuple(other for other in enemies if here & set(other.cells))
        reach = board.reach(unit)
        stands = {cell: hits_from(board, unit, weapon, cell) for cell in [unit.cell, *reach]}
        expected = {
            other: {cell for cell, hits in stands.items() if hits & set(other.cells)}
            for other in enemies
        }
        found = {other: set(cells) for other, cells in targets.from_cells.items()}
        assert found == {other: cells for other, cells in expected.items() if cells}
        for cells in targets.from_cells.values():
            costs = [reach.cost_to(cell) for cell in cells if cell in reach]
            assert costs == sorted(costs)


@thoroughly(30)
@given(boards, arms, arms)
def test_threat_counts_what_enemies_could_reach_or_hit(board, weapon, other):
    armed = dict(zip(board.units[::2], [weapon, other] * 4, strict=False))
    threat = board.threat("blue", armed)
    enemies = [unit for unit in board.units if unit.team != "blue"]
    count = np.zeros(board.tilemap.level.shape, int)
    for unit in enemies:
        mask = covered(board.reach(unit), unit.profile.size)
        for cell in board.reach(unit).cells if unit in armed else ():
            for row, col, _ in hits_from(board, unit, armed[unit], cell):
                mask[row, col] = True
        count += mask
        for row, col in np.ndindex(mask.shape):
            assert (unit in threat.by((row, col))) == mask[row, col]
    assert threat.count.tolist() == count.tolist()
    assert {cell[:2] for cell in threat.cells} == set(zip(*count.nonzero(), strict=True))
    assert board.threat("blue", armed) is threat


def test_weapons_of_units_that_are_elsewhere_are_refused():
    board, _ = posted("a.B")
    _, others = posted("a.B")
    with pytest.raises(ValueError, match="a is not on this board"):
        board.threat("blue", {others["a"]: SWORD})


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_a_weapon_that_stops_at_walls_hits_what_it_comes_to_without_crossing_one(topology):
    tilemap = TileMap(np.zeros((5, 5), np.int16), topology=topology)
    with tilemap.edit() as edit:
        for row in range(4):
            edit.add_wall((row, 1), (row, 2))
            if topology != "square" and row % 2:
                edit.add_wall((row, 1), (row - 1, 2))
                edit.add_wall((row, 1), (row + 1, 2))
    board = Board(tilemap)
    mira = board.add(Unit("Mira", (1, 1)))
    for at in itertools.product(range(5), range(5)):
        hit = board.targets(mira, Weapon(stops_at_walls=True), at=at).cells
        assert set(hit) == set(board.navigation.steps_from(at))
    free, kept = (Weapon(1, 2, arc=math.inf, stops_at_walls=stops) for stops in (False, True))
    found = [
        {cell.col for cell in board.targets(mira, each, at=(0, 1)).cells} for each in (free, kept)
    ]
    assert found == [{0, 1, 2, 3}, {0, 1}]
