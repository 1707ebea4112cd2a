"""Options of a screenshot: the selected unit, the aim, and no text."""

import pytest

from ai import Commander
from ai.view.opening import SAMPLE_STEPS
from terrain3d.program import run_scene
from terrain3d.program.options import NO_UNIT, ScreenshotOptions
from terrain3d.view import Labels3D
from tests.support.boards import posted


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
def test_a_tile_within_reach_is_aimed_at_some_steps_away_and_in_front(
    commander, heading_deg, down, right
):
    apply_options(commander, heading_deg)
    steps = {cell: len(list(commander.reach.path_to(cell))) - 1 for cell in commander.reach}
    aim = commander.aim
    assert steps[aim] == min(max(steps.values()), SAMPLE_STEPS) > 1
    alike = [cell for cell in steps if steps[cell] == steps[aim]]
    in_front = max(down * cell.row + right * cell.col for cell in alike)
    assert down * aim.row + right * aim.col == in_front


@pytest.mark.parametrize(
    ("options", "aim"),
    [
        ({"to": (1, 2)}, (1, 2, 0)),
        ({"unit": NO_UNIT}, None),
    ],
)
def test_where_the_path_leads(commander, options, aim):
    apply_options(commander, **options)
    assert commander.aim == aim


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"unit": "Zed"}, "--unit must be one of a, b, A, nobody, got 'Zed'"),
        ({"to": (9, 9)}, "outside the map"),
    ],
)
def test_what_cannot_be_shown_is_refused(commander, options, says):
    with pytest.raises((ValueError, IndexError), match=says):
        apply_options(commander, **options)


def test_without_the_panels_no_text_is_left(tree, make_scene):
    scene = make_scene()
    run_scene.arrange(scene, ScreenshotOptions(unit="Mira", to=(5, 9), no_hud=True))
    for _ in range(3):
        tree.advance(0.0)
    assert scene.commander.plan
    assert {figure.label for figure in scene.figures.values()} == {""}
    assert not any(isinstance(node, Labels3D) and node.texts for node in scene.walk())
    assert not scene.hud.is_inside_tree
