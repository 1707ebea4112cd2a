"""The command line as values; what is typed wrong is refused by its name; screenshots."""

from argparse import Namespace

import pytest

from ai import Commander, MoveProfile
from ai.view.opening import SAMPLE_STEPS
from terrain3d import TileKind, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from terrain3d.program import run_scene
from terrain3d.program.options import (
    NEAR_DISTANCE,
    NO_UNIT,
    ScreenshotOptions,
    chosen,
    make_map,
    make_profile,
    parse,
    size_argument,
)
from terrain3d.view import Labels3D
from tests.support.boards import posted

ENDS = ("--from", "0,0", "--to", "1,2")


def test_rules_and_a_map_are_those_that_are_asked_for_and_else_the_usual_ones():
    assert make_profile(parse([])) == MoveProfile()
    options = parse(["path", *ENDS, "--uphill", "2.5", "--max-climb", "0", "--max-drop", "9"])
    assert (options.start, options.goal) == ((0, 0), (1, 2))
    assert make_profile(options) == MoveProfile(max_climb=0, max_drop=9, climb_cost=2.5)
    assert size_argument("8192X8192") == (8192, 8192)
    options = parse(["--rows", "3", "--cols", "5", "--levels", "1", "--ground", "noise"])
    assert make_map(options, "landscape", print).to_text() == "00000\n00000\n00000"


def test_a_map_is_read_and_what_it_lacks_is_told_in_one_line(tmp_path):
    path = tmp_path / "hill.tmap"
    TileMap.from_text("01", [TileKind("court")]).save(path)
    path.write_text(path.read_text().replace('"soil"', '"quarters"'))
    notes = []
    tilemap = make_map(parse(["--map", str(path), "path", *ENDS]), "noise", notes.append)
    assert tilemap.rows * tilemap.cols == 2
    [note] = notes
    assert note.startswith(f"{path}: drawn plain: texture 'quarters' of 'court' is not registered")


def test_only_what_is_asked_for_changes_the_settings():
    settings = Settings(mood="night", quality="low", palette="Okabe-Ito")
    assert chosen(parse([]), settings) == settings
    dusk = chosen(parse(["--mood", "dusk"]), settings)
    assert (dusk.mood, dusk.quality, dusk.palette) == ("dusk", "low", "Okabe-Ito")


WHOLE = OrbitView(38.0, 30.0, 60.0, (2.0, -1.5, 0.0))
MAP = TileMap.from_text("0120\n0340\n0000")


def asked(*words):
    return ScreenshotOptions.from_options(parse(["shot", *words]))


def test_all_words_are_heard():
    assert asked() == ScreenshotOptions() == ScreenshotOptions.from_options(Namespace(seed=7))
    assert ScreenshotOptions().view(WHOLE, MAP) == WHOLE
    view = "--heading", "130", "--pitch", "22.5", "--distance", "9", "--at", "1,2"
    shot = asked(*view, "--unit", "Mira", "--to", "0,3", "--no-hud")
    assert shot == ScreenshotOptions(130, 22.5, 9, (1, 2), "Mira", (0, 3), no_hud=True)


@pytest.mark.parametrize(
    ("options", "whole", "distance"),
    [
        ({"at": (1, 2)}, 60.0, NEAR_DISTANCE),
        ({"at": (1, 2)}, 5.0, 5.0),
        ({"at": (0, 0), "distance": 9.0}, 60.0, 9.0),
        ({"distance": 9.0}, 60.0, 9.0),
    ],
)
def test_a_tile_is_looked_at_from_near_by_unless_a_distance_is_given(options, whole, distance):
    view = ScreenshotOptions(**options).view(OrbitView(38.0, 30.0, whole, WHOLE.target), MAP)
    target = MAP.surface_point(options["at"]) if "at" in options else WHOLE.target
    assert view == OrbitView(38.0, 30.0, distance, target)


@pytest.fixture
def commander():
    return Commander(posted("a..b\n....\n...A")[0])


def apply_options(commander, heading_deg=38.0, unit=None, to=None):
    run_scene.select(commander, unit)
    run_scene.aim(commander, to, heading_deg)


@pytest.mark.parametrize(("unit", "name"), [(None, "a"), ("b", "b"), (NO_UNIT, None)])
def test_the_named_unit_is_selected_and_else_the_first(commander, unit, name):
    apply_options(commander, unit=unit)
    assert (commander.selected and commander.selected.name) == name


@pytest.mark.parametrize(
    ("heading_deg", "down", "right"), [(38, 1, 1), (-38, 1, -1), (142, -1, 1), (218, -1, -1)]
)
def test_a_tile_in_reach_is_aimed_at_some_steps_in_front(commander, heading_deg, down, right):
    apply_options(commander, heading_deg)
    steps = {cell: len(list(commander.reach.path_to(cell))) - 1 for cell in commander.reach}
    aim = commander.aim
    assert steps[aim] == min(max(steps.values()), SAMPLE_STEPS) > 1
    alike = [cell for cell in steps if steps[cell] == steps[aim]]
    in_front = max(down * cell.row + right * cell.col for cell in alike)
    assert down * aim.row + right * aim.col == in_front


def test_without_the_panels_no_text_is_left(tree, make_scene):
    scene = make_scene()
    run_scene.arrange(scene, ScreenshotOptions(unit="Mira", to=(5, 9), no_hud=True))
    for _ in range(3):
        tree.advance(0.0)
    assert scene.commander.plan
    assert {figure.label for figure in scene.figures.values()} == {""}
    assert not any(isinstance(node, Labels3D) and node.texts for node in scene.walk())
    assert not scene.hud.is_inside_tree
