"""What weapons and areas hit, targets and threat: by their definitions, one tile at a time."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from ai import Area, Board, MoveProfile, Unit, Weapon
from ai.board.attack import AttackRange
from terrain3d import Cell, TileMap
from tests.support import plain_map, rulebook
from tests.support.boards import one_action, one_edit, posted, random_boards, twin_of
from tests.support.reference import cells_of, profiles, tried
from tests.support.sight_reference import sees
from tests.support.strategies import tilemaps as mixed_maps

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


def surfaces(tilemap):
    return list(map(tilemap.cell, plain_map.all_surfaces(tilemap)))


def is_hit(tilemap, start, end, weapon):
    steps = tilemap.grid.distance(start[:2], end[:2])
    rise = tilemap.level_at(end) - tilemap.level_at(start)
    change = -weapon.tiles_per_level_up * rise if rise > 0 else -weapon.tiles_per_level_down * rise
    if not weapon.min_tiles <= steps <= weapon.max_tiles + change:
        return False
    if not -weapon.max_down <= rise <= weapon.max_up:
        return False
    return weapon.arc == math.inf or sees(tilemap, start, end, 1, 1, weapon.arc)


@tried(60, mixed_maps(max_side=5), weapons, st.data())
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


# Areas


def on_plane(tilemap, column):
    return column if tilemap.topology == "square" else plain_map.axial(tilemap.topology, column)


def steps_of(tilemap, away):
    if tilemap.topology == "square":
        return sum(map(abs, away))
    return max(map(abs, (*away, sum(away))))


def in_world(tilemap, away):
    """Return an offset on the plane as (x, y), y up."""
    if tilemap.topology == "square":
        return away[1], -away[0]
    q, r = away
    if tilemap.topology.endswith("r"):
        return q + r / 2, -r * math.sqrt(3) / 2
    return q * math.sqrt(3) / 2, -(r + q / 2)


def plain_columns(tilemap, area, aim, start):
    """Return the columns of a shape, one at a time, by its definition."""
    origin = aim if area.radius is not None else start
    here = on_plane(tilemap, origin[:2])
    places = {column: on_plane(tilemap, column) for column in plain_map.columns(tilemap)}
    offsets = {column: (a - here[0], b - here[1]) for column, (a, b) in places.items()}
    if area.shape == "diamond":
        return {c for c in offsets if plain_map.distance(tilemap, c, aim[:2]) <= area.radius}
    if area.shape == "square":
        return {c for c, away in offsets.items() if max(map(abs, away)) <= area.radius}
    to_aim = offsets[aim[:2]]
    heading = off_heading(in_world(tilemap, to_aim), 0)
    if area.shape == "cone":
        most = math.radians(45 if tilemap.topology == "square" else 30) + 1e-9
        return {
            column
            for column, away in offsets.items()
            if 1 <= steps_of(tilemap, away) <= area.length
            and abs(off_heading(in_world(tilemap, away), heading)) <= most
        }
    line = [nearest(tilemap, to_aim, count) for count in range(1, area.length + 1)]
    return {column for column, away in offsets.items() if away in line}


def off_heading(offset, heading):
    """Return the angle between an offset and a heading, > 0 on the left."""
    return math.remainder(math.atan2(offset[1], offset[0]) - heading, math.tau)


def nearest(tilemap, to_aim, count):
    """Return the offset of so many steps that is nearest to the line, on the right of two."""
    ahead, part = in_world(tilemap, to_aim), count / steps_of(tilemap, to_aim)
    point, heading = (ahead[0] * part, ahead[1] * part), off_heading(ahead, 0)
    ring = [
        away
        for away in itertools.product(range(-count, count + 1), repeat=2)
        if steps_of(tilemap, away) == count
    ]

    def rank(away):
        place = in_world(tilemap, away)
        return round(math.dist(place, point), 9), off_heading(place, heading)

    return min(ring, key=rank)


def plain_area(tilemap, area, aim, start):
    origin = aim if area.radius is not None else start
    shape = plain_columns(tilemap, area, aim, start)
    places = [
        (*column, deck)
        for column in shape
        for deck in range(len(tilemap.surface_level))
        if deck == 0 or plain_map.exists(tilemap, (*column, deck))
    ]
    inside, frontier = {origin}, [origin]
    while frontier and area.stops_at_walls:
        here = frontier.pop()
        near = [cell for cell in places if plain_map.distance(tilemap, here[:2], cell[:2]) == 1]
        for there in near:
            if there not in inside and not plain_map.is_walled(tilemap, here, there):
                inside.add(there)
                frontier.append(there)
    height = plain_map.level(tilemap, origin)
    return {
        cell
        for cell in plain_map.all_surfaces(tilemap)
        if cell[:2] in shape
        and -area.down <= plain_map.level(tilemap, cell) - height <= area.up
        and (not area.stops_at_walls or cell in inside)
    }


LIMITS = st.sampled_from([0, 1, 2.5, math.inf])


@st.composite
def areas(draw, topology="square"):
    shapes = ["diamond", "line", "cone"] + ["square"] * (topology == "square")
    shape = draw(st.sampled_from(shapes))
    size = draw(st.integers(0, 3)) if shape in ("diamond", "square") else draw(st.integers(1, 5))
    name = "radius" if shape in ("diamond", "square") else "length"
    more = {"up": draw(LIMITS), "down": draw(LIMITS), "stops_at_walls": draw(st.booleans())}
    return Area(shape, **{name: size}, **more)


@tried(300, st.data())
def test_an_area_is_what_its_definition_says(data):
    tilemap = data.draw(mixed_maps(max_side=6))
    area = data.draw(areas(tilemap.topology))
    every = [*plain_map.all_surfaces(tilemap)] or [(0, 0, 0)]
    aim, start = (data.draw(st.sampled_from(every)) for _ in range(2))
    if area.length is not None and aim[:2] == start[:2]:
        with pytest.raises(ValueError, match=r"1\.\.64 steps from the aim"):
            area.cells(tilemap, aim, start)
        return
    found = area.cells(tilemap, aim, start)
    assert len(set(found)) == len(found)
    assert set(found) == plain_area(tilemap, area, aim, start)


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_q"])
def test_hexagons_have_no_squares(topology):
    tilemap = TileMap(np.zeros((4, 4), int), topology=topology)
    with pytest.raises(ValueError, match=f'square tiles, not {topology}: use "diamond"'):
        Area("square", radius=1).cells(tilemap, (0, 0), (1, 1))


def test_a_line_needs_a_direction():
    with pytest.raises(ValueError, match="a line has no direction at 0 tiles: min_tiles must be"):
        Weapon(0, 2, area=Area("line", length=2))
    with pytest.raises(ValueError, match="a line needs start"):
        Area("line", length=2).cells(TileMap.from_text("00"), (0, 1))
    with pytest.raises(ValueError, match=r"1\.\.64 steps"):
        Area("line", length=2).cells(TileMap.from_text("0" * 70), (0, 69), (0, 0))


# Targets and threat

MOVERS = (
    MoveProfile(size=2, max_climb=5, max_drop=5),
    MoveProfile(can_fly=True),
    MoveProfile(warp=2),
)
SIDES = ({}, {"allies": [("blue", "green")]}, {"neutral": ["green"]})
FIREBALL = Weapon(1, 3, arc=math.inf, area=Area("diamond", radius=1, up=1, down=2))
NOVA = Weapon(0, 0, arc=math.inf, area=Area("diamond", radius=1))
BREATH = Weapon(1, 1, arc=math.inf, area=Area("cone", length=3))
HEAL = Weapon(0, 1, arc=math.inf)
SWORD = Weapon(max_up=2, max_down=3)
HILL_BOW = Weapon(min_tiles=2, max_tiles=4, tiles_per_level_down=0.5, tiles_per_level_up=0.5)
arms = st.sampled_from([FIREBALL, NOVA, BREATH, HEAL, SWORD, HILL_BOW, Weapon(2, 3, arc=3)])


@st.composite
def boards(draw):
    """Draw a board without turns, so that reaches are those with all points."""
    drawn = draw(random_boards(st.sampled_from(MOVERS) | profiles, max_side=5, most=6))
    board = Board(drawn.tilemap, **draw(st.sampled_from(SIDES)))
    for unit in drawn.units:
        board.add(twin_of(unit))
    return board


def are_allies(board, team, other):
    return team == other or {team, other} in board.sides.allies


def are_enemies(board, team, other):
    return not are_allies(board, team, other) and not {team, other} & board.sides.neutral


def plain_aims(board, unit, weapon, cell):
    """Return for each cell in range from another what an attack hits."""
    grid = board.tilemap
    body = [Cell(*tile) for tile in rulebook.tiles(unit.profile, cell)]
    found = {}
    for tile in body:
        for hits in AttackRange(grid, weapon).hits([tile]).values():
            for aim in map(tuple, hits.tolist()):
                if (weapon.min_tiles and aim in body) or aim in found:
                    continue
                area = weapon.area
                found[aim] = {aim} if area is None else plain_area(grid, area, aim, tuple(tile))
                if area is not None and area.length is not None:
                    found[aim] -= set(body)
    return found, set(body)


def is_for(who, board, unit, other):
    if who in ("all", "self"):
        return who == "all" or other is unit
    return (are_allies if who == "allies" else are_enemies)(board, unit.team, other.team)


@tried(90, boards(), arms, st.data())
def test_targets_are_those_of_each_cell_that_a_unit_comes_to(board, weapon, data):
    who = data.draw(st.sampled_from(["enemies", "allies", "all", "self"]))
    tilemap = board.tilemap
    for unit in board.units:
        most = tilemap.rows - unit.profile.size, tilemap.cols - unit.profile.size
        places = [cell for cell in cells_of(tilemap) if cell[0] <= most[0] and cell[1] <= most[1]]
        at = tilemap.cell(data.draw(st.sampled_from(places)))
        others = [other for other in board.units if is_for(who, board, unit, other)]
        check(board, unit, weapon, others, board.targets(unit, weapon, at=at, who=who), [at])
        stands = list(dict.fromkeys([unit.cell, *board.reach(unit)]))
        check(board, unit, weapon, others, board.targets(unit, weapon, who=who), stands)


def check(board, unit, weapon, others, targets, stands):
    from_cells = {other: [] for other in others}
    for stand in stands:
        aims, body = plain_aims(board, unit, weapon, stand)
        tiles = {other: body if other is unit else set(other.cells) for other in others}
        for other in others:
            if any(tiles[other] & cells for cells in aims.values()):
                from_cells[other].append(stand)
        if stand == stands[0]:
            assert {aim: set(hit.cells) for aim, hit in targets.aims.items()} == aims
            assert targets.cells == tuple(targets.aims)
            for aim, hit in targets.aims.items():
                assert hit.units == tuple(u for u in others if tiles[u] & aims[aim])
    expected = {other: tuple(cells) for other, cells in from_cells.items() if cells}
    assert targets.from_cells == expected
    assert targets.units == tuple(u for u, cells in expected.items() if cells[0] == stands[0])


@tried(150, boards(), st.sampled_from(["blue", "red", "nobody"]), st.data())
def test_threat_counts_every_enemy_that_reaches_or_hits_a_tile(board, team, data):
    armed = {unit: data.draw(st.lists(arms, max_size=2)) for unit in board.units}
    given = {unit: each[0] if len(each) == 1 else each for unit, each in armed.items()}
    threat = board.threat(team, given)
    count = np.zeros(board.tilemap.level.shape, int)
    for unit in (each for each in board.units if are_enemies(board, team, each.team)):
        mask, size = np.zeros(count.shape, bool), unit.profile.size
        for stand in board.reach(unit):
            mask[stand.row : stand.row + size, stand.col : stand.col + size] = True
            for weapon in armed[unit]:
                aims, _ = plain_aims(board, unit, weapon, stand)
                for cell in itertools.chain(*aims.values()):
                    mask[cell[:2]] = True
        count += mask
        for cell in np.ndindex(mask.shape):
            assert (unit in threat.by(cell)) == mask[cell]
        assert {cell[:2] for cell in threat.cells_of(unit)} == set(
            zip(*mask.nonzero(), strict=True)
        )
    assert threat.count.tolist() == count.tolist()
    assert {cell[:2] for cell in threat.cells} == set(zip(*count.nonzero(), strict=True))
    assert board.threat(team, given) is threat


def test_threat_is_that_of_all_points_whoever_acts():
    board = Board(TileMap.from_text("0000\n0000"), turns="sides")
    board.add(Unit("Mira", (0, 0), "blue"))
    foe = board.add(Unit("Odo", (1, 3), "red", move=2))
    before = board.threat("blue").count.tolist()
    board.end_turn()
    one_action(board).spend(foe, 2)
    threat = board.threat("blue")
    assert threat.count.tolist() == before
    with pytest.raises(ValueError, match="read-only"):
        threat.count[0, 0] = 7


def test_a_unit_without_ground_threatens_nothing():
    board, _ = posted("a.B")
    one_edit(board.tilemap).add_deck([(0, 1)], level=4, kind="road")
    flyer = board.add(Unit("Ilka", (0, 1, 1), "red"))
    assert flyer in board.threat("blue").by((0, 1))
    one_edit(board.tilemap).remove_deck([(0, 1)], deck=1)
    assert flyer not in board.threat("blue").by((0, 1))


@pytest.mark.parametrize(("levels", "most"), [("9" + "0" * 79, 64), ("0" * 79 + "9", 60)])
def test_no_range_grows_beyond_the_longest_one(levels, most):
    board, units = posted("a" + "." * 79, levels)
    hit = board.targets(units["a"], Weapon(max_tiles=60, tiles_per_level_down=20)).cells
    assert max(col for _, col, _ in hit) == most


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
    for weapon, cols in ((free, {0, 1, 2, 3}), (kept, {0, 1})):
        assert {cell.col for cell in board.targets(mira, weapon, at=(0, 1)).cells} == cols
