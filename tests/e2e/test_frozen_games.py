"""Games packed with their Python start, find a path and show a picture.

    python -m pytest -m nightly -s tests/e2e/test_frozen_games.py

It downloads what the games are made of, and takes some minutes. Root plays them where each Python
of the machine is hidden, and this clone too; others only play them with empty variables.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from terrain3d import TileMap
from tests.support import ROOT
from tests.support.desktop import require_tools, screen

pytestmark = pytest.mark.nightly

SETUP = """
from setuptools import setup
from terrain3d.frozen import build_apps_options

own = {"console_apps": {"game": "game.py"}, "platforms": ["manylinux2014_x86_64"]}
maps = {"include_patterns": ["maps/*.tmap"]}
setup(name="game", options={"build_apps": {**build_apps_options(), **own, **maps}})
"""

END = """
import sys
from pathlib import Path
from ai.search.jit import has_numba
print("path", board.navigation.find_path((16, 17), (16, 20), mira.profile).cost)
print("compiled", has_numba)
for _ in range(90):
    base.task_mgr.step()
file = Path(sys.executable).with_name("maps") / "vale.tmap"
print("map", file.is_file() and TileMap.load(file).rows == 4)
print("saved", base.win.save_screenshot(sys.argv[1]))
"""


HIDE_PYTHON = r"""
hide=$1; shift
for folder in /usr/lib/python3* $hide; do mount -t tmpfs none "$folder" || exit 8; done
for file in /usr/bin/python* /usr/local/bin/python*; do
    [ ! -e "$file" ] || mount --bind /dev/null "$file" || exit 8
done
! python3 -c pass 2> /dev/null || exit 9
exec "$@"
"""


def without_python(folder):
    """Return the beginning of a command that runs a program of a folder with no Python to find."""
    if os.geteuid() or shutil.which("unshare") is None:
        return []
    prefixes = {Path(sys.base_prefix), ROOT, folder / "venv"} - {Path("/usr"), Path("/usr/local")}
    hidden = " ".join(map(str, prefixes))
    return ["unshare", "--mount", "sh", "-c", HIDE_PYTHON, "sh", hidden]


@pytest.fixture(scope="module")
def maker(tmp_path_factory):
    """Return the folder of a game and the Python of an environment with nothing else in it."""
    folder = tmp_path_factory.mktemp("frozen")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q", "setuptools", "wheel", "pyinstaller"]
    subprocess.run([*pip, ROOT], check=True)
    wheel = [python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT]
    subprocess.run(wheel, check=True)
    (folder / "requirements.txt").write_text(str(*folder.glob("*.whl")))
    text = (ROOT / "docs" / "examples" / "minimal_game.py").read_text().replace("base.run()", END)
    (folder / "game.py").write_text(text)
    (folder / "setup.py").write_text(SETUP)
    (folder / "maps").mkdir()
    TileMap.from_noise(4, 5, seed=1).save(folder / "maps" / "vale.tmap")
    return folder, python


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (["setup.py", "build_apps"], "build/manylinux2014_x86_64/game"),
        (["-m", "PyInstaller", "-y", "--log-level", "ERROR", "game.py"], "dist/game/game"),
    ],
    ids=["build_apps", "PyInstaller"],
)
def test_a_packed_game_runs_without_python(maker, tmp_path, command, program):
    require_tools()
    folder, python = maker
    subprocess.run([python, *command], cwd=folder, check=True)
    path = folder / program
    size_mb = sum(file.stat().st_size for file in path.parent.rglob("*") if file.is_file()) / 1e6
    shot = tmp_path / "shot.png"
    with screen() as display:
        alone = {"DISPLAY": display, "HOME": str(tmp_path), "PATH": os.defpath}
        begin = time.perf_counter()
        done = subprocess.run(
            [*without_python(folder), path, shot],
            env=alone,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        seconds = time.perf_counter() - begin
    assert done.returncode == 0, done.stdout + done.stderr
    assert "path 5\n" in done.stdout
    assert "compiled True" in done.stdout
    assert ("map True" in done.stdout) == ("build_apps" in command)  # which is told to pack maps
    assert len(np.unique(np.asarray(Image.open(shot)).reshape(-1, 3), axis=0)) > 1000
    print(f"\n{Path(program).parts[0]}: {size_mb:.0f} MB, first run of 90 frames {seconds:.1f} s")
