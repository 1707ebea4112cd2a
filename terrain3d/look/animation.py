"""Procedural animation of a figure's body: breathing, strides, crouches, hops and landings."""

import math
from dataclasses import dataclass

STRIDES_PER_TILE = 1.0
"""Strides of each foot per tile of movement."""

_BREATH_HZ, _BREATH = 0.35, 0.012
_SHIFT_HZ, _SHIFT_DEG = 0.11, 0.9  # shift of weight from foot to foot
_FLOAT_HZ, _FLOAT, _FLOAT_LEAN_DEG = 0.28, 0.030, 10.0
_LEAN_DEG, _SWAY_DEG, _RISE = 8.0, 4.0, 0.035
_STEP, _STEP_UP = 0.115, 0.055
_TUCK = (-0.05, 0.05)
_STRETCH = 0.08
_SQUASH, _SQUASH_S = 0.28, 0.26
_CROUCH = 0.16


@dataclass(frozen=True)
class BodyPose:
    """Offsets of a body and its feet from the upright pose, in tiles and degrees.

    `lean_deg` tilts it forward, `sway_deg` to the right. `left` and `right` are the offsets
    (ahead, up) of each foot from its rest position below the body.
    """

    lift: float = 0.0
    """Height above the ground point."""
    lean_deg: float = 0.0
    sway_deg: float = 0.0
    height: float = 1.0
    """Factor > 0 of the body's height; the volume stays the same."""
    left: tuple[float, float] = (0.0, 0.0)
    right: tuple[float, float] = (0.0, 0.0)

    @property
    def width(self) -> float:
        """Factor of the body's width that keeps its volume."""
        return 1.0 / math.sqrt(self.height)


def body_pose(
    action: str, time_s: float, walked: float, landed_s: float, *, has_feet: bool
) -> BodyPose:
    """Return the pose of a body during an action of its unit, such as "walk".

    The time since any fixed moment drives the breathing. The distance `walked`, in tiles since any
    fixed point, drives the strides, so that feet do not slide. The last landing was `landed_s` ago.
    A figure without feet floats.
    """
    height = 1.0 + _BREATH * math.sin(time_s * math.tau * _BREATH_HZ)
    if landed_s < _SQUASH_S:
        part = landed_s / _SQUASH_S
        height -= _SQUASH * math.sin(math.pi * part) * (1.0 - part)
    if action == "crouch":
        height = min(height, 1.0 - _CROUCH)
    if not has_feet:
        lift = _FLOAT * math.sin(time_s * math.tau * _FLOAT_HZ)
        return BodyPose(_FLOAT + lift, 0.0 if action == "stand" else _FLOAT_LEAN_DEG, 0.0, height)
    if action == "walk":
        swing = math.sin(walked * math.tau * STRIDES_PER_TILE)
        pass_by = math.cos(walked * math.tau * STRIDES_PER_TILE)
        return BodyPose(
            _RISE * abs(pass_by),
            _LEAN_DEG,
            _SWAY_DEG * pass_by,
            height,
            (_STEP * swing, _STEP_UP * max(pass_by, 0.0)),
            (-_STEP * swing, _STEP_UP * max(-pass_by, 0.0)),
        )
    if action in {"climb", "drop", "leap"}:
        return BodyPose(height=1.0 + _STRETCH, left=_TUCK, right=_TUCK)
    shift = _SHIFT_DEG * math.sin(time_s * math.tau * _SHIFT_HZ)
    return BodyPose(sway_deg=shift, height=height)
