"""Animated GIFs from picture files; requires Pillow, an optional dependency."""

import io
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from terrain3d.core.files import atomic_write

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

COLORS = 255
"""Size of the shared palette; one more index is left for unchanged pixels."""

_SAMPLES = 6
_SAMPLE_WIDTH = 320


class PillowMissing(ImportError):
    """Pillow is not installed; the text names the command that installs it."""


def check_pillow(what: str = "a GIF") -> None:
    """Raise `PillowMissing` if Pillow, which `what` needs, is not installed."""
    if find_spec("PIL") is None:
        raise PillowMissing(
            f'{what} needs Pillow, which is not installed: pip install "pillow>=10.3"'
        )


def write_gif(pictures: Sequence[Path], path: Path, frame_s: float, last_s: float) -> None:
    """Write one or more picture files of one size to a GIF that repeats forever.

    Each picture is shown for `frame_s` seconds, the last one for `last_s`. `OSError` if a picture
    cannot be read, or the GIF cannot be written: an existing file at `path` stays unchanged then.
    `PillowMissing` without Pillow.
    """
    check_pillow()
    from PIL import Image

    palette = _shared_palette(pictures)

    def reduced() -> Iterator["Picture"]:
        for picture in pictures:
            with Image.open(picture) as full:
                # Without dithering, still parts are the same in all pictures.
                yield full.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)

    frames = reduced()
    first = next(frames)
    frame_ms, last_ms = round(1000 * frame_s), round(1000 * last_s)
    durations = [frame_ms] * (len(pictures) - 1) + [last_ms]
    # Into memory first: Pillow overlooks that a full disk takes only a part of the last write.
    content = io.BytesIO()
    first.save(content, "GIF", save_all=True, append_images=frames, duration=durations, loop=0)
    try:
        with atomic_write(path) as file:
            file.write(content.getbuffer())
    except OSError as error:
        raise type(error)(f"cannot write a GIF to {path}: {error.strerror}") from None


def _shared_palette(pictures: Sequence[Path]) -> "Picture":
    """Return a palette for all pictures, taken from a few of them at a small size."""
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
