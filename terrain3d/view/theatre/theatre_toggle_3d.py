"""Opens and closes the search theatre by a key, in exchange for other nodes."""

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

KEYS = (("F3", "toggle the search theatre: for the path aimed at, or a random one"),)
"""(keys, what they do): the row that help texts show."""


class TheatreToggle3D(Node3D):
    """Opens and closes the search theatre by F3; a child of Terrain3D.

    Parameters
    ----------
    choose : callable
        Returns the searches to play; None leaves the theatre closed.
    camera : OrbitCamera3D
        Frames the searched part of the map until the user moves it, and returns afterward.
    others : sequence of Node
        Children of the same terrain; they leave the tree, with their marks and keys, while a
        search plays.
    name : str
    """

    changed = Signal()
    """The theatre was opened or closed."""

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the captions' text")
    path_color = export(
        PAINTED.path, range=(0.0, 1.0), doc="color of the paths found: red, green and blue in 0..1"
    )

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
        """The node that plays the search; None while the theatre is closed."""
        return self._player

    def toggle(self) -> None:
        """Open the theatre with the chosen searches, or close it."""
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
        """Close the theatre and add the other nodes again; does nothing if it is closed."""
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
