"""Maps as models of Panda3D, which need no lights or shaders of this package, and models as meshes.

The plug-in for Panda3D's loader makes `loader.load_model("vale.tmap")` return one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import (
    Filename,
    GeomNode,
    GeomTriangles,
    GeomVertexReader,
    Loader,
    LVecBase4f,
    MaterialAttrib,
    ModelRoot,
    NodePath,
    TextureAttrib,
    VirtualFileSystem,
)

import terrain3d
from terrain3d.core.checks import checked_path, quoted
from terrain3d.core.files import in_file
from terrain3d.formats import MapFileError, single_line, tmap
from terrain3d.formats.registry import SourceFile, max_file_bytes
from terrain3d.grid.kinds import PLAIN
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.chunks import chunk_mesh, chunk_rects
from terrain3d.mesh.data import MeshData, surface_of
from terrain3d.mesh.ground.paint import KindPalette
from terrain3d.view.geometry import make_geom_node

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray
    from panda3d.core import BamCacheRecord, Geom, LMatrix4, LoaderOptions, RenderState

_GLTF = {".glb", ".gltf"}
_OBJECT = re.compile(r" ?<[^<>]* at 0x[0-9a-fA-F]+>")
"""An object as Python shows it, with its address in memory."""
_SHOWN = 100
_CARD = Path(terrain3d.__file__).with_name("plugin.cfg")


def make_model(tilemap: TileMap, name: str = "terrain") -> ModelRoot:
    """Return a model of a map in its current state, one node for each chunk.

    Its vertices have colors, with the shading baked into them, and normals. There is no shader, and
    no texture but the images of the game's own.
    """
    model, looks = ModelRoot(name), KindPalette.of(tilemap.kinds).looks
    for rect in chunk_rects(tilemap.rows, tilemap.cols):
        mesh = chunk_mesh(tilemap, rect)
        if mesh.triangles.size:
            name = f"chunk-{rect.row}-{rect.col}"
            model.add_child(make_geom_node(name, mesh, looks, is_solid=True))
    return model


def load_model(model: NodePath | str | os.PathLike[str]) -> NodePath:
    """Return a model, read from a file if a path is given; or as it is."""
    if isinstance(model, NodePath):
        if model.is_empty():
            raise ValueError("model must not be an empty NodePath")
        return model
    path = checked_path("model", model)
    if not path.is_file():
        raise ValueError(f"model must be a file that exists, got {quoted(str(path))}")
    if path.suffix.lower() in _GLTF:
        try:
            import gltf
        except ImportError:
            needs = 'pip install "terrain3d-tactics[models]"'
            raise ImportError(f"{path.name} needs panda3d-gltf: {needs}") from None
        try:
            return NodePath(gltf.load_model(str(path)))
        except Exception as error:  # the library raises a dozen types for a broken file
            cause = single_line(_OBJECT.sub("", str(error)), _SHOWN)
            raise MapFileError(f"cannot be read as glTF: {cause}", source=str(path)) from None
    node = Loader.get_global_ptr().load_sync(Filename.from_os_specific(str(path)))
    if node is None:
        raise ValueError(f"model {str(path)!r} cannot be read by Panda3D's loader")
    return NodePath(node)


def mesh_of(model: NodePath | str | os.PathLike[str]) -> MeshData:
    """Return the triangles of a model as a mesh, for `register_prop`.

    A vertex has the color that the model shows there, of its texture, its material and its own;
    so a texture of plain areas is kept, and a finer one is blurred between the vertices.

    Parameters
    ----------
    model : NodePath or path
        Its own transform is applied. Files as for `Unit3D`.

    Raises
    ------
    ImportError
        A .glb or .gltf file is given, and panda3d-gltf is not installed.
    TypeError, ValueError
        It cannot be read, or has no triangles.
    """
    root, parts = NodePath("model"), []
    load_model(model).copy_to(root)
    # Colors of glTF files are linear, but for those of textures.
    is_linear = not isinstance(model, NodePath) and Path(model).suffix.lower() in _GLTF
    root.clear_model_nodes()
    root.flatten_light()  # colors, and transforms of textures, are in the vertices then
    for path in root.find_all_matches("**/+GeomNode"):
        node, state = path.node(), path.get_net_state()
        assert isinstance(node, GeomNode)
        for number in range(node.get_num_geoms()):
            look = state.compose(node.get_geom_state(number))
            geom, place = node.get_geom(number).decompose(), path.get_mat(root)
            parts.append(_mesh(geom, look, place, is_linear=is_linear))
    if not any(len(part.triangles) for part in parts):
        raise ValueError(f"model must have triangles, got {quoted(str(model))}")
    return MeshData.join(parts)


def _mesh(geom: Geom, state: RenderState, place: LMatrix4, *, is_linear: bool) -> MeshData:
    """Return the triangles of a Geom, moved by a matrix, in the colors of its state."""
    data = geom.get_vertex_data()

    def column(name: str, *otherwise: float) -> NDArray[np.float64]:
        if not data.has_column(name):
            return np.tile(otherwise, (data.get_num_rows(), 1))
        reader = GeomVertexReader(data, name)
        return np.array([tuple(reader.get_data4()) for _ in range(data.get_num_rows())])

    matrix = np.array(place).reshape(4, 4)
    normals = column("normal", 0.0, 0.0, 1.0)[:, :3] @ np.linalg.inv(matrix[:3, :3]).T
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    colors = column("color", 1.0, 1.0, 1.0)[:, :3]
    material, skins = state.get_attrib(MaterialAttrib), state.get_attrib(TextureAttrib)
    if isinstance(material, MaterialAttrib) and (given := material.get_material()) is not None:
        colors *= tuple(given.base_color or given.diffuse or (1.0,) * 3)[:3]
    if is_linear:  # IEC 61966-2-1
        bright = 1.055 * np.maximum(colors, 0.0) ** (1 / 2.4) - 0.055
        colors = np.where(colors <= 0.0031308, colors * 12.92, bright)
    if isinstance(skins, TextureAttrib) and skins.get_num_on_stages():
        peeker, texel = skins.get_on_texture(skins.get_on_stage(0)).peek(), LVecBase4f()
        for row, (u, v, *_) in enumerate(column("texcoord", 0.0, 0.0) if peeker else ()):
            peeker.lookup(texel, u, v)
            colors[row] *= tuple(texel)[:3]
    corners = [
        part.get_vertex(number)
        for part in geom.get_primitives()
        if isinstance(part, GeomTriangles)
        for number in range(part.get_num_vertices())
    ]
    points = (column("vertex") @ matrix)[:, :3]
    triangles = np.array(corners, np.intp).reshape(-1, 3)
    return MeshData.of(points, normals, colors, surface_of(PLAIN), triangles)


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
            tilemap = tmap.read(file.read_file(False), SourceFile(Path(source)))
        if record is not None:
            # Panda3D caches the model on disk; a new version of this package must rebuild it.
            record.add_dependent_file(Filename.from_os_specific(str(_CARD)))
        return make_model(tilemap, path.get_basename())
