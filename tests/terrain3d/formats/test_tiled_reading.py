"""Tiled maps: their layers, tilesets and orientations, and the kinds of ground that they make."""

import itertools
import json

import numpy as np
import pytest

from terrain3d import KINDS, MapFileError, TileMap
from terrain3d.core.files import COMPRESSIONS
from terrain3d.formats.tiled.objects import Layout
from tests.support.selection import table
from tests.support.tiled_files import (
    NAMED,
    PICTURE,
    PLAIN,
    ROWS,
    SHEET,
    SQUARE,
    csv,
    gids_of,
    heights,
    layer,
    objects,
    one_layer,
    packed,
    picture_of,
    prop,
    props,
    refusal,
    tmj,
    tmx,
)


def of_layer(data):
    return f'<layer name="a" width="4" height="3">{data}</layer>'


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_packed_tiles_are_read_in_both_forms(load, compression):
    data = packed(gids_of(PICTURE), compression)
    how = f'encoding="base64" compression="{compression}"'
    assert picture_of(load(tmx(of_layer(f"<data {how}>\n  {data}\n</data>"), shape=(3, 4)))) == ROWS
    more = {"data": data, "encoding": "base64", "compression": compression}
    assert picture_of(load(tmj(gids_of(PICTURE), **more), "map.tmj")) == ROWS


def test_tiles_are_read_as_text_lists_and_elements(load):
    doctype = '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'
    for old in ("", doctype):
        assert picture_of(load(one_layer(PICTURE).replace("\n<map", f"\n{old}<map", 1))) == ROWS
    assert picture_of(load(tmj(gids_of(PICTURE)), "map.tmj")) == ROWS
    elements = "".join(f'<tile gid="{gid}"/>' for row in gids_of(PICTURE) for gid in row)
    assert picture_of(load(tmx(of_layer(f"<data>{elements}</data>"), shape=(3, 4)))) == ROWS


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252"])
def test_other_encodings_are_read_as_declared(tmp_path, encoding):
    text = one_layer(PICTURE).replace("UTF-8", encoding).replace('"a"', '"é"')
    path = tmp_path / "map.tmx"
    path.write_bytes(text.encode(encoding))
    assert TileMap.load(path).kinds[0].name == "é"


def test_flipped_tiles_are_plain_tiles(record):
    rows = [[1 | 0x80000000, 2 | 0x40000000, 3 | 0x20000000, 4 | 0x10000000]]
    found = record(tmj(rows), "map.tmj")
    assert picture_of(found.tilemap) == ["abcd"]
    assert found.notes == ("left out: flips and rotations of tiles",)


def test_levels_come_from_layers_groups_and_tiles_added(load):
    tiles = f'<tile id="0" type="a">{props(level=3)}</tile>'
    upper = layer(".a.b", properties=props(level=2))
    group = f'<group name="hill">{props(level=10)}{upper}</group>'
    tilemap = load(heights(layer("aacc"), group, tiles=tiles))
    assert tilemap.level.tolist() == [[3, 15, 0, 12]]
    below = load(heights(layer("ab.a"), tiles=tiles.replace("3", "-3")))
    assert below.level.tolist() == [[0, 3, 3, 0]]


def test_levels_come_from_shifts_in_the_picture(record):
    low, high = layer("aaaa"), layer(".a..", 'offsety="-4"')
    far = layer("..a.", 'offsety="-5"')
    group = f'<group name="far" offsety="-8">{far}</group>'
    found = record(heights(low, high, group))
    assert found.tilemap.level.tolist() == [[0, 1, 3, 0]]  # half a tile, 4 pixels, is a level


@pytest.mark.parametrize("more", ['class="level"', 'name="Level"', 'visible="0" class="level"'])
def test_levels_come_from_a_layer_of_numbers(load, more):
    tiles = f'<tile id="7">{props(level=40)}</tile>'
    numbers = layer("ab.h", more).replace('name="ground" ', "" if "name" in more else 'name="x" ')
    tilemap = load(heights(layer("aaa."), numbers, tiles=tiles))
    assert tilemap.level.tolist() == [[0, 1, 0, 40]]
    assert tilemap.void.tolist() == [[False, False, False, True]]


def test_decks_are_layers_with_a_number(load):
    bridge = layer(".aa.", properties=props(deck=1))
    levels = layer(".de.", 'class="level"', props(deck=1))
    tilemap = load(heights(layer("aaaa"), bridge, levels, tiles=NAMED))
    assert tilemap.level_at((0, 1, 1)) == 3
    assert tilemap.level_at((0, 2, 1)) == 4
    assert not tilemap.level.any()


def test_lists_hold_values_of_any_type(load):
    inside = f"<properties>{prop('x', '2', 'int')}</properties>"
    items = f'<item type="int" value="3"/><item value="gold"/><item type="class">{inside}</item>'
    entry = f'<property name="loot" type="list">{items}<item type="list"/></property>'
    listed = f"<properties>{entry}</properties><tileset"
    text = heights(layer("aaaa")).replace("<tileset", listed, 1)
    expected = {"loot": [3, "gold", {"x": 2}, []]}
    assert load(text).extras["metadata"] == expected
    typed = [{"type": "int", "value": 3}, {"type": "string", "value": "gold"}]
    typed += [{"type": "class", "value": {"x": 2}}, {"type": "list", "value": []}]
    entry = {"name": "loot", "type": "list", "value": typed}
    text = json.dumps({**json.loads(tmj([[1]])), "properties": [entry]})
    assert load(text).extras["metadata"] == expected


LOSSES = {
    '<imagelayer name="sky"/>': "layers of type 'imagelayer'",
    layer("aaaa", 'visible="0"'): "hidden layers",
    objects('<object id="1" x="900" y="0" name="far"/>'): "objects outside the map",
    objects(
        '<object id="1" x="4" y="4" name="road"><polyline points="0,0 8,0"/></object>'
    ): "lines that are neither link nor wall",
    layer(".bb.") + layer(".aa.", 'visible="0"'): "hidden layers, tiles under others",
}


@pytest.mark.parametrize("part", LOSSES)
def test_losses_of_tiled_maps_are_noted_in_one_line(record, part):
    assert record(heights(layer("aaaa"), part, tiles=NAMED)).notes == (f"left out: {LOSSES[part]}",)


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
    assert picture_of(found.tilemap) == ["abab"]
    assert found.notes == ("left out: tiles under others",)


def test_unnamed_kinds_of_covered_tiles_are_left_out(record):
    found = record(heights(layer("ijkl"), layer(".b.a"), tiles=NAMED))
    assert [kind.name for kind in found.tilemap.kinds] == ["a", "b", "t 8", "t 10", "void"]
    assert picture_of(found.tilemap) == ["t 8bt 10a"]
    covered = record(heights(layer("zz.."), layer("ab.."), tiles=NAMED))
    assert [kind.name for kind in covered.tilemap.kinds] == ["a", "b", "void"]
    assert len(covered.notes) == 1
    holes = record(heights(layer("zz.."), layer("aa.."), tiles='<tile id="0" type="void"/>'))
    assert [kind.name for kind in holes.tilemap.kinds] == ["void", "grass"]


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
    references = "".join(f'<tileset firstgid="{gid}" source="t.tsx"/>' for gid in (2, 1))
    tilemap = load(one_layer("ab", tileset=references))
    assert tilemap.level.tolist() == [[2, 2]]
    assert picture_of(tilemap) == ["moormoor"]


def test_tiles_that_a_tileset_beside_the_map_has_lost_are_kinds_by_number(record, tmp_path):
    tileset = PLAIN.replace('firstgid="1" ', "").replace('tilecount="26"', 'tilecount="3"')
    (tmp_path / "tiles.tsx").write_text(tileset)
    reference = '<tileset firstgid="1" source="tiles.tsx"/>'
    gone = record(one_layer("ab", tileset=reference.replace("tiles.", "gone.")))
    assert gone.notes == ("left out: the missing file 'gone.tsx'",)
    found = record(one_layer("abz", tileset=reference))
    assert [found.tilemap.kinds[kind].name for kind in found.tilemap.kind[0]] == ["a", "b", "t 25"]
    assert found.notes == ("left out: tiles that 't' has lost",)


@pytest.mark.parametrize(("count", "named"), [(255, 255), (256, 256), (300, 8)])
def test_a_map_has_the_kinds_that_fit_and_joins_those_without_names(record, tmp_path, count, named):
    tiles = "".join(f'<tile id="{n}">{props(kind=f"kind {n}")}</tile>' for n in range(named))
    tileset = SHEET.replace('tilecount="26"', f'tilecount="{count}"').format(tiles=tiles)
    data = f'<data encoding="csv">{csv([list(range(1, count + 1))])}</data>'
    ground = f'<layer name="a" width="{count}" height="1">{data}</layer>'
    text = tmx(ground, shape=(1, count), tileset=tileset)
    if named == 256:
        assert "a map has 1..255 kinds besides void, got 256" in str(refusal(tmp_path, text))
    else:
        others = ["t", "void"] if named < count else ["void"]
        names = [kind.name for kind in record(text).tilemap.kinds]
        assert names == [*(f"kind {number}" for number in range(named)), *others]


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


def attributes(orientation, axis="", index="", side=0):
    fields = f'orientation="{orientation}" tilewidth="8" tileheight="8"'
    return f'{fields} staggeraxis="{axis}" staggerindex="{index}" hexsidelength="{side}"'


@table(
    "shown topology",
    (attributes("hexagonal", "y", "odd", 4), "hex_odd_r"),
    (attributes("hexagonal", "y", "even", 4), "hex_even_r"),
    (attributes("hexagonal", "x", "odd", 4), "hex_odd_q"),
    (attributes("hexagonal", "x", "even", 4), "hex_even_q"),
    ('orientation="isometric" tilewidth="8" tileheight="4"', "square"),
    ('orientation="orthogonal" tilewidth="8" tileheight="8"', "square"),
)
def test_orientations_are_topologies_of_the_same_rows(load, shown, topology):
    tilemap = load(one_layer(PICTURE, attributes=shown))
    assert tilemap.topology == topology
    assert picture_of(tilemap) == ROWS


OFFSET = pytest.mark.parametrize(("axis", "index"), list(itertools.product("xy", ["odd", "even"])))


def hexagon(row, col, size, side_px, axis, is_odd):
    """Return the corners of a tile, clockwise, of any height, width and length of its edges."""
    if axis == "x":
        flipped = hexagon(col, row, size[::-1], side_px, "y", is_odd)
        return [(x, y) for y, x in reversed(flipped)]
    width, height = size
    left = width * (col + (row % 2 == is_odd) / 2)
    top, inset = row * (height + side_px) / 2, (height - side_px) / 2
    x, right, end = left + width / 2, left + width, top + height
    near, far = top + inset, end - inset
    return [(x, top), (right, near), (right, far), (x, end), (left, far), (left, near)]


@OFFSET
@pytest.mark.parametrize("size", [(40, 40), (64, 24), (20, 60)])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 1])
def test_a_point_is_on_the_tile_whose_outline_is_around_it(axis, index, size, share):
    side_px = round(share * size[axis == "y"])
    is_odd = index == "odd"
    layout = Layout("hexagonal", size, axis, is_odd, side_px)
    rng = np.random.default_rng(5)
    n_inside = 0
    for place in itertools.product(range(2, 4), repeat=2):
        corners = np.array(hexagon(*place, size, side_px, axis, is_odd))
        for point in rng.uniform(corners.min(axis=0), corners.max(axis=0), (60, 2)):
            (x, y), (next_x, next_y) = (corners - point).T, (np.roll(corners, -1, axis=0) - point).T
            if (x * next_y - y * next_x > -1e-9).all():
                n_inside += 1
                assert layout.position_at(*point) == place
    assert n_inside > 100


def infinite(*chunks, shown=SQUARE):
    parts = "".join(
        f'<chunk x="{x}" y="{y}" width="{len(gids_of(picture)[0])}" '
        f'height="{len(gids_of(picture))}">{csv(gids_of(picture))}</chunk>'
        for x, y, picture in chunks
    )
    text = f'<layer name="a" width="9" height="9"><data encoding="csv">{parts}</data></layer>'
    return tmx(text, shape=(7, 9), attributes=f'infinite="1" {shown}')


def test_an_infinite_map_ends_where_its_tiles_end(load):
    text = infinite((-2, 3, "..\n.a"), (0, 5, "b.\n.."), (16, 16, "..\n.."))
    assert picture_of(load(text)) == ["a.", ".b"]


def test_an_infinite_map_without_tiles_has_its_size(load):
    text = infinite().replace('<data encoding="csv"></data>', '<data encoding="csv"/>')
    tilemap = load(text)
    assert tilemap.level.shape == (7, 9)
    assert tilemap.void.all()


@pytest.mark.parametrize("first", [-3, -2, 0, 1])
@pytest.mark.parametrize(("axis", "end"), [("y", "r"), ("x", "q")])
def test_the_offset_lines_of_an_infinite_map_stay_the_same(load, first, axis, end):
    x, y = (0, first) if axis == "y" else (first, 0)
    tilemap = load(infinite((x, y, "ab\ncd"), shown=attributes("hexagonal", axis, "odd", 4)))
    assert tilemap.topology == f"hex_{'even' if first % 2 else 'odd'}_{end}"
