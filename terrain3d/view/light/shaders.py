"""The shaders of own light, in GLSL 1.50.

The surface shader draws ground, figures and models made elsewhere; the others draw the silhouettes
of hidden figures, and the depths of what casts shadows. For a model, `skin` is 1 if its first
texture is multiplied, else 0; then 1 for a texture, and 1 for a base color, that are linear. Our
own meshes have -1. `upright` is the axis around which a picture turns to whatever looks at it, in
its own coordinates, and zero for anything else. `alpha_cut` is the alpha below which nothing is
drawn, in the picture and in the shadow. The silhouette has the color of the vertices, or of `tint`,
and grows by `growth`; it is lit as if it stood in half shade.
"""

from functools import cache

from panda3d.core import Shader

from terrain3d.view.geometry import TO_LINEAR, is_srgb

_SHARED = """
varying vec3 normal;
varying vec3 albedo;
varying vec2 tile;
varying vec3 edges;
varying vec3 far_edges;
varying vec2 place;
varying vec3 shadow_at;
varying vec3 to_eye;
varying vec4 traits;  // pattern, light around an outline, a shore across the corner, clarity
#define SUN_COLOR scene[0]
#define SKY_LIGHT scene[1]
#define GROUND_LIGHT scene[2]
#define RIM_LIGHT scene[3]
#define FADE_COLOR scene[4]
#define MIRRORED scene[5]
#define SUN scene[6]
#define EAST scene[7]
#define NORTH scene[8]
#define EYE scene[9]
#define FADE_START scene[10].x
#define FADE_PART scene[10].y
#define SHADOW_TEXEL scene[10].z
uniform vec3 scene[11];
uniform vec3 skin;
varying vec3 skin_at;  // and the opacity
varying vec3 emitted;
"""

SURFACE_VERTEX = (
    _SHARED
    + """
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
uniform mat4 shadow_from_world;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec4 p3d_Color;
in vec2 p3d_MultiTexCoord0;
// 1 where the ground drops, -1 where it rises: three directions and their opposites.
in vec3 tile_edges;
in vec3 tile_far_edges;
in vec3 tile_surface;  // pattern, a shore across the corner, and the part, as of mesh.data
uniform mat4 p3d_TextureMatrix[1];
// Without a material white, and no emission.
uniform struct { vec4 diffuse; vec4 emission; } p3d_Material;
uniform vec3 upright;
uniform vec4 feet;
uniform vec4 seen[17];  // points to see, with a radius around each, and at last the eye; on the map

bool hides(vec2 root) {
    // A plant that would be before one of the points is not drawn.
    for (int i = 0; i < 16; i++) {
        if (seen[i].w == 0.0) break;
        vec3 way = seen[16].xyz - seen[i].xyz;
        float length_2 = max(dot(way.xy, way.xy), 1e-6);
        vec2 off = root - seen[i].xy;
        float along = dot(off, way.xy) / length_2;
        float radius = seen[i].w;
        bool is_before = along * sqrt(length_2) > -0.7 * radius && along * way.z < radius;
        if (is_before && length(off - along * way.xy) < radius) return true;
    }
    return false;
}

void main() {
    vec4 vertex = strided(p3d_Vertex, tile_surface.z, feet);
    gl_Position = p3d_ModelViewProjectionMatrix * vertex;
    vec3 world = (p3d_ModelMatrix * vertex).xyz;
    normal = normalize((p3d_ModelMatrix * vec4(p3d_Normal, 0.0)).xyz);
    albedo = p3d_Color.rgb * p3d_Color.rgb;
    tile = p3d_MultiTexCoord0;
    edges = tile_edges;
    far_edges = tile_far_edges;
    skin_at = vec3(0.0, 0.0, 1.0);
    emitted = vec3(0.0);
    vec3 lit_at = world + normal * SHADOW_TEXEL * 1.6;
    if (skin.x >= 0.0) {
        vec4 base = p3d_Material.diffuse;
        albedo *= skin.z > 0.5 ? base.rgb : base.rgb * base.rgb;
        emitted = p3d_Material.emission.rgb;
        if (skin.z < 0.5) emitted *= emitted;
        skin_at.xy = (p3d_TextureMatrix[0] * vec4(tile, 0.0, 1.0)).xy;
        skin_at.z = p3d_Color.a * base.a;
        tile = vec2(0.5);
    } else if (tile_surface.z == 1.0) {
        if (hides(tile)) gl_Position = vec4(0.0, 0.0, -2.0, 1.0);
        tile = vec2(0.5);
    }
    if (upright.z > 0.0) {
        // It casts its shadow as if it faced the sun, so its own shadow starts before its axis.
        vec4 axis = vec4(upright * p3d_Vertex.z, 1.0);
        lit_at = (p3d_ModelMatrix * axis).xyz + SUN * SHADOW_TEXEL * 6.0;
    }
    // Grain lies in map coordinates: seen from above on tops, wrapped around on sides.
    place = abs(p3d_Normal.z) > 0.5 ? p3d_Vertex.xy
        : vec2(dot(p3d_Vertex.xy, normalize(vec2(-p3d_Normal.y, p3d_Normal.x))),
            p3d_Vertex.z * 1.7);
    vec4 lit = shadow_from_world * vec4(lit_at, 1.0);
    shadow_at = lit.xyz * 0.5 + 0.5;
    to_eye = EYE - world;
    float pattern = tile_surface.x;
    // Without a pattern it is a figure: a rim of light sets it off from the ground.
    float turned_away = 1.0 - clamp(dot(normal, normalize(to_eye)), 0.0, 1.0);
    bool is_figure = pattern == 0.0 && upright.z == 0.0;
    float outline = is_figure ? turned_away * turned_away * turned_away : 0.0;
    traits = vec4(pattern, outline, tile_surface.y, 1.0 - p3d_Color.a);
}
"""
)

_HEAD = """
uniform sampler2D grain;
uniform sampler2D ripples;
uniform sampler2DShadow shadow_map;
uniform vec3 headings_x;
uniform vec3 headings_y;
uniform vec2 shadow_step;
uniform float time_s;
uniform vec3 look;  // glow, and of water: foam and speed
uniform vec4 p3d_ColorScale;
uniform sampler2D p3d_Texture0;
uniform vec2 alpha_cut;

float sunlight() {
#ifdef SIMPLE
    return texture(shadow_map, shadow_at);
#else
    // Four comparisons, each already filtered over four texels by the sampler.
    vec2 a = shadow_step;
    vec2 b = vec2(-shadow_step.y, shadow_step.x);
    float lit = texture(shadow_map, shadow_at + vec3(a, 0.0))
        + texture(shadow_map, shadow_at - vec3(a, 0.0))
        + texture(shadow_map, shadow_at + vec3(b, 0.0))
        + texture(shadow_map, shadow_at - vec3(b, 0.0));
    return lit * 0.25;
#endif
}

float most(vec3 parts) {
    return max(parts.x, max(parts.y, parts.z));
}

// Nearness, 0..1, to an edge of a sort: 1 at the edge, 0 at `reach` tiles from it.
float nearness(vec3 sort, vec3 far_sort, vec3 rim, vec3 far_rim, float reach) {
    return most(max(sort * clamp(1.0 - rim / reach, 0.0, 1.0),
        far_sort * clamp(1.0 - far_rim / reach, 0.0, 1.0)));
}
"""

_LIQUIDS = """
const float TURN = 6.2831853;
const vec3 FOAM = vec3(0.80, 0.88, 0.90);

// Two layers of waves that drift across each other: slopes to the east and north, and height.
// All motion repeats an integer number of times within the 10,000 s after which time wraps.
// On a side they are streaks that fall.
vec3 waves(bool is_side) {
    float now = time_s * look.z;
    vec2 first = place * 0.17 + now * vec2(0.013, 0.008);
    vec2 second = place.yx * 0.29 + now * vec2(-0.015, 0.011);
    if (is_side) {
        first = vec2(place.x * 0.90, place.y * 0.10 + 0.11 * now);
        second = vec2(place.x * 1.70, place.y * 0.16 + 0.19 * now);
    }
    vec3 one = texture(ripples, first).rgb, two = texture(ripples, second).rgb;
    vec3 wave = vec3(one.xy + two.yx, one.z + two.z) - 1.0;
    return wave * (is_side ? vec3(0.0, 0.0, 1.0) : vec3(2.0));
}

// Lap at the shore: a band of foam that comes and goes, and a thin line that follows it.
float foam_at(float away, float height, float blur) {
    float swing = TURN * (0.2 * time_s * look.z + 0.21 * place.x + 0.13 * place.y);
    float soft = max(0.022, blur);
    float band = 0.055 + 0.022 * sin(swing) + 0.05 * height;
    float line = 0.20 + 0.05 * sin(swing - 1.4) + 0.07 * height;
    float washed = 1.0 - smoothstep(band - soft, band + soft, away);
    float trail = 1.0 - smoothstep(0.0, soft, abs(away - line) - 0.004);
    return max(washed, trail * (0.30 + 0.30 * cos(swing)) * min(1.0, 0.022 / soft));
}

// The bed, bent by the waves and in the color of the water, below lines of light that they gather.
vec3 bed(vec2 at, vec3 wave) {
    float stones = texture(grain, at * 0.45 + 0.012 * wave.xy).g;
    float lines = abs(texture(ripples, at * 0.37 + 0.03 * wave.xy).b * 2.0 - 1.0);
    vec3 ground = vec3(0.50, 0.42, 0.27) * (0.25 + 1.1 * stones);
    return mix(ground, albedo, 0.35) * (0.85 + 0.5 * smoothstep(0.16, 0.0, lines));
}

// Slabs of crust that drift on what glows between them; the shore cools it.
vec3 ember(float away, vec3 wave) {
    vec2 at = place * 0.23 + 0.018 * wave.xy + time_s * vec2(0.004, 0.003);
    float slab = texture(grain, at).g + 0.10 * wave.z;
    float heat = smoothstep(0.62, 0.26, slab) * smoothstep(0.0, 0.22, away);
    heat = clamp(heat + 0.10 * sin(TURN * 0.1 * time_s + 2.0 * wave.z), 0.04, 1.0);
    return albedo * 2.3 * heat + vec3(0.55, 0.34, 0.08) * heat * heat * heat;
}
"""

_MAIN = """
void main() {
    // Distances to the edge in each of three directions and their opposites.
    vec3 aside = headings_x * (tile.x - 0.5) + headings_y * (tile.y - 0.5);
    vec3 rim = 0.5 - aside;
    vec3 far_rim = 0.5 + aside;
    float blur = max(fwidth(tile.x), fwidth(tile.y));
    vec3 n = normalize(normal);
    float fade = length(to_eye);
    vec3 view = to_eye / fade;
    vec3 pattern = vec3(lessThan(abs(vec3(traits.x) - vec3(1.0, 2.0, 3.0)), vec3(0.5)));
    bool is_water = abs(traits.x - 4.0) < 0.5;
    bool is_glowing = abs(traits.x - 5.0) < 0.5;
    bool is_molten = abs(traits.x - 6.0) < 0.5;
    float liquid = is_water || is_molten ? 1.0 : 0.0;

#ifdef SIMPLE
    vec3 noise = vec3(0.0);
#else
    // Sides of stone have upright joints.
    bool is_side = abs(n.z) < 0.1;
    vec2 fine = is_side && pattern.y > 0.5 ? vec2(0.42, 0.085) : vec2(0.29);
    vec3 noise = texture(grain, place * fine).rgb * 2.0 - 1.0;
#endif
    vec3 color = albedo * (1.0 + dot(noise * pattern, vec3(0.20, 0.30, 0.13)));
    float alpha = p3d_ColorScale.a;
    // Without a graphics card all pixels pay for each texture, so that these share one.
    vec4 texel = texture(p3d_Texture0, skin.x < 0.0 ? tile : skin_at.xy);
    if (skin.x >= 0.0) {
        if (skin.y < 0.5) texel.rgb *= texel.rgb;
        if (skin.x < 0.5) texel = vec4(1.0);
        color *= texel.rgb;
        alpha *= skin_at.z * texel.a;
        if (alpha < alpha_cut.x) discard;
    } else if (traits.x > 6.5) {
        color *= texel.rgb * texel.rgb;
    }
    float own = is_glowing ? 1.0 : look.x;
    vec3 glow = color * 1.25 * own + emitted;
#ifdef SIMPLE
    // Neither layers on sides nor rounded edges: a seam alone.
    float crest = 0.0;
    float shade = 1.0;
    float near = -most(max(-rim, -far_rim));
    float seam = clamp((max(0.012, blur * 0.7) - near) / blur + 0.5, 0.0, 1.0);
    color *= 1.0 - 0.3 * seam * (1.0 - 0.7 * liquid);
#else
    // Sides show thin layers that lie nearly level; tops of stone and snow, wide cracks and drifts.
    vec2 broad = is_side ? vec2(place.x * 0.05, place.y * 0.42 + 0.02 * noise.r) : place * 0.071;
    vec3 share = vec3(traits.x > 0.5 ? 0.18 : 0.0, 0.0, 0.0) * (1.0 - liquid);
    if (!is_side) share = vec3(0.20, 0.26, 0.16) * pattern.zyz;
    color *= 1.0 + dot(texture(grain, broad).rgb * 2.0 - 1.0, share);

    // An edge with lower ground beyond is rounded, so it catches the light or loses it.
    vec3 crests = max(edges, 0.0) * clamp(1.0 - rim / max(0.055, blur), 0.0, 1.0);
    vec3 far_crests = max(far_edges, 0.0) * clamp(1.0 - far_rim / max(0.055, blur), 0.0, 1.0);
    vec3 out_by = crests - far_crests;
    n = normalize(n + 0.75 * (EAST * dot(headings_x, out_by) + NORTH * dot(headings_y, out_by)));
    float crest = most(max(crests, far_crests));
    // Ground below higher ground lies in its own soft shade.
    float nook = nearness(max(-edges, 0.0), max(-far_edges, 0.0), rim, far_rim, 0.30);
    float shade = 1.0 - 0.30 * nook * nook * (1.0 - liquid);
    // The seam between tiles, no thinner than a pixel but fainter where it would be.
    float near = -most(max(-rim, -far_rim));
    float width = max(0.012, blur * 0.7);
    float seam = clamp((width - near) / blur + 0.5, 0.0, 1.0) * max(0.012 / width, 0.5);
    float inner = clamp(1.0 - abs(near - 0.034 - width) / max(0.016, blur), 0.0, 1.0)
        * (0.016 / max(0.016, blur));
    color *= 1.0 - (0.42 * seam * (1.0 - crest) - 0.14 * inner) * (1.0 - 0.7 * liquid);

#endif
    vec3 wave = vec3(0.0);
    float foam = 0.0;
#ifdef SIMPLE
    // One layer of waves over a bed of one color: without a graphics card all pixels pay for these.
    if (is_water || is_molten) {
        vec2 drift = time_s * look.z * vec2(0.013, 0.008);
        wave = texture(ripples, place * 0.17 + drift).rgb * 2.0 - 1.0;
        color = mix(color, mix(vec3(0.37, 0.31, 0.20), albedo, 0.35), 0.85 * traits.w);
        color *= 1.0 + 0.20 * wave.z;
        if (is_molten) {
            glow += albedo * (0.9 + 0.6 * wave.z) + vec3(0.08, 0.14, 0.025);
            color = albedo * 0.10;
        }
    }
#else
    if (is_water || is_molten) {
        wave = waves(is_side);
        float shore = nearness(max(-edges, 0.0), max(-far_edges, 0.0), rim, far_rim, 1.0);
        float away = 1.0 - max(shore, traits.z);
        if (is_water) {
            foam = is_side ? smoothstep(0.0, 0.5, wave.z) : look.y * foam_at(away, wave.z, blur);
            vec2 toward = vec2(dot(view, EAST), dot(view, NORTH)) / max(view.z, 0.35);
            color = mix(color, bed(place - 0.15 * toward, wave), 0.85 * traits.w);
            color *= 1.0 + 0.10 * wave.z;
            n = normalize(n + 0.22 * (EAST * wave.x + NORTH * wave.y));
        } else {
            glow += ember(away, wave);
            color = albedo * 0.10;
        }
    }
    color = mix(color, FOAM, 0.75 * foam);
#endif

    float lit = clamp(dot(n, SUN) * 1.15, 0.0, 1.0);
    if (lit > 0.0) lit *= sunlight();
    vec3 sky = mix(GROUND_LIGHT, SKY_LIGHT, n.z * 0.5 + 0.5);
    vec3 light = SUN_COLOR * lit + sky * shade;
    light *= 1.0 - own;
    color = color * light * (1.0 + 0.22 * crest * lit) + RIM_LIGHT * traits.y * shade + glow;
    if (is_water) {
        // It mirrors the sky, more so at grazing angles, and the sun glints on its waves.
        float grazing = 1.0 - clamp(dot(n, view), 0.0, 1.0);
        color = mix(color, MIRRORED, (0.04 + 0.50 * grazing * grazing * grazing) * (1.0 - foam));
#ifndef SIMPLE
        float glint = pow(clamp(dot(reflect(-SUN, n), view), 0.0, 1.0), 60.0);
        float sparkle = smoothstep(1.10, 1.26, wave.z + 0.4 * wave.x) * (1.0 - foam);
        color += lit * (0.7 * glint + 0.30 * sparkle) * SUN_COLOR;
#endif
    }
    color = mix(color * p3d_ColorScale.rgb, FADE_COLOR,
        clamp((fade - FADE_START) * FADE_PART, 0.0, 0.32));
    result = vec4(SHOWN(sqrt(clamp(color, 0.0, 1.0))), alpha);
}
"""

SURFACE_FRAGMENT = _SHARED + _HEAD + _LIQUIDS + _MAIN


_VERTEX = """#version 150
#define varying out

// Move a foot of a figure: `feet` are how far the left and the right one are ahead and up.
vec4 strided(vec4 at, float part, vec4 feet) {
    if (part > 1.5) at.yz += part < 2.5 ? feet.xy : feet.zw;
    return at;
}
"""
_FRAGMENT = """#version 150
#define varying in
out vec4 result;
"""

# BEFORE: a part counts as hidden only if it is at least this far behind the ground, in the figure's
# own units; feet in the grass and a shoulder that touches a wall do not.
_HIDDEN_VERTEX = """
const float BEFORE = 0.30;
uniform float growth;
uniform vec4 tint;
uniform vec4 feet;
uniform vec3 upright;
uniform vec3 scene[11];
uniform mat4 p3d_ModelViewMatrix;
uniform mat4 p3d_ProjectionMatrix;
uniform mat4 p3d_TextureMatrix[1];
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec4 p3d_Color;
in vec4 p3d_MultiTexCoord0;
in vec3 tile_surface;
varying vec2 skin_at;
varying vec3 shown;

void main() {
    shown = mix(p3d_Color.rgb, tint.rgb, tint.a);
    shown *= sqrt(min(0.06 + 0.3 * scene[0] + scene[1], 1.0));
    skin_at = (p3d_TextureMatrix[0] * vec4(p3d_MultiTexCoord0.xy, 0.0, 1.0)).xy;
    vec3 outward = upright.z > 0.0 ? vec3(sign(p3d_Vertex.x), 0.0, 0.0) : normalize(p3d_Normal);
    vec4 vertex = strided(p3d_Vertex, tile_surface.z, feet) + vec4(growth * outward, 0.0);
    vec4 at = p3d_ModelViewMatrix * vertex;
    float size = length((p3d_ModelViewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    at.xyz *= 1.0 - min(BEFORE * size / length(at.xyz), 0.5);
    gl_Position = p3d_ProjectionMatrix * at;
}
"""

_HIDDEN_FRAGMENT = """
uniform sampler2D p3d_Texture0;
uniform vec2 alpha_cut;
varying vec2 skin_at;
varying vec3 shown;

void main() {
    if (texture(p3d_Texture0, skin_at).a < alpha_cut.x) discard;
    result = vec4(SHOWN(shown), 1.0);
}
"""

_SHADOW_VERTEX = """
uniform vec4 feet;
in vec3 tile_surface;
uniform mat4 p3d_ModelViewMatrix;
uniform mat4 p3d_ProjectionMatrix;
uniform mat4 p3d_TextureMatrix[1];
uniform struct { vec4 diffuse; } p3d_Material;
uniform vec3 upright;
in vec4 p3d_Vertex;
in vec4 p3d_Color;
in vec4 p3d_MultiTexCoord0;
varying vec2 skin_at;
varying float opacity;

void main() {
    skin_at = (p3d_TextureMatrix[0] * vec4(p3d_MultiTexCoord0.xy, 0.0, 1.0)).xy;
    opacity = p3d_Color.a * p3d_Material.diffuse.a;
    vec4 at = p3d_ModelViewMatrix * strided(p3d_Vertex, tile_surface.z, feet);
    if (upright.z > 0.0) {
        at = p3d_ModelViewMatrix * vec4(upright * p3d_Vertex.z, 1.0);
        at.x += p3d_Vertex.x * length(p3d_ModelViewMatrix[0].xyz);
    }
    gl_Position = p3d_ProjectionMatrix * at;
}
"""

_SHADOW_FRAGMENT = """
uniform sampler2D p3d_Texture0;
uniform vec4 p3d_ColorScale;
uniform vec2 alpha_cut;
varying vec2 skin_at;
varying float opacity;

void main() {
    float alpha = p3d_ColorScale.a * opacity * texture(p3d_Texture0, skin_at).a;
    if (alpha < alpha_cut.y) discard;
    result = vec4(alpha);
}
"""


_SOURCES = {
    "surface": (SURFACE_VERTEX, SURFACE_FRAGMENT),
    "hidden": (_HIDDEN_VERTEX, _HIDDEN_FRAGMENT),
    "shadow": (_SHADOW_VERTEX, _SHADOW_FRAGMENT),
}


@cache
def _shader(name: str, given: str) -> Shader:
    vertex, fragment = _SOURCES[name]
    return Shader.make(Shader.SL_GLSL, _VERTEX + given + vertex, _FRAGMENT + given + fragment)


def make_shader(name: str, *, is_simple: bool = False) -> Shader:
    """Return a shader, "surface", "hidden" or "shadow"; a simple one takes half of the time."""
    given = "#define SIMPLE\n" if is_simple else ""
    given += f"#define SHOWN to_linear\n{TO_LINEAR}" if is_srgb() else "#define SHOWN\n"
    return _shader(name, given)
