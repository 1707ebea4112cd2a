"""Playing sounds: heard through a device that writes a file, silent without one."""

import textwrap

import numpy as np
import pytest
from scipy.io import wavfile

from terrain3d.view.window.sound_player import SoundPlayer
from tests.support.forks import fork_python

PROGRAM = textwrap.dedent(
    """
    import sys, time
    from direct.showbase.ShowBase import ShowBase
    from terrain3d.view import attach
    from terrain3d.view.window import window
    from terrain3d.view.window.sound_player import SoundPlayer

    window.configure(64, 64, has_sound=True)
    with window.quiet_stderr():
        base = ShowBase(windowType="none")
    base.windowType = "offscreen"
    from panda3d.core import GraphicsPipeSelection
    base.pipe = GraphicsPipeSelection.get_global_ptr().make_module_pipe("p3headlessgl")
    base.open_default_window(type="offscreen", pipe=base.pipe, startDirect=True)
    player = attach(base).root.add_child(SoundPlayer())
    for _ in range(2):
        player.play("turn")
        for _ in range(40):
            base.task_mgr.step()
            time.sleep(0.02)
    player.is_muted = True
    player.play("win")
    print("valid" if base.sfxManagerList[0].is_valid() else "none")
    base.destroy()  # it ends the file
    """
)


def played(tmp_path, driver):
    """Run the program with a driver of OpenAL; return what it prints, and what is heard."""
    heard, settings = tmp_path / "heard.wav", tmp_path / "alsoft.conf"
    settings.write_text(f"drivers = {driver}\n[wave]\nfile = {heard}\n")
    return fork_python(PROGRAM, env={"ALSOFT_CONF": str(settings)}), heard


def test_a_sound_is_heard_as_often_as_it_is_played(tmp_path):
    done, heard = played(tmp_path, "wave")
    assert done.stdout.strip() == "valid"
    rate, data = wavfile.read(heard)
    signal = data[:, 0].astype(float)
    signal /= np.abs(signal).max()
    # Two notes each time: the first is at 392 Hz, by the spectrum of windows of 0.1 s.
    window = rate // 10
    loud = []
    for at in range(0, len(signal) - window, window):
        part = signal[at : at + window]
        spectrum = np.abs(np.fft.rfft(part * np.hanning(window)))
        is_loud = np.abs(part).max() > 0.05
        loud.append(
            is_loud and abs(np.fft.rfftfreq(window, 1 / rate)[spectrum.argmax()] - 392) < 15
        )
    begins = [at for at, now in enumerate(loud) if now and not any(loud[max(0, at - 3) : at])]
    assert len(begins) == 2


def test_without_a_device_nothing_is_played_and_nothing_printed(tmp_path):
    done, heard = played(tmp_path, "none-of-them")
    assert done.stdout.strip() == "none"
    assert "audio" not in done.stderr.lower()
    assert "al lib" not in done.stderr.lower()
    assert not heard.exists()


def test_an_unknown_sound_is_refused(tree):
    player = tree.root.add_child(SoundPlayer())
    with pytest.raises(ValueError, match="name must be one of 'step grass'"):
        player.play("moo")
    with pytest.raises(ValueError, match="gain must be in"):
        player.play("hit", 2.0)
    player.play("hit")  # without a device
