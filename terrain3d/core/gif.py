"""Pictures in a row as one animated GIF; it needs Pillow, which is not installed with the rest."""

import os
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

COLORS = 255
"""Of the palette that all pictures share; one more means that nothing changes there."""

_SAMPLES = 6
_SAMPLE_WIDTH = 320


class PillowMissing(ImportError):
    """Pillow is not there; the text names the command that installs it."""


def check_pillow(what: str = "a GIF") -> None:
    """Refuse to go on without Pillow, which `what` needs.

    Raises
    ------
    PillowMissing
        It is not installed.
    """
    if find_spec("PIL") is None:
        raise PillowMissing(
            f'{what} needs Pillow, which is not installed: pip install "pillow>=10.3"'
        )


def check_gif_path(path: Path) -> None:
    """Refuse, before anything is drawn, a path at which no GIF can be written.

    Raises
    ------
    ValueError
        Its name does not end in .gif.
    OSError
        It is a directory, or lies in none that can be written to.
    """
    if path.suffix.lower() != ".gif":
        raise ValueError(f"cannot write a GIF to {path}: its name must end in .gif")
    if path.is_dir():
        raise IsADirectoryError(f"cannot write a GIF to {path}: it is a directory")
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"cannot write a GIF to {path}: there is no directory {path.parent}"
        )
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"cannot write a GIF to {path}: {path.parent} cannot be written to")


def write_gif(pictures: Sequence[Path], path: Path, frame_s: float, last_s: float) -> None:
    """Put picture files of one size into a GIF that runs forever.

    A failure leaves what was at `path` before.

    Parameters
    ----------
    pictures : sequence of at least one path
    path : Path
    frame_s, last_s : float, in seconds
        How long each picture stays, and the last one.

    Raises
    ------
    PillowMissing
        Pillow is not installed.
    OSError
        A picture cannot be read, or the GIF cannot be written.
    """
    check_pillow()
    from PIL import Image

    palette = _shared_palette(pictures)

    def reduced() -> Iterator["Picture"]:
        for picture in pictures:
            with Image.open(picture) as full:
                # Without dithering, what stands still is the same from picture to picture.
                yield full.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)

    frames = reduced()
    first = next(frames)
    frame_ms, last_ms = round(1000 * frame_s), round(1000 * last_s)
    durations = [frame_ms] * (len(pictures) - 1) + [last_ms]
    part = path.with_name(f".{os.getpid()}.gif")
    try:
        first.save(part, save_all=True, append_images=frames, duration=durations, loop=0)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _shared_palette(pictures: Sequence[Path]) -> "Picture":
    """Choose colors for all pictures from a few of them, seen small."""
    from PIL import Image

    chosen = [pictures[i * (len(pictures) - 1) // (_SAMPLES - 1)] for i in range(_SAMPLES)]
    samples = []
    for picture in chosen:
        with Image.open(picture) as full:
            height = max(1, full.height * _SAMPLE_WIDTH // full.width)
            samples.append(full.convert("RGB").resize((_SAMPLE_WIDTH, height)))
    sheet = Image.new("RGB", (_SAMPLE_WIDTH, sum(sample.height for sample in samples)))
    top = 0
    for sample in samples:
        sheet.paste(sample, (0, top))
        top += sample.height
    return sheet.quantize(COLORS, method=Image.Quantize.FASTOCTREE)
