"""Copy meshes into Panda3D's vertex buffers, and make the font of all text."""

from __future__ import annotations

import numpy as np
from fontpkg import path
from numpy.typing import NDArray
from panda3d.core import (
    DynamicTextFont,
    Filename,
    Geom,
    GeomEnums,
    GeomNode,
    GeomTriangles,
    GeomVertexArrayFormat,
    GeomVertexData,
    GeomVertexFormat,
    InternalName,
    NodePath,
    Thread,
)

from terrain3d.mesh.data import MeshData

_VERTEX = np.dtype(
    [
        ("vertex", np.float32, 3),
        ("normal", np.float32, 3),
        ("color", np.uint8, 4),
        ("texcoord", np.float32, 3),
    ]
)


def _vertex_format() -> GeomVertexFormat:
    columns = GeomVertexArrayFormat()
    columns.add_column(InternalName.get_vertex(), 3, GeomEnums.NT_float32, GeomEnums.C_point)
    columns.add_column(InternalName.get_normal(), 3, GeomEnums.NT_float32, GeomEnums.C_normal)
    columns.add_column(InternalName.get_color(), 4, GeomEnums.NT_uint8, GeomEnums.C_color)
    columns.add_column(InternalName.get_texcoord(), 3, GeomEnums.NT_float32, GeomEnums.C_texcoord)
    return GeomVertexFormat.register_format(GeomVertexFormat(columns))


def packed(mesh: MeshData) -> NDArray[np.void]:
    """Return the (n,) vertices of a mesh in the layout of the vertex buffer."""
    vertices = np.empty(len(mesh.positions), dtype=_VERTEX)
    vertices["vertex"] = mesh.positions
    vertices["normal"] = mesh.normals
    vertices["color"] = mesh.colors
    vertices["texcoord"] = mesh.uv
    return vertices


def rewrite(node: GeomNode, vertices: NDArray[np.void]) -> None:
    """Replace the vertices that a node draws by as many others."""
    data = node.modify_geom(0).modify_vertex_data()
    data.modify_array_handle(0).copy_data_from(vertices.tobytes())


def make_geom(mesh: MeshData) -> Geom:
    """Return a new Geom with a copy of a mesh."""
    vertices = packed(mesh)
    data = GeomVertexData("mesh", _vertex_format(), GeomEnums.UH_static)
    data.unclean_set_num_rows(len(vertices))
    if len(vertices):
        data.modify_array_handle(0).copy_data_from(vertices.view(np.uint8))
    triangles = GeomTriangles(GeomEnums.UH_static)
    triangles.set_index_type(GeomEnums.NT_uint32)
    indices = triangles.modify_vertices_handle(Thread.get_current_thread())
    indices.unclean_set_num_rows(mesh.triangles.size)
    if mesh.triangles.size:
        indices.copy_data_from(mesh.triangles.view(np.uint8))
    geom = Geom(data)
    geom.add_primitive(triangles)
    return geom


def make_geom_node(name: str, mesh: MeshData) -> GeomNode:
    """Return a new node that draws a mesh, or nothing if the mesh is empty."""
    node = GeomNode(name)
    if mesh.triangles.size:
        node.add_geom(make_geom(mesh))
    return node


def redrawn(old: NodePath, parent: NodePath, name: str, mesh: MeshData, sort: int = 0) -> NodePath:
    """Draw a mesh below a parent instead of what `old` draws; return the new NodePath."""
    old.remove_node()
    return parent.attach_new_node(make_geom_node(name, mesh), sort)


def make_font(pixels: int) -> DynamicTextFont:
    """Return the font for letters of a height in pixels; each call returns another font."""
    # IBM Plex Sans is clear at 12 pixels, has lining figures, is free and kept on PyPI by fontpkg.
    font = DynamicTextFont(Filename.from_os_specific(str(path("IBM Plex Sans"))))
    font.set_pixels_per_unit(pixels)
    font.set_page_size(512, 512)
    return font
