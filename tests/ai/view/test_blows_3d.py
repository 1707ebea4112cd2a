"""Blows are played one after the other, in view, and change what is shown of those they hit."""

import pytest

from ai import Board, Unit
from ai.game.battle import DOOR, Battle, Choice
from ai.game.objective import Objective
from ai.view import Figures3D
from ai.view.blows_3d import HIT_S, Blows3D, icon_of, show_forecast
from terrain3d import KINDS, Cell, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D

STATS = {"hp": 24, "defense": -3, "evasion": -99, "skills": ("bash", "sword", "bow")}
FULL = {"a": 24, "b": 24, "B": 24}
STEP_S = 0.02


@pytest.fixture
def fight(tree):
    tilemap = TileMap.from_text("\n".join(["555555500"] * 3), (*KINDS, DOOR))
    board = Board(tilemap, "sides", seed=1)
    for name, cell in {"a": (1, 5), "b": (1, 2), "B": (1, 6)}.items():
        team = "blue" if name.islower() else "red"
        board.add(Unit(name, cell, team, heading_deg=90, stats=STATS))
    board.clear_history()
    battle = Battle(board, Objective("blue", "red", (Cell(0, 0),), 99))
    terrain = tree.root.add_child(Terrain3D(tilemap))
    camera = terrain.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(0.0, 40.0, 18.0, tilemap.surface_point((1, 5))))
    figures = terrain.add_child(Figures3D(board))
    blows = terrain.add_child(Blows3D(figures, FULL))
    board.changed.connect(lambda entry: blows.follow(entry, ""))
    tree.advance(0.0)
    return battle, figures, blows


def watch(tree, fight, unit, skill, target):
    """Play a deed; return for each frame the time, the texts, and bars and figures by name."""
    battle, figures, blows = fight
    shown = {unit.name: figure for unit, figure in figures.figures.items()}
    board = battle.board
    battle.play(board.unit(unit), Choice(board.unit(unit).cell, skill, board.unit(target).cell))
    frames = []
    for n in range(400):
        frames.append((n * STEP_S, blows.texts.texts, {k: f.health for k, f in shown.items()}))
        if not blows.is_playing and not figures.is_acting:
            return frames
        tree.advance(STEP_S)
    raise AssertionError("it does not end")


def test_a_blow_and_its_answer_are_seen_one_after_the_other(tree, fight):
    frames = watch(tree, fight, "a", "sword", "B")
    hits = fight[0].board.log[-1].data["hits"]
    struck, answered = (
        next(time_s for time_s, _, bars in frames if bars[name] == pytest.approx(hit["left"] / 24))
        for name, hit in zip("Ba", hits, strict=True)
    )
    assert 0 < struck < answered - HIT_S + STEP_S
    for _, texts, bars in frames:
        assert len(texts) <= 1 or bars["a"] != 1  # the answer's number comes with its hit


def test_who_is_pushed_over_a_cliff_stays_until_hit_and_loses_more_when_it_has_fallen(tree, fight):
    battle, figures, blows = fight
    with battle.board.action("hurt") as action:
        action.set("B", hp=9)
    figure = figures.figures[battle.board.unit("B")]
    places, begun = [], []
    blows.begins.connect(lambda shown: begun.append([each.unit.name for each in shown]))
    start = figure.point
    battle.play(battle.board.unit("a"), Choice((1, 5), "bash", (1, 6)))
    while not figure.is_freed and len(places) < 400:
        tree.advance(STEP_S)
        places.append((blows.texts.texts, figure.point, figure.health))
    texts = [*dict.fromkeys(text for shown, *_ in places for text in shown)]
    assert texts == ["-7", "fell 5 levels -2"]
    assert begun == [["a", "B"], ["B"]]
    before = [point for shown, point, _ in places if not shown]
    assert {*before} == {start}
    fallen = next(point for shown, point, _ in places if len(shown) == 2)
    assert fallen == battle.board.tilemap.surface_point((1, 8))
    assert places[-1][2] == 0


def test_an_arrow_flies_over_an_arc_from_one_to_the_other(tree, fight):
    battle, _, blows = fight
    points = []
    battle.play(battle.board.unit("b"), Choice((1, 2), "bow", (1, 6)))
    while blows.is_playing:
        tree.advance(STEP_S)
        points += [tuple(each.get_pos()) for each in blows.np.find_all_matches("**/thrown/thrown")]
    surface = battle.board.tilemap.surface_point
    along = [point[0] for point in points]
    assert len(points) > 5
    assert along == sorted(along)
    assert surface((1, 2))[0] <= along[0] < along[-1] <= surface((1, 6))[0] + 0.01
    heights = [point[2] for point in points]
    assert max(heights) > heights[0] + 0.3 < heights[-1] + 0.6
    assert not blows.np.find_all_matches("**/thrown/thrown")


def test_at_a_pace_of_0_a_blow_stands_still_as_a_walk_does(tree, fight):
    battle, figures, blows = fight
    figure = figures.figures[battle.board.unit("b")]
    figure.pace = 0.0
    battle.play(battle.board.unit("b"), Choice((1, 3), "bow", (1, 6)))
    for is_going in (False, True):
        figure.pace = float(is_going)
        for _ in range(100):
            tree.advance(STEP_S)
        shown = figure.unit.is_moving, blows.is_playing, bool(blows.left("B"))
        assert shown == ((False,) * 3 if is_going else (True,) * 3)


def test_an_undone_blow_is_not_shown(tree, fight):
    battle, figures, blows = fight
    battle.play(battle.board.unit("a"), Choice((1, 5), "bash", (1, 6)))
    tree.advance(STEP_S)
    assert blows.left("B") == 24
    assert battle.board.undo()
    for _ in range(40):
        tree.advance(STEP_S)
    assert (blows.texts.texts, blows.left("B"), blows.is_playing) == ((), None, False)
    assert not any(figure.is_acting for figure in figures.figures.values())


def test_who_gets_out_of_sight_before_its_blow_is_shown_keeps_nothing_waiting(tree, fight):
    battle, figures, blows = fight
    unit = battle.board.unit("B")
    battle.play(battle.board.unit("a"), Choice((1, 5), "bash", unit.cell))
    figures.figures[unit].visible = False
    for _ in range(100):
        tree.advance(STEP_S)
    assert (blows.is_playing, figures.is_acting) == (False, False)


def test_a_forecast_is_over_both_and_nobody_else(fight):
    battle, figures, _ = fight
    units = {unit.name: figure for unit, figure in figures.figures.items()}
    actor = battle.board.unit("a")
    show_forecast(battle.forecast(actor, "sword", (1, 6)), figures.figures, FULL)
    assert [units[name].forecast[:1] for name in "aBb"] == [("a",), ("B",), ()]
    show_forecast((), figures.figures, FULL)
    assert not any(figure.forecast for figure in units.values())
    assert (icon_of("sword"), icon_of("of a mod"), icon_of("")) == ("sword", "skill", "")
