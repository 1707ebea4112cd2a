"""Maps as models: through Panda3D's loader where we are installed, and as .bam files."""

import tomllib

import numpy as np
import pytest
from panda3d.core import NodePath

from terrain3d import landscape
from terrain3d.mesh.chunks import chunk_mesh, chunk_rects
from terrain3d.view.window.model_loader import make_model
from tests.support import ROOT
from tests.support.programs import run_python
from tests.support.window_pictures import vertices


def test_a_model_has_the_triangles_and_colors_of_the_map():
    tilemap = landscape(40, 36, 3)
    rects, model = chunk_rects(tilemap.rows, tilemap.cols), NodePath(make_model(tilemap))
    meshes = [chunk_mesh(tilemap, rect) for rect in rects]
    assert len(model.children) == len(meshes) == 9
    points = np.concatenate([mesh.positions for mesh in meshes])
    colors = np.concatenate([mesh.colors for mesh in meshes])
    assert np.array_equal(np.array(vertices(model, "vertex"))[:, :3], points)
    assert np.allclose(np.multiply(vertices(model, "color"), 255), colors, atol=0.01)


@pytest.fixture
def installed(tmp_path):
    """Stand in for an installation: what an installer writes beside a package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = tmp_path / "site" / f"terrain3d_tactics-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {what}" for name, what in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


GAME = """
from panda3d.core import NodePath, load_prc_file_data
load_prc_file_data("", "window-type none\\naudio-library-name null\\nmodel-cache-dir cache")
from direct.showbase.ShowBase import ShowBase
base = ShowBase()
"""


def play(installed, code):
    """Run a game that knows nothing of us."""
    env = {"PYTHONPATH": f"{installed / 'site'}:{ROOT}", "HOME": str(installed)}
    return run_python("-c", GAME + code, cwd=installed, env=env)


def test_a_game_loads_maps_as_any_model_also_of_a_multifile_and_a_bad_one_is_refused(installed):
    landscape(12, 9, 3).save(installed / "vale.tmap")
    (installed / "bad.tmap").write_text("{")
    code = """
from panda3d.core import Filename, Multifile, VirtualFileSystem
pack = Multifile()
pack.open_write("maps.mf")
pack.add_subfile("vale.tmap", Filename.binary_filename("vale.tmap"), 0)
pack.close()
VirtualFileSystem.get_global_ptr().mount("maps.mf", "/maps", 0)
for path in ("vale.tmap", "/maps/vale.tmap"):
    model = base.loader.load_model(path)
    low, high = model.get_tight_bounds()
    print(model, round(low.y), round(high.x), bool(model.find("**/chunk-0-0")))
base.loader.load_model("bad.tmap")
"""
    for _ in range(2):  # made, and then from Panda3D's own cache
        done = play(installed, code)
        assert done.stdout.split() == ["vale.tmap", "-12", "9", "True"] * 2, done.stderr
        assert "bad.tmap, line 1: is not JSON" in done.stderr
        assert "OSError: Could not load model file(s): ['bad.tmap']" in done.stderr
