"""Whole numbers in JSON that are written as 1.0, as by Godot 4.4, in every file that we read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Board, GameRecord, MoveProfile, Unit
from ai.game.unit_loader import UnitLoader
from terrain3d import MapFileError, TileMap
from terrain3d.core.checks import is_whole, with_whole_numbers
from terrain3d.formats import tmap
from terrain3d.look.settings import Settings, SettingsFile


def as_godot(value, extra=0.0):
    """Return a value with all numbers as floats."""
    if isinstance(value, dict):
        return {key: as_godot(each, extra) for key, each in value.items()}
    if isinstance(value, list):
        return [as_godot(each, extra) for each in value]
    return float(value) + extra if type(value) is int else value


def written_again(path, change=as_godot):
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    return path


def bridged():
    tilemap = TileMap.from_text("0123\n#012")
    with tilemap.edit() as edit:
        edit.add_deck([(1, 1), (1, 2)], 4, thickness=2)
        edit.add_link((0, 0), (1, 1, 1), 3, "ladder")
        edit.add_wall((0, 1), (0, 2))
        edit.set_kind((0, 0), "shallow")
    tilemap.extras["units"] = [{"name": "Pell", "cell": [0, 1], "move": 4}]
    return tilemap


def facts(tilemap):
    surfaces = tilemap.surface_level.tolist(), tilemap.surface_kind.tolist()
    return (*surfaces, tilemap.kinds, tilemap.decks.tolist(), tilemap.links, tilemap.walls)


@pytest.mark.parametrize("limit", [0, 128 * 128])
@pytest.mark.parametrize("suffix", [".tmap", ".tmj"])
def test_maps_come_back_equal(tmp_path, monkeypatch, suffix, limit):
    monkeypatch.setattr(tmap, "MAX_DRAWN_TILES", limit)
    bridged().save(tmp_path / f"map{suffix}")
    expected = TileMap.load(tmp_path / f"map{suffix}")
    found = TileMap.load(written_again(tmp_path / f"map{suffix}"))
    assert facts(found) == facts(expected)
    assert found.extras == expected.extras


def test_layers_as_lists_of_numbers_come_back_equal(tmp_path):
    tilemap, path = bridged(), tmp_path / "map.tmap"
    tilemap.save(path)
    fields = json.loads(path.read_text())
    fields["level"], fields["kind"] = tilemap.level.tolist(), tilemap.kind.tolist()
    path.write_text(json.dumps(as_godot(fields)))
    assert facts(TileMap.load(path)) == facts(tilemap)


@pytest.mark.parametrize("suffix", [".tmap", ".tmj"])
def test_numbers_between_whole_ones_are_refused(tmp_path, suffix):
    path = tmp_path / f"map{suffix}"
    bridged().save(path)
    with pytest.raises(MapFileError, match=r"whole|must be"):
        TileMap.load(written_again(path, lambda value: as_godot(value, 0.5)))


def test_units_stand_on_their_cells(tmp_path):
    path = tmp_path / "map.tmap"
    bridged().save(path)
    board = Board(TileMap.load(written_again(path)))
    UnitLoader(board, MoveProfile())
    assert [(unit.name, unit.cell, unit.move) for unit in board.units] == [("Pell", (0, 1, 0), 4)]


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_a_recorded_game_ends_with_its_digest(tmp_path, turns):
    board = Board(TileMap.from_text("0123\n0012"), turns)
    mira = board.add(Unit("Mira", (0, 0), "blue", MoveProfile(max_climb=3), move=5, wait=7))
    board.add(Unit("Odo", (1, 3), "red"))
    board.move(mira, (1, 1))
    if turns:
        board.end_turn()
    path = tmp_path / "game.tmap"
    GameRecord.of(board).save(path)
    record = GameRecord.load(written_again(path))
    assert record.problem == ""
    assert record.digest == board.digest()


def test_settings_keep_their_values(tmp_path):
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
