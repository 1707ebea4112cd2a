"""Shaders with one source for GLSL 1.20 and 1.50, and the version that a window supports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import Shader

from terrain3d.view.light import surface_glsl

if TYPE_CHECKING:
    from panda3d.core import GraphicsOutput

_HEAD_120 = """#version 120
#define TEXTURE texture2D
#define SHADOW(map, at) shadow2D(map, at).r
#define RESULT gl_FragColor
"""
_HEAD_150_VERTEX = """#version 150
#define attribute in
#define varying out
"""
_HEAD_150_FRAGMENT = """#version 150
#define varying in
#define TEXTURE texture
#define SHADOW(map, at) texture(map, at)
#define RESULT result
out vec4 result;
"""

# BEFORE: a part counts as hidden only if it is at least this far behind the ground, in the figure's
# own units; feet in the grass and a shoulder that touches a wall do not.
_HIDDEN_VERTEX = """
const float BEFORE = 0.30;
uniform mat4 p3d_ModelViewMatrix;
uniform mat4 p3d_ProjectionMatrix;
attribute vec4 p3d_Vertex;
attribute vec3 p3d_Normal;
varying vec3 normal;
varying vec3 seen_from;

void main() {
    vec4 at = p3d_ModelViewMatrix * p3d_Vertex;
    normal = (p3d_ModelViewMatrix * vec4(p3d_Normal, 0.0)).xyz;
    seen_from = -at.xyz;
    float size = length((p3d_ModelViewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    at.xyz *= 1.0 - min(BEFORE * size / length(at.xyz), 0.5);
    gl_Position = p3d_ProjectionMatrix * at;
}
"""

# Every other pixel is discarded instead of blending, so that overlapping parts do not add up; at
# the outline all pixels are drawn.
_HIDDEN_FRAGMENT = """
uniform vec3 tint;
varying vec3 normal;
varying vec3 seen_from;

void main() {
    float facing = abs(dot(normalize(normal), normalize(seen_from)));
    vec2 pixel = floor(gl_FragCoord.xy);
    if (facing > 0.42 && mod(pixel.x + pixel.y, 2.0) > 0.5) discard;
    RESULT = vec4(tint * (facing > 0.42 ? 0.8 : 1.0), 1.0);
}
"""

_SHADOW_VERTEX = """
uniform mat4 p3d_ModelViewProjectionMatrix;
attribute vec4 p3d_Vertex;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
"""

_SHADOW_FRAGMENT = """
void main() {
    RESULT = vec4(1.0);
}
"""


def glsl_version(window: GraphicsOutput | None) -> int:
    """Return the GLSL version to use in a window: 150, 120, or 0 for no shaders."""
    gsg = window.get_gsg() if window is not None else None
    if gsg is None or not (gsg.get_supports_glsl() and gsg.get_supports_shadow_filter()):
        return 0
    version = 100 * gsg.get_driver_shader_version_major() + gsg.get_driver_shader_version_minor()
    if version >= 150:
        return 150
    return 120 if version >= 120 else 0


def surface_shader(version: int) -> Shader:
    """Return the shader of ground and figures; `version` is 120 or 150."""
    return _make(version, surface_glsl.VERTEX, surface_glsl.FRAGMENT)


def model_shader(version: int) -> Shader:
    """Return the shader of models with textures and materials; `version` is 120 or 150."""
    model = "#define MODEL\n"
    return _make(version, model + surface_glsl.VERTEX, model + surface_glsl.FRAGMENT)


def hidden_shader(version: int) -> Shader:
    """Return the shader of the silhouettes of hidden figures; `version` is 120 or 150."""
    return _make(version, _HIDDEN_VERTEX, _HIDDEN_FRAGMENT)


def shadow_shader(version: int) -> Shader:
    """Return the shader that draws only depths; `version` is 120 or 150."""
    return _make(version, _SHADOW_VERTEX, _SHADOW_FRAGMENT)


def _make(version: int, vertex: str, fragment: str) -> Shader:
    heads = (_HEAD_120, _HEAD_120) if version == 120 else (_HEAD_150_VERTEX, _HEAD_150_FRAGMENT)
    return Shader.make(Shader.SL_GLSL, heads[0] + vertex, heads[1] + fragment)
