"""What is written opens in programs of others: JSON and pictures.

Tiled maps have a test of their own, as do models in trimesh and in the engine.
"""

import io
import json
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.picture import Picture
from tests.support.node_readers import read_by_node
from tests.support.optional import import_or_skip, skip_or_fail

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
