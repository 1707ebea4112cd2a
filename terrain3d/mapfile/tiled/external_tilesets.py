"""Tilesets that are written as files of their own beside their map."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from terrain3d.mapfile.record import Extras
from terrain3d.mapfile.tiled import tmx_writer
from terrain3d.mapfile.tiled.referenced_files import MAX_BYTES, inside

SUFFIXES = (".tsx", ".tsj")
"""Tiled's XML, which holds pictures, and its JSON, which does not."""

VERSIONS = {"version": "1.10", "tiledversion": "1.10.0"}
"""The version of Tiled's format that is written."""


@dataclass(frozen=True)
class TilesetFiles:
    """The place of a map's tilesets: its folder, named as the map with their own name behind.

    Parameters
    ----------
    path : Path
        The map.
    suffix : str
        One of SUFFIXES.

    Raises
    ------
    ValueError
        There is no such suffix, or the map's name is one that no file may refer to.
    """

    path: Path
    suffix: str

    def __post_init__(self) -> None:
        """Refuse names that could be written, and never be read."""
        if self.suffix not in SUFFIXES:
            raise ValueError(f"tilesets end in {' or '.join(SUFFIXES)}, got {self.suffix!r}")
        name = self._name("")
        if inside(self.path.parent, name) != self.path.parent.resolve() / name:
            raise ValueError(f"no file can refer to tilesets named as {self.path.name!r}")

    def set_apart(self, fields: Extras, pictures: Mapping[int, str]) -> dict[str, bytes]:
        """Take the tilesets out of a map, which refers to them from then on.

        Parameters
        ----------
        fields : dict
            The map, in the words of Tiled's JSON.
        pictures : mapping
            PNG in base64 of each tile, by its number in layers.

        Returns
        -------
        dict
            What each file holds, by its name.

        Raises
        ------
        ValueError
            They are larger than is ever read.
        """
        files: dict[str, bytes] = {}
        references = []
        for tileset in fields["tilesets"]:
            first, name = tileset["firstgid"], self._name(tileset["name"])
            own = {"type": "tileset", **VERSIONS, **tileset}
            del own["firstgid"]
            is_xml = self.suffix == SUFFIXES[0]
            files[name] = (
                tmx_writer.render_tileset(own, pictures, first) if is_xml else json_of(own)
            )
            references.append({"firstgid": first, "source": name})
        size = sum(map(len, files.values()))
        if size > MAX_BYTES:
            raise ValueError(f"tilesets beside a map have at most {MAX_BYTES} bytes, got {size}")
        fields["tilesets"] = references
        return files

    def _name(self, tileset: str) -> str:
        return f"{self.path.stem}-{tileset}{self.suffix}"


def json_of(fields: Extras) -> bytes:
    """Write a map or a tileset as Tiled's JSON."""
    return json.dumps(fields, allow_nan=False, indent=1).encode("ascii") + b"\n"
