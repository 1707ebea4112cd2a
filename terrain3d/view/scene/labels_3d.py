"""Show short texts in the scene that face the camera, and hide those too small to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from panda3d.core import GeomNode, LMatrix4, LVecBase4, NodePath, SamplerState, Texture

from terrain3d.core.checks import finite_points, instance_of, listed
from terrain3d.core.signals import export
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Boxes, clear_of
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import polygons
from terrain3d.view.font import drawable, font_file, make_font, text_node, text_width
from terrain3d.view.geometry import redrawn, set_unlit
from terrain3d.view.window.panda_tree import Node3D
from terrain3d.view.window.viewport import ScreenProjection, Viewport

if TYPE_CHECKING:
    from terrain3d.look.orbit import Point

Reals = NDArray[np.float64]
Glyph = list[float]
_SORT = 40
_PIXELS, _PAGE_PX = 48, 512
_FIRST = "0123456789."
_OUTLINE_PX, _FEATHER = 3.0, 0.4
_OUTLINE = (0.03, 0.04, 0.07, 1.0)
_NEARER = 0.45
_HIGH, _EDGE = 0.9, 0.08  # of a line: the height of its letters, and their outline
_SECOND = 0.56  # size of a second line
_LEAST_PX = 9.0
_MOST_PART = 1 / 18
"""The height of a line is at most this part of the window's shorter side."""


class Labels3D(Node3D):
    """Shows short texts at points of the map, such as the costs of tiles.

    The points do not follow edits of the map: show the texts again after an edit.

    Examples
    --------
    ::

        labels = terrain.add_child(Labels3D())
        labels.show([tilemap.surface_point(cell) for cell in reach], ["3"] * len(reach))
    """

    color = export((1.0, 1.0, 1.0), range=(0.0, 1.0), doc="red, green and blue in 0..1")
    size = export(0.42, range=(0.05, 10.0), doc="height of a line in tiles; less from very near")
    lift = export(0.1, range=(-10.0, 10.0), doc="height above their points, in tiles")
    raised = export(0.0, range=(-10.0, 10.0), doc="shift up on screen, in heights of a line")
    keeps_clear = export(True, doc="whether texts that would cover panels or others are hidden")
    no_depth_test = export(False, doc="whether texts are seen through all that is in front of them")
    label_rank = 1

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._points: NDArray[np.float64] = np.zeros((0, 3))
        self._texts: tuple[str, ...] = ()
        self._lettering = Lettering.of(())
        self._high: NDArray[np.floating] = np.zeros((0, 1))
        self._built: tuple[object, ...] = ()
        self._taken = np.zeros((0, 4))
        self._geometry = NodePath(self.name)
        set_unlit(self.np, _SORT)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts shown, set by `show`."""
        return self._texts

    @property
    def points(self) -> list[Point]:
        """The points of the texts, in the map's coordinates."""
        return [(x, y, z) for x, y, z in self._points.tolist()]

    def show(self, points: ArrayLike, texts: Sequence[str]) -> None:
        """Replace the texts.

        Parameters
        ----------
        points : (n, 3), in the map's coordinates
        texts : sequence of n str
            What follows a line break is a second, smaller line.

        Raises
        ------
        ValueError
            The numbers of texts and points differ.
        """
        where, wanted = finite_points("points", points), checked_texts("texts", texts)
        if len(where) != len(wanted):
            raise ValueError(f"got {len(where)} points and {len(wanted)} texts")
        if wanted != self._texts or not np.array_equal(where, self._points):
            self._points, self._texts = where, wanted
            alphabet = _alphabet(wanted)
            lines = [text.partition("\n") for text in wanted]
            first, second = (
                Lettering.of([alphabet.glyphs_of(line[at]) for line in lines]) for at in (0, 2)
            )
            self._lettering = first.over(second)
            self._high = _HIGH + _SECOND * (second.widths[:, None] > 0)
            self.np.set_texture(alphabet.texture, 1)
            self._built = ()

    def clear(self) -> None:
        """Show nothing."""
        self.show(np.zeros((0, 3)), ())

    def _enter_tree(self) -> None:
        self._built = ()
        self.panda.labels.insert(0, self)

    def _exit_tree(self) -> None:
        self.panda.labels.remove(self)

    def place(self, viewport: Viewport, taken: Boxes) -> Boxes:
        """Turn the texts to the camera, hide those over taken boxes; see `LabelLike`."""
        if not self._texts:
            self._geometry.hide()
        if not self._texts or not viewport.shows(self.np):
            return taken
        view = LMatrix4(viewport.camera.get_mat(self.np))
        lens = LMatrix4(viewport.lens.get_projection_mat())
        style = self.color, self.size, self.lift, self.raised, self.keeps_clear, self.no_depth_test
        shown = (view, lens, *style, viewport.size_px, taken.tobytes())
        if shown != self._built:
            self._built, self._taken = shown, self._face(view, taken)
        return self._taken

    def _face(self, view: LMatrix4, taken: Boxes) -> Boxes:
        """Turn the texts to the camera, or hide them if they are too small to read."""
        matrix = np.array(view).reshape(4, 4)
        eye, axes = self.panda.viewport.eye(self.np), matrix[[0, 2], :3]
        points = self._points + np.array((0.0, 0.0, self.lift))
        projection = ScreenProjection.of(self.panda.viewport, self.np)
        if self.size * projection.unit_px(points.mean(axis=0)[None])[0] < _LEAST_PX:
            self._geometry.hide()
            return taken
        unit_px = np.maximum(projection.unit_px(points)[:, None], 1e-9)  # 0 behind the camera
        size = np.minimum(self.size, _MOST_PART * min(projection.size_px) / unit_px)
        if self.keeps_clear:
            size_px = size * unit_px
            wide = (self._lettering.widths[:, None] + 2 * _EDGE) * size_px
            shift = np.hstack([-wide / 2, (_EDGE - self.raised - _HIGH) * size_px])
            high = self._high * size_px
            boxes = np.hstack([projection.in_pixels(points) + shift, wide, high])
            is_kept = clear_of(boxes, taken)
            size[~is_kept] = 0.0
            taken = np.concatenate([taken, boxes[is_kept]])
        mesh = self._lettering.facing(points, axes, eye, size, self.color, _NEARER, self.raised)
        self._geometry = redrawn(self._geometry, self.np, self.name, mesh)
        self.np.set_depth_test(not self.no_depth_test)
        return taken


def checked_texts(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return texts of labels as a tuple; `TypeError` if they are none."""
    return tuple(instance_of(name, text, str) for text in listed(name, texts))


@dataclass(frozen=True)
class Lettering:
    """Texts laid out in a plane, each centered on its own origin, in line heights."""

    owner: NDArray[np.int64]
    """(q,) text to which each character belongs."""
    corners: Reals
    """(q, 4, 2), counter-clockwise from the lower left."""
    texcoords: Reals
    """(q, 4, 2) corners in the font's texture."""
    widths: Reals
    """(n,) widths of the texts."""

    @classmethod
    def of(cls, texts: Sequence[Sequence[Glyph]]) -> Lettering:
        """Lay out texts, given by their glyphs from left to right.

        A glyph of a font whose lines are 1 high has 9 numbers: left, bottom, right and top of its
        shape, with the base line at 0; the same of its position in the font's texture; and the
        distance from its start to that of the next character.
        """
        count = [len(text) for text in texts]
        owner = np.repeat(np.arange(len(texts)), count)
        shapes = np.array([glyph for text in texts for glyph in text]).reshape(-1, 9)
        advance = shapes[:, 8]
        widths = np.zeros(len(texts))
        np.add.at(widths, owner, advance)
        before = np.concatenate([[0.0], np.cumsum(widths)])[owner]
        start = np.cumsum(advance) - advance - before - widths[owner] / 2
        boxes = shapes[:, :4] + start[:, None] * (1, 0, 1, 0)
        return cls(owner, _corners(boxes), _corners(shapes[:, 4:8]), widths)

    def over(self, other: Lettering) -> Lettering:
        """Return each text with a smaller one below it."""
        below = other.corners * _SECOND - (0.0, _SECOND)
        return Lettering(
            np.concatenate([self.owner, other.owner]),
            np.concatenate([self.corners, below]),
            np.concatenate([self.texcoords, other.texcoords]),
            np.maximum(self.widths, other.widths * _SECOND),
        )

    def facing(
        self,
        points: ArrayLike,
        axes: ArrayLike,
        eye: ArrayLike,
        size: float | Reals,
        color: Color,
        nearer: float = 0.0,
        raised: float = 0.0,
    ) -> MeshData:
        """Return the texts, facing a viewer at `eye`, with their base lines centered on points.

        `axes` (2, 3) are the unit vectors to the right and up the picture. `size`, one number or
        (n, 1), is the height of a line in world units; 0 hides it. Texts are moved toward the
        viewer by `nearer`, in world units, without moving in the picture, and up the picture by
        `raised`, in line heights.
        """
        anchors = np.asarray(points, np.float64).reshape(-1, 3)
        toward = np.asarray(eye, np.float64) - anchors
        distance = np.maximum(np.linalg.norm(toward, axis=1, keepdims=True), 1e-9)
        part = np.minimum(nearer / distance, 0.5)
        anchors = anchors + toward * part
        # Nearer texts are drawn smaller, so that they look as large as at their points.
        scale = (size * (1.0 - part))[self.owner]
        plane = (self.corners + np.array([0.0, raised])) * scale[:, None]
        corners = anchors[self.owner][:, None] + plane @ np.asarray(axes, np.float64)
        return polygons(corners, color, texcoords=self.texcoords)


def _corners(boxes: Reals) -> Reals:
    return boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)


class _Alphabet:
    """Characters of a font in one texture, bright with a dark outline."""

    def __init__(self, file: Path, page_px: int, letters: Iterable[str]) -> None:
        self.page_px, self.glyphs = page_px, dict[str, list[Glyph]]()
        self._drawn: list[NodePath] = []
        font = self._font = make_font(file, _PIXELS)
        font.set_page_size(page_px, page_px)
        font.set_minfilter(SamplerState.FT_linear_mipmap_linear)
        font.set_fg((1, 1, 1, 1))
        font.set_bg(LVecBase4(*_OUTLINE[:3], 0.0))
        font.set_outline(_OUTLINE, _OUTLINE_PX, _FEATHER)
        self.draw(letters)

    @property
    def texture(self) -> Texture:
        return self._font.get_page(0)

    def glyphs_of(self, text: str) -> list[Glyph]:
        """Return the glyphs of a text that is drawn, from left to right."""
        return [glyph for letter in text for glyph in self.glyphs[letter]]

    def draw(self, letters: Iterable[str]) -> bool:
        """Draw more characters; return whether there is room for all of them."""
        self.glyphs |= {letter: self._draw(letter) for letter in letters}
        return self._font.get_num_pages() == 1

    def _draw(self, letter: str) -> list[Glyph]:
        node, glyphs = text_node("letters"), list[Glyph]()
        node.set_font(self._font)
        node.set_text(drawable(letter))
        drawn = NodePath(node.generate())
        self._drawn.append(drawn)  # the font reuses the places of glyphs that nobody holds
        for found in drawn.find_all_matches("**/+GeomNode"):
            geoms = found.node()
            assert isinstance(geoms, GeomNode)
            for geom in geoms.get_geoms():
                if not geom.get_vertex_data().has_column("texcoord"):
                    continue  # the frame of a character that the font does not have
                # Four corners, from the upper left by columns: x, y, z, u and v.
                corners = geom.get_vertex_data().get_array(0).get_handle().get_data()
                quads = np.frombuffer(corners, np.float32).reshape(-1, 4, 5)
                shapes = quads[:, [1, 1, 2, 2, 1, 1, 2, 2], [0, 2, 0, 2, 3, 4, 3, 4]]
                glyphs += np.pad(shapes, ((0, 0), (0, 1))).tolist()
        if not glyphs and letter.isprintable() and letter not in " ?":
            return self._draw("?")
        glyphs = glyphs or [[0.0] * 9]  # of a space
        glyphs[-1][8] = text_width(node, letter)
        return glyphs


_alphabets: dict[Path, _Alphabet] = {}


def _alphabet(texts: Iterable[str]) -> _Alphabet:
    """Return the alphabet of the font now with all characters of some texts.

    A full one is replaced by a larger one; labels that are shown keep the texture of theirs.
    """
    file = font_file()
    found = _alphabets.get(file) or _Alphabet(file, _PAGE_PX, _FIRST)
    letters = sorted({*"".join(texts)} - found.glyphs.keys())
    while not found.draw(letters):
        letters = [*found.glyphs]
        found = _Alphabet(file, 2 * found.page_px, ())
    _alphabets[file] = found
    return found
