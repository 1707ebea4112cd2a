"""Tiled maps: what becomes of their layers, tilesets and objects."""

import json

import pytest

from terrain3d import TileMap
from terrain3d.core.files import COMPRESSIONS
from tests.support.tiled_files import (
    NAMED,
    PICTURE,
    ROWS,
    gids_of,
    heights,
    layer,
    objects,
    one_layer,
    packed,
    picture_of,
    prop,
    props,
    tmj,
    tmx,
)


@pytest.mark.parametrize("compression", COMPRESSIONS)
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


def test_flipped_tiles_are_plain_tiles(record):
    rows = [[1 | 0x80000000, 2 | 0x40000000, 3 | 0x20000000, 4 | 0x10000000]]
    found = record(tmj(rows), "map.tmj")
    assert [found.tilemap.kinds[kind].name for kind in found.tilemap.kind[0]] == [
        "a",
        "b",
        "c",
        "d",
    ]
    assert found.notes == ("left out: flips and rotations of tiles",)


def test_levels_come_from_tiles(load):
    tiles = "".join(
        f'<tile id="{number}" type="{name}">{props(level=level)}</tile>'
        for number, name, level in [(0, "a", 3), (1, "b", 1)]
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
    assert found.tilemap.level.tolist() == [[0, 1, 3, 0]]  # half a tile, 4 pixels, is a level


@pytest.mark.parametrize("more", ['class="level"', 'name="Level"', 'visible="0" class="level"'])
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
    assert found.tilemap.level.tolist() == [[0, 3, 3, 0]]
    assert found.notes == ()


def test_decks_are_layers_with_a_number(load):
    bridge = layer(".aa.", properties=props(deck=1))
    levels = layer(".de.", 'class="level"', props(deck=1))
    tilemap = load(heights(layer("aaaa"), bridge, levels, tiles=NAMED))
    assert tilemap.level_at((0, 1, 1)) == 3
    assert tilemap.level_at((0, 2, 1)) == 4
    assert not tilemap.level.any()


def test_map_properties_are_its_step_height_and_metadata(load):
    text = heights(layer("aaaa")).replace(
        "<tileset", props(step_height=0.25, title="Vale", year=7) + "<tileset"
    )
    tilemap = load(text)
    assert tilemap.step_height == 0.25
    assert tilemap.extras == {"metadata": {"title": "Vale", "year": 7}}


def test_properties_may_have_several_lines_and_classes(load):
    inside = f"<properties>{prop('x', '2', 'int')}</properties>"
    entries = f'<property name="text">a\nb</property><property name="c" type="class">{inside}'
    text = heights(layer("aaaa")).replace(
        "<tileset", f"<properties>{entries}</property></properties><tileset"
    )
    assert load(text).extras["metadata"] == {"text": "a\nb", "c": {"x": 2}}


def test_lists_hold_values_of_any_type(load):
    inside = f"<properties>{prop('x', '2', 'int')}</properties>"
    items = f'<item type="int" value="3"/><item value="gold"/><item type="class">{inside}</item>'
    entry = f'<property name="loot" type="list">{items}<item type="list"/></property>'
    text = heights(layer("aaaa")).replace(
        "<tileset", f"<properties>{entry}</properties><tileset", 1
    )
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


def test_a_plain_map_has_no_notes(record):
    assert record(one_layer(PICTURE)).notes == ()
