"""The shader text, one source for GLSL 1.20 and 1.50, and which of the two a window can use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import Shader

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

_SURFACE_VERTEX = """
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
uniform mat4 shadow_from_world;
uniform float shadow_texel;
uniform vec3 eye;
attribute vec4 p3d_Vertex;
attribute vec3 p3d_Normal;
attribute vec4 p3d_Color;
attribute vec3 p3d_MultiTexCoord0;
varying vec3 normal;
varying vec3 albedo;
varying vec2 tile;
varying vec3 edges;
varying vec3 far_edges;
varying vec4 pattern;
varying vec3 place;
varying vec3 shadow_at;
varying vec3 to_eye;
varying vec2 glow;

void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    vec3 world = (p3d_ModelMatrix * p3d_Vertex).xyz;
    normal = normalize((p3d_ModelMatrix * vec4(p3d_Normal, 0.0)).xyz);
    albedo = p3d_Color.rgb * p3d_Color.rgb;
    tile = p3d_MultiTexCoord0.xy;
    float marks = p3d_MultiTexCoord0.z;
    // 1 where the ground drops, -1 where it rises: three directions and those opposite to them.
    vec3 bits = vec3(1.0, 2.0, 4.0);
    edges = mod(floor(marks / bits), 2.0) - mod(floor(marks / (bits * 64.0)), 2.0);
    far_edges = mod(floor(marks / (bits * 8.0)), 2.0) - mod(floor(marks / (bits * 512.0)), 2.0);
    float kind = floor(marks / 4096.0);
    pattern = vec4(equal(vec4(kind), vec4(1.0, 2.0, 3.0, 4.0)));
    // Grain lies in map coordinates: seen from above on tops, wrapped around on sides.
    place.xy = abs(p3d_Normal.z) > 0.5 ? p3d_Vertex.xy
        : vec2(dot(p3d_Vertex.xy, normalize(vec2(-p3d_Normal.y, p3d_Normal.x))),
            p3d_Vertex.z * 1.7);
    place.z = p3d_Normal.z;
    vec4 lit = shadow_from_world * vec4(world + normal * shadow_texel * 1.6, 1.0);
    shadow_at = lit.xyz * 0.5 + 0.5;
    to_eye = eye - world;
    // What has no pattern is a figure: a rim of light sets it off from the ground.
    float turned_away = 1.0 - clamp(dot(normal, normalize(to_eye)), 0.0, 1.0);
    glow.x = kind == 0.0 ? turned_away * turned_away * turned_away : 0.0;
    glow.y = kind == 5.0 ? 1.0 : 0.0;
}
"""

_SURFACE_FRAGMENT = """
#define SUN_COLOR mood[0]
#define SKY_LIGHT mood[1]
#define GROUND_LIGHT mood[2]
#define RIM_LIGHT mood[3]
#define FADE_COLOR mood[4]
#define MIRRORED mood[5]
uniform sampler2D grain;
uniform sampler2DShadow shadow_map;
uniform vec3 sun;
uniform vec3 east;
uniform vec3 north;
uniform vec3 headings_x;
uniform vec3 headings_y;
uniform vec2 shadow_step;
uniform vec2 fade_range;
uniform vec3 mood[6];
uniform float time_s;
uniform vec4 p3d_ColorScale;
varying vec3 normal;
varying vec3 albedo;
varying vec2 tile;
varying vec3 edges;
varying vec3 far_edges;
varying vec4 pattern;
varying vec3 place;
varying vec3 shadow_at;
varying vec3 to_eye;
varying vec2 glow;

const vec3 FOAM = vec3(0.86, 0.92, 0.93);

float sunlight() {
    // Four comparisons, each already filtered over four texels by the sampler.
    vec2 a = shadow_step;
    vec2 b = vec2(-shadow_step.y, shadow_step.x);
    float lit = SHADOW(shadow_map, shadow_at + vec3(a, 0.0))
        + SHADOW(shadow_map, shadow_at - vec3(a, 0.0))
        + SHADOW(shadow_map, shadow_at + vec3(b, 0.0))
        + SHADOW(shadow_map, shadow_at - vec3(b, 0.0));
    return lit * 0.25;
}

float most(vec3 parts) {
    return max(parts.x, max(parts.y, parts.z));
}

void main() {
    // How far it is to the edge in each of three directions and in those opposite to them.
    vec3 aside = headings_x * (tile.x - 0.5) + headings_y * (tile.y - 0.5);
    vec3 rim = 0.5 - aside;
    vec3 far_rim = 0.5 + aside;
    float blur = max(fwidth(tile.x), fwidth(tile.y));
    vec3 n = normalize(normal);

    vec3 noise = TEXTURE(grain, place.xy * 0.29).rgb * 2.0 - 1.0;
    float rough = dot(noise * pattern.xyz, vec3(0.20, 0.30, 0.13));
    float liquid = pattern.w;
    float wave = 1.4 * noise.b + 0.4 * noise.r;
    rough += liquid * 0.05 * wave;
    vec3 color = albedo * (1.0 + rough);

    // An edge with lower ground beyond is rounded, so it catches the light or loses it.
    vec3 crests = max(edges, 0.0) * clamp(1.0 - rim / max(0.055, blur), 0.0, 1.0);
    vec3 far_crests = max(far_edges, 0.0) * clamp(1.0 - far_rim / max(0.055, blur), 0.0, 1.0);
    vec3 out_by = crests - far_crests;
    n = normalize(n + 0.75 * (east * dot(headings_x, out_by) + north * dot(headings_y, out_by)));
    float crest = most(max(crests, far_crests));
    // Ground below higher ground lies in its own soft shade.
    vec3 nooks = max(-edges, 0.0) * clamp(1.0 - rim / 0.30, 0.0, 1.0);
    vec3 far_nooks = max(-far_edges, 0.0) * clamp(1.0 - far_rim / 0.30, 0.0, 1.0);
    float nook = most(max(nooks, far_nooks));
    float shade = 1.0 - 0.30 * nook * nook * (1.0 - liquid);
    // Along its shore a liquid foams.
    float foam = liquid * clamp(nook * 4.0 - 3.0 + 0.5 * wave, 0.0, 1.0);
    color = mix(color, FOAM, 0.55 * foam);
    // The seam between tiles, no thinner than a pixel but fainter where it would be.
    float near = -most(max(-rim, -far_rim));
    float width = max(0.012, blur * 0.7);
    float seam = clamp((width - near) / blur + 0.5, 0.0, 1.0) * max(0.012 / width, 0.5);
    float inner = clamp(1.0 - abs(near - 0.034 - width) / max(0.016, blur), 0.0, 1.0)
        * (0.016 / max(0.016, blur));
    color *= 1.0 - (0.42 * seam * (1.0 - crest) - 0.14 * inner) * (1.0 - 0.7 * liquid);

    if (liquid > 0.0) n = normalize(n + 0.07 * vec3(wave, 2.0 * noise.r, 0.0));
    float facing = dot(n, sun);
    float lit = clamp(facing * 1.15, 0.0, 1.0);
    if (lit > 0.0) lit *= sunlight();
    vec3 sky = mix(GROUND_LIGHT, SKY_LIGHT, n.z * 0.5 + 0.5);
    vec3 light = SUN_COLOR * lit + sky * shade;
    color = color * mix(light, vec3(1.25), glow.y) * (1.0 + 0.22 * crest * lit)
        + RIM_LIGHT * glow.x * shade;
    float fade = length(to_eye);
    // A liquid mirrors the sky, the more so the flatter one looks, and the sun glints on it.
    if (liquid > 0.0) {
        vec3 view = to_eye / fade;
        float grazing = 1.0 - clamp(dot(n, view), 0.0, 1.0);
        color = mix(color, MIRRORED, 0.03 + 0.40 * grazing * grazing * grazing);
        float glint = clamp(dot(reflect(-sun, n), view), 0.0, 1.0);
        color += lit * pow(glint, 60.0) * 0.7 * SUN_COLOR;
    }
    color = mix(color * p3d_ColorScale.rgb, FADE_COLOR,
        clamp((fade - fade_range.x) * fade_range.y, 0.0, 0.32));
    RESULT = vec4(sqrt(color), p3d_ColorScale.a);
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
    """Tell which GLSL a window runs: 150, 120, or 0 if it has no shaders to rely on."""
    gsg = window.get_gsg() if window is not None else None
    if gsg is None or not (gsg.get_supports_glsl() and gsg.get_supports_shadow_filter()):
        return 0
    version = 100 * gsg.get_driver_shader_version_major() + gsg.get_driver_shader_version_minor()
    if version >= 150:
        return 150
    return 120 if version >= 120 else 0


def surface_shader(version: int) -> Shader:
    """Make the shader of the ground and the figures; `version` is 120 or 150."""
    return _make(version, _SURFACE_VERTEX, _SURFACE_FRAGMENT)


def shadow_shader(version: int) -> Shader:
    """Make the shader that draws depths only; `version` is 120 or 150."""
    return _make(version, _SHADOW_VERTEX, _SHADOW_FRAGMENT)


def _make(version: int, vertex: str, fragment: str) -> Shader:
    heads = (_HEAD_120, _HEAD_120) if version == 120 else (_HEAD_150_VERTEX, _HEAD_150_FRAGMENT)
    return Shader.make(Shader.SL_GLSL, heads[0] + vertex, heads[1] + fragment)
