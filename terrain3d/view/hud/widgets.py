"""Widgets as values, and the panel that measures and draws one: texts, buttons, sliders, bars.

A widget says what is shown, in rows and columns, and never changes. Lengths are in heights of the
text unless a name says otherwise; boxes are in pixels from the top left corner, y downward.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from panda3d.core import (
    CardMaker,
    MouseWatcherRegion,
    NodePath,
    PandaNode,
    PGButton,
    SamplerState,
    Texture,
    TransparencyAttrib,
)

from terrain3d.core.checks import instance_of, one_of, true_or_false
from terrain3d.grid.kinds import Color, checked_color
from terrain3d.look.icons import ICONS, icon_alpha
from terrain3d.look.layout import Box, Size, flow, wrap_text
from terrain3d.mesh.overlays.flat_shapes import polygon
from terrain3d.view.font import drawable, font_file, make_font, text_node, text_width
from terrain3d.view.geometry import make_geom_node, make_texture

PLATE: Color = (0.055, 0.065, 0.09)
CHOSEN: Color = (0.16, 0.36, 0.66)
INK: Color = (0.96, 0.965, 0.98)
FAINT_INK: Color = (0.80, 0.825, 0.86)
HEADING_INK: Color = (1.0, 0.84, 0.42)
PADDING = 0.6
"""Distance of the text from the edge of its plate."""
COLUMN_GAP = 1.4
SWATCH = "swatch"
"""In place of an icon: the color of the button."""
LEAST_TEXT_PX = 12
_PLATE_ALPHA, _DISABLED_ALPHA = 0.82, 0.6
_BAR, _ROUNDNESS = 0.26, 0.4
_LINE_HEIGHT, _BASE_LINE = 1.3, 0.98
_TEXT_PART, _WIDEST_ASPECT = 1 / 44, 16 / 9
_ICON, _ICON_EDGE = 1.85, 0.16  # its plate, and of that the part around the icon
_SLIDER, _KNOB, _TRACK, _INSET = 11.0, 0.34, 0.07, 0.5
_BAR_PART, _EMPTY_ALPHA = 0.5, 0.25
_Node = TypeVar("_Node", bound=PandaNode)
_WHITES = 0.0, 0.28, 0.12
"""Parts of white in the plate of a button: at rest, held by the mouse, and under it."""


@dataclass(frozen=True)
class Call:
    """A call that equals another one of the same function and values, as widgets have to."""

    function: Callable[..., Any]
    values: tuple[Hashable, ...] = ()

    def __call__(self, *more: object) -> Any:  # noqa: ANN401 - whatever the function returns
        """Make the call."""
        return self.function(*self.values, *more)


@dataclass(frozen=True)
class Text:
    """Lines of text."""

    text: str
    ink: Color = INK


@dataclass(frozen=True)
class Button:
    """A text, an icon or a color on a plate; a press makes a call.

    A chosen button has a bright plate. One that is not enabled is faint, and a press on it does
    nothing. `color` is that of a bar at its left edge. `icon`, one of `look.icons.ICONS`, is shown
    in place of the text; "swatch" shows the color. Buttons of one `group` stay together on a
    toolbar. `TypeError` or `ValueError` if a value is of the wrong type, a color not three numbers
    in 0..1, or there is no such icon.
    """

    text: str
    on_press: Callable[[], object] | None = None
    key: str = ""
    """The name of the key that does the same."""
    tip: str = ""
    """The text shown while the pointer is on it, below text and key of an icon."""
    icon: str = ""
    color: Color | None = None
    is_chosen: bool = False
    is_enabled: bool = True
    group: str = ""
    name: str = ""
    """The action that it causes, if it has a name."""
    on_right_press: Callable[[], object] | None = None
    on_hover: Callable[[], object] | None = None
    """Called when the pointer comes onto it."""

    def __post_init__(self) -> None:
        """Check the fields."""
        one_of("icon", self.icon, ("", SWATCH, *ICONS))
        for name in ("text", "key", "tip", "group", "name"):
            instance_of(name, getattr(self, name), str)
        for name in ("is_chosen", "is_enabled"):
            true_or_false(name, getattr(self, name))
        if self.color is not None:
            checked_color("color", self.color)

    @property
    def help(self) -> str:
        """The text shown while the pointer is on it; "" for none."""
        label = f"{self.text} ({self.key})" if self.key else self.text
        return "\n".join(filter(None, (label if self.icon else "", self.tip)))

    def _face(self, space: Space, white: float = 0.0) -> Group:
        """Return the plate that it is drawn as, with a part of white."""
        bright = INK if self.icon == SWATCH else CHOSEN
        red, green, blue = bright if self.is_chosen else PLATE
        color = red + (1 - red) * white, green + (1 - green) * white, blue + (1 - blue) * white
        if not self.icon:
            return plate(Text(self.text), plate=color, bar=self.color)
        side = round(_ICON * space.px)
        edge = round(_ICON_EDGE * side)
        inner = side - 2 * edge
        shown = self.color if self.icon == SWATCH else icon_texture(self.icon, inner)
        part = inner / space.px
        picture = Picture(shown or PLATE, (part, part))
        return plate(picture, plate=color, padding=edge / space.px)


@dataclass(frozen=True)
class Slider:
    """A knob at one of some places, from 0 to `last`; a press or a drag calls with another one."""

    place: int
    last: int
    on_move: Callable[[int], object]
    color: Color = FAINT_INK
    is_chosen: bool = False

    def move_to(self, part: float) -> None:
        """Call with the place at a part of its width."""
        inset = _INSET / _SLIDER
        along = min(max((part - inset) / (1 - 2 * inset), 0.0), 1.0)
        self.on_move(round(along * self.last))


@dataclass(frozen=True)
class Picture:
    """A texture, a color or an icon; a press or a drag calls with the point on it, in 0..1."""

    shown: Texture | Color | str
    """An icon is one of `look.icons.ICONS`."""
    size: Size
    on_point: Callable[[float, float], object] | None = None
    ink: Color = INK
    """The color of an icon."""


@dataclass(frozen=True)
class Bar:
    """A bar in a line of text, of which a part in 0..1 is filled."""

    part: float
    wide: float
    color: Color


@dataclass(frozen=True)
class Group:
    """Widgets in a row or a column, perhaps on a plate with a bar of a color at its left edge."""

    parts: tuple[Widget, ...]
    is_row: bool = False
    plate: Color | None = None
    bar: Color | None = None
    gap: float = 0.0
    align: Literal["left", "center", "fill"] = "left"
    """Where narrower parts of a column are; those that fill it have plates as wide as it is."""
    most: float = 0.0
    """Part of the window's width at which a row begins anew; 0 for none."""
    scale: float = 1.0
    """How large text and plate are in it, beside those around it."""
    padding: float = PADDING
    on_press: Callable[[], object] | None = None
    """What a press on its plate does."""


Widget = Text | Button | Slider | Picture | Bar | Group


def column(*parts: Widget, **look: object) -> Group:
    """Return a column of widgets; `look` are fields of a `Group`."""
    return Group(parts, **look)  # type: ignore[arg-type]


def row(*parts: Widget, **look: object) -> Group:
    """Return a row of widgets; `look` are fields of a `Group`."""
    return Group(parts, is_row=True, **look)  # type: ignore[arg-type]


def plate(*parts: Widget, **look: object) -> Group:
    """Return a column of widgets on a dark plate; `look` are fields of a `Group`."""
    return Group(parts, **{"plate": PLATE, **look})  # type: ignore[arg-type]


def titled(lines: Sequence[str]) -> tuple[Text, ...]:
    """Return lines as texts of a column, the first one brighter than the others."""
    first, rest = Text("\n".join(lines[:1])), Text("\n".join(lines[1:]), FAINT_INK)
    return (first, rest) if rest.text else (first,)


class Letters:
    """The font of all text, rendered for one size."""

    def __init__(self, size_px: int, file: Path) -> None:
        self.size_px = size_px
        self.line_px = _LINE_HEIGHT * size_px
        """Height of a line."""
        self.font = make_font(file, size_px)
        self.font.set_line_height(_LINE_HEIGHT)
        self._ruler = text_node("ruler")
        self._ruler.set_font(self.font)
        self.width_px = lru_cache(1024)(self._width_px)
        """Returns the width of a line."""

    def _width_px(self, line: str) -> float:
        return text_width(self._ruler, line) * self.size_px


def letters_of(size_px: int) -> Letters:
    """Return the shared letters of a size, in the font of all text now."""
    return _letters_of(max(1, size_px), font_file())


@cache
def _letters_of(size_px: int, file: Path) -> Letters:
    return Letters(size_px, file)  # Panda3D never frees a font that was drawn


class Space(NamedTuple):
    """The window, and the letters of what is drawn on it."""

    window: Size
    letters: Letters

    @property
    def px(self) -> int:
        """The height of the text."""
        return self.letters.size_px

    @property
    def edge_px(self) -> float:
        """The distance of what is shown from the window's edge."""
        return min(self.px, 0.05 * min(self.window))

    @property
    def and_smaller(self) -> list[Space]:
        """It, and the same window with letters of the usual size if these are smaller."""
        usual = space_of(self.window, 1.0)
        return [self, usual] if self.px > usual.px else [self]

    def sized(self, size_px: float) -> Space:
        """Return the same window with letters of another size."""
        return self._replace(letters=letters_of(round(size_px)))

    def wrapped(self, text: str, part: float) -> list[str]:
        """Return the lines of a text, at most a part of the window's width wide."""
        return wrap_text(text, part * self.window[0], self.letters.width_px)


def space_of(window: Size, text_scale: float) -> Space:
    """Return the space of a window in pixels, with text of a scale."""
    height = max(LEAST_TEXT_PX, min(window[1], window[0] / _WIDEST_ASPECT) * _TEXT_PART)
    return Space(window, letters_of(round(height * text_scale)))


def fit_to_pixels(np_: NodePath, window: Size) -> None:
    """Make one unit of a child of `render2d` one pixel, from the top left corner."""
    width, height = window
    np_.set_pos(-1, 0, 1)
    np_.set_scale(2 / width, 1, 2 / height)


def size_of(widget: Widget, space: Space) -> Size:
    """Return the size of a widget in whole pixels."""
    px = space.px
    match widget:
        case Text():
            lines = widget.text.split("\n")
            width = round(max(map(space.letters.width_px, lines)))
            return width, len(lines) * space.letters.line_px
        case Button():
            return _size_of_button(widget.text, widget.icon != "", widget.color is not None, space)
        case Slider():
            return round(_SLIDER * px), space.letters.line_px
        case Bar():
            return round(widget.wide * px), space.letters.line_px
        case Picture():
            return round(widget.size[0] * px), round(widget.size[1] * px)
    return _parts_of(widget, space)[0]


@lru_cache(1024)
def _size_of_button(text: str, has_icon: bool, has_bar: bool, space: Space) -> Size:
    side = round(_ICON * space.px)
    face = plate(Text(text), bar=PLATE if has_bar else None)
    return (side, side) if has_icon else size_of(face, space)


def _parts_of(group: Group, space: Space) -> tuple[Size, tuple[float, float], list[Box]]:
    """Return the size of a group, where its parts begin, and their boxes from there."""
    space = space.sized(group.scale * space.px)
    edge = 0 if group.plate is None else round(group.padding * space.px)
    left = edge if group.bar is None else edge + round(_BAR * space.px)
    gap = round(group.gap * space.px)
    sizes = [size_of(part, space) for part in group.parts]
    wide = max((size[0] for size in sizes), default=0.0)
    if group.is_row:
        boxes = flow(sizes, group.most * space.window[0] or np.inf, gap)
    else:
        boxes, top = [], 0.0
        for width, height in sizes:
            aside = (wide - width) / 2 if group.align == "center" else 0.0
            boxes.append(Box(aside, top, wide if group.align == "fill" else width, height))
            top += height + gap
    right = max((box.left + box.width for box in boxes), default=0.0)
    low = max((box.top + box.height for box in boxes), default=0.0)
    return (left + right + edge, round(low) + 2 * edge), (left, edge), boxes


class Part(NamedTuple):
    """What the mouse finds on a panel: a widget, or a group with a plate, and where."""

    widget: Widget
    box: Box
    np: NodePath


class Panel:
    """A widget that is drawn on the window; the units of its parent are pixels, z up.

    Below a `PGTop` the engine finds its parts under the mouse by their names, which begin with
    `ids`, lights buttons, and keeps clicks from the scene.
    """

    def __init__(self, parent: NodePath, name: str, ids: str = "") -> None:
        self.np = parent.attach_new_node(name)
        self.size: Size = (0.0, 0.0)
        """Width and height in pixels; 0 while nothing is shown."""
        self.parts: dict[str, Part] = {}
        """What the mouse finds, by names that stay the same when it is drawn again."""
        self._ids = ids
        self._shown: tuple[Widget | None, Space] | None = None
        self._nodes: dict[tuple[object, ...], Any] = {}
        self._kept = self._nodes

    def show(self, widget: Widget | None, space: Space) -> None:
        """Show a widget, or nothing; nothing is rebuilt if it is shown already."""
        if (widget, space) == self._shown:
            return
        self._shown = widget, space
        self.np.get_children().detach()
        self.parts.clear()
        self._kept, self._nodes = self._nodes, {}  # what is the same is drawn again as it is
        self.size = (0.0, 0.0) if widget is None else size_of(widget, space)
        if widget is not None:
            self._draw(self.np, widget, space, Box(0.0, 0.0, *self.size))
        self._kept = {}

    def place(self, left: float, top: float) -> None:
        """Put its top left corner at a whole pixel, so that letters stay crisp."""
        self.np.set_pos(round(left), 0, -round(top))

    def _node(self, make: Callable[..., _Node], *values: object) -> _Node:
        """Return a node that a call makes, or the one that the last drawing had of it.

        Equal parts have nodes of their own: below one parent a node is drawn only once.
        """
        key = make, *values
        node: _Node = self._kept.pop(key, None) or make(*values)
        self._nodes[key] = node
        return node

    def _add(
        self, np_: NodePath, box: Box, widget: Widget, item: PGButton | None = None
    ) -> NodePath:
        """Add a part at a box, which the mouse finds."""
        name = f"{self._ids}-{len(self.parts)}"
        part = np_.attach_new_node(mouse_item(name, box[2:], item))
        part.set_pos(box.left, 0, -box.top)
        self.parts[name] = Part(widget, box, part)
        return part

    def _fill(self, np_: NodePath, box: Box, color: Color, radius: float, alpha: float) -> None:
        """Fill a box, with round corners."""
        node = self._node(_rounded, box.width, box.height, radius, color, alpha)
        np_.attach_new_node(node).set_pos(box.left, 0, -box.top)

    def _draw_plate(self, np_: NodePath, group: Group, space: Space, box: Box) -> None:
        px = round(group.scale * space.px)
        at, radius = Box(0, 0, *box[2:]), _ROUNDNESS * px
        self._fill(np_, at, group.plate or PLATE, radius, _PLATE_ALPHA)
        if group.bar is not None:
            self._fill(np_, at._replace(width=_BAR * px), group.bar, radius / 4, 1.0)

    def _draw(self, np_: NodePath, widget: Widget, space: Space, box: Box) -> None:
        px = space.px
        match widget:
            case Text():
                text = np_.attach_new_node(self._node(_written, space.letters, widget))
                # The font's unit is the height of a line, the first base line is at 0.
                text.set_scale(px)
                text.set_pos(round(box.left), 0, -round(box.top + _BASE_LINE * px))
            case Button():
                self._add(np_, box, widget, self._node(self._button, widget, space, box))
            case Slider():
                self._draw_slider(self._add(np_, box, widget), widget, px, box)
            case Picture():
                self._draw_picture(np_, widget, box)
            case Bar():
                self._draw_bar(np_, widget, box)
            case Group():
                if widget.plate is not None:
                    self._draw_plate(self._add(np_, box, widget), widget, space, box)
                self._draw_parts(np_, widget, space, box)

    def _button(self, button: Button, space: Space, box: Box) -> PGButton:
        """Return a button as it is drawn, which the engine shows in the state that it is in."""
        item = PGButton(button.text)
        for state, white in enumerate(_WHITES):
            face = button._face(space, white * button.is_enabled)
            self._draw_plate(item.get_state_def(state), face, space, box)
        np_ = NodePath(item)
        self._draw_parts(np_, face, space, Box(0, 0, 0, 0))
        if not button.is_enabled:
            np_.set_alpha_scale(_DISABLED_ALPHA)
            np_.set_transparency(TransparencyAttrib.M_alpha)
        return item

    def _draw_slider(self, np_: NodePath, slider: Slider, px: int, box: Box) -> None:
        radius = _KNOB * px * (1.2 if slider.is_chosen else 1.0)
        inset, middle = _INSET * px, box.height / 2
        wide = box.width - 2 * inset
        line = Box(inset, middle - _TRACK * px, wide, 2 * _TRACK * px)
        left = inset + slider.place / max(1, slider.last) * wide - radius
        knob = Box(left, middle - radius, 2 * radius, 2 * radius)
        self._fill(np_, line, INK, 0.0, 0.45)
        self._fill(np_, knob, slider.color, radius, 1.0)

    def _draw_picture(self, np_: NodePath, picture: Picture, box: Box) -> None:
        if picture.on_point is not None:
            np_, box = self._add(np_, box, picture), Box(0, 0, *box[2:])
        shown, ink = picture.shown, None
        if isinstance(shown, str):
            shown, ink = icon_texture(shown, int(min(box[2:]))), picture.ink
        if not isinstance(shown, Texture):
            self._fill(np_, box, shown, box.width / 5, 1.0)
            return
        card = np_.attach_new_node(self._node(_card, box.width, box.height, shown))
        card.set_pos(box.left, 0, -box.top)
        if ink is not None:
            card.set_color_scale(*ink, 1.0)

    def _draw_bar(self, np_: NodePath, bar: Bar, box: Box) -> None:
        high = _BAR_PART * box.height
        box = box._replace(top=box.top + (box.height - high) / 2, height=high)
        self._fill(np_, box, INK, high / 3, _EMPTY_ALPHA)
        if bar.part > 0:
            full = box._replace(width=max(bar.part * box.width, high))
            self._fill(np_, full, bar.color, high / 3, 1.0)

    def _draw_parts(self, np_: NodePath, group: Group, space: Space, box: Box) -> None:
        """Draw what is in a group whose top left corner is that of a box."""
        inner = space.sized(group.scale * space.px)
        _, (x, y), boxes = _parts_of(group, space)
        for part, at in zip(group.parts, boxes, strict=True):
            there = Box(box.left + x + at.left, box.top + y + at.top, at.width, at.height)
            self._draw(np_, part, inner, there)


def mouse_item(name: str, size: Size, item: PGButton | None = None) -> PGButton:
    """Return a node that the engine finds under the mouse by its name; the scene gets no click."""
    item = item or PGButton(name)
    item.set_id(name)
    item.set_frame(0, size[0], -size[1], 0)
    item.set_suppress_flags(MouseWatcherRegion.SF_mouse_button)
    return item


def _written(letters: Letters, text: Text) -> PandaNode:
    node = text_node("text")
    node.set_font(letters.font)
    node.set_text_color(*text.ink, 1.0)
    node.set_text(drawable(text.text))
    return node.generate()


def _rounded(width: float, height: float, radius: float, color: Color, alpha: float) -> PandaNode:
    """Return a rectangle with round corners, its top left corner at 0."""
    angle = np.linspace(0.0, np.pi / 2, 7) + np.arange(4)[:, None] * (np.pi / 2)
    right, bottom = width - radius, radius - height
    middle_x = np.array([right, radius, radius, right])[:, None]
    middle_z = np.array([-radius, -radius, bottom, bottom])[:, None]
    x = middle_x + radius * np.cos(angle)
    z = middle_z + radius * np.sin(angle)
    outline = np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)
    return make_geom_node("plate", polygon(outline, color, alpha))


def _card(width: float, height: float, texture: Texture) -> PandaNode:
    card = CardMaker("card")
    card.set_frame(0, width, -height, 0)
    node = card.generate()
    NodePath(node).set_texture(texture)
    return node


@cache
def icon_texture(icon: str, size_px: int) -> Texture:
    """Return a white icon, one of `look.icons.ICONS`, with an alpha channel."""
    pixels = np.full((size_px, size_px, 4), 255, np.uint8)
    pixels[..., 3] = icon_alpha(icon, size_px)[::-1]
    texture = make_texture(icon, pixels)
    texture.set_minfilter(SamplerState.FT_linear)
    return texture
