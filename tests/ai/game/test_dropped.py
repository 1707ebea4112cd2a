"""What follows a map, a board or units that it does not own ends when nothing else needs it."""

import ast
import gc
import weakref
from pathlib import Path

import pytest

import ai
import terrain3d
from ai import Autopilot, Commander, Unit
from ai.game.rule_changes import RuleChanges
from terrain3d import SceneTree, Signal
from tests.support.boards import posted


def in_a_tree(node):
    tree = SceneTree()
    tree.root.add_child(node)
    tree.advance(0.1)
    return tree


FOLLOWERS = {
    "commander": Commander,
    "rule changes": lambda board: RuleChanges(Commander(board)),
    "autopilot": Autopilot,
    "autopilot in a tree": lambda board: in_a_tree(Autopilot(board)),
}


def listeners(*owners):
    """Count the listeners of each signal of some objects."""
    signals = [
        getattr(owner, name)
        for owner in owners
        for name in dir(type(owner))
        if isinstance(getattr(type(owner), name), Signal)
    ]
    return [len(signal._listeners) for signal in signals]


@pytest.mark.parametrize("name", FOLLOWERS)
def test_what_is_dropped_leaves_no_listener_behind(name):
    board, units = posted("A..\n.b.\n...")
    before = listeners(board, board.tilemap, *units.values())
    follower = FOLLOWERS[name](board)
    late = board.add(Unit("Late", cell=(2, 2), team="A"))
    assert listeners(board, board.tilemap, *units.values()) != before
    is_alive = weakref.ref(follower)
    del follower
    gc.collect()
    assert is_alive() is None
    assert listeners(board, board.tilemap, *units.values()) == before
    assert not any(listeners(late))
    with board.tilemap.edit() as edit:
        edit.set_level((0, 1), 1)
    board.remove(late)


def test_a_follower_that_is_kept_goes_on():
    board, units = posted("A..\n...")
    heard = []
    commander = Commander(board)
    commander.changed.connect(lambda: heard.append(commander.board))
    gc.collect()
    board.move(units["A"], (0, 2))
    assert heard


FOREIGN = ("tilemap", "board", "unit", "navigation", "commander", "_board", "_tilemap")


def test_the_library_connects_weakly_to_what_it_does_not_own():
    strong = []
    for package in (ai, terrain3d):
        for file in Path(package.__file__).parent.rglob("*.py"):
            if "program" in file.parts:  # the scene owns its board
                continue
            for call in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".connect"):
                    owner = ast.unparse(call.func).split(".")[-3:-2]
                    is_weak = "weak" in {each.arg for each in call.keywords}
                    if owner and owner[0] in FOREIGN and not is_weak:
                        strong.append(f"{file.name}:{call.lineno}")
    assert strong == []
