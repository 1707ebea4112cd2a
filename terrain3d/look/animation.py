"""How a figure moves its body around the place where it stands: breath, strides, hops, landings."""

import math
from dataclasses import dataclass

STRIDES_PER_TILE = 1.0
"""How often each foot is set down on the way over a tile."""

_BREATH_HZ, _BREATH = 0.35, 0.012
_SHIFT_HZ, _SHIFT_DEG = 0.11, 0.9  # of the weight from foot to foot
_FLOAT_HZ, _FLOAT, _FLOAT_LEAN_DEG = 0.28, 0.030, 10.0
_LEAN_DEG, _SWAY_DEG, _RISE = 8.0, 4.0, 0.035
_STEP, _STEP_UP = 0.115, 0.055
_TUCK = (-0.05, 0.05)
_STRETCH = 0.08
_SQUASH, _SQUASH_S = 0.20, 0.26


@dataclass(frozen=True)
class BodyPose:
    """How a body is held, in tiles and degrees.

    Parameters
    ----------
    lift : float
        Above the point where it stands.
    lean_deg, sway_deg : float
        Forwards, and to its right.
    height : float > 0
        Part of its usual height; its volume stays the same.
    left, right : (ahead, up)
        Where each foot is instead of below the body.
    """

    lift: float = 0.0
    lean_deg: float = 0.0
    sway_deg: float = 0.0
    height: float = 1.0
    left: tuple[float, float] = (0.0, 0.0)
    right: tuple[float, float] = (0.0, 0.0)

    @property
    def width(self) -> float:
        """Part of its usual width."""
        return 1.0 / math.sqrt(self.height)


def body_pose(
    action: str, time_s: float, walked: float, landed_s: float, *, has_feet: bool
) -> BodyPose:
    """Give how a body is held at a time.

    Parameters
    ----------
    action : str
        What its unit does, as poses tell it: "stand", "walk", "climb", "drop", "leap" or "warp".
    time_s : float, in seconds
        Since any moment; breath goes by it.
    walked : float, in tiles
        How far it has come since any place; strides go by it, so that feet do not slide.
    landed_s : float, in seconds
        How long ago it came down from a hop.
    has_feet : bool
        Whether it walks; else it floats.
    """
    height = 1.0 + _BREATH * math.sin(time_s * math.tau * _BREATH_HZ)
    if landed_s < _SQUASH_S:
        part = landed_s / _SQUASH_S
        height -= _SQUASH * math.sin(math.pi * part) * (1.0 - part)
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
