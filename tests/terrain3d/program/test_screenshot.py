"""Options of a screenshot: the selected unit, the aim, and behaviors."""

import pytest

from ai import Autopilot, Commander
from ai.view.opening import SAMPLE_STEPS
from terrain3d.program import run_scene
from terrain3d.program.options import NO_UNIT, ScreenshotOptions
from terrain3d.view import Labels3D
from tests.support.boards import posted


@pytest.fixture
def board():
    return posted("a..b\n....\n...A")[0]


@pytest.fixture
def commander(board):
    return Commander(board)


@pytest.fixture
def autopilot(board):
    return Autopilot(board, 7)


def apply_options(commander, autopilot, heading_deg=38.0, **options):
    chosen = ScreenshotOptions(**options)
    run_scene.begin(chosen, commander, autopilot)
    run_scene.aim(chosen, commander, heading_deg)


@pytest.mark.parametrize(("unit", "name"), [(None, "a"), ("b", "b"), (NO_UNIT, None)])
def test_the_named_unit_is_selected_and_else_the_first(commander, autopilot, unit, name):
    apply_options(commander, autopilot, unit=unit)
    assert (commander.selected and commander.selected.name) == name


@pytest.mark.parametrize(
    ("heading_deg", "down", "right"), [(38, 1, 1), (-38, 1, -1), (142, -1, 1), (218, -1, -1)]
)
def test_a_tile_within_reach_is_aimed_at_some_steps_away_and_in_front(
    commander, autopilot, heading_deg, down, right
):
    apply_options(commander, autopilot, heading_deg)
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
        ({"to": (1, 2), "overlay": "none"}, (1, 2, 0)),
        ({"overlay": "none"}, None),
        ({"unit": NO_UNIT}, None),
        ({"lead": [("A", "wander")]}, None),
        ({"lead": [("A", "patrol")], "to": (1, 2)}, None),
    ],
)
def test_where_the_path_leads(commander, autopilot, options, aim):
    apply_options(commander, autopilot, **options)
    assert commander.aim == aim


def test_a_unit_with_a_behavior_moves_by_itself(board, commander, autopilot):
    apply_options(commander, autopilot, lead=[("A", "chase"), ("b", "patrol")], to=(2, 0))
    assert [autopilot.behavior_of(unit) for unit in board.units] == ["", "patrol", "chase"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"unit": "Zed"}, "--unit must be one of a, b, A, nobody, got 'Zed'"),
        ({"lead": [("Zed", "chase")]}, "--lead must be one of a, b, A, got 'Zed'"),
        ({"lead": [("a", "dance")]}, "behavior must be one of .*, got 'dance'"),
        ({"to": (9, 9)}, "outside the map"),
    ],
)
def test_what_cannot_be_shown_is_refused(commander, autopilot, options, says):
    with pytest.raises((ValueError, IndexError), match=says):
        apply_options(commander, autopilot, **options)


@pytest.mark.parametrize("overlay", ["reach", "costs"])
def test_without_the_panels_no_text_is_left_but_costs_that_are_asked_for(tree, make_scene, overlay):
    scene = make_scene()
    shot = ScreenshotOptions(unit="Mira", to=(5, 9), overlay=overlay, no_hud=True)
    run_scene.arrange(scene, shot)
    for _ in range(3):
        tree.advance(0.0)
    assert scene.commander.plan
    assert {figure.label for figure in scene.figures.values()} == {""}
    shown = [node.parent for node in scene.walk() if isinstance(node, Labels3D) and node.texts]
    assert shown == [scene.commander_3d.reach_overlay] * (overlay == "costs")
    assert not scene.hud.is_inside_tree
