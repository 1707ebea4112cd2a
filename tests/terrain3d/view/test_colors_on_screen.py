"""Marks and sides differ from all ground and from each other, on rendered pixels at noon."""

import itertools

import numpy as np
import pytest
from panda3d.core import Point2, Point3

from ai import Board, Unit
from ai.view import Unit3D as Figure
from ai.view.rules_panel import FIRST_PATH_WIDTH
from terrain3d import KINDS, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.look.palettes import PALETTES
from terrain3d.view import OrbitCamera3D, PathRibbon3D, Terrain3D, TileCursor3D, TileOverlay3D
from tests.support.looks import VISION, as_seen
from tests.support.selection import import_or_skip
from tests.support.window_pictures import enlarged, picture

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


def fields():
    """Give the first cell of the field of each kind: SIDE x SIDE tiles, ACROSS fields a row."""
    return {name: (SIDE * (n // ACROSS), SIDE * (n % ACROSS)) for n, name in enumerate(KIND_NAMES)}


class Stage:
    """A flat map with a field of every kind, seen from high above, with one mark at a time."""

    def __init__(self, base, tree):
        self._base, self._tree = base, tree
        tilemap = TileMap(np.zeros((SIDE * 3, SIDE * ACROSS), dtype=int))
        with tilemap.edit() as edit:
            for name, (row, col) in fields().items():
                for down, across in itertools.product(range(SIDE), repeat=2):
                    edit.set_kind((row + down, col + across), name)
        self._terrain = tree.root.add_child(Terrain3D(tilemap))
        camera = tree.root.add_child(OrbitCamera3D(target=self._terrain))
        camera.look(OrbitView(0.0, 60.0, 13.5, (4.0, -3.0, 0.0)))
        self._cells = [(row, col) for row in range(tilemap.rows) for col in range(tilemap.cols)]
        self._lines = [
            [tilemap.surface_point((row, col)) for col in range(tilemap.cols)] for row in (1, 3, 5)
        ]

    def ground(self):
        image = self._picture()
        cells = fields().items()
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
        places = {cell: self._field(mask, cell) for cell in fields().values()}
        places = {cell: where for cell, where in places.items() if where.sum() >= 20}
        return [
            [np.median(self._field(image, cell)[places[cell]], axis=0) for cell in places]
            for image in shown
        ]

    def _in_color(self, nodes, color):
        for node in nodes:
            node.color = color
        return self._picture()

    def _picture(self):
        return picture(self._base, self._tree)

    def _field(self, image, cell):
        """Cut out the field that begins at a cell; (n,) pixels."""
        places = []
        row, col = cell
        for y, x in ((row, col), (row + SIDE, col + SIDE), (row, col + SIDE), (row + SIDE, col)):
            place = Point2()
            point = self._base.cam.get_relative_point(self._terrain.np, Point3(x, -y, 0.0))
            assert self._base.camLens.project(point, place)
            places.append(((place.x + 1) / 2 * image.shape[1], (place.y + 1) / 2 * image.shape[0]))
        (xs, ys) = zip(*places, strict=True)
        left, right = sorted(xs)[1:3]
        low, high = sorted(ys)[1:3]
        part = image[int(low) : int(high), int(left) + 1 : int(right)]
        return part.reshape(-1, *image.shape[2:])


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
