"""Writes the tables of keys of docs/controls.md: `python -m tests.controls`."""

import re

from ai.view import SEARCH_ACTIONS, SLIDER_ACTIONS
from ai.view.battle_3d import BATTLE_ACTIONS
from terrain3d.program.actions import ACTIONS, PLAY
from terrain3d.program.editor_menu import MAP_FILE_ACTIONS
from terrain3d.program.game_menu import PAUSE_ACTIONS
from terrain3d.view import DRAWING_ACTIONS, HUD_ACTIONS, help_rows, key_rows
from tests.support.pages import DOCS

PAGE = DOCS / "controls.md"


class GamepadUsed:
    """The default bindings, as a tree shows them while a gamepad is used."""

    is_gamepad_used = True

    def heard(self, action):
        """Return the default events."""
        return action.events


def of_gamepad(mode):
    """Return the rows of the help that name buttons of a gamepad."""
    actions = [each for group in ACTIONS[mode].values() for each in group]
    return key_rows((*actions, *HUD_ACTIONS), GamepadUsed())


TABLES = {
    "keys": (*help_rows(ACTIONS[PLAY]), *key_rows(HUD_ACTIONS)),
    "with a gamepad": of_gamepad(PLAY),
    "in a battle": key_rows((*BATTLE_ACTIONS, *PAUSE_ACTIONS)),
    "while the rules are shown": key_rows(SLIDER_ACTIONS),
    "while a search plays": key_rows(SEARCH_ACTIONS),
    "while the map is edited": key_rows((*DRAWING_ACTIONS, *MAP_FILE_ACTIONS)),
}
"""The rows of each table, by the heading of its first column."""


def with_tables(text):
    """Return the text of the page with the tables of the program in place of its own."""
    for head, rows in TABLES.items():
        lines = [f"| {head} | what they do |", "|---|---|"]
        lines += [f"| {keys} | {what} |" for keys, what in rows if keys]
        old = re.compile(rf"^\| {head} \| .*\n(?:\|.*\n)+", re.MULTILINE)
        text, count = old.subn(lambda _, lines=lines: "\n".join(lines) + "\n", text)
        assert count == 1, head
    return text


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
