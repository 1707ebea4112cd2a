"""Editing a map in a window: mouse, keys, and what is drawn."""

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.editor import ToolSettings
from terrain3d.editor.tools import TOOLS
from terrain3d.look.orbit import OrbitView
from terrain3d.view import MapEditor3D, Terrain3D
from terrain3d.view.scene.terrain_3d import terrain_above
from tests.support.boards import one_edit
from tests.support.scenes import Watcher
from tests.support.window_pictures import color_at, in_window, pixels


class User:
    """A mouse over a window that has none, and keys."""

    def __init__(self, base, terrain):
        self._base, self._terrain = base, terrain
        self.watcher = Watcher()

    def point(self, cell, north=0.0):
        """Point at the middle of a tile, as it is now, or so far north of it."""
        x, y, z = self._terrain.tilemap.surface_point(cell)
        self.watcher.at = in_window(self._base, self._terrain, (x, y + north, z))
        self.frame()

    def frame(self):
        self._base.task_mgr.step()

    def press(self, *keys):
        for key in keys:
            self._base.messenger.send(key)

    def drag(self, *cells, modifier=""):
        self.point(cells[0])
        self.press(modifier + "mouse1")
        for cell in cells[1:]:
            self.point(cell)
        self.press("mouse1-up")


@pytest.fixture
def tilemap():
    return TileMap(np.ones((12, 16), int))


@pytest.fixture
def camera(camera):
    camera.look(OrbitView(0.0, 60.0, 30.0, (8.0, -6.0, 0.0)))
    return camera


@pytest.fixture
def editor(terrain, cursor, camera, tmp_path):
    editor = terrain.add_child(MapEditor3D(tmp_path / "vale.tmap", cursor))
    editor.changed.connect(
        lambda: setattr(camera, "orbit_buttons", {"right"} if editor.is_active else {"left"})
    )
    return editor


@pytest.fixture
def make_user(base, monkeypatch):
    def make(terrain):
        user = User(base, terrain)
        monkeypatch.setattr(base, "mouseWatcherNode", user.watcher)
        user.frame()
        return user

    return make


@pytest.fixture
def user(make_user, editor):
    return make_user(terrain_above(editor))


def picture(base):
    """Pass one frame, and give what is shown; see `window_pictures.picture_255`."""
    base.task_mgr.step()
    base.graphics_engine.render_frame()  # what was drawn is shown
    return np.rint(pixels(base.win) * 255).astype(int)


def color(base, terrain, image, cell):
    return color_at(base, terrain, image, terrain.tilemap.surface_point(cell))


def levels(tilemap):
    cells = map(tuple, np.argwhere(tilemap.level != 1).tolist())
    return {cell: int(tilemap.level[cell]) for cell in cells}


def test_while_it_is_not_active_mouse_and_keys_are_left_to_others(user, editor, tilemap, camera):
    goal = camera.goal
    user.drag((5, 5), (5, 8))
    user.press("3", "b", "g", "control-z", "f5", "escape")
    assert tilemap.version == 0
    assert editor.advice == ""
    assert editor.map_editor.tool_settings.tool == "raise"
    assert not editor.map_editor.path.exists()
    assert camera.goal != goal


def test_a_drag_draws_or_moves_the_camera(user, editor, tilemap, camera):
    goal = camera.goal
    user.press("f2")
    user.drag((5, 5), (5, 8))
    assert levels(tilemap) == {(5, col): 2 for col in (5, 6, 7, 8)}
    assert camera.goal == goal
    user.press("control-z")
    assert levels(tilemap) == {}
    user.press("control-y")
    assert len(levels(tilemap)) == 4
    assert not editor.map_editor.is_drawing
    user.press("2", "b")
    user.drag((1, 3), (2, 9), (3, 5))
    rectangle = {(row, col): 0 for row in (1, 2, 3) for col in (3, 4, 5)}
    assert rectangle.items() <= levels(tilemap).items()
    user.drag((8, 5), (8, 8), modifier="shift-")  # moves the view
    user.point((8, 5))
    user.press("mouse3")
    user.point((8, 8))
    user.press("mouse3-up")
    assert not any(row > 5 for row, _ in levels(tilemap))


def test_the_tiles_under_the_tool_are_seen_only_while_the_editor_is_active(base, terrain, user):
    user.point((6, 8))
    before = picture(base)
    user.press("f2", "l", "l")
    during = picture(base)
    for cell in ((6, 8), (5, 7), (6, 10)):
        plain, marked = (color(base, terrain, image, cell) for image in (before, during))
        assert marked[0] - marked[2] > plain[0] - plain[2] + 30  # more orange
    assert np.allclose(*(color(base, terrain, image, (2, 2)) for image in (before, during)))
    user.press("f2")
    after = picture(base)
    assert np.allclose(*(color(base, terrain, image, (5, 7)) for image in (before, after)))


def test_keys_choose_tool_area_size_and_kind(user, editor, tilemap):
    one_edit(tilemap).set_kind((2, 2), "swamp")
    user.press("f2")
    for number, tool in enumerate(TOOLS, start=1):
        user.press(str(number % 10))
        assert editor.map_editor.tool_settings.tool == tool
        assert tool in editor.advice
    user.press("4", "l", "l", "j")
    assert editor.map_editor.tool_settings == ToolSettings("grass", "paint", "brush", 2)
    user.press("b", "g", "g", "shift-g")
    assert editor.map_editor.tool_settings == ToolSettings("dirt", "paint", "rectangle", 2)
    user.point((2, 2))
    user.press("i", "b")
    assert editor.map_editor.tool_settings == ToolSettings("swamp", "paint", "fill", 2)
    editor.panda.input.press("area_brush")
    assert editor.map_editor.tool_settings.area == "brush"


def test_ground_that_moves_under_a_resting_pointer_extends_no_stroke(user, terrain, tilemap):
    user.press("f2", "2")
    user.point((6, 8), north=0.4)
    user.press("mouse1")
    for _ in range(3):
        user.frame()
    assert terrain.hovered == (5, 8, 0)  # the tile behind, now that this one lies lower
    assert levels(tilemap) == {(6, 8): 0}
    user.press("mouse1-up")
    assert levels(tilemap) == {(6, 8): 0}


@pytest.mark.parametrize("end", ["escape", "f2", "another window"])
def test_a_stroke_may_end_before_the_button_is_released(user, editor, tree, tilemap, end):
    user.press("f2")
    user.point((6, 8))
    user.press("mouse1")
    if end == "another window":
        tree.pointer.focus_lost.emit()
    else:
        user.press(end)
    assert not editor.map_editor.is_drawing
    user.point((6, 9))
    user.press("mouse1-up")
    assert levels(tilemap) == ({} if end == "escape" else {(6, 8): 2})
    assert editor.is_active == (end != "f2")


def test_a_hole_is_painted_over_but_no_other_tool_aims_at_it(user, editor, tilemap):
    user.press("f2", "5", "l")
    user.drag((6, 8))
    assert tilemap.void.sum() == 9
    user.point((6, 8))
    user.frame()
    assert editor.map_editor.aim != (6, 8, 0)
    user.press("4", "j")
    user.drag((6, 8), (6, 7))
    assert tilemap.void.sum() == 7
    assert not tilemap.is_void((6, 8))


def test_keys_alone_draw_with_the_cursor(user, editor, cursor, tilemap):
    user.press("f2")
    cursor.go_to((4, 4))
    user.press("enter", "arrow_right", "space")
    assert levels(tilemap) == {(4, 4): 2, (4, 5): 2}
    user.press("control-z")
    assert levels(tilemap) == {(4, 4): 2}
    user.press("b", "2", "enter", "arrow_down", "arrow_down", "arrow_right", "enter")
    assert levels(tilemap) == {(4, 4): 2} | {(row, col): 0 for row in (4, 5, 6) for col in (5, 6)}
    user.press("f2", "enter")
    assert editor.advice == ""
    assert tilemap.undo_name == "lower"
    one_edit(tilemap).set_kind((4, 5), "void")
    user.press("f2", "1", "b", "b")
    cursor.go_to((4, 4))
    user.press("arrow_right")
    assert cursor.cell == (4, 6, 0)
    user.press("4", "arrow_left")
    assert cursor.cell == (4, 5, 0)
    user.press("enter")
    assert not tilemap.is_void((4, 5))
    user.press("f2")
    assert not cursor.includes_void


def test_edits_that_are_not_saved_are_dropped_at_the_second_press_and_kept_out_of_the_tree(
    tree, user, editor, terrain
):
    loaded, messages = [], []
    editor.loaded.connect(loaded.append)
    editor.message.connect(messages.append)
    user.press("f2")
    user.drag((5, 5), (5, 6))
    user.press("f5", "f9")
    assert len(loaded) == 1
    user.drag((7, 5))
    asked = "the edits are not saved: F5 in the map editor saves them, F9 again drops them"
    user.press("f9")
    assert (len(loaded), messages[-1]) == (1, asked)
    user.press("f9")
    assert len(loaded) == 2
    user.drag((8, 5))
    user.press("f9")
    for _ in range(7):
        tree.advance(1.0)
    user.press("f9")  # the first press is long ago
    assert (len(loaded), messages[-1]) == (2, asked)
    user.drag((9, 5))
    user.press("f9")  # there are more edits now
    assert len(loaded) == 2
    user.press("f5", "f9")
    assert len(loaded) == 3
    user.drag((5, 5))
    terrain.remove_child(editor)
    assert not editor.may_drop_edits("R")
    terrain.add_child(editor)
    assert editor.may_drop_edits("R")


def test_a_map_is_drawn_on_where_it_lies_in_front(tree, terrain, user, tmp_path):
    other = tree.root.add_child(Terrain3D(TileMap(np.ones((4, 4), int))))
    other.np.set_pos(40, 0, 0)
    second = other.add_child(MapEditor3D(tmp_path / "other.tmap"))
    user.press("f2")
    user.drag((5, 5))
    assert second.is_active
    assert other.tilemap.version == 0
    assert levels(terrain.tilemap) == {(5, 5): 2}


@pytest.mark.usefixtures("camera")
def test_it_leaves_nothing_behind(make_user, tree, terrain, traces, tmp_path):
    user = make_user(terrain)
    before = traces()
    editor = terrain.add_child(MapEditor3D(tmp_path / "vale.tmap"))
    user.press("f2")
    user.point((5, 5))
    user.press("mouse1")
    user.point((5, 6))
    assert len(levels(terrain.tilemap)) == 2
    editor.queue_free()
    tree.advance(0.0)
    assert traces() == before
    assert levels(terrain.tilemap) == {}
    assert not terrain.tilemap.has_stroke
    with pytest.raises(RuntimeError, match="is not inside a tree"):
        _ = editor.map_editor


@pytest.mark.usefixtures("large_window")
def test_the_edge_at_the_pointer_is_shown_and_a_click_builds_its_wall(base, terrain, user, tilemap):
    user.press("f2", "9")
    user.point((6, 5), north=0.35)
    x, y, z = tilemap.surface_point((6, 5))
    image, places = picture(base), [(x, y + side, z + 0.15) for side in (0.5, -0.5)]
    near, far = (color_at(base, terrain, image, place) for place in places)
    assert near[0] - near[2] > far[0] - far[2] + 30  # more orange
    user.press("mouse1", "mouse1-up")
    assert [{wall.start, wall.end} for wall in tilemap.walls] == [{(5, 5, 0), (6, 5, 0)}]
    user.point((6, 5), north=-0.35)
    user.press("mouse1", "mouse1-up")
    assert len(tilemap.walls) == 2


def test_a_copy_is_seen_where_it_would_lie_before_a_click_puts_it(base, terrain, user, tilemap):
    one_edit(tilemap).set_kind((3, 3), "snow")
    user.press("f2", "0")
    user.drag((3, 3), (4, 4))
    user.point((9, 9))
    plain = color(base, terrain, picture(base), (8, 8))
    user.press("control-c", "control-v")
    ghost = color(base, terrain, picture(base), (8, 8))
    assert ghost[2] > plain[2] + 30  # snow is bluer than grass
    assert tilemap.kind_at((8, 8)).name == "grass"
    user.press("mouse1", "mouse1-up", "escape")
    assert tilemap.kind_at((8, 8)).name == "snow"
    user.press("control-z")
    assert tilemap.kind_at((8, 8)).name == "grass"
