"""Bad Tiled files: every one is refused as such, with its place, in little time and memory."""

import base64
import json
import re
import sys
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from terrain3d.mapfile.tiled import (
    map_reader,
    referenced_files,
    tile_data,
    tile_layers,
    xml_elements,
)
from tests.support.tiled_files import (
    PLAIN,
    SQUARE,
    csv,
    gids_of,
    layer,
    one_layer,
    packed,
    prop,
    props,
    tmj,
    tmx,
)

FEW_BYTES = 20_000_000
GIDS = [[1, 2, 3], [4, 1, 1]]
CSV = '<data encoding="csv">1,2,3,4,1,1</data>'


def refusal(tmp_path, content, name="bad.tmx"):
    """Give the error that a file raises."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(MapFileError) as caught:
        TileMap.load(path)
    assert str(tmp_path) in caught.value.source
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return caught.value


def of_data(data, shape='width="3" height="2"', **other):
    return tmx(f'<layer name="a" {shape}>{data}</layer>', shape=(2, 3), **other)


def of_base64(data, compression):
    return of_data(f'<data encoding="base64" compression="{compression}">{data}</data>')


def of_tileset(text):
    return of_data(CSV, tileset=text)


def of_objects(text, name="links"):
    return tmx(layer("aaa\naaa"), f'<objectgroup name="{name}">{text}</objectgroup>', shape=(2, 3))


def of_tile(text):
    tile = f'<tile id="0" type="x">{text}</tile>'
    return of_tileset(f'<tileset firstgid="1" name="t">{tile}</tileset>')


LINE = '<object id="1" x="4" y="4"><polyline points="{points}"/></object>'
BAD = [
    # what, the place and the problem that the error tells
    (of_data('<data encoding="csv">1,2,3,4,1</data>'), "layers[0].data: holds 5 tiles, must be 6"),
    (of_data('<data encoding="csv">1,2,3,4,1,1,1</data>'), "holds 7 tiles, must be 6"),
    (of_data('<data encoding="csv"></data>'), "holds 0 tiles, must be 6"),
    (of_data('<data encoding="csv">1,2,3,4,,1</data>'), "whole numbers in 0..4294967295"),
    (of_data('<data encoding="csv">1,2,3,4,-1,1</data>'), "must hold whole numbers with commas"),
    (of_data('<data encoding="csv">1,2,3,4,4294967296,1</data>'), "numbers in 0..4294967295"),
    (of_data(f'<data encoding="csv">1,2,3,4,{"9" * 9999},1</data>'), "whole numbers in 0.."),
    (of_data('<data encoding="csv">1,2,3,4,٣,1</data>'), "must hold whole numbers with commas"),
    (of_data('<data encoding="csv">1,2,3,4,27,1</data>'), "tile 27 is in no tileset: 't' has 26"),
    (of_data(CSV, tileset=""), "layers[0].data: tile 1 is in no tileset"),
    (of_data('<data><tile gid="1"/></data>'), "holds 1 tiles, must be 6"),
    (of_data("<data>" + '<tile gid="x"/>' * 6 + "</data>"), "must hold whole numbers in"),
    (of_data("<data>" + '<tile gid="-1"/>' * 6 + "</data>"), "must hold whole numbers in"),
    (of_data('<data encoding="morse">1</data>'), "encoding must be csv or base64, got 'morse'"),
    (of_data(""), "layers[0].data: is missing"),
    (of_data(CSV + CSV), "line 2: has <data> twice in one <layer>"),
    (of_data(CSV, shape='width="3"'), "layers[0].height: is missing"),
    (of_data(CSV, shape='width="2" height="3"'), "layers[0]: is 3 x 2, the map is 2 x 3"),
    (of_data(CSV, shape='width="x" height="2"'), "layers[0].width: must be a whole number"),
    (of_data(CSV, shape='width="3" height="2" offsety="nan"'), "offsety: must be a number"),
    (of_data(CSV, shape='width="3" height="2" offsety="1e999"'), "must be a number, got inf"),
    (of_data(CSV, shape='width="3" height="2" offsety="1e30"'), "at most 1073741824 pixels"),
    (of_data(CSV, shape='width="3" height="2" visible="maybe"'), "must be true or false"),
    (of_base64("A", "zlib"), "layers[0].data: is not base64"),
    (of_base64("é", "zlib"), "is not base64"),
    (of_base64("AAAA", "zlib"), "cannot be unpacked"),
    (of_base64("AAAA", "gzip"), "cannot be unpacked"),
    (of_base64("AAAA", "zstd"), "cannot be unpacked"),
    (of_base64("AAAA", "lzma"), "compression must be one of zlib, gzip, zstd, got 'lzma'"),
    (of_base64(packed([[1] * 5]), ""), "holds less than 6 tiles"),
    (of_base64(packed([[1] * 7]), ""), "holds more than 6 tiles"),
    *((of_base64(packed([[1] * 5], way), way), "less than 6") for way in tile_data.COMPRESSIONS),
    *((of_base64(packed([[1] * 7], way), way), "more than 6") for way in tile_data.COMPRESSIONS),
    *(
        (of_base64(packed(GIDS, way)[:-8], way), "cut short or too long")
        for way in tile_data.COMPRESSIONS[1:]
    ),
    (of_data(CSV, attributes=""), "orientation: is missing"),
    (of_data(CSV, attributes=SQUARE.replace("orthogonal", "round")), "must be one of orthogonal"),
    (of_data(CSV, attributes=SQUARE.replace('"8"', '"0"')), "tilewidth: must be a whole number"),
    (
        of_data(
            CSV, attributes='orientation="staggered" tilewidth="8" tileheight="8" staggeraxis="z"'
        ),
        "staggeraxis: must be x or y, got 'z'",
    ),
    (
        of_data(CSV, attributes=f'{SQUARE} staggerindex="3"'.replace("orthogonal", "hexagonal")),
        "staggerindex: must be odd or even",
    ),
    (of_data(CSV).replace('width="3" height="2">', 'width="0" height="2">', 1), "width: must be"),
    (of_tileset('<tileset name="t"/>'), "tilesets[0].firstgid: is missing"),
    (of_tileset('<tileset firstgid="0" name="t"/>'), "firstgid: must be a whole number in 1.."),
    (of_tileset('<tileset firstgid="1"/><tileset firstgid="1"/>'), "the same firstgid"),
    (of_tileset('<tileset firstgid="1"><tile/></tileset>'), "tilesets[0].tiles[0].id: is missing"),
    (of_tileset('<tileset firstgid="1"><tile id="1"/><tile id="1"/></tileset>'), "tile 1 already"),
    (of_tileset('<tileset firstgid="1"><tile id="0" type="#x"/></tileset>'), "begins with '#'"),
    (of_tile(props(level="high")), "the property level must be a whole number in -32768..32768"),
    (of_tile(props(level=1.5)), "the property level must be a whole number"),
    (of_tile(props(level=99999)), "the property level must be a whole number"),
    (of_tile(props(level=True)), "the property level must be a whole number"),
    (of_tile(props(kind=5)), "the property kind must be text"),
    (of_tile(props(cost=-1)), "tilesets[0]: tile 0: cost of 'x'"),
    (of_tile(props(cost="cheap")), "cost of 'x' must be a number"),
    (of_tile(props(color="red")), "color must be #rrggbb"),
    (of_tile(props(texture="velvet")), "texture of 'x'"),
    (of_tile(props(depth=2.5)), "depth of 'x'"),
    (
        of_tile(f"<properties>{prop('a', 1)}{prop('a', 2)}</properties>"),
        "the property 'a' occurs twice",
    ),
    (of_tile(f"<properties>{prop('a', 'x', 'int')}</properties>"), "must be of type int, got 'x'"),
    (of_tile(f"<properties>{prop('a', 'nan', 'float')}</properties>"), "must be of type float"),
    (of_tile(f"<properties>{prop('a', '1e999', 'float')}</properties>"), "must be of type float"),
    (of_tile(f"<properties>{prop('a', 'json:[')}</properties>"), "is not JSON"),
    (of_tile("<properties><property/></properties>"), "properties[0].name: is missing"),
    (of_objects(LINE.format(points="0,0")), "objects[0].polyline: a link must be a line"),
    (of_objects(LINE.format(points="0,0 99,0")), "a link must begin and end on tiles of the map"),
    (of_objects(LINE.format(points="0,0 nan,0")), "line 3: has the point 'nan,0'"),
    (of_objects(LINE.format(points="0,0 1e999,0")), "must be a number, got inf"),
    (of_objects(LINE.format(points="0,0 1e99,0")), "must be within 1099511627776 pixels"),
    (of_objects(LINE.format(points="0,0 1,0")), "objects[0]: a link needs two different ends"),
    (of_objects(LINE.format(points="0,0 16,0"), "walls"), "(0, 0) and (0, 2)"),
    (
        of_objects(LINE.format(points="0,0 8,0").replace("<poly", f"{props(cost=-1)}<poly")),
        "cost of a link",
    ),
    (
        of_objects(LINE.format(points="0,0 8,0").replace("<poly", f"{props(deck=9)}<poly")),
        "(0, 0) has no deck 9",
    ),
    (of_objects('<object id="1" x="1" y="1" gid="-3"/>', "units"), "objects[0].gid: must be"),
    (tmx(layer("aaa\naaa", "", props(deck=64)), shape=(2, 3)), "property deck must be in 0..63"),
    (tmx(layer("aaa\naaa", "", props(kind=2)), shape=(2, 3)), "the property kind must be a text"),
    (tmx(layer("aaa\naaa"), props(step_height=0), shape=(2, 3)), "step_height must be finite"),
    (tmx(layer("aaa\naaa"), props(step_height="x"), shape=(2, 3)), "step_height must be a number"),
    (tmx(layer("aaa\naaa"), props(level_height=0), shape=(2, 3)), "level_height must be 1..65536"),
    ("<tileset/>", "is of type 'tileset', must be 'map'"),
    ("<map>", "line 1: is not XML: no element found"),
    ("<map><layer></map>", "line 1: is not XML: mismatched tag"),
    ("<map a='1' a='2'/>", "is not XML: duplicate attribute"),
    ("<", "is not XML: unclosed token"),
    ("", "is empty"),
    ("\0\0\0", "is not JSON"),
    ('<?xml version="1.0" encoding="klingon"?><map/>', "unknown encoding: klingon"),
    ('<?xml version="1.0" encoding="gb2312"?><map/>', "in an encoding that cannot be read"),
    (b"<map name='\xff'/>", "is not XML: not well-formed"),
    ("<map>" * 65, "line 1: is nested deeper than 64"),
]


@pytest.mark.parametrize(("content", "problem"), BAD)
def test_bad_files_are_refused_with_their_place(tmp_path, content, problem):
    error = refusal(tmp_path, content)
    assert problem in str(error)


BAD_JSON = [
    ({"data": [1, 2, 3, 4, 1, 1.0]}, "layers[0].data: must hold whole numbers"),
    ({"data": [1, 2, 3, 4, 1, True]}, "must hold whole numbers"),
    ({"data": [1, 2, 3, 4, 1, None]}, "must hold whole numbers"),
    ({"data": {"0": 1}}, "must be a list of gids or text"),
    ({"data": [1, 2]}, "holds 2 tiles, must be 6"),
    ({"type": None}, "layers[0].type: must be text"),
    ({"properties": [5]}, "layers[0].properties[0]: must be an object, got 5"),
    ({"properties": [{"name": "a", "type": "int", "value": "x"}]}, "must be of type int"),
    ({"properties": [{"name": "a", "type": "int", "value": True}]}, "must be of type int"),
    ({"properties": [{"name": "a", "type": "float", "value": 10**400}]}, "floating point"),
    ({"width": 3.0}, "layers[0].width: must be a whole number"),
    ({"offsety": [1]}, "layers[0].offsety: must be a number, got a list of 1"),
]


@pytest.mark.parametrize(("more", "problem"), BAD_JSON)
def test_bad_json_is_refused_with_its_place(tmp_path, more, problem):
    assert problem in str(refusal(tmp_path, tmj(GIDS, **more), "bad.tmj"))


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999"])
def test_json_holds_finite_numbers(tmp_path, text):
    content = tmj(GIDS, opacity=0.123).replace("0.123", text)
    assert "finite" in str(refusal(tmp_path, content, "bad.tmj"))


def test_a_field_twice_in_json_is_refused(tmp_path):
    content = tmj(GIDS).replace('"tilewidth"', '"height": 9, "tilewidth"')
    assert "has the field 'height' twice" in str(refusal(tmp_path, content, "bad.tmj"))


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE map [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE map [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE map SYSTEM "file:///etc/passwd" [ %a; ]>',
        '<!DOCTYPE map [<!ATTLIST tile gid CDATA "1">]>',
        '<!DOCTYPE map SYSTEM "http://127.0.0.1:9/map.dtd">',
    ],
)
def test_entities_of_a_file_are_refused(tmp_path, doctype):
    text = of_data('<data encoding="csv">&a;</data>').replace("\n<map", f"{doctype}\n<map")
    error = refusal(tmp_path, text)
    assert re.search("which is refused", str(error))
    assert error.line in (1, 2)


@pytest.mark.parametrize(
    "reference",
    [
        "../tiles.tsx",
        "more/../../tiles.tsx",
        "..\\tiles.tsx",
        "/etc/passwd",
        "C:\\tiles.tsx",
        "\\\\host\\share\\tiles.tsx",
        "link/tiles.tsx",
        "",
    ],
)
def test_references_out_of_the_folder_are_refused(tmp_path, reference):
    outside, inside = tmp_path / "outside", tmp_path / "maps"
    for folder in (outside, inside):
        folder.mkdir()
    (outside / "tiles.tsx").write_text(PLAIN.replace('firstgid="1" ', ""))
    (tmp_path / "tiles.tsx").write_text(PLAIN.replace('firstgid="1" ', ""))
    (inside / "link").symlink_to(outside)
    error = refusal(inside, of_tileset(f'<tileset firstgid="1" source="{reference}"/>'))
    assert "tilesets[0].source: must name a file in the map's folder" in str(error)


def test_references_with_a_zero_byte_or_of_another_type_are_refused(tmp_path):
    for source in ("a\0b.tsx", 5, "x" * 5000 + ".tsx"):
        fields = json.loads(tmj(GIDS))
        fields["tilesets"] = [{"firstgid": 1, "source": source}]
        refusal(tmp_path, json.dumps(fields), "bad.tmj")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "there is no such file"),
        ("<map/>", "is of type 'map', must be 'tileset'"),
        ("<tileset", "line 1: is not XML"),
        ("{}", "is of type 'unknown', must be 'tileset'"),
        ("<tileset><tile id='x'/></tileset>", "tiles[0].id: must be a whole number"),
    ],
)
def test_errors_in_a_tileset_name_its_file(tmp_path, content, problem):
    if content is not None:
        (tmp_path / "tiles.tsx").write_text(content)
    error = refusal(tmp_path, of_tileset('<tileset firstgid="1" source="tiles.tsx"/>'))
    assert error.source == str(tmp_path / "tiles.tsx")
    assert problem in str(error)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "there is no such file"),
        ("<map/>", "is of type 'map', must be 'template'"),
        ("<template/>", "object: must be an object, got None"),
        ('{"type": "template"}', "object: is missing"),
        ("<template><object gid='x' x='1'/></template>", "gid: must be a whole number"),
    ],
)
def test_errors_in_a_template_are_told(tmp_path, content, problem):
    if content is not None:
        (tmp_path / "a.tx").write_text(content)
    text = of_objects('<object id="1" template="a.tx" y="4"/>', "units")
    assert problem in str(refusal(tmp_path, text))
    assert "in the map's folder" in str(refusal(tmp_path, text.replace("a.tx", "../a.tx")))


def test_a_folder_is_no_tileset(tmp_path):
    (tmp_path / "tiles.tsx").mkdir()
    error = refusal(tmp_path, of_tileset('<tileset firstgid="1" source="tiles.tsx"/>'))
    assert "is not a regular file" in str(error)


def test_a_map_that_names_itself_as_a_tileset_is_refused(tmp_path):
    error = refusal(tmp_path, of_tileset('<tileset firstgid="1" source="bad.tmx"/>'))
    assert "is of type 'map', must be 'tileset'" in str(error)


def test_a_missing_extra_tells_how_to_get_it(tmp_path, monkeypatch):
    name = "compression" if sys.version_info >= (3, 14) else "backports"
    text = of_base64(packed(GIDS, "zstd"), "zstd")
    monkeypatch.setitem(sys.modules, name, None)
    assert 'pip install "terrain3d-tactics[tiled]"' in str(refusal(tmp_path, text))


def small(tmp_path, content, name="bad.tmx"):
    """Give the error of a file that must be refused without much memory."""
    tracemalloc.start()
    try:
        error = refusal(tmp_path, content, name)
        assert tracemalloc.get_traced_memory()[1] < FEW_BYTES
    finally:
        tracemalloc.stop()
    return str(error)


def sized(rows, cols, orientation="orthogonal"):
    shown = SQUARE.replace("orthogonal", orientation)
    return tmx(shape=(rows, cols), attributes=shown)


def test_huge_sizes_are_refused_before_memory_is_taken(tmp_path):
    assert "makes 9000000000000 tiles" in small(tmp_path, sized(3_000_000, 3_000_000))
    assert "whole number in 1..8388608" in small(tmp_path, sized(10**12, 1))
    # Turned by 45 degrees, a line becomes a square.
    assert "tiles; the limit, max_surfaces," in small(tmp_path, sized(1, 8_000_000, "staggered"))
    assert "tiles; the limit, max_surfaces," in small(tmp_path, sized(8_000_000, 1, "staggered"))


def test_chunks_far_apart_are_refused_before_memory_is_taken(tmp_path):
    chunks = "".join(
        f'<chunk x="{x}" y="{x}" width="1" height="1">1</chunk>' for x in (-(10**9), 10**9)
    )
    text = of_data(f'<data encoding="csv">{chunks}</data>', attributes=f'{SQUARE} infinite="1"')
    assert "tiles; the limit, max_surfaces," in small(tmp_path, text)
    text = text.replace('x="1000000000"', 'x="1000000000000"')
    assert "chunks[1].x: must be a whole number" in small(tmp_path, text)


def test_a_huge_chunk_is_refused_before_memory_is_taken(tmp_path):
    chunk = '<chunk x="0" y="0" width="9000" height="9000">AAAA</chunk>'
    text = of_data(f'<data encoding="base64">{chunk}</data>', attributes=f'{SQUARE} infinite="1"')
    assert "layers[0].chunks[0]: makes 81000000 tiles on all layers" in small(tmp_path, text)


def bomb(compression):
    data = bytes(10**8)
    if compression == "zstd":
        from backports import zstd

        return base64.b64encode(zstd.compress(data, 3)).decode()
    stream = zlib.compressobj(9, wbits=31 if compression == "gzip" else 15)
    return base64.b64encode(stream.compress(data) + stream.flush()).decode()


@pytest.mark.parametrize("compression", tile_data.COMPRESSIONS[1:])
def test_decompression_bombs_do_not_go_off(tmp_path, compression):
    assert "holds more than 6 tiles" in small(tmp_path, of_base64(bomb(compression), compression))


def test_many_full_layers_of_little_data_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(map_reader, "MAX_LAYER_TILES", 1)
    full = '<layer width="2896" height="2896"><data encoding="base64" compression="zlib">{}'
    data = base64.b64encode(zlib.compress(bytes(4 * 2896 * 2896), 9)).decode()
    text = tmx((full + "</data></layer>").format(data) * 2, shape=(2896, 2896))
    assert "layers[1]: makes 16773632 tiles on all layers" in str(refusal(tmp_path, text))


def test_too_many_elements_layers_and_tiles_are_refused(tmp_path, monkeypatch):
    text = one_layer("aaa\naab")
    monkeypatch.setattr(tile_layers, "MAX_USED", 1)
    assert "uses 2 distinct tiles; the limit is 1" in str(refusal(tmp_path, text))
    monkeypatch.setattr(tile_layers, "MAX_LAYERS", 0)
    assert "layers: are more than 0" in str(refusal(tmp_path, text))
    monkeypatch.setattr(xml_elements, "MAX_NODES", 4)
    assert "holds more than 4 elements" in str(refusal(tmp_path, text))


def test_tilesets_beside_a_map_are_small(tmp_path, monkeypatch):
    (tmp_path / "tiles.tsx").write_text(PLAIN.replace('firstgid="1" ', ""))
    monkeypatch.setattr(referenced_files, "MAX_BYTES", 2 * len(PLAIN))
    refer = '<tileset firstgid="{}" source="tiles.tsx"/>'
    two, three = ("".join(refer.format(1 + 26 * i) for i in range(count)) for count in (2, 3))
    path = tmp_path / "map.tmx"
    path.write_text(of_tileset(two))
    TileMap.load(path)
    assert "the files that the map refers to have more than" in str(
        refusal(tmp_path, of_tileset(three))
    )


def test_a_larger_map_is_read_if_one_asks_for_it(tmp_path):
    path = tmp_path / "map.tmx"
    path.write_text(one_layer("aaa\naab"))
    with pytest.raises(MapFileError, match="makes 6 tiles; the limit, max_surfaces, is 5"):
        TileMap.load(path, max_surfaces=5)
    assert TileMap.load(path, max_surfaces=6).rows == 2


WHOLE = tmx(
    layer("aab\n.ba", 'offsety="-4"', props(level=2)),
    layer("abc\ndef", 'class="level"'),
    f'<objectgroup name="units"><object id="1" x="4" y="4">{props(deck=0)}</object></objectgroup>',
    f'<objectgroup name="links">{LINE.format(points="0,0 8,0")}</objectgroup>',
    shape=(2, 3),
)


def read(path):
    """Read a file that may be bad: a map or a MapFileError that tells the file, nothing else."""
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
    told = [{"name": "level", "type": "int", "value": 1}]
    fields["tilesets"][0]["tiles"][0]["properties"] = told
    fields["tilesets"][0]["wangsets"] = [
        {"colors": [{"name": "Grass"}], "wangtiles": [{"tileid": 1, "wangid": [0, 1, 0, 1]}]}
    ]
    spot = {"id": 1, "x": 4, "y": 4, "polyline": [{"x": 0, "y": 0}, {"x": 8, "y": 0}]}
    fields["layers"] += [
        {"type": "objectgroup", "name": "links", "objects": [{**spot, "properties": told}]},
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
