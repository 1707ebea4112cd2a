"""A map as a model of Panda3D: colored triangles that need none of our light and shaders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import BamFile, ModelRoot, StringStream

from terrain3d.core.files import atomic_write
from terrain3d.mapfile.losses import MODEL_NOTE
from terrain3d.mesh import chunk_mesh, chunk_rects
from terrain3d.view.geometry.geom import make_geom_node

if TYPE_CHECKING:
    from pathlib import Path

    from terrain3d.map.tilemap import TileMap

BAM_SUFFIX = ".bam"


def make_model(tilemap: TileMap, name: str = "terrain") -> ModelRoot:
    """Make a model of a map as it is now, one node a chunk.

    Its vertices have colors with all that is baked into them, and normals for the light of whoever
    shows it; there is no texture and no shader.
    """
    model = ModelRoot(name)
    for rect in chunk_rects(tilemap.rows, tilemap.cols):
        mesh = chunk_mesh(tilemap, rect)
        if mesh.triangles.size:
            model.add_child(make_geom_node(f"chunk-{rect.row}-{rect.col}", mesh))
    return model


def write_bam(tilemap: TileMap, path: Path) -> tuple[str, ...]:
    """Write what `make_model` makes to a `.bam` file, and say what that cannot hold.

    Raises
    ------
    OSError
        It cannot be written.
    """
    stream, bam = StringStream(), BamFile()
    is_written = bam.open_write(stream) and bam.write_object(make_model(tilemap, path.stem))
    bam.close()
    if not is_written:
        raise OSError("Panda3D cannot write it")
    with atomic_write(path) as file:
        file.write(stream.data)
    return (MODEL_NOTE,)
