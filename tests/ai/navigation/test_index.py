"""The index: built now or in the background, and kept through edits."""

import threading
import time

import numpy as np
import pytest

import ai.navigation.profile_index
from ai import MoveProfile, Navigation
from ai.navigation.profile_index import ProfileIndex
from terrain3d import TileMap
from tests.support.boards import one_edit

PROFILES = [MoveProfile(), MoveProfile(climb_cost=0.7)]


def noise(side=24):
    return TileMap.from_noise(side, side, seed=7, levels=5)


def comes(is_there):
    """Return whether something is there within some seconds."""
    for _ in range(2000):
        if is_there():
            return True
        time.sleep(0.005)
    return False


def check_exact(navigation, profile=PROFILES[0]):
    plain = Navigation(navigation.tilemap)
    rng = np.random.default_rng(5)
    for start, goal in rng.integers(0, navigation.tilemap.rows, (30, 2, 2)).tolist():
        expected = plain.find_path(start, goal, profile).cost
        assert navigation.find_path(start, goal, profile).cost == pytest.approx(expected)


def has_labels(navigation):
    """Ask as many questions as it takes, and wait until there are labels."""
    for _ in range(navigation.tilemap.rows * navigation.tilemap.cols):
        navigation.find_path((0, 0), (1, 1))
    return comes(lambda: kind_in_use(navigation) == "labels")


def test_after_an_edit_landmarks_serve_until_there_are_labels_again():
    tilemap = TileMap([[2] * 24] * 24)
    navigation = Navigation(tilemap)
    navigation.build_index()
    for kind in ("swamp", "grass"):
        one_edit(tilemap).set_kind((3, 3), kind)
        assert navigation.has_index()
        check_exact(navigation)
    assert has_labels(navigation)
    check_exact(navigation)


def test_labels_are_not_built_again_while_edits_come_between_few_queries(monkeypatch):
    tilemap = TileMap([[2] * 24] * 24)
    navigation = Navigation(tilemap)
    navigation.build_index()
    started = []
    monkeypatch.setattr(ProfileIndex, "build_in_background", lambda index: started.append(index))
    for number in range(3):
        one_edit(tilemap).set_kind((3, number), "swamp")
        for _ in range(24 * 24 // 2):
            navigation.find_path((0, 0), (9, 9))
    assert not started
    for _ in range(24 * 24):
        navigation.find_path((0, 0), (9, 9))
    assert len(started) == 1
    one_edit(tilemap).set_kind((9, 9), "swamp")
    navigation.build_index()
    assert kind_in_use(navigation) == "labels"


def kind_in_use(navigation):
    index = navigation._graphs.of(MoveProfile()).index
    return "labels" if index.labels is not None else "landmarks"


def test_the_kind_of_an_index_can_be_chosen():
    navigation = Navigation(noise())
    marks = {"kind": "landmarks"}, {"landmarks": 3}
    for how in ({}, marks[0], {"kind": "labels"}, marks[1], {"kind": "auto"}):
        kind = "landmarks" if how in marks else "labels"
        navigation.build_index(**how)
        assert kind_in_use(navigation) == kind
        assert navigation.has_index()
        check_exact(navigation)


def test_labels_that_take_too_much_memory_are_refused_with_their_size(monkeypatch):
    navigation, most = Navigation(noise(side=30)), ai.navigation.profile_index._MAX_BYTES
    monkeypatch.setitem(most, "auto", 200_000)
    monkeypatch.setitem(most, "labels", 300_000)
    navigation.build_index()
    assert kind_in_use(navigation) == "landmarks"
    for background in (False, True):
        with pytest.raises(ValueError, match=r"would take 0 MB, more than 0 MB; use kind=\"landm"):
            navigation.build_index(kind="labels", background=background)
    assert kind_in_use(navigation) == "landmarks"
    monkeypatch.setitem(most, "labels", 600_000)
    navigation.build_index(kind="labels")
    assert kind_in_use(navigation) == "labels"
    with pytest.raises(ValueError, match='must not be given with kind="labels"'):
        navigation.build_index(kind="labels", landmarks=4)


def test_the_size_of_labels_for_a_large_map_is_told_at_once():
    navigation = Navigation(TileMap([[0] * 400] * 400))
    with pytest.raises(ValueError, match=r"would take 1,1\d\d MB, more than 512 MB"):
        navigation.build_index(kind="labels")
    assert not navigation.has_index()


def test_an_index_of_another_size_that_fails_leaves_one_that_follows_edits():
    tilemap = TileMap([[0] * 8] * 8)
    navigation = Navigation(tilemap)
    navigation.build_index()
    with pytest.raises(ZeroDivisionError):
        navigation.build_index(landmarks=2, progress=lambda *_: 1 / 0)
    one_edit(tilemap).set_level((0, 4), 9)  # an old index would be wrong
    check_exact(navigation)
    assert navigation.find_path((0, 0), (0, 7)).cost == 9


def test_of_two_sizes_wanted_at_once_the_later_one_is_built():
    tilemap = noise(side=16)
    navigation = Navigation(tilemap)
    navigation.build_index(background=True)
    navigation.build_index(background=True, landmarks=2)
    assert comes(navigation.has_index)
    one_edit(tilemap).set_level((0, 4), 9)  # an old index would be wrong
    check_exact(navigation)
    assert comes(navigation.has_index)
    check_exact(navigation)


@pytest.mark.parametrize("landmarks", [None, 2])
def test_an_edit_while_an_index_is_built_does_not_make_it_wrong(landmarks):
    tilemap = TileMap([[2] * 8] * 8)
    navigation, edits = Navigation(tilemap), []

    def edit_once(*_):
        if not edits:
            edits.append(None)
            one_edit(tilemap).set_level((0, 4), 9)  # cheaper than anything a bound could know
            navigation.find_path((0, 0), (7, 7))

    navigation.build_index(landmarks=landmarks, progress=edit_once)
    check_exact(navigation)


@pytest.mark.parametrize("profile", PROFILES)
def test_an_index_is_never_missing_while_a_map_is_edited(profile):
    tilemap = noise(side=30)
    navigation = Navigation(tilemap)
    navigation.build_index(profile, landmarks=4)
    rng = np.random.default_rng(2)
    for number in range(60):
        with tilemap.edit() as edit:
            for row, col, level in rng.integers(0, (30, 30, 5), (2, 3)).tolist():
                edit.set_level((row, col), level)
            if number % 7 == 0:
                edit.add_link((number % 30, 3), (3, number % 29), kind="ladder", cost=1)
        assert navigation.has_index(profile)
        if number % 10 == 0:
            check_exact(navigation, profile)


def test_an_index_is_built_in_the_background():
    navigation, calls = Navigation(noise()), []
    navigation.build_index(landmarks=3, background=True, progress=lambda *done: calls.append(done))
    assert comes(navigation.has_index)
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_after_a_failing_listener_the_index_can_be_built(monkeypatch):
    failed = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _args: failed.set())
    navigation = Navigation(noise())
    navigation.build_index(landmarks=2, background=True, progress=lambda *_: 1 / 0)
    assert failed.wait(10)
    assert not navigation.has_index()
    navigation.build_index(landmarks=2, background=True)
    assert comes(navigation.has_index)


def test_edits_in_quick_succession_do_not_pile_up_indexes(monkeypatch):
    tilemap = noise(side=8)
    navigation, choose = Navigation(tilemap), ai.navigation.profile_index.choose_landmarks
    under_way, most = [], []

    def watched(*arguments):
        under_way.append(None)
        most.append(len(under_way))
        time.sleep(0.05)
        found = choose(*arguments)
        under_way.pop()
        return found

    navigation.build_index(landmarks=1)
    monkeypatch.setattr(ai.navigation.profile_index, "choose_landmarks", watched)
    for turn in range(8):
        one_edit(tilemap).add_deck((5, 5), level=10 + 5 * turn)  # its number needs a new graph
        navigation.find_path((0, 0), (7, 7))
    assert comes(navigation.has_index)
    assert max(most) == 1
    assert len(most) < 8
    check_exact(navigation)


def test_profiles_without_an_index_are_dropped_first():
    navigation = Navigation(noise(side=8))
    navigation.build_index(landmarks=1)
    for number in range(40):
        navigation.find_path((0, 0), (1, 1), MoveProfile(climb_cost=number + 2))
    assert navigation.has_index()
