"""How marks get into Panda3D: without light, blended over the ground, writing no depth."""

from __future__ import annotations

import numpy as np
from panda3d.core import (
    Geom,
    GeomEnums,
    GeomNode,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    NodePath,
    SamplerState,
    Texture,
    Thread,
    TransparencyAttrib,
)

from terrain3d.marks import Marks, pattern

_VERTEX = np.dtype([("point", "<f4", 3), ("color", "u1", 4), ("texcoord", "<f4", 2)])


def geom_node(name: str, marks: Marks) -> GeomNode:
    """Make marks into a node with one Geom, or none if there are no triangles."""
    node = GeomNode(name)
    if not len(marks.triangles):
        return node
    rows = np.empty(len(marks.points), _VERTEX)
    rows["point"] = marks.points
    rows["color"] = np.rint(marks.colors * 255.0)
    rows["texcoord"] = marks.texcoords
    data = GeomVertexData(name, GeomVertexFormat.get_v3c4t2(), GeomEnums.UH_static)
    data.unclean_set_num_rows(len(rows))
    data.modify_array_handle(0).copy_data_from(rows.tobytes())
    triangles = GeomTriangles(GeomEnums.UH_static)
    triangles.set_index_type(GeomEnums.NT_uint32)
    indices = triangles.modify_vertices_handle(Thread.get_current_thread())
    indices.unclean_set_num_rows(marks.triangles.size)
    indices.copy_data_from(marks.triangles.tobytes())
    geom = Geom(data)
    geom.add_primitive(triangles)
    node.add_geom(geom)
    return node


def set_unlit(np_: NodePath, sort: int) -> None:
    """Let a NodePath show its own colors, over the ground and under marks of a higher `sort`."""
    np_.set_shader_off(1)
    np_.set_light_off(1)
    np_.set_material_off(1)
    np_.set_fog_off(1)
    np_.set_two_sided(True)
    np_.set_transparency(TransparencyAttrib.M_alpha)
    np_.set_depth_write(False)
    np_.set_depth_offset(1)
    np_.set_bin("fixed", sort)


def pattern_texture() -> Texture:
    """Upload the texture that marks of a region are drawn with."""
    picture = pattern()
    height, width, _ = picture.shape
    texture = Texture("terrain3d-pattern")
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, Texture.F_rgba)
    # Panda3D keeps pixels as blue, green, red, alpha, from the lowest row up.
    texture.set_ram_image(np.ascontiguousarray(picture[::-1, :, [2, 1, 0, 3]]).tobytes())
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
    texture.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    texture.set_magfilter(SamplerState.FT_linear)
    texture.set_anisotropic_degree(8)
    return texture
