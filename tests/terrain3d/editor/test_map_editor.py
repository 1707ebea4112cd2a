"""The map editor without a window."""

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.editor import MapEditor
from terrain3d.editor.tool_settings import AREAS, MAX_SIZE
from tests.support.boards import heard_of, one_edit
from tests.support.map_states import state_of


@pytest.fixture
def tilemap():
    return TileMap.from_text("0000\n0000\n0000")


@pytest.fixture
def map_editor(tilemap, tmp_path):
    return MapEditor(tilemap, tmp_path / "vale.tmap")


@pytest.fixture
def editor_of(tmp_path):
    def make(*rows, **settings):
        map_editor = MapEditor(TileMap.from_text("\n".join(rows)), tmp_path / "vale.tmap")
        map_editor.choose(**settings)
        return map_editor, map_editor.tilemap

    return make


@pytest.fixture
def said(map_editor):
    return heard_of(map_editor.message)


def press(map_editor, *path):
    map_editor.aim_at(path[0])
    map_editor.press()
    for cell in path[1:]:
        map_editor.aim_at(cell)


def draw(map_editor, *path):
    press(map_editor, *path)
    map_editor.release()


def test_pressing_drawing_and_releasing_is_one_stroke(map_editor, tilemap, said):
    press(map_editor, (0, 0), (0, 1))
    assert tilemap.to_text() == "1100\n0000\n0000"
    map_editor.aim_at((0, 2))
    assert tilemap.to_text() == "1110\n0000\n0000"
    assert map_editor.cells == [(0, 2, 0)]
    map_editor.release()
    map_editor.undo()
    assert tilemap.to_text() == "0000\n0000\n0000"
    assert said[-1] == "undone: raise"
    map_editor.redo()
    assert tilemap.to_text() == "1110\n0000\n0000"
    assert said[-1] == "redone: raise"
    map_editor.redo()
    assert said[-1] == "nothing to redo"


def test_each_tile_is_changed_once_however_often_the_pointer_returns(map_editor, tilemap):
    map_editor.choose(size=2)
    draw(map_editor, (1, 1), (1, 2), (1, 1), (0, 1), (1, 1))
    assert tilemap.to_text() == "1111\n1111\n1111"


def test_tiles_that_cannot_change_are_skipped_with_a_reason(map_editor, tilemap, said):
    one_edit(tilemap).add_deck((0, 1), level=1)
    map_editor.choose(size=2)
    press(map_editor, (0, 0))
    assert said[-1].startswith("surfaces overlap at (0, 1)")
    assert tilemap.to_text() == "1000\n1100\n0000"
    map_editor.aim_at((0, 2))
    assert len(said) == 2
    map_editor.release()
    assert tilemap.to_text() == "1011\n1111\n0000"
    tilemap.undo()
    assert tilemap.to_text() == "0000\n0000\n0000"


def test_a_bridge_is_erased_by_going_along_it(editor_of):
    map_editor, tilemap = editor_of("30003", tool="erase")
    one_edit(tilemap).add_deck([(0, col) for col in (1, 2, 3)], level=3)
    press(map_editor, (0, 1, 1), (0, 4))
    assert map_editor.cells == []
    map_editor.release()
    assert tilemap.n_decks == 0
    assert tilemap.to_text() == "30003"
    tilemap.undo()
    assert tilemap.decks_at((0, 2)) == [0, 1]


AFTER = {
    "raise": "322\n322",
    "lower": "100\n100",
    "level": "222\n222",
    "paint": "211\n211",
    "erase": "###\n###",
}


@pytest.mark.parametrize("tool", AFTER)
@pytest.mark.parametrize("area", ["brush", "rectangle"])
def test_every_tool_works_with_every_area(editor_of, tool, area):
    map_editor, tilemap = editor_of("211", "211", tool=tool, area=area, kind="swamp", size=3)
    draw(map_editor, (0, 0), (1, 2))
    assert tilemap.to_text() == AFTER[tool]
    assert (tilemap.kind_at((1, 1)).name == "swamp") == (tool == "paint")
    assert tilemap.undo_name == ("paint swamp" if tool == "paint" else tool)


@pytest.mark.parametrize(
    ("tool", "start", "after"), [("ramp", 0, "0123"), ("bridge", 0, "0003"), ("ladder", 2, "0003")]
)
def test_tools_between_two_tiles_change_the_map_on_release(editor_of, tool, start, after):
    map_editor, tilemap = editor_of("0003", tool=tool, kind="rock")
    press(map_editor, (0, start), (0, 3))
    assert tilemap.version == 0
    assert [cell.col for cell in map_editor.cells] == [*range(start, 4)]
    map_editor.release()
    assert tilemap.to_text() == after
    assert (tilemap.n_decks == 1) == (tool == "bridge")
    assert len(tilemap.links) == (tool == "ladder")
    if tool == "bridge":
        assert tilemap.kind_at((0, 2, 1)).name == "rock"


def test_a_wall_is_one_stroke_and_the_next_stroke_removes_it(map_editor, tilemap, said):
    map_editor.choose(tool="wall")
    press(map_editor, (0, 0), (1, 2))
    assert tilemap.version == 0
    assert set(map_editor.edges) == {((0, col, 0), (1, col, 0)) for col in (0, 1, 2)}
    assert map_editor.cells == []
    map_editor.release()
    assert len(tilemap.walls) == 3
    assert tilemap.undo_name == "wall"
    map_editor.undo()
    assert tilemap.walls == ()
    map_editor.redo()
    draw(map_editor, (1, 2), (0, 0))
    assert tilemap.walls == ()
    draw(map_editor, (0, 0), (2, 2))
    assert said[-1].startswith("a wall cannot run from (0, 0) to (2, 2)")


def test_the_action_key_draws_single_tiles_or_takes_two_tiles_in_turn(map_editor, tilemap):
    map_editor.aim_at((1, 1))
    map_editor.act()
    assert not map_editor.is_drawing
    assert tilemap.to_text() == "0000\n0100\n0000"
    map_editor.choose(area="rectangle")
    map_editor.act()
    assert map_editor.is_drawing
    map_editor.aim_at((2, 2))
    map_editor.act()
    assert not map_editor.is_drawing
    assert tilemap.to_text() == "0000\n0210\n0110"
    map_editor.choose(area="fill")
    map_editor.act()
    assert tilemap.to_text() == "0000\n0220\n0220"


def test_the_preview_is_what_would_be_changed(map_editor):
    assert map_editor.cells == []
    map_editor.aim_at((1, 1))
    assert map_editor.cells == [(1, 1, 0)]
    map_editor.choose(size=2)
    assert len(map_editor.cells) == 9
    map_editor.choose(area="fill")
    assert len(map_editor.cells) == 12
    map_editor.choose(tool="ramp")
    assert map_editor.cells == [(1, 1, 0)]
    map_editor.aim_at(None)
    assert map_editor.cells == []


def test_a_rectangle_is_changed_on_release_and_shown_by_its_border_if_it_is_large(tmp_path):
    map_editor = MapEditor(TileMap(np.zeros((100, 90), int)), tmp_path / "vale.tmap")
    map_editor.choose(area="rectangle")
    press(map_editor, (0, 0), (99, 89))
    assert len(map_editor.cells) == 2 * (100 + 90) - 4
    map_editor.aim_at((1, 1))
    assert len(map_editor.cells) == 4
    assert not map_editor.tilemap.level.any()
    map_editor.release()
    assert np.argwhere(map_editor.tilemap.level).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_a_removed_deck_is_no_longer_the_aim(map_editor, tilemap):
    one_edit(tilemap).add_deck((0, 0), level=3)
    map_editor.aim_at((0, 0, 1))
    map_editor.choose(tool="erase")
    map_editor.act()
    assert map_editor.aim is None
    assert map_editor.cells == []
    map_editor.press()
    assert not map_editor.is_drawing


@pytest.mark.parametrize("area", ["brush", "rectangle"])
def test_canceling_restores_the_map(editor_of, area):
    map_editor, tilemap = editor_of("01#0", tool="paint", kind="swamp", area=area)
    before = state_of(tilemap)
    press(map_editor, (0, 0), (0, 3))
    assert (state_of(tilemap) != before) == (area == "brush")
    assert map_editor.cancel()
    assert state_of(tilemap) == before
    assert not tilemap.undo()
    assert not map_editor.cancel()


@pytest.mark.parametrize("change", ["undo", "tool", "area", "size", "kind"])
def test_any_other_action_while_drawing_cancels_the_stroke(map_editor, tilemap, change):
    press(map_editor, (0, 0))
    if change == "undo":
        map_editor.undo()
    else:
        values = {"tool": "lower", "area": "fill", "size": 2, "kind": "sand"}
        map_editor.choose(**{change: values[change]})
    assert not map_editor.is_drawing
    assert not tilemap.level.any()
    assert not tilemap.undo()


def test_kinds_areas_and_sizes_follow_each_other(map_editor, tilemap):
    def settings():
        return map_editor.tool_settings

    names, seen = [kind.name for kind in tilemap.kinds if kind.name != "void"], []
    for _ in names:
        seen.append(settings().kind)
        map_editor.next_kind()
    assert seen == names
    map_editor.next_kind(-1)
    assert settings().kind == names[-1]
    one_edit(tilemap).set_kind((2, 2), "swamp")
    one_edit(tilemap).set_kind((2, 3), "void")
    for cell in ((2, 2), (2, 3)):
        map_editor.aim_at(cell)
        map_editor.take_kind()
        assert settings().kind == "swamp"
    for name in (*AREAS[1:], AREAS[0]):
        map_editor.next_area()
        assert settings().area == name
    map_editor.resize(99)
    assert settings().size == MAX_SIZE
    map_editor.resize(-99)
    assert settings().size == 1


def test_bridges_keep_a_kind_of_their_own(map_editor):
    def kind_of(tool):
        map_editor.choose(tool=tool)
        return map_editor.tool_settings.kind

    map_editor.choose(kind="sand")
    assert [kind_of(tool) for tool in ("bridge", "paint", "bridge")] == ["wood", "sand", "wood"]
    map_editor.choose(kind="rock")
    assert [kind_of(tool) for tool in ("ramp", "bridge")] == ["sand", "rock"]
    map_editor.choose(tool="paint", kind="snow")
    assert [kind_of(tool) for tool in ("bridge", "raise")] == ["rock", "snow"]


def test_a_map_is_saved_as_it_stands_and_loaded_again(map_editor, tilemap, tmp_path, said):
    loaded = heard_of(map_editor.loaded)
    assert map_editor.load() is None  # there is no file yet
    assert said.pop().startswith("not loaded: ")
    map_editor.saving.connect(lambda: tilemap.extras.update(units=[{"cell": [0, 1]}]))
    press(map_editor, (0, 0), (0, 2))
    assert map_editor.save()
    assert not map_editor.is_drawing
    assert said == [f"saved {map_editor.path}"]
    again = map_editor.load()
    assert state_of(again) == state_of(tilemap)
    assert (again.level_at((0, 2)), again.extras) == (1, {"units": [{"cell": [0, 1]}]})
    assert loaded == [again]
    tilemap.extras["level"] = 1
    for map_editor.path in (tmp_path, tmp_path / "x.tmap"):
        assert not map_editor.save()
        assert said.pop().startswith("not saved: ")


def test_undo_and_redo_to_the_saved_map_leave_it_saved(map_editor):
    draw(map_editor, (0, 0))
    map_editor.undo()
    assert map_editor.is_saved
    map_editor.redo()
    assert not map_editor.is_saved
    map_editor.save()
    for step, is_saved in (("undo", False), ("redo", True)):
        getattr(map_editor, step)()
        assert map_editor.is_saved == is_saved
    press(map_editor, (1, 1))
    assert not map_editor.is_saved
    map_editor.cancel()
    assert map_editor.is_saved
    map_editor.undo()
    draw(map_editor, (0, 0))  # as it was, but not by redo
    assert not map_editor.is_saved


def test_no_other_edit_becomes_part_of_a_stroke(map_editor, tilemap):
    press(map_editor, (0, 0))
    with pytest.raises(RuntimeError, match="another writer"):
        one_edit(tilemap).set_level((2, 3), 7)
    map_editor.cancel()
    one_edit(tilemap).set_level((2, 3), 7)
    tilemap.writer = "an action"
    for area in AREAS:
        map_editor.choose(area=area)
        with pytest.raises(RuntimeError, match="another writer"):
            draw(map_editor, (0, 0))
        map_editor.aim_at((1, 1))
    assert tilemap.to_text() == "0000\n0000\n0007"
