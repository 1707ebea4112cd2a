"""Plays a recorded game in a window, or records it as a GIF."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import ai
from terrain3d.core import gif
from terrain3d.core.files import check_target
from terrain3d.look.quality import QUALITIES
from terrain3d.look.settings import Settings
from terrain3d.program.scene.watch_scene import REST_S, WatchScene
from terrain3d.view import attach
from terrain3d.view.window import window

PICTURE_S = 0.1
"""Time between two pictures of a GIF."""

MAX_PICTURES = 3000
"""The most pictures of a GIF: five minutes."""

_LAST_S = 2.5
_WARM_UP_FRAMES = 3


def play_in_window(record: ai.GameRecord, size: tuple[int, int], settings: Settings) -> bool:
    """Play a game in a window until the window is closed; False without a display."""
    base = window.open_window(*size, QUALITIES[settings.quality].samples)
    if base is None:
        return False
    attach(base).root.add_child(WatchScene(record, settings)).add_controls()
    with suppress(SystemExit):  # raised when the window is closed
        base.run()
    return True


def check_length(record: ai.GameRecord) -> None:
    """Raise `ValueError` if the GIF of a game would have more than MAX_PICTURES pictures."""
    playback, elapsed_s = ai.GamePlayback(record), 0.0
    for step in range(1, playback.n_steps + 1):
        playback.step = step
        actor, elapsed_s = playback.actor, elapsed_s + REST_S
        while actor is not None and actor.is_moving and elapsed_s <= MAX_PICTURES * PICTURE_S:
            actor.advance(PICTURE_S)
            elapsed_s += PICTURE_S
        if elapsed_s > MAX_PICTURES * PICTURE_S:
            limit = f"{MAX_PICTURES} pictures, {MAX_PICTURES * PICTURE_S:g} s of the game"
            raise ValueError(f"a GIF has at most {limit}, which end in move {step}")


def write_game_gif(
    record: ai.GameRecord, path: Path, size: tuple[int, int], settings: Settings
) -> Iterator[str]:
    """Play a game without a window and write it as a GIF; yield the status of each step.

    `ValueError` or `OSError` if the GIF cannot be written there or has too many pictures,
    `PillowMissing` without Pillow, `RuntimeError` if no renderer of this machine can draw into
    memory.
    """
    gif.check_pillow()
    check_target(path, "a GIF", ".gif")
    check_length(record)
    with window.still_tree(size, settings.quality) as tree, TemporaryDirectory() as folder:
        scene, base = tree.root.add_child(WatchScene(record, settings)), tree.base
        player = scene.player
        scene.terrain.build_visible()
        for _ in range(_WARM_UP_FRAMES):
            base.task_mgr.step()
        pictures, shown = list[Path](), -1
        while not pictures or player.playing or player.is_walking:
            tree.advance(PICTURE_S if pictures else 0.0)
            scene.terrain.build_visible()
            base.task_mgr.step()
            pictures.append(Path(folder) / f"{len(pictures)}.png")
            window.save_picture(base, pictures[-1])
            if player.step > shown:
                shown = player.step
                yield player.status
        gif.write_gif(pictures, path, PICTURE_S, _LAST_S)
