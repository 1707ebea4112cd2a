"""The player's settings of the scene's look and behavior."""

from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Self

from terrain3d.core.checks import number_within, one_of, whole_number, whole_within
from terrain3d.look.lighting_presets import MOODS
from terrain3d.look.palettes import PALETTES
from terrain3d.look.quality import QUALITIES

CHOICES = MappingProxyType(
    {
        "palette": tuple(PALETTES),
        "mood": tuple(MOODS),
        "quality": tuple(QUALITIES),
    }
)
"""Values of each setting that is one of several names."""

STEPS = MappingProxyType(
    {
        "text_scale": (0.75, 1.0, 1.25, 1.5, 2.0),
        "motion_speed": (0.25, 0.5, 1.0, 2.0, 4.0),
    }
)
"""Steps of each numeric setting; its limits are the first and the last step."""

_LABELS = {"mood": "light", "follow": "camera follows units", "text_scale": "text size"}

N_HINTS = 3
"""Number of hints that are shown on the first run."""

SKIPPING_PACE = 1e6
"""A pace at which a unit finishes any path within one frame."""


@dataclass(frozen=True)
class Settings:
    """All settings that are saved from run to run.

    `TypeError` or `ValueError` if a value is of the wrong type, out of its limits or not one of the
    setting's CHOICES.
    """

    palette: str = CHOICES["palette"][0]
    mood: str = CHOICES["mood"][0]
    quality: str = CHOICES["quality"][0]
    text_scale: float = 1.0
    """Factor on the text size that fits the window, 0.75..2."""
    motion_speed: float = 1.0
    """Factor on the speed of units, 0.25..4."""
    skip_motion: bool = False
    """Whether units arrive at once."""
    follow: bool = True
    """Whether the camera keeps moving units in view."""
    show_costs: bool = False
    """Whether tiles within reach show their cost."""
    show_map: bool = True
    """Whether the minimap is shown."""
    hints_seen: int = 0
    """Number of hints for the first run that were shown, 0..N_HINTS."""

    def __post_init__(self) -> None:
        """Check every value."""
        for name, value in self.as_dict().items():
            if name in CHOICES:
                if value not in CHOICES[name]:
                    raise ValueError(f"{name} must be one of {CHOICES[name]}, got {value!r}")
            elif name in STEPS:
                number_within(name, value, STEPS[name][0], STEPS[name][-1])
            elif name == "hints_seen":
                whole_within(name, value, 0, N_HINTS)
            elif not isinstance(value, bool):
                raise TypeError(f"{name} must be True or False, got {value!r}")

    @property
    def pace(self) -> float:
        """Seconds of unit motion per second of time."""
        return SKIPPING_PACE if self.skip_motion else self.motion_speed

    def as_dict(self) -> dict[str, Any]:
        """Return all values by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def stepped(self, name: str, step: int = 1) -> Self:
        """Return the settings with one of them changed by a step; `ValueError` without such one.

        A choice wraps around, a number stops at its limits, and a boolean is toggled.
        """
        values = self.as_dict()
        one_of("name", name, values)
        whole_number("step", step)
        value: Any
        if name in CHOICES:
            choices = CHOICES[name]
            value = choices[(choices.index(values[name]) + step) % len(choices)]
        elif name in STEPS:
            value = _next_number(STEPS[name], values[name], step)
        elif name == "hints_seen":
            value = min(max(values[name] + step, 0), N_HINTS)
        else:
            value = not values[name]
        return replace(self, **{name: value})

    def describe(self, name: str) -> str:
        """Return one setting as text for the player."""
        value = self.as_dict()[name]
        if name in STEPS:
            value = f"{value * 100:g} %"
        elif isinstance(value, bool):
            value = "on" if value else "off"
        is_idle = name == "motion_speed" and self.skip_motion
        return (
            f"{_LABELS.get(name, name.replace('_', ' '))}: {value}" + "; K shows motion" * is_idle
        )


def _next_number(numbers: tuple[float, ...], now: float, step: int) -> float:
    beyond = [number for number in numbers if (number > now if step > 0 else number < now)]
    return (beyond or [now])[0 if step > 0 else -1]
