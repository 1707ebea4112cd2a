"""What a person changes by keys while the scene runs, and what is remembered of it."""

from __future__ import annotations

from terrain3d.app.settings_file import SettingsFile
from terrain3d.core.signals import Signal
from terrain3d.look.settings import Settings
from terrain3d.view.window.panda_tree import WindowNode

KEYS = (
    ("C", "costs on the tiles within reach"),
    ("M", "the small map"),
    ("P", "colors of the marks, also for the color-blind"),
    ("[ / ]", "smaller, larger text"),
    ("< / >", "units walk slower, faster"),
    ("K", "units are at their goal at once, or walk there"),
    ("V", "the camera follows the moving unit, or stays"),
    ("N", "noon, dusk, night"),
    ("F4", "finer or plainer pictures"),
)
"""(keys, what they do): the rows that help texts show."""

_EVENTS = (
    ("c", "show_costs", 1),
    ("m", "show_map", 1),
    ("p", "palette", 1),
    ("[", "text_scale", -1),
    ("]", "text_scale", 1),
    ("<", "motion_speed", -1),
    ("shift-,", "motion_speed", -1),
    (">", "motion_speed", 1),
    ("shift-.", "motion_speed", 1),
    ("shift-<", "motion_speed", 1),
    ("k", "skip_motion", 1),
    ("v", "follow", 1),
    ("n", "mood", 1),
    ("f4", "quality", 1),
)


class Preferences(WindowNode):
    """A person's settings, which keys change; whoever shows something listens.

    Parameters
    ----------
    settings : Settings, optional
        What holds at first.
    file : SettingsFile, optional
        Where every change is remembered.
    name : str
    """

    changed = Signal("name")
    """The person chose something: which setting, even if it is at its limit already."""
    failed = Signal("reason")
    """A change could not be remembered; it holds nevertheless."""

    def __init__(
        self, settings: Settings | None = None, file: SettingsFile | None = None, name: str = ""
    ) -> None:
        super().__init__(name)
        self._settings = settings or Settings()
        self._file = file

    @property
    def settings(self) -> Settings:
        """What holds now."""
        return self._settings

    def change(self, name: str, step: int = 1) -> None:
        """Change one setting by a step; see `Settings.stepped`.

        Raises
        ------
        ValueError
            There is no such setting.
        """
        before, self._settings = self._settings, self._settings.stepped(name, step)
        trouble = "" if self._settings == before else self._remember()
        self.changed.emit(name)
        if trouble:
            self.failed.emit(trouble)

    def _remember(self) -> str:
        """Write the settings down; give the reason if that cannot be."""
        if self._file is not None:
            try:
                self._file.save(self._settings)
            except OSError as error:
                return f"settings are not remembered: {error}"
        return ""

    def _enter_tree(self) -> None:
        for event, setting, step in _EVENTS:
            self.accept(event, self.change, setting, step)
