"""Bad Tiled files, and those beyond the limits, are refused with the place and the problem."""

import base64
import json
import re
import sys
import zlib

import pytest

from terrain3d import TileMap
from terrain3d.core.files import COMPRESSIONS
from terrain3d.formats.tiled import reader
from tests.support.limits import FEW_BYTES, peak_while
from tests.support.selection import table
from tests.support.tiled_files import (
    CSV,
    GIDS,
    LINE,
    PLAIN,
    SQUARE,
    layer,
    of_base64,
    of_data,
    of_objects,
    of_tile,
    of_tileset,
    one_layer,
    packed,
    prop,
    props,
    refusal,
    tmj,
    tmx,
)

SHAPE = 'width="3" height="2"'


def of_csv(data, **other):
    return of_data(f'<data encoding="csv">{data}</data>', **other)


def of_props(*entries):
    return f"<properties>{''.join(entries)}</properties>"


BAD = [
    # content, place and problem in the error
    (of_csv("1,2,3,4,1"), "layers[0].data: holds 5 tiles, must be 6"),
    *(
        (of_csv(f"1,2,3,4,{gid},1"), "layers[0].data: must hold whole numbers in 0..4294967295")
        for gid in ("", "-1", "4294967296", "9" * 9999, "٣", "1.5", "[", '{"1": 1}')
    ),
    (of_csv("1," * 99999), "holds more than 6 tiles"),
    (of_data(CSV, tileset=""), "layers[0].data: tile 1 is in no tileset"),
    (of_data('<data><tile gid="1"/></data>'), "holds 1 tiles, must be 6"),
    (of_data('<data encoding="morse">1</data>'), "encoding must be csv or base64, got 'morse'"),
    (of_data(""), "layers[0].data: is missing"),
    (of_data(CSV + CSV), "line 2: has <data> twice in one <layer>"),
    (of_data(CSV, shape='width="2" height="3"'), "layers[0]: is 3 x 2, the map is 2 x 3"),
    (of_data(CSV, shape=f'{SHAPE} offsety="1e999"'), "offsety: must be a number in -1073741824.."),
    (of_data(CSV, shape=f'{SHAPE} visible="maybe"'), "must be true or false"),
    (of_base64("A", "zlib"), "layers[0].data: is not base64"),
    (of_base64("AAAA", "zlib"), "cannot be unpacked"),
    (of_base64("AAAA", "lzma"), "compression must be one of zlib, gzip, zstd, got 'lzma'"),
    *((of_base64(packed([[1] * 5], name), name), "less than 6") for name in COMPRESSIONS),
    *((of_base64(packed([[1] * 7], name), name), "more than 6") for name in COMPRESSIONS),
    *(
        (of_base64(packed(GIDS, name)[:-8], name), problem)
        for name, problem in (("zlib", "cut short"), ("gzip", "cut short"), ("zstd", "less than 6"))
    ),
    *(
        (of_data(CSV, attributes=SQUARE.replace("orthogonal", name)), "isometric, hexagonal, got")
        for name in ("staggered", "oblique")
    ),
    (
        of_data(CSV, attributes=f'{SQUARE} staggeraxis="z"'.replace("orthogonal", "hexagonal")),
        "staggeraxis: must be one of x, y, got 'z'",
    ),
    (of_tileset('<tileset firstgid="1"/><tileset firstgid="1"/>'), "the same firstgid"),
    (of_tileset('<tileset firstgid="1"><tile/></tileset>'), "tilesets[0].tiles[0].id: is missing"),
    (of_tileset('<tileset firstgid="1"><tile id="1"/><tile id="1"/></tileset>'), "has two tiles 1"),
    (of_tile(props(level="high")), "properties.level: must be a whole number in -32768..32768"),
    (of_tile(props(cost=-1)), "tilesets[0]: tile 0: cost of 'x'"),
    (of_tile(props(color="red")), "color must be #rrggbb"),
    (of_tile(of_props(prop("a", 1), prop("a", 2))), "the property 'a' occurs twice"),
    (of_tile(of_props(prop("a", "1e999", "float"))), "must be of type float"),
    (of_tile(of_props(prop("a", "json:["))), "is not JSON"),
    (of_objects(LINE.format(points="0,0")), "objects[0].polyline: a link must be a line"),
    (of_objects(LINE.format(points="0,0 99,0")), "a link must begin and end on tiles of the map"),
    (of_objects(LINE.format(points="0,0 1e99,0")), "1073741824, got 1e+99"),
    (of_objects(LINE.format(points="0,0 1,0")), "objects[0]: a link needs two different ends"),
    (of_objects(LINE.format(points="0,0 16,0"), "walls"), "(0, 0) and (0, 2)"),
    (
        of_objects(LINE.format(points="0,0 8,0").replace("<poly", f"{props(deck=9)}<poly")),
        "(0, 0) has no deck 9",
    ),
    (
        tmx(layer("aaa\naaa", "", props(deck=64)), shape=(2, 3)),
        "properties.deck: must be a whole number in 0..63",
    ),
    ("<tileset/>", "is of type 'tileset', must be 'map'"),
    ("<map>", "line 1: is not XML: no element found"),
    ("", "is empty"),
    ("\0\0\0", "is neither XML nor JSON"),
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
    ({"data": [1, 2, 3, 4, 1, 1.5]}, "layers[0].data: must hold whole numbers"),
    ({"data": {"0": 1}}, "must be a list of gids or text"),
    ({"type": None}, "layers[0].type: must be text"),
    ({"properties": [5]}, "layers[0].properties[0]: must be an object, got 5"),
    ({"properties": [{"name": "a", "type": "float", "value": 10**400}]}, "must be of type float"),
]


@pytest.mark.parametrize(("more", "problem"), BAD_JSON)
def test_bad_json_is_refused_with_its_place(tmp_path, more, problem):
    assert problem in str(refusal(tmp_path, tmj(GIDS, **more), "bad.tmj"))


@table(
    "doctype",
    '<!DOCTYPE map [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
    '<!DOCTYPE map [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE map SYSTEM "file:///etc/passwd" [ %a; ]>',
    '<!DOCTYPE map [<!ATTLIST tile gid CDATA "1">]>',
    '<!DOCTYPE map SYSTEM "http://127.0.0.1:9/map.dtd">',
)
def test_entities_of_a_file_are_refused(tmp_path, doctype):
    text = of_csv("&a;").replace("\n<map", f"{doctype}\n<map")
    error = refusal(tmp_path, text)
    assert re.search("which is refused", str(error))
    assert error.line in (1, 2)


def test_a_tile_with_the_number_of_a_tile_of_the_next_tileset_is_none(load):
    size = 'tilewidth="16" tileheight="16"'
    kinds = f'<tileset firstgid="1" name="kinds" class="kinds" {size} tilecount="2">'
    kinds += '<tile id="0" type="a"/><tile id="45" type="b"/></tileset>'
    numbers = f'<tileset firstgid="3" name="numbers" {size} tilecount="16">'
    numbers += '<image source="n.png" width="64" height="64"/></tileset>'
    tilemap = load(one_layer("a", tileset=kinds + numbers))
    assert [kind.name for kind in tilemap.kinds] == ["a", "void"]


OUTSIDE = "../", "more/../../", "..\\", "C:\\", "\\\\host\\share\\", "link/"
REFERENCES = *(f"{place}tiles.tsx" for place in OUTSIDE), "/etc/passwd", ""


@pytest.mark.parametrize("reference", REFERENCES)
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


@table(
    "content problem",
    ("<map/>", "is of type 'map', must be 'tileset'"),
    ("<tileset", "line 1: is not XML"),
    ("{}", "is of type 'unknown', must be 'tileset'"),
    ("<tileset><tile id='x'/></tileset>", "tiles[0].id: must be a whole number"),
)
def test_errors_in_a_tileset_name_its_file(tmp_path, content, problem):
    (tmp_path / "tiles.tsx").write_text(content)
    error = refusal(tmp_path, of_tileset('<tileset firstgid="1" source="tiles.tsx"/>'))
    assert error.source == str(tmp_path / "tiles.tsx")
    assert problem in str(error)


@table(
    "content problem",
    ("<map/>", "is of type 'map', must be 'template'"),
    ("<template/>", "object: is missing"),
    ('{"type": "template"}', "object: is missing"),
    ("<template><object gid='x' x='1'/></template>", "gid: must be a whole number"),
)
def test_errors_in_a_template_name_its_file(tmp_path, content, problem):
    (tmp_path / "a.tx").write_text(content)
    text = of_objects('<object id="1" template="a.tx" y="4"/>', "units")
    assert problem in str(refusal(tmp_path, text))
    assert "in the map's folder" in str(refusal(tmp_path, text.replace("a.tx", "../a.tx")))


def test_the_error_names_the_command_that_installs_zstd(tmp_path, monkeypatch):
    name = "compression" if sys.version_info >= (3, 14) else "backports"
    text = of_base64(packed(GIDS, "zstd"), "zstd")
    monkeypatch.setitem(sys.modules, name, None)
    assert 'pip install "terrain3d-tactics[tiled]"' in str(refusal(tmp_path, text))


def small(tmp_path, content):
    """Return the error of a file that must be refused without much memory."""
    errors = []
    assert peak_while(lambda: errors.append(refusal(tmp_path, content))) < FEW_BYTES
    return str(errors[0])


def sized(rows, cols):
    return tmx(shape=(rows, cols))


def test_huge_sizes_are_refused_before_memory_is_taken(tmp_path):
    assert "makes 9000000000000 tiles" in small(tmp_path, sized(3_000_000, 3_000_000))
    assert "whole number in 1..1073741824" in small(tmp_path, sized(10**12, 1))


def test_chunks_far_apart_are_refused_before_memory_is_taken(tmp_path):
    chunk = '<chunk x="{0}" y="{0}" width="1" height="1">1</chunk>'
    chunks = chunk.format(-(10**9)) + chunk.format(10**9)
    text = of_csv(chunks, attributes=f'{SQUARE} infinite="1"')
    assert "tiles; the limit, max_surfaces," in small(tmp_path, text)
    text = text.replace('x="1000000000"', 'x="1000000000000"')
    assert "chunks[1].x: must be a whole number" in small(tmp_path, text)


def test_a_huge_chunk_is_refused_before_memory_is_taken(tmp_path):
    chunk = '<chunk x="0" y="0" width="9000" height="9000">AAAA</chunk>'
    text = of_data(f'<data encoding="base64">{chunk}</data>', attributes=f'{SQUARE} infinite="1"')
    assert "layers[0].chunks[0]: makes 81000000 tiles on all layers" in small(tmp_path, text)


@pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning")
@pytest.mark.parametrize("name", ["bad.tmx", "bad.tmj"])
def test_chunks_are_counted_on_all_layers(tmp_path, monkeypatch, name):
    def content(n_chunks):
        if name.endswith("tmx"):
            chunk = '<chunk x="{}" y="0" width="1" height="1">{}</chunk>'
            chunks = "".join(chunk.format(x, 1) for x in range(n_chunks))
            layer = f'<layer name="{{}}" width="1" height="1"><data>{chunks}</data></layer>'
            layers = layer.format("a") + layer.format("b")
            return tmx(layers, shape=(1, 1), attributes=f'{SQUARE} infinite="1"')
        fields = json.loads(tmj(GIDS))
        del fields["layers"][0]["data"]
        chunk = {"y": 0, "width": 1, "height": 1, "data": [1]}
        fields["layers"][0]["chunks"] = [{**chunk, "x": x} for x in range(n_chunks)]
        return json.dumps({**fields, "infinite": True, "layers": fields["layers"] * 2})

    monkeypatch.setattr(reader, "MAX_PARTS", 10)
    (tmp_path / name).write_text(content(4))
    assert TileMap.load(tmp_path / name).cols == 4
    said = str(refusal(tmp_path, content(5), name))
    assert "layers[1].chunks[3]: is beyond the limit of 10 layers, chunks and objects" in said


def test_attributes_and_points_are_counted_before_they_are_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MAX_VALUES", 1000)
    many = "".join(f' a{number}=""' for number in range(2**17))
    assert "holds more than 1000 attributes" in small(tmp_path, f"<map{many}/>")
    text = f'<map><polyline/>\n<polyline points="{"0,0 " * 2**17}"/></map>'
    assert "line 2: holds more than 1000 elements and points" in small(tmp_path, text)


def test_spaces_between_encoded_tiles_take_no_memory(tmp_path):
    assert "holds more than 6 values" in small(tmp_path, of_base64("AA " * 2**20, ""))


def bomb(compression):
    data = bytes(10**8)
    if compression == "zstd":
        from backports import zstd

        return base64.b64encode(zstd.compress(data, 3)).decode()
    stream = zlib.compressobj(9, wbits=31 if compression == "gzip" else 15)
    return base64.b64encode(stream.compress(data) + stream.flush()).decode()


@pytest.mark.parametrize("compression", COMPRESSIONS[1:])
def test_decompression_bombs_do_not_go_off(tmp_path, compression):
    assert "holds more than 6 values" in small(tmp_path, of_base64(bomb(compression), compression))


def test_highly_compressed_layers_with_too_many_tiles_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MAX_LAYER_TILES", 1)
    full = '<layer width="2896" height="2896"><data encoding="base64" compression="zlib">{}'
    data = base64.b64encode(zlib.compress(bytes(4 * 2896 * 2896), 9)).decode()
    text = tmx((full + "</data></layer>").format(data) * 2, shape=(2896, 2896))
    assert "layers[1]: makes 16773632 tiles on all layers" in str(refusal(tmp_path, text))


def test_too_many_elements_layers_and_tiles_are_refused(tmp_path, monkeypatch):
    text = one_layer("aaa\naab")
    monkeypatch.setattr(reader, "MAX_PARTS", 1)
    assert "uses more than 1 distinct tiles" in str(refusal(tmp_path, text))
    monkeypatch.setattr(reader, "MAX_PARTS", 0)
    assert "layers[0]: is beyond the limit of 0 layers" in str(refusal(tmp_path, text))
    monkeypatch.setattr(reader, "MAX_VALUES", 4)
    assert "holds more than 4 elements" in str(refusal(tmp_path, f"<map>{'<a/>' * 4}</map>"))


def test_tilesets_beside_a_map_are_small(tmp_path, monkeypatch):
    (tmp_path / "tiles.tsx").write_text(PLAIN.replace('firstgid="1" ', ""))
    monkeypatch.setattr(reader, "MAX_BYTES", 2 * len(PLAIN))
    refer = '<tileset firstgid="{}" source="tiles.tsx"/>'
    two, three = ("".join(refer.format(1 + 26 * i) for i in range(count)) for count in (2, 3))
    path = tmp_path / "map.tmx"
    path.write_text(of_tileset(two))
    TileMap.load(path)
    said = str(refusal(tmp_path, of_tileset(three)))
    assert "the files that the map refers to have more than" in said
