"""Searches on the player: one, or two side by side in step, and the camera that looks at them."""

import time
from functools import partial
from itertools import product

import numpy as np
import pytest
from panda3d.core import Point2, Point3

from ai import MoveProfile, Navigation, SearchComparison, SearchOptions
from ai.navigation.comparison import RandomSearches
from ai.view import SearchPlayer3D, TheatreToggle3D
from terrain3d import TileMap
from terrain3d.view import Terrain3D, TileCursor3D
from tests.support.window_pictures import picture

HILL = "\n".join(["0" * 5 + "1" * 5 + "0" * 6] * 12)


@pytest.fixture
def tilemap():
    return TileMap.from_text(HILL)


def source_of(tilemap, start=(6, 2), goal=(6, 12), **choice):
    begin = partial(Navigation(tilemap).begin_search, start, goal)
    return SearchComparison(begin, SearchOptions(MoveProfile(), **choice))


def until(tree, is_so):
    """Let frames pass, for searches run in threads of their own."""
    deadline = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < deadline
        tree.advance(0.01)
        time.sleep(0.001)


@pytest.fixture
def play(tree, terrain):
    """Give a function that plays searches, by default one over the hill, and waits for them."""

    def play(camera=None, source=None):
        source = source or source_of(terrain.tilemap)
        player = terrain.add_child(SearchPlayer3D(source, camera))
        until(tree, lambda: player.theatres)
        return player

    return play


@pytest.fixture
def player(play, camera):
    return play(camera)


@pytest.fixture
def drawn(terrain):
    """Searches between random ends."""
    draw = partial(RandomSearches(Navigation(terrain.tilemap), 3).draw, MoveProfile())
    return SearchComparison(draw(), SearchOptions(MoveProfile()), draw=draw)


def titles(player):
    return [theatre.caption.split("\n")[0] for theatre in player.theatres]


def press(base, tree, player, key):
    base.messenger.send(key)
    assert player.theatres == ()
    until(tree, lambda: player.theatres)


def test_it_plays_by_itself_as_soon_as_it_is_searched(tree, player):
    assert titles(player) == ["A*, heuristic auto"]
    assert player.playing
    tree.advance(1.0)
    assert player.step > 0
    assert player.theatres[0].step == player.step


def test_keys_cycle_through_algorithms_heuristics_and_orders(base, tree, player):
    press(base, tree, player, "o")
    assert titles(player) == ["Dijkstra"]
    assert player.step == 0
    for _ in range(3):
        press(base, tree, player, "o")
    press(base, tree, player, "h")
    assert titles(player) == ["A*, heuristic manhattan"]
    press(base, tree, player, "x")
    assert titles(player) == ["A*, heuristic manhattan, high g first"]


def test_two_are_played_in_step_each_to_its_own_end(base, tree, player):
    press(base, tree, player, "i")
    assert titles(player) == ["A*, heuristic auto", "Dijkstra"]
    first, second = player.theatres
    assert first.n_steps < second.n_steps == player.n_steps
    player.pause()
    player.step = 5
    assert (first.step, second.step) == (5, 5)
    player.step = player.n_steps
    assert (first.step, second.step) == (first.n_steps, second.n_steps)
    assert first.caption.split("\n")[-1] == second.caption.split("\n")[-1]  # the same cost
    base.messenger.send(",")
    assert second.step == second.n_steps - 1
    base.messenger.send("space")
    assert player.playing
    assert not first.playing


def test_another_price_of_climbing_is_told(base, tree, player):
    press(base, tree, player, "i")
    press(base, tree, player, "i")
    assert titles(player) == ["A*, heuristic auto, uphill 1", "A*, heuristic auto, uphill 10"]
    press(base, tree, player, "i")
    assert titles(player) == ["A*, heuristic auto"]


def within_half(base, terrain, box):
    """Give where the corners of a box are in a half of the window, in -1..1 both across and up."""
    places = []
    for corner in product(*zip(*box, strict=True)):
        place = Point2()
        base.camLens.project(base.cam.get_relative_point(terrain.np, Point3(*corner)), place)
        places.append((place.x, place.y))
    return np.array(places)


def test_a_change_of_the_search_keeps_a_view_that_the_user_has_chosen(base, tree, camera, player):
    base.messenger.send("+")
    chosen = camera.goal
    for key in "ohxi":
        press(base, tree, player, key)
        assert camera.goal == chosen, key


def test_a_change_of_the_search_keeps_a_pause_and_its_step(base, tree, player):
    player.pause()
    player.step = 6
    for key in "ohxiio":
        press(base, tree, player, key)
        assert not player.playing, key
        assert player.step == 6, key
        assert all(theatre.step == min(6, theatre.n_steps) for theatre in player.theatres)
    player.step = player.n_steps  # the end is no pause
    press(base, tree, player, "o")
    assert player.playing
    assert player.step == 0


def test_a_pause_is_kept_before_the_end_of_a_shorter_search(base, tree, player):
    press(base, tree, player, "o")
    player.pause()
    player.step = player.n_steps - 1
    press(base, tree, player, "o")
    press(base, tree, player, "o")
    assert titles(player) == ["Greedy best first, heuristic auto"]
    assert player.step == player.n_steps - 1
    assert not player.playing


def test_the_next_ends_are_framed_and_played(base, tree, play, camera, drawn):
    player = play(camera, drawn)
    framed = camera.goal
    base.messenger.send("+")
    player.pause()
    player.step = 1
    press(base, tree, player, "g")
    assert camera.goal.target != framed.target
    assert player.playing


@pytest.mark.parametrize("turn_deg", [0, 90, 200])
def test_all_that_is_searched_is_seen_large_in_both_halves(
    base, tree, terrain, camera, play, turn_deg
):
    camera.look(camera.goal.orbited(turn_deg, 0.0))
    player = play(camera)
    press(base, tree, player, "i")  # with Dijkstra, which searches much more
    camera.look(camera.goal)
    assert base.camLens.get_aspect_ratio() == pytest.approx(base.get_aspect_ratio() / 2)
    boxes = np.array([theatre.box for theatre in player.theatres])
    seen = within_half(base, terrain, (boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)))
    assert np.abs(seen).max() <= 1.0
    assert np.ptp(seen, axis=0).max() > 1.6  # of 2
    regions = [base.win.get_display_region(n) for n in range(base.win.get_num_display_regions())]
    halves = [
        (region.get_left(), region.get_right())
        for region in regions
        if region.is_active() and region.get_camera() and "render2d" not in str(region.get_camera())
    ]
    assert {(0.0, 0.5), (0.5, 1.0)} <= set(halves)


def test_each_half_shows_the_marks_of_its_own_search(base, tree, camera, player):
    press(base, tree, player, "i")
    camera.look(camera.goal)
    player.pause()
    player.step = player.n_steps
    both = picture(base, tree)
    width = both.shape[1] // 2
    left, right = player.theatres
    right.np.hide()
    only_left = picture(base, tree)
    left.np.hide()
    nothing = picture(base, tree)
    same = np.abs(both - only_left).max(axis=(0, 2)) < 0.01
    assert same[: width - 4].all()  # the line between the halves is in the middle
    assert not same[width + 4 :].all()
    changed = np.abs(only_left - nothing).max(axis=(0, 2)) > 0.01
    assert changed[: width - 4].any()
    assert not changed[width + 4 :].any()


def test_a_point_of_either_half_lies_on_the_same_tile(base, tree, terrain, camera, player):
    press(base, tree, player, "i")
    camera.look(camera.goal)
    x, y = tree.project(terrain.tilemap.surface_point((6, 8)), terrain.np)
    assert terrain.cell_at(((x - 1) / 2, y)) == (6, 8, 0)
    assert terrain.cell_at(((x + 1) / 2, y)) == (6, 8, 0)


@pytest.mark.usefixtures("large_window")
def test_the_caption_of_each_half_stays_in_it(base, tree, camera, player):
    press(base, tree, player, "i")
    camera.look(camera.goal)
    tree.advance(0.0)
    spans = []
    for caption in base.render2d.find_all_matches("**/caption"):
        if not caption.is_hidden():
            low, high = caption.get_tight_bounds(base.render2d)
            spans.append((low.x, high.x))
    (first, second) = sorted(spans)
    assert -1 <= first[0] < first[1] <= 0 <= second[0] < second[1] <= 1


def test_it_plays_again_between_other_ends_until_stopped(base, tree, play, drawn):
    player, seen = play(None, drawn), []

    def end_of_next():
        before = player.theatres
        player.step = player.n_steps
        for _ in range(30):
            tree.advance(0.1)
        until(tree, lambda: player.theatres)
        return player.theatres != before

    assert not end_of_next()  # it has not been asked for
    press(base, tree, player, "g")
    for _ in range(3):
        assert player.is_endless
        seen.append(player.theatres[0]._replay.ends)
        assert end_of_next()
    assert len(set(seen)) > 1
    base.messenger.send("g")
    assert not player.is_endless
    assert not end_of_next()
    press(base, tree, player, "g")
    base.messenger.send("space")  # a pause stops it too
    assert not player.is_endless
    assert not player.playing


def test_the_camera_goes_back_when_the_stage_leaves(base, tree, play, camera):
    before = camera.goal
    player = play(camera)
    assert camera.goal != before
    press(base, tree, player, "i")
    player.queue_free()
    tree.advance(0.0)
    assert camera.goal == before
    assert base.camLens.get_aspect_ratio() == pytest.approx(base.get_aspect_ratio())
    region = base.camNode.get_display_region(0)
    assert (region.get_left(), region.get_right()) == (0.0, 1.0)


def test_an_edit_of_the_map_is_searched_anew(tree, terrain, player):
    (before,) = player.theatres
    with terrain.tilemap.edit() as edit:
        for row in range(11):
            edit.set_level((row, 7), 9)
    tree.advance(0.0)
    until(tree, lambda: player.theatres)
    assert player.theatres != (before,)
    assert player.n_steps > before.n_steps


def test_what_cannot_be_searched_says_why(tree, terrain, play):
    tilemap = terrain.tilemap
    with tilemap.edit() as edit:
        edit.add_deck((6, 2), level=3)
    player = play(None, source_of(tilemap, (6, 2, 1), (6, 12)))
    assert player.problem == ""
    tilemap.undo()
    tree.advance(0.0)
    assert player.theatres == ()
    assert "deck 1" in player.problem
    tree.advance(1.0)


@pytest.mark.usefixtures("terrain")
def test_a_freed_stage_leaves_nothing(base, tree, camera, play, traces):
    tree.advance(0.0)
    before = traces()
    player = play(camera)
    press(base, tree, player, "i")
    tree.advance(0.1)
    assert traces() != before
    player.queue_free()
    tree.advance(0.0)
    assert traces() == before
    base.messenger.send("i")


def test_it_may_leave_while_it_searches(tree, terrain, traces):
    tree.advance(0.0)
    before = traces()
    player = terrain.add_child(SearchPlayer3D(source_of(terrain.tilemap)))
    player.queue_free()
    tree.advance(0.0)
    tree.advance(0.0)
    assert traces() == before


def test_a_door_lets_in_sends_others_out_and_takes_them_back(base, tree, terrain, camera):
    other = terrain.add_child(TileCursor3D())
    choices = [None, source_of(terrain.tilemap)]
    toggle = terrain.add_child(TheatreToggle3D(lambda: choices.pop(0), camera, [other]))
    changes = []
    toggle.changed.connect(lambda: changes.append(toggle.player is not None))
    base.messenger.send("f3")
    assert (toggle.player, other.is_inside_tree, changes) == (None, True, [])
    base.messenger.send("f3")
    assert toggle.player is not None
    assert not other.is_inside_tree
    until(tree, lambda: toggle.player.theatres)
    base.messenger.send("escape")
    assert toggle.player is None
    assert other.parent is terrain
    assert changes == [True, False]
    tree.advance(0.0)
    assert [node.name for node in toggle.walk()] == ["TheatreToggle3D"]


def test_two_stages_at_once(tree, terrain):
    other = tree.root.add_child(Terrain3D(TileMap.from_text(HILL)))
    other.np.set_pos(40, 0, 0)
    grounds = (terrain, other)
    stages = [each.add_child(SearchPlayer3D(source_of(each.tilemap))) for each in grounds]
    until(tree, lambda: all(player.theatres for player in stages))
    for player in stages:
        player.pause()
    stages[0].step = 3
    assert [player.theatres[0].step for player in stages] == [3, stages[1].step]
