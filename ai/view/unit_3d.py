"""Show a unit as a figure that copies its pose, with marks at its feet and a tag above it."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from panda3d.core import (
    CardMaker,
    DynamicTextFont,
    LMatrix4,
    NodePath,
    TextNode,
    TextProperties,
    TextPropertiesManager,
    Texture,
)

from ai.motion.motion import SPEED_TILES_S, Motion
from ai.motion.motion import Pose as MotionPose
from ai.view.figure_model import ActorModel, BodyPose, FigureModel, SpriteModel, body_pose
from ai.view.ground_contact import GroundContact
from terrain3d.core.checks import (
    finite_numbers,
    instance_of,
    listed,
    number_within,
    one_of,
    quoted,
    true_or_false,
)
from terrain3d.core.signals import export
from terrain3d.grid.grid import Cell
from terrain3d.grid.kinds import checked_color
from terrain3d.look.icons import ICONS, icon_alpha
from terrain3d.look.layout import Box, Boxes, Size, clear_of, move_clear
from terrain3d.look.palettes import bar_color
from terrain3d.map.picking import cast_at_cylinder
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures import (
    SHAPES,
    beam_mesh,
    blob_mesh,
    glow_mesh,
    marker_mesh,
    plate_mesh,
    ring_mesh,
    team_color,
    team_shape,
)
from terrain3d.mesh.overlays.flat_shapes import card, polygon
from terrain3d.view.font import drawable, font_file, make_font, text_node
from terrain3d.view.geometry import attach_look, make_geom_node, make_texture, set_unlit
from terrain3d.view.hud.widgets import INK, PLATE
from terrain3d.view.scene.labels_3d import checked_texts
from terrain3d.view.scene.sprite_3d import Sprite3D
from terrain3d.view.scene.terrain_3d import MapDot, Terrain3D
from terrain3d.view.window.panda_tree import Node3D
from terrain3d.view.window.viewport import ScreenProjection, Viewport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from terrain3d.grid.kinds import Color, TileKind
    from terrain3d.look.orbit import Point

_ABOVE_FEET = 1.2
_FAR_PART = 1 / 14
"""A figure that is smaller than this part of the picture's height has a marker."""
_TEXT_PART, _LEAST_TEXT_PX = 1 / 42, 12.0
_MARKER_SIZE, _TIP = 1.6, 0.62  # in heights of the text, for the mesh of 0.62
_MARGIN = -0.35, 0.35, -0.12, 0.12
_PLATE_ALPHA = 0.82
_TAG_SORT = 50
_HOPS = {"climb", "drop", "leap"}
_BODY_RADIUS, _BODY_HEIGHT = 0.28, 1.1  # of the cylinder that the pointer can hit
_MIDDLE_Z = 0.4  # above its feet: the point that counts as its position on screen
_BLOB_Z, _PLATE_Z, _RING_Z = 0.03, 0.035, 0.04
_NEAR_GROUND = 0.05  # height at which feet touch the ground, in tiles
_BELOW_FEET = 0.01  # a surface that is lower than this above the feet is below them
_SLIDE_TILES_S = 4 * SPEED_TILES_S
_SORT = 12  # over a reach, under paths
_HIT_S, _RECOIL, _RECOIL_DEG, _FALL_DEG, _FLASH = 0.4, 0.2, 25.0, 85.0, 2.2
LUNGE_S, SWING_PART = 0.5, 0.45
"""How long a figure takes to strike, and the part of it after which it has swung."""
_BACK, _AHEAD, _LUNGE_DEG = -0.08, 0.26, 55.0
_SKIPPING = 100.0
"""A pace from which walks are skipped, but not the animations of blows."""
# In heights of the text:
_BAR_WIDTH, _BAR_HEIGHT, _BAR_Z = 2.6, 0.26, -0.25
_BAR_BOX = -1.36, 1.36, -0.31, 0.07  # left, right, bottom, top
_LOSS_COLOR, _LOSS_GAP = (1.0, 0.86, 0.35), 0.05
_SIGN, _SIGN_GAP, _SIGN_TEXT, _ICON_PX = 1.0, 0.2, 0.85, 32  # icons at the bar
_SKILL_ICON, _NUMBERS, _CLEAR_Z = 1.25, 1.3, 0.95  # of a forecast; the last in tiles
_INKS = {"poison": (0.62, 0.92, 0.40), "check": (0.72, 0.74, 0.78), "shield": (0.55, 0.78, 1.0)}
_MARKER_BOX = -1.0, 1.0, 0.0, 2.0
_SHIFTS = 0.0, 0.4, 0.8, 1.2, 1.6, 2.0  # up, to keep clear of other texts
_TAIL, _WAIST = 0.6, 0.75  # width of what leads to a unit; how far below its tag, in tiles

Sides = tuple[float, float, float, float]
"""Left, right, bottom and top of a part of a tag, in heights of the text."""


class Pose(Protocol):
    """Position, heading and action of a unit."""

    @property
    def point(self) -> Point:
        """Point between its feet, (x, y, z) in map coordinates."""

    @property
    def heading_deg(self) -> float:
        """Heading: 0 is +y, counter-clockwise seen from above."""

    @property
    def action(self) -> str:
        """One of "stand", "walk", "crouch", "climb", "drop", "leap", "warp"."""


class UnitLike(Protocol):
    """A unit that a figure can show: a team, a cell and a pose that changes with time."""

    @property
    def team(self) -> str:
        """The team; it determines the color."""

    @property
    def cell(self) -> Cell:
        """The tile it occupies; a click on its figure is a click on this tile."""

    @property
    def pose(self) -> Pose:
        """Its current pose."""

    def advance(self, dt_s: float) -> None:
        """Let time pass."""


class Unit3D(Node3D):
    """Shows a unit as a figure; a child of the `Terrain3D` that the unit stands on.

    Parameters
    ----------
    unit : UnitLike
        Each frame advances its time and copies its pose.
    name : str
        Name of the node; the unit's own name may be any text.
    shape : str
        "scout" or "acrobat" (light, on feet), "knight" or "raider" (heavy, on feet), "mage"
        (floats) or "flyer" (winged).
    model : NodePath, path or Sprite3D, optional
        A model to show instead of a shape: a NodePath, an `Actor`, or a .bam, .egg, .glb or .gltf
        file. It stands on (0, 0, 0) and looks along +y; a figure is 1.1 tiles tall. Or a sprite,
        which becomes a child. Animations are played by name: see `figure_model.ANIMATIONS`.

    Raises
    ------
    ImportError
        The model is a .glb or .gltf file, and panda3d-gltf is not installed.
    TypeError, ValueError
        There is no such shape; the model is no NodePath, path or sprite, is empty or cannot be
        read, or the sprite has a parent.

    Notes
    -----
    Strides, lean, crouch, squash and breath are visual only: `np` is exactly at the pose. The marks
    at its feet stay on the ground while it jumps or hovers.
    """

    pace = export(1.0, range=(0.0, 1e6), doc="seconds of its time per second; at 0 it stands still")

    def __init__(
        self,
        unit: UnitLike,
        name: str = "",
        shape: str = "scout",
        model: NodePath | str | os.PathLike[str] | Sprite3D | None = None,
    ) -> None:
        super().__init__(name)
        if not all(hasattr(unit, part) for part in ("team", "pose", "advance")):
            raise TypeError(f"unit must have team, pose and advance, got {quoted(unit)}")
        self._unit = unit
        self._slide: Motion | None = None
        self._slid_s, self._slide_end = 0.0, (0.0, 0.0, 0.0)
        self._is_leaving = False
        self._hit_s = self._lunge_s = math.inf  # since it was hit, and since it began to strike
        self._stop_s, self._away, self._lunge = 0.0, (0.0, 0.0), 0.0
        self.is_held = self.is_kept = False
        """Whether it waits with its slide, and with leaving, for a blow that is to be shown."""
        self._color = team_color(unit.team)
        pose = unit.pose
        self._action, self._point = pose.action, pose.point
        self._time_s = (0.71 * pose.point[0] + 1.37 * pose.point[1]) % 10.0
        self._landed_s = math.inf  # since it landed
        self._walked = 0.0
        one_of("shape", shape, SHAPES)
        if model is None:
            self._model = FigureModel(self.np, shape, self._color)
        elif isinstance(model, Sprite3D):
            self._model = SpriteModel(self.add_child(model), self._color)
        else:
            self._model = ActorModel(self.np, model, self._color)
        self._marks = self.np.attach_new_node("marks")
        self._kind: TileKind | None = None  # below it
        self._depth = 0.0  # of the liquid there
        self._ground: tuple[object, ...] = ()  # the point and the map's version at their height
        self._ring = self._flat("ring", ring_mesh(), _RING_Z)
        self._plate = self._flat("plate", plate_mesh(self._color, team_shape(unit.team)), _PLATE_Z)
        self._blob = self._flat("blob", blob_mesh(), _BLOB_Z)
        self._beam = self._flat("beam", beam_mesh(), _PLATE_Z)
        self._beam.set_color_scale(*self._color, 1.0)
        self._ring.hide()
        self._glow = self._flat("glow", glow_mesh(), _BLOB_Z)
        self._glow.set_bin("fixed", _SORT - 1)
        self._contact = GroundContact(self._marks)
        self._tag = UnitTag(self.np)
        self._body = KeptClear(self.np, _BODY_RADIUS, _CLEAR_Z)
        self._tag.set_team(self._color, team_shape(unit.team))
        self._terrain: Terrain3D | None = None
        self._copy_pose(0.0)

    @property
    def unit(self) -> UnitLike:
        """The unit."""
        return self._unit

    @property
    def cell(self) -> Cell:
        """The cell of the unit; a click on the figure is a click there."""
        return self._unit.cell

    @property
    def point(self) -> Point:
        """Position of the figure, in map coordinates."""
        return self._pose().point

    @property
    def is_acting(self) -> bool:
        """Whether it shows an action, as a slide, a blow or an animation, or is kept for one."""
        is_moving = self._lunge_s < LUNGE_S or self._hit_s < _HIT_S
        return self.is_kept or is_moving or self.is_sliding or self._model.is_playing

    @property
    def is_sliding(self) -> bool:
        """Whether it slides, or waits for that."""
        return self._slide is not None

    def strike(self, size: float = 1.0) -> None:
        """Draw back and swing ahead; `size` is how far, 1 for a blow with a blade."""
        self._lunge_s, self._lunge = 0.0, number_within("size", size, 0)

    def flinch(self, away: tuple[float, float] = (0.0, 0.0), stop_s: float = 0.0) -> None:
        """Flash and recoil from a hit, along a vector (x, y) on the map; one that leaves falls.

        It stands still for `stop_s` seconds first, as does the attacker after a hard hit.
        """
        east, north = finite_numbers("away", away, 2)
        self._hit_s, self._stop_s = 0.0, number_within("stop_s", stop_s, 0)
        length, heading = math.hypot(east, north), math.radians(self._unit.pose.heading_deg)
        part = _RECOIL / length if length else 0.0
        x, y = part * east, part * north
        cos, sin = math.cos(heading), math.sin(heading)
        self._away = x * cos + y * sin, y * cos - x * sin

    def stop(self, stop_s: float) -> None:
        """Stand still for a time."""
        self._stop_s = number_within("stop_s", stop_s, 0)

    def slide(self, points: Sequence[Point]) -> None:
        """Slide along points in map coordinates to where the unit stands, without walking.

        Points after that, where the unit walks by itself, do not count. It ends at once if the unit
        is put elsewhere.
        """
        end = self._unit.pose.point
        count = next((i for i in range(len(points), 0, -1) if points[i - 1] == end), 0)
        if len({*points[:count]}) > 1:
            self._slide = Motion(points[:count], _SLIDE_TILES_S, self._unit.pose.heading_deg)
            self._slid_s, self._slide_end = 0.0, end

    def play(self, *names: str) -> None:
        """Play the first of some animations that the model has, in small letters or capitals."""
        self._model.play([instance_of("an animation", name, str) for name in names])

    def leave(self) -> None:
        """Hide its label and ring, and free it once it shows no action."""
        self._is_leaving, self.is_selected, self.label = True, False, ""
        self.show_forecast(())
        if not self.is_inside_tree:
            self.queue_free()

    @property
    def map_dot(self) -> MapDot | None:
        """Its mark on the small map; None if it is hidden."""
        return (
            None
            if self._is_hidden()
            else MapDot(team_shape(self.unit.team), self.color, self.is_selected)
        )

    @property
    def color(self) -> Color:
        """The team color; by default derived from the team's name."""
        return self._color

    @color.setter
    def color(self, color: Color) -> None:
        color = checked_color("color", color)
        if color != self._color:
            self._color = color
            self._model.set_color(color)
            self._beam.set_color_scale(*color, 1.0)
            self._plate.remove_node()
            shape = team_shape(self._unit.team)
            self._plate = self._flat("plate", plate_mesh(color, shape), _PLATE_Z)
            self._tag.set_team(color, shape)

    def cast(self, origin: Point, direction: Point) -> float | None:
        """Return its distance along a ray in map coordinates; None if it is missed or hidden."""
        if self._is_hidden():
            return None
        return cast_at_cylinder(self.point, _BODY_RADIUS, _BODY_HEIGHT, origin, direction)

    def is_within(self, low: tuple[float, float], high: tuple[float, float]) -> bool:
        """Return whether it is shown with its center inside a box; see `SelectionBox.drawn`."""
        x, y, z = self.point
        seen = self.panda.project((x, y, z + _MIDDLE_Z), self.np.get_parent())
        return (
            seen is not None
            and not self._is_hidden()
            and all(least <= at <= most for least, at, most in zip(low, seen, high, strict=True))
        )

    @property
    def is_selected(self) -> bool:
        """Whether a ring around its feet is shown."""
        return not self._ring.is_hidden()

    @is_selected.setter
    def is_selected(self, value: bool) -> None:
        if true_or_false("is_selected", value):
            self._ring.show()
        else:
            self._ring.hide()

    @property
    def label(self) -> str:
        """A text above its head, such as its name; "" for none."""
        return self._tag.label

    @label.setter
    def label(self, label: str) -> None:
        self._tag.label = instance_of("label", label, str)

    @property
    def health(self) -> float | None:
        """How much of a bar above its head is full, 0..1; None for no bar."""
        return self._tag.health

    @health.setter
    def health(self, health: float | None) -> None:
        self._tag.health = None if health is None else number_within("health", health, 0, 1)

    def show_forecast(self, lines: Sequence[str], icon: str = "", loss: float = 0.0) -> None:
        """Show lines above its head, the second larger beside an icon; without lines nothing.

        `icon` is one of `look.icons.ICONS`, `loss` the part of its bar that may go.
        """
        texts, icon = checked_texts("lines", lines), one_of("icon", icon, ["", *ICONS])
        self._tag.loss = number_within("loss", loss, 0, 1)
        self._tag.forecast, self._tag.skill = tuple(texts), icon
        self._body.is_on = bool(texts)

    @property
    def forecast(self) -> tuple[str, ...]:
        """The lines of the forecast; none while it is hidden."""
        return self._tag.forecast

    @property
    def signs(self) -> Sequence[tuple[str, str]]:
        """Icons beside the bar, of `look.icons.ICONS`, each with a short text or ""."""
        return self._tag.signs

    @signs.setter
    def signs(self, signs: Sequence[tuple[str, str]]) -> None:
        pairs = [checked_texts("signs", sign) for sign in listed("signs", signs)]
        if wrong := [pair for pair in pairs if len(pair) != 2]:
            raise ValueError(f"signs must be pairs of an icon and a text, got {quoted(wrong[0])}")
        self._tag.signs = tuple((one_of("signs", icon, ICONS), text) for icon, text in pairs)

    def _is_hidden(self) -> bool:
        return self.is_inside_tree and not self.panda.viewport.shows(self.np)

    def _flat(self, name: str, mesh: MeshData, z: float) -> NodePath:
        """Add a flat mark on the ground."""
        mark = attach_look(self._marks, make_geom_node(name, mesh))
        mark.set_z(z)
        set_unlit(mark, _SORT)
        return mark

    def _enter_tree(self) -> None:
        self.panda.labels[:0] = self._body, self._tag
        above = self._terrain = self.find_ancestor(Terrain3D)
        if above is None:
            return
        self._ground = ()
        above.pick_targets.append(self)
        self._model.set_shaders(above.daylight.has_shaders)
        above.daylight.add_subject(self._model.body)
        if above.daylight.has_shaders:
            self._blob.hide()  # the figure casts a shadow of its own
        else:
            self._blob.show()

    def _exit_tree(self) -> None:
        self.panda.labels.remove(self._body)
        self.panda.labels.remove(self._tag)
        if self._terrain is not None:
            self._terrain.pick_targets.remove(self)
            self._terrain.daylight.remove_subject(self._model.body)
            self._terrain = None
        self._model.set_shaders(False)

    def _process(self, dt_s: float) -> None:
        self._time_s += dt_s
        self._landed_s += dt_s
        shown_s = dt_s if self.pace > _SKIPPING else dt_s * self.pace
        dt_s *= self.pace
        self._stop_s -= shown_s
        if self._stop_s <= 0:
            self._hit_s += shown_s
            self._lunge_s += shown_s
        if self._slide is not None and self.is_held:
            dt_s = 0.0
        elif self._slide is not None:
            self._slid_s += dt_s
            dt_s = max(0.0, self._slid_s - self._slide.duration_s)
            if dt_s or self._unit.pose.point != self._slide_end:
                self._slide = None
        if self._slide is None:
            self._unit.advance(dt_s)
        self._copy_pose(dt_s)
        if self._is_leaving and not self.is_acting:
            self.queue_free()

    def _pose(self) -> Pose:
        """Return the unit's pose, or where the figure slides."""
        pose = self._unit.pose
        if self._slide is None or pose.point != self._slide_end:
            return pose
        return MotionPose(self._slide.pose(self._slid_s).point, pose.heading_deg)

    def _gesture(self, body: BodyPose) -> BodyPose:
        """Return a pose of the body with what a blow adds to it."""
        part = min(self._hit_s / _HIT_S, 1.0)
        recoil = math.sin(math.pi * math.sqrt(part))  # away at once, and slowly back
        back = part * _FALL_DEG if self._is_leaving and not self.is_kept else recoil * _RECOIL_DEG
        ahead = 0.0
        if self._lunge_s < LUNGE_S:
            at = self._lunge_s / LUNGE_S
            rise = (0.0, 0.3, SWING_PART, 0.6, 1.0), (0.0, _BACK, _AHEAD, _AHEAD, 0.0)
            ahead = self._lunge * float(np.interp(at, *rise))
        lean_deg = body.lean_deg - back + ahead * _LUNGE_DEG
        right_by, ahead_by = (recoil * each for each in self._away)
        return replace(body, lean_deg=lean_deg, shift=(right_by, ahead_by + ahead))

    def _copy_pose(self, dt_s: float) -> None:
        pose, has_feet = self._pose(), self._model.has_feet
        self.np.set_pos(*pose.point)
        self.np.set_h(pose.heading_deg)
        self._place_marks(pose.point)
        above = -self._marks.get_z()
        self._beam.set_sz(max(above, _NEAR_GROUND))
        self._beam.show() if above > _NEAR_GROUND and not has_feet else self._beam.hide()
        self._walked += math.dist(pose.point[:2], self._point[:2])
        self._point = pose.point
        is_touching = has_feet and abs(self._marks.get_z()) < _NEAR_GROUND
        if self._action in _HOPS and pose.action != self._action:
            self._landed_s = 0.0
            if self._kind is not None and is_touching:
                self._contact.land(self._kind)
        self._glow.hide()
        if self._terrain is not None:
            if self._terrain.daylight.mood.stars > 0:
                self._glow.show()  # a lantern at night
            is_wading = is_touching and pose.action not in _HOPS
            self._contact.advance(dt_s, self._depth if is_wading else 0.0)
            self._model.body.set_z(-self._contact.sunk)
        self._action = pose.action
        self._model.set_action(pose.action)
        self._model.set_far(self._tag.is_far)
        body = body_pose(
            self._action, self._time_s, self._walked, self._landed_s, has_feet=has_feet
        )
        self._model.set_pose(self._gesture(body))
        flash = 1.0 + (_FLASH - 1.0) * (1.0 - min(self._hit_s / _HIT_S, 1.0))
        self._model.body.set_color_scale(flash, flash, flash, 1.0)

    def _place_marks(self, point: Point) -> None:
        """Keep the marks on the surface below the unit; over a void they stay at its feet."""
        if self._terrain is None:
            return
        tilemap = self._terrain.tilemap
        if self._ground != (point, tilemap.version):
            self._ground = point, tilemap.version
            x, y, z = point
            cell = tilemap.pick((x, y, z + _BELOW_FEET), (0.0, 0.0, -1.0))
            self._marks.set_z(0.0 if cell is None else tilemap.surface_point(cell)[2] - z)
            self._kind = None if cell is None else tilemap.kind_at(cell)
            self._depth = self._kind.depth * tilemap.step_height if self._kind else 0.0


class KeptClear:
    """Keeps words of forecasts off what stands at a node, where there is room beside it.

    `radius` and `height` are its size, in tiles.
    """

    label_rank = -3

    def __init__(self, np_: NodePath, radius: float, height: float) -> None:
        self._np, self._radius, self._height = np_, radius, height
        self.is_on = False
        """Whether it keeps them off."""

    def place(self, viewport: Viewport, taken: Boxes) -> Boxes:
        """Take the box of what stands there; see `LabelLike`."""
        projection, ends = ScreenProjection.of(viewport, self._np), np.zeros((2, 3))
        ends[1, 2] = self._height
        is_shown = self.is_on and viewport.shows(self._np)
        if not is_shown or not projection.is_seen(ends).any():
            return taken
        at, half = projection.in_pixels(ends), self._radius * projection.unit_px(ends)[0]
        (left, top), (right, bottom) = at.min(axis=0), at.max(axis=0)
        return np.concatenate([taken, [[left - half, top, right - left + 2 * half, bottom - top]]])


class UnitTag:
    """A label, a marker and a bar above a unit, of the same size on screen at any distance.

    They keep off other texts: if need be they move up, and if there is no room they are hidden.
    A forecast moves farther instead, and a tail leads from it to the unit.
    """

    def __init__(self, parent: NodePath) -> None:
        self._np = parent.attach_new_node("tag")
        self._np.set_z(_ABOVE_FEET)
        self._np.set_billboard_point_eye()
        set_unlit(self._np, _TAG_SORT)
        self._np.set_depth_test(False)
        self._block = self._np.attach_new_node("block")
        self._marker = NodePath("marker")
        self._text = text_node("label")
        self._text.set_align(TextNode.A_center)
        self._text.set_bin("fixed")
        self._text.set_draw_order(_TAG_SORT + 2)
        self._label, self._tail = NodePath("label"), NodePath("tail")
        self._sides = [0.0] * 4
        self._bar = self._block.attach_new_node("health")
        self._bar_right = _BAR_BOX[1]
        self._bar_shown: tuple[object, ...] = (None, 0.0, ())
        self._label_shown: tuple[object, ...] = ("", (), "")
        self.label = ""
        """The text; "" for none."""
        self.forecast: tuple[str, ...] = ()
        """The lines that are shown in place of the label."""
        self.skill = ""
        """The icon beside the second of these lines."""
        self.health: float | None = None
        """How much of the bar is full; None for no bar."""
        self.loss = 0.0
        """The part of the bar that may go."""
        self.signs: tuple[tuple[str, str], ...] = ()
        """Icons beside the bar, each with a text."""
        self._seen: tuple[object, ...] = ()
        self._taken = np.zeros((0, 4))
        self.is_far = False
        """Whether the unit is small in the picture."""

    @property
    def label_rank(self) -> int:
        """Tags with a label have room before others."""
        return -1 if self.label or self.forecast else 0

    def _draw(self) -> None:
        """Draw what has changed."""
        bar, label = (self.health, self.loss, self.signs), (self.label, self.forecast, self.skill)
        if bar != self._bar_shown:
            self._bar_shown = bar
            self._draw_bar()
        if label != self._label_shown:
            self._label_shown = label
            self._draw_label()

    def _draw_bar(self) -> None:
        """Draw the bar with the part that may go, and the signs beside it."""
        self._bar.get_children().detach()
        self._bar_right = _BAR_BOX[1]
        if (health := self.health) is None:
            return
        self._add_bar(0.0, 1.0, 0.06, PLATE, _PLATE_ALPHA)
        kept = max(health - self.loss, 0.0)
        self._add_bar(0.0, kept, 0.0, bar_color(health), 1.0)
        if self.loss:
            self._add_bar(kept, health, 0.0, _LOSS_COLOR, 1.0)
            self._add_bar(kept, kept + _LOSS_GAP / _BAR_WIDTH, 0.0, PLATE, 1.0)
        right = self._bar_right + _SIGN_GAP
        low, middle = _BAR_Z + (_BAR_HEIGHT - _SIGN) / 2, _BAR_Z + _BAR_HEIGHT / 2
        for icon, written in self.signs:
            ink = _INKS.get(icon, INK)
            _attach_icon(self._bar, icon, _SIGN, ink).set_pos(right + _SIGN / 2, 0.0, middle)
            right += _SIGN + _SIGN_GAP / 2
            if written:
                node = text_node("sign")
                node.set_font(_font(font_file()))
                node.set_text_color(*ink, 1.0)
                node.set_text(drawable(written))
                text = attach_look(self._bar, node.generate())
                text.set_bin("fixed", _TAG_SORT + 3)
                text.set_scale(_SIGN_TEXT)
                text.set_pos(right, 0.0, _BAR_Z - 0.15)
                right += node.get_width() * _SIGN_TEXT + _SIGN_GAP
        if self.signs:
            sides = self._bar_right + _SIGN_GAP / 2, right, low, low + _SIGN
            under = card(sides, PLATE, _PLATE_ALPHA)
            attach_look(self._bar, make_geom_node("signs", under)).set_bin("fixed", _TAG_SORT + 2)
            self._bar_right = right

    def _add_bar(self, start: float, end: float, margin: float, color: Color, alpha: float) -> None:
        left, top = -_BAR_WIDTH / 2, _BAR_Z + _BAR_HEIGHT
        across = left + start * _BAR_WIDTH - margin, left + end * _BAR_WIDTH + margin
        sides = *across, _BAR_Z - margin, top + margin
        bar = attach_look(self._bar, make_geom_node("bar", card(sides, color, alpha)))
        bar.set_bin("fixed", _TAG_SORT + 2 + (margin == 0))

    def _draw_label(self) -> None:
        """Draw the label, or the forecast, on its plate."""
        lines = [*self.forecast] or [self.label]
        if self.skill:
            lines[1:2] = [f"\1numbers\1{line}\2" for line in lines[1:2]]
        properties = TextProperties()
        properties.set_text_scale(_NUMBERS)
        TextPropertiesManager.get_global_ptr().set_properties("numbers", properties)
        self._text.set_font(_font(font_file()))
        self._text.set_text(drawable("\n".join(lines)))
        text, node = self._text.generate(), self._text
        ends = node.get_left(), node.get_right(), node.get_bottom(), node.get_top()
        self._sides = np.add(ends, _MARGIN).tolist()
        self._sides[0] -= _SKILL_ICON if self.skill else 0.0
        # Not the node's own card: OpenGL ES 1.1 shows no colors but those of vertices.
        plate = make_geom_node("plate", card(self._sides, PLATE, _PLATE_ALPHA))
        plate.add_child(text)
        self._label.remove_node()
        self._label = attach_look(self._block, plate)
        self._label.set_bin("fixed", _TAG_SORT + 1)
        if self.skill:
            icon = _attach_icon(self._label, self.skill, _SKILL_ICON, INK)
            down = _NUMBERS * node.get_line_height()
            icon.set_pos(node.get_left() - 0.62 * _SKILL_ICON, 0.0, 0.3 - down)

    def set_team(self, color: Color, shape: tuple[int, float]) -> None:
        """Set the color and the shape of the marker, as `marker_mesh` takes them."""
        self._marker.remove_node()
        self._marker = attach_look(self._block, make_geom_node("marker", marker_mesh(color, shape)))
        self._marker.set_hpr(0.0, -90.0, 0.0)  # upright, with its tip down
        self._marker.set_scale(_MARKER_SIZE)
        self._marker.set_z(_MARKER_SIZE * _TIP)

    def place(self, viewport: Viewport, taken: Boxes) -> Boxes:
        """Adapt to the camera, inside the window with a label; see `LabelLike`."""
        if not viewport.shows(self._np.get_parent()):
            return taken
        self._draw()
        view = LMatrix4(self._np.get_parent().get_mat(viewport.camera))
        lens = LMatrix4(viewport.lens.get_projection_mat())
        style = viewport.size_px, self._marker, self._bar_shown, self._label_shown
        seen = view, lens, *style, taken.tobytes()
        if seen != self._seen:
            self._seen, self._taken = seen, self._place(viewport, taken)
        return self._taken

    def _place(self, viewport: Viewport, taken: Boxes) -> Boxes:
        height_px, middle = viewport.size_px[1], np.zeros((1, 3))
        unit_px = ScreenProjection.of(viewport, self._np.get_parent()).unit_px(middle)[0]
        # Behind the camera, and through a lens without a size, nothing is drawn.
        tile_px = float(unit_px) if 0.0 < unit_px < math.inf else height_px
        self.is_far = is_far = tile_px * _ABOVE_FEET < height_px * _FAR_PART
        self._np.set_scale(max(_LEAST_TEXT_PX, height_px * _TEXT_PART) / tile_px)
        self._block.hide()
        self._tail.remove_node()
        projection = ScreenProjection.of(viewport, self._np)
        if not projection.is_seen(middle)[0]:
            return taken
        px, foot = projection.unit_px(middle)[0], projection.in_pixels(middle)[0]
        left, right, bottom, top = self._sides
        up = 2.0 * _MARKER_SIZE * _TIP + 0.2 if is_far else 0.35
        up += 0.25 if self.signs else 0.0
        up -= min(bottom + 0.36, 0.0)  # of several lines the last one is there
        bar = _BAR_BOX[0], self._bar_right, *_BAR_BOX[2:]
        always = [_MARKER_BOX] * is_far + [bar] * (self.health is not None)
        words = _around([(left, right, up + bottom, up + top)], foot, px)
        bar_only = _around(always, foot, px) if always else None
        placed = self._arrange(bar_only, words, taken, px, viewport.size_px)
        if placed is None:
            return taken
        own, block_by, words_by = placed
        self._block.set_pos(block_by[0] / px, 0.0, -block_by[1] / px)
        if words_by is not None:
            across, down = np.subtract(words_by, block_by).tolist()
            self._label.set_pos(across / px, 0.0, up - down / px)
            self._draw_tail(words_by[0] / px, up - words_by[1] / px, tile_px / px)
        for node, is_shown in ((self._marker, is_far), (self._label, words_by is not None)):
            node.show() if is_shown else node.hide()
        self._block.show()
        return np.concatenate([taken, np.array(own)])

    def _draw_tail(self, across: float, up: float, tile: float) -> None:
        """Lead from words, unless they are right above the unit; all in heights of the text."""
        low, high = np.add(np.reshape(self._sides, (2, 2)).T, (across, up))
        if low[0] < 0.0 < high[0] and low[1] > -_TAIL:
            return
        end = np.array([0.0, np.clip(high[1], -_WAIST * tile, 0.0)])
        near = np.clip(end, low, high)
        along = near - end
        aside = _TAIL / 2 / max(math.hypot(*along), _TAIL) * np.array([along[1], -along[0]])
        corners = [(x, 0.0, z) for x, z in (end, near + aside, near - aside)]
        mesh = polygon(np.array(corners), PLATE, _PLATE_ALPHA)
        self._tail = attach_look(self._np, make_geom_node("tail", mesh))
        self._tail.set_bin("fixed", _TAG_SORT)

    def _arrange(
        self, bar: Box | None, words: Box, taken: Boxes, px: float, window: tuple[int, int]
    ) -> tuple[list[Box], Size, Size | None] | None:
        """Return where all is that is shown, and by how much bar and words are moved for it.

        A label is shown only beside its bar. The words of a forecast are always shown, and if need
        be apart from it. None if there is room for nothing.
        """
        whole = words if bar is None else words.union(bar)
        box = _find_room(whole, taken, px, window) if self.label or self.forecast else None
        if box is not None:
            by = box.left - whole.left, box.top - whole.top
            return [box], by, by
        box = None if bar is None else _find_room(bar, taken, px)
        by = (0.0, 0.0)
        if bar is not None and box is not None:
            by = box.left - bar.left, box.top - bar.top
        if not self.forecast:
            return None if box is None else ([box], by, None)
        apart = whole if box is None else words
        blocks = [*map(Box._make, taken.tolist()), *([] if box is None else [box])]
        moved = move_clear(apart, blocks, (float(window[0]), float(window[1])), 0.0)
        words_by = moved.left - apart.left, moved.top - apart.top
        return ([moved], words_by, words_by) if box is None else ([box, moved], by, words_by)


def _around(parts: Sequence[Sides], foot: NDArray[np.floating], px: float) -> Box:
    """Return the box of parts around a foot, of so many pixels a unit."""
    (x, y), sides = foot.tolist(), np.array(parts) * px
    (left, bottom), (right, top) = sides[:, [0, 2]].min(axis=0), sides[:, [1, 3]].max(axis=0)
    return Box(x + float(left), y - float(top), float(right - left), float(top - bottom))


def _find_room(
    box: Box, taken: Boxes, px: float, window: tuple[int, int] | None = None
) -> Box | None:
    """Return a box a little higher, clear of taken ones and inside a window; None for no room."""
    if window is not None:
        most = window[0] - box.width, window[1] - box.height
        left, top = (min(max(at, 0.0), max(end, 0.0)) for at, end in zip(box, most, strict=False))
        box = box._replace(left=left, top=top)
    highest = min(box.top, 0.0)  # none leaves the window
    boxes = (box._replace(top=box.top - shift * px) for shift in _SHIFTS)
    clear = (each for each in boxes if each.top >= highest and clear_of(np.array([each]), taken)[0])
    return next(clear, None)


@cache
def _font(file: Path) -> DynamicTextFont:
    return make_font(file, 32)


def _attach_icon(parent: NodePath, icon: str, size: float, ink: Color) -> NodePath:
    """Draw an icon around a point of a tag."""
    maker = CardMaker(icon)
    maker.set_frame(-size / 2, size / 2, -size / 2, size / 2)
    shown = attach_look(parent, maker.generate())
    shown.set_texture(_icon_texture(icon, ink))
    shown.set_bin("fixed", _TAG_SORT + 3)
    return shown


@cache
def _icon_texture(icon: str, ink: Color) -> Texture:
    pixels = np.empty((_ICON_PX, _ICON_PX, 4), np.uint8)
    pixels[..., :3] = np.rint(np.multiply(ink, 255))
    pixels[..., 3] = icon_alpha(icon, _ICON_PX)[::-1]
    return make_texture(icon, pixels)
