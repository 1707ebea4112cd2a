"""A map as a Panda3D model: colored triangles that need no lights or shaders of this package.

The plug-in for Panda3D's loader makes `loader.load_model("vale.tmap")` return one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from panda3d.core import BamFile, Filename, ModelRoot, StringStream, VirtualFileSystem

import terrain3d
from terrain3d.core.errors import in_file
from terrain3d.core.files import atomic_write
from terrain3d.formats import MapFileError, tmap
from terrain3d.formats.format import MODEL_NOTE, max_file_bytes
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.chunks import chunk_mesh, chunk_rects
from terrain3d.view.geometry import make_geom_node

if TYPE_CHECKING:
    from panda3d.core import BamCacheRecord, LoaderOptions

_CARD = Path(terrain3d.__file__).with_name("plugin.cfg")


def make_model(tilemap: TileMap, name: str = "terrain") -> ModelRoot:
    """Return a model of a map in its current state, one node for each chunk.

    Its vertices have colors, with the shading baked into them, and normals; there is no texture
    and no shader.
    """
    model = ModelRoot(name)
    for rect in chunk_rects(tilemap.rows, tilemap.cols):
        mesh = chunk_mesh(tilemap, rect)
        if mesh.triangles.size:
            name = f"chunk-{rect.row}-{rect.col}"
            model.add_child(make_geom_node(name, mesh, is_solid=True))
    return model


def write_bam(tilemap: TileMap, path: Path) -> tuple[str, ...]:
    """Write the model of a map to a `.bam` file; return notes on what the file cannot hold."""
    stream, bam = StringStream(), BamFile()
    is_written = bam.open_write(stream) and bam.write_object(make_model(tilemap, path.stem))
    bam.close()
    if not is_written:
        raise OSError("Panda3D cannot write it")
    with atomic_write(path) as file:
        file.write(stream.data)
    return (MODEL_NOTE,)


class TmapLoader:
    """Loads native maps; registered in pyproject.toml under "panda3d.loaders"."""

    extensions = ("tmap",)
    supports_compressed = False

    @staticmethod
    def load_file(
        path: Filename, _options: LoaderOptions, record: BamCacheRecord | None = None
    ) -> ModelRoot:
        """Return the model of a map in Panda3D's virtual file system.

        For a file that is too large or no map, Panda3D prints the `MapFileError`, and `load_model`
        then raises `OSError`.
        """
        source, limit = path.to_os_specific(), max_file_bytes(MAX_SURFACES)
        file = VirtualFileSystem.get_global_ptr().get_file(path)
        if file is None or not file.is_regular_file():
            raise MapFileError("is not a regular file", source=source)
        if file.get_file_size() > limit:
            raise MapFileError(f"is larger than {limit} bytes", source=source)
        with in_file(source):
            tilemap = tmap.read(file.read_file(False)).tilemap
        if record is not None:
            # Panda3D caches the model on disk; a new version of this package must rebuild it.
            record.add_dependent_file(Filename.from_os_specific(str(_CARD)))
        return make_model(tilemap, path.get_basename())
