"""Tiled files beyond the limits, and files that they refer to, are refused."""

import base64
import json
import sys
import zlib

import pytest

from terrain3d import MapFileError, TileMap
from terrain3d.core.files import COMPRESSIONS
from terrain3d.formats.tiled import reader
from tests.support.peak_memory import FEW_BYTES, peak_while
from tests.support.tiled_files import (
    GIDS,
    PLAIN,
    SQUARE,
    of_base64,
    of_data,
    of_objects,
    of_tileset,
    one_layer,
    packed,
    refusal,
    tmj,
    tmx,
)


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
        ("<map/>", "is of type 'map', must be 'tileset'"),
        ("<tileset", "line 1: is not XML"),
        ("{}", "is of type 'unknown', must be 'tileset'"),
        ("<tileset><tile id='x'/></tileset>", "tiles[0].id: must be a whole number"),
    ],
)
def test_errors_in_a_tileset_name_its_file(tmp_path, content, problem):
    (tmp_path / "tiles.tsx").write_text(content)
    error = refusal(tmp_path, of_tileset('<tileset firstgid="1" source="tiles.tsx"/>'))
    assert error.source == str(tmp_path / "tiles.tsx")
    assert problem in str(error)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("<map/>", "is of type 'map', must be 'template'"),
        ("<template/>", "object: is missing"),
        ('{"type": "template"}', "object: is missing"),
        ("<template><object gid='x' x='1'/></template>", "gid: must be a whole number"),
    ],
)
def test_errors_in_a_template_name_its_file(tmp_path, content, problem):
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


def test_the_error_names_the_command_that_installs_zstd(tmp_path, monkeypatch):
    name = "compression" if sys.version_info >= (3, 14) else "backports"
    text = of_base64(packed(GIDS, "zstd"), "zstd")
    monkeypatch.setitem(sys.modules, name, None)
    assert 'pip install "terrain3d-tactics[tiled]"' in str(refusal(tmp_path, text))


def small(tmp_path, content, name="bad.tmx"):
    """Return the error of a file that must be refused without much memory."""
    errors = []
    assert peak_while(lambda: errors.append(refusal(tmp_path, content, name))) < FEW_BYTES
    return str(errors[0])


def sized(rows, cols):
    return tmx(shape=(rows, cols))


def test_huge_sizes_are_refused_before_memory_is_taken(tmp_path):
    assert "makes 9000000000000 tiles" in small(tmp_path, sized(3_000_000, 3_000_000))
    assert "whole number in 1..1073741824" in small(tmp_path, sized(10**12, 1))


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


def test_attributes_are_counted_before_they_are_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MAX_VALUES", 1000)
    many = "".join(f' a{number}=""' for number in range(2**17))
    assert "holds more than 1000 attributes" in small(tmp_path, f"<map{many}/>")


def test_points_are_counted_before_they_are_split(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MAX_VALUES", 1000)
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
    assert "the files that the map refers to have more than" in str(
        refusal(tmp_path, of_tileset(three))
    )


def test_a_larger_map_is_read_if_one_asks_for_it(tmp_path):
    path = tmp_path / "map.tmx"
    path.write_text(one_layer("aaa\naab"))
    with pytest.raises(MapFileError, match="makes 6 tiles; the limit, max_surfaces, is 5"):
        TileMap.load(path, max_surfaces=5)
    assert TileMap.load(path, max_surfaces=6).rows == 2
