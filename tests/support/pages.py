"""Programs printed on pages: finding them, and running them as they stand, without a screen."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

DOCS = ROOT / "docs"
MOVERS = sorted((DOCS / "movers").rglob("*.md"))
"""A page for each way of moving."""

OFFSCREEN = """
load-display p3headlessgl
aux-display p3tinydisplay
window-type offscreen
audio-library-name null
"""

# base.run() never returns: here it plays a few frames, and what the test asks for, then reports.
STAGE = """
import sys
from direct.showbase.ShowBase import ShowBase
program, act = sys.stdin.read().split({mark!r})
def play(base):
    def step(n_frames=1):
        for _ in range(n_frames):
            base.task_mgr.step()
    def send(*events):
        for event in events:
            base.messenger.send(event)
            step()
    step(3)
    exec(compile(act, "act", "exec"), names | dict(step=step, send=send))
    step()
    from panda3d.core import PNMImage
    picture = PNMImage()
    assert base.win.get_screenshot(picture)
    across, down = range(0, picture.get_x_size(), 7), range(0, picture.get_y_size(), 7)
    print("colors", len({{tuple(picture.get_xel(x, y)) for x in across for y in down}}))
ShowBase.run = play
names = {{}}
exec(compile(program, "page", "exec"), names)
"""
MARK = "# ---- act ----"


def blocks_of(page: str) -> list[str]:
    """Give the Python programs of a page's text."""
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def shots_of(page: str) -> list[list[str]]:
    """Give the commands on a page that draw a picture, each as the words after `main.py`."""
    commands = re.findall(r"```sh\npython main.py (shot .*?)```", page, re.DOTALL)
    return [shlex.split(command.replace("\\\n", " ")) for command in commands]


def in_windows(blocks: list[str]) -> list[str]:
    """Give those of some programs that open a window."""
    return [block for block in blocks if block.endswith("base.run()\n")]


def run_in_window(program: str, act: str, folder: Path) -> tuple[str, int]:
    """Run a program that ends with `base.run()`; there, a few frames pass and `act` is done.

    `act` knows the program's names, `step(n_frames)` and `send(*events)`. Gives what was printed
    before the end, and how many colors the last picture has.
    """
    (folder / "offscreen.prc").write_text(OFFSCREEN)
    done = subprocess.run(
        [sys.executable, "-c", STAGE.format(mark=MARK)],
        input=program + MARK + act,
        cwd=folder,
        env=os.environ | {"PANDA_PRC_DIR": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed, n_colors = done.stdout.rsplit("colors", 1)
    return printed, int(n_colors)
