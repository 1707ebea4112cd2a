"""No text over a figure or a tile covers another one, in any view of a crowd."""

import inspect
import itertools

import numpy as np
import pytest
from panda3d.core import PGItem, Point3

from ai import Board, Unit
from ai.view import Unit3D
from ai.view.blows_3d import RisingTexts
from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Hud, OrbitCamera3D, Terrain3D, TileOverlay3D
from tests.support.pages import run_in_window
from tests.support.selection import rest_nightly
from tests.support.window_pictures import seen_boxes

TOLERANCE_PX = 1.0
MARGINS = -0.35, -0.12, 0.35, 0.12
"""Around the words of a tag, in heights of its text."""


@pytest.fixture
def crowd(tree):
    """Figures on all tiles of a block, costs on the others, and the numbers of hits."""
    tilemap = TileMap.from_text("\n".join(["1122334455667788"] * 16))
    board = Board(tilemap)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    camera = terrain.add_child(OrbitCamera3D(target=terrain))
    cells, figures = list(itertools.product(range(6, 10), repeat=2)), []
    for number, cell in enumerate(cells):
        unit = board.add(Unit(f"Unit {number}", cell, "red" if number % 2 else "blue"))
        figures.append(terrain.add_child(Unit3D(unit)))
        figures[-1].health = number / 16
    overlay = terrain.add_child(TileOverlay3D())
    overlay.shows_labels = True
    free = [cell for cell in itertools.product(range(16), repeat=2) if cell not in cells]
    overlay.show(free, [str(sum(cell)) for cell in free])
    hits = terrain.add_child(RisingTexts("hits"))
    tree.root.add_child(Hud()).tile_text = "a panel"
    tree.advance(0.0)
    return tree, camera, figures, hits, overlay.get_node("labels")


def place_of(tree, tag):
    """Give the pixels of a tag's origin, and those of a height of its text."""
    width, height = tree.viewport.size_px
    x, y = tree.project((0.0, 0.0, 0.0), tag)
    depth = tree.viewport.camera.get_relative_point(tag, Point3(0, 0, 0)).y
    film = tree.viewport.lens.get_film_size().x / tree.viewport.lens.get_focal_length()
    px = tag.get_scale(tree.viewport.scene).x * width / film / depth
    return (x + 1) / 2 * width, (1 - y) / 2 * height, px


def of_tag(tree, figure):
    """Give the rectangles of a tag's bar and words: left, top, right, bottom, in pixels."""
    tag = figure._tag._np
    if tree.project((0.0, 0.0, 0.0), tag) is None or figure._tag._block.is_hidden():
        return []
    (x, y, px), shown = place_of(tree, tag), ([], [])
    for node in figure._tag._block.children:
        look = node.node().get_state_def(0) if isinstance(node.node(), PGItem) else node.children[0]
        bounds = None if node.is_hidden() else look.get_tight_bounds()
        if bounds:
            ends = itertools.product(*zip(*bounds, strict=True))
            corners = [node.get_mat(tag).xform_point(Point3(*end)) for end in ends]
            across, up = ([each[axis] * px for each in corners] for axis in (0, 2))
            sides = x + min(across), y - max(up), x + max(across), y - min(up)
            shown[node == figure._tag._label].append(sides)
    parts = filter(None, shown)
    return [(*np.min(part, axis=0)[:2], *np.max(part, axis=0)[2:]) for part in parts]


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("seed", rest_nightly(range(30), 6))
def test_no_text_covers_another(base, crowd, seed):
    tree, camera, figures, hits, costs = crowd
    random = np.random.default_rng(seed)
    turn, tilt, away = (random.uniform(*each) for each in ((0, 360), (15, 85), (4, 60)))
    camera.look(OrbitView(turn, tilt, away, (8.0, -8.0, 1.0)))
    named, hit = (set(random.integers(0, 16, count).tolist()) for count in (5, 3))
    for number, figure in enumerate(figures):
        figure.label = f"{figure.unit.name}  6" if number in named else ""
    struck = random.integers(0, 16, 3).tolist()
    for number in struck:
        figures[number].show_forecast(["Mira", "100 %  -12", "from behind +30 %"], "sword", 0.0)
        figures[number].signs = [("poison", "3"), ("check", "")]
    for number in hit:
        for text in ("-12", "fell 3 levels -9"):
            hits.add(text, figures[number].point, (1.0, 1.0, 1.0))
    hits.advance_texts(random.uniform(0.0, 1.0))
    tree.advance(0.0)
    boxes = [box for figure in figures for box in of_tag(tree, figure)]
    seen = [tree.project(figures[number].point, hits.parent.np) for number in hit]
    assert len(hits.boxes) == 2 * sum(at is not None for at in seen)  # none is left out
    for number in struck:
        is_seen = tree.project((0.0, 0.0, 0.0), figures[number]._tag._np) is not None
        assert is_seen == bool(of_tag(tree, figures[number]))
    boxes += [(left, top, left + wide, top + high) for left, top, wide, high in hits.boxes]
    boxes += seen_boxes(base, tree, costs)
    assert boxes
    for (left, top, right, bottom), other in itertools.combinations(boxes, 2):
        across = min(right, other[2]) - max(left, other[0])
        down = min(bottom, other[3]) - max(top, other[1])
        assert min(across, down) <= TOLERANCE_PX


@pytest.mark.usefixtures("large_window")
def test_texts_that_rise_side_by_side_are_no_single_word(crowd):
    tree, camera, figures, hits, _ = crowd
    camera.look(OrbitView(0, 20, 30, (8.0, -8.0, 1.0)))
    for figure, text in zip(figures, itertools.cycle(["-6", "poison 3", "miss"]), strict=False):
        hits.add(text, figure.point, (1.0, 1.0, 1.0))
    tree.advance(0.0)
    bounds = [node.get_tight_bounds(hits.np) for node in hits.np.children]
    assert len(bounds) == len(figures)
    for (a, b), (c, d) in itertools.combinations(bounds, 2):
        apart = max(a.x - d.x, c.x - b.x), max(a.z - d.z, c.z - b.z)
        assert apart[1] >= -0.2 * (b.z - a.z) or apart[0] >= 0.3 * (b.z - a.z)


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("heading_deg", [0, 30, 90])
def test_forecasts_of_several_units_cover_none_of_them(crowd, heading_deg):
    tree, camera, figures, _, _ = crowd
    camera.look(OrbitView(heading_deg, 45, 14, (8.0, -8.0, 1.0)))
    struck = [figures[number] for number in (1, 4, 5, 6, 9)]
    for figure in struck:
        figure.show_forecast(["Mira", "100 %  -12", "from behind +30 %"], "poison", 0.0)
    tree.advance(0.0)
    width, height = tree.viewport.size_px
    cards = [of_tag(tree, figure)[-1] for figure in struck]
    assert len(cards) == len(struck)
    points = [figure.point for figure in struck]
    for (x, y, z), (left, top, right, bottom) in itertools.product(points, cards):
        at = tree.project((x, y, z + 0.5), figures[0].np.get_parent())
        across, down = (at[0] + 1) / 2 * width, (1 - at[1]) / 2 * height
        assert not (left < across < right and top < down < bottom)


@pytest.mark.usefixtures("large_window")
def test_a_forecast_far_from_its_unit_leads_there(crowd):
    tree, camera, figures, _, _ = crowd
    camera.look(OrbitView(30, 45, 14, (8.0, -8.0, 1.0)))
    for figure in figures:
        figure.health = None
    figures[5].show_forecast(["Mira", "100 %  -12"], "poison", 0.0)
    tree.advance(0.0)
    assert figures[5].np.find("**/tail").is_empty()
    for figure in figures:
        figure.health = 0.5
        figure.show_forecast(["Mira", "100 %  -12", "from behind +30 %"], "poison", 0.0)
    tree.advance(0.0)
    far = 0
    for figure in figures:
        x, y, px = place_of(tree, figure._tag._np)
        card = np.array(of_tag(tree, figure)[-1])
        left, top, right, bottom = (card - (x, y, x, y)) / px + MARGINS
        if left < 0 < right and bottom < 0.5:
            continue
        far += 1
        tail = figure.np.find("**/tail").node().get_state_def(0)
        (west, _, low), (east, _, high) = tail.get_tight_bounds()
        assert west <= 0 <= east  # at its unit, above its feet or beside its body
        assert low <= 0
        assert high >= -12
        assert min(right - west, east - left) > -1e-3  # at the card
        assert min(bottom + high, -low - top) > -1e-3
    assert far > 3


def test_nothing_is_white_where_only_vertices_have_colors(tmp_path):
    """By OpenGL ES 1.1, which threads of p3headlessgl get, flat colors are white."""
    program = """
        from direct.showbase.ShowBase import ShowBase
        from ai import Board, Unit
        from ai.view import Unit3D
        from terrain3d import TileMap
        from terrain3d.view import Hud, OrbitCamera3D, Terrain3D, attach
        from terrain3d.view.hud.menu import Menu

        base = ShowBase()
        tree = attach(base)
        board = Board(TileMap.from_text("0000\\n0000"))
        terrain = tree.root.add_child(Terrain3D(board.tilemap))
        camera = tree.root.add_child(OrbitCamera3D(terrain))
        figure = terrain.add_child(Unit3D(board.add(Unit("Mira", (1, 1)))))
        figure.label, figure.health = "Mira of the plains", 0.5
        base.run()
        """
    act = """
        import numpy as np

        def white():
            step(5)
            data = base.win.get_screenshot().get_ram_image_as("RGB")
            return (np.frombuffer(data, np.uint8).reshape(-1, 3).min(axis=1) == 255).mean()

        assert "OpenGL ES-CM 1.1" in base.win.gsg.driver_version
        print("tag", white())
        tree.root.add_child(Hud()).add_child(menu := Menu())
        menu.open("Pause", [("Go on", menu.close)])
        print("menu", white())
        """
    settings = "win-size 480 360\nthreading-model Cull/Draw"
    printed, _ = run_in_window(inspect.cleandoc(program), inspect.cleandoc(act), tmp_path, settings)
    parts = dict(line.split() for line in printed.splitlines() if line.startswith(("tag", "menu")))
    assert max(map(float, parts.values())) < 0.003, parts
