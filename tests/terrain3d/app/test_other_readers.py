"""What is written opens in programs of others: grids, pictures and models.

Tiled maps have a test of their own, as do models in trimesh and in the engine.
"""

import io
import shutil
import subprocess
import warnings

import numpy as np
import pytest
from PIL import Image

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.picture import Picture
from tests.support.optional import import_or_skip, skip_or_fail

imageio, matplotlib_image = import_or_skip("imageio.v3"), import_or_skip("matplotlib.image")
rasterio, resvg_py = import_or_skip("rasterio"), import_or_skip("resvg_py")
skimage_io = import_or_skip("skimage.io")


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


@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        (".asc", by_gdal),
        (".asc", by_numpy),
        (".npy", by_numpy),
        (".png", by_gdal),
        (".png", skimage_io.imread),
        (".png", imageio.imread),
        (".png", lambda path: np.rint(matplotlib_image.imread(path) * 255)),
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


def by_resvg(svg):
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)


def by_librsvg(svg):
    if shutil.which("rsvg-convert") is None:
        skip_or_fail("needs rsvg-convert: apt install librsvg2-bin")
    return subprocess.run(
        ["rsvg-convert"], input=svg.encode(), capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("draw", [by_resvg, by_librsvg])
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
