"""Play sounds by name through the sound device of Panda3D, if there is one."""

from __future__ import annotations

import io
import wave
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import VirtualFileMountRamdisk, VirtualFileSystem

from terrain3d.core.checks import number_within, one_of
from terrain3d.core.signals import export
from terrain3d.look.sounds import RATE_HZ, SOUNDS, samples
from terrain3d.view.window.panda_tree import WindowNode

if TYPE_CHECKING:
    from panda3d.core import AudioManager, AudioSound

_FOLDER = "/terrain3d-sounds"


class SoundPlayer(WindowNode):
    """Plays sounds of `terrain3d.look.sounds` by name; silent without a sound device.

    Examples
    --------
    ::

        sounds = tree.root.add_child(SoundPlayer())
        sounds.play("hit")
    """

    volume = export(0.5, range=(0.0, 1.0), doc="of all sounds")
    is_muted = export(False, doc="whether all sounds are silent")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._sounds: dict[str, AudioSound] = {}

    def play(self, name: str, gain: float = 1.0) -> None:
        """Play a sound from its begin.

        Parameters
        ----------
        name : str
            A key of `SOUNDS`.
        gain : float
            Factor on the volume, 0..1.

        Raises
        ------
        TypeError, ValueError
            There is no such sound, or the gain is out of its limits.
        """
        number_within("gain", gain, 0.0, 1.0)
        one_of("name", name, SOUNDS)
        manager = self._manager
        if manager is None or self.is_muted or not self.volume * gain:
            return
        sound = self._sounds.get(name)
        if sound is None:
            sound = self._sounds[name] = _loaded(manager, name)
        sound.set_volume(self.volume * gain)
        sound.play()

    def _exit_tree(self) -> None:
        for sound in self._sounds.values():
            sound.stop()
        self._sounds.clear()

    @property
    def _manager(self) -> AudioManager | None:
        """The sound device of the window; None without one."""
        managers = self.panda.base.sfxManagerList if self.is_inside_tree else ()
        return next((each for each in managers or () if each.is_valid()), None)


def _loaded(manager: AudioManager, name: str) -> AudioSound:
    """Return a sound, which the engine reads from a file in memory."""
    files = VirtualFileSystem.get_global_ptr()
    if not files.is_directory(_FOLDER):
        files.mount(VirtualFileMountRamdisk(), _FOLDER, 0)
    path = f"{_FOLDER}/{name.replace(' ', '-')}.wav"
    files.write_file(path, _as_wav(name), False)
    sound = manager.get_sound(path)
    files.delete_file(path)
    return sound


def _as_wav(name: str) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(RATE_HZ)
        writer.writeframes(np.rint(samples(SOUNDS[name]) * 32767.0).astype("<i2").tobytes())
    return file.getvalue()
