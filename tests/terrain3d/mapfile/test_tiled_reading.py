"""Tiled maps: what becomes of their layers, tilesets and objects."""

import itertools
import json

import numpy as np
import pytest

from terrain3d import KINDS, TileMap, mapfile
from terrain3d.mapfile.tiled import kind_table, tile_data
from tests.support.tiled_files import (
    NAMED,
    SHEET,
    SQUARE,
    csv,
    gids_of,
    layer,
    one_layer,
    packed,
    picture_of,
    prop,
    props,
    tmj,
    tmx,
)

PICTURE = """
    aab.
    cdba
    aaaa
"""
ROWS = ["aab.", "cdba", "aaaa"]


@pytest.fixture
def load(tmp_path):
    """Give a function that reads a file of a text."""

    def load(text, name="map.tmx"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return TileMap.load(path)

    return load


@pytest.fixture
def record(tmp_path):
    """Give a function that reads a file of a text, notes and all."""

    def record(text, name="map.tmx"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return mapfile.read(path)

    return record


@pytest.mark.parametrize("compression", tile_data.COMPRESSIONS)
def test_packed_tiles_are_read_in_both_forms(load, compression):
    data = packed(gids_of(PICTURE), compression)
    how = f'encoding="base64" compression="{compression}"'
    text = f'<layer name="a" width="4" height="3"><data {how}>\n  {data}\n</data></layer>'
    assert picture_of(load(tmx(text, shape=(3, 4)))) == ROWS
    more = {"data": data, "encoding": "base64", "compression": compression}
    assert picture_of(load(tmj(gids_of(PICTURE), **more), "map.tmj")) == ROWS


def test_tiles_are_read_as_text_lists_and_elements(load):
    assert picture_of(load(one_layer(PICTURE))) == ROWS
    assert picture_of(load(tmj(gids_of(PICTURE)), "map.tmj")) == ROWS
    elements = "".join(f'<tile gid="{gid}"/>' for row in gids_of(PICTURE) for gid in row)
    text = f'<layer name="a" width="4" height="3"><data>{elements}</data></layer>'
    assert picture_of(load(tmx(text, shape=(3, 4)))) == ROWS


def test_the_content_tells_the_format_whatever_the_name(load):
    assert picture_of(load(one_layer(PICTURE), "map.xml")) == ROWS
    assert picture_of(load(tmj(gids_of(PICTURE)), "map.json")) == ROWS


def test_an_old_file_may_name_a_dtd(load):
    doctype = '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'
    text = one_layer(PICTURE).replace("\n<map", f"\n{doctype}<map", 1)
    assert doctype in text
    assert picture_of(load(text)) == ROWS


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252"])
def test_other_encodings_are_read_as_declared(tmp_path, encoding):
    text = one_layer(PICTURE).replace("UTF-8", encoding).replace('"a"', '"é"')
    path = tmp_path / "map.tmx"
    path.write_bytes(text.encode(encoding))
    assert TileMap.load(path).kinds[0].name == "é"


def attributes(orientation, axis="", index="", side=0):
    told = f'orientation="{orientation}" tilewidth="8" tileheight="8"'
    return f'{told} staggeraxis="{axis}" staggerindex="{index}" hexsidelength="{side}"'


@pytest.mark.parametrize(
    ("shown", "topology"),
    [
        (attributes("hexagonal", "y", "odd", 4), "hex_odd_r"),
        (attributes("hexagonal", "y", "even", 4), "hex_even_r"),
        (attributes("hexagonal", "x", "odd", 4), "hex_odd_q"),
        (attributes("hexagonal", "x", "even", 4), "hex_even_q"),
        ('orientation="isometric" tilewidth="8" tileheight="4"', "square"),
        ('orientation="orthogonal" tilewidth="8" tileheight="8"', "square"),
    ],
)
def test_orientations_are_topologies_of_the_same_rows(load, shown, topology):
    tilemap = load(one_layer(PICTURE, attributes=shown))
    assert tilemap.topology == topology
    assert picture_of(tilemap) == ROWS


def center_of(place, axis, index, side_px=0):
    """Give a tile's center in pixels as the reference of the format describes it, for 8 x 8."""
    across, down = place[::-1]
    line = down if axis == "y" else across
    shove = 4 * (line % 2 == (1 if index == "odd" else 0))
    pitch = (8 + side_px) / 2
    if axis == "y":
        return 8 * across + shove + 4, pitch * down + 4
    return pitch * across + 4, 8 * down + shove + 4


def numbered(shape, shown, *parts):
    """Write a map each tile of which is of another kind, and name them all."""
    gids = np.arange(1, shape[0] * shape[1] + 1).reshape(shape).tolist()
    text = f'<layer name="a" width="{shape[1]}" height="{shape[0]}"><data encoding="csv">'
    whole = f"{text}{csv(gids)}</data></layer>"
    named = [chr(96 + gid) if gid <= 8 else f"t {gid - 1}" for row in gids for gid in row]
    return tmx(whole, *parts, shape=shape, attributes=shown), named


STAGGERED = pytest.mark.parametrize(
    ("axis", "index"), list(itertools.product("xy", ["odd", "even"]))
)


@STAGGERED
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (2, 3), (5, 4), (4, 5)])
def test_staggered_tiles_keep_their_neighbors(load, axis, index, shape):
    """Tiles that share an edge in the picture of Tiled are neighbors, and no others."""
    text, named = numbered(shape, attributes("staggered", axis, index))
    tilemap = load(text)
    names = [kind.name for kind in tilemap.kinds]
    cell_of = {names[tilemap.kind[cell]]: cell for cell in np.ndindex(tilemap.kind.shape)}
    places = list(np.ndindex(shape))
    spots = {name: center_of(at, axis, index) for name, at in zip(named, places, strict=True)}
    for one, other in itertools.combinations(named, 2):
        away = [abs(a - b) for a, b in zip(spots[one], spots[other], strict=True)]
        near = [abs(a - b) for a, b in zip(cell_of[one], cell_of[other], strict=True)]
        assert (away == [4, 4]) == (sum(near) == 1)
    assert np.count_nonzero(~tilemap.void) == len(named)
    assert not tilemap.void.all(0).any()  # no line of nothing
    assert not tilemap.void.all(1).any()


@STAGGERED
@pytest.mark.parametrize(("orientation", "side_px"), [("staggered", 0), ("hexagonal", 4)])
def test_objects_of_shoved_tiles_stand_on_the_tile_they_are_drawn_on(
    load, axis, index, orientation, side_px
):
    shape = 4, 5
    for shift_x, shift_y in [(0, 0), (1.5, 0), (-1.5, 0), (0, 1.5), (0, -1.5)]:
        centers = [center_of(place, axis, index, side_px) for place in np.ndindex(shape)]
        marks = "".join(
            f'<object id="{number}" x="{x + shift_x}" y="{y + shift_y}"><point/></object>'
            for number, (x, y) in enumerate(centers)
        )
        shown = attributes(orientation, axis, index, side_px)
        text, named = numbered(shape, shown, objects(marks))
        tilemap = load(text)
        cells = [mark["cell"] for mark in tilemap.extras["waypoints"]]
        assert [tilemap.kind_at(cell).name for cell in cells] == named


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
def test_the_shoved_lines_of_an_infinite_map_stay_the_same(load, first, axis, end):
    x, y = (0, first) if axis == "y" else (first, 0)
    tilemap = load(infinite((x, y, "ab\ncd"), shown=attributes("hexagonal", axis, "odd", 4)))
    assert tilemap.topology == f"hex_{'even' if first % 2 else 'odd'}_{end}"


def test_turned_tiles_are_the_same_tiles(record):
    rows = [[1 | 0x80000000, 2 | 0x40000000, 3 | 0x20000000, 4 | 0x10000000]]
    found = record(tmj(rows), "map.tmj")
    assert [found.kinds[kind].name for kind in found.kind[0]] == ["a", "b", "c", "d"]
    assert any("flipped or rotated" in note for note in found.notes)


def heights(*layers, tiles="", more=""):
    return tmx(*layers, shape=(1, 4), tileset=SHEET.format(tiles=tiles), attributes=SQUARE + more)


def test_levels_come_from_tiles(load):
    tiles = "".join(
        f'<tile id="{number}" type="{name}">{props(**{word: value})}</tile>'
        for number, name, word, value in [(0, "a", "level", 3), (1, "b", "height", 1)]
    )
    tilemap = load(heights(layer("abc."), tiles=tiles))
    assert tilemap.level.tolist() == [[3, 1, 0, 0]]


def test_levels_come_from_layers_groups_and_tiles_added(load):
    tiles = f'<tile id="0" type="a">{props(level=3)}</tile>'
    upper = layer(".a.b", properties=props(level=2))
    group = f'<group name="hill">{props(level=10)}{upper}</group>'
    tilemap = load(heights(layer("aacc"), group, tiles=tiles))
    assert tilemap.level.tolist() == [[3, 15, 0, 12]]


def test_levels_come_from_shifts_in_the_picture(record):
    low, high = layer("aaaa"), layer(".a..", 'offsety="-4"')
    far = layer("..a.", 'offsety="-5"')
    group = f'<group name="far" offsety="-8">{far}</group>'
    found = record(heights(low, high, group))
    assert found.level.tolist() == [[0, 1, 3, 0]]  # half a tile, 4 pixels, is a level
    assert "layer 'far/ground': its offset of -13 pixels is read as 3 levels of 4" in found.notes
    text = heights(low, high).replace("<tileset", props(level_height=2) + "<tileset")
    assert record(text).level.tolist() == [[0, 2, 0, 0]]


@pytest.mark.parametrize("more", ['class="levels"', 'name="Height"', 'visible="0" class="level"'])
def test_levels_come_from_a_layer_of_numbers(load, more):
    tiles = f'<tile id="7">{props(level=40)}</tile>'
    numbers = layer("ab.h", more).replace('name="ground" ', "" if "name" in more else 'name="x" ')
    tilemap = load(heights(layer("aaa."), numbers, tiles=tiles))
    assert tilemap.level.tolist() == [[0, 1, 0, 40]]
    assert tilemap.void.tolist() == [[False, False, False, True]]


def test_a_map_of_one_layer_may_be_called_level(load):
    tilemap = load(one_layer("ab").replace('name="ground"', 'name="Level"'))
    assert picture_of(tilemap) == ["ab"]
    assert not tilemap.level.any()


def test_levels_below_zero_raise_all(record):
    tiles = f'<tile id="0" type="a">{props(level=-3)}</tile>'
    found = record(heights(layer("ab.a"), tiles=tiles))
    assert found.level.tolist() == [[0, 3, 3, 0]]
    assert "the lowest level is -3: all levels are raised by 3" in found.notes


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


def test_the_last_word_that_means_a_kind_tells_its_looks(load):
    tiles = '<tile id="0" type="sand ROAD 2"/><tile id="1" type="Dark-Dirt!"/>'
    sand_road, dirt = load(heights(layer("abab"), tiles=tiles)).kinds[:2]
    assert (sand_road.name, sand_road.texture) == ("sand ROAD 2", "paving")
    assert (dirt.name, dirt.texture, dirt.props) == ("Dark-Dirt!", "soil", "stones")


def test_the_name_of_a_tileset_is_no_kind(load):
    tilemap = load(one_layer("ab", tileset='<tileset firstgid="1" name="water"/>'))
    assert [kind.name for kind in tilemap.kinds] == ["water 0", "water 1", "void"]
    assert [kind.cost for kind in tilemap.kinds] == [1, 1, None]
    assert tilemap.kinds[0].color != tilemap.kinds[1].color


def test_a_layer_names_the_kind_of_tiles_that_do_not(load):
    tiles = '<tile id="0" type="a"/>'
    tilemap = load(heights(layer("ab..", properties=props(kind="swamp")), tiles=tiles))
    assert [tilemap.kind_at((0, col)).name for col in range(3)] == ["a", "swamp", "void"]


def test_terrains_name_kinds_by_most_of_their_corners(load):
    wang = """<wangsets><wangset name="w" type="corner">
        <wangcolor name="Grass" color="#00ff00"/><wangcolor name="Water" color="#0000ff"/>
        <wangtile tileid="0" wangid="0,1,0,1,0,2,0,1"/>
        <wangtile tileid="1" wangid="0,2,0,2,0,2,0,1"/>
        <wangtile tileid="2" wangid="0,2,0,1,0,2,0,1"/></wangset></wangsets>"""
    old = """<terraintypes><terrain name="Grass" tile="0"/><terrain name="Water" tile="1"/>
        </terraintypes><tile id="0" terrain="0,0,1,0"/><tile id="1" terrain="1,1,1,"/>
        <tile id="2" terrain="1,0,0,1"/>"""
    for tiles in (wang, old):
        tilemap = load(heights(layer("abcd"), tiles=tiles))
        names = [tilemap.kind_at((0, col)).name for col in range(4)]
        assert names == ["Grass", "Water", "Grass", "t 3"]
        assert tilemap.kinds[0].texture == "grass"
        assert tilemap.kinds[1].cost is None


def test_the_topmost_tile_that_tells_a_kind_decides(record):
    decor = layer("zza.")  # z tells nothing, a does
    found = record(heights(layer("ab.b"), decor, tiles=NAMED))
    names = [found.kinds[kind].name for kind in found.kind[0]]
    assert names == ["a", "b", "a", "b"]
    assert "where tiles cover each other, one is kept; tiles lost: 2" in found.notes


def test_kinds_without_a_name_that_nothing_shows_are_left_out(record):
    found = record(heights(layer("ijkl"), layer(".b.a"), tiles=NAMED))
    assert [kind.name for kind in found.kinds] == ["a", "b", "t 8", "t 10", "void"]
    assert [found.kinds[kind].name for kind in found.kind[0]] == ["t 8", "b", "t 10", "a"]
    covered = record(heights(layer("zz.."), layer("ab.."), tiles=NAMED))
    assert [kind.name for kind in covered.kinds] == ["a", "b", "void"]
    assert len(covered.notes) == 1
    holes = record(heights(layer("zz.."), layer("aa.."), tiles='<tile id="0" type="void"/>'))
    assert [kind.name for kind in holes.kinds] == ["void", "grass"]


def test_more_kinds_than_a_map_has_are_joined_by_tileset(load):
    gids = np.arange(1, 301).reshape(10, 30).tolist()
    tileset = f'<tileset firstgid="1" name="t">{NAMED}</tileset>'
    text = f'<layer name="x" width="30" height="10"><data encoding="csv">{csv(gids)}</data></layer>'
    tilemap = load(tmx(text, shape=(10, 30), tileset=tileset))
    assert [kind.name for kind in tilemap.kinds] == [*"abcdefgh", "t", "void"]
    assert kind_table._MAX_KINDS == 255


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


def test_the_tileset_with_the_nearest_first_tile_is_meant(load):
    tilesets = '<tileset firstgid="3" name="b"/><tileset firstgid="1" name="a"/>'
    tilemap = load(one_layer("abcd", tileset=tilesets))
    assert picture_of(tilemap) == ["a 0a 1b 0b 1"]


def test_decks_are_layers_with_a_number(load):
    bridge = layer(".aa.", properties=props(deck=1))
    levels = layer(".de.", 'class="level"', props(deck=1))
    tilemap = load(heights(layer("aaaa"), bridge, levels, tiles=NAMED))
    assert tilemap.level_at((0, 1, 1)) == 3
    assert tilemap.level_at((0, 2, 1)) == 4
    assert not tilemap.level.any()


def objects(text, name="stuff", more=""):
    return f'<objectgroup name="{name}" {more}>{text}</objectgroup>'


def test_objects_are_units_and_waypoints(record):
    text = heights(
        layer("aaaa"),
        objects(
            '<object id="1" name="Mira" type="unit" x="12" y="4"><point/>'
            f"{props(team='blue', move=5)}</object>"
            '<object id="2" gid="3" x="24" y="8" width="8" height="16" class="Knight"/>'
            '<object id="3" name="gate" x="1" y="1" width="4" height="4"/>'
        ),
        objects('<object id="4" x="20" y="4"><point/></object>', "Units"),
        objects("", "waypoints"),
    )
    extras = record(text).extras
    assert extras["units"] == [
        {"name": "Mira", "cell": [0, 1], "team": "blue", "move": 5},
        {"cell": [0, 3], "class": "Knight"},
        {"cell": [0, 2]},
    ]
    assert extras["waypoints"] == [{"name": "gate", "cell": [0, 0]}]


def test_objects_of_an_isometric_map_are_counted_by_its_tiles_heights(record):
    shown = 'orientation="isometric" tilewidth="64" tileheight="32"'
    marks = objects('<object id="1" x="80" y="48"/><object id="2" gid="1" x="96" y="64"/>')
    found = record(tmx(layer("aaaa\naaaa"), marks, shape=(2, 4), attributes=shown))
    assert found.extras["waypoints"] == [{"cell": [1, 2]}]
    assert found.extras["units"] == [{"cell": [1, 2]}]


@pytest.mark.parametrize("name", ["units/knight.tx", "knight.tj"])
def test_objects_may_have_a_template(record, tmp_path, name):
    told = {"name": "team", "type": "string", "value": "red"}, {"name": "move", "value": "5"}
    base = {"name": "Knight", "type": "unit", "gid": 1, "width": 8, "height": 8}
    text = json.dumps({"type": "template", "object": {**base, "properties": told}})
    if name.endswith("x"):
        shown = '<tileset firstgid="1" source="x.tsx"/><object name="Knight" type="unit" gid="1"'
        inside = f'{shown} width="8" height="8">{props(team="red", move="5")}</object>'
        text = f"<template>{inside}</template>"
    (tmp_path / "units").mkdir()
    (tmp_path / name).write_text(text)
    entry = f'<object id="1" template="{name}" x="8" y="8">{props(team="blue")}</object>'
    found = record(heights(layer("aaaa"), objects(entry), tiles=NAMED))
    knight = {"name": "Knight", "cell": [0, 1], "team": "blue", "move": "5"}
    assert found.extras["units"] == [knight]
    assert found.notes == ()


def test_lines_are_links_and_walls(load):
    line = '<polyline points="0,0 {x},0"/></object>'
    text = heights(
        layer("aaaa"),
        objects(
            f'<object id="1" x="4" y="4" type="link">{props(cost=2.5, kind="ladder", one_way=True)}'
            + line.format(x=16)
            + f'<object id="2" x="12" y="4" name="door" type="link">{line.format(x=8)}'
        ),
        objects(f'<object id="3" x="20" y="4">{line.format(x=8)}', "walls"),
    )
    tilemap = load(text)
    told = [(*link.start[:2], *link.end[:2], link.cost, link.kind) for link in tilemap.links]
    assert told == [(0, 0, 0, 2, 2.5, "ladder"), (0, 1, 0, 2, 1, "door")]
    assert [link.one_way for link in tilemap.links] == [True, False]
    assert [(wall.start.col, wall.end.col) for wall in tilemap.walls] == [(2, 3)]


def test_map_properties_are_its_step_height_and_metadata(load):
    text = heights(layer("aaaa")).replace(
        "<tileset", props(step_height=0.25, title="Vale", year=7) + "<tileset"
    )
    tilemap = load(text)
    assert tilemap.step_height == 0.25
    assert tilemap.extras == {"metadata": {"title": "Vale", "year": 7}}


def test_properties_may_have_several_lines_and_classes(load):
    inside = f"<properties>{prop('x', '2', 'int')}</properties>"
    told = f'<property name="text">a\nb</property><property name="c" type="class">{inside}'
    text = heights(layer("aaaa")).replace(
        "<tileset", f"<properties>{told}</property></properties><tileset"
    )
    assert load(text).extras["metadata"] == {"text": "a\nb", "c": {"x": 2}}


@pytest.mark.parametrize(
    ("part", "note"),
    [
        ('<imagelayer name="sky"/>', "layer 'sky' of type 'imagelayer' is not kept"),
        (layer("aaaa", 'visible="0"'), "layer 'ground' is hidden and not kept"),
        (layer("aaaa", 'opacity="0.5"'), "layer 'ground': its opacity is not kept"),
        (layer("aaaa", 'offsetx="3"'), "layer 'ground': its offsetx is not kept"),
        (layer("aaaa", 'tintcolor="#ff0000"'), "layer 'ground': tintcolor not kept"),
        (layer("aaaa", "", props(wind=3)), "layer 'ground': the property 'wind' is not kept"),
        (
            objects('<object id="1" x="4" y="4" name="z" gid="1" rotation="45"/>'),
            "object 'z': rotation not kept",
        ),
        (
            objects('<object id="1" x="900" y="0" name="far"/>'),
            "waypoint 'far' is outside the map and is not kept",
        ),
        (
            objects('<object id="1" x="4" y="4" name="way"><polyline points="0,0 8,0"/></object>'),
            "object 'way': a line that is neither link nor wall is not kept",
        ),
        (
            objects('<object id="1" x="4" y="4" name="z"><polygon points="0,0 8,0 4,1"/></object>'),
            "waypoint 'z': its shape is not kept, only the tile of its center",
        ),
        (
            objects('<object id="1" x="0" y="0" name="z" width="9"><ellipse/></object>'),
            "waypoint 'z': its shape is not kept, only the tile of its center",
        ),
    ],
)
def test_what_cannot_be_kept_is_told(record, part, note):
    assert note in record(heights(layer("aaaa"), part)).notes


def test_a_plain_map_has_nothing_to_tell(record):
    assert record(one_layer(PICTURE)).notes == ()
