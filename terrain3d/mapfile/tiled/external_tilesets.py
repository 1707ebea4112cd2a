"""Write the tilesets of a map to files of their own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from terrain3d.mapfile.record import Extras
from terrain3d.mapfile.tiled import tmx_writer
from terrain3d.mapfile.tiled.referenced_files import MAX_BYTES, resolve_inside

SUFFIXES = (".tsx", ".tsj")
"""Tiled's XML, which can embed images, and its JSON, which cannot."""

VERSIONS = {"version": "1.10", "tiledversion": "1.10.0"}
"""The format version in written files."""


@dataclass(frozen=True)
class TilesetFiles:
    """Where the tilesets of the map at `path` are written: beside it, "<map>-<tileset><suffix>".

    `ValueError` if the suffix is unknown, or the map's name is one that no file may refer to.
    """

    path: Path
    suffix: str

    def __post_init__(self) -> None:
        """Refuse names that could not be read again."""
        if self.suffix not in SUFFIXES:
            raise ValueError(f"tilesets end in {' or '.join(SUFFIXES)}, got {self.suffix!r}")
        name = self._name("")
        if resolve_inside(self.path.parent, name) != self.path.parent.resolve() / name:
            raise ValueError(f"no map can refer to tilesets named after {self.path.name!r}")

    def extract(self, fields: Extras, images: Mapping[int, str]) -> dict[str, bytes]:
        """Replace the tilesets of a map by references, and return the content of files by name.

        `fields` is the map, as in Tiled's JSON, `images` the PNG of each tile in base64, by gid.
        `ValueError` if the files have more than MAX_BYTES bytes, the limit for reading.
        """
        files: dict[str, bytes] = {}
        references = []
        for tileset in fields["tilesets"]:
            first_gid, name = tileset["firstgid"], self._name(tileset["name"])
            own = {"type": "tileset", **VERSIONS, **tileset}
            del own["firstgid"]
            is_xml = self.suffix == SUFFIXES[0]
            write = tmx_writer.write_tileset
            files[name] = write(own, images, first_gid) if is_xml else to_json(own)
            references.append({"firstgid": first_gid, "source": name})
        size = sum(map(len, files.values()))
        if size > MAX_BYTES:
            raise ValueError(f"external tilesets have at most {MAX_BYTES} bytes, got {size}")
        fields["tilesets"] = references
        return files

    def _name(self, tileset: str) -> str:
        return f"{self.path.stem}-{tileset}{self.suffix}"


def to_json(fields: Extras) -> bytes:
    """Return a map or a tileset as Tiled's JSON."""
    return json.dumps(fields, allow_nan=False, indent=1).encode("ascii") + b"\n"
