"""Hold the player's settings and keys: changed by keys, saved to a file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from panda3d.core import GraphicsWindow, WindowProperties

from terrain3d.core.checks import optional
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.look.settings import Settings, SettingsError, SettingsFile
from terrain3d.view.command import Command
from terrain3d.view.window.panda_tree import WindowNode


class Preferences(WindowNode):
    """Holds the player's settings, changes them by keys and saves each change, no other setting.

    Saved keys are bound when it enters a tree; what `PandaTree.input` binds then is saved, too.

    Parameters
    ----------
    settings : Settings, optional
        The initial settings.
    file : SettingsFile, optional
        File that every change is saved to.
    name : str
    """

    changed = Signal("name")
    """A key has set the setting of this name, perhaps to its old value at a limit."""
    failed = Signal("reason")
    """A change could not be saved; it applies nevertheless."""

    def __init__(
        self, settings: Settings | None = None, file: SettingsFile | None = None, name: str = ""
    ) -> None:
        super().__init__(name)
        self._settings = optional("settings", settings, Settings) or Settings()
        self._file = optional("file", file, SettingsFile)
        size = WindowProperties.get_default().get_size()
        # Place and size of the window before it fills the screen; -2 centers it.
        self._small = -2, -2, size.x, size.y

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self._settings

    @property
    def folder(self) -> Path | None:
        """The folder of the file that changes are saved to, if there is one."""
        return None if self._file is None else self._file.folder

    def change(self, name: str, step: int = 1) -> None:
        """Change one setting by a step; see `Settings.stepped`.

        Raises
        ------
        ValueError
            There is no such setting.
        """
        before, self._settings = self._settings, self._settings.stepped(name, step)
        if self.is_inside_tree:
            self.panda.input.keyboard = self._settings.keyboard
        self.changed.emit(name)
        if self._file is not None and self._settings != before:
            self._save(name, self._file)

    def _save(self, name: str, file: SettingsFile) -> None:
        """Save one setting."""
        saved = Settings()
        with suppress(SettingsError):
            saved = file.load()
        try:
            file.save(replace(saved, **{name: self._settings.as_dict()[name]}))
        except OSError as error:
            text = "settings cannot be saved in {file}: {why}"
            self.failed.emit(tr(text, file=error.filename, why=error.strerror))

    def _enter_tree(self) -> None:
        self.accept_actions(self._commands(), "Display")
        self.panda.input.keyboard = self._settings.keyboard
        try:
            self.panda.input.load(self._settings.bindings)
        except ValueError as error:
            self.failed.emit(tr("the saved keys are not used: {why}", why=error))
        self.listen(self.panda.input.changed, self._keep_bindings)

    def _commands(self) -> list[Command]:
        """Return the commands that change settings, and the one that fills the screen."""

        def change(name: str, keys: str, text: str, label: str = "") -> Command:
            return Command(name, keys, text, partial(self.change, name), label)

        text, speed = partial(self.change, "text_scale"), partial(self.change, "motion_speed")
        smaller, slower = "make the text smaller, larger", "make units walk slower, faster"
        fill = "fill the screen with the window, or give it back its size"
        return [
            change("show_costs", "c", "show or hide the costs of tiles within reach", "Costs"),
            change("show_map", "m", "show or hide the small map"),
            change("palette", "p", "change the color palette; some suit color-blind players"),
            Command("smaller_text", "[", smaller, partial(text, -1), shown_keys="[ / ]"),
            Command("larger_text", "]", "", text),
            Command("slower_motion", "< shift-,", slower, partial(speed, -1), shown_keys="< / >"),
            Command("faster_motion", "> shift-. shift-<", "", speed),
            change("skip_motion", "k", "skip or show unit motion"),
            change("follow", "v", "let the camera follow walking units, or not"),
            change("mood", "n", "change the light: noon, dusk, night", "Light"),
            change("quality", "f4", "change the picture quality"),
            Command("fullscreen", "f11", fill, self._toggle_fullscreen, "Full screen"),
        ]

    def _toggle_fullscreen(self) -> None:
        """Fill the screen with the window, or give it back its size and place."""
        base = self.panda.base
        if not isinstance(base.win, GraphicsWindow):
            return
        now, wanted = base.win.get_properties(), WindowProperties()
        x, y, width, height = self._small
        if not now.fullscreen:
            place, size = now.get_origin(), now.get_size()
            self._small = place.x, place.y, size.x, size.y
            x, y, width = 0, 0, base.pipe.get_display_width()
            height = base.pipe.get_display_height()
        wanted.set_origin(x, y)
        wanted.set_size(width, height)
        wanted.fullscreen = not now.fullscreen
        base.win.request_properties(wanted)

    def _keep_bindings(self, name: str) -> None:
        """Save what is bound, after a change."""
        self._settings = replace(self._settings, bindings=self.panda.input.bindings)
        if name and self._file is not None:
            self._save("bindings", self._file)
