"""Maps written for Tiled: all that the format holds comes back."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, TOPOLOGIES, TileKind, TileMap
from terrain3d.formats import MapFileWarning
from tests.support.map_states import maps, state_of
from tests.support.selection import table

SUFFIXES = (".tmx", ".tmj")


@pytest.fixture(params=SUFFIXES)
def path(request, tmp_path):
    return tmp_path / f"vale{request.param}"


def comparable(tilemap):
    """Return all that must come back, extras in any order."""
    *parts, _ = state_of(tilemap)
    return parts, json.dumps(tilemap.extras, sort_keys=True)


@pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning")
@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maps())
def test_a_written_map_comes_back(tmp_path_factory, suffix, tilemap):
    path = tmp_path_factory.mktemp("maps") / f"map{suffix}"
    tilemap.save(path)
    again = TileMap.load(path)
    assert comparable(again) == comparable(tilemap)
    before = path.read_bytes()
    again.save(path)
    assert path.read_bytes() == before


spots = st.fixed_dictionaries(
    {"cell": st.tuples(st.integers(0, 2), st.integers(0, 3)).map(list)},
    optional={
        "name": st.text(max_size=3),
        "class": st.text(max_size=3),
        "level": st.integers(),
        "team": st.none() | st.integers() | st.floats(-1e9, 1e9) | st.lists(st.text()),
    },
)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(st.lists(spots, max_size=3), st.lists(spots, max_size=3), st.sampled_from(TOPOLOGIES))
def test_units_and_waypoints_come_back(tmp_path_factory, suffix, units, waypoints, topology):
    path = tmp_path_factory.mktemp("maps") / f"map{suffix}"
    tilemap = TileMap(np.zeros((3, 4), int), topology=topology)
    tilemap.extras = {"units": units, "waypoints": waypoints}
    tilemap.save(path)
    assert TileMap.load(path).extras == tilemap.extras


RIGHT, WRONG = ([2, 3], [2, 3, 63]), ([2, 3, 64], [3, 3], [2, 3, -1], [2, 3, 0, 0], [2.0, 3])


@pytest.mark.parametrize(
    ("cell", "objects"), [*((cell, [1]) for cell in RIGHT), *((cell, []) for cell in WRONG)]
)
def test_units_are_objects_if_they_stand_on_a_surface_of_the_map(tmp_path, cell, objects):
    path = tmp_path / "vale.tmj"
    tilemap = TileMap(np.zeros((3, 4), int))
    tilemap.extras = {"units": [{"cell": cell}]}
    tilemap.save(path)
    layers = json.loads(path.read_text())["layers"]
    found = [entry for layer in layers for entry in layer.get("objects", ())]
    assert TileMap.load(path).extras == tilemap.extras
    assert [entry["id"] for entry in found] == objects
    for entry in found:
        decks = [each["value"] for each in entry.get("properties", ()) if each["name"] == "deck"]
        assert decks == cell[2:]
        assert (entry["x"] // 32, entry["y"] // 32) == (3, 2)


@table(
    "value kind",
    (True, "bool"),
    (5, "int"),
    (-(2**31), "int"),
    (0.5, "float"),
    ("red", "string"),
    ("#ff00aa11", "color"),
    (2**31, "json"),
    (None, "json"),
    ([1], "json"),
    ("json:", "json"),
)
def test_properties_have_types_of_tiled_where_it_has_one(tmp_path, value, kind):
    path = tmp_path / "vale.tmj"
    tilemap = TileMap([[0]])
    tilemap.extras = {"units": [{"cell": [0, 0], "own": value}]}
    tilemap.save(path)
    layers = json.loads(path.read_text())["layers"]
    (unit,) = [entry for layer in layers for entry in layer.get("objects", ())]
    (own,) = unit["properties"]
    if kind == "json":
        assert own["type"] == "string"
        assert own["value"].startswith("json:")
    else:
        assert (own["type"], own["value"]) == (kind, value)
    assert TileMap.load(path).extras == tilemap.extras


@pytest.mark.parametrize("again", [".tmx", ".tmj", ".tmap"])
def test_names_and_properties_of_links_and_walls_come_back(path, again):
    tilemap = TileMap(np.zeros((2, 2), int))
    gate = {"name": "north gate", "kind": "door", "key": ["gold", None], "hp": 5}
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (1, 1), cost=1, kind="door", extras={"name": "back door"})
        edit.add_wall((0, 0), (0, 1), extras=gate)
        edit.add_wall((0, 0), (1, 0), one_way=True)
    tilemap.save(path)
    found = TileMap.load(path)
    found.save(path.with_suffix(again))
    for made in (found, TileMap.load(path.with_suffix(again))):
        assert (made.links, made.walls) == (tilemap.links, tilemap.walls)
        assert [wall for wall in made.walls if wall.extras.get("name") == "north gate"]


def test_texts_that_xml_cannot_hold_come_back_as_names_too(path):
    strange = {"": 1, "\x01": "\x02", "json:": "json:5", "name": "\ud800"}
    tilemap = TileMap(np.zeros((1, 2), int), kinds=[TileKind("a\x01b"), TileKind("json:moor")])
    tilemap.unknown_fields["kinds", "json:moor"] = strange
    tilemap.extras = {"units": [{"cell": [0, 1], **strange}], "metadata": strange}
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1), extras=strange)
    tilemap.save(path)
    assert comparable(TileMap.load(path)) == comparable(tilemap)


def test_the_one_property_that_clashes_is_left_out_with_a_note(path):
    tilemap = TileMap(np.zeros((2, 2), int))
    tilemap.unknown_fields["kinds", "grass"] = {"sound": ["rustle", 2], "level": 3}
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1), extras={"name": "gate", "deck": "is a field of Tiled maps"})
    expected = "'level' of the kind 'grass', 'deck' of the wall (0, 0) to (0, 1)"
    with pytest.warns(MapFileWarning) as caught:
        tilemap.save(path)
    (line,) = [str(each.message) for each in caught]
    assert all(part in line for part in expected.split(", '"))
    again = TileMap.load(path)
    assert [wall.extras for wall in again.walls] == [{"name": "gate"}]
    assert again.unknown_fields == {("kinds", "grass"): {"sound": ["rustle", 2]}}


@pytest.mark.parametrize("name", ["a\\vale.tmx", "C:vale.tmx", "va\nle.tmx"])
def test_what_could_never_be_read_is_not_written(tmp_path, name):
    with pytest.raises(ValueError, match="no map can refer to files named after"):
        TileMap.from_text("01").save(tmp_path / name)
    assert not [*tmp_path.iterdir()]


def test_a_failure_leaves_all_files_as_they_were(path):
    TileMap.from_text("01").save(path)
    picture = path.with_name("vale-numbers.png")
    before, pixels = path.read_bytes(), path.with_name("vale-kinds.png").read_bytes()
    picture.unlink()
    picture.mkdir()
    with pytest.raises(OSError, match=r"is not a regular file: .*vale-numbers\.png"):
        TileMap([[0, 1]], kinds=KINDS[3:5]).save(path)
    assert path.read_bytes() == before
    assert path.with_name("vale-kinds.png").read_bytes() == pixels
