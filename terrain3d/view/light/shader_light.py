"""Light by shaders: a sun with a shadow map, light from sky and ground, fade with distance."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING

from panda3d.core import (
    AlphaTestAttrib,
    BitMask32,
    Camera,
    ClockObject,
    ColorWriteAttrib,
    FrameBufferProperties,
    GeomNode,
    GraphicsPipe,
    LMatrix4,
    LVecBase3f,
    LVecBase4f,
    MaterialAttrib,
    NodePath,
    OrthographicLens,
    Point3,
    PTA_float,
    PTA_LMatrix4f,
    PTA_LVecBase3f,
    PTA_LVecBase4f,
    RenderAttrib,
    RenderState,
    SamplerState,
    ShaderAttrib,
    ShaderInput,
    Texture,
    TextureAttrib,
    TextureStage,
    TransparencyAttrib,
    UpdateSeq,
    Vec2,
    Vec3,
    WindowProperties,
)

from terrain3d.view.geometry import grain_texture, is_own, ripple_texture
from terrain3d.view.light.shaders import make_shader

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase

    from terrain3d.look.lighting_presets import Mood
    from terrain3d.look.orbit import Point
    from terrain3d.view.window.viewport import Viewport

CASTER_MASK = BitMask32.bit(19)
"""Camera mask of shadow cameras; nodes hidden from it cast no shadow."""
STILL = 0.03
"""Smallest motion that redraws shadows, in tiles and relative to the node's size.

A standing figure breathes less than that: its shadow would change by less than a texel.
"""
MAX_SEEN = 16
"""How many points plants are kept away from, as in the shader."""
_SEEN_RADIUS, _NO_MORE = 0.55, (0.0, 0.0, 0.0, 0.0)
_SOFTNESS = 0.9  # of a shadow's edge, in texels
_HALF, _LEAST = 0.5, 1.0 / 512.0  # alpha: of a shadow's edge, and of what can be seen
_LINEAR = Texture.F_srgb, Texture.F_srgb_alpha  # of which a shader gets linear colors
_NO_COLORS = (
    TextureStage.M_normal,
    TextureStage.M_normal_height,
    TextureStage.M_normal_gloss,
    TextureStage.M_height,
    TextureStage.M_gloss,
    TextureStage.M_glow,
    TextureStage.M_emission,
    TextureStage.M_selector,
)
"""Modes of a first texture that is left out of own light; that of others is multiplied."""
_OWN_SKIN = Vec3(-1.0, 0.0, 0.0)
_CLOCK_S = 10_000.0
"""The shader's time wraps after this; all motion there repeats an integer number of times."""


class ShaderLight:
    """Lights nodes below the node `ground`, which holds the shader's inputs.

    Values that change every frame are in arrays that the engine reads when it draws, so that no
    render state changes with them. `headings` are the (x, y) directions of a tile's edges. `buffer`
    holds the shadow map, which is redrawn only when shadow casters have changed; `close` does not
    free it, the next light takes it over. With `is_simple`, surfaces have neither grain nor rounded
    edges, and shadows are sharp.
    """

    def __init__(
        self,
        viewport: Viewport,
        ground: NodePath,
        headings: tuple[tuple[float, float], ...],
        buffer: ShadowBuffer,
        *,
        is_simple: bool = False,
    ) -> None:
        self._is_simple = is_simple
        self._viewport, self._ground, self._buffer = viewport, ground, buffer
        self._low: Point = (0.0, 0.0, 0.0)
        self._high: Point = (0.0, 0.0, 0.0)
        self._cast: tuple[Point, Point] = self._low, self._high
        self._sun: Point = (0.0, 0.0, 1.0)
        self._drawn: list[tuple[tuple[object, ...], LMatrix4]] = []  # the casters, and where
        self._lens = OrthographicLens()
        self._camera = ground.attach_new_node(Camera("sun", self._lens))
        node = self._camera.node()
        node.set_scene(ground)
        node.set_camera_mask(CASTER_MASK)
        # The shader has the higher priority, not its attribute: that would hide inputs of nodes.
        depths_only = RenderState.make(ShaderAttrib.make(make_shader("shadow"), 100))
        no_color = ColorWriteAttrib.make(ColorWriteAttrib.C_off)
        node.set_initial_state(depths_only.set_attrib(no_color, 100))
        buffer.show(self._camera)
        self._values = PTA_LVecBase3f.empty_array(11)
        self._seen = PTA_LVecBase4f.empty_array(MAX_SEEN + 1)
        self._seen_points: list[Point] = []
        self._shadow_from_world = PTA_LMatrix4f.empty_array(1)
        self._time_s, self._now_s = PTA_float.empty_array(1), 0.0
        softness = _SOFTNESS / buffer.size
        # Half of the directions; squares have two, so their third is zero.
        half = [*headings[: len(headings) // 2], (0.0, 0.0)][:3]
        headings_x, headings_y = (Vec3(*parts) for parts in zip(*half, strict=True))
        ground.hide(CASTER_MASK)
        ground.set_shader_inputs(
            grain=grain_texture(),
            ripples=ripple_texture(),
            shadow_map=buffer.texture,
            shadow_step=(softness, 0.45 * softness),
            shadow_from_world=self._shadow_from_world,
            scene=self._values,
            seen=self._seen,
            time_s=self._time_s,
            look=Vec3(0.0, 1.0, 1.0),
            headings_x=headings_x,
            headings_y=headings_y,
            upright=Vec3(0.0, 0.0, 0.0),
            alpha_cut=Vec2(0.0, 0.0),
            skin=_OWN_SKIN,
            feet=LVecBase4f(0.0),
        )

    def fit(self, low: Point, high: Point, cast: tuple[Point, Point]) -> None:
        """Fade in the box with these corners, and cast shadows in that of `cast`."""
        self._low, self._high, self._cast = low, high, cast
        self._aim()

    def set_mood(self, mood: Mood) -> None:
        """Set the colors and the sun's direction of a mood."""
        shown = (
            mood.sun_color,
            mood.sky_light,
            mood.ground_light,
            mood.rim_light,
            mood.fade_color,
            mood.mirrored,
        )
        for place, color in enumerate(shown):
            self._values[place] = LVecBase3f(*color)
        if mood.sun != self._sun:
            self._sun = mood.sun
            self._aim()
        self._set_inputs()  # a frame may be drawn before the first call of `follow`

    def add_subject(self, subject: NodePath) -> None:
        """Light a node, and let it cast a shadow."""
        subject.set_shader(make_shader("surface", is_simple=self._is_simple))
        for path in (subject, *subject.find_all_matches("**/+GeomNode")):
            node = path.node()
            for place in range(node.get_num_geoms() if isinstance(node, GeomNode) else 0):
                if not is_own(node.get_geom(place)):
                    own = node.get_geom_state(place)
                    state = path.get_net_state().compose(own)
                    given = ShaderAttrib.make().set_shader_input("alpha_cut", _alpha_cut(state))
                    given = given.set_shader_input("skin", _skin(state))
                    node.set_geom_state(place, own.compose(RenderState.make(given)))
        subject.show_through(CASTER_MASK)

    def remove_subject(self, subject: NodePath) -> None:
        """Stop lighting a node."""
        subject.clear_shader()
        subject.show(CASTER_MASK)

    def show_points(self, points: list[Point]) -> None:
        """Draw no plants before points, in map coordinates; at most MAX_SEEN, the first ones."""
        self._seen_points = points[:MAX_SEEN]

    def advance(self, dt_s: float) -> None:
        """Let time pass for what moves in the shaders."""
        self._now_s = (self._now_s + dt_s) % _CLOCK_S  # an array's sum would be coarse
        self._time_s[0] = self._now_s

    def follow(self, lit: Iterable[NodePath]) -> None:
        """Update for the camera and the shadow casters.

        Shadows are redrawn in the next frame if their box, a caster or the set of windows has
        changed.
        """
        now = [(_shape(subject), _place(subject, self._ground)) for subject in lit]
        is_same = len(now) == len(self._drawn) and all(
            shape == known_shape and place.almost_equal(known_place, STILL)
            for (shape, place), (known_shape, known_place) in zip(now, self._drawn, strict=True)
        )
        if not is_same:
            self._drawn = now
        self._buffer.redraw(self._buffer.share() or not is_same)
        self._set_inputs()

    def close(self) -> None:
        """Stop lighting, and leave the buffer to the next light."""
        self._buffer.show(None)
        self._camera.remove_node()
        self._ground.clear_shader()
        self._ground.show(CASTER_MASK)

    def _aim(self) -> None:
        """Fit the shadow map to the box of the casters, seen from the sun."""
        self._drawn = []
        low, high = self._cast
        middle = Point3(*((a + b) / 2.0 for a, b in zip(low, high, strict=True)))
        self._camera.set_pos(middle + Point3(*self._sun))
        self._camera.look_at(middle)
        matrix = LMatrix4(self._camera.get_mat())
        matrix.invert_in_place()
        corners = [
            matrix.xform_point(Point3(*corner)) for corner in product(*zip(low, high, strict=True))
        ]
        xs, ys, zs = zip(*corners, strict=True)
        edge = 1.02 * max(max(xs) - min(xs), max(zs) - min(zs)) + 0.2
        self._lens.set_film_size(edge, edge)
        self._lens.set_film_offset((max(xs) + min(xs)) / 2.0, (max(zs) + min(zs)) / 2.0)
        self._lens.set_near_far(min(ys) - 1.0, max(ys) + 1.0)

    def _set_inputs(self) -> None:
        """Set the shader inputs of sun and camera."""
        if not self._viewport.is_ready:  # a game has removed it
            return
        camera, scene = self._viewport.camera, self._viewport.scene
        world = LMatrix4(self._ground.get_mat(scene))
        for place, direction in enumerate((self._sun, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), start=6):
            turned = world.xform_vec(Vec3(*direction))
            turned.normalize()
            self._values[place] = turned
        scale = world.xform_vec(Vec3(0.0, 0.0, 1.0)).length()
        low, high = Vec3(*self._low), Vec3(*self._high)
        size = (high - low).length() * scale
        eye = camera.get_pos(scene)
        away = (world.xform_point((high + low) * 0.5) - eye).length()
        texel = self._lens.get_film_size()[0] / self._buffer.size
        points = [*((*point, _SEEN_RADIUS) for point in self._seen_points), _NO_MORE]
        for place, point in enumerate(points[:MAX_SEEN]):
            self._seen[place] = LVecBase4f(*point)
        self._seen[MAX_SEEN] = LVecBase4f(camera.get_pos(self._ground), 0.0)
        self._values[9] = eye
        self._values[10] = Vec3(away - 0.2 * size, 0.25 / size, texel * scale)
        self._shadow_from_world[0] = scene.get_mat(self._camera) * self._lens.get_projection_mat()


def _alpha_cut(state: RenderState) -> Vec2:
    """Return the alpha below which nothing is drawn, in the picture and in the shadow.

    The engine tests it as well, but not in a core profile, nor without a color to write.
    """
    test = state.get_attrib(AlphaTestAttrib)
    from_below = RenderAttrib.M_greater, RenderAttrib.M_greater_equal
    if isinstance(test, AlphaTestAttrib) and test.mode in from_below:
        return Vec2(test.reference_alpha, test.reference_alpha)
    blend = state.get_attrib(TransparencyAttrib)
    if not isinstance(blend, TransparencyAttrib) or blend.mode == TransparencyAttrib.M_none:
        return Vec2(0.0, 0.0)
    is_binary = blend.mode == TransparencyAttrib.M_binary
    return Vec2(_HALF if is_binary else _LEAST, _HALF)


def _skin(state: RenderState) -> Vec3:
    """Return what texture and material of a state do, as the shader's `skin`."""
    skins, material = state.get_attrib(TextureAttrib), state.get_attrib(MaterialAttrib)
    is_shown, is_linear = True, False  # also of a texture that is set later
    if isinstance(skins, TextureAttrib) and skins.get_num_on_stages():
        stage = skins.get_on_stage(0)
        is_shown = stage.mode not in _NO_COLORS
        is_linear = skins.get_on_texture(stage).format in _LINEAR
    of = material.get_material() if isinstance(material, MaterialAttrib) else None
    return Vec3(is_shown, is_linear, of is not None and of.has_base_color())


def _is_picture(subject: NodePath) -> bool:
    """Return whether a node is a picture that turns to the camera; its shadow does not turn."""
    return bool(subject.get_shader_input("upright") != ShaderInput.get_blank())


def _place(subject: NodePath, ground: NodePath) -> LMatrix4:
    """Return the place of a node below another; of a picture, that of what it turns in."""
    return LMatrix4((subject.get_parent() if _is_picture(subject) else subject).get_mat(ground))


def _shape(subject: NodePath) -> tuple[object, ...]:
    """Return a value that changes when a node is added, moved, edited or hidden at or below it.

    That of a picture changes with its Geom alone.
    """
    count, node = UpdateSeq(), subject.node()
    if _is_picture(subject) and isinstance(node, GeomNode):
        count = node.get_geom(0).get_modified()
    else:
        node.get_bounds(count)  # the engine increments it with each such change
    is_seen = subject.get_hidden_ancestor().is_empty() and not subject.is_stashed()
    return subject, count.get_seq(), is_seen


class ShadowBuffer:
    """The graphics memory of a shadow map, a texture with an edge of `size` texels.

    It is that of the window of `base`. If another window has graphics memory of its own, the
    texture is also copied to main memory, which is slower.
    """

    def __init__(self, base: ShowBase, size: int) -> None:
        self._base, self.size = base, size
        self.texture = self._depth_texture()
        depth = FrameBufferProperties()
        depth.set_depth_bits(24)
        properties = WindowProperties()
        properties.set_size(size, size)
        self._output = base.graphics_engine.make_output(
            base.pipe,
            "shadow",
            -100,
            depth,
            properties,
            GraphicsPipe.BF_refuse_window,
            base.win.get_gsg(),
            base.win,
        )
        self._is_shared = False
        self._due_frame = -1
        if self._output is not None:
            self._draw_into_texture()

    @staticmethod
    def _depth_texture() -> Texture:
        texture = Texture("shadow")
        texture.set_format(Texture.F_depth_component)
        texture.set_minfilter(SamplerState.FT_shadow)
        texture.set_magfilter(SamplerState.FT_shadow)
        texture.set_wrap_u(SamplerState.WM_border_color)
        texture.set_wrap_v(SamplerState.WM_border_color)
        texture.set_border_color((1.0, 1.0, 1.0, 1.0))
        return texture

    def redraw(self, is_due: bool) -> None:
        """Draw into it in the next frame, or leave it as it is.

        What is due stays due until a frame has begun.
        """
        frame = ClockObject.get_global_clock().get_frame_count()
        if is_due:
            self._due_frame = frame
        if self._output is not None:
            self._output.set_active(self._due_frame == frame)

    def show(self, camera: NodePath | None) -> None:
        """Draw what a camera sees from now on, or nothing."""
        if self._output is not None:
            self._output.remove_all_display_regions()
            self._output.set_active(camera is not None)
            if camera is not None:
                self._output.make_display_region().set_camera(camera)

    def share(self) -> bool:
        """Copy the texture for windows that need it; return whether that has changed."""
        if self._output is None:
            return False
        own, was_shared = self._base.win.get_gsg(), self._is_shared
        windows = self._base.graphics_engine.get_windows()
        self._is_shared = any(window.get_gsg() not in (own, None) for window in windows)
        if self._is_shared != was_shared:
            self._output.clear_render_textures()
            self._draw_into_texture()
        return self._is_shared != was_shared

    def _draw_into_texture(self) -> None:
        output, texture = self._output, self.texture
        if self._is_shared:
            output.add_render_texture(texture, output.RTM_copy_ram, output.RTP_depth)
        else:
            output.add_render_texture(texture, output.RTM_bind_or_copy, output.RTP_depth)

    def close(self) -> None:
        """Free the graphics memory."""
        if self._output is not None:
            self._output.clear_render_textures()
            self._base.graphics_engine.remove_window(self._output)
        self.texture.release_all()
