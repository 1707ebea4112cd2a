"""Help on the keys: the first keys in one line, and all keys on sheets."""

from __future__ import annotations

from collections.abc import Sequence

from panda3d.core import NodePath

from terrain3d.look.layout import Box, Size, split_columns, wrap_text
from terrain3d.view.actions import KeyRow
from terrain3d.view.hud.panel import Letters, Panel, heading, letters_of

_MOST_WHAT = 22.0  # in heights of the text
_NOTE_LINES = 2


class KeyHints:
    """Shows the first keys in a line at the window's edge, as many as there is room for."""

    def __init__(self, parent: NodePath) -> None:
        self._panel = Panel(parent, "short")
        self._letters = letters_of(1)
        self._lines: list[str] = []
        self.np = self._panel.np
        self.rows: Sequence[KeyRow] = ()

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return the sizes of the line with all keys, with one key less, and so on."""
        self._letters, self._lines = letters, []
        most_px = window[0] - 2 * letters.size_px
        for count in range(len(self.rows), 0, -1):
            line = "   |   ".join(f"{keys}: {what}" for keys, what in self.rows[:count])
            if count == 1 or letters.plate_size([line])[0] <= most_px:
                self._lines.append(line)
        return [letters.plate_size([line]) for line in self._lines]

    def show_as(self, choice: int | None) -> None:
        """Show one of the lines; hide the panel if None."""
        self._panel.write(self._letters, ["" if choice is None else self._lines[choice]])


class HelpSheets:
    """Shows all keys in columns, on as many sheets as needed, one sheet at a time."""

    def __init__(self, parent: NodePath) -> None:
        self._panel = Panel(parent, "help")
        self._sheets: list[list[str]] = []
        self._laid_out: tuple[object, ...] = ()
        self.shown: int | None = None
        """The number of the sheet shown, from 0; None while no sheet is shown."""
        self.box = Box(0.0, 0.0, 0.0, 0.0)
        """The box of the sheet shown, in pixels."""

    def turn(self) -> None:
        """Show the first sheet, then the next one, and after the last one none."""
        following = 0 if self.shown is None else self.shown + 1
        self.shown = following if following < max(1, len(self._sheets)) else None

    def fill(self, rows: Sequence[KeyRow], letters: Letters, window: Size, edge: float) -> None:
        """Lay the rows out for a window, and show the current sheet."""
        wanted = (tuple(rows), letters, window, edge)
        if wanted != self._laid_out:
            self._laid_out = wanted
            self._sheets = _laid_out(rows, letters, window, edge)
        if self.shown is not None:
            self.shown = min(self.shown, len(self._sheets) - 1)
        self._panel.write(letters, [] if self.shown is None else self._sheets[self.shown])
        width, height = self._panel.size
        left, top = (window[0] - width) / 2, (window[1] - height) / 2
        self._panel.place(left, top)
        self.box = Box(left, top, width, height)


def _laid_out(
    rows: Sequence[KeyRow], letters: Letters, window: Size, edge: float
) -> list[list[str]]:
    """Return the columns of each sheet: keys and what they do, alternating."""
    free_px = window[0] - 2 * edge
    # Headings, and the note of a sheet, stand in the first column.
    first = [keys or heading(text) for keys, text in rows]
    keys_px = max(letters.width_px(text) for text in (*first, _note(99, 99)))
    around_px = letters.plate_size(["", "x"])[0] - letters.width_px("x")
    most_px = max(letters.size_px, min(_MOST_WHAT * letters.size_px, free_px - around_px - keys_px))
    frame_px = letters.plate_size(["x"])[1] - letters.line_px
    free_lines = int((window[1] - 2 * edge - frame_px) / letters.line_px) - _NOTE_LINES
    blocks: list[tuple[list[str], list[str]]] = []
    above: tuple[str, ...] = ()
    for (keys, text), name in zip(rows, first, strict=True):
        if not keys:  # it goes with the row below it, in one column
            above = ("", name)
            continue
        lines = wrap_text(text, most_px, letters.width_px)
        names = [*above, keys, *[""] * (len(lines) - 1)]
        lines = [*[""] * len(above), *lines]
        if above or not blocks or len(blocks[-1][0]) + len(names) > free_lines:
            blocks.append((names, lines))
        else:  # a group stays in one column if it fits
            blocks[-1][0].extend(names)
            blocks[-1][1].extend(lines)
        above = ()
    sheets: list[list[str]] = [[]]
    for column in split_columns([len(names) for names, _ in blocks], max(1, free_lines)):
        chosen = [blocks[block] for block in column]
        top = 1 if chosen and not chosen[0][0][0] else 0  # no empty line above a heading
        sides = ([line for block in chosen for line in block[side]] for side in (0, 1))
        pair = ["\n".join(side[top:]) for side in sides]
        longer = [*sheets[-1], *pair]
        if sheets[-1] and letters.plate_size(longer)[0] > free_px:
            sheets.append([*pair])
        else:
            sheets[-1] = longer
    if len(sheets) > 1:
        for number, sheet in enumerate(sheets, start=1):
            sheet[0] += f"\n\n{_note(number, len(sheets))}"
    return sheets


def _note(number: int, count: int) -> str:
    return f"{number} of {count}: F1"
