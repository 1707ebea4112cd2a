"""What is written opens in programs of others, and maps that Tiled itself made are read."""

import base64
import importlib
import io
import json
import shutil
import subprocess
import sys
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.picture import Picture
from tests.support import SAMPLES
from tests.support.programs import read_by_node
from tests.support.selection import import_or_skip, skip_or_fail
from tests.support.tiled_files import run_tiled

cairosvg = import_or_skip("cairosvg")
resvg_py = import_or_skip("resvg_py")


def by_jq(path):
    if shutil.which("jq") is None:
        skip_or_fail("needs jq: apt install jq")
    text = subprocess.run(["jq", "-c", ".", path], capture_output=True, check=True).stdout
    return json.loads(text)


@pytest.mark.nightly
def test_readers_of_json_agree_on_our_own_format(tmp_path):
    tilemap, path = TileMap.from_noise(9, 12, seed=3), tmp_path / "vale.tmap"
    tilemap.save(path)
    found = json.loads(path.read_text("utf-8"))
    assert read_by_node("json", path) == by_jq(path) == found
    assert [[int(sign, 36) for sign in row] for row in found["level"]] == tilemap.level.tolist()


def by_cairosvg(svg):
    return cairosvg.svg2png(bytestring=svg.encode())


def by_resvg(svg):
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)


def by_librsvg(svg):
    if shutil.which("rsvg-convert") is None:
        skip_or_fail("needs rsvg-convert: apt install librsvg2-bin")
    given = {"input": svg.encode(), "capture_output": True}
    return subprocess.run(["rsvg-convert"], check=True, **given).stdout


@pytest.mark.parametrize("draw", [by_resvg, by_librsvg, by_cairosvg])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_picture_shows_the_color_of_each_tile(draw, topology):
    tilemap = TileMap.from_noise(6, 7, seed=3, topology=topology)
    picture = Picture(tilemap, "")
    drawn = np.asarray(Image.open(io.BytesIO(draw(tilemap.to_svg()))).convert("RGB")).astype(int)
    x0, _, _, y1 = tilemap.extent
    scale = 30  # pixels of a tile of a small map, below a title of 28, beside a margin of 8
    for (row, col), color in zip(np.ndindex(6, 7), picture.colors, strict=True):
        x, y = tilemap.grid.center((row, col))
        at = int((y1 - y) * scale + 28), int((x - x0) * scale + 8)
        assert np.abs(drawn[at] - color.astype(int)).max() <= 2


pytiled_parser, pytmx = import_or_skip("pytiled_parser"), import_or_skip("pytmx")

_LEVEL_ALPHA = 110 / 255


@pytest.fixture(params=TOPOLOGIES)
def tilemap(request) -> TileMap:
    """Return a map with a deck, a void tile and levels far apart."""
    tilemap = TileMap.from_noise(7, 9, 7, levels=5, topology=request.param)
    with tilemap.edit() as edit:
        edit.add_deck((2, 3), level=40, kind="road")
        edit.set_kind((6, 8), "void")
        edit.set_level((0, 0), 90)
    return tilemap


@pytest.mark.parametrize("suffix", [".tmx", ".tmj"])
def test_pytiled_parser_reads_kinds_and_levels(tmp_path, tilemap, suffix):
    path = tmp_path / f"vale{suffix}"
    tilemap.save(path)
    found = pytiled_parser.parse_map(path)
    kinds, numbers = found.tilesets[1], found.tilesets[1 + len(tilemap.kinds)]
    assert (kinds.name, numbers.name) == ("kinds", "numbers")
    for tileset in (kinds, numbers):
        with Image.open(tmp_path / tileset.image.name) as image:
            assert image.size == (tileset.image_width, tileset.image_height)
        assert tileset.columns * tileset.tile_width == tileset.image_width
    ground, level = (np.array(layer.data) for layer in found.layers[:2])
    names = [[kinds.tiles[gid - 1].class_ for gid in row] for row in ground.tolist()]
    assert names == [[kind.name for kind in row] for row in np.array(tilemap.kinds)[tilemap.kind]]

    def number(gid):
        tile = numbers.tiles.get(gid - numbers.firstgid)
        return tile.properties["level"] if tile else gid - numbers.firstgid

    assert np.vectorize(number)(level).tolist() == tilemap.level.tolist()


def gids_of_layers(found):
    """Return (rows, cols) gids of each layer that WorkAdventure's types find, from the lowest."""
    shape = found["height"], found["width"]
    packed = [each["data"] for each in found["layers"] if each["type"] == "tilelayer"]
    unpacked = (zlib.decompress(base64.b64decode(data)) for data in packed)
    return [np.frombuffer(data, "<u4").astype(int).reshape(shape) for data in unpacked]


@pytest.mark.nightly
def test_programs_for_browsers_find_the_tiles_of_ground_and_decks(tmp_path, tilemap):
    path = tmp_path / "vale.tmj"
    tilemap.save(path)
    ground, level, deck, *_ = gids_of_layers(read_by_node("tiled-map-type-guard", path))
    assert (ground == tilemap.kind + 1).all()
    numbers = json.loads(path.read_text())["tilesets"][1]
    level_of = {tile["id"]: tile["properties"][0]["value"] for tile in numbers["tiles"]}
    tiles = (level - numbers["firstgid"]).tolist()
    assert [[level_of.get(tile, tile) for tile in row] for row in tiles] == tilemap.level.tolist()
    assert np.argwhere(deck).tolist() == [[2, 3]]
    assert deck[2, 3] == [kind.name for kind in tilemap.kinds].index("road") + 1


def test_pytmx_finds_the_color_of_each_kind(tmp_path, tilemap):
    path = tmp_path / "vale.tmx"
    tilemap.save(path)

    def load(filename, _colorkey, **_more):
        image = Image.open(filename).convert("RGBA")
        return lambda box, _: image.crop((box[0], box[1], box[0] + box[2], box[1] + box[3]))

    tiles = pytmx.TiledMap(str(path), image_loader=load)
    for col, row, gid in tiles.layers[0].iter_data():
        image = tiles.images[gid]
        color = image.getpixel((image.width // 2, image.height // 2))
        expected = np.array([*tilemap.kinds[tilemap.kind[row, col]].color, 1]) * 255
        assert np.abs(np.array(color) - expected).max() <= 1


@pytest.mark.parametrize("suffix", [".tmx", ".tmj"])
def test_tiled_draws_each_kind_under_the_gray_of_its_level(tmp_path, tilemap, suffix):
    tilemap = TileMap(tilemap.level, tilemap.kind, tilemap.kinds, topology=tilemap.topology)
    path, picture = tmp_path / f"vale{suffix}", tmp_path / "drawn.png"
    tilemap.save(path)
    run_tiled("tmxrasterizer", "--scale", "1", path, picture)
    drawn = np.asarray(Image.open(picture).convert("RGBA")).astype(int)
    gray = 255 * tilemap.level[..., None] // tilemap.level.max()
    colors = np.array([kind.color for kind in tilemap.kinds])[tilemap.kind] * 255
    expected = colors * (1 - _LEVEL_ALPHA) + gray * _LEVEL_ALPHA
    x0, y0, x1, y1 = tilemap.extent
    height, width = drawn.shape[:2]
    for row in range(tilemap.rows):
        for col in range(tilemap.cols):
            x, y = tilemap.grid.center((row, col))
            at = int((y1 - y) / (y1 - y0) * height), int((x - x0) / (x1 - x0) * width)
            assert drawn[at][3] == 255
            assert np.abs(drawn[at][:3] - expected[row, col]).max() <= 3


@pytest.mark.parametrize("suffix", [".tmx", ".tmj"])
def test_a_map_saved_again_by_tiled_is_the_same(tmp_path, tilemap, suffix):
    path = tmp_path / f"vale{suffix}"
    tilemap.save(path)
    for name in ("again.tmx", "again.tmj"):
        run_tiled("tiled", "--export-map", path, tmp_path / name)
        again = TileMap.load(tmp_path / name)
        assert again.topology == tilemap.topology
        assert again.level.tolist() == tilemap.level.tolist()
        for cell in (*np.ndindex(7, 9), (2, 3, 1)):
            assert again.kind_at(cell) == tilemap.kind_at(cell)
        assert again.level_at((2, 3, 1)) == 40


MAPS = sorted((SAMPLES / "tiled").glob("*.tmx"))
"""Maps made by Tiled itself, outside of the project."""


def layers_of(path):
    """Decode the layers of a map with other code: a list of (rows, cols) tiles, from 1."""
    root = ElementTree.parse(path).getroot()
    shape = int(root.get("height")), int(root.get("width"))
    zstd = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    decompress = {"zlib": zlib.decompress, "zstd": importlib.import_module(zstd).decompress}
    layers = []
    for data in root.iter("data"):
        text = "".join((data.text or "").split())
        unpack = decompress.get(data.get("compression"))
        gids = np.frombuffer(unpack(base64.b64decode(text)), "<u4") if unpack else np.zeros(shape)
        layers.append(gids.reshape(shape).astype(int))
    return layers


@pytest.mark.skipif(not MAPS, reason="no maps of Tiled at hand")
@pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning")
@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.name)
def test_places_and_kinds_are_those_of_the_tiles(path):
    tilemap, layers = TileMap.load(path), layers_of(path)
    void = [kind.name for kind in tilemap.kinds].index("void")
    top = layers[0]
    for layer in layers[1:]:
        top = np.where(layer > 0, layer, top)
    assert ((tilemap.kind == void) == (top == 0)).all()
    for gid in np.unique(top[top > 0]):
        assert len(np.unique(tilemap.kind[top == gid])) == 1
