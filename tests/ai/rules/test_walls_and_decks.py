"""Walls part exactly the two surfaces that they name, and a body has to fit below decks."""

from hypothesis import given

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.support.mover_pictures import spanned
from tests.support.plain_map import all_surfaces
from tests.support.reference import thoroughly
from tests.support.strategies import tilemaps

ACROBAT = MoveProfile(max_climb=9, max_drop=9)
GROUND_TO_DECK = (0, 0), (0, 1, 1)


def walled(tilemap, *walls):
    with tilemap.edit() as edit:
        for wall in walls:
            edit.add_wall(*wall)
    return tilemap


def is_legal(tilemap, start, end, profile=ACROBAT):
    return Navigation(tilemap).explain_step(start, end, profile).legal


def test_lines_of_sight_pass_walls():
    tilemap = walled(spanned("101", ([(0, 2)], 3)), ((0, 0), (0, 1)), ((0, 1), (0, 2, 1)))
    assert Navigation(tilemap).line_of_sight((0, 0), (0, 2, 1))


def test_a_file_keeps_which_surfaces_a_wall_parts(tmp_path):
    tilemap = walled(spanned("000", ([(0, 1)], 2)), GROUND_TO_DECK, ((0, 2), (0, 1, 1), True))
    tilemap.save(tmp_path / "walls.tmap")
    tilemap.save(tmp_path / "walls.tmj")
    for name in ("walls.tmap", "walls.tmj"):
        again = TileMap.load(tmp_path / name)
        assert again.walls == tilemap.walls
        assert is_legal(again, (0, 0), (0, 1))
        assert is_legal(again, (0, 1), (0, 0))
        assert is_legal(again, (0, 1, 1), (0, 2))
        assert not is_legal(again, (0, 2), (0, 1, 1))


@thoroughly(60)
@given(tilemaps())
def test_walls_take_away_the_steps_between_the_surfaces_they_part_and_no_others(tilemap):
    walls, surfaces = tilemap.walls, all_surfaces(tilemap)
    with tilemap.edit() as edit:
        for link in tilemap.links:
            edit.remove_link(link.start, link.end)
    steps = all_steps(tilemap, surfaces)
    parted = {(wall.start, wall.end) for wall in walls}
    parted |= {(wall.end, wall.start) for wall in walls if not wall.one_way}
    with tilemap.edit() as edit:
        for wall in walls:
            edit.remove_wall(wall.start, wall.end)
    assert steps == all_steps(tilemap, surfaces) - parted


def all_steps(tilemap, surfaces):
    navigation = Navigation(tilemap)
    return {(start, end) for start in surfaces for end in navigation.steps_from(start, ACROBAT)}


TALL = {"body_height": 3}
LOW = "no headroom: {room} < 3 at {cell}"


def bridged():
    """Return ground at level 0 with a deck, 1 thick, whose underside is at level 1 over (0, 1)."""
    return spanned("000\n000", ([(0, 1)], 2))


def test_the_reason_names_the_surface_with_the_lower_ceiling():
    tilemap, profile = bridged(), MoveProfile(**TALL)
    answer = Navigation(tilemap).explain_step((0, 1), (0, 2), profile)
    assert answer.reason == LOW.format(room=1, cell="(0, 1)")
