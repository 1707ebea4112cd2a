"""Formats of others, which a program registers."""

import numpy as np
import pytest

from terrain3d import Cell, MapFileError, TileMap
from terrain3d.formats import register_format, registry
from tests.support.map_states import state_of
from tests.support.selection import table


def decode(data):
    """Read rows of levels in pairs of hexadecimal digits."""
    return TileMap([list(bytes.fromhex(line)) for line in data.decode("ascii").splitlines()])


def encode(tilemap):
    return "\n".join(bytes(row).hex() for row in tilemap.level.tolist()).encode("ascii")


@pytest.fixture(autouse=True)
def no_format_stays(monkeypatch):
    monkeypatch.setattr(registry, "FORMATS", dict(registry.FORMATS))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vale.hexes"


@pytest.fixture
def tilemap():
    return TileMap.from_text("012\n3zz")


def test_load_and_save_know_a_registered_format(path, tilemap):
    register_format(".hexes", decode, encode)
    tilemap.save(path)
    assert path.read_bytes() == b"000102\n032323"
    assert TileMap.load(path).to_text() == tilemap.to_text()
    tilemap.rotate(180).save(path.with_suffix(".HEXES"))
    assert TileMap.load(path.with_suffix(".HEXES")).to_text() == "zz3\n210"


def test_all_of_a_map_that_a_reader_returns_is_kept_in_the_class_asked_for(path, tilemap):
    class Dungeon(TileMap):
        pass

    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=9)
        edit.add_link((0, 0), (0, 1, 1), 2, "ladder")
        edit.add_wall((0, 1), (0, 2))
    tilemap.extras["units"] = [{"cell": [0, 1, 1]}]
    tilemap.unknown_fields["decks", Cell(0, 1, 1)] = {"by": "Odo"}
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: tilemap)
    made = Dungeon.load(path)
    assert isinstance(made, Dungeon)
    assert state_of(made) == state_of(tilemap)
    assert made.unknown_fields == tilemap.unknown_fields
    assert not made.undo_name  # nor anything else that the reader did


class Strange(Exception):
    def __str__(self):
        return "no\nsense"


@table(
    "error says",
    (KeyError("rows"), "KeyError: 'rows'"),
    (Strange(), "Strange: no sense"),
    (RecursionError("too deep"), "RecursionError: too deep"),
    (OSError("no disk"), "OSError: no disk"),
    (MapFileError("is cut off", line=3, field="rows"), "is cut off"),
)
def test_what_a_reader_raises_is_an_error_of_the_file_that_names_the_format(path, error, says):
    def broken(_):
        raise error

    path.write_bytes(b"PK\x03\x04")  # the suffix counts, whatever the file begins with
    register_format(".hexes", broken)
    with pytest.raises(MapFileError) as caught:
        TileMap.load(path)
    place = ", line 3, rows" if isinstance(error, MapFileError) else ""
    assert str(caught.value) == f"{path}{place}: .hexes format of {__name__}: {says}"
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("value", [None, [[0]], b"0"])
def test_a_reader_must_return_a_map(path, value):
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: value)
    says = r"hexes format.*what read returns must be a TileMap, got"
    with pytest.raises(MapFileError, match=says):
        TileMap.load(path)


def test_limits_hold_for_readers_of_others(path):
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: TileMap(np.zeros((20, 20), int)))
    with pytest.raises(MapFileError, match="makes 400 tiles; the limit, max_surfaces, is 399"):
        TileMap.load(path, max_surfaces=399)
    assert TileMap.load(path, max_surfaces=400).rows == 20


@table(
    "call says",
    (lambda _: 1 // 0, "ZeroDivisionError"),
    (lambda _: "text", "what write returns must be a bytes, got 'text'"),
    (lambda tilemap: tilemap.undo(), "RuntimeError: a map cannot be edited"),
)
def test_a_writer_that_fails_leaves_the_old_file(path, tilemap, call, says):
    path.write_bytes(b"old")
    register_format(".hexes", write=call)
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 5)
    with pytest.raises(ValueError, match=rf"\.hexes format of .*{says}"):
        tilemap.save(path)
    assert path.read_bytes() == b"old"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@table(
    "values problem",
    ({"suffix": "hexes", "read": decode}, "a dot and a name, such as '.vale', got 'hexes'"),
    ({"suffix": ".TMX", "read": decode}, "that of a format of terrain3d, got '.TMX'"),
    ({"suffix": ".hexes"}, "read, write or both"),
)
def test_mistakes_register_nothing(values, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        register_format(**values)
    assert {*registry.FORMATS} == registry._OURS
