"""The scene opens near a unit of the player, large enough to be seen; Home shows the whole map."""

import numpy as np
import pytest
from panda3d.core import Point2, Point3

from terrain3d import KINDS, TileMap, landscape
from terrain3d.program.maps import DEFAULTS, LANDSCAPE_LEVELS

HEIGHT_PX, LEAST_PX = 720, 90
MAPS = [("square", 30), ("hex_odd_r", 30), ("hex_odd_q", 30), ("square", 128)]


@pytest.fixture(params=MAPS, ids=lambda each: f"{each[0]}-{each[1]}")
def scene(tree, open_scene, request):
    topology, side = request.param
    tilemap = landscape(side, side, DEFAULTS["seed"], LANDSCAPE_LEVELS, topology=topology)
    scene = open_scene(tilemap)
    tree.advance(0.0)
    return scene


def seen(base, scene, point):
    """Give the place of a point in the picture, (x, y) in -1..1, or None beside it."""
    place = Point2()
    is_in = base.camLens.project(base.cam.get_relative_point(scene.terrain.np, point), place)
    return (place.x, place.y) if is_in else None


def figures_px(base, scene):
    """Give the height in pixels of each figure in the picture, by the name of its unit."""
    heights = {}
    for figure in scene.terrain.pick_targets:
        low, high = figure.np.find("figure").get_tight_bounds(scene.terrain.np)
        x, y, _ = figure.point
        ends = [seen(base, scene, Point3(x, y, z)) for z in (low.z, high.z)]
        if None not in ends:
            heights[figure.unit.name] = (ends[1][1] - ends[0][1]) / 2 * HEIGHT_PX
    return heights


def test_figures_are_tall_enough_to_be_seen(base, scene):
    heights = figures_px(base, scene)
    assert scene.commander.selected.name in heights
    assert min(heights.values()) >= LEAST_PX, heights


def test_a_unit_of_the_player_is_selected_with_its_reach_and_a_path_in_view(base, scene):
    commander, surface = scene.commander, scene.terrain.tilemap.surface_point
    assert commander.selected.team == "blue"
    cells = list(commander.reach)
    in_view = [seen(base, scene, Point3(*surface(cell))) is not None for cell in cells]
    assert np.mean(in_view) > 0.75
    assert len(commander.plan.path.steps) > 1
    assert all(seen(base, scene, Point3(*surface(cell))) for cell in commander.plan.path)


def test_home_toggles_between_the_whole_map_and_the_unit_selected_last(base, tree, scene):
    camera = scene.camera
    opening = camera.goal
    base.messenger.send("home")
    assert camera.goal == camera.home != opening
    base.messenger.send("home")
    assert camera.goal == opening
    unit = scene.commander.board.units[1]
    scene.commander.select(unit)
    base.messenger.send("home")
    tree.advance(0.0)
    base.messenger.send("home")
    assert camera.goal.target == pytest.approx(unit.pose.point)
    last = camera.goal
    scene.commander.select(None)
    tree.advance(0.0)
    base.messenger.send("home")
    base.messenger.send("home")
    assert camera.goal == last


def test_every_unit_of_the_first_party_has_its_own_figure(scene):
    models = {}
    for figure in scene.terrain.pick_targets:
        trunk = figure.np.find("**/trunk").node()
        models[figure.unit.name] = trunk.get_geom(0).get_vertex_data().get_num_rows()
    assert len(models) == 5
    assert len(set(models.values())) == 5, models


def test_the_selected_unit_and_the_one_aimed_at_are_labeled_with_name_and_points(scene):
    def labels():
        return {figure.label for figure in scene.terrain.pick_targets} - {""}

    assert labels() == {"Mira  6"}
    scene.commander_3d.cursor.go_to(scene.board.units[1].cell)
    assert labels() == {"Mira  6", "Bram  6"}
    scene.commander.select(None)
    assert labels() == {"Bram  6"}


OPEN = "0" * 12
FLAT = "\n".join([OPEN] * 12)
HILL = "\n".join([*[OPEN] * 6, "000000000000", *["00000007" + "0000"] * 4, OPEN])
"""A wall that stands between the unit at (6, 6) and a viewer in the southeast."""


@pytest.mark.parametrize(
    ("levels", "others", "heading_deg"),
    [
        (FLAT, [], 38.0),
        (HILL, [], -38.0),
        (FLAT, [(7, 7)], -38.0),
        (FLAT, [(5, 5)], 38.0),
    ],
)
def test_the_first_view_is_from_where_the_selected_unit_is_seen(
    open_scene, levels, others, heading_deg
):
    tilemap = TileMap.from_text(levels)
    tilemap.extras["units"] = [
        {"name": "Mira", "cell": [6, 6]},
        *({"cell": each} for each in others),
    ]
    scene = open_scene(tilemap, is_awaited=False)
    assert scene.commander.selected.name == "Mira"
    assert scene.camera.goal.heading_deg == heading_deg


@pytest.mark.parametrize("wet_cols", [slice(20), slice(24, 40)])
def test_the_first_view_is_from_the_best_heading_that_shows_more_land(open_scene, wet_cols):
    kind = np.zeros((40, 40), int)
    kind[:, wet_cols] = kind[:14] = [each.name for each in KINDS].index("deep")
    tilemap = TileMap(np.zeros((40, 40), int), kind)
    tilemap.extras["units"] = [{"name": "Mira", "cell": [20, 20]}]
    scene = open_scene(tilemap, is_awaited=False)
    is_west = wet_cols.start is None  # where the best heading looks
    assert (scene.camera.goal.heading_deg == 38.0) != is_west
