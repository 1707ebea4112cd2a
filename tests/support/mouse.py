"""A mouse at a place of the window, as the engine's watcher tells of it."""

from types import SimpleNamespace

from panda3d.core import ButtonThrower, MouseButton, MouseWatcher, VirtualMouse


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
    return (
        panel.np.get_x() + box.left + box.width / 2,
        -panel.np.get_z() + box.top + box.height / 2,
    )
