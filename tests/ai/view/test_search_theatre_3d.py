"""Searches played on the map: each tile seen as what it is at each step; nothing left behind."""

import itertools

import numpy as np
import pytest

from ai import MoveProfile, Navigation
from ai.navigation.search import DONE, FRONTIER
from ai.view import SearchTheatre3D
from ai.view.search_theatre_3d import FASTEST, LEAST_STEPS_S, SLOWEST
from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Hud, OrbitCamera3D, Terrain3D
from tests.support.selection import table
from tests.support.window_pictures import drawn, overlap, seen_boxes
from tests.support.window_pictures import picture_255 as picture

pytestmark = pytest.mark.usefixtures("large_window")

FIELD = "\n".join(["0" * 12] * 8)
START, GOAL = (4, 2), (4, 9)


@pytest.fixture
def tilemap():
    return TileMap.from_text(FIELD)


@pytest.fixture
def camera(tree, terrain):
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(0.0, 89.0, 22.0, (6.0, -4.0, 0.0)))
    return camera


@pytest.fixture
def theatre(terrain):
    return watched(terrain)


def watched(terrain, camera=None, start=START, goal=GOAL, **options):
    theatre = terrain.add_child(SearchTheatre3D(Navigation(terrain.tilemap), camera))
    theatre.watch(start, goal, **options)
    theatre.playing = False
    theatre.search.run()
    return theatre


def n_geoms(np_):
    nodes = drawn(np_).find_all_matches("**/+GeomNode")
    return sum(path.node().get_num_geoms() for path in nodes)


def lines(theatre):
    return theatre.caption.split("\n")


@pytest.mark.usefixtures("camera")
def test_forward_and_back_shows_the_same_picture(base, tree, theatre):
    theatre.seek(5)
    before = picture(base, tree)
    theatre.seek(theatre.n_steps)
    picture(base, tree)
    theatre.seek(0)
    for _ in range(5):
        base.messenger.send(".")
    assert np.array_equal(picture(base, tree), before)


@pytest.mark.parametrize("algorithm", ["astar", "greedy"])
def test_numbers_are_seen_from_near(base, tree, terrain, camera, theatre, algorithm):
    while theatre.search.algorithm != algorithm:
        base.messenger.send("o")
    search = theatre.search
    theatre.seek(10**6)
    numbers = theatre.get_node("numbers")
    near = OrbitView(0.0, 60.0, 6.0, terrain.tilemap.surface_point((4, 5)))
    camera.look(near)
    tree.advance(0.0)
    assert len(numbers.texts) > 5
    for point, text in zip(numbers.points, numbers.texts, strict=True):
        cell = terrain.tilemap.grid.cell_at(*point[:2])
        assert search.state[cell[:2]] in {FRONTIER, DONE}
        f, g, h = (values[cell[:2]] for values in (search.f, search.g, search.h))
        assert text == f"f{f:g}\ng{g:g} h{h:g}"
    seen = set(numbers.texts)
    camera.look(camera.home)
    tree.advance(0.0)
    assert numbers.texts == ()
    camera.look(near)
    tree.advance(0.0)
    assert set(numbers.texts) == seen
    theatre.seek(0)
    camera.look(OrbitView(0.0, 60.0, 6.0, terrain.tilemap.surface_point(START)))
    tree.advance(0.0)
    h = search.h[START]
    assert numbers.texts == (f"f{h:g}\ng0 h{h:g}",)  # of the start alone
    theatre.seek(1)
    tree.advance(0.0)
    assert len(numbers.texts) == 5


@pytest.mark.parametrize("seed", range(6))
def test_numbers_overlap_neither_each_other_nor_a_panel(base, tree, terrain, camera, theatre, seed):
    random = np.random.default_rng(seed)
    hud = tree.root.add_child(Hud())
    hud.unit_text, hud.status_text = "Mira\nclimbs 2", "a message"
    count = 0
    for _ in range(4):
        theatre.seek(int(random.integers(1, theatre.n_steps + 1)))
        theatre.text_scale = hud.text_scale = random.uniform(0.5, 2.5)
        cell = theatre.search.path.cells[int(random.integers(8))]
        turn, pitch = random.uniform(0, 360), random.uniform(10, 89)
        at = terrain.tilemap.surface_point(cell)
        camera.look(OrbitView(turn, pitch, random.uniform(3, 6), at))
        for _ in range(2):
            tree.advance(0.0)
        boxes = seen_boxes(base, tree)
        count += len(boxes)
        caption = theatre.get_node("Caption3D").boxes
        panels = [(left, top, left + w, top + h) for left, top, w, h in (*hud.boxes, *caption)]
        pairs = itertools.product(boxes, [*boxes, *panels])
        assert not [pair for pair in pairs if pair[0] is not pair[1] and overlap(*pair)]
    assert count > 3


def test_the_caption_tells_search_step_and_outcome(terrain, theatre):
    assert lines(theatre) == [
        "A*, heuristic auto, uphill 1",
        f"0 of {theatre.n_steps} tiles explored, 1 waiting",
        "The start waits to be explored",
    ]
    theatre.seek(1)
    kind = terrain.tilemap.kind_at(START)
    assert lines(theatre)[1:] == [
        f"1 of {theatre.n_steps} tiles explored, 4 waiting",
        f"{kind.name.capitalize()}, starts here: g = 0",
        "f = g + h = 0 + 7 = 7, the lowest that waited",
    ]
    theatre.seek(theatre.n_steps)
    assert lines(theatre)[1:] == [f"{theatre.n_steps} tiles explored, cost 7, 7 steps"]


@table(
    "profile said",
    (MoveProfile(), "climbs 2: g = 1 + 1 + 2 = 4"),
    (MoveProfile(climb_cost=10), "climbs 2: g = 1 + 1 + 20 = 22"),
    (MoveProfile(climb_cost=0), "climbs 2: g = 1 + 1 = 2"),
)
def test_a_sentence_adds_up_what_a_step_costs(tree, profile, said):
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("0022")))
    theatre = watched(terrain, start=(0, 0), goal=(0, 3), profile=profile)
    theatre.seek(2)
    assert lines(theatre)[2].endswith("walks: g = 0 + 1 = 1")
    theatre.seek(3)
    assert lines(theatre)[2].endswith(said)
    back = watched(terrain, start=(0, 3), goal=(0, 0), profile=profile)
    back.seek(3)
    assert lines(back)[2].endswith("drops 2: g = 1 + 1 = 2")


def test_a_search_without_a_path_says_why(tree):
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("00#")))
    theatre = watched(terrain, start=(0, 0), goal=(0, 2))
    theatre.play()
    tree.advance(0.1)
    assert not theatre.playing
    why = "there is no ground at (row 0, col 2)"
    assert lines(theatre)[1] == f"0 tiles explored, no path: {why}"


def test_it_plays_at_its_speed_to_the_end(tree, terrain):
    theatre = terrain.add_child(SearchTheatre3D(Navigation(terrain.tilemap)))
    ends = []
    theatre.finished.connect(lambda: ends.append(theatre.step))
    theatre.watch((0, 0), (7, 11))
    assert theatre.playing
    theatre.playing = False
    tree.advance(9.0)
    assert theatre.step == 0
    theatre.play()
    for _ in range(64):  # small parts of time add up
        tree.advance(1 / 64)
    assert theatre.step == LEAST_STEPS_S
    assert theatre.status == "Playing 6 steps a second"
    theatre.speed = 0.5
    tree.advance(1.0)
    assert theatre.step == 1.5 * LEAST_STEPS_S
    tree.advance(1000.0)
    assert theatre.step == theatre.n_steps == ends[0]
    assert (len(ends), theatre.playing) == (1, False)
    theatre.play()
    assert (theatre.step, theatre.playing) == (0, True)


def test_keys_play_step_and_change_the_speed(base, theatre):
    send = base.messenger.send
    send("space")
    assert theatre.playing
    send("space")
    assert not theatre.playing
    assert theatre.status == f"Paused at step 0 of {theatre.n_steps}"
    for key in "...,":
        send(key)
    assert theatre.step == 2
    for keys, speed in (("l", 2), ("jj", 0.5), ("l" * 20, FASTEST), ("j" * 20, SLOWEST)):
        for key in keys:
            send(key)
        assert theatre.speed == speed
    theatre.seek(theatre.n_steps)
    for key, step, is_playing in ((".", theatre.n_steps, False), ("b", 0, True), (",", 0, False)):
        send(key)
        assert (theatre.step, theatre.playing) == (step, is_playing)


def titles(theatre, base, key, count):
    found = []
    for _ in range(count):
        base.messenger.send(key)
        theatre.search.run()
        assert (theatre.step, theatre.playing) == (0, True)
        found.append(lines(theatre)[0].removesuffix(", uphill 1"))
    return found


def test_every_algorithm_and_heuristic_has_its_turn(base, theatre):
    assert titles(theatre, base, "o", 4) == [
        "Dijkstra",
        "Breadth first",
        "Greedy best first, heuristic auto",
        "A*, heuristic auto",
    ]
    assert titles(theatre, base, "h", 6) == [
        *(f"A*, heuristic {name}" for name in ("manhattan", "octile", "chebyshev", "euclidean")),
        "A*",
        "A*, heuristic auto",
    ]


def test_what_searches_between_the_same_ends_have_found_stays_beside(base, tree):
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("01110\n00000")))
    theatre = watched(terrain, start=(0, 0), goal=(0, 4))
    over = theatre.search.path.cells
    base.messenger.send("i")  # uphill 10: around the hill
    theatre.seek(10**6)
    tree.advance(0.0)
    around = theatre.search.path.cells
    assert (len(over), len(around)) == (5, 7)
    point = terrain.tilemap.surface_point
    for name, cells in (("path", around), ("first path", over)):
        assert theatre.get_node(name)._points == pytest.approx(np.array([*map(point, cells)]))
    assert lines(theatre)[2].startswith("A*, heuristic auto, uphill 1: ")
    assert lines(theatre)[2].endswith("tiles explored, cost 5, 4 steps")
    assert lines(theatre)[1].endswith("cost 6, 6 steps")
    for key in "ioo":
        base.messenger.send(key)
        theatre.search.run()
    first, *told = (line.split(":")[0] for line in (lines(theatre)[0], *lines(theatre)[-3:]))
    assert first == "Breadth first, uphill 1"
    star = "A*, heuristic auto, uphill"
    assert told == [f"{star} 10", f"{star} 1", "Dijkstra, uphill 1"]
    theatre.watch((0, 0), (1, 4))
    assert len(lines(theatre)) == 3


def test_g_plays_again_between_other_ends_and_keeps_algorithm_and_rules(base, theatre):
    for key in "oi":
        base.messenger.send(key)
    seen = set()
    for _ in range(4):
        base.messenger.send("g")
        theatre.search.run()
        assert theatre.search.path
        seen.add(theatre.search.ends)
        assert lines(theatre)[0] == "Dijkstra, uphill 10"
    assert len(seen) > 1


def test_there_may_be_no_ends(tree):
    terrain = tree.root.add_child(Terrain3D(TileMap.from_text("0#0")))
    theatre = terrain.add_child(SearchTheatre3D(Navigation(terrain.tilemap)))
    assert not theatre.watch_random()
    tree.advance(0.1)
    assert (theatre.search, theatre.caption) == (None, "")
    tree.base.messenger.send("g")
    for key in "ohi.,b":  # nothing happens
        tree.base.messenger.send(key)


def test_all_that_is_searched_is_seen_until_the_player_looks_elsewhere(base, tree, terrain, camera):
    before = camera.goal
    theatre = watched(terrain, camera)
    tree.advance(0.0)
    framed = camera.goal
    assert framed != before
    camera.look(framed)
    points = [*map(terrain.tilemap.surface_point, [START, GOAL])]
    for node in np.flatnonzero(theatre.search.state).tolist():
        points.append(terrain.tilemap.surface_point(divmod(node, terrain.tilemap.cols)))
    assert max(abs(part) for point in points for part in tree.project(point, terrain.np)) < 1
    base.messenger.send("o")  # Dijkstra's search takes more room
    for _ in range(3):
        tree.advance(0.0)
    assert camera.goal.distance > framed.distance
    base.messenger.send("+")
    chosen = camera.goal
    for key in "ohi":
        base.messenger.send(key)
        tree.advance(0.0)
        assert camera.goal == chosen
    base.messenger.send("g")
    for _ in range(3):
        tree.advance(0.0)
    assert camera.goal != chosen  # there are other ends
    terrain.remove_child(theatre)
    assert camera.goal == before


def test_an_edit_of_the_map_ends_the_play(tree, terrain, theatre):
    theatre.play()
    tree.advance(0.5)
    assert n_geoms(theatre.np.find("tiles"))
    with terrain.tilemap.edit() as edit:
        edit.set_level((0, 0), 3)
    tree.advance(0.5)
    assert not n_geoms(theatre.np.find("tiles"))
    assert all(stuck.is_hidden() for stuck in theatre.np.find_all_matches("pin"))
    assert theatre.caption == ""
    tree.base.messenger.send("o")
    assert theatre.search is None
    theatre.watch(START, GOAL)
    tree.advance(1.0)
    assert theatre.step > 0
