"""Pictures of paths, reaches, cost fields, plans of squads and searches."""

import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from ai import MoveProfile, Navigation, Path, SquadPlanner
from terrain3d import TileMap

RULES = MoveProfile(max_climb=2, max_drop=3)


@pytest.fixture
def navigation():
    """Return the navigation of a small map with a bridge."""
    tilemap = TileMap.from_noise(9, 11, 4)
    with tilemap.edit() as edit:
        edit.add_deck((4, 4), level=8)
    return Navigation(tilemap)


def test_every_way_to_a_path_gives_a_picture_with_its_cells(navigation):
    field = navigation.cost_field([(8, 10)], RULES)
    search = navigation.begin_search((0, 0), (8, 10), RULES)
    search.run()
    nearest = navigation.find_path((0, 0), [(8, 10), (8, 9)], RULES)
    paths = [
        navigation.find_path((0, 0), (8, 10), RULES),
        navigation.find_path((0, 0), (8, 10), RULES).head(3),
        navigation.find_paths([(0, 0)], [(8, 10)], RULES)[0],
        navigation.reach((0, 0), 99, RULES).path_to((8, 10)),
        field.path_from((0, 0)),
        search.path,
        nearest,
    ]
    for path in paths:
        picture = path.picture()
        assert picture.lines[0].cells == tuple(path.cells)
        ET.fromstring(path.to_svg())
        assert path._repr_html_() == path.to_svg()


def test_without_a_path_or_after_pickling_the_text_is_shown(navigation):
    none = Path.none("a < b")
    assert none._repr_html_() == "<pre>&lt;no Path: a &lt; b&gt;</pre>"
    path = pickle.loads(pickle.dumps(navigation.find_path((0, 0), (8, 10), RULES)))
    assert "Path of" in path._repr_html_()
    for nothing in (none, path):
        with pytest.raises(ValueError, match="there is nothing to draw: <"):
            nothing.to_svg()


def test_a_reach_shows_the_cost_of_each_cell(navigation):
    reach = navigation.reach((3, 3), 4, RULES)
    values = reach.picture().values
    assert {tuple(at) for at in np.argwhere(np.isfinite(values)).tolist()} == {
        (cell.row, cell.col) for cell in reach
    }
    assert values[3, 3] == 0
    assert reach.picture().lines[0].cells == ((3, 3, 0),)


def test_a_cost_field_shows_the_cost_from_each_cell(navigation):
    field = navigation.cost_field([(8, 10)], RULES)
    values = field.picture().values
    assert values.shape == (9, 11)
    assert values[0, 0] == field.cost_from((0, 0))


def test_a_plan_shows_the_path_of_each_unit(navigation):
    plan = SquadPlanner(navigation).plan([(0, 0), (0, 2)], [(0, 2), (0, 0)], RULES)
    assert tuple(line.cells for line in plan.picture().lines) == plan.paths
    ET.fromstring(plan.to_svg())
    assert pickle.loads(pickle.dumps(plan)).picture() is None


def test_a_search_shows_when_each_tile_was_closed(navigation):
    search = navigation.begin_search((0, 0), (8, 10), RULES, algorithm="dijkstra")
    search.run()
    picture = search.picture()
    found = picture.values[np.isfinite(picture.values)]
    assert len(found) <= search.expansions
    assert picture.values[0, 0] == 1
    assert picture.lines[0].cells == tuple(search.path)
