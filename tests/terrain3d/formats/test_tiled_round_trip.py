"""Maps written for Tiled: all that the format holds comes back, and what it rounds is said."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.formats.tiled.tilesets import hex_color
from tests.support.map_states import maps, state_of

SUFFIXES = (".tmx", ".tmj")


@pytest.fixture(params=SUFFIXES)
def path(request, tmp_path):
    return tmp_path / f"vale{request.param}"


def comparable(tilemap):
    """Return all that must come back: colors in parts of 255, extras in any order."""
    arrays, table, *rest, _ = state_of(tilemap)
    rows = [(*vars(kind).items(),) for kind in table]
    rounded = [
        [(name, hex_color(value) if name == "color" else value) for name, value in kind]
        for kind in rows
    ]
    return arrays, rounded, rest, json.dumps(tilemap.extras, sort_keys=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(maps())
def test_a_written_map_comes_back(tmp_path_factory, suffix, tilemap):
    path = tmp_path_factory.mktemp("maps") / f"map{suffix}"
    tilemap.export(path)
    again = TileMap.load(path)
    assert comparable(again) == comparable(tilemap)
    before = path.read_bytes()
    assert again.export(path) == ()  # nothing is rounded twice
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
    tilemap.export(path)
    assert TileMap.load(path).extras == tilemap.extras


@pytest.mark.parametrize(
    ("cell", "is_object"),
    [
        ([2, 3], True),
        ([2, 3, 0], True),
        ([2, 3, 255], True),
        ([2, 3, 256], False),
        ([3, 3], False),
        ([2, 4], False),
        ([2, 3, -1], False),
        ([2], False),
        ([2, 3, 0, 0], False),
        ([2.0, 3], False),
    ],
)
def test_units_are_objects_if_they_stand_on_a_surface_of_the_map(tmp_path, cell, is_object):
    path = tmp_path / "vale.tmj"
    tilemap = TileMap(np.zeros((3, 4), int))
    tilemap.extras = {"units": [{"cell": cell}]}
    tilemap.export(path)
    layers = json.loads(path.read_text())["layers"]
    found = [entry for layer in layers for entry in layer.get("objects", ())]
    assert TileMap.load(path).extras == tilemap.extras
    assert [entry["id"] for entry in found] == [1] * is_object
    for entry in found:
        decks = [each["value"] for each in entry.get("properties", ()) if each["name"] == "deck"]
        assert decks == cell[2:]
        assert (entry["x"] // 32, entry["y"] // 32) == (3, 2)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "bool"),
        (5, "int"),
        (-5, "int"),
        (-(2**31), "int"),
        (2**31 - 1, "int"),
        (0.5, "float"),
        ("red", "string"),
        (2**31, "json"),
        (-(2**31) - 1, "json"),
        (None, "json"),
        ([1], "json"),
        ("json:", "json"),
    ],
)
def test_properties_have_types_of_tiled_where_it_has_one(tmp_path, value, kind):
    path = tmp_path / "vale.tmj"
    tilemap = TileMap([[0]])
    tilemap.extras = {"units": [{"cell": [0, 0], "own": value}]}
    tilemap.export(path)
    layers = json.loads(path.read_text())["layers"]
    (unit,) = [entry for layer in layers for entry in layer.get("objects", ())]
    (own,) = unit["properties"]
    if kind == "json":
        assert own["type"] == "string"
        assert own["value"].startswith("json:")
    else:
        assert (own["type"], own["value"]) == (kind, value)
    assert TileMap.load(path).extras == tilemap.extras


def test_unknown_fields_of_entries_come_back_or_are_noted(path, tmp_path):
    tilemap = TileMap(np.zeros((2, 2), int))
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (1, 1), cost=1)
        edit.add_wall((0, 0), (0, 1))
    native = tmp_path / "vale.tmap"
    tilemap.save(native)
    fields = json.loads(native.read_text())
    fields["kinds"][0]["sound"] = ["rustle", 2]
    fields["links"][0]["bell"] = None
    fields["walls"][0]["deck"] = "is one of the format's own"
    native.write_text(json.dumps(fields))
    notes = TileMap.load(native).export(path)
    assert len(notes) == 1
    assert notes[0].startswith("left out: fields of")
    TileMap.load(path).save(native)
    again = json.loads(native.read_text())
    del fields["walls"][0]["deck"]
    for name in ("kinds", "links", "walls"):
        assert again[name] == fields[name]


def test_pictures_of_many_levels_are_drawn_once_for_each_shade(tmp_path):
    path = tmp_path / "steep.tmx"
    TileMap(np.arange(3000).reshape(30, 100)).export(path)
    assert TileMap.load(path).level[29, 99] == 2999
    assert path.stat().st_size < 2_000_000
