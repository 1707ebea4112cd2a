"""Searches played on the map: each tile seen as what it is at each step; nothing left behind."""

import numpy as np
import pytest
from panda3d.core import CardMaker

from ai import MoveProfile
from ai.view import SearchTheatre3D
from ai.view.search_theatre_3d import GOAL_COLOR, START_COLOR
from ai.view.step_player import FASTEST, SLOWEST
from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D
from tests.support.searches import cell_of, open_and_closed, replay_of
from tests.support.window_pictures import color_at as color_around
from tests.support.window_pictures import drawn
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


def play(terrain, **options):
    replay = replay_of(terrain.tilemap, START, GOAL)
    return terrain.add_child(SearchTheatre3D(replay, **options)), replay


def color_at(base, terrain, image, cell, x=0.0, y=0.0):
    """Give the mean color around a point of a tile, x and y from its middle."""
    middle_x, middle_y, z = terrain.tilemap.surface_point(cell)
    return color_around(base, terrain, image, (middle_x + x, middle_y + y, z))


AWAY = {"x": -0.28, "y": 0.28}  # from arrow and numbers


@pytest.mark.usefixtures("camera")
def test_open_and_closed_tiles_differ_from_each_other_and_from_all_others(base, tree, terrain):
    bare = picture(base, tree)
    theatre, replay = play(terrain)
    theatre.step = replay.n_steps // 2
    image = picture(base, tree)
    is_open, is_closed = open_and_closed(replay, terrain.tilemap)
    assert is_open
    assert is_closed
    for cell in is_open:  # amber: far more red than before, and than blue
        red, _, blue = color_at(base, terrain, image, cell, **AWAY)
        assert red - color_at(base, terrain, bare, cell, **AWAY)[0] > 40
        assert red - blue > 60
    for cell in is_closed:  # violet: more blue than anything else
        red, green, blue = color_at(base, terrain, image, cell, **AWAY)
        assert blue - max(red, green) > 25
    met = {tuple(cell_of(terrain.tilemap, number)[:2]) for number in replay.met.tolist()}
    # Neither pins nor the caption hide the nearest row.
    unseen = [(7, col) for col in range(12) if (7, col) not in met]
    assert unseen
    for cell in unseen:
        before, after = (color_at(base, terrain, each, cell, **AWAY) for each in (bare, image))
        assert np.abs(after - before).max() < 6


@pytest.mark.usefixtures("camera")
def test_the_tile_closed_last_is_brighter_than_the_others(base, tree, terrain):
    theatre, replay = play(terrain)
    theatre.step = 6
    image = picture(base, tree)
    latest = color_at(base, terrain, image, cell_of(terrain.tilemap, replay.closed), **AWAY)
    _, is_closed = open_and_closed(replay, terrain.tilemap)
    for cell in is_closed:
        assert latest.min() > color_at(base, terrain, image, cell, **AWAY).min() + 60


@pytest.mark.usefixtures("camera")
def test_the_way_is_there_in_the_end_and_only_then(base, tree, terrain):
    theatre, replay = play(terrain)
    # Between two tiles of the path, where neither arrow nor number is.
    between = {"x": 0.5, "y": 0.0}
    cell = replay.path[3]
    theatre.step = replay.n_steps - 1
    before = color_at(base, terrain, picture(base, tree), cell, **between)
    theatre.step = replay.n_steps
    red, green, blue = color_at(base, terrain, picture(base, tree), cell, **between)
    assert min(red, green) - blue > 80
    assert red - before[0] > 40
    theatre.step_back()
    again = color_at(base, terrain, picture(base, tree), cell, **between)
    assert again == pytest.approx(before, abs=2)


@pytest.mark.usefixtures("camera")
def test_forward_and_back_shows_the_same_picture(base, tree, terrain):
    theatre, replay = play(terrain)
    theatre.step = 5
    before = picture(base, tree)
    theatre.step = replay.n_steps
    theatre.step = 0
    for _ in range(5):
        theatre.step_forward()
    assert np.array_equal(picture(base, tree), before)


def test_numbers_are_written_when_near_and_gone_when_far(tree, terrain, camera):
    theatre, replay = play(terrain)
    theatre.step = replay.n_steps
    near = OrbitView(0.0, 60.0, 6.0, terrain.tilemap.surface_point((4, 5)))
    camera.look(near)
    tree.advance(0.0)
    large, small = labels(theatre)
    assert len(large.texts) == len(small.texts) > 5
    for point, text, parts in zip(large.points, large.texts, small.texts, strict=True):
        cell = terrain.tilemap.grid.cell_at(*point[:2])
        number = cell.row * terrain.tilemap.cols + cell.col
        g, h = replay.g[number], replay.h[number]
        assert (text, parts) == (f"f{g + h:g}", f"g{g:g} h{h:g}")
    seen = set(large.texts)
    camera.look(camera.home)
    tree.advance(0.0)
    assert labels(theatre)[0].texts == ()
    camera.look(near)
    tree.advance(0.0)
    assert set(labels(theatre)[0].texts) == seen


def test_numbers_are_seen_through_what_is_in_front_of_them(base, tree, terrain, camera):
    theatre, replay = play(terrain)
    theatre.step = replay.n_steps
    camera.look(OrbitView(0.0, 60.0, 6.0, terrain.tilemap.surface_point((4, 5))))
    tree.advance(0.0)
    theatre.np.find("marks").hide()  # the pins, too, are drawn over everything
    base.render2d.hide()
    card = CardMaker("wall")
    card.set_frame(-9, 9, -9, 9)
    wall = base.cam.attach_new_node(card.generate())
    wall.set_pos(0, 1.5, 0)
    wall.set_color(0, 0, 0, 1)
    image = picture(base, tree)
    wall.remove_node()
    base.render2d.show()
    assert (image.min(axis=2) > 200).sum() > 100


def labels(theatre):
    return [theatre.get_node(name) for name in ("f", "g h")]


def test_pins_are_as_large_from_far_away(base, tree):
    terrain = tree.root.add_child(Terrain3D(TileMap(np.zeros((60, 60), int))))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    play(terrain)
    for distance in 60.0, 120.0:
        camera.look(OrbitView(0.0, 30.0, distance, (6.0, -4.0, 0.0)))
        image = picture(base, tree)
        for color in START_COLOR, GOAL_COLOR:
            rows = np.nonzero(np.abs(image / 255 - color).max(axis=2) < 0.04)[0]
            assert np.ptp(rows) > len(image) / 40, "the head of a pin"


def test_tiles_not_met_yet_have_no_number(tree, terrain, camera):
    theatre, replay = play(terrain)
    camera.look(OrbitView(0.0, 60.0, 6.0, terrain.tilemap.surface_point(START)))
    tree.advance(0.0)
    assert labels(theatre)[0].texts == (f"f{replay.h[4 * 12 + 2]:g}",)
    theatre.step_forward()
    tree.advance(0.0)
    assert len(labels(theatre)[0].texts) == 5


def test_the_caption_tells_algorithm_counts_and_cost(tree, terrain):
    theatre, replay = play(terrain)
    tree.advance(0.0)
    assert theatre.caption.split("\n") == [
        "A*, heuristic auto",
        f"0 of {replay.n_steps} tiles explored, 1 waiting",
        "The start waits to be explored",
    ]
    theatre.step_forward()
    kind = terrain.tilemap.kind_at(START)
    assert theatre.caption.split("\n")[1:] == [
        f"1 of {replay.n_steps} tiles explored, 4 waiting",
        f"Explores {kind.name}, level {terrain.tilemap.level_at(START)} (row 4, col 2)",
        "g 0 (cost so far) + h 7 (estimate) = f 7",
    ]
    theatre.step = replay.n_steps
    assert theatre.caption.split("\n")[-1] == "cost 7, 7 steps"


def test_the_caption_of_a_greedy_search_says_that_g_does_not_count(tree, terrain):
    replay = replay_of(terrain.tilemap, START, GOAL, algorithm="greedy")
    theatre = terrain.add_child(SearchTheatre3D(replay))
    tree.advance(0.0)
    theatre.step = 2
    last = theatre.caption.split("\n")[-1]
    assert last == "h 6 (estimate) = f 6, without g 1 (cost so far)"


@pytest.mark.usefixtures("camera")
def test_the_caption_stands_in_the_window(base, tree, terrain):
    play(terrain)
    tree.advance(0.0)
    low, high = base.render2d.find("**/caption").get_tight_bounds(base.render2d)
    assert -1 <= low.x < high.x <= 1
    assert 0 < low.z < high.z <= 1


def test_it_plays_at_its_speed_and_announces_each_step(tree, terrain):
    theatre, replay = play(terrain)
    steps, ends = [], []
    theatre.step_changed.connect(steps.append)
    theatre.finished.connect(lambda: ends.append(theatre.step))
    theatre.speed = 4.0
    tree.advance(1.0)
    assert steps == []
    theatre.play()
    for _ in range(3):
        tree.advance(0.25)
    assert steps == [1, 2, 3]
    theatre.pause()
    tree.advance(9.0)
    assert theatre.step == 3
    theatre.play()
    tree.advance(1000.0)
    assert theatre.step == replay.n_steps
    assert ends == [replay.n_steps]
    assert not theatre.playing
    theatre.play()
    assert (theatre.step, theatre.playing) == (0, True)
    theatre.speed = 8.0
    for _ in range(60):  # small parts of time add up
        tree.advance(1 / 64)
    assert theatre.step == 7


def test_keys_play_step_and_change_the_speed(base, terrain):
    theatre, replay = play(terrain)
    send = base.messenger.send
    send("space")
    assert theatre.playing
    send("space")
    assert not theatre.playing
    for _ in range(3):
        send(".")
    send(",")
    assert theatre.step == 2
    speed = theatre.speed
    send("l")
    assert theatre.speed == 2 * speed
    send("j")
    send("j")
    assert theatre.speed == speed / 2
    for _ in range(20):
        send("l")
    assert theatre.speed == FASTEST
    for _ in range(40):
        send("j")
    assert theatre.speed == SLOWEST
    theatre.step = replay.n_steps
    send("b")
    assert (theatre.step, theatre.playing) == (0, True)
    for end, key in ((0, ","), (replay.n_steps, ".")):
        theatre.step = end
        send(key)
        assert theatre.step == end
    for step in (-1, replay.n_steps + 1):
        with pytest.raises(IndexError, match=f"0..{replay.n_steps}"):
            theatre.step = step


def test_a_search_that_was_refused_shows_why(tree):
    tilemap = TileMap.from_text("00#")
    terrain = tree.root.add_child(Terrain3D(tilemap))
    theatre = terrain.add_child(SearchTheatre3D(replay_of(tilemap, (0, 0), (0, 2))))
    theatre.play()
    tree.advance(0.1)
    assert not theatre.playing
    assert theatre.caption.split("\n")[-1] == "no path: there is no ground at (row 0, col 2)"


def test_two_play_by_themselves(tree, terrain):
    other = tree.root.add_child(Terrain3D(TileMap.from_text(FIELD)))
    other.np.set_pos(20, 0, 0)
    first, _ = play(terrain)
    second, _ = play(other, has_keys=False)
    first.step_forward()
    tree.base.messenger.send(".")
    tree.advance(0.0)
    assert (first.step, second.step) == (2, 0)


@pytest.mark.parametrize("topology", ["hex_odd_r", "hex_even_q"])
def test_hexagons_and_decks_are_played_too(tree, topology):
    tilemap = TileMap(np.zeros((5, 6), dtype=int), topology=topology)
    with tilemap.edit() as edit:
        edit.add_deck([(2, 2), (2, 3)], level=1)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    replay = replay_of(tilemap, (2, 0), (2, 5), profile=MoveProfile(body_height=1))
    theatre = terrain.add_child(SearchTheatre3D(replay))
    theatre.step = replay.n_steps
    tree.advance(0.0)
    assert (replay.met >= 30).any()  # deck 1 was met
    assert theatre.caption.split("\n")[-1] == replay.outcome


def test_few_geoms_show_a_large_map(tree):
    tilemap = TileMap(np.zeros((64, 64), dtype=int))
    terrain = tree.root.add_child(Terrain3D(tilemap))
    replay = replay_of(tilemap, (0, 0), (63, 63), algorithm="dijkstra")
    theatre = terrain.add_child(SearchTheatre3D(replay))
    theatre.step = replay.n_steps
    tree.advance(0.0)
    nodes = drawn(theatre.np).find_all_matches("**/+GeomNode")
    assert sum(path.node().get_num_geoms() for path in nodes) <= 24


def test_an_edit_of_the_map_ends_the_play(tree, terrain):
    theatre, _ = play(terrain)
    theatre.play()
    tree.advance(0.5)
    with terrain.tilemap.edit() as edit:
        edit.set_level((0, 0), 3)
    tree.advance(0.5)
    assert theatre.np.find("**/faces").is_empty()
    step = theatre.step
    tree.advance(5.0)
    assert theatre.step == step
    assert theatre.caption == ""


def test_a_freed_theatre_leaves_nothing(base, tree, terrain, camera, traces):
    camera.look(OrbitView(0.0, 60.0, 6.0, terrain.tilemap.surface_point(START)))
    tree.advance(0.0)
    before = traces()
    theatre, replay = play(terrain)
    theatre.step = replay.n_steps
    tree.advance(0.1)
    assert traces() != before
    theatre.queue_free()
    tree.advance(0.0)
    assert traces() == before
    base.messenger.send("space")


def test_it_can_leave_and_come_back(base, tree, terrain):
    theatre, _ = play(terrain)
    theatre.step = 4
    tree.advance(0.0)
    terrain.remove_child(theatre)
    assert base.render2d.find("**/caption").is_empty()
    terrain.add_child(theatre)
    tree.advance(0.0)
    assert len(theatre.np.find_all_matches("**/faces")) >= 1
    theatre.step_forward()
    assert theatre.caption.split("\n")[1].startswith("5 of")
