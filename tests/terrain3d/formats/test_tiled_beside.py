"""External tilesets of a map: written and read again, all of them or none."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given

from terrain3d import TileMap, formats
from terrain3d.formats.tiled import map_writer
from tests.support.map_states import maps
from tests.terrain3d.formats.test_tiled_round_trip import comparable

MAPS = (".tmx", ".tmj")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("tilesets", map_writer.SUFFIXES)
@pytest.mark.parametrize("suffix", MAPS)
@given(tilemap=maps())
def test_a_map_comes_back_from_all_of_its_files(tmp_path_factory, suffix, tilesets, tilemap):
    path = tmp_path_factory.mktemp("maps") / f"a vale{suffix}"
    tilemap.export(path, tilesets)
    before = contents(path.parent)
    beside = {f"a vale-{name}{end}" for name in ("kinds", "numbers") for end in (tilesets, ".png")}
    assert set(before) == {path.name, *beside}
    again = TileMap.load(path)
    assert comparable(again) == comparable(tilemap)
    assert again.export(path, tilesets) == ()
    assert contents(path.parent) == before


def test_the_tiles_of_a_missing_tileset_are_kinds_by_number(tmp_path):
    path = tmp_path / "vale.tmj"
    TileMap.from_text("01").export(path, ".tsx")
    (tmp_path / "vale-kinds.tsx").unlink()
    record = formats.read(path)
    assert record.tilemap.level.tolist() == [[0, 1]]  # by the other tileset
    assert [kind.name for kind in record.tilemap.kinds][:1] == ["vale-kinds 0"]
    missing = "there is no tileset 'vale-kinds.tsx': its tiles are kinds by number"
    assert missing in record.notes


def test_tilesets_are_as_tiled_has_them_with_pictures_in_xml(tmp_path):
    path = tmp_path / "vale.tmj"
    TileMap.from_text("01").export(path, ".tsx")
    kinds = ET.parse(tmp_path / "vale-kinds.tsx").getroot()
    assert kinds.tag == "tileset"
    assert kinds.attrib.keys() >= {"name", "version", "tilewidth", "tileheight", "tilecount"}
    assert not kinds.attrib.keys() & {"firstgid", "source", "type"}
    assert kinds.find("image").get("source") == "vale-kinds.png"
    sources = [tuple(tileset) for tileset in json.loads(path.read_text())["tilesets"]]
    assert sources == [("firstgid", "source")] * 2
    TileMap.from_text("01").export(path, ".tsj")
    fields = json.loads((tmp_path / "vale-kinds.tsj").read_text())
    assert fields["type"] == "tileset"
    assert "firstgid" not in fields


def test_a_failure_leaves_all_files_as_they_were(tmp_path, monkeypatch):
    path = tmp_path / "vale.tmx"
    TileMap.from_text("01").export(path, ".tsx")
    before = contents(tmp_path)
    (tmp_path / "vale-numbers.tsx").unlink()
    (tmp_path / "vale-numbers.tsx").mkdir()
    with pytest.raises(OSError, match=r"is not a regular file: .*vale-numbers\.tsx"):
        TileMap.from_text("012").export(path, ".tsx")
    (tmp_path / "vale-numbers.tsx").rmdir()
    del before["vale-numbers.tsx"]
    assert contents(tmp_path) == before
    monkeypatch.setattr(map_writer, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match="at most 1000 bytes, got"):
        TileMap.from_text("012").export(path, ".tsx")
    assert contents(tmp_path) == before


def test_the_map_is_replaced_when_its_tilesets_are(tmp_path, monkeypatch):
    replace, targets = Path.replace, []

    def note(self, target):
        targets.append(target.name)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", note)
    TileMap.from_text("01").export(tmp_path / "vale.tmx", ".tsx")
    pictures = ["vale-kinds.png", "vale-numbers.png"]
    assert sorted(targets) == sorted([*pictures, "vale-kinds.tsx", "vale-numbers.tsx", "vale.tmx"])
    assert targets[-1] == "vale.tmx"


@pytest.mark.parametrize(
    ("name", "tilesets", "problem"),
    [
        ("vale.tmap", ".tsx", "has no tilesets, only .tmj, .tmx files have"),
        ("vale.tmx", ".png", "tilesets end in .tsx or .tsj, got '.png'"),
        ("a\\vale.tmx", ".tsx", "no map can refer to files named after"),
        ("C:vale.tmx", ".tsx", "no map can refer to files named after"),
        ("va\nle.tmx", ".tsx", "no map can refer to files named after"),
    ],
)
def test_what_could_never_be_read_is_not_written(tmp_path, name, tilesets, problem):
    with pytest.raises(ValueError, match=problem):
        TileMap.from_text("01").export(tmp_path / name, tilesets)
    assert not contents(tmp_path)
