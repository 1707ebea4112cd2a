"""Queries from many threads, and answers that do not depend on what was asked before."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from ai import Board, MoveProfile, Navigation, Unit
from terrain3d import Cell, TileMap
from tests.support.programs import NO_DISPLAY, run_python

SIZE = 160
START, GOAL = Cell(SIZE // 2, 2), Cell(SIZE // 2, SIZE - 3)
DOORS = (Cell(3, SIZE // 2), Cell(SIZE - 30, SIZE // 2))
"""The two gaps of a wall between start and goal, of which one is open at a time."""
PROFILE = MoveProfile(max_climb=1, climb_cost=1)
N_EDITS = 150


def divided_map():
    level = np.zeros((SIZE, SIZE), dtype=int)
    level[:, SIZE // 2] = 9
    level[DOORS[0][:2]] = 1
    return TileMap(level)


def swap_doors(tilemap):
    is_first = tilemap.level_at(DOORS[0]) == 1
    with tilemap.edit("swap doors") as edit:
        edit.set_level(DOORS[0], 9 if is_first else 1)
        edit.set_level(DOORS[1], 1 if is_first else 9)


def undo_and_redo(tilemap):
    if not tilemap.undo():
        tilemap.redo()


def run_search(nav):
    search = nav.begin_search(START, GOAL, PROFILE)
    with suppress(RuntimeError):  # "the map was edited since": the search refuses to go on
        search.run()
    return search.path and search.path.cost


QUESTIONS = {
    "find_path": lambda nav: nav.find_path(START, GOAL, PROFILE).as_array().tobytes(),
    "find_path with a limit": lambda nav: nav.find_path(START, GOAL, PROFILE, max_cost=1e6).cost,
    "find_path to several": lambda nav: nav.find_path(START, [GOAL, (0, SIZE - 1)], PROFILE).cost,
    "find_paths": lambda nav: [p.cost for p in nav.find_paths([START] * 3, [GOAL] * 3, PROFILE)],
    "reach": lambda nav: nav.reach(START, 260, PROFILE).as_costs().tobytes(),
    "cost_field": lambda nav: nav.cost_field(GOAL, PROFILE).cost.tobytes(),
    "distance": lambda nav: nav.distance(START, GOAL, PROFILE),
    "begin_search": run_search,
    "explain_step": lambda nav: nav.explain_step(DOORS[0]._replace(col=79), DOORS[0], PROFILE),
    "to_text": lambda nav: nav.tilemap.to_text(),
}
ALL_QUESTIONS = QUESTIONS | {
    "is_reachable": lambda nav: nav.is_reachable(START, GOAL, PROFILE),
    "steps_from": lambda nav: nav.steps_from(START, PROFILE),
    "explain_stop": lambda nav: nav.explain_stop(START, PROFILE),
    "line_of_sight": lambda nav: nav.line_of_sight(START, GOAL),
    "has_index": lambda nav: Navigation(nav.tilemap).has_index(PROFILE),
}


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("change", [swap_doors, undo_and_redo])
def test_an_answer_in_a_thread_is_that_of_one_state(name, change):
    ask = QUESTIONS[name]
    tilemap = divided_map()
    expected = [ask(Navigation(tilemap))]
    swap_doors(tilemap)
    expected += [ask(Navigation(tilemap)), None if name == "begin_search" else expected[0]]
    assert expected[0] != expected[1]
    navigation, is_over = Navigation(tilemap), threading.Event()

    def query(_):
        answers = [ask(navigation)]
        while not is_over.is_set():
            answers.append(ask(navigation))
        return answers

    with ThreadPoolExecutor(2) as threads:
        found = threads.map(query, range(2))
        for _ in range(N_EDITS):
            change(tilemap)
        is_over.set()
        assert sum(answer not in expected for answers in found for answer in answers) == 0
    assert ask(navigation) == ask(Navigation(tilemap))


@pytest.mark.parametrize("name", ALL_QUESTIONS)
def test_a_query_waits_for_an_edit_that_is_being_applied(name):
    ask, tilemap = ALL_QUESTIONS[name], divided_map()
    navigation = Navigation(tilemap)
    ask(navigation)
    wait_for_edit(tilemap, lambda: ask(navigation))


def test_a_reason_that_is_read_later_waits_for_an_edit():
    tilemap = divided_map()
    path = Navigation(tilemap).find_path(START, GOAL, MoveProfile(max_climb=0))
    wait_for_edit(tilemap, lambda: path.reason)


def wait_for_edit(tilemap, ask):
    query = threading.Thread(target=ask)
    with tilemap.lock:
        query.start()
        query.join(0.05)
        assert query.is_alive()
    query.join(10)
    assert not query.is_alive()


def digest_of_board():
    board = Board(TileMap.from_noise(9, 9, seed=3))
    profile = MoveProfile(kind_cost={"#liquid": 1, "lava": None}, no_stop={"swamp", "rock"})
    board.add(Unit("Mira", (4, 4), profile=profile))
    return board.digest()


def test_the_order_of_hashes_changes_no_digest():
    code = "from tests.ai.navigation.test_races import digest_of_board; print(digest_of_board())"
    done = run_python("-c", code, env=NO_DISPLAY | {"PYTHONHASHSEED": "2024"}, check=True)
    assert done.stdout.strip() == digest_of_board()
