"""Sounds made of numbers: steps on each ground, hops, splashes, hits and clicks."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import listed

RATE_HZ = 22050
"""Samples per second."""


class Layer(NamedTuple):
    """One part of a sound, which rises at once and fades out.

    Attributes
    ----------
    duration_s : float
    low_hz, high_hz : float
        The band of its noise; of a tone the pitch at its begin and at its end.
    gain : float
        Its highest amplitude, 0..1.
    is_tone : bool
        Whether it is a tone instead of noise.
    delay_s : float
        When it begins.
    """

    duration_s: float
    low_hz: float
    high_hz: float
    gain: float
    is_tone: bool = False
    delay_s: float = 0.0


SOUNDS: dict[str, tuple[Layer, ...]] = {
    "step grass": (Layer(0.09, 300, 2400, 0.35), Layer(0.05, 70, 160, 0.30)),
    "step soil": (Layer(0.07, 120, 1200, 0.45), Layer(0.06, 60, 140, 0.40)),
    "step mud": (Layer(0.12, 150, 900, 0.50), Layer(0.06, 90, 60, 0.30, is_tone=True)),
    "step sand": (Layer(0.11, 900, 5000, 0.28), Layer(0.05, 70, 150, 0.25)),
    "step rock": (Layer(0.03, 1500, 6000, 0.45), Layer(0.05, 180, 700, 0.45)),
    "step paving": (Layer(0.025, 1800, 7000, 0.40), Layer(0.05, 220, 900, 0.45)),
    "step snow": (Layer(0.07, 1200, 4200, 0.40), Layer(0.06, 1800, 5200, 0.30, delay_s=0.035)),
    "step planks": (Layer(0.08, 170, 130, 0.50, is_tone=True), Layer(0.03, 500, 2500, 0.30)),
    "step water": (Layer(0.16, 500, 3200, 0.32), Layer(0.09, 420, 760, 0.20, is_tone=True)),
    "step lava": (Layer(0.14, 80, 500, 0.50), Layer(0.10, 130, 70, 0.30, is_tone=True)),
    "hop": (Layer(0.14, 260, 520, 0.22, is_tone=True), Layer(0.10, 400, 1800, 0.12)),
    "land": (Layer(0.12, 120, 50, 0.75, is_tone=True), Layer(0.08, 100, 900, 0.45)),
    "splash": (
        Layer(0.45, 500, 5000, 0.50),
        Layer(0.12, 300, 900, 0.30, is_tone=True, delay_s=0.05),
        Layer(0.10, 500, 1200, 0.20, is_tone=True, delay_s=0.16),
    ),
    "hit": (
        Layer(0.18, 150, 45, 0.80, is_tone=True),
        Layer(0.06, 900, 7000, 0.60),
        Layer(0.22, 2100, 1900, 0.12, is_tone=True),
    ),
    "miss": (Layer(0.16, 900, 2600, 0.30),),
    "click": (Layer(0.02, 1500, 1100, 0.35, is_tone=True),),
    "turn": (
        Layer(0.30, 392, 392, 0.25, is_tone=True),
        Layer(0.45, 588, 588, 0.25, is_tone=True, delay_s=0.13),
    ),
    "win": (
        Layer(0.35, 392, 392, 0.25, is_tone=True),
        Layer(0.35, 494, 494, 0.25, is_tone=True, delay_s=0.15),
        Layer(0.80, 588, 588, 0.30, is_tone=True, delay_s=0.30),
    ),
    "lose": (
        Layer(0.40, 330, 330, 0.25, is_tone=True),
        Layer(0.90, 247, 233, 0.30, is_tone=True, delay_s=0.25),
    ),
}
"""The layers of each sound by name; a game may add sounds of its own.

"step " and a texture of `terrain3d.grid.kinds` is a step on that ground.
"""


def samples(layers: Iterable[Layer]) -> NDArray[np.float32]:
    """Return the (n,) samples of a sound, in -1..1; the same for the same layers."""
    parts = [(round(layer.delay_s * RATE_HZ), _wave(layer)) for layer in listed("layers", layers)]
    mixed = np.zeros(max((start + len(wave) for start, wave in parts), default=0))
    for start, wave in parts:
        mixed[start : start + len(wave)] += wave
    return np.tanh(mixed).astype(np.float32)


def _wave(layer: Layer) -> NDArray[np.float64]:
    count = max(2, round(layer.duration_s * RATE_HZ))
    part = np.arange(count) / count
    if layer.is_tone:
        pitch_hz = layer.low_hz * (layer.high_hz / layer.low_hz) ** part
        wave = np.sin(2.0 * np.pi * np.cumsum(pitch_hz) / RATE_HZ)
    else:
        spectrum = np.fft.rfft(np.random.default_rng(count).standard_normal(count))
        hz = np.fft.rfftfreq(count, 1.0 / RATE_HZ)
        spectrum[(hz < layer.low_hz) | (hz > layer.high_hz)] = 0.0
        wave = np.fft.irfft(spectrum, count)
        wave /= max(np.abs(wave).max(), 1e-9)
    attack = np.minimum(part * count / (0.002 * RATE_HZ), 1.0)  # no click at the begin
    faded: NDArray[np.float64] = layer.gain * wave * attack * (1.0 - part) ** 2
    return faded
