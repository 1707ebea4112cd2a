"""A map as a Panda3D model: colored triangles that need no lights or shaders of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import BamFile, ModelRoot, StringStream

from terrain3d.core.files import atomic_write
from terrain3d.mapfile.losses import MODEL_NOTE
from terrain3d.mesh.chunk import chunk_mesh, chunk_rects
from terrain3d.view.geometry.geom import make_geom_node

if TYPE_CHECKING:
    from pathlib import Path

    from terrain3d.map.tilemap import TileMap


def make_model(tilemap: TileMap, name: str = "terrain") -> ModelRoot:
    """Return a model of a map in its current state, one node for each chunk.

    Its vertices have colors, with the shading baked into them, and normals; there is no texture
    and no shader.
    """
    model = ModelRoot(name)
    for rect in chunk_rects(tilemap.rows, tilemap.cols):
        mesh = chunk_mesh(tilemap, rect)
        if mesh.triangles.size:
            model.add_child(make_geom_node(f"chunk-{rect.row}-{rect.col}", mesh))
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
