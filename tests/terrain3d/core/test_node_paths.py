"""Nodes by name, path and group, their signals, and what they refuse."""

import math
import re

import pytest

from terrain3d import Node, SceneTree, Signal


@pytest.fixture
def tree():
    """The root holds Body and Hat; Body holds Arm, which holds Hand."""
    tree = SceneTree()
    body = tree.root.add_child(Node("Body"))
    body.add_child(Node("Arm")).add_child(Node("Hand"))
    tree.root.add_child(Node("Hat"))
    return tree


def test_add_child_gives_the_child_back():
    child = Node("Arm")
    assert Node("Body").add_child(child) is child


def test_siblings_never_share_a_name():
    body = Node("Body")
    names = [body.add_child(Node("Arm")).name for _ in range(3)]
    assert names == ["Arm", "Arm2", "Arm3"]
    assert Node("Other").add_child(Node("Arm")).name == "Arm"


def test_a_new_name_steps_over_one_that_is_taken():
    body = Node("Body")
    body.add_child(Node("Arm2"))
    body.add_child(Node("Arm"))
    assert body.add_child(Node("Arm")).name == "Arm3"


@pytest.mark.parametrize("name", ["a/b", "/", ".", ".."])
def test_a_name_that_would_read_as_a_path_is_refused(name):
    with pytest.raises(ValueError, match="without '/'"):
        Node(name)


@pytest.mark.parametrize(
    ("start", "path", "found"),
    [
        ("Body", "Arm", "Arm"),
        ("Body", "Arm/Hand", "Hand"),
        ("Body", ".", "Body"),
        ("Body", "..", "root"),
        ("Body/Arm/Hand", "../../../Hat", "Hat"),
        ("Body/Arm", "/", "root"),
        ("Body/Arm", "/Body", "Body"),
        ("Body/Arm", "./Hand/", "Hand"),
    ],
)
def test_a_path_leads_down_up_or_from_the_root(tree, start, path, found):
    assert tree.root.get_node(start).get_node(path).name == found


@pytest.mark.parametrize("path", ["Leg", "Arm/Leg/Toe", "../..", "/Leg"])
def test_a_path_to_nowhere_is_refused_by_name(tree, path):
    with pytest.raises(KeyError) as caught:
        tree.root.get_node("Body").get_node(path)
    assert repr(path) in str(caught.value)


def test_a_path_works_outside_of_a_tree_except_from_the_root():
    body = Node("Body")
    body.add_child(Node("Arm"))
    assert body.get_node("Arm").name == "Arm"
    with pytest.raises(RuntimeError, match="not inside a tree"):
        body.get_node("/Arm")


def test_children_are_listed_in_the_order_they_were_added(tree):
    assert [child.name for child in tree.root.children] == ["Body", "Hat"]
    assert [node.name for node in tree.root.walk()] == ["root", "Body", "Arm", "Hand", "Hat"]


def test_a_node_with_a_parent_cannot_be_added(tree):
    with pytest.raises(ValueError, match="has a parent already"):
        tree.root.add_child(tree.root.get_node("Body/Arm"))
    with pytest.raises(ValueError, match="has a parent already"):
        Node("Other").add_child(tree.root)


def test_a_node_cannot_be_its_own_child():
    body = Node("Body")
    arm = body.add_child(Node("Arm"))
    for above in (body, arm):
        with pytest.raises(ValueError, match="cannot be a child of itself"):
            above.add_child(body)


def test_only_the_parent_removes_a_child(tree):
    hand = tree.root.get_node("Body/Arm/Hand")
    with pytest.raises(ValueError, match=r"'Hand'> is not a child of .*'root'"):
        tree.root.remove_child(hand)
    assert hand.is_inside_tree


def test_a_group_finds_its_nodes_at_any_depth(tree):
    hand, hat = tree.root.get_node("Body/Arm/Hand"), tree.root.get_node("Hat")
    for node in (hat, hand):
        node.add_to_group("blue")
        node.add_to_group("blue")
    assert tree.get_nodes_in_group("blue") == [hand, hat]
    assert tree.get_nodes_in_group("red") == []
    hand.remove_from_group("blue")
    hand.remove_from_group("red")
    assert not hand.is_in_group("blue")
    assert tree.get_nodes_in_group("blue") == [hat]


def test_a_group_holds_only_what_is_in_the_tree(tree):
    hat = tree.root.get_node("Hat")
    hat.add_to_group("blue")
    tree.root.remove_child(hat)
    assert tree.get_nodes_in_group("blue") == []
    tree.root.add_child(hat)
    assert tree.get_nodes_in_group("blue") == [hat]


def test_outside_of_a_tree_queue_free_acts_at_once(tree):
    node = Node("Lone")
    node.queue_free()
    with pytest.raises(ValueError, match="'Lone'> was freed"):
        tree.root.add_child(node)


def test_the_root_cannot_be_freed(tree):
    with pytest.raises(ValueError, match="root of a tree cannot be freed"):
        tree.root.queue_free()


@pytest.mark.parametrize("dt_s", [-0.1, math.nan, math.inf, 1e308])
def test_time_is_finite_and_never_runs_back(tree, dt_s):
    with pytest.raises(ValueError, match=re.escape(f"in 0..1000000.0, got {dt_s}")):
        tree.advance(dt_s)


def test_a_node_brings_signals_of_its_own():
    class Lamp(Node):
        lit = Signal("brightness")

    lamp, log = Lamp(), []
    lamp.lit.connect(log.append)
    lamp.lit.emit(3)
    assert log == [3]
    assert lamp.name == "Lamp"


def test_the_life_cycle_emits_signals(tree):
    node, log = Node("A"), []
    for name in ("tree_entered", "ready", "tree_exiting"):
        getattr(node, name).connect(lambda name=name: log.append(name))
    tree.root.add_child(node)
    tree.root.remove_child(node)
    tree.root.add_child(node)
    assert log == ["tree_entered", "ready", "tree_exiting", "tree_entered"]
