"""What is docked at the window's edge, each thing in its corner, and none over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from panda3d.core import NodePath

from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Box, Item, Size, arrange
from terrain3d.look.text_wrap import wrap_text
from terrain3d.view.hud.panel import Letters, Panel

_WIDEST_PART = 0.62
"""Of the window, that a text in a corner takes before it is broken into lines."""


class DockedPanel(Protocol):
    """Something that wants a place at the window's edge."""

    @property
    def np(self) -> NodePath:
        """What is shown, in pixels to the right and up, its top left corner at 0."""

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Tell how large it may be in pixels, the best first; without any it wants no place."""

    def show_as(self, choice: int | None) -> None:
        """Take one of the sizes it told last, or be hidden."""


class TextPanel:
    """A text in a corner; where there is little room, its first line alone.

    Parameters
    ----------
    parent : NodePath
        Whose units are pixels.
    name : str
    """

    def __init__(self, parent: NodePath, name: str) -> None:
        self._panel = Panel(parent, name)
        self._letters: Letters | None = None
        self._alternatives: list[str] = []
        self.text = ""
        self.color: Color | None = None
        """Of a bar beside it, or None."""

    @property
    def np(self) -> NodePath:
        """What is shown."""
        return self._panel.np

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Tell how large the whole text and its first line are."""
        self._letters = letters
        most_px = _WIDEST_PART * window[0]
        lines = [
            part
            for line in self.text.split("\n")
            for part in wrap_text(line, most_px, letters.width_px)
        ]
        whole = ["\n".join(lines)] if self.text else []
        self._alternatives = whole + lines[:1] if len(lines) > 1 else whole
        has_bar = self.color is not None
        return [letters.plate_size([text], has_bar=has_bar) for text in self._alternatives]

    def show_as(self, choice: int | None) -> None:
        """Show the whole text, its first line, or nothing."""
        if self._letters is not None:
            text = "" if choice is None else self._alternatives[choice]
            self._panel.write(self._letters, [text], bar=self.color, has_heading=True)


@dataclass(frozen=True)
class _Berth:
    docked: DockedPanel
    corner: str
    rank: int


class PanelLayout:
    """Gives places to what is docked; see `layout.Item` for corners and ranks.

    Parameters
    ----------
    np : NodePath
        Whose units are pixels, its origin the window's top left corner.
    """

    def __init__(self, np: NodePath) -> None:
        self._np = np
        self._berths: list[_Berth] = []
        self.boxes: list[Box] = []
        """Where things lie now."""

    def add(self, docked: DockedPanel, corner: str, rank: int) -> None:
        """Take something in; in its corner it lies behind what came before.

        Raises
        ------
        ValueError
            There is no such corner.
        """
        Item(corner, (), rank)
        docked.np.reparent_to(self._np)
        self._berths.append(_Berth(docked, corner, rank))

    def remove(self, docked: DockedPanel) -> None:
        """Let something go; nothing happens if it is not there."""
        self._berths = [berth for berth in self._berths if berth.docked is not docked]

    def arrange(self, letters: Letters, window: Size, edge: float) -> None:
        """Give every thing its place, as far as there is room."""
        items = [
            Item(berth.corner, berth.docked.sizes(letters, window), berth.rank)
            for berth in self._berths
        ]
        places = arrange(window, items, edge, edge / 2)
        self.boxes = [place.box for place in places if place is not None]
        for berth, place in zip(self._berths, places, strict=True):
            berth.docked.show_as(None if place is None else place.choice)
            if place is not None:
                berth.docked.np.set_pos(round(place.box.left), 0, -round(place.box.top))

    def hide(self) -> None:
        """Show nothing."""
        self.boxes = []
        for berth in self._berths:
            berth.docked.show_as(None)
