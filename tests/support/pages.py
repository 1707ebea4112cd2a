"""Programs printed on pages: find them, and run them unchanged, without a screen."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from tests.support import ROOT
from tests.support.programs import fork_python

DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = (README, *sorted(DOCS.rglob("*.md")))
EXAMPLES = sorted((DOCS / "examples").rglob("*.py"))

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
from panda3d.core import load_prc_file_data
_, program, act, settings = sys.argv
load_prc_file_data("", settings)
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
    print("colors", len({tuple(picture.get_xel(x, y)) for x in across for y in down}))
ShowBase.run = play
names = {}
exec(compile(program, "page", "exec"), names)
"""


class Program(NamedTuple):
    """A Python program on a page, or an example that is a file of its own."""

    name: str
    """The page below docs/ and the heading above it, or the path of the example."""
    text: str

    @property
    def is_in_window(self) -> bool:
        return self.text.endswith("base.run()\n")


def programs_of(path: Path) -> list[Program]:
    """List the programs printed on a page; for an example, the example."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT).as_posix()
    if path.suffix == ".py":
        return [Program(name, text)]
    found, heading, n_below = [], "", 0
    for part in re.split(r"(^```[^\n]*\n.*?^```$)", text, flags=re.DOTALL | re.MULTILINE):
        if part.startswith("```python\n"):
            n_below += 1
            title = heading if n_below == 1 else f"{heading} ({n_below})"
            found.append(Program(f"{name}: {title}", *blocks_of(part)))
        elif titles := re.findall(r"^#+ (.+)$", part, re.MULTILINE):
            heading, n_below = titles[-1], 0
    return found


def blocks_of(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def programs_in(section: str) -> list[str]:
    """Return the programs in a part of a page, also those of the examples that it links to."""
    examples = dict.fromkeys(re.findall(r"examples/[\w/]+\.py", section))
    return blocks_of(section) + [(DOCS / name).read_text(encoding="utf-8") for name in examples]


def commands_of(page: str) -> list[list[str]]:
    """Return the commands on a page that run `main.py`, each as the words after it."""
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    commands = [shlex.split(line) for line in lines]
    return [words[2:] for words in commands if words[:2] == ["python", "main.py"]]


def run_in_window(
    program: str, act: str, folder: Path, settings: str = "win-size 480 360"
) -> tuple[str, int]:
    """Run a program that ends with `base.run()`; there, play a few frames and run `act`.

    `act` knows the program's names, `step(n_frames)` and `send(*events)`; `settings` are of
    Panda3D. Return what was printed before the end, and the number of colors in the last picture.
    """
    whole = f"{OFFSCREEN}model-path {folder}\n{settings}"
    done = fork_python(STAGE, program, act, whole, cwd=folder)
    printed, n_colors = done.stdout.rsplit("colors", 1)
    return printed, int(n_colors)
