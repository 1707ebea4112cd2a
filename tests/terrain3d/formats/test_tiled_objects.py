"""Objects of Tiled maps as units, waypoints, links and walls, and the cells they stand on."""

import itertools
import json
import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from terrain3d import TileMap
from tests.support.selection import table
from tests.support.tiled_files import NAMED, heights, layer, objects, props, run_tiled


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


SIDE = 5
"""Rows and columns of the maps."""
ALIGNMENTS = ("unspecified", "topleft", "top", "topright", "left", "center", "right")
ALIGNMENTS += ("bottomleft", "bottom", "bottomright")
SHAPES = ("tile", "tall tile", "flat tile", "rectangle", "ellipse", "point", "polygon")
LAYOUTS = {
    "orthogonal": (32, 32, ""),
    "isometric": (64, 32, ""),
    "steep": (48, 40, ""),
    "hexagonal y": (28, 32, 'hexsidelength="16" staggeraxis="y" staggerindex="even"'),
    "hexagonal x": (32, 28, 'hexsidelength="16" staggeraxis="x" staggerindex="odd"'),
}
"""Width and height of a tile, and more attributes."""
COLORS = [(40 * row + 20, 40 * col + 20, 250) for row, col in np.ndindex(SIDE, SIDE)]
"""The color of each tile of the ground."""


def outline(layout):
    """Return the corners of a tile in its picture."""
    width, height, _ = LAYOUTS[layout]
    x, y, right, end = width / 2, height / 2, width - 1, height - 1
    if layout == "orthogonal":
        return [(0, 0), (right, 0), (right, end), (0, end)]
    if layout == "hexagonal y":
        return [(x, 0), (right, 8), (right, 24), (x, end), (0, 24), (0, 8)]
    if layout == "hexagonal x":
        return [(0, y), (8, 0), (24, 0), (right, y), (24, end), (8, end)]
    return [(x, 0), (right, y), (x, end), (0, y)]


def save_pictures(folder, layout):
    """Save the ground, a picture of SIDE x SIDE tiles, and pictures of 12 x 12, 12 x 60, 20 x 8."""
    width, height, _ = LAYOUTS[layout]
    ground = Image.new("RGBA", (SIDE * width, SIDE * height))
    for color, (row, col) in zip(COLORS, np.ndindex(SIDE, SIDE), strict=True):
        corners = [(x + col * width, y + row * height) for x, y in outline(layout)]
        ImageDraw.Draw(ground).polygon(corners, fill=color)
    ground.save(folder / "ground.png")
    for name, (wide, tall) in {"a": (12, 12), "b": (12, 60), "c": (20, 8)}.items():
        image = Image.new("RGBA", (wide, tall), (0, 0, 0, 0 if name == "b" else 255))
        if name == "b":  # drawn where it stands, half a tile above the lower edge
            foot = tall - height // 2
            ImageDraw.Draw(image).rectangle((3, foot - 3, 8, foot + 2), fill=(0, 0, 0, 255))
        image.save(folder / f"{name}.png")


def tileset(first_gid, name, size, alignment, offset):
    wide, tall = size
    return (
        f'<tileset firstgid="{first_gid}" name="{name}" tilewidth="{wide}" tileheight="{tall}" '
        f'tilecount="1" columns="1" objectalignment="{alignment}">'
        f'<tileoffset x="{offset[0]}" y="{offset[1]}"/>'
        f'<image source="{name}.png" width="{wide}" height="{tall}"/></tileset>'
    )


def document(layout, alignment, offset, objects):
    """Return a map whose ground has a kind for each cell, named by its number."""
    width, height, more = LAYOUTS[layout]
    orientation = {"steep": "isometric"}.get(layout, layout.split()[0])
    kinds = "".join(f'<tile id="{number}" type="k{number}"/>' for number in range(SIDE**2))
    gids = ",".join(map(str, range(1, SIDE**2 + 1)))
    size = f'width="{SIDE}" height="{SIDE}"'
    return (
        f'<map version="1.10" orientation="{orientation}" {size} '
        f'tilewidth="{width}" tileheight="{height}" {more}>'
        f'<tileset firstgid="1" name="g" tilewidth="{width}" tileheight="{height}" tilecount="25" '
        f'columns="{SIDE}"><image source="ground.png" width="{SIDE * width}" '
        f'height="{SIDE * height}"/>{kinds}</tileset>'
        f"{tileset(26, 'a', (12, 12), alignment, offset)}"
        f"{tileset(27, 'b', (12, 60), alignment, offset)}"
        f"{tileset(28, 'c', (20, 8), alignment, offset)}"
        f'<layer name="ground" {size}><data encoding="csv">{gids}</data></layer>{objects}</map>'
    )


def an_object(rng, layout, shape):
    """Return an object at a random place, turned by a random angle."""
    width, height, _ = LAYOUTS[layout]
    sizes = {"x": (24, height), "y": (width, 20), "c": (height, height), "p": (height, height)}
    size = sizes.get(layout[-1], (width, height))
    x, y = (round(rng.uniform(1, SIDE - 1) * side, 2) for side in size)
    angle = rng.choice((0, 90, 180, 270, 30, -45, 137.5))
    place = f'<object id="1" x="{x}" y="{y}" rotation="{angle}"'
    flips = rng.choice((0, 2**31, 2**30, 2**31 + 2**30))
    match shape:
        case "tile":
            size = rng.choice(("", ' width="12" height="12"', ' width="20" height="16"'))
            return f'{place} gid="{26 + flips}"{size}/>'
        case "tall tile":
            return f'{place} gid="27" width="12" height="60"/>'
        case "flat tile":
            turn = rng.choice((0, 2**29, 2**28, 2**28 + 2**29))
            return f'{place} gid="{28 + flips + turn}" width="20" height="8"/>'
        case "point":
            return f'<object id="1" x="{x}" y="{y}"><point/></object>'
        case "polygon":
            return f'{place}><polygon points="0,0 16,0 16,8 0,8"/></object>'
    inside = "<ellipse/>" if shape == "ellipse" else ""
    return f'{place} width="18" height="10">{inside}</object>'


def drawn(folder, name):
    run_tiled("tmxrasterizer", "--scale", "1", folder / name, folder / "drawn.png")
    return np.asarray(Image.open(folder / "drawn.png").convert("RGBA")).astype(int)


def cell_as_drawn(folder, text, objects):
    """Return the number of the tile on which Tiled draws the objects, None if it is not clear."""
    (folder / "map.tmx").write_text(text)
    (folder / "none.tmx").write_text(text.replace(objects, ""))
    ground = drawn(folder, "none.tmx")
    changed = np.argwhere((drawn(folder, "map.tmx") != ground).any(axis=2))
    if not len(changed):
        return None
    row, col = np.round((changed.min(axis=0) + changed.max(axis=0)) / 2).astype(int)
    if "<point/>" in objects:  # a pin, whose lower end is at the point
        row = changed[:, 0].max() - 1
    around = ground[max(0, row - 2) : row + 3, max(0, col - 2) : col + 3, :3].reshape(-1, 3)
    numbers = {COLORS.index(tuple(color)) if tuple(color) in COLORS else -1 for color in around}
    return numbers.pop() if len(numbers) == 1 and numbers != {-1} else None


@pytest.mark.parametrize(
    ("layout", "shape"),
    [
        (layout, shape)
        for layout, shape in itertools.product(LAYOUTS, SHAPES)
        if shape != "ellipse" or layout not in ("isometric", "steep")  # Tiled 1.8 displaces these
    ],
)
def test_an_object_is_where_tiled_draws_it(tmp_path, layout, shape):
    save_pictures(tmp_path, layout)
    rng = random.Random(f"{layout} {shape}")
    n_clear = 0
    for alignment in rng.sample(ALIGNMENTS, 5):
        objects = an_object(rng, layout, shape)
        offsets = [(rng.randint(-20, 20), rng.randint(-20, 20)) for _ in range(3)]
        group, inner, layer = (f'offsetx="{x}" offsety="{y}"' for x, y in offsets)
        objects_layer = f'<objectgroup name="units" {layer}>{objects}</objectgroup>'
        nested = f'<group name="a" {group}><group name="b" {inner}>{objects_layer}</group></group>'
        text = document(layout, alignment, rng.choice(((0, 0), (4, -6))), nested)
        expected = cell_as_drawn(tmp_path, text, objects)
        if expected is None:
            continue
        n_clear += 1
        tilemap = TileMap.load(tmp_path / "map.tmx")
        (unit,) = tilemap.extras["units"]
        assert tilemap.kind_at(unit["cell"]).name == f"k{expected}", text
    assert n_clear


def on_four_by_four(entry, more=""):
    """Return a map of 4 x 4 tiles of 32 x 32 pixels with one unit."""
    sheet = '<image source="g.png" width="64" height="32"/>'
    gids = ",".join(["1"] * 16)
    return (
        '<map orientation="orthogonal" width="4" height="4" tilewidth="32" tileheight="32">'
        '<tileset firstgid="1" name="t" tilewidth="32" tileheight="32" tilecount="2" columns="2"'
        f'{more}>{sheet}</tileset><layer name="g" width="4" height="4"><data encoding="csv">{gids}'
        f'</data></layer><objectgroup name="units">{entry}</objectgroup></map>'
    )


TILE = '<object id="1" gid="1" x="{}" y="{}" {}/>'
SIZED = 'width="32" height="32"'
LOST = "left out: tiles of objects that are lost"


@table(
    "text notes",
    (on_four_by_four(TILE.format(32, 64, "")), ()),
    (on_four_by_four(TILE.format(32, 64, SIZED), ' objectalignment="beside"'), ()),
    *(
        (on_four_by_four(f'<object id="1" gid="{gid}" x="32" y="32" {SIZED}/>'), (LOST,))
        for gid in (0, 2**31, 7 * 2**29)  # with and without flips
    ),
)
def test_a_unit_is_on_a_cell_without_a_size_an_alignment_or_a_tile(record, text, notes):
    found = record(text)
    assert found.tilemap.extras["units"] == [{"cell": [1, 1]}]
    assert found.notes == notes


@pytest.mark.parametrize("suffix", [".tx", ".tj"])
@pytest.mark.parametrize("own", ["", 'gid="1"', 'gid="0"'])
def test_the_tile_of_a_template_is_drawn_as_its_own_tileset_says(record, tmp_path, own, suffix):
    (tmp_path / "more").mkdir()
    tiles = '<tileset name="c" tilewidth="32" tileheight="32" objectalignment="center"/>'
    (tmp_path / "more" / "c.tsx").write_text(tiles)
    template = '<template><tileset firstgid="1" source="c.tsx"/><object gid="1"/></template>'
    if suffix == ".tj":
        fields = {"type": "template", "tileset": {"firstgid": 1, "source": "c.tsx"}}
        template = json.dumps({**fields, "object": {"gid": 1}})
    (tmp_path / "more" / f"unit{suffix}").write_text(template)
    y = 64 if own == 'gid="1"' else 48
    x = 32 if own == 'gid="1"' else 48
    entry = f'<object id="1" template="more/unit{suffix}" {own} x="{x}" y="{y}"/>'
    assert record(on_four_by_four(entry)).tilemap.extras["units"] == [{"cell": [1, 1]}]


def test_a_line_is_turned_about_its_first_point(load):
    line = '<object id="1" type="link" x="48" y="48" rotation="90"><polyline points="0,0 32,0"/>'
    (link,) = load(on_four_by_four(f"{line}</object>")).links
    assert (link.start, link.end) == ((1, 1, 0), (2, 1, 0))


@pytest.mark.parametrize("gap", [True, False])
def test_tiles_that_a_tileset_in_the_map_has_lost_are_kinds_by_number(record, gap):
    text = on_four_by_four("").replace("1,1,1", "1,3,1", 1)
    if gap:  # the next tileset begins where the first one ended before it lost a tile
        text = text.replace("<layer", '<tileset firstgid="4" name="u"/><layer', 1)
    found = record(text)
    assert found.tilemap.kind_at((0, 1)).name == "t 2"
    assert found.notes == ("left out: tiles that 't' has lost",)
