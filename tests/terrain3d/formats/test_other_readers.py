"""What is written opens in programs of others: grids, pictures and models.

Tiled maps have a test of their own, as do models in trimesh and in the engine.
"""

import io
import json
import shutil
import subprocess
import warnings

import numpy as np
import pytest
from PIL import Image

from terrain3d import TOPOLOGIES, TileKind, TileMap
from terrain3d.picture import Picture
from tests.support.node_readers import read_by_node
from tests.support.optional import import_or_skip, skip_or_fail

cairosvg = import_or_skip("cairosvg")
gym_mapf_grid = import_or_skip("gym_mapf.envs.grid")
octile_grid = import_or_skip("sa_pathfinding.environments.grids.octile_grid")

imageio, rasterio = import_or_skip("imageio.v3"), import_or_skip("rasterio")
resvg_py, skimage_io = import_or_skip("resvg_py"), import_or_skip("skimage.io")


@pytest.fixture(scope="module")
def tilemap() -> TileMap:
    """Return a map with levels and a void tile."""
    tilemap = TileMap.from_noise(9, 12, seed=3)
    with tilemap.edit() as edit:
        edit.set_kind((8, 11), "void")
    return tilemap


def by_gdal(path):
    """Return the numbers of the only band; those without a height are masked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a file without a place on the Earth
        with rasterio.open(path) as file:
            return file.read(1, masked=True)


def by_numpy(path):
    if path.suffix == ".npy":
        return np.load(path)
    return np.loadtxt(path, skiprows=6)


def by_pysheds(path):
    """Return the numbers, where the package is installed: it brings pandas and pyproj, 110 MB."""
    pysheds_io = pytest.importorskip("pysheds.io", reason="needs pysheds: pip install pysheds")
    raster = np.asarray(pysheds_io.read_ascii(path))
    return np.ma.masked_equal(raster, pysheds_io.read_ascii(path).nodata)


def by_npyjs(path):
    found = read_by_node("npyjs", path)
    return np.reshape(found["data"], found["shape"])


def by_numpy_parser(path):
    found = read_by_node("numpy-parser", path)
    return np.reshape(found["data"], found["shape"])


@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        (".asc", by_gdal),
        (".asc", by_numpy),
        (".asc", by_pysheds),
        (".npy", by_numpy),
        pytest.param(".npy", by_npyjs, marks=pytest.mark.nightly),
        pytest.param(".npy", by_numpy_parser, marks=pytest.mark.nightly),
        (".png", by_gdal),
        (".png", skimage_io.imread),
        (".png", imageio.imread),
        (".png", lambda path: np.asarray(Image.open(path))),
    ],
)
def test_grids_hold_the_levels(tmp_path, tilemap, suffix, read):
    path = tmp_path / f"vale{suffix}"
    tilemap.export(path)
    found = read(path)
    has_ground = ~tilemap.void
    assert (found[has_ground] == tilemap.level[has_ground]).all()
    assert not np.isin(found[8, 11], np.unique(tilemap.level)) or np.ma.is_masked(found[8, 11])


SIGNS = np.array([".", "S", "W", "T", "@"])
"""What MovingAI shows each kind by, in the order of the kinds of `flat`."""


@pytest.fixture
def flat() -> TileMap:
    """Return a flat map of the kinds that MovingAI has."""
    costs = {"grass": 1, "swamp": 3, "water": None, "tree": None, "void": None}
    kinds = [TileKind(name, cost=cost) for name, cost in costs.items()]
    kind = np.random.default_rng(5).integers(0, len(kinds), (7, 9))
    return TileMap(np.zeros((7, 9), int), kind, kinds)


@pytest.mark.nightly
def test_movingai2json_finds_the_sign_of_each_kind(tmp_path, flat):
    flat.export(tmp_path / "flat.map")
    found = read_by_node("movingai2json", tmp_path / "flat.map")
    assert (found["type"], found["height"], found["width"]) == ("octile", 7, 9)
    assert found["matrix"] == SIGNS[flat.kind].tolist()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # it does not close the file
def test_sa_pathfinding_finds_the_grass(tmp_path, flat):
    flat.export(tmp_path / "flat.map")
    found = octile_grid.OctileGrid(tmp_path / "flat.map")
    assert (found.type, found.height, found.width) == ("octile", 7, 9)
    assert [[tile.valid for tile in row] for row in found.env] == (SIGNS[flat.kind] == ".").tolist()


def test_gym_mapf_finds_grass_and_void(tmp_path, flat):
    """Pass it the rows alone: its reader of the lines above them needs more packages."""
    tilemap = TileMap(flat.level, np.where(flat.kind == 0, 0, 4), flat.kinds)
    tilemap.export(tmp_path / "flat.map")
    rows = (tmp_path / "flat.map").read_text().splitlines()[4:]
    found = gym_mapf_grid.MapfGrid(rows)
    assert (found.max_row, found.max_col) == (6, 8)
    for cell in np.ndindex(7, 9):
        assert (found[cell] is gym_mapf_grid.ObstacleCell) == tilemap.void[cell]


def by_jq(path):
    if shutil.which("jq") is None:
        skip_or_fail("needs jq: apt install jq")
    text = subprocess.run(["jq", "-c", ".", path], capture_output=True, check=True).stdout
    return json.loads(text)


@pytest.mark.nightly
@pytest.mark.parametrize("suffix", [".tmap", ".json"])
def test_readers_of_json_agree_on_our_own_formats(tmp_path, tilemap, suffix):
    path = tmp_path / f"vale{suffix}"
    tilemap.export(path)
    found = json.loads(path.read_text("utf-8"))
    assert read_by_node("json", path) == by_jq(path) == found
    if suffix == ".tmap":
        assert [[int(sign, 36) for sign in row] for row in found["level"]] == tilemap.level.tolist()


def by_cairosvg(svg):
    return cairosvg.svg2png(bytestring=svg.encode())


def by_resvg(svg):
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)


def by_librsvg(svg):
    if shutil.which("rsvg-convert") is None:
        skip_or_fail("needs rsvg-convert: apt install librsvg2-bin")
    return subprocess.run(
        ["rsvg-convert"], input=svg.encode(), capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("draw", [by_resvg, by_librsvg, by_cairosvg])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_picture_shows_the_color_of_each_tile(draw, topology):
    tilemap = TileMap.from_noise(6, 7, seed=3, topology=topology)
    picture = Picture(tilemap, "")
    drawn = np.asarray(Image.open(io.BytesIO(draw(tilemap.to_svg()))).convert("RGB")).astype(int)
    x0, _, _, y1 = tilemap.extent
    scale = (
        30  # pixels of a tile of a small map, below a title of 28 pixels and beside a margin of 8
    )
    for (row, col), color in zip(np.ndindex(6, 7), picture.colors, strict=True):
        x, y = tilemap.grid.center((row, col))
        at = int((y1 - y) * scale + 28), int((x - x0) * scale + 8)
        assert np.abs(drawn[at] - color.astype(int)).max() <= 2
