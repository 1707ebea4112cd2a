"""The map doctor: what it says and marks while a map is edited."""

import time
from types import SimpleNamespace

import pytest

from ai import Board, MoveProfile, Unit
from ai.view import map_doctor
from ai.view.map_doctor import DoctorView
from terrain3d import TileMap
from terrain3d.view import Terrain3D
from tests.support.boards import one_edit

DEADLINE_S = 300.0


class Watched:
    """A board whose map is edited, and the doctor of its terrain."""

    def __init__(self, tree):
        self.tree, self.board = tree, Board(TileMap([[4] * 9] * 5))
        self.editor = SimpleNamespace(is_active=True)
        terrain = tree.root.add_child(Terrain3D(self.board.tilemap))
        self.doctor = terrain.add_child(DoctorView(self.board, MoveProfile(), self.editor))
        self.texts = []
        self.doctor.changed.connect(lambda: self.texts.append(self.doctor.text))

    def after(self, **changes):
        """Edit the map by calls of names, and return the text when it has been checked."""
        n_before, end = len(self.texts), time.monotonic() + DEADLINE_S
        with self.board.tilemap.edit() as edit:
            for name, values in changes.items():
                getattr(edit, name)(*values)
        while len(self.texts) == n_before and time.monotonic() < end:
            self.pass_time()
        (text,) = self.texts[n_before:]
        return text

    def pass_time(self):
        self.tree.advance(0.1)
        time.sleep(0.001)

    @property
    def marked(self):
        overlays = self.doctor.overlays.items()
        return {sign: {cell[:2] for cell in overlay.cells} for sign, overlay in overlays}


@pytest.fixture
def watched(tree):
    watched = Watched(tree)
    assert watched.after() == ""
    return watched


NOTHING = {"x": set(), "!": set(), "><": set()}


def test_text_and_marks_follow_every_edit(watched):
    said = "Island: (row 2, col 5) cannot be reached"
    assert watched.after(set_level=((2, 5), 7)) == said
    assert watched.marked == NOTHING | {"x": {(2, 5)}}
    assert watched.after(set_level=((2, 5), 1)).startswith("Trap: ")
    assert watched.marked == NOTHING | {"!": {(2, 5)}}
    assert watched.after(set_level=((2, 5), 4)) == ""
    assert watched.marked == NOTHING
    link = {"set_kind": ((2, 5), "lava"), "add_link": ((0, 0), (2, 5), 1, "ladder")}
    assert watched.after(**link).startswith("Link")
    assert watched.marked == NOTHING | {"x": {(0, 0), (2, 5)}}
    watched.board.tilemap.undo()
    with watched.board.tilemap.edit() as edit:
        for row in range(1, 5):
            edit.set_kind((row, 4), "void")
    assert watched.after() == ""
    assert watched.marked == NOTHING | {"><": {(0, 3), (0, 4), (0, 5)}}


def test_a_failed_check_is_said_and_the_next_edit_is_checked(watched, monkeypatch):
    def fail(*_arguments, **_options):
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(map_doctor, "check", fail)
        said = watched.after(set_level=((0, 4), 7))
    assert said == "This map cannot be checked: MemoryError"
    assert watched.after(set_level=((0, 3), 7)).startswith("Island: (row 0, col 3) and 1 more")


def test_a_check_during_which_a_deck_goes_is_repeated(watched, monkeypatch):
    check, calls = map_doctor.check, []

    def check_late(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 1:
            raise IndexError("(0, 4) has no deck 1")
        return check(*arguments, **options)

    monkeypatch.setattr(map_doctor, "check", check_late)
    assert watched.after(set_level=((0, 4), 5)) == ""
    assert len(calls) == 2


def test_nothing_is_checked_without_an_edit_or_while_no_map_is_edited(watched):
    assert watched.after(set_level=((0, 4), 7))
    watched.editor.is_active = False
    watched.pass_time()
    assert (watched.doctor.text, watched.marked) == ("", NOTHING)
    one_edit(watched.board.tilemap).set_level((0, 3), 7)

    def check_quiet():
        n_texts = len(watched.texts)
        for _ in range(20):
            watched.pass_time()
        assert len(watched.texts) == n_texts

    check_quiet()
    watched.editor.is_active = True
    assert watched.after().startswith("Island")
    check_quiet()


def test_units_are_spawns_also_after_their_deck_is_gone(watched):
    one_edit(watched.board.tilemap).add_deck((0, 4), level=9, kind="road")
    watched.board.add(Unit("Mira", (0, 0)))
    watched.board.add(Unit("Odo", (0, 4, 1)))
    assert watched.after().startswith("Spawn (1 of 2): ")
    assert watched.after(remove_deck=((0, 4),)) == ""
