"""Places panels in the corners of the window so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from panda3d.core import NodePath

from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Box, Item, Size, arrange
from terrain3d.look.text_wrap import wrap_text
from terrain3d.view.hud.panel import Letters, Panel, letters_of


class DockedPanel(Protocol):
    """A panel in a corner of the window."""

    @property
    def np(self) -> NodePath:
        """The panel, in pixels to the right and up, its top left corner at 0."""

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return its possible sizes in pixels, the best first; empty if it is not shown."""

    def show_as(self, choice: int | None) -> None:
        """Take one of the sizes returned last; hide the panel if None."""


class TextPanel:
    """A text in a corner, wrapped at a part of the window's width.

    Only its first line is shown where there is little room.
    """

    def __init__(self, parent: NodePath, name: str, widest_part: float) -> None:
        self._panel, self._widest_part = Panel(parent, name), widest_part
        self._letters = letters_of(1)
        self._alternatives: list[str] = []
        self.np = self._panel.np
        self.text = ""
        self.color: Color | None = None
        """Color of a bar beside the text; None for no bar."""

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return the sizes of the whole text and of its first line."""
        self._letters = letters
        lines = wrap_text(self.text, self._widest_part * window[0], letters.width_px)
        whole = ["\n".join(lines)] if self.text else []
        self._alternatives = whole + lines[:1] if len(lines) > 1 else whole
        has_bar = self.color is not None
        return [letters.plate_size([text], has_bar=has_bar) for text in self._alternatives]

    def show_as(self, choice: int | None) -> None:
        """Show the whole text, only its first line, or nothing."""
        text = "" if choice is None else self._alternatives[choice]
        self._panel.write(self._letters, [text], bar=self.color, has_heading=True)


@dataclass(frozen=True)
class _Entry:
    panel: DockedPanel
    corner: str
    rank: int


class PanelLayout:
    """Arranges panels in corners; `layout.Item` explains corners and ranks.

    The units of `np` are pixels, its origin is the window's top left corner.
    """

    def __init__(self, np: NodePath) -> None:
        self._np = np
        self._entries: list[_Entry] = []
        self.boxes: list[Box] = []
        """The boxes of the visible panels, in pixels."""

    def add(self, panel: DockedPanel, corner: str, rank: int, *, is_first: bool = False) -> None:
        """Add a panel after those that its corner has, or before them.

        `ValueError` if there is no such corner.
        """
        Item(corner, (), rank)
        panel.np.reparent_to(self._np)
        self._entries.insert(0 if is_first else len(self._entries), _Entry(panel, corner, rank))

    def remove(self, panel: DockedPanel) -> None:
        """Remove a panel; does nothing if it was not added."""
        self._entries = [entry for entry in self._entries if entry.panel is not panel]

    def arrange(self, letters: Letters, window: Size, edge: float) -> None:
        """Place every panel, as far as there is room."""
        items = [
            Item(entry.corner, entry.panel.sizes(letters, window), entry.rank)
            for entry in self._entries
        ]
        places = arrange(window, items, edge, edge / 2)
        self.boxes = [place.box for place in places if place is not None]
        for entry, place in zip(self._entries, places, strict=True):
            entry.panel.show_as(None if place is None else place.choice)
            if place is not None:
                entry.panel.np.set_pos(round(place.box.left), 0, -round(place.box.top))

    def hide(self) -> None:
        """Hide all panels."""
        self.boxes = []
        for entry in self._entries:
            entry.panel.show_as(None)
