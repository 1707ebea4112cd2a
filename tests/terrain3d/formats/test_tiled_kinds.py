"""Kinds of ground from the layers and tilesets of Tiled maps."""

import json

import numpy as np
import pytest

from terrain3d import KINDS, MapFileError, TileMap
from terrain3d.formats.tiled.reader import _MAX_KINDS
from tests.support.tiled_files import (
    NAMED,
    PICTURE,
    PLAIN,
    ROWS,
    SHEET,
    csv,
    heights,
    layer,
    one_layer,
    picture_of,
    props,
    refusal,
    tmj,
    tmx,
)


def test_kinds_come_from_classes_and_properties(load):
    tiles = (
        '<tile id="0" type="grass"/><tile id="1" class="moor"/>'
        f'<tile id="2" type="x">{props(kind="Lava flow", cost=7, depth=2)}</tile>'
        f'<tile id="3" type="wall">{props(cost="none", tags="solid, tall", color="#ff336699")}'
        "</tile>"
    )
    tilemap = load(heights(layer("abcd"), tiles=tiles))
    grass, moor, lava, wall = tilemap.kinds[:4]
    assert grass == KINDS[0]
    assert (moor.name, moor.cost) == ("moor", 1)
    assert (lava.name, lava.cost, lava.depth, lava.texture) == ("Lava flow", 7, 2, "lava")
    assert (wall.cost, wall.tags) == (None, {"solid", "tall"})
    assert wall.color == (0x33 / 255, 0x66 / 255, 0x99 / 255)


def test_the_last_word_that_means_a_kind_sets_its_looks(load):
    tiles = '<tile id="0" type="sand ROAD 2"/><tile id="1" type="Dark-Dirt!"/>'
    sand_road, dirt = load(heights(layer("abab"), tiles=tiles)).kinds[:2]
    assert (sand_road.name, sand_road.texture) == ("sand ROAD 2", "paving")
    assert (dirt.name, dirt.texture, dirt.props) == ("Dark-Dirt!", "soil", "stones")


def test_the_name_of_a_tileset_is_no_kind(load):
    tilemap = load(one_layer("ab", tileset='<tileset firstgid="1" name="water"/>'))
    assert [kind.name for kind in tilemap.kinds] == ["water 0", "water 1", "void"]
    assert [kind.cost for kind in tilemap.kinds] == [1, 1, None]
    assert tilemap.kinds[0].color != tilemap.kinds[1].color


def test_terrains_name_kinds_by_most_of_their_corners(load):
    wang = """<wangsets><wangset name="w" type="corner">
        <wangcolor name="Grass" color="#00ff00"/><wangcolor name="Water" color="#0000ff"/>
        <wangtile tileid="0" wangid="0,1,0,1,0,2,0,1"/>
        <wangtile tileid="1" wangid="0,2,0,2,0,2,0,1"/>
        <wangtile tileid="2" wangid="0,2,0,1,0,2,0,1"/></wangset></wangsets>"""
    first = """<wangsets><wangset name="w" tile="0">
        <wangedgecolor name="Road" color="#c17d11" tile="3" probability="1"/>
        <wangcornercolor name="Grass" color="#00ff00" tile="0" probability="1"/>
        <wangcornercolor name="Water" color="#0000ff" tile="1" probability="1"/>
        <wangtile tileid="0" wangid="0x10102010"/><wangtile tileid="1" wangid="0x20202020"/>
        <wangtile tileid="2" wangid="0x20111010"/></wangset></wangsets>"""
    for tiles in (wang, first):
        tilemap = load(heights(layer("abcd"), tiles=tiles))
        names = [tilemap.kind_at((0, col)).name for col in range(4)]
        assert names == ["Grass", "Water", "Grass", "t 3"]
        assert tilemap.kinds[0].texture == "grass"
        assert tilemap.kinds[1].cost is None


def test_the_topmost_tile_with_a_kind_decides(record):
    decor = layer("zza.")  # z has no kind, a has one
    found = record(heights(layer("ab.b"), decor, tiles=NAMED))
    names = [found.tilemap.kinds[kind].name for kind in found.tilemap.kind[0]]
    assert names == ["a", "b", "a", "b"]
    assert found.notes == ("left out: tiles under others",)


def test_unnamed_kinds_of_covered_tiles_are_left_out(record):
    found = record(heights(layer("ijkl"), layer(".b.a"), tiles=NAMED))
    assert [kind.name for kind in found.tilemap.kinds] == ["a", "b", "t 8", "t 10", "void"]
    assert [found.tilemap.kinds[kind].name for kind in found.tilemap.kind[0]] == [
        "t 8",
        "b",
        "t 10",
        "a",
    ]
    covered = record(heights(layer("zz.."), layer("ab.."), tiles=NAMED))
    assert [kind.name for kind in covered.tilemap.kinds] == ["a", "b", "void"]
    assert len(covered.notes) == 1
    holes = record(heights(layer("zz.."), layer("aa.."), tiles='<tile id="0" type="void"/>'))
    assert [kind.name for kind in holes.tilemap.kinds] == ["void", "grass"]


def test_more_kinds_than_a_map_has_are_joined_by_tileset(load):
    gids = np.arange(1, 301).reshape(10, 30).tolist()
    tileset = f'<tileset firstgid="1" name="t">{NAMED}</tileset>'
    text = f'<layer name="x" width="30" height="10"><data encoding="csv">{csv(gids)}</data></layer>'
    tilemap = load(tmx(text, shape=(10, 30), tileset=tileset))
    assert [kind.name for kind in tilemap.kinds] == [*"abcdefgh", "t", "void"]
    assert _MAX_KINDS == 255


@pytest.mark.parametrize("name", ["tiles.tsx", "more/tiles.tsx", "tiles.tsj"])
def test_tilesets_are_read_from_files_beside_the_map(load, tmp_path, name):
    (tmp_path / "more").mkdir()
    tileset = SHEET.format(tiles=NAMED).replace('firstgid="1" ', "")
    if name.endswith("j"):
        tileset = json.dumps({**json.loads(tmj([[1]]))["tilesets"][0], "type": "tileset"})
    (tmp_path / name).write_text(tileset)
    reference = f'<tileset firstgid="1" source="{name}"/>'
    assert picture_of(load(one_layer(PICTURE, tileset=reference))) == ROWS
    windows = reference.replace("/tiles", "\\tiles")
    assert picture_of(load(one_layer(PICTURE, tileset=windows))) == ROWS


def test_a_tileset_that_a_map_names_twice_has_the_same_tiles(load, tmp_path):
    tile = f'<tile id="0" type="x">{props(level=2, kind="moor")}</tile>'
    (tmp_path / "t.tsx").write_text(f'<tileset name="t" tilecount="1">{tile}</tileset>')
    references = "".join(f'<tileset firstgid="{gid}" source="t.tsx"/>' for gid in (1, 2))
    tilemap = load(one_layer("ab", tileset=references))
    assert tilemap.level.tolist() == [[2, 2]]
    assert picture_of(tilemap) == ["moormoor"]


def test_tiles_that_a_tileset_beside_the_map_has_lost_are_kinds_by_number(record, tmp_path):
    tileset = PLAIN.replace('firstgid="1" ', "").replace('tilecount="26"', 'tilecount="3"')
    (tmp_path / "tiles.tsx").write_text(tileset)
    reference = '<tileset firstgid="1" source="tiles.tsx"/>'
    found = record(one_layer("abz", tileset=reference))
    assert [found.tilemap.kinds[kind].name for kind in found.tilemap.kind[0]] == ["a", "b", "t 25"]
    assert found.notes == ("left out: tiles that 't' has lost",)


def test_numbers_that_a_tileset_beside_the_map_has_lost_are_refused(tmp_path):
    path = tmp_path / "high.tmx"
    TileMap([[0, 40, 60]]).save(path.with_suffix(".tmj"))
    fields = json.loads(path.with_suffix(".tmj").read_text())
    tileset = {**fields["tilesets"][1], "type": "tileset", "tilecount": 16, "tiles": []}
    (tmp_path / "numbers.tsj").write_text(json.dumps(tileset))
    fields["tilesets"][1] = {"firstgid": tileset.pop("firstgid"), "source": "numbers.tsj"}
    path.write_text(json.dumps(fields))
    with pytest.raises(MapFileError, match=r"layers\[1\].data: tile .* is in no tileset"):
        TileMap.load(path)


def test_tiles_by_id_of_tiled_before_version_1_2_are_refused(tmp_path):
    fields = {**json.loads(tmj([[1]])), "tilesets": [{"firstgid": 1, "tiles": {"0": {}}}]}
    text = json.dumps(fields)
    assert "tilesets[0].tiles: must be a list" in str(refusal(tmp_path, text, "bad.tmj"))


def test_the_tileset_with_the_nearest_first_tile_is_meant(load):
    tilesets = '<tileset firstgid="3" name="b"/><tileset firstgid="1" name="a"/>'
    tilemap = load(one_layer("abcd", tileset=tilesets))
    assert picture_of(tilemap) == ["a 0a 1b 0b 1"]


@pytest.mark.parametrize(("count", "fits"), [(255, True), (256, False)])
def test_a_map_with_more_kinds_than_fit_is_refused_by_their_number(tmp_path, count, fits):
    tiles = "".join(
        f'<tile id="{number}">{props(kind=f"kind {number}")}</tile>' for number in range(count)
    )
    tileset = SHEET.replace('tilecount="26"', f'tilecount="{count}"').format(tiles=tiles)
    gids = [list(range(1, count + 1))]
    data = f'<data encoding="csv">{csv(gids)}</data>'
    ground = f'<layer name="a" width="{count}" height="1">{data}</layer>'
    text = tmx(ground, shape=(1, count), tileset=tileset)
    if fits:
        path = tmp_path / "many.tmx"
        path.write_text(text)
        assert len(TileMap.load(path).kinds) == count + 1
    else:
        assert "a map has 1..255 kinds besides void, got 256" in str(refusal(tmp_path, text))


@pytest.mark.parametrize("name", ["map.tmx", "map.tmj"])
def test_a_map_without_tilesets_is_void(load, name):
    text = tmx(layer("...\n..."), shape=(2, 3), tileset="")
    if name == "map.tmj":
        text = json.dumps({**json.loads(tmj([[0, 0, 0]] * 2)), "tilesets": []})
    assert load(text, name).void.all()
