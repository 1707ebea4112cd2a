"""Sounds made of numbers: their length, loudness and pitch, and one for each ground."""

import numpy as np
import pytest

from terrain3d.grid.kinds import TEXTURES
from terrain3d.look.sounds import RATE_HZ, SOUNDS, Layer, samples


@pytest.mark.parametrize("name", SOUNDS)
def test_each_sound_is_heard_does_not_clip_and_fades_out(name):
    wave = samples(SOUNDS[name])
    assert wave.dtype == np.float32
    assert 0.05 < np.abs(wave).max() < 1.0
    assert np.abs(wave[-20:]).max() < 0.02
    assert np.array_equal(wave, samples(SOUNDS[name]))


def test_each_ground_has_a_step_and_no_two_are_alike():
    steps = {texture: samples(SOUNDS[f"step {texture}"]) for texture in TEXTURES}
    assert len({wave.tobytes() for wave in steps.values()}) == len(TEXTURES)


@pytest.mark.parametrize("hz", [220.0, 880.0])
def test_a_tone_has_its_pitch(hz):
    wave = samples([Layer(1.0, hz, hz, 0.5, is_tone=True)])
    spectrum = np.abs(np.fft.rfft(wave))
    assert np.fft.rfftfreq(len(wave), 1 / RATE_HZ)[spectrum.argmax()] == pytest.approx(hz, abs=3)


def test_noise_stays_in_its_band():
    wave = samples([Layer(0.5, 1000.0, 2000.0, 0.3)])
    power = np.abs(np.fft.rfft(wave)) ** 2
    hz = np.fft.rfftfreq(len(wave), 1 / RATE_HZ)
    assert power[(hz > 950) & (hz < 2050)].sum() > 0.97 * power.sum()


def test_a_delayed_layer_begins_later():
    wave = samples([Layer(0.1, 400.0, 400.0, 0.5, is_tone=True, delay_s=0.2)])
    assert len(wave) == pytest.approx(0.3 * RATE_HZ, abs=2)
    assert not wave[: int(0.19 * RATE_HZ)].any()
    assert len(samples([])) == 0
