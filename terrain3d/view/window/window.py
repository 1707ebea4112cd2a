"""Opens a window, or an offscreen buffer where there is no display, and saves pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from direct.showbase.ShowBase import ShowBase
from panda3d.core import (
    ClockObject,
    GraphicsPipeSelection,
    PNMImage,
    StringStream,
    load_prc_file_data,
)

from terrain3d.core.files import atomic_write, check_target
from terrain3d.look.settings import HIGH, QUALITIES
from terrain3d.view.window.panda_tree import PandaTree, attach

TITLE = "terrain3d"
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".tga", ".tif", ".tiff", ".ppm")

_SETTINGS = """
window-title {title}
win-size {width} {height}
framebuffer-multisample {is_smooth:d}
multisamples {samples}
audio-library-name null
print-pipe-types 0
notify-level-display error
notify-level-x11display fatal
notify-level-egldisplay fatal
notify-level-ShowBase error
notify-level-device fatal
"""

# Mesa's software GL comes first since it has shaders; Panda3D's own renderer always exists.
_OFFSCREEN_PIPES = ("p3headlessgl", "p3tinydisplay")


def configure(width: int, height: int, samples: int = HIGH.samples) -> None:
    """Set the options that Panda3D reads when it opens a window."""
    is_smooth = samples > 0
    text = _SETTINGS.format(
        title=TITLE, width=width, height=height, samples=samples, is_smooth=is_smooth
    )
    if sys.platform == "darwin":
        text += "gl-version 3 2\n"  # without it, macOS has no GLSL 1.50
    load_prc_file_data("", text)


def open_window(width: int, height: int, samples: int = HIGH.samples) -> ShowBase | None:
    """Open a window of a size in pixels; return None if there is no display.

    Edges are smoothed by `samples` samples a pixel, or by as many as the display supports.
    """
    configure(width, height, samples)
    base = ShowBase(windowType="none")
    base.windowType = "onscreen"
    if _is_open(base, "onscreen"):
        return base
    base.destroy()
    return None


def open_offscreen(width: int, height: int, samples: int = HIGH.samples) -> ShowBase:
    """Open an offscreen buffer of a size in pixels, without a display; see `open_window`.

    `RuntimeError` if no renderer of this machine can do it.
    """
    configure(width, height, samples)
    # No window swaps buffers here. Without glFinish, Mesa keeps every frame: 7 MB each.
    load_prc_file_data("", "gl-finish true")
    base = ShowBase(windowType="none")
    base.windowType = "offscreen"
    names = _OFFSCREEN_PIPES if sys.platform.startswith("linux") else ("", *_OFFSCREEN_PIPES)
    for name in names:
        if name:
            base.pipe = GraphicsPipeSelection.get_global_ptr().make_module_pipe(name)
        if (base.pipe is not None or not name) and _is_open(base, "offscreen"):
            return base
    base.destroy()
    raise RuntimeError("no renderer of this machine can draw into memory")


def _is_open(base: ShowBase, kind: Literal["onscreen", "offscreen"]) -> bool:
    try:
        if base.pipe is None:
            base.make_default_pipe()
        # With an explicit pipe it tries no others, which would print errors.
        return bool(base.open_default_window(type=kind, pipe=base.pipe, startDirect=True))
    except Exception as error:
        # Panda3D raises plain Exceptions for this; anything else is a real error.
        if type(error) is Exception:
            return False
        raise


def hold_still(base: ShowBase) -> None:
    """Stop the clock, so that a picture does not depend on when it is drawn."""
    clock = base.clock
    clock.mode = ClockObject.M_slave
    clock.dt = 0.0


@contextmanager
def still_tree(size: tuple[int, int], quality: str) -> Iterator[PandaTree]:
    """Open an offscreen buffer whose clock stands still, with a node tree; close both at the end.

    `RuntimeError` if no renderer of this machine can draw into memory.
    """
    base = open_offscreen(*size, QUALITIES[quality].samples)
    hold_still(base)
    tree = attach(base)
    try:
        yield tree
    finally:
        base.clock.mode = ClockObject.M_normal
        tree.close()
        base.destroy()


def check_picture_path(path: Path) -> None:
    """Check that a picture can be written to a path; errors are those of `check_target`."""
    check_target(path, "a picture", *PICTURE_SUFFIXES)


def save_picture(base: ShowBase, path: Path) -> None:
    """Write the last frame as a picture in the format of the path's suffix.

    If that fails, an existing file at `path` stays as it was. Raises as `check_picture_path`.
    """
    check_picture_path(path)
    picture, stream = PNMImage(), StringStream()
    # Into memory first: Panda3D overlooks that a disk is full.
    if not (base.win.get_screenshot(picture) and picture.write(stream, f"picture{path.suffix}")):
        raise OSError(f"cannot write a picture to {path}: Panda3D cannot draw or encode it")
    try:
        with atomic_write(path) as file:
            file.write(stream.data)
    except OSError as error:
        raise type(error)(f"cannot write a picture to {path}: {error.strerror}") from None
