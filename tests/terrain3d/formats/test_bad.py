"""Bad `.tmap` files: every one is refused as such, with its place, in little time and memory."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

from terrain3d import MapFileError, TileMap
from terrain3d.formats import MAX_SURFACES, tmap
from terrain3d.formats.registry import max_file_bytes
from tests.support import tiled_files
from tests.support.limits import FEW_BYTES, peak_while
from tests.support.selection import table


def valid_fields():
    tilemap = TileMap.from_text("3003\n3003")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1), (0, 2)], level=3)
        edit.add_link((1, 1), (1, 0), cost=2)
        edit.add_wall((1, 1), (1, 2))
    return json.loads(tmap.write(tilemap, Path("bad.tmap")))


def packed(data, **more):
    return {**more, "zlib": base64.b64encode(zlib.compress(data, 9)).decode()}


def refusal(tmp_path, content):
    """Return the error that a file raises."""
    data = content if isinstance(content, bytes) else json.dumps(content)
    return tiled_files.refusal(tmp_path, data, "bad.tmap")


CHANGES = [
    # what, where, the new value, the field that the error names, what it says
    ("format", "text picture", "", "is not a map"),
    ("version", 2, "version", "is 2, this program reads up to 1"),
    ("version", "1", "version", "whole number in 1..2147483648, got '1'"),
    ("rows", 3, "level", "has 2 rows, the map has 3"),
    ("rows", 0, "rows", "got 0"),
    ("cols", 5, "level", "row 0 has 4 tiles, the map has 5 columns"),
    ("topology", "triangles", "topology", "must be one of"),
    ("topology", ["square"], "topology", "must be text, got a list of 1"),
    ("step_height", 0, "", "step_height must be in 0.01..100"),
    ("step_height", 10**400, "step_height", "must be a number"),
    ("level", ["3003", "30é3"], "level", "row 1, tile 3 is 'é'"),
    ("level", ["3003", [3, 0, 0, 3]], "level", "row 1 must be text"),
    ("level", [[3, 0, 0, 3], [3, 0, 0, 2.5]], "level", "row 1 must hold whole numbers"),
    ("level", [[3, 0, 0, 3], [3, 0, 0, 10**30]], "level", "row 1 must hold whole numbers"),
    ("level", [[3, 0, 0, 3], [3, 0, 0, 32768]], "", "level must be in 0..32767, got 32768"),
    ("level", "3003", "level", "must be a list of rows or packed"),
    ("level", {"gzip": ""}, "level", "a packed array must be"),
    ("level", {"zlib": "%%"}, "level", "is not base64"),
    ("level", {"zlib": "AAAA"}, "level", "cannot be unpacked"),
    ("level", packed(bytes(15)), "level", "holds less than 8 values"),
    ("level", packed(bytes(17)), "level", "holds more than 8 values"),
    ("level", packed(b"\xff" * 16), "", "level must be in 0..32767, got 65535"),
    ("kind", ["gggg", "ggg~"], "kind", "row 1, tile 4 is '~'"),
    ("kind", [[0] * 4, [0, 0, 0, 13]], "", "kind must be in 0..12, got 13"),
    ("kinds", {}, "kinds", "must be a list, got an object of 0"),
    ("kinds", [5], "kinds[0]", "must be an object, got 5"),
    ("kinds", [{}], "kinds[0].name", "is missing"),
    ("kinds", [{"name": "#x"}], "kinds[0]", "begins with '#'"),
    ("kinds", [{"name": "x", "cost": 0}], "kinds[0]", "in 1e-06..1000000, got 0"),
    ("kinds", [{"name": "x", "color": ["a"] * 3}], "kinds[0]", "color of 'x' must be a number"),
    ("kinds", [{"name": "x", "tags": {"a": 1}}], "kinds[0]", "must not be an object, got one of 1"),
    ("kinds", [{"name": "x", "sign": "s"}, {"name": "y", "sign": "s"}], "kinds[1].sign", "'s'"),
    ("kinds", [{"name": "x"}, {"name": "x"}], "kinds", "must differ"),
    ("kinds", [{"name": f"k{i}"} for i in range(300)], "kinds", "1..255 kinds"),
    ("decks", [{"cell": [0, 1], "level": 3, "kind": "wood"}], "decks[0].thickness", "missing"),
]
DECK = {"cell": [0, 1, 1], "level": 3, "kind": "wood", "thickness": 1}
LINK = {"start": [1, 1], "end": [1, 0], "cost": 2}
WALL = {"start": [1, 1], "end": [1, 2]}
CHANGES += [
    ("decks", [{**DECK, "cell": [2, 1, 1]}], "decks[0].cell", "(2, 1) deck 1 is outside the map"),
    ("decks", [{**DECK, "cell": [0, True, 1]}], "decks[0].cell", "must be [row, col]"),
    ("decks", [{**DECK, "cell": [0, 1, 64]}], "", "decks[0].deck must be in 1..63, got 64"),
    ("decks", [{**DECK, "level": 32768}], "", "decks[0].level must be in 0..32767, got 32768"),
    ("decks", [{**DECK, "kind": "foam"}], "decks[0].kind", "unknown kind 'foam'"),
    ("decks", [{**DECK, "kind": "void"}], "", "decks[0] cannot be void"),
    ("decks", [DECK, DECK], "", "decks[1] repeats an earlier deck"),
    ("decks", [{**DECK, "thickness": 4}], "", "surfaces overlap at (0, 1)"),
    ("decks", packed(b"", count=-1), "decks.count", "got -1"),
    ("decks", packed(b"", count=1), "decks", "holds less than 1 values"),
    ("decks", packed(b"\xff" * 14, count=1), "", "decks[0].row must be in 0..1"),
    ("links", [{**LINK, "start": [0, 0, 1]}], "", "has no deck 1"),
    ("links", [{**LINK, "end": [1, 1]}], "links[0]", "two different ends"),
    ("links", [{**LINK, "cost": 0}], "links[0]", "in 1e-06..1000000, got 0"),
    ("links", [{**LINK, "cost": None}], "links[0].cost", "must be a number, got None"),
    ("links", [{**LINK, "one_way": 1}], "links[0].one_way", "must be true or false, got 1"),
    ("links", [LINK, LINK], "", "already"),
    ("walls", [{**WALL, "end": "up"}], "walls[0].end", "must be [row, col]"),
    ("walls", [WALL, WALL], "", "already"),
]


@pytest.mark.parametrize(("name", "value", "field", "says"), CHANGES)
def test_a_wrong_field_is_named(tmp_path, name, value, field, says):
    error = refusal(tmp_path, {**valid_fields(), name: value})
    assert error.field == field
    assert says in str(error)


NAMES = "format", "version", "rows", "cols", "step_height", "kinds", "level", "kind"


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_field_is_named(tmp_path, name):
    fields = valid_fields()
    del fields[name]
    assert refusal(tmp_path, fields).field == ("" if name == "format" else name)


def test_a_link_to_void_is_refused(tmp_path):
    error = refusal(tmp_path, {**valid_fields(), "kind": ["gggg", "#ggg"]})
    assert "(1, 0) is void" in str(error)


@table(
    "content line says",
    (b"", None, "is empty"),
    (b"{", 1, "is not JSON"),
    (b'{"a": 1,\n\n}', 3, "is not JSON"),
    (b'{"a": 1}\n{', 2, "is not JSON"),
    (b'{"format": "\xff"}', 1, "is not UTF-8"),
    (b'{\n"format": "\xc3("}', 2, "is not UTF-8"),
    ('{"format": 1}'.encode("utf-16"), 1, "is not UTF-8"),
    (b'{"a": NaN}', None, "holds NaN"),
    (b'{"a": -Infinity}', None, "holds -Infinity"),
    (b'{"a": 1e999}', None, "holds 1e999"),
    (b'{"a": ' + b"9" * 5000 + b"}", None, "limit"),
    (b'{"b": 1, "a": 1, "a": 2}', None, "has the field 'a' twice"),
    (b'{"kinds": [{"name": "x", "name": "x"}]}', None, "has the field 'name' twice"),
    (b"[]", None, "must be an object, got a list of 0"),
    (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", None, "is nested deeper"),
    (b'{"a": ' + b"[" * 65 + b"]" * 65 + b"}", None, "is nested deeper than 64"),
    (b"[" * 5_000_000, None, "holds about 5000000 values, the limit is 2359296"),
    (b'{"a": "' + b"x" * 60 + b'\x00"}', 1, "is not JSON"),
)
def test_text_that_is_no_clean_json_is_refused(tmp_path, content, line, says):
    error = refusal(tmp_path, content)
    assert error.line == line
    assert says in str(error)


@table(
    "changed field",
    ({"rows": 2**23, "cols": 2**23}, "rows"),
    ({"rows": 2**12, "cols": 2**12}, "rows"),
    ({"decks": [{**DECK, "cell": [0, 1, 255]}] * 2, "rows": 2**22, "cols": 2}, "decks"),
    ({"decks": packed(bytes(2**20), count=2**30)}, "decks.count"),
    ({"decks": packed(bytes(2**26), count=2)}, "decks"),
    ({"level": packed(bytes(2**28))}, "level"),
    ({"rows": 2**11, "cols": 2**11}, "level"),
)
def test_huge_declared_sizes_are_refused_before_memory_is_taken(tmp_path, changed, field):
    content = json.dumps({**valid_fields(), **changed}).encode()
    assert len(content) < 500_000
    path = tmp_path / "bad.tmap"
    path.write_bytes(content)
    assert peak_while(lambda: refusal(tmp_path, content)) < FEW_BYTES
    with pytest.raises(MapFileError) as caught:
        TileMap.load(path)
    assert caught.value.field == field


def test_the_limit_counts_decks_is_stated_and_max_surfaces_raises_it(tmp_path):
    path = tmp_path / "map.tmap"
    TileMap([[0] * 30] * 40).save(path)
    with pytest.raises(MapFileError, match="makes 1200 tiles; the limit, max_surfaces, is 1199"):
        TileMap.load(path, max_surfaces=1199)
    assert TileMap.load(path, max_surfaces=1200).rows == 40
    with pytest.raises(ValueError, match=r"max_surfaces must be in 1\.\.4294967296, got 0"):
        TileMap.load(path, max_surfaces=0)
    tilemap = TileMap([[0] * 30] * 40)
    with tilemap.edit() as edit:
        edit.add_deck((0, 0), level=2)
    tilemap.save(path)
    with pytest.raises(MapFileError, match="decks: makes 2400 tiles"):
        TileMap.load(path, max_surfaces=2399)
    assert TileMap.load(path, max_surfaces=2400).n_decks == 1


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "map.tmap"
    with path.open("wb") as file:
        file.truncate(max_file_bytes(MAX_SURFACES) + 1)

    def refuse():
        with pytest.raises(MapFileError, match="is larger than"):
            TileMap.load(path)

    assert peak_while(refuse) < FEW_BYTES


@pytest.mark.parametrize("name", ["missing.tmap", "a\0b.tmap", "x" * 300, "no/such/folder.tmap"])
def test_what_cannot_be_found_is_a_map_file_error(tmp_path, name):
    with pytest.raises(MapFileError):
        TileMap.load(tmp_path / name)


@pytest.mark.parametrize("name", ["topology", "rows", "step_height", "level", "decks", "kinds"])
def test_a_value_is_quoted_in_about_a_hundred_characters(tmp_path, name):
    for value in ("x" * 10**5, 10**4000, [{"name": "y" * 10**5, "sign": "z" * 10**5}] * 2):
        said = str(refusal(tmp_path, {**valid_fields(), name: value}))
        assert len(said.removeprefix(f"{tmp_path}/bad.tmap")) < 250
        assert not re.search(r"x{101}|y{101}|z{101}|0{101}", said)
