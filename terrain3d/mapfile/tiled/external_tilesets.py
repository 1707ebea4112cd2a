"""The names of the files beside a Tiled map, and tilesets in files of their own."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from terrain3d.mapfile.record import Extras
from terrain3d.mapfile.tiled import tmx_writer
from terrain3d.mapfile.tiled.referenced_files import MAX_BYTES, resolve_inside

SUFFIXES = (".tsx", ".tsj")
"""Tiled's XML and its JSON."""

_LINE_OF_A_NUMBER = re.compile(r"\n *(?=[0-9]+,?\n)")

VERSIONS = {"version": "1.10", "tiledversion": "1.10.0"}
"""The format version in written files."""


@dataclass(frozen=True)
class TilesetFiles:
    """The files beside the map at `path`, "<map>-<tileset><suffix>".

    With the suffix "" the tilesets are in the map, and only their pictures are files. `ValueError`
    if the suffix is unknown, or the map's name is one that no file may refer to.
    """

    path: Path
    suffix: str

    def __post_init__(self) -> None:
        """Refuse names that could not be read again."""
        if self.suffix not in ("", *SUFFIXES):
            raise ValueError(f"tilesets end in {' or '.join(SUFFIXES)}, got {self.suffix!r}")
        name = self.name_of("", ".png")
        if resolve_inside(self.path.parent, name) != self.path.parent.resolve() / name:
            raise ValueError(f"no map can refer to files named after {self.path.name!r}")

    def extract(self, tilesets: list[Extras], files: dict[str, bytes]) -> list[Extras]:
        """Return the field "tilesets" of a map; add the content of external ones to `files`.

        `ValueError` if they have more than MAX_BYTES bytes, the limit for reading.
        """
        if not self.suffix:
            return tilesets
        references, size = [], 0
        for tileset in tilesets:
            own = {"type": "tileset", **VERSIONS, **tileset}
            name = self.name_of(tileset["name"], self.suffix)
            write = tmx_writer.write_tileset if self.suffix == SUFFIXES[0] else to_json
            references.append({"firstgid": own.pop("firstgid"), "source": name})
            files[name] = write(own)
            size += len(files[name])
        if size > MAX_BYTES:
            raise ValueError(f"external tilesets have at most {MAX_BYTES} bytes, got {size}")
        return references

    def name_of(self, tileset: str, suffix: str) -> str:
        """Return the name of a file of a tileset."""
        return f"{self.path.stem}-{tileset}{suffix}"


def to_json(fields: Extras) -> bytes:
    """Return a map or a tileset as Tiled's JSON, each list of numbers in one line."""
    text = json.dumps(fields, allow_nan=False, indent=1)
    return _LINE_OF_A_NUMBER.sub(" ", text).encode("ascii") + b"\n"
