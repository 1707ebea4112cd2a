"""Areas of effect: by pictures, by a slow plain rule, and with targets and threat."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Area, Board, Unit, Weapon
from ai.board.attack import AttackRange
from terrain3d import Cell, TileMap
from tests.support.boards import posted, random_boards
from tests.support.plain_map import (
    all_surfaces,
    axial,
    columns,
    distance,
    exists,
    is_walled,
    level,
)
from tests.support.reference import cells_of, thoroughly
from tests.support.strategies import tilemaps as mixed_maps


def on_plane(tilemap, column):
    return column if tilemap.topology == "square" else axial(tilemap.topology, column)


def steps_of(tilemap, away):
    """Count the steps over an offset on the plane."""
    if tilemap.topology == "square":
        return abs(away[0]) + abs(away[1])
    return max(abs(away[0]), abs(away[1]), abs(away[0] + away[1]))


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
    offsets = {
        column: tuple(np.subtract(on_plane(tilemap, column), here).tolist())
        for column in columns(tilemap)
    }
    if area.shape == "diamond":
        return {c for c in offsets if distance(tilemap, c, aim[:2]) <= area.radius}
    if area.shape == "square":
        return {c for c, away in offsets.items() if max(map(abs, away)) <= area.radius}
    to_aim = offsets[aim[:2]]
    ahead = in_world(tilemap, to_aim)
    heading = math.atan2(ahead[1], ahead[0])
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
    point = ahead[0] * part, ahead[1] * part
    heading = math.atan2(ahead[1], ahead[0])
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
    """Return the surfaces that an area hits, by its definition."""
    origin, inside = aim if area.radius is not None else start, set()
    shape = plain_columns(tilemap, area, aim, start)
    if area.stops_at_walls:
        spread, frontier = {origin}, [origin]
        places = [
            (*column, deck)
            for column in shape
            for deck in range(len(tilemap.surface_level))
            if deck == 0 or exists(tilemap, (*column, deck))
        ]
        while frontier:
            here = frontier.pop()
            for there in places:
                is_beside = distance(tilemap, here[:2], there[:2]) == 1
                if there not in spread and is_beside and not is_walled(tilemap, here, there):
                    spread.add(there)
                    frontier.append(there)
        inside = spread
    height = level(tilemap, origin)
    return {
        cell
        for cell in all_surfaces(tilemap)
        if cell[:2] in shape
        and -area.down <= level(tilemap, cell) - height <= area.up
        and (not area.stops_at_walls or cell in inside)
    }


def test_a_wall_elsewhere_does_not_change_where_an_area_spreads():
    tilemap = TileMap.from_text("0000")
    with tilemap.edit() as edit:
        edit.add_deck((0, 0), level=1)
    area = Area("diamond", radius=0, stops_at_walls=True)
    before = area.cells(tilemap, (0, 0))
    with tilemap.edit() as edit:
        edit.add_wall((0, 2), (0, 3))
    assert area.cells(tilemap, (0, 0)) == before == ((0, 0, 0),)


LIMITS = st.sampled_from([0, 1, 2.5, math.inf])


@st.composite
def areas(draw, topology="square"):
    shapes = ["diamond", "line", "cone"] + ["square"] * (topology == "square")
    shape = draw(st.sampled_from(shapes))
    size = draw(st.integers(0, 3)) if shape in ("diamond", "square") else draw(st.integers(1, 5))
    name = "radius" if shape in ("diamond", "square") else "length"
    more = {"up": draw(LIMITS), "down": draw(LIMITS), "stops_at_walls": draw(st.booleans())}
    return Area(shape, **{name: size}, **more)


@thoroughly(300)
@given(st.data())
def test_an_area_is_what_its_definition_says(data):
    tilemap = data.draw(mixed_maps(max_side=6))
    area = data.draw(areas(tilemap.topology))
    every = [*all_surfaces(tilemap)] or [(0, 0, 0)]
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
    board = Board(tilemap)
    mira = board.add(Unit("Mira", (0, 0)))
    with pytest.raises(ValueError, match=f'square tiles, not {topology}: use "diamond"'):
        board.targets(mira, Weapon(area=Area("square", radius=1)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": "line", "radius": 1}, "a line has a length in steps, and no radius"),
        ({"shape": "square"}, "a square has a radius in steps, and no length"),
        ({"shape": "cone", "length": 0}, "length must be .*1"),
        ({"shape": "diamond", "radius": 65}, "radius must be .*64"),
        ({"shape": "diamond", "radius": 1, "up": -1}, "up"),
    ],
)
def test_what_is_no_area_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Area(**arguments)


def test_a_line_needs_a_direction():
    with pytest.raises(ValueError, match="a line has no direction at 0 tiles: min_tiles must be"):
        Weapon(0, 2, area=Area("line", length=2))
    with pytest.raises(ValueError, match="a line needs start"):
        Area("line", length=2).cells(TileMap.from_text("00"), (0, 1))
    with pytest.raises(ValueError, match=r"1\.\.64 steps"):
        Area("line", length=2).cells(TileMap.from_text("0" * 70), (0, 69), (0, 0))


# Targets and threat

FIREBALL = Weapon(1, 3, arc=math.inf, area=Area("diamond", radius=1, up=1, down=2))
NOVA = Weapon(0, 0, arc=math.inf, area=Area("diamond", radius=1))
BREATH = Weapon(1, 1, arc=math.inf, area=Area("cone", length=3))
HEAL = Weapon(0, 1, arc=math.inf)
arms = st.sampled_from([FIREBALL, NOVA, BREATH, HEAL, Weapon(1, 2)])


def plain_aims(board, unit, weapon, cell):
    """Return for each cell in range from another what an attack hits."""
    size, grid = unit.profile.size, board.tilemap
    body = [
        Cell(cell[0] + down, cell[1] + right, cell[2])
        for down in range(size)
        for right in range(size)
    ]
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


def is_for(who, unit, other):
    return {
        "all": True,
        "self": other is unit,
        "allies": other.team == unit.team,
        "enemies": other.team != unit.team,
    }[who]


@thoroughly(60)
@given(random_boards(max_side=5, most=5), arms, st.data())
def test_targets_from_any_cell_of_anyone(board, weapon, data):
    who = data.draw(st.sampled_from(["enemies", "allies", "all", "self"]))
    for unit in board.units:
        at = board.tilemap.cell(data.draw(st.sampled_from(cells_of(board.tilemap))))
        there, moved = (
            board.targets(unit, weapon, at=at, who=who),
            board.targets(unit, weapon, who=who),
        )
        others = [other for other in board.units if is_for(who, unit, other)]
        check(board, unit, weapon, others, there, [at])
        stands = list(dict.fromkeys([unit.cell, *board.reach(unit)]))
        check(board, unit, weapon, others, moved, stands)


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


@thoroughly(30)
@given(random_boards(max_side=5, most=5), arms, arms)
def test_threat_counts_areas(board, weapon, other):
    armed = dict(zip(board.units, [weapon, other] * 4, strict=False))
    threat = board.threat("blue", armed)
    for unit in board.units:
        if unit.team == "blue":
            continue
        mask = board.reach(unit).as_mask()
        for stand in board.reach(unit):
            for cells in plain_aims(board, unit, armed[unit], stand)[0].values():
                for row, col, _ in cells:
                    mask[row, col] = True
        found = [
            [unit in threat.by((row, col)) for col in range(mask.shape[1])]
            for row in range(mask.shape[0])
        ]
        assert found == mask.tolist()


def test_a_unit_aims_at_itself_with_no_distance():
    board, units = posted("ab.B")
    mira, bram, foe = units["a"], units["b"], units["B"]
    assert board.targets(mira, HEAL, who="allies").units == (mira, bram)
    assert board.targets(mira, HEAL, who="self").units == (mira,)
    assert board.targets(mira, HEAL, who="all").units == (mira, bram)
    assert board.targets(mira, Weapon(), who="self").units == ()
    burst = board.targets(mira, NOVA, at=(0, 2))
    assert burst.cells == ((0, 2, 0),)
    assert burst.aims[0, 2, 0].units == burst.units == (foe,)


def test_a_mask_of_decks_beside_the_flat_one():
    tilemap = TileMap.from_text("303")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=3, thickness=1)
    board = Board(tilemap)
    reach = board.reach(board.add(Unit("Mira", (0, 0), move=9)))
    assert reach.as_mask().tolist() == [[True, True, True]]
    assert reach.as_mask(decks=True).tolist() == [[[True, False, True]], [[False, True, False]]]
    flat = Board(TileMap.from_text("00"))
    assert flat.reach(flat.add(Unit("Mira", (0, 0)))).as_mask(decks=True).shape == (1, 1, 2)
