"""What a command is to make of a search's steps: text, pictures, a GIF."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from terrain3d.core.argument_types import size_argument
from terrain3d.look.settings import Settings


@dataclass(frozen=True)
class RecordingOptions:
    """What is made of a search's steps.

    Parameters
    ----------
    text : bool
        Whether the steps are printed.
    out : Path, optional
        A folder for numbered pictures.
    gif : Path, optional
        Where the GIF of them goes; into the folder, if there is one.
    every : int >= 1
        Steps from picture to picture; the beginning and the end are always there.
    size : (width, height) in pixels
    mood, quality : str
        In which light, and how much a picture may cost; see `Settings`.

    Raises
    ------
    ValueError
        There is nothing to be made, or `every` is below 1.
    """

    text: bool = False
    out: Path | None = None
    gif: Path | None = None
    every: int = 1
    size: tuple[int, int] = (1280, 720)
    mood: str = "noon"
    quality: str = "high"

    def __post_init__(self) -> None:
        """Check what is asked for."""
        if not (self.text or self.is_drawn):
            raise ValueError("say where to show it: --text, --out DIR or --gif FILE")
        if self.every < 1:
            raise ValueError(f"--every must be >= 1, got {self.every}")

    @property
    def is_drawn(self) -> bool:
        """Whether pictures are needed."""
        return self.out is not None or self.gif is not None

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Let a command line ask for all of it."""
        add, width_height = parser.add_argument, "x".join(map(str, RecordingOptions.size))
        add("--text", action="store_true", help="print the steps")
        add("--out", type=Path, metavar="DIR", help="draw them here, numbered, with search.gif")
        add("--gif", type=Path, metavar="FILE", help="where the GIF goes instead")
        add("--every", type=int, default=1, metavar="N", help="only each Nth step")
        add(
            "--size",
            type=size_argument,
            default=RecordingOptions.size,
            metavar="WxH",
            help=f"default {width_height}",
        )

    @classmethod
    def from_options(cls, options: argparse.Namespace, settings: Settings) -> Self:
        """Take what a command line asked for."""
        return cls(
            options.text,
            options.out,
            options.gif,
            options.every,
            options.size,
            settings.mood,
            settings.quality,
        )
