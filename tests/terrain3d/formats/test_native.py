"""The native format: everything comes back, people can read it, and 1.0 is a whole number."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ai import Board, GameRecord, MoveProfile, Unit
from terrain3d import Cell, MapFileError, TileKind, TileMap
from terrain3d.core.checks import is_whole, with_whole_numbers
from terrain3d.formats import tmap
from terrain3d.look.settings import Settings, SettingsFile
from tests.support import ROOT
from tests.support.boards import one_edit
from tests.support.map_states import maps, state_of
from tests.support.selection import table


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vale.tmap"


@pytest.fixture
def furnished():
    """Return a map with something of everything."""
    tilemap = TileMap.from_text("3#03\n3003\n3003")
    with tilemap.edit() as edit:
        edit.set_kind((1, 1), "swamp")
        edit.add_deck([(1, 1), (1, 2)], level=3)
        edit.add_deck((1, 1), level=5, kind="rock", thickness=2)
        edit.add_link((2, 1), (2, 0), cost=2.5, kind="ladder", one_way=True)
        edit.add_wall((1, 1, 1), (1, 2, 1))
    tilemap.extras["metadata"] = {"title": "Vale", "by": ["A", "B"]}
    tilemap.extras["units"] = [{"name": "Mira", "cell": [1, 1]}]
    return tilemap


def fields_of(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(params=[False, True], ids=["drawn", "packed"])
def _both_ways(request, monkeypatch):
    """Write layers and decks drawn and packed, at any size."""
    if request.param:
        monkeypatch.setattr(tmap, "MAX_DRAWN_TILES", 0)
        monkeypatch.setattr(tmap, "MAX_DRAWN_DECKS", 0)


@pytest.mark.filterwarnings("ignore:.* drawn plain")
@pytest.mark.usefixtures("_both_ways")
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(maps())
def test_saving_and_loading_gives_the_same_map(tmp_path_factory, tilemap):
    path = tmp_path_factory.mktemp("maps") / "map.tmap"
    tilemap.save(path)
    assert ("zlib" in fields_of(path)["level"]) == (tmap.MAX_DRAWN_TILES == 0)
    again = TileMap.load(path)
    assert state_of(again) == state_of(tilemap)
    before = path.read_bytes()
    again.save(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["vale", "vale.game", "vale.TXT.bak", "vale.glb"])
def test_a_name_of_no_format_is_refused(tmp_path, furnished, name):
    path = tmp_path / name
    if name != "vale.glb":  # which is written and not read
        suffixes = r"\.glb, \.tmap, \.tmj, \.tmx, \.txt$"
        with pytest.raises(ValueError, match=rf"{name}: its name must end in one of {suffixes}"):
            furnished.save(path)
        assert not path.exists()
    furnished.save(tmp_path / "vale.TMAP")
    (tmp_path / "vale.TMAP").rename(path)
    suffixes = r"\.tmap, \.tmj, \.tmx, \.txt$"
    with pytest.raises(MapFileError, match=rf"{name}: .* its name must end in one of {suffixes}"):
        TileMap.load(path)


@pytest.mark.parametrize("suffix", [".tmap", ".tmj", ".tmx", ".txt"])
def test_the_suffix_decides_whatever_is_in_the_file(tmp_path, suffix):
    for number, data in enumerate((b"01\n#2", b"{}", b"<map/>", b"\x89PNG\r\n\x1a\n", b"\0")):
        path = tmp_path / f"vale{number}{suffix}"
        path.write_bytes(data)
        if (suffix, number) != (".txt", 0):
            with pytest.raises(MapFileError, match=f"vale{number}{suffix}"):
                TileMap.load(path)


def test_a_small_map_is_a_picture(path):
    tilemap = TileMap.from_text("01z\n#20")
    with tilemap.edit() as edit:
        edit.set_kind((0, 0), "swamp")
        edit.set_kind((0, 1), "rock")
    tilemap.save(path)
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines[lines.index('"level": [') + 1 :][:3] == ['"01z",', '"020"', "],"]
    assert lines[lines.index('"kind": [') + 1 :][:3] == ['"wrg",', '"#gg"', "],"]


def test_one_changed_tile_changes_one_line_and_a_byte_order_mark_is_ignored(path, furnished):
    furnished.save(path)
    before = path.read_text(encoding="utf-8").splitlines()
    one_edit(furnished).set_level((2, 3), 7)
    furnished.save(path)
    after = path.read_text(encoding="utf-8").splitlines()
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1
    path.write_bytes(b"\xef\xbb\xbf \n" + path.read_bytes())
    assert state_of(TileMap.load(str(path))) == state_of(furnished)


def test_more_kinds_than_signs_are_written_as_numbers(path):
    table = [TileKind(f"k{number}") for number in range(200)]
    tilemap = TileMap(np.zeros((2, 100), int), np.arange(200).reshape(2, 100), table)
    tilemap.save(path)
    assert fields_of(path)["kind"][1][-1] == 199
    assert state_of(TileMap.load(path)) == state_of(tilemap)


def test_the_map_in_the_guide_is_one(path):
    guide = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    path.write_text(re.search(r"```json\n(\{.*?)```", guide, re.DOTALL)[1], encoding="utf-8")
    tilemap = TileMap.load(path)
    assert tilemap.to_text() == "3003\n3003\n200#"
    assert (tilemap.kind_at((0, 1)).cost, tilemap.kind_at((0, 1)).depth) == (None, 3)
    assert tilemap.decks_at((1, 2)) == [0, 1]
    assert [link.kind for link in tilemap.links] == ["ladder"]
    assert [wall.one_way for wall in tilemap.walls] == [True]
    assert tilemap.extras == {"metadata": {"title": "The ford"}}
    for name in tmap._FIELD_NAMES:
        assert f"`{name}`" in guide


def test_fields_that_are_unknown_are_kept(path, furnished):
    furnished.save(path)
    fields = fields_of(path)
    fields["weather"] = {"rain": [1, 2.5, None]}
    fields["kinds"][0]["sound"] = "grass.ogg"
    fields["decks"][0]["broken"] = True
    fields["links"][0]["note"] = "old"
    fields["walls"][0]["height"] = 2
    path.write_text(json.dumps(fields))
    tilemap = TileMap.load(path)
    assert tilemap.extras["weather"] == {"rain": [1, 2.5, None]}
    tilemap.save(path)
    assert fields_of(path) == fields
    one_edit(tilemap).remove_link((2, 1), (2, 0))
    tilemap.save(path)
    assert fields_of(path)["links"] == []


def test_tuples_and_cells_are_written_as_lists(path, furnished):
    furnished.extras["waypoints"] = [Cell(1, 2), (3, 4)]
    furnished.save(path)
    assert TileMap.load(path).extras["waypoints"] == [[1, 2, 0], [3, 4]]


@table(
    "name value error says",
    ("level", [], ValueError, "'level'"),
    ("version", 2, ValueError, "'version'"),
    ("units", [{"cell": range(2)}], TypeError, r"units\[0\]\.cell must be JSON-like"),
    ("metadata", {"x": math.nan}, ValueError, r"metadata\.x must be finite"),
    ("metadata", {1: 2}, TypeError, "metadata must have text as keys"),
    ("metadata", {"s": {1}}, TypeError, r"metadata\.s must be JSON-like, got set"),
)
def test_extras_that_no_file_can_hold_leave_the_old_one(path, furnished, name, value, error, says):
    furnished.save(path)
    before = path.read_bytes()
    furnished.extras[name] = value
    with pytest.raises(error, match=says):
        furnished.save(path)
    assert path.read_bytes() == before


def test_extras_that_hold_themselves_are_refused(path, furnished):
    furnished.extras["loop"] = loop = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested deeper than 64"):
        furnished.save(path)


def as_godot(value):
    """Return a value with all numbers as floats."""
    if isinstance(value, dict):
        return {key: as_godot(each) for key, each in value.items()}
    if isinstance(value, list):
        return [as_godot(each) for each in value]
    return float(value) if type(value) is int else value


def written_again(path):
    path.write_text(json.dumps(as_godot(json.loads(path.read_text()))))
    return path


@pytest.mark.parametrize("limit", [0, 128 * 128])
@pytest.mark.parametrize("suffix", [".tmap", ".tmj"])
def test_maps_come_back_equal(tmp_path, monkeypatch, furnished, suffix, limit):
    monkeypatch.setattr(tmap, "MAX_DRAWN_TILES", limit)
    path = tmp_path / f"map{suffix}"
    furnished.save(path)
    expected = TileMap.load(path)
    found = TileMap.load(written_again(path))
    assert state_of(found)[:-1] == state_of(expected)[:-1]
    assert found.extras == expected.extras


def test_a_recorded_game_and_settings_come_back_equal(tmp_path):
    board = Board(TileMap.from_text("0123\n0012"), "wait")
    mira = board.add(Unit("Mira", (0, 0), "blue", MoveProfile(max_climb=3), move=5, wait=7))
    board.add(Unit("Odo", (1, 3), "red"))
    board.move(mira, (1, 1))
    board.end_turn()
    path = tmp_path / "game.tmap"
    GameRecord.of(board).save(path)
    record = GameRecord.load(written_again(path))
    assert record.problem == ""
    assert record.digest == board.digest()
    settings, path = Settings(text_scale=2.0), tmp_path / "settings.json"
    SettingsFile(path).save(settings)
    assert SettingsFile(written_again(path)).load() == settings


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@given(values)
def test_only_the_type_of_whole_numbers_changes(value):
    found = with_whole_numbers(value)
    assert found == value
    assert is_whole(found) == (type(found) is int)
