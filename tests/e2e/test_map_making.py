"""Making a map in a real window: draw, take back, save, and find it again in the next start."""

import time

import numpy as np
import pytest

from terrain3d import TileMap
from tests.support.desktop import started

pytestmark = pytest.mark.window

START, END = (560, 400), (720, 400)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "vale.tmap"
    TileMap(np.ones((14, 14), int)).save(path)
    return path


def is_white(desktop, at):
    """Whether much of the picture around a place is white; the brush draws stripes over it."""
    x, y = at
    part = np.asarray(desktop.picture().crop((x - 10, y - 10, x + 10, y + 10)))
    return float((part.min(axis=2) > 110).mean()) > 0.3


def press(desktop, *names):
    count = len(desktop.events())
    desktop.key(*names)
    return desktop.wait_event("edited", count)["message"]


def aim(desktop, at):
    """Point at a tile that was not pointed at, and give it once the program has seen that."""
    count = len(desktop.events())
    desktop.point(*at)
    return tuple(desktop.wait_event("hover", count)["cell"][:2])


def snow(path):
    tilemap = TileMap.load(path)
    names = np.array([kind.name for kind in tilemap.kinds])
    return {tuple(cell) for cell in np.argwhere(names[tilemap.kind] == "snow").tolist()}


def test_a_map_is_drawn_undone_saved_found_again_and_changed_by_keys_alone(display, path, tmp_path):
    middle = ((START[0] + END[0]) // 2, START[1])
    with started(display, tmp_path / "first.jsonl", "--map", str(path), "--peaceful") as desktop:
        desktop.point(640, 715)
        desktop.units_from_afar()
        last, first = aim(desktop, END), aim(desktop, START)
        assert last != first
        assert not is_white(desktop, middle)
        desktop.key("F2", "4", "g", "g", "g", "g")
        desktop.tool("mousedown", "1")
        desktop.wait(lambda: is_white(desktop, START), "snow under the pointer")
        assert not is_white(desktop, middle)
        assert aim(desktop, END) == last
        desktop.tool("mouseup", "1")
        desktop.point(640, 715)
        desktop.wait(lambda: is_white(desktop, middle), "snow along the stroke")
        assert press(desktop, "ctrl+z") == "undone: paint snow"
        desktop.wait(lambda: not is_white(desktop, middle), "the snow to go")
        assert press(desktop, "ctrl+y") == "redone: paint snow"
        desktop.wait(lambda: is_white(desktop, middle), "the snow to come back")
        assert not desktop.events("selected")
        assert not desktop.events("ordered")
        assert snow(path) == set()
        assert press(desktop, "F5") == f"saved {path}"
    drawn = snow(path)
    assert {first, last} <= drawn
    assert 3 <= len(drawn) <= 14
    with started(display, tmp_path / "second.jsonl", "--map", str(path), "--peaceful") as desktop:
        desktop.point(640, 715)
        desktop.units_from_afar()
        desktop.wait(lambda: is_white(desktop, middle), "the snow of the first start")
        before = len(desktop.events())
        desktop.key("F2", "Right")
        cell = tuple(desktop.wait_event("hover", before)["cell"])
        desktop.key("Return", "Return")
        assert press(desktop, "F5") == f"saved {path}"
        assert TileMap.load(path).level_at(cell) == 3
        assert press(desktop, "ctrl+z") == "undone: raise"
        assert "F9 again drops them" in press(desktop, "F9")
        assert press(desktop, "F9") == f"loaded {path}"
        desktop.wait_event("new_map")
        desktop.wait(lambda: len(desktop.events("ready")) == 2, "the loaded map")
        assert press(desktop, "F5") == f"saved {path}"
        assert TileMap.load(path).level_at(cell) == 3
        before = len(desktop.events())
        desktop.key("F2")

        def selected():  # orders are taken a frame after the editor is left
            desktop.key("Tab")
            time.sleep(0.5)
            return [each for each in desktop.events()[before:] if each["event"] == "selected"]

        assert desktop.wait(selected, "a selected unit")[-1]["unit"]


COPY, PASTE = (29, 67), (89, 67)
"""Where these icons are in a window of 1280 x 720."""


def test_a_part_is_copied_by_clicks_and_saved_under_a_typed_name(display, path, tmp_path):
    kinds = np.random.default_rng(7).integers(0, 5, (14, 14))
    TileMap(np.ones((14, 14), int), kinds).save(path)

    def press_icon(at):
        count = len(desktop.events())
        desktop.point(*at)

        def answer():  # an icon is enabled a frame after the selection
            desktop.click()
            time.sleep(0.5)
            return [each for each in desktop.events()[count:] if each["event"] == "edited"]

        return desktop.wait(answer, "an answer to the icon")[-1]["message"]

    with started(display, tmp_path / "log.jsonl", "--map", str(path), "--peaceful") as desktop:
        desktop.point(640, 715)
        desktop.units_from_afar()
        desktop.key("F2", "0")
        first = aim(desktop, START)
        desktop.drag(START, END)
        last = tuple(desktop.events("hover")[-1]["cell"][:2])
        low, high = np.sort([first, last], axis=0)
        rows, cols = (high - low + 1).tolist()
        assert press_icon(COPY) == f"copied {cols} x {rows} tiles"
        assert press_icon(PASTE) == "Click a tile to paste the copied part there"
        place = aim(desktop, (640, 300))
        desktop.click()
        desktop.key("shift+F5", *["BackSpace"] * len("vale"))
        desktop.tool("type", "hill")
        saved = tmp_path / "hill.tmap"
        assert press(desktop, "Return") == f"saved {saved}"
    made = TileMap.load(saved).kind
    at = np.clip(np.subtract(place, (rows // 2, cols // 2)), 0, (14 - rows, 14 - cols))
    expected = kinds.copy()
    part = kinds[low[0] : low[0] + rows, low[1] : low[1] + cols]
    expected[at[0] : at[0] + rows, at[1] : at[1] + cols] = part
    assert (expected != kinds).any()
    assert np.array_equal(made, expected)
    assert np.array_equal(TileMap.load(path).kind, kinds)
