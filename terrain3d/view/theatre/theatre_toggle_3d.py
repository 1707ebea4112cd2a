"""The way into the search theatre and out of it again, while other nodes wait outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from terrain3d.core.exports import export
from terrain3d.core.signals import Signal
from terrain3d.look.palettes import PAINTED
from terrain3d.view.theatre.search_player_3d import ReplaySource, SearchPlayer3D
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.core import Node
    from terrain3d.view.camera.orbit_camera_3d import OrbitCamera3D

KEYS = (("F3", "play the search for the path aimed at, or leave it"),)
"""(keys, what they do): the row that help texts show."""


class TheatreToggle3D(Node3D):
    """Lets a person watch a search on the map and come back; a child of Terrain3D.

    Parameters
    ----------
    choose : callable
        Gives what to watch, or None for nothing.
    camera : OrbitCamera3D
        It goes to what is searched, and back.
    others : sequence of Node
        Children of the same terrain that leave the tree, with their marks and keys, as long as a
        search plays.
    name : str
    """

    changed = Signal()
    """A theatre was opened or closed."""

    text_scale = export(1.0, range=(0.5, 4.0), doc="of the captions' letters")
    path_color = export(PAINTED.path, doc="of the ways in the end: red, green and blue in 0..1")

    def __init__(
        self,
        choose: Callable[[], ReplaySource | None],
        camera: OrbitCamera3D,
        others: Sequence[Node] = (),
        name: str = "",
    ) -> None:
        super().__init__(name)
        self._choose, self._camera, self._others = choose, camera, tuple(others)
        self._player: SearchPlayer3D | None = None

    @property
    def player(self) -> SearchPlayer3D | None:
        """What plays the search; None while none does."""
        return self._player

    def toggle(self) -> None:
        """Play what is chosen, or stop playing."""
        source = self._choose() if self._player is None else None
        if self._player is not None:
            self.close()
        elif source is not None and self.parent is not None:
            for node in self._others:
                self.parent.remove_child(node)
            self._player = self.add_child(SearchPlayer3D(source, self._camera))
            self._player.exit_requested.connect(self.close)
            self.changed.emit()

    def close(self) -> None:
        """Stop playing, and let the others come back; nothing happens if nothing plays."""
        if self._player is None or self.parent is None:
            return
        self._player.queue_free()
        self._player = None
        for node in self._others:
            self.parent.add_child(node)
        self.changed.emit()

    def _enter_tree(self) -> None:
        self.accept("f3", self.toggle)

    def _process(self, _dt_s: float) -> None:
        if self._player is not None:
            self._player.text_scale, self._player.path_color = self.text_scale, self.path_color
