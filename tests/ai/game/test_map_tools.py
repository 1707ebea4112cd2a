"""Tools that place units and goals: what they write is read as a battle, and undone at once."""

import copy

import pytest

from ai import Board, MoveProfile
from ai.game.map_tools import TOOLS_OF_BATTLE, goal_cells
from ai.game.objective import read_objective
from ai.game.unit_loader import UnitLoader
from terrain3d import KINDS, TileMap
from terrain3d.editor import MapEditor
from tests.support.boards import heard_of, one_edit

TEAMS = {"blue", "red"}


@pytest.fixture
def tilemap():
    return TileMap.from_text("00000\n00#00\n00000")


@pytest.fixture
def editor(tilemap, tmp_path):
    return MapEditor(tilemap, tmp_path / "map.tmap", TOOLS_OF_BATTLE)


@pytest.fixture
def said(editor):
    return heard_of(editor.message)


def use(editor, *cells, **settings):
    """Draw a stroke with a tool from the first cell to the last."""
    editor.choose(**settings)
    editor.aim_at(cells[0])
    editor.press()
    editor.aim_at(cells[-1])
    editor.release()


def test_a_unit_of_a_side_is_placed_and_taken_away_at_its_place(editor, tilemap):
    use(editor, (0, 1), tool="unit", kind="red float")
    use(editor, (2, 3), kind="blue acrobat")
    first, second = tilemap.extras["units"]
    facts = [[each[name] for name in ("team", "mover", "cell")] for each in (first, second)]
    assert facts == [["red", "float", [0, 1]], ["blue", "acrobat", [2, 3]]]
    assert first["name"] != second["name"]
    board = Board(tilemap)
    loader = UnitLoader(board, MoveProfile())
    assert [unit.name for unit in board.units] == [first["name"], second["name"]]
    assert loader.notes == []
    use(editor, (0, 1))
    assert tilemap.extras["units"] == [second]
    editor.undo()
    assert tilemap.extras["units"] == [first, second]
    editor.undo()
    editor.undo()
    assert "units" not in tilemap.extras


def test_where_a_mover_cannot_stand_no_unit_is_placed(editor, tilemap, said):
    one_edit(tilemap).set_kind((0, 0), "deep")
    use(editor, (0, 0), tool="unit", kind="blue light foot")
    assert "deep" in said[-1]
    assert "units" not in tilemap.extras
    use(editor, (0, 0), kind="blue float")
    assert len(tilemap.extras["units"]) == 1


def test_a_goal_is_drawn_changed_and_taken_away(editor, tilemap):
    use(editor, (1, 1), (0, 3), tool="goal")
    goal = read_objective(tilemap, TEAMS)
    cells = [(0, 1), (0, 2), (0, 3), (1, 1), (1, 3)]  # the hole is none
    assert [cell[:2] for cell in goal.cells] == [cell[:2] for cell in goal_cells(tilemap)] == cells
    assert (goal.attackers, goal.defenders, goal.rounds > 0) == ("blue", "red", True)
    tilemap.extras["objective"]["turns"] = 9  # as in a file
    use(editor, (0, 1), kind="reach the goal")  # another goal of the same tiles
    goal = read_objective(tilemap, TEAMS)
    assert (len(goal.cells), goal.rounds, goal.turns) == (5, 0, 9)
    use(editor, (0, 1), (0, 3))
    assert [cell[:2] for cell in goal_cells(tilemap)] == cells[3:]
    before = copy.deepcopy(tilemap.extras)
    use(editor, (1, 1), (2, 4))
    assert "objective" not in tilemap.extras
    editor.undo()
    assert tilemap.extras == before


def test_each_tool_has_kinds_of_its_own(editor):
    names = [kind.name for kind in KINDS if kind.name != "void"]
    assert [kind.name for kind in editor.kinds] == names
    editor.choose(tool="paint", kind="snow")
    editor.choose(tool="unit")
    assert editor.tool_settings.kind == editor.kinds[0].name == "blue heavy foot"
    editor.next_kind(-1)
    assert editor.tool_settings.kind == "red acrobat"
    with pytest.raises(ValueError, match="blue float"):
        editor.choose(kind="snow")
    editor.choose(tool="goal")
    editor.choose(tool="unit")
    assert editor.tool_settings.kind == "red acrobat"
    editor.aim_at((0, 0))
    editor.take_kind()
    assert (editor.tool_settings.tool, editor.tool_settings.kind) == ("paint", "grass")


def test_what_was_saved_is_said_until_the_next_act(editor):
    use(editor, (0, 0), tool="raise")
    for act in (editor.undo, editor.redo, editor.next_area):
        assert editor.save()
        said = editor.advice
        assert said == f"Saved {editor.path}"
        editor.aim_at((2, 2))
        assert editor.advice == said
        act()
        assert editor.advice != said


def test_units_follow_what_is_edited(editor, tilemap):
    entries = [{"name": "Odo", "cell": [0, 0]}, {"name": "Mira", "cell": [2, 0], "team": "red"}]
    tilemap.extras = {"units": entries}
    board = Board(tilemap, turns="sides")
    loader = UnitLoader(board, MoveProfile())
    tilemap.edited.connect(loader.follow)
    board.move(board.unit("Odo"), (0, 2))
    loader.save()  # as when the editor opens

    def standing():
        return {unit.name: unit.cell[:2] for unit in board.units}

    use(editor, (2, 4), tool="unit", kind="red acrobat")
    [new] = standing().keys() - {"Odo", "Mira"}
    assert standing() == {"Odo": (0, 2), "Mira": (2, 0), new: (2, 4)}
    assert (board.log, "replay" in tilemap.extras) == ((), False)
    use(editor, (2, 0))
    assert standing() == {"Odo": (0, 2), new: (2, 4)}
    editor.undo()
    editor.undo()
    assert standing() == {"Odo": (0, 2), "Mira": (2, 0)}
    use(editor, (0, 1), (0, 2), tool="select")
    editor.copy()
    editor.paste()
    editor.aim_at((2, 3))
    editor.act()
    assert standing() == {"Odo": (0, 2), "Mira": (2, 0), "Odo 2": (2, 3)}
    use(editor, (1, 1), tool="raise")
    assert len(board.log) == 1  # a game goes on while only the ground is edited
    loader.save()
    again = Board(copy.copy(tilemap))
    UnitLoader(again, MoveProfile())
    assert {unit.name: unit.cell[:2] for unit in again.units} == standing()
