"""The scene in a real window, with real mouse and key events only."""

import signal
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import ImageChops

from tests.support.desktop import Desktop, started
from tests.support.selection import rest_nightly

pytestmark = pytest.mark.window


@pytest.fixture(params=rest_nightly(["square", "hex_odd_r"], 1))
def desktop(request, display, tmp_path) -> Iterator[Desktop]:
    asked = ("--seed", "7", "--turns", "free", "--topology", request.param)
    with started(display, tmp_path / "log.jsonl", *asked) as program:
        yield program


def blue_around(desktop: Desktop, pixel: list[int]) -> int:
    """Count the team's color around a place of the window."""
    x, y = pixel
    part = desktop.picture().crop((x - 18, y - 24, x + 18, y + 24))
    red, green, blue = np.moveaxis(np.asarray(part).astype(int), 2, 0)
    return int(((blue > red + 40) & (blue > green + 20)).sum())


def click_around(desktop, pixel, steps, event, start=None):
    """Click tiles around a place until one takes an order; give the event and the tile's cell."""
    for dx, dy in steps:
        seen = desktop.hover(pixel[0] + dx, pixel[1] + dy)
        if seen is None or seen["cell"] == start:
            continue
        count = len(desktop.events())
        desktop.click()
        desktop.answers(count)
        for each in desktop.events()[count:]:
            if each["event"] == event:
                return each, seen["cell"]
    raise AssertionError("no tile around took an order")


def is_different(before, after, box) -> bool:
    return ImageChops.difference(before.crop(box), after.crop(box)).getbbox() is not None


def test_a_person_selects_a_unit_sends_it_to_a_tile_and_sees_it_arrive(desktop):
    mira = next(unit for unit in desktop.events("ready")[0]["units"] if unit["name"] == "Mira")
    x, y = mira["pixel"]
    desktop.wait(lambda: blue_around(desktop, mira["pixel"]) > 20, "the figure")
    count = desktop.deselect()
    desktop.point(x, y)
    plain = desktop.picture()
    desktop.click()
    assert desktop.wait_event("selected", count)["unit"] == "Mira"
    around = (x - 200, y - 150, x + 200, y + 150)
    desktop.wait(lambda: is_different(plain, desktop.picture(), around), "the reach to light up")

    around = (120, 60), (-120, 60), (140, 0), (-140, 0), (80, 100), (-80, 100), (0, 120)
    order, cell = click_around(desktop, mira["pixel"], around, "ordered", mira["cell"])
    assert [order["cells"][0], order["cells"][-1]] == [mira["cell"], cell]

    arrived = desktop.wait_event("arrived")
    assert arrived["cell"] == order["cells"][-1]
    now = next(unit for unit in arrived["units"] if unit["name"] == "Mira")
    assert now["cell"] == order["cells"][-1]
    assert now["pixel"] != mira["pixel"]
    desktop.wait(lambda: blue_around(desktop, now["pixel"]) > 20, "the figure at its goal")

    count = len(desktop.events())
    desktop.key("u")
    back = desktop.wait_event("undo", count)
    assert next(unit for unit in back["units"] if unit["name"] == "Mira")["cell"] == mira["cell"]


def test_a_person_looks_around_and_asks_for_another_map(desktop):
    before = desktop.picture()
    desktop.drag((900, 500), (700, 470))
    whole = (0, 0, 1280, 720)
    desktop.wait(lambda: is_different(before, desktop.picture(), whole), "the camera to turn")
    assert not desktop.events("selected")
    desktop.key("shift+r")
    assert desktop.wait_event("new_map")["seed"] == 8
    desktop.wait(lambda: len(desktop.events("ready")) == 2, "the new map")


@pytest.mark.parametrize("desktop", ["square"], indirect=True)
def test_an_enemy_that_moves_by_itself_comes_up_to_the_nearest_unit(desktop):
    desktop.point(*desktop.units_from_afar()["Bram"]["pixel"])
    desktop.click()
    assert desktop.wait_event("selected")["unit"] == "Bram"
    desktop.key("z")
    assert desktop.wait_event("autopilot")["behavior"] == "Chase"

    def is_beside():
        cells = {unit["name"]: unit["cell"] for unit in desktop.events("arrived")[-1]["units"]}
        (row, col, _), (other_row, other_col, _) = cells["Bram"], cells["Mira"]
        return abs(row - other_row) + abs(col - other_col) == 1

    desktop.wait_event("arrived")
    desktop.wait(is_beside, "Bram to catch up with Mira")


@pytest.mark.parametrize("desktop", ["square"], indirect=True)
def test_a_person_draws_a_box_around_units_and_sends_them_together(desktop):
    units = desktop.units_from_afar()
    blue = [unit["pixel"] for unit in units.values() if unit["team"] == "blue"]
    low = [min(pixel[axis] for pixel in blue) - 25 for axis in (0, 1)]
    high = [max(pixel[axis] for pixel in blue) + 25 for axis in (0, 1)]
    desktop.tool("keydown", "Control_L")
    desktop.drag(tuple(low), tuple(high))
    desktop.tool("keyup", "Control_L")
    squad = desktop.wait_event("squad_selected")["units"]
    assert set(squad) == {name for name, unit in units.items() if unit["team"] == "blue"}
    count, around = len(desktop.events()), ((40, 20), (-40, 20), (40, -20), (-40, -20), (0, 40))
    order, _ = click_around(desktop, units["Mira"]["pixel"], around, "squad_ordered")
    goals = order["goals"]
    assert set(goals) == set(squad)

    def have_arrived():
        cells = {unit["name"]: unit["cell"] for unit in desktop.events("arrived")[-1]["units"]}
        return all(cells[name] == goal for name, goal in goals.items())

    desktop.wait_event("arrived", count)
    assert have_arrived()


@pytest.mark.parametrize("desktop", ["square"], indirect=True)
def test_interrupting_the_program_ends_it_without_a_traceback(desktop):
    desktop.program.send_signal(signal.SIGINT)
    assert desktop.program.wait(60) == 0
    assert "Traceback" not in desktop.output.read_text()
