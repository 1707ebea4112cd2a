"""Objects of Tiled maps as units, waypoints, links and walls."""

import json

import pytest

from tests.support.tiled_files import (
    NAMED,
    heights,
    layer,
    objects,
    props,
    tmx,
)


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
    extras = record(text).tilemap.extras
    assert extras["units"] == [
        {"name": "Mira", "cell": [0, 1], "team": "blue", "move": 5},
        {"cell": [0, 3], "class": "Knight"},
        {"cell": [0, 2]},
    ]
    assert extras["waypoints"] == [{"name": "gate", "cell": [0, 0]}]


@pytest.mark.parametrize(
    ("box", "cell"),
    [
        ((2, 2, 14, 2), [0, 1]),
        ((2, 2, 2, 14), [1, 0]),
        ((0, 0, 32, 16), [1, 2]),
        ((9, 1, 0, 0), [0, 1]),
    ],
)
def test_an_area_is_on_the_tile_at_its_center(record, box, cell):
    x, y, width, height = box
    mark = f'<object id="1" x="{x}" y="{y}" width="{width}" height="{height}"/>'
    found = record(tmx(layer("aaaa\naaaa"), objects(mark), shape=(2, 4)))
    assert found.tilemap.extras["waypoints"] == [{"cell": cell}]


def test_objects_of_an_isometric_map_are_counted_by_its_tiles_heights(record):
    shown = 'orientation="isometric" tilewidth="64" tileheight="32"'
    marks = objects('<object id="1" x="80" y="48"/><object id="2" gid="1" x="96" y="64"/>')
    found = record(tmx(layer("aaaa\naaaa"), marks, shape=(2, 4), attributes=shown))
    assert found.tilemap.extras["waypoints"] == [{"cell": [1, 2]}]
    assert found.tilemap.extras["units"] == [{"cell": [1, 2]}]


@pytest.mark.parametrize("name", ["units/knight.tx", "knight.tj"])
def test_objects_may_have_a_template(record, tmp_path, name):
    properties = {"name": "team", "type": "string", "value": "red"}, {"name": "move", "value": "5"}
    base = {"name": "Knight", "type": "unit", "gid": 1, "width": 8, "height": 8}
    text = json.dumps({"type": "template", "object": {**base, "properties": properties}})
    if name.endswith("x"):
        shown = '<tileset firstgid="1" source="x.tsx"/><object name="Knight" type="unit" gid="1"'
        inside = f'{shown} width="8" height="8">{props(team="red", move="5")}</object>'
        text = f"<template>{inside}</template>"
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / "x.tsx").write_text("<tileset/>")
    (tmp_path / name).write_text(text)
    entry = f'<object id="1" template="{name}" x="8" y="8">{props(team="blue")}</object>'
    found = record(heights(layer("aaaa"), objects(entry), tiles=NAMED))
    knight = {"name": "Knight", "cell": [0, 1], "team": "blue", "move": "5"}
    assert found.tilemap.extras["units"] == [knight]
    assert found.notes == ()


def test_an_object_without_its_template_keeps_what_it_has(record):
    entry = '<object id="1" template="units/gone.tx" type="unit" name="Ann" x="8" y="4"/>'
    found = record(heights(layer("aaaa"), objects(entry), tiles=NAMED))
    assert [unit["name"] for unit in found.tilemap.extras["units"]] == ["Ann"]
    assert found.notes == ("left out: the missing file 'gone.tx'",)


@pytest.mark.parametrize("name", ["list", "class"])
def test_a_class_may_have_the_name_of_a_type_of_properties(load, name):
    mark = objects(f'<object id="1" type="{name}" x="8" y="4"/>')
    tilemap = load(heights(layer("aaaa"), mark, tiles=f'<tile id="0" type="{name}"/>'))
    assert tilemap.extras["waypoints"] == [{"cell": [0, 1], "class": name}]
    assert tilemap.kind_at((0, 0)).name == name


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
    links = [(*link.start[:2], *link.end[:2], link.cost, link.kind) for link in tilemap.links]
    assert links == [(0, 0, 0, 2, 2.5, "ladder"), (0, 1, 0, 2, 1, "door")]
    assert [link.one_way for link in tilemap.links] == [True, False]
    assert [(wall.start.col, wall.end.col) for wall in tilemap.walls] == [(2, 3)]
