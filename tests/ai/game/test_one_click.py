"""One click plans once: it computes the reach once and searches only for cells outside it."""

import pytest

from ai import Commander, MoveProfile, Navigation, Unit
from ai.behaviors.behavior import Situation
from tests.support.boards import posted


@pytest.fixture
def counts(monkeypatch):
    """Count the queries and the situations from now on, by name."""
    counts = {"reach": 0, "find_path": 0, "situation": 0}

    def count(owner, method, name):
        original = getattr(owner, method)

        def counting(*args, **more):
            counts[name] += 1
            return original(*args, **more)

        monkeypatch.setattr(owner, method, counting)

    count(Navigation, "reach", "reach")
    count(Navigation, "find_path", "find_path")
    count(Situation, "__post_init__", "situation")
    return counts


def click(commander, cell):
    """Aim at a cell, show the reach and the plan, and click; return the reason of a refusal."""
    refusals = []
    commander.refused.connect(refusals.append)
    commander.aim_at(cell)
    assert commander.reach is not None
    assert commander.plan is not None
    commander.act_on(cell)
    return "".join(refusals)


def commander_on(picture):
    board, units = posted(picture, all={"move": 4})
    commander = Commander(board)
    commander.select(units["a"])
    return commander, units


def test_an_order_floods_one_reach(counts):
    commander, units = commander_on("a....\n..B..\n.....")
    assert click(commander, (2, 1)) == ""
    assert units["a"].cell == (2, 1, 0)
    assert counts == {"reach": 1, "find_path": 0, "situation": 1}


def test_a_refused_order_searches_one_path_as_well(counts):
    commander, _ = commander_on("a.B...")
    assert click(commander, (0, 5)).startswith("a cannot go there: ")
    assert counts == {"reach": 1, "find_path": 1, "situation": 1}


def test_an_order_out_of_reach_searches_one_path_as_well(counts):
    commander, units = commander_on("a.....")
    assert click(commander, (0, 5)) == ""
    assert units["a"].cell == (0, 4, 0)
    assert counts == {"reach": 1, "find_path": 1, "situation": 1}


def test_moving_the_pointer_floods_no_reach_again(counts):
    commander, _ = commander_on("a....\n..B..\n.....")
    for col in range(1, 5):
        commander.aim_at((0, col))
        assert commander.reach is not None
        assert commander.plan is not None
    assert counts["reach"] == 1


def raise_ground(board, level):
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), level)


CHANGES = {
    "an edit": lambda board, _units: raise_ground(board, 2),
    "an undone edit": lambda board, _units: board.tilemap.undo(),
    "another unit's move": lambda board, units: board.move(units["B"], (2, 3)),
    "an added unit": lambda board, _units: board.add(Unit("late", (0, 2))),
    "a removed unit": lambda board, units: board.remove(units["B"]),
    "an own move": lambda board, units: board.move(units["a"], (1, 0)),
    "an undone move": lambda board, _units: board.undo(),
    "another profile": lambda _, units: setattr(units["a"], "profile", MoveProfile(max_climb=0)),
    "another enemy's profile": lambda _, units: setattr(
        units["B"], "profile", MoveProfile.classic()
    ),
    "more move points": lambda _, units: setattr(units["a"], "move", 9),
    "another team": lambda _, units: setattr(units["B"], "team", "blue"),
    "no zone of control": lambda _, units: setattr(units["B"], "has_zoc", False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_the_order_is_planned_again(counts, change):
    commander, units = commander_on("a....\n..B..\n.....")
    board = commander.board
    raise_ground(board, 1)
    board.move(units["B"], (1, 3))
    assert board.plan(units["a"], (2, 1))
    before = dict(counts)
    assert board.plan(units["a"], (2, 1))
    assert counts == before
    CHANGES[change](board, units)
    before = counts["reach"]
    board.plan(units["a"], (2, 1))
    assert counts["reach"] == before + 1
