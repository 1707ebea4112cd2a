"""A map file that people name, and what they say of it beside."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from terrain3d import mapfile
from terrain3d.mapfile import native
from terrain3d.tilemap import TileMap
from terrain3d.topology import TOPOLOGIES


@dataclass(frozen=True)
class Source:
    """A file with a map, and what is said of it that it may not tell itself.

    Parameters
    ----------
    path : Path
    topology : str, optional
        How tiles lie; refused if the file says something else.
    max_tiles : int
        The most tiles, on all decks together, that the file may make.
    """

    path: Path
    topology: str | None = None
    max_tiles: int = native.MAX_SURFACES

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Let a command line name it."""
        add = parser.add_argument
        add("source", type=Path, metavar="FILE", help="a map in any format, see docs/formats.md")
        add("--topology", choices=TOPOLOGIES, help="how tiles lie, where the file does not say")
        add(
            "--max-tiles",
            type=int,
            metavar="N",
            default=Source.max_tiles,
            help=f"refuse maps of more tiles, default {Source.max_tiles}",
        )

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """Take what a command line asked for."""
        return cls(options.source, options.topology, options.max_tiles)

    def read(self) -> tuple[TileMap, mapfile.MapRecord]:
        """Read the file: the map, and what it was made of.

        Raises
        ------
        ValueError
            It is no map, which is a `MapFileError`, or has another topology.
        """
        record = mapfile.read(self.path, self.topology or "square", self.max_tiles)
        if record.topology != (self.topology or record.topology):
            raise ValueError(f"--topology has no effect, {self.path} says {record.topology!r}")
        return TileMap.from_record(record, str(self.path)), record
