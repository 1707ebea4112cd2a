"""Copy meshes into Panda3D, and make what draws them: the font, textures and render states.

Textures are surface grain, seams and patterns; states those of marks and backdrops.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    BitMask32,
    ConfigVariableInt,
    CullBinManager,
    Geom,
    GeomEnums,
    GeomNode,
    GeomTriangles,
    GeomVertexArrayFormat,
    GeomVertexData,
    GeomVertexFormat,
    GraphicsEngine,
    InternalName,
    LVecBase3f,
    Material,
    MaterialAttrib,
    NodePath,
    PandaNode,
    PGItem,
    RenderState,
    SamplerState,
    Shader,
    ShaderAttrib,
    Texture,
    TextureAttrib,
    TextureStage,
    Thread,
    TransparencyAttrib,
)

from terrain3d.grid.grid import Point
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.region import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from terrain3d.mesh.ground.paint import Look

SEAM_SPAN = 1.25
"""Edge of the seam texture in world units; a hexagon is wider than 1."""
LINEAR = "terrain3d-linear"
"""Tag of a terrain on which marks have linear colors, as its ground."""
_OWN, _OWN_LINEAR = "mesh", "linear mesh"
"""Names of the vertex data of meshes, with colors of sRGB and with linear ones."""
_SRGB = np.arange(256) / 255.0
_LINEAR = np.where(_SRGB <= 0.04045, _SRGB / 12.92, ((_SRGB + 0.055) / 1.055) ** 2.4)
_LINEAR = np.rint(255.0 * _LINEAR).astype(np.uint8)  # IEC 61966-2-1
_SHARP = 64
"""Pixels of images up to this size stay sharp."""
_IMAGE_STAGE = TextureStage("image")
_IMAGE_STAGE.set_sort(-1)  # before the seams, for renderers with one texture
_SIZE = 256
_SEED = 20_211
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


def make_geom(mesh: MeshData, *, is_linear: bool = False) -> Geom:
    """Return a new Geom with a copy of a mesh, with linear colors if asked for."""
    vertices = packed(linear(mesh) if is_linear else mesh)
    data = GeomVertexData(_OWN_LINEAR if is_linear else _OWN, _vertex_format(), GeomEnums.UH_static)
    data.unclean_set_num_rows(len(vertices))
    if len(vertices):
        data.modify_array_handle(0).copy_data_from(vertices.view(np.uint8))
    geom = Geom(data)
    geom.add_primitive(_primitive(mesh.triangles))
    return geom


def _primitive(triangles: NDArray[np.uint32]) -> GeomTriangles:
    primitive = GeomTriangles(GeomEnums.UH_static)
    primitive.set_index_type(GeomEnums.NT_uint32)
    indices = primitive.modify_vertices_handle(Thread.get_current_thread())
    indices.unclean_set_num_rows(triangles.size)
    if triangles.size:
        indices.copy_data_from(triangles.view(np.uint8))
    return primitive


@cache
def _state_of(look: Look, *, is_linear: bool) -> RenderState:
    """Return the state of tops with a look: for our shader, and for any light."""
    values = LVecBase3f(look.glow, look.foam, look.speed)
    state = RenderState.make(ShaderAttrib.make().set_shader_input("look", values))
    if look.glow:
        material = Material("glowing")
        material.set_roughness(1.0)
        light = np.rint(np.multiply(look.light, 255)).astype(np.intp)
        material.set_emission((*((_LINEAR[light] if is_linear else light) / 255), 1.0))
        state = state.set_attrib(MaterialAttrib.make(material))
    if look.image is not None:
        image = look.image[::-1]
        high, wide = (
            (np.arange(n := 1 << (size - 1).bit_length()) * size) // n for size in image.shape[:2]
        )
        texture = make_texture("terrain3d-image", image[high][:, wide])
        if max(image.shape) <= _SHARP:
            texture.set_magfilter(SamplerState.FT_nearest)
        if is_linear:
            texture.set_format(Texture.F_srgb)
        state = state.set_attrib(TextureAttrib.make().add_on_stage(_IMAGE_STAGE, texture))
    return state


def is_own(geom: Geom) -> bool:
    """Return whether a Geom is a mesh of this package, with its marks in the vertices."""
    return geom.get_vertex_data().name in (_OWN, _OWN_LINEAR)


def linear(mesh: MeshData) -> MeshData:
    """Return a mesh with linear colors instead of those of sRGB."""
    colors = mesh.colors.copy()
    colors[:, :3] = _LINEAR[colors[:, :3]]
    return replace(mesh, colors=colors)


def make_linear(np_: NodePath) -> list[tuple[GeomNode, list[Geom]]]:
    """Make the colors of this package's meshes below a node linear; return the Geoms before.

    Geoms of models made elsewhere stay as they are, as do those that are linear already.
    """
    before = []
    for node in (each.node() for each in (np_, *np_.find_all_matches("**/+GeomNode"))):
        if not isinstance(node, GeomNode):
            continue
        before.append((node, [geom.make_copy() for geom in node.get_geoms()]))
        for number, geom in enumerate(node.get_geoms()):
            if geom.get_vertex_data().name != _OWN:
                continue
            made = geom.make_copy()
            data = made.modify_vertex_data()
            data.name = _OWN_LINEAR
            vertices = np.frombuffer(data.get_array(0).get_handle().get_data(), _VERTEX).copy()
            vertices["color"][:, :3] = _LINEAR[vertices["color"][:, :3]]
            data.modify_array_handle(0).copy_data_from(vertices.tobytes())
            node.set_geom(number, made)
    return before


def make_geom_node(
    name: str,
    mesh: MeshData,
    looks: Mapping[int, Look] = MappingProxyType({}),
    *,
    is_solid: bool = False,
    is_linear: bool = False,
) -> GeomNode:
    """Return a new node that draws a mesh, or nothing if the mesh is empty.

    What has one of the `looks` of a `KindPalette` is a Geom with a state of its own. Only solid
    ones answer collision rays with the default mask. Colors are linear if asked for.
    """
    node = GeomNode(name)
    if not is_solid:
        node.set_into_collide_mask(BitMask32.all_off())
    if mesh.triangles.size:
        whole = make_geom(mesh, is_linear=is_linear)
        parts = mesh.by_look() if looks else {}
        if not parts.keys() - {0}:
            node.add_geom(whole)
            return node
        for number, triangles in parts.items():
            part, state = Geom(whole.get_vertex_data()), RenderState.make_empty()
            part.add_primitive(_primitive(triangles))
            node.add_geom(part, _state_of(looks[number], is_linear=is_linear) if number else state)
    return node


def attach_look(parent: NodePath, node: PandaNode, sort: int = 0) -> NodePath:
    """Draw a node below a parent that neither tight bounds nor collisions of the parent include.

    It is the look of a GUI item, which is returned; the engine asks for its size only once.
    """
    item = PGItem(node.name)
    item.get_state_def(0).attach_new_node(node)
    return parent.attach_new_node(item, sort)


def redrawn(old: NodePath, parent: NodePath, name: str, mesh: MeshData, sort: int = 0) -> NodePath:
    """Draw a mesh below a parent instead of what `old` draws; return its NodePath."""
    old.remove_node()
    is_linear = parent.has_net_tag(LINEAR) and not is_srgb()
    return attach_look(parent, make_geom_node(name, mesh, is_linear=is_linear), sort)


def _smooth(rng: np.random.Generator, low: float, high: float, slope: float) -> NDArray[np.float64]:
    """Return (size, size) tileable noise in -1..1, with `low` to `high` waves along a side."""
    spectrum = np.fft.fft2(rng.standard_normal((_SIZE, _SIZE)))
    waves = np.fft.fftfreq(_SIZE, 1.0 / _SIZE)
    length = np.hypot(waves[:, None], waves[None, :])
    length[0, 0] = np.inf
    spectrum *= np.where((length >= low) & (length <= high), length**-slope, 0.0)
    field: NDArray[np.float64] = np.fft.ifft2(spectrum).real
    smooth: NDArray[np.float64] = np.clip(field / (2.5 * field.std()), -1.0, 1.0)
    return smooth


def _cracks(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return a (size, size) tileable pattern in -1..1: count x count slabs with dark cracks."""
    seeds = 0.1 + 0.8 * rng.random((count, count, 2))
    tone = rng.random((count, count))
    at = (np.arange(_SIZE) + 0.5) / _SIZE * count
    home, part = at.astype(np.intp), at % 1.0
    far, tones = [], []
    for d_row, d_col in product((-1, 0, 1), repeat=2):
        row, col = ((home + d_row) % count)[:, None], ((home + d_col) % count)[None, :]
        gap_y = seeds[row, col, 0] + d_row - part[:, None]
        gap_x = seeds[row, col, 1] + d_col - part[None, :]
        far.append(np.hypot(gap_y, gap_x))
        tones.append(tone[row, col])
    distances = np.stack(far)
    slab = np.take_along_axis(np.stack(tones), distances.argmin(axis=0)[None], axis=0)[0]
    first, second = np.partition(distances, 1, axis=0)[:2]
    crack = np.clip((second - first) * 5.0, 0.0, 1.0)
    slabs: NDArray[np.float64] = (slab * 1.1 - 0.3) * crack - 0.9 * (1.0 - crack)
    return slabs


def _texture(name: str, pixels: NDArray[np.float64]) -> Texture:
    """Return a texture of (size, size, 3) values in 0..1."""
    return make_texture(name, (np.clip(pixels, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))


def make_texture(name: str, pixels: NDArray[np.uint8]) -> Texture:
    """Return a mipmapped, repeating texture of (height, width, 3 or 4) pixels, red first."""
    height, width, channels = pixels.shape
    colors, order = (Texture.F_rgb, "RGB") if channels == 3 else (Texture.F_rgba, "RGBA")
    texture = Texture(name)
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, colors)
    texture.set_ram_image_as(pixels.tobytes(), order)
    texture.set_wrap_u(SamplerState.WM_repeat)
    texture.set_wrap_v(SamplerState.WM_repeat)
    texture.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    texture.set_magfilter(SamplerState.FT_linear)
    return texture


@cache
def grain_texture() -> Texture:
    """Return the surface grain: soft mottling in red, stone in green, drifts in blue."""
    rng = np.random.default_rng(_SEED)
    soft = 0.75 * _smooth(rng, 3, 40, 0.9) + 0.35 * _smooth(rng, 30, 100, 0.3)
    stone = 0.55 * _cracks(rng, 9) + 0.45 * _smooth(rng, 4, 90, 0.8)
    at = np.arange(_SIZE) / _SIZE * 2.0 * np.pi
    bend = 1.6 * _smooth(rng, 1, 7, 1.5)
    ripples = np.sin(11.0 * at[:, None] + 3.0 * at[None, :] + 2.2 * bend)
    drift = 0.45 * ripples + 0.35 * _smooth(rng, 2, 14, 1.0) + 0.25 * _smooth(rng, 50, 120, 0.0)
    return _texture("grain", np.stack([soft, stone, drift], axis=2) * 0.5 + 0.5)


@cache
def ripple_texture() -> Texture:
    """Return waves: slopes to the east in red and to the north in green, height in blue."""
    height = _smooth(np.random.default_rng(_SEED + 1), 2, 22, 1.1)
    east, north = (0.5 * (np.roll(height, -1, axis) - np.roll(height, 1, axis)) for axis in (1, 0))
    steepest = 3.0 * max(east.std(), north.std())
    slopes = [slope / steepest for slope in (east, north)]
    return _texture("ripples", np.stack([*slopes, height], axis=2) * 0.5 + 0.5)


@cache
def seam_texture(headings: tuple[Point, ...]) -> Texture:
    """Return the seam of a tile with edges in these directions: a dark and a faint light line.

    The texture covers SEAM_SPAN x SEAM_SPAN world units around the tile's center.
    """
    size = 256
    at = ((np.arange(size) + 0.5) / size - 0.5) * SEAM_SPAN
    edge = 0.5 - np.max([at[None, :] * x + at[:, None] * y for x, y in headings], axis=0)
    shade = np.full((size, size), 0.94)
    shade += 0.06 * np.clip(1.0 - np.abs(edge - 0.035) / 0.018, 0.0, 1.0)
    shade -= 0.26 * np.clip(1.0 - edge / 0.018, 0.0, 1.0)
    return _texture("seam", np.repeat(shade[:, :, None], 3, axis=2))


TO_LINEAR = """
vec3 to_linear(vec3 color) {  // IEC 61966-2-1
    vec3 is_bright = vec3(greaterThan(color, vec3(0.04045)));
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), is_bright);
}
"""
_PLAIN_VERTEX = """
#if __VERSION__ > 120
#define attribute in
#define varying out
#endif
uniform mat4 p3d_ModelViewProjectionMatrix;
attribute vec4 p3d_Vertex;
attribute vec4 p3d_Color;
attribute vec2 p3d_MultiTexCoord0;
varying vec4 color;
varying vec2 at;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    color = p3d_Color;
    at = p3d_MultiTexCoord0;
}
"""
# Such a window also blends linear colors. Alpha is changed so that parts that are lighter than what
# is behind them, and darker ones, cover about as much of it as in other windows.
_PLAIN_FRAGMENT = """
#if __VERSION__ > 120
#define varying in
#define texture2D texture
#define gl_FragColor result
out vec4 result;
#endif
uniform sampler2D p3d_Texture0;
uniform vec4 p3d_ColorScale;
varying vec4 color;
varying vec2 at;
void main() {
    vec4 shown = clamp(color * p3d_ColorScale * texture2D(p3d_Texture0, at), 0.0, 1.0);
    vec3 behind = mix(vec3(0.7), vec3(0.3), step(0.5, shown.rgb));
    vec3 from = to_linear(behind), to = to_linear(shown.rgb);
    vec3 part = (to_linear(mix(behind, shown.rgb, shown.a)) - from) / (to - from);
    gl_FragColor = vec4(to, dot(part, vec3(1.0 / 3.0)));
}
"""


def is_srgb() -> bool:
    """Return whether a window takes linear colors, as with `framebuffer-srgb`."""
    windows = GraphicsEngine.get_global_ptr().get_windows()
    return any(window.get_fb_properties().get_srgb_color() for window in windows)


@cache
def _plain_shader() -> Shader:
    version = 150 if ConfigVariableInt("gl-version").get_word(0) >= 3 else 120
    parts = (_PLAIN_VERTEX, TO_LINEAR + _PLAIN_FRAGMENT)
    return Shader.make(Shader.SL_GLSL, *(f"#version {version}\n{part}" for part in parts))


def set_plain(np_: NodePath) -> None:
    """Draw a NodePath in its own colors whatever the shaders above; they are those of sRGB."""
    if is_srgb():
        np_.set_shader(_plain_shader(), 1)
    else:
        np_.set_shader_off(1)


def set_unlit(np_: NodePath, sort: int) -> None:
    """Draw a NodePath in its own colors, over the ground and under marks of a higher `sort`."""
    set_plain(np_)
    np_.set_light_off(1)
    np_.set_material_off(1)
    np_.set_fog_off(1)
    np_.set_two_sided(True)
    np_.set_transparency(TransparencyAttrib.M_alpha)
    np_.set_depth_write(False)
    np_.set_depth_offset(1)
    np_.set_bin("fixed", sort)


def set_backdrop(np_: NodePath, sort: int) -> None:
    """Draw a NodePath in its own colors behind the scene, and over those of a lower `sort`."""
    np_.set_bin("background", sort)
    np_.set_depth_test(False)
    np_.set_depth_write(False)
    set_plain(np_)
    np_.set_light_off(1)
    np_.set_fog_off(1)
    np_.set_texture_off(1)


BINS = ("behind", "rims", "silhouettes", "figures")
"""Draw bins after that of the ground, "opaque": marks behind the ground, rims and silhouettes of
hidden figures, then the figures, which cover the marks."""
_AFTER_OPAQUE = 21


def set_figure_bin(np_: NodePath, name: str, sort: int = 0) -> None:
    """Draw a NodePath in one of `BINS`."""
    bins, full_name = CullBinManager.get_global_ptr(), f"terrain3d-{name}"
    if bins.find_bin(full_name) < 0:
        bins.add_bin(full_name, CullBinManager.BT_fixed, _AFTER_OPAQUE + BINS.index(name))
    np_.set_bin(full_name, sort)


def show_through(np_: NodePath, sort: int, alpha: float) -> None:
    """Draw a mark of a `sort` again, with `alpha`, over the ground that hides it."""
    hidden = np_.copy_to(np_)
    hidden.set_depth_test(False)
    hidden.set_alpha_scale(alpha)
    set_figure_bin(hidden, "behind", sort)


@cache
def pattern_texture() -> Texture:
    """Return the shared texture of marked regions."""
    texture = make_texture("terrain3d-pattern", pattern())
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_anisotropic_degree(8)
    return texture
