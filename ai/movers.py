"""Preset profiles: `from ai import movers`, then `movers.FLYER`; see `ai.rules.presets`."""

from ai.rules.presets import *
from ai.rules.presets import __all__ as __all__
