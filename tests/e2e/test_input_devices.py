"""The scene by each input device: keys only, the mouse on the small map, a touchpad."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageChops

from tests.support.desktop import Desktop, started

pytestmark = pytest.mark.window

SCENE = (330, 0, 1060, 600)
"""The middle of the window, where no panel is."""
SEED = ("--seed", "7", "--turns", "free")
ARROWS = ("Right", "Down", "Left", "Up")


@pytest.fixture
def desktop(display, tmp_path) -> Iterator[Desktop]:
    with started(display, tmp_path / "log.jsonl", *SEED) as program:
        yield program


def press(desktop: Desktop, key: str, event: str) -> dict:
    """Press a key and give the event that it brings about."""
    count = len(desktop.events())
    desktop.key(key)
    return desktop.wait_event(event, count)


def shape(desktop: Desktop) -> tuple[int, ...]:
    """Give place and size of the window."""
    lines = desktop.tool("getwindowgeometry", "--shell", desktop.window).splitlines()
    found = dict(line.split("=") for line in lines)
    return tuple(int(found[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))


def sees_a_change(desktop: Desktop, act: Callable[[], None], what: str, box=SCENE) -> None:
    before = desktop.picture().crop(box)
    act()
    desktop.wait(lambda: ImageChops.difference(before, desktop.picture().crop(box)).getbbox(), what)


def printed(desktop: Desktop) -> list[str]:
    """Return what the program itself printed, without lines of X."""
    return [line for line in desktop.output.read_text().splitlines() if "Xlib" not in line]


def wait_saved(desktop: Desktop, file: Path, chosen: dict[str, Any]) -> None:
    """Wait until the file of settings has these; they are saved after they are announced."""

    def is_saved() -> bool:
        with suppress(FileNotFoundError, ValueError):
            return chosen.items() <= json.loads(file.read_text()).items()
        return False

    desktop.wait(is_saved, f"{chosen} in {file.name}")


def order_by_keys(desktop: Desktop, start: list[int]) -> dict:
    """Aim at tiles around until one takes an order."""
    for arrow in ARROWS:
        if press(desktop, arrow, "hover")["cell"] == start:
            continue
        count = len(desktop.events())
        desktop.key("Return")
        answer = desktop.answers(count)[0]
        if answer["event"] == "ordered":
            return answer
        if answer["event"] == "selected":  # a unit stands there: back to the previous one
            press(desktop, "shift+Tab", "selected")
    raise AssertionError("no tile around took an order")


def test_the_keys_alone_do_everything(desktop):
    desktop.point(640, 715)  # the pointer rests where it does not matter
    units = {unit["name"]: unit for unit in desktop.events("ready")[0]["units"]}
    desktop.deselect()
    assert press(desktop, "Tab", "selected")["unit"] == "Mira"
    order = order_by_keys(desktop, units["Mira"]["cell"])
    assert order["cells"][0] == units["Mira"]["cell"]
    arrived = desktop.wait_event("arrived")
    assert arrived["cell"] == order["cells"][-1]
    back = press(desktop, "u", "undo")
    assert {unit["name"]: unit["cell"] for unit in back["units"]}["Mira"] == order["cells"][0]
    again = press(desktop, "ctrl+y", "redo")
    assert {unit["name"]: unit["cell"] for unit in again["units"]}["Mira"] == order["cells"][-1]
    desktop.wait(lambda: len(desktop.events("arrived")) == 2, "Mira to arrive again")
    names = [press(desktop, "Tab", "selected")["unit"] for _ in range(3)]
    assert names == ["Bram", "Ilka", "Tove"]
    assert press(desktop, "shift+Tab", "selected")["unit"] == "Ilka"
    assert press(desktop, "BackSpace", "selected")["unit"] is None
    # Looking around: each key changes the picture.
    for key in ("q", "e", "Prior", "plus", "t", "t", "Home", "F1", "F1"):
        sees_a_change(desktop, lambda key=key: desktop.key(key), f"what {key} does")
        time.sleep(0.6)
    before = shape(desktop)
    desktop.key("F11")
    desktop.wait(lambda: shape(desktop) == (0, 0, 1400, 900), "the window to fill the screen")
    desktop.key("F11")
    desktop.wait(lambda: shape(desktop) == before, "the window to be as it was")
    assert press(desktop, "c", "setting")["value"] is True
    assert press(desktop, "shift+r", "new_map")["seed"] == 8


def test_the_small_map_and_the_wheel_move_the_camera_and_give_no_orders(desktop):
    x, y = 1170, 110
    for place in ((x - 50, y - 50), (x + 50, y + 50)):
        desktop.point(*place)
        sees_a_change(desktop, desktop.click, "the camera to go there")
        time.sleep(0.6)
    desktop.point(700, 350)
    time.sleep(0.5)
    sees_a_change(desktop, lambda: desktop.click(4), "the wheel to zoom")
    time.sleep(0.6)
    desktop.tool("keydown", "shift")
    sees_a_change(desktop, lambda: desktop.drag((700, 350), (500, 300)), "the view to move")
    desktop.tool("keyup", "shift")
    received = {event["event"] for event in desktop.events()}
    assert received <= {"ready", "hover"}


def test_a_damaged_file_of_settings_is_told_and_what_is_chosen_is_there_next_time(
    display, tmp_path
):
    file, damaged = tmp_path / "mine.json", '{"format": "terrain3d sett'
    file.write_text(damaged)
    chosen = {"palette": "Okabe-Ito", "text_scale": 1.25, "motion_speed": 2.0, "skip_motion": True}
    with started(display, tmp_path / "first.jsonl", *SEED, "--settings", str(file)) as desktop:
        assert desktop.events("ready")[0]["settings"]["palette"] == "painted"
        [line] = printed(desktop)
        assert str(file) in line
        assert line.endswith("using defaults")
        for key, value in zip(("p", "bracketright", "greater", "k"), chosen.values(), strict=True):
            assert press(desktop, key, "setting")["value"] == value
        wait_saved(desktop, file, chosen)
    assert (tmp_path / "mine.json.bad").read_text() == damaged
    with started(display, tmp_path / "second.jsonl", *SEED, "--settings", str(file)) as desktop:
        assert chosen.items() <= desktop.events("ready")[0]["settings"].items()
        assert printed(desktop) == []
