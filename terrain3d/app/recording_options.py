"""The options of the command `theatre` for its output: pictures, a GIF."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from terrain3d.core.argument_types import size_argument
from terrain3d.look.settings import Settings


@dataclass(frozen=True)
class RecordingOptions:
    """The output of the command `theatre`, which shows the steps of a search.

    It is numbered pictures in the folder `out`, and a GIF, in the folder if `gif` does not name a
    file. Pictures are `every` steps apart, but the first and the last step are always shown.
    `ValueError` if no output is chosen, or `every` is below 1.
    """

    out: Path | None = None
    gif: Path | None = None
    every: int = 1
    size: tuple[int, int] = (1280, 720)
    mood: str = "noon"
    quality: str = "high"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.out is None and self.gif is None:
            raise ValueError("choose an output: --out DIR or --gif FILE")
        if self.every < 1:
            raise ValueError(f"--every must be >= 1, got {self.every}")

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        add = parser.add_argument
        what = "write numbered pictures and search.gif to this folder"
        add("--out", type=Path, metavar="DIR", help=what)
        add("--gif", type=Path, metavar="FILE", help="write the GIF to this file")
        add("--every", type=int, default=1, metavar="N", help="show every Nth step only")
        default = RecordingOptions.size
        what = f"default {'x'.join(map(str, default))}"
        add("--size", type=size_argument, default=default, metavar="WxH", help=what)

    @classmethod
    def from_options(cls, options: argparse.Namespace, settings: Settings) -> Self:
        """Return the options from a parsed command line."""
        names = ("out", "gif", "every", "size")
        given = {name: getattr(options, name) for name in names}
        return cls(**given, mood=settings.mood, quality=settings.quality)
