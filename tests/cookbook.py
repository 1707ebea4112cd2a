"""Draw the pictures of docs/cookbook.md by its own programs, those in a window.

`python -m tests.cookbook [NAME ...]` draws those with these names, or all.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.support.pages import DOCS, programs_in, run_in_window

FOLDER = DOCS / "cookbook"
SIZE = "win-size 960 540"
N_FRAMES = {"a-crowd": 30, "enemies-that-attack": 190}
"""How many frames are played before the picture, if not 60."""
AT_NIGHT = ("all-ground-and-things", "ground-and-things-of-your-own", "the-look-of-water")
"""Drawn at night as well."""

CLOCK = """
from panda3d.core import ClockObject
clock = ClockObject.get_global_clock()
clock.mode, clock.dt = ClockObject.M_non_real_time, 0.05
"""
"""Before the program, so that all frames are the same on each machine."""
SAVE = """
from panda3d.core import PNMImage
def save(path):
    image = PNMImage()
    base.win.get_screenshot(image)
    image.remove_alpha()  # that of the background is 0
    image.write(path)
"""


def slug(title: str) -> str:
    """Return the name of the picture below a heading."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def programs() -> Iterator[tuple[str, str]]:
    """Yield the programs in a window, each with the heading above it."""
    text = (DOCS / "cookbook.md").read_text(encoding="utf-8")
    for part in text.split("\n## ")[1:]:
        for program in programs_in(part):
            if program.endswith("base.run()\n"):
                yield part.partition("\n")[0], program


def draw(names: list[str]) -> None:
    """Draw the pictures with these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    for title, program in programs():
        name = slug(title)
        if names and name not in names:
            continue
        path = FOLDER / f"{name}.png"
        act = SAVE + f"step({N_FRAMES.get(name, 60)})\nsave({str(path)!r})\n"
        if name in AT_NIGHT:
            dark = str(path.with_stem(f"{name}-at-night"))
            act += f"terrain.mood = 'night'\nstep(150)\nsave({dark!r})"
        with tempfile.TemporaryDirectory() as folder:
            run_in_window(CLOCK + program, act, Path(folder), SIZE)
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    draw(sys.argv[1:])
