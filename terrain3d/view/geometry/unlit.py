"""Render states of marks: unlit, blended over the ground, writing no depth."""

from __future__ import annotations

from functools import cache

import numpy as np
from panda3d.core import NodePath, SamplerState, Texture, TransparencyAttrib

from terrain3d.mesh.overlays import pattern


def set_unlit(np_: NodePath, sort: int) -> None:
    """Draw a NodePath in its own colors, over the ground and under marks of a higher `sort`."""
    np_.set_shader_off(1)
    np_.set_light_off(1)
    np_.set_material_off(1)
    np_.set_fog_off(1)
    np_.set_two_sided(True)
    np_.set_transparency(TransparencyAttrib.M_alpha)
    np_.set_depth_write(False)
    np_.set_depth_offset(1)
    np_.set_bin("fixed", sort)


def show_through(np_: NodePath, sort: int, alpha: float) -> None:
    """Draw a mark of a `sort` again, with `alpha`, over anything that hides it."""
    hidden = np_.copy_to(np_)
    hidden.set_depth_test(False)
    hidden.set_alpha_scale(alpha)
    hidden.set_bin("fixed", sort - 1)


@cache
def pattern_texture() -> Texture:
    """Return the shared texture of marked regions."""
    picture = pattern()
    height, width, _ = picture.shape
    texture = Texture("terrain3d-pattern")
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, Texture.F_rgba)
    texture.set_ram_image_as(np.ascontiguousarray(picture).tobytes(), "RGBA")
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_repeat)
    texture.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    texture.set_magfilter(SamplerState.FT_linear)
    texture.set_anisotropic_degree(8)
    return texture
