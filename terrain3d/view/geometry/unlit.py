"""Render states of marks: unlit, blended over the ground, writing no depth."""

from __future__ import annotations

from functools import cache

from panda3d.core import NodePath, SamplerState, Texture, TransparencyAttrib

from terrain3d.mesh.overlays.region import pattern
from terrain3d.view.geometry.textures import make_texture


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


def set_backdrop(np_: NodePath, sort: int) -> None:
    """Draw a NodePath in its own colors behind the scene, and over those of a lower `sort`."""
    np_.set_bin("background", sort)
    np_.set_depth_test(False)
    np_.set_depth_write(False)
    np_.set_light_off(1)
    np_.set_shader_off(1)
    np_.set_texture_off(1)


def show_through(np_: NodePath, sort: int, alpha: float) -> None:
    """Draw a mark of a `sort` again, with `alpha`, over anything that hides it."""
    hidden = np_.copy_to(np_)
    hidden.set_depth_test(False)
    hidden.set_alpha_scale(alpha)
    hidden.set_bin("fixed", sort - 1)


@cache
def pattern_texture() -> Texture:
    """Return the shared texture of marked regions."""
    texture = make_texture("terrain3d-pattern", pattern())
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_anisotropic_degree(8)
    return texture
