"""A misspelled attribute is refused with the nearest name; classes of users are free."""

import copy
import pickle
import time

import numpy as np
import pytest

from ai import Board, Commander, Navigation, Seek, Unit
from terrain3d import Node, SceneTree, TileMap, translation_server
from terrain3d.core.checks import KnownAttributes
from terrain3d.editor import MapEditor


def made():
    board = Board(TileMap([[0, 0], [0, 1]]))
    unit = board.add(Unit("Mira", (0, 0)))
    tree = SceneTree()
    nodes = Node("a"), tree, board.tilemap, Navigation(board.tilemap)
    rng = np.random.default_rng(1)
    others = (
        Commander(board),
        MapEditor(board.tilemap, "a.tmap"),
        Seek((1, 1), rng),
        translation_server,
    )
    return {type(each).__name__: each for each in (board, unit, *others, *nodes)}


@pytest.mark.parametrize(
    ("owner", "wrong", "right"),
    [
        ("Board", "tilemapp", "tilemap"),
        ("Unit", "headin_deg", "heading_deg"),
        ("Unit", "moves", "move"),
        ("Commander", "selectd", "selected"),
        ("TileMap", "step_heigth", "step_height"),
        ("Navigation", "tile_map", "tilemap"),
        ("Node", "nam", "name"),
        ("SceneTree", "roots", "root"),
        ("MapEditor", "clipbord", "clipboard"),
        ("Seek", "n_detour", "n_detours"),
        ("TranslationServer", "langauge", "language"),
    ],
)
def test_a_misspelled_name_is_refused_with_the_nearest(owner, wrong, right):
    one = made()[owner]
    with pytest.raises(
        AttributeError, match=f"^{owner} has no attribute '{wrong}'; did you mean '{right}'"
    ):
        setattr(one, wrong, 1)
    assert not hasattr(one, wrong)


def test_a_name_that_is_near_none_is_refused_alone():
    with pytest.raises(AttributeError, match=r"^Unit has no attribute 'qqqqqq'$"):
        Unit("Mira", (0, 0)).qqqqqq = 1


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("Board", "rules"),
        ("Board", "heading_deg"),
        ("Unit", "range"),
        ("Commander", "units"),
        ("TileMap", "name"),
        ("Navigation", "cost"),
        ("Node", "root"),
        ("SceneTree", "children"),
    ],
)
def test_a_name_that_its_methods_use_for_something_else_is_refused(owner, name):
    with pytest.raises(AttributeError, match=f"^{owner} has no attribute '{name}'"):
        setattr(made()[owner], name, 1)


@pytest.mark.parametrize(
    ("owner", "name", "how"),
    [
        ("Board", "turn", "end_turn"),
        ("Board", "units", "add"),
        ("Unit", "cell", "Board.move"),
        ("Commander", "selected", "select"),
        ("TileMap", "level", "edit"),
        ("TileMap", "rows", "resize"),
        ("Node", "parent", "add_child"),
    ],
)
def test_one_that_is_read_only_is_refused_with_what_changes_it(owner, name, how):
    with pytest.raises(AttributeError, match=rf"^{owner}\.{name} is read-only\. .*`{how}`"):
        setattr(made()[owner], name, 1)


def test_stats_are_refused_with_what_changes_them():
    unit = Unit("Mira", (0, 0), stats={"hp": 3})
    with pytest.raises(TypeError, match=r"'hp' is read-only here; .* action\.set\(unit, \.\.\.\)"):
        unit.stats["hp"] = 4
    assert unit.stats == {"hp": 3}


def test_an_empty_name_is_refused():
    with pytest.raises(AttributeError, match=r"^Board has no attribute ''$"):
        setattr(made()["Board"], "", 1)


class Scout(Unit):
    def __init__(self):
        super().__init__("Odo", (0, 0))
        self.lore = 3


class Marked(Node):
    pass


def test_subclasses_of_users_are_free():
    scout, node = Scout(), Marked()
    scout.spirit = 4
    node.anything = 5
    assert (scout.lore, scout.spirit, node.anything) == (3, 4, 5)


def test_known_names_work_also_after_a_copy():
    unit = Unit("Mira", (0, 0))
    for each in (unit, copy.deepcopy(unit), pickle.loads(pickle.dumps(unit))):
        each.move = 9
        assert each.move == 9
        with pytest.raises(AttributeError):
            each.mvoe = 9


def test_private_names_and_classes_without_the_rule_are_left_alone():
    class Plain(KnownAttributes):
        pass

    plain = Plain()
    plain.anything, plain._own = 1, time
    assert plain.anything == 1
    Node("a")._mine = 1
