"""Maps made by Tiled itself are read as they are; an extra test, of files outside the project."""

import base64
import importlib
import sys
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.formats import MapFileWarning
from tests.support import SAMPLES

TILED = SAMPLES / "tiled"

MAPS = sorted(TILED.glob("*.tmx"))
TABLES = sorted((TILED / "decoded").glob("*.csv"))

pytestmark = [
    pytest.mark.skipif(not MAPS, reason="no maps of Tiled at hand"),
    pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning"),
]


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


def test_they_are_not_a_picture_of_nothing():
    described = {path.name: TileMap.load(path) for path in MAPS}
    hexagonal = described["hexagonal-mini.tmx"]
    assert (hexagonal.topology, len(hexagonal.kinds)) == ("hex_odd_r", 16)
    for name, kinds in (
        ("desert.tmx", {"Desert", "Brick", "Cobblestone", "Dirt", "void"}),
        ("isometric_grass_and_water.tmx", {"Grass", "Water", "void"}),
    ):
        assert {kind.name for kind in described[name].kinds} == kinds
    twins = described["sewers.tmx"], described["sewers.zstd.tmx"]
    assert (twins[0].kind == twins[1].kind).all()


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_the_tables_beside_them_agree_where_they_name_a_tile(path):
    """In these tables, -1 also stands for tiles that have nothing in the tileset."""
    name, _, layer = path.stem.partition("__")[2].partition("--m")
    table = np.loadtxt(path, int, delimiter=",")
    number = [element.get("name") for element in ElementTree.parse(TILED / name).iter("layer")]
    gids = layers_of(TILED / name)[number.index(layer[1:]) if layer else 0]
    assert table.shape == gids.shape
    assert (table[table >= 0] == gids[table >= 0] - 1).all()


def test_a_map_out_of_its_folder_misses_its_tileset(tmp_path):
    path = tmp_path / "desert.tmx"
    path.write_bytes((TILED / "desert.tmx").read_bytes())
    with pytest.warns(MapFileWarning, match="left out: the missing file 'desert.tsx'"):
        TileMap.load(path)
