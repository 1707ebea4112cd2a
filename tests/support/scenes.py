"""What a player does in the composed scene, a mouse, and what the window shows of its panels."""

from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace

from panda3d.core import ButtonThrower, MouseButton, MouseWatcher, Point3, VirtualMouse

from terrain3d import Cell
from terrain3d.view import Button
from terrain3d.view.hud.widgets import Group


def press(base, tree, *keys):
    for key in keys:
        base.messenger.send(key)
        tree.advance(0.01)


def figure(scene, name="Mira"):
    return next(each for each in scene.terrain.pick_targets if each.unit.name == name)


def watch(tree, scene, row=3, col=3):
    """Select Mira, aim at a tile, and play the search for the path there; return the theatre."""
    scene.commander_3d.select_next()
    scene.commander.aim_at((row, col))
    press(scene.terrain.panda.base, tree, "f3")
    assert scene.mode is scene.watch
    return scene.watch.theatre


def framed(base, np_):
    """Give (left, bottom, right, top) in -1..1 of where the engine finds an item of the window."""
    left, right, bottom, top = np_.node().get_frame()
    corners = Point3(left, 0, bottom), Point3(right, 0, top)
    low, high = (base.render2d.get_relative_point(np_, corner) for corner in corners)
    return low.x, low.z, high.x, high.z


def panels_of(hud):
    docks = (*hud._docks.values(), hud._front_dock)
    panels = [*(dock.panel for dock in docks), hud._label]
    return [each for each in panels if not any(above.is_hidden() for above in each.np.ancestors)]


def shown_boxes(base, hud, size):
    """Give the (left, top, right, bottom) in pixels of every plate that is shown."""
    boxes, (width, height) = [], size
    parts = [part for panel in panels_of(hud) for part in panel.parts.values()]
    for part in (part for part in parts if isinstance(part.widget, Button | Group)):
        left, right = ((x + 1) / 2 * width for x in framed(base, part.np)[::2])
        bottom, top = ((1 - y) / 2 * height for y in framed(base, part.np)[1::2])
        boxes.append([left, top, right, bottom])
    return boxes


def assert_inside_and_apart(boxes, size):
    """Check that boxes of `shown_boxes` are inside of the window, and none covers another."""
    width, height = size
    for left, top, right, bottom in boxes:
        assert -1 <= left < right <= width + 1, size
        assert -1 <= top < bottom <= height + 1, size
    for one, other in combinations(boxes, 2):
        is_beside = one[2] <= other[0] + 1 or other[2] <= one[0] + 1
        assert is_beside or one[3] <= other[1] + 1 or other[3] <= one[1] + 1, size


@dataclass
class Pose:
    point: tuple[float, float, float]
    heading_deg: float = 0.0
    action: str = "stand"


class Mover:
    """Stands where it is put, and records the time that passes."""

    def __init__(self, point=(2.5, -2.5, 0.0), team="blue", cell=None):
        self.name, self.team, self.pose = "Mira", team, Pose(point)
        self.cell = Cell(int(-point[1]), int(point[0])) if cell is None else cell
        self.advanced_s = []

    def advance(self, dt_s):
        self.advanced_s.append(dt_s)


class Watcher:
    def __init__(self):
        self.at = None

    def has_mouse(self):
        return self.at is not None

    def get_mouse(self):
        return SimpleNamespace(x=self.at[0], y=self.at[1])

    def get_display_region(self):
        return None

    def is_over_region(self):
        return False


class Pads(list):
    """Gamepads whose buttons and axes a test sets, and the tree that reads them."""

    def __init__(self, tree, count=1):
        super().__init__(SimpleNamespace(buttons=set(), axes={}) for _ in range(count))
        self._tree = tree
        tree.input.find_gamepads = lambda: self

    def push(self, seconds=0.05, **axes):
        """Move sticks of the first one, and play as long."""
        self[0].axes = axes
        self._tree.input.poll(seconds)
        self._tree.advance(0.01)

    def tap(self, button="", **axes):
        for self[0].buttons, pushed in (({button}, axes), (set(), {})):
            self.push(0.01, **pushed)


BUTTONS = {"left": MouseButton.one(), "right": MouseButton.three()}


class Mouse:
    """A mouse on the window whose events take the engine's way; places are pixels from top left."""

    def __init__(self, base):
        self._base, self._own = base, base.mouseWatcherNode
        self._device = VirtualMouse("mouse")
        self._device.set_window_size(*base.win.get_size())
        self._np = base.dataRoot.attach_new_node(self._device)
        self.watcher = base.mouseWatcherNode = MouseWatcher("watcher")
        thrower = ButtonThrower("buttons")
        self._np.attach_new_node(self.watcher).attach_new_node(thrower)
        base.task_mgr.step()

    def move(self, x, y):
        self._device.set_mouse_on(True)
        self._device.set_mouse_pos(round(x), round(y))
        self._step()

    def press(self, button="left"):
        self._device.press_button(BUTTONS[button])
        self._step()

    def release(self, button="left"):
        self._device.release_button(BUTTONS[button])
        self._step()

    def click(self, x, y, button="left"):
        self.move(x, y)
        self.press(button)
        self.release(button)

    def _step(self):
        for _ in range(2):  # what is drawn in one frame is found in the next
            self._base.task_mgr.step()

    def close(self):
        self._base.mouseWatcherNode = self._own
        self._np.remove_node()


def middle_of(hud, name, index=0):
    """Give the middle of a part that the mouse finds on a dock, or on what is in front of all."""
    panel = (hud.dock(name) if name else hud._front_dock).panel
    box = [part.box for part in panel.parts.values()][index]
    across, down = panel.np.get_x() + box.left, -panel.np.get_z() + box.top
    return across + box.width / 2, down + box.height / 2
