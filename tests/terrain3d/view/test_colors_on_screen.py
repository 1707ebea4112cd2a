"""Marks and sides differ from all ground and from each other, on rendered pixels at noon."""

import itertools

import numpy as np
import pytest

from ai import Board, Unit
from ai.view import Unit3D as Figure
from ai.view.rules_panel import FIRST_PATH_WIDTH
from terrain3d import KINDS, TileMap
from terrain3d.look.palettes import PALETTES
from terrain3d.view import PathRibbon3D, TileCursor3D, TileOverlay3D
from tests.support.looks import VISION, as_seen
from tests.support.selection import import_or_skip
from tests.support.window_pictures import enlarged, picture, pixel, shown_from

skimage_color = import_or_skip("skimage.color")

LEAST = 15.0
"""In CIEDE2000; about 1 is just noticeable."""
COVERED = 0.9
"""Pixels that change by this much between a black and a white mark belong to the mark."""
BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
PAINTED = next(iter(PALETTES))
CASES = [(name, each) for name in PALETTES for each in VISION if each == "usual" or name != PAINTED]
KIND_NAMES = [kind.name for kind in KINDS if kind.name != "void"]
ACROSS, SIDE = 4, 2


FIELDS = {name: (SIDE * (n // ACROSS), SIDE * (n % ACROSS)) for n, name in enumerate(KIND_NAMES)}
"""The first cell of the field of each kind: SIDE x SIDE tiles, ACROSS fields a row."""


class Stage:
    """A flat map with a field of every kind, seen from high above, with one mark at a time."""

    def __init__(self, base, tree):
        self._base, self._tree = base, tree
        kinds = np.arange(3 * ACROSS).reshape(3, ACROSS).repeat(SIDE, axis=0).repeat(SIDE, axis=1)
        tilemap = TileMap(np.zeros(kinds.shape, int), kinds)
        self._terrain, _ = shown_from(tree, tilemap, 0.0, 60.0, 13.5, (4.0, -3.0, 0.0))
        self._cells = [(row, col) for row in range(tilemap.rows) for col in range(tilemap.cols)]
        self._lines = [
            [tilemap.surface_point((row, col)) for col in range(tilemap.cols)] for row in (1, 3, 5)
        ]

    def ground(self):
        image = picture(self._base, self._tree)
        cells = FIELDS.items()
        return {name: np.median(self._field(image, cell), axis=0) for name, cell in cells}

    def marks(self):
        """Give a node of every mark, and a function that gives it a color."""
        for name in ("reach", "threat"):
            overlay = self._terrain.add_child(TileOverlay3D())
            # Every other tile, so that there are borders on each kind of ground.
            overlay.show([(row, col) for row, col in self._cells if (row + col) % 2])
            yield name, [overlay]
        for name, width in (("path", 1.0), ("first_path", FIRST_PATH_WIDTH)):
            ribbons = [self._terrain.add_child(PathRibbon3D()) for _ in self._lines]
            for ribbon, line in zip(ribbons, self._lines, strict=True):
                ribbon.width = width
                ribbon.show(line)
            yield name, ribbons
        cursor = self._terrain.add_child(TileCursor3D())
        cursor.go_to((1, 1))
        yield "cursor", [cursor]
        for team in ("blue", "red"):
            shapes = ("scout", "knight", "mage", "flyer")
            board = Board(self._terrain.tilemap)
            units = [board.add(Unit(shape, (1, at), team)) for at, shape in enumerate(shapes)]
            figures = [Figure(unit, shape=unit.name) for unit in units]
            yield team, [self._terrain.add_child(figure) for figure in figures]

    def colors(self, nodes, wanted):
        """Give the colors seen of a mark in each of the wanted colors: one for each field."""
        black, white, *shown = (self._in_color(nodes, color) for color in (BLACK, WHITE, *wanted))
        mask = (white - black).mean(axis=2) > COVERED
        for node in nodes:
            node.queue_free()
        places = {cell: self._field(mask, cell) for cell in FIELDS.values()}
        places = {cell: where for cell, where in places.items() if where.sum() >= 20}
        return [
            [np.median(self._field(image, cell)[places[cell]], axis=0) for cell in places]
            for image in shown
        ]

    def _in_color(self, nodes, color):
        for node in nodes:
            node.color = color
        return picture(self._base, self._tree)

    def _field(self, image, cell):
        """Cut out the field that begins at a cell; (n,) pixels."""
        corners = itertools.product(*((at, at + SIDE) for at in cell))
        places = (pixel(self._base, self._terrain, (x, -y, 0.0)) for y, x in corners)
        (low, high), (left, right) = (sorted(part)[1:3] for part in zip(*places, strict=True))
        return image[low:high, left + 1 : right].reshape(-1, *image.shape[2:])


@pytest.fixture(scope="module")
def seen(base, request):
    """Give the ground's colors, and those of each palette's marks, as rendered."""
    request.getfixturevalue("needs_shaders")
    from terrain3d.view import attach

    with enlarged(base):
        tree = attach(base)
        stage = Stage(base, tree)
        ground, marks = stage.ground(), {name: {} for name in PALETTES}
        for name, nodes in stage.marks():
            wanted = [each.teams.get(name) or getattr(each, name) for each in PALETTES.values()]
            for palette, colors in zip(PALETTES, stage.colors(nodes, wanted), strict=True):
                marks[palette][name] = colors
        tree.close()
    return ground, marks


def test_every_mark_is_seen(seen):
    ground, marks = seen
    assert set(ground) == set(KIND_NAMES)
    for colors in marks.values():
        assert {name: len(part) > 0 for name, part in colors.items()} == dict.fromkeys(
            ("reach", "threat", "path", "first_path", "cursor", "blue", "red"), True
        )
        for name in ("reach", "threat"):
            assert len(colors[name]) == len(KIND_NAMES), "it is seen on every kind of ground"


@pytest.mark.parametrize(("palette", "vision"), CASES)
def test_marks_and_sides_differ_from_all_ground_and_each_other(seen, palette, vision):
    ground, marks = seen
    groups = {name: [color] for name, color in ground.items()} | marks[palette]
    looks = {name: as_seen(np.array(colors), vision) for name, colors in groups.items()}
    lab = {name: skimage_color.rgb2lab(look) for name, look in looks.items()}
    too_near = {}
    for name, other in itertools.combinations(groups, 2):
        if name in ground and other in ground:
            continue
        least = skimage_color.deltaE_ciede2000(lab[name][:, None], lab[other][None]).min()
        if least < LEAST:
            too_near[name, other] = round(float(least), 1)
    assert not too_near
