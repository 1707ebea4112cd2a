"""Write searches as a numbered series of pictures and a GIF, without a window."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ai.trace.comparison import SearchComparison
from ai.view.search_player_3d import SearchPlayer3D
from terrain3d.core import gif
from terrain3d.core.files import check_target
from terrain3d.view.camera import OrbitCamera3D
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.window import window

if TYPE_CHECKING:
    from ai.trace.recording import Replay
    from terrain3d.look.settings import Settings
    from terrain3d.map.tilemap import TileMap

_WARM_UP_FRAMES = 3

GIF_NAME = "search.gif"
"""Name of the GIF in the folder of the pictures."""

_GIF_S = 12.0
_FASTEST_S, _SLOWEST_S, _LAST_S = 0.05, 0.4, 2.5


class _RecordedSearches(SearchComparison):
    """Searches that are done."""

    def __init__(self, replays: Sequence[Replay]) -> None:
        self._replays = tuple(replays)

    def begin_replays(self) -> Callable[[], tuple[Replay, ...]]:
        """Return a function that returns the recordings."""
        return lambda: self._replays


def picture_name(number: int) -> str:
    """Return the file name of a picture."""
    return f"search-{number:05d}.png"


def check_folder(folder: Path) -> None:
    """Create the folder for the pictures; `OSError` if it cannot be created or written to."""
    try:
        folder.mkdir(exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise type(error)(f"cannot write pictures to {folder}: {error.strerror}") from None


def write_pictures(
    tilemap: TileMap,
    replays: Sequence[Replay],
    folder: Path | None,
    gif_path: Path | None,
    every: int,
    size: tuple[int, int],
    settings: Settings,
) -> Iterator[tuple[int, int]]:
    """Draw one search, or two side by side, and write pictures of a size and a GIF.

    Pictures are `every` steps apart, but the first and the last step are always shown. The GIF is
    in the folder if it has no path of its own. Pictures left over from a longer series in the
    folder are removed; without a folder only the GIF is kept. Yield the number of pictures written
    so far, and in all.

    `ValueError` or `OSError`, before anything is drawn, if nothing can be written there.
    `PillowMissing` if the GIF cannot be written; the pictures in the folder are. `RuntimeError` if
    no renderer of this machine can draw into memory.
    """
    with ExitStack() as stack:
        if folder is None:
            gif.check_pillow()
            folder = Path(stack.enter_context(TemporaryDirectory()))
        check_folder(folder)
        gif_path = gif_path or folder / GIF_NAME
        check_target(gif_path, "a GIF", ".gif")
        tree = stack.enter_context(window.still_tree(size, settings.quality))
        terrain = Terrain3D(tilemap, quality=settings.quality)
        terrain.mood = settings.mood  # before the first frame: later changes are gradual
        tree.root.add_child(terrain)
        camera = tree.root.add_child(OrbitCamera3D(target=terrain))
        stage = terrain.add_child(SearchPlayer3D(_RecordedSearches(replays), camera))
        step_frame = tree.base.task_mgr.step
        while not stage.theatres:
            step_frame()
        stage.pause()
        camera.look(camera.goal)
        terrain.build_visible()
        stage.step = 0
        for _ in range(_WARM_UP_FRAMES):
            step_frame()
        steps = [*range(0, stage.n_steps, every), stage.n_steps]
        pictures = [folder / picture_name(number) for number in range(len(steps))]
        for number, step in enumerate(steps):
            stage.step = step
            step_frame()
            window.save_picture(tree.base, pictures[number])
            yield number + 1, len(steps)
        for path in folder.glob("search-?????.png"):
            if path.name > pictures[-1].name:
                path.unlink()
        frame_s = min(max(_GIF_S / len(pictures), _FASTEST_S), _SLOWEST_S)
        gif.write_gif(pictures, gif_path, frame_s, _LAST_S)
