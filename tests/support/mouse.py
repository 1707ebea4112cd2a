"""A mouse at a place of the window, as the engine's watcher tells of it."""

from types import SimpleNamespace


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
