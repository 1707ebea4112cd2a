"""Changed Tiled files are read or refused, and raise nothing else."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from tests.support.tiled_files import (
    GIDS,
    LINE,
    PLAIN,
    csv,
    gids_of,
    layer,
    props,
    tmj,
    tmx,
)

WHOLE = tmx(
    layer("aab\n.ba", 'offsety="-4"', props(level=2)),
    layer("abc\ndef", 'class="level"'),
    f'<objectgroup name="units"><object id="1" x="4" y="4">{props(deck=0)}</object></objectgroup>',
    f'<objectgroup name="links">{LINE.format(points="0,0 8,0")}</objectgroup>',
    shape=(2, 3),
)


def read(path):
    """Read a file that may be bad: a map or a MapFileError that names the file, nothing else."""
    source = str(path)
    try:
        TileMap.load(path)
    except MapFileError as error:
        source = error.source
    assert str(path.parent) in source


@pytest.mark.parametrize("content", [WHOLE, tmj(GIDS)], ids=["tmx", "tmj"])
def test_files_cut_short_anywhere_are_refused_or_read(tmp_path, content):
    data, path = content.encode(), tmp_path / "bad.tmx"
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(MapFileError):
            TileMap.load(path)


@settings(max_examples=300)
@given(st.data())
def test_changed_bytes_raise_nothing_else(tmp_path_factory, data):
    content = bytearray(data.draw(st.sampled_from([WHOLE, tmj(GIDS)])).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    path = tmp_path_factory.mktemp("maps") / "bad.tmx"
    path.write_bytes(content)
    read(path)


WORDS = """0 1 -1 3 9999999999 1e999 nan odd x csv base64 zstd hexagonal staggered isometric true
    level # void 1,2,3,4,1,1"""


words = st.just("") | st.sampled_from(WORDS.split())


@settings(max_examples=300)
@given(st.data())
def test_changed_attributes_raise_nothing_else(tmp_path_factory, data):
    parts = re.split(r'("[^"]*")', data.draw(st.sampled_from([WHOLE, PLAIN, tmj(GIDS)])))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(parts) // 2 - 1)) * 2 + 1
        parts[place] = f'"{data.draw(words | st.text(max_size=5))}"'
    path = tmp_path_factory.mktemp("maps") / "bad.tmx"
    path.write_text("".join(parts), encoding="utf-8", errors="replace")
    read(path)


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words


values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)


def places_in(value, path=()):
    """List all places in a JSON value."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in parts:
        yield (*path, name)
        if isinstance(part, dict | list):
            yield from places_in(part, (*path, name))


def furnished_json():
    fields = json.loads(tmj(GIDS))
    properties = [{"name": "level", "type": "int", "value": 1}]
    fields["tilesets"][0]["tiles"][0]["properties"] = properties
    fields["tilesets"][0]["wangsets"] = [
        {"colors": [{"name": "Grass"}], "wangtiles": [{"tileid": 1, "wangid": [0, 1, 0, 1]}]}
    ]
    spot = {"id": 1, "x": 4, "y": 4, "polyline": [{"x": 0, "y": 0}, {"x": 8, "y": 0}]}
    fields["layers"] += [
        {"type": "objectgroup", "name": "links", "objects": [{**spot, "properties": properties}]},
        {"type": "group", "name": "g", "layers": [], "offsety": 3},
    ]
    chunk = {"x": -2, "y": 1, "width": 3, "height": 2, "data": [1, 2, 3, 4, 1, 1]}
    fields["layers"].append({**fields["layers"][0], "chunks": [chunk]})
    return fields


@settings(max_examples=400)
@given(st.data())
def test_changed_structures_raise_nothing_else(tmp_path_factory, data):
    fields = furnished_json()
    for _ in range(data.draw(st.integers(1, 3))):
        *path, last = data.draw(st.sampled_from(list(places_in(fields))))
        owner = fields
        for part in path:
            owner = owner[part]
        if data.draw(st.booleans()) and isinstance(owner, dict):
            del owner[last]
        else:
            owner[last] = data.draw(values)
    path = tmp_path_factory.mktemp("maps") / "bad.tmj"
    path.write_text(json.dumps(fields), encoding="utf-8", errors="backslashreplace")
    read(path)


def test_unchanged_structures_are_read(tmp_path):
    path = tmp_path / "map.tmj"
    path.write_text(json.dumps(furnished_json()))
    assert len(TileMap.load(path).links) == 1
    path.write_text(WHOLE)
    assert TileMap.load(path).level.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert csv(gids_of("ab")) == "1,2"
