"""Play one search on the map, or two side by side, and open that player by a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from ai.view.search_theatre_3d import SearchTheatre3D
from ai.view.step_player import StepPlayer
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import tr
from terrain3d.look.orbit import map_box
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays.flat_shapes import PIN_HEIGHT
from terrain3d.view.camera import SplitView
from terrain3d.view.command import Command, with_keys
from terrain3d.view.hud.hud import Caption3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D
from terrain3d.view.window.viewport import LEFT, RIGHT

if TYPE_CHECKING:
    from ai.navigation.comparison import SearchComparison
    from ai.navigation.replay import Replay
    from terrain3d.core.node import Node
    from terrain3d.look.orbit import OrbitView
    from terrain3d.view.camera import OrbitCamera3D


_LEAST_PITCH_DEG = 36.0
_INTENDED_S = 20.0
_SLOW = 6.0
_REST_S = 2.0
"""Time for which the end of a search is shown before the next one, while it plays again."""


class SearchPlayer3D(StepPlayer):
    """Plays one search, or two side by side, step by step; a child of Terrain3D.

    The searches run in a thread, and again after an edit of the map.

    Parameters
    ----------
    source : SearchComparison
        Runs searches on the terrain's map.
    camera : OrbitCamera3D, optional
        Frames the searched part of the map until the user moves it, and returns when the player
        leaves the tree.
    name : str
    """

    exit_requested = Signal()
    """Esc was pressed; the owner should free the node."""

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of the captions' text")
    path_color = export(
        PAINTED.path, range=(0.0, 1.0), doc="color of the paths found: red, green and blue in 0..1"
    )

    def __init__(
        self, source: SearchComparison, camera: OrbitCamera3D | None = None, name: str = ""
    ) -> None:
        super().__init__(name)
        self._source, self._camera = source, camera
        self._before: OrbitView | None = None
        self._framed: OrbitView | None = None
        self._kept_step: int | None = None  # of a pause, for the next search
        self._version = -1
        self._search: Future[Sequence[Replay]] | None = None
        self.theatres: tuple[SearchTheatre3D, ...] = ()
        """The nodes that play the searches; empty until the searches are done."""
        self._split: SplitView | None = None
        self.is_endless = False
        """Whether one search after the other is played, between random ends."""
        self._rest_s = _REST_S
        self._note = self.add_child(Caption3D())

    @property
    def n_steps(self) -> int:
        """The last step of the longest search."""
        return max((theatre.n_steps for theatre in self.theatres), default=0)

    @property
    def status(self) -> str:
        """The playback state as text."""
        if not self.is_endless:
            return super().status
        ends = with_keys("{play_again} ends the series", self.panda.input)
        return tr("{first}; {then}", first=super().status, then=ends)

    def toggle(self) -> None:
        """Play or pause; a pause also ends the series of searches."""
        self.is_endless = False
        super().toggle()

    def play_again(self) -> None:
        """Play searches between random ends, one after the other; or end that series."""
        self.is_endless = not self.is_endless
        if self.is_endless:
            self._begin_next()

    @property
    def problem(self) -> str:
        """Why no search can be played; "" if one can, or while the searches run."""
        return "" if self.theatres or self._search else "\n".join(self._note.lines)

    def _enter_tree(self) -> None:
        super()._enter_tree()
        if self._camera is not None:
            self._before = self._camera.goal
        self._open()

    def _commands(self) -> list[Command]:
        def change(name: str, key: str, text: str, call: Callable[[], None], label: str) -> Command:
            return Command(name, key, text, partial(self._change, call), label)

        source, close = self._source, self.exit_requested.emit
        order = "explore tiles of equal scores in the next order: last added, high or low g first"
        rival = "compare with another algorithm, with another uphill cost, or not at all"
        again = "play again between a random start and goal, until G or Space is pressed"
        escape, closes = "escape gamepad-face_b", "close the search theatre"
        return [
            *super()._commands(),
            change(
                "next_algorithm", "o", "use the next algorithm", source.next_algorithm, "Algorithm"
            ),
            change(
                "next_heuristic", "h", "use the next heuristic", source.next_heuristic, "Heuristic"
            ),
            change("next_order", "x", order, source.next_order, "Order"),
            change("next_rival", "i", rival, source.next_rival, "Compare"),
            Command("play_again", "g", again, self.play_again, "Again"),
            Command("close_search", escape, closes, close, "Close"),
        ]

    def _exit_tree(self) -> None:
        self._clear()
        camera = self._camera
        if camera is not None and camera.is_inside_tree and self._before is not None:
            camera.goal = self._before

    def _process(self, dt_s: float) -> None:
        if terrain_above(self).tilemap.version != self._version:
            self._open()
        if self._search is not None and self._search.done():
            self._set_up(self._search)
            self._search = None
        self._note.text_scale = self.text_scale
        for theatre in self.theatres:
            theatre.text_scale, theatre.path_color = self.text_scale, self.path_color
        if self._split is not None:
            self._split.update(is_line_shown=not self.panda.is_help_open)
        super()._process(dt_s)
        is_over = self.is_endless and self._search is None and self._step == self.n_steps
        self._rest_s = self._rest_s - dt_s if is_over else _REST_S
        if self._rest_s < 0:
            self._begin_next()

    def _show_step(self, step: int) -> None:
        for theatre in self.theatres:
            theatre.step = min(step, theatre.n_steps)

    def _change(self, change: Callable[[], None]) -> None:
        """Run the searches of other options; a pause before the end is kept."""
        if self.theatres:
            is_paused = not self.playing and self._step < self.n_steps
            self._kept_step = self._step if is_paused else None
        change()
        self._open()

    def _begin_next(self) -> None:
        """Run the searches between other ends, and frame and play them."""
        self._framed = self._kept_step = None
        self._source.next_ends()
        self._open()

    def _open(self) -> None:
        """Run the searches of the current options."""
        tilemap = terrain_above(self).tilemap
        self._version = tilemap.version
        self._clear()
        self._note.box = map_box(tilemap, PIN_HEIGHT)
        self._note.show((tr("Searching"),))
        try:
            work = self._source.begin_replays()
        except (ValueError, IndexError) as error:
            self._note.show((str(error),))
            return
        executor = ThreadPoolExecutor(max_workers=1)
        self._search = executor.submit(work)
        executor.shutdown(wait=False)

    def _set_up(self, search: Future[Sequence[Replay]]) -> None:
        """Play the searches that are done."""
        try:
            replays = search.result()
        except (ValueError, RuntimeError) as error:
            self._note.show((str(error),))
            return
        self._note.show(())
        theatres = (SearchTheatre3D(replay, has_keys=False) for replay in replays[:2])
        self.theatres = tuple(map(self.add_child, theatres))
        if len(self.theatres) > 1:
            left, right = self.theatres
            self._split = SplitView(self.panda.viewport, left.np, right.np)
            left.part, right.part = LEFT, RIGHT
        self.speed = max(_SLOW, round(self.n_steps / _INTENDED_S))
        self._frame()
        kept, self._kept_step = self._kept_step, None
        if kept is None:
            self.play()
        else:
            self.step = min(kept, self.n_steps - 1)

    def _frame(self) -> None:
        """Move the camera to show everything that is searched, unless the user has moved it."""
        camera = self._camera
        if camera is None or not self.panda.has_camera:
            return
        if self._framed not in {None, camera.goal}:
            return
        corners = [corner for theatre in self.theatres for corner in theatre.box]
        pitch_deg = max(camera.goal.pitch_deg, _LEAST_PITCH_DEG)
        camera.goal = camera.framing(camera.goal.heading_deg, pitch_deg, corners)
        self._framed = camera.goal

    def _clear(self) -> None:
        """Stop playing and remove the searches."""
        self.pause()
        self._step = 0
        self._search = None
        for theatre in self.theatres:
            theatre.queue_free()
        self.theatres = ()
        if self._split is not None:
            self._split.close()
            self._split = None


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
        choose: Callable[[], SearchComparison | None],
        camera: OrbitCamera3D,
        others: Sequence[Node] = (),
        name: str = "",
    ) -> None:
        super().__init__(name)
        self._choose, self._camera, self._others = choose, camera, tuple(others)
        self.player: SearchPlayer3D | None = None
        """The node that plays the search; None while the theatre is closed."""

    def toggle(self) -> None:
        """Open the theatre with the chosen searches, or close it."""
        source = self._choose() if self.player is None else None
        if self.player is not None:
            self.close()
        elif source is not None and self.parent is not None:
            for node in self._others:
                self.parent.remove_child(node)
            self.player = self.add_child(SearchPlayer3D(source, self._camera))
            self.player.exit_requested.connect(self.close)
            self.changed.emit()

    def close(self) -> None:
        """Close the theatre and add the other nodes again; does nothing if it is closed."""
        if self.player is None or self.parent is None:
            return
        player, self.player = self.player, None
        self.remove_child(player)  # its keys work no more
        player.queue_free()
        for node in self._others:
            self.parent.add_child(node)
        self.changed.emit()

    def _enter_tree(self) -> None:
        text = "open or close the search theatre: for the path aimed at, or a random one"
        toggle = Command("search_theatre", "f3", text, self.toggle, "Search theatre")
        self.accept_actions([toggle], "Map")

    def _process(self, _dt_s: float) -> None:
        if self.player is not None:
            self.player.text_scale, self.player.path_color = self.text_scale, self.path_color
