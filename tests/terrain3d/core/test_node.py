"""Nodes: Godot's order of entering, getting ready, processing and leaving."""

import pytest

from terrain3d import Node, SceneTree


class Witness(Node):
    """Records its life cycle calls."""

    def __init__(self, name, log):
        super().__init__(name)
        self.log = log
        self.on = {}
        self.elapsed_s = 0.0

    def _note(self, what):
        self.log.append(f"{what} {self.name}")
        self.on.get(what, lambda: None)()

    def _enter_tree(self):
        self._note("enter")

    def _ready(self):
        self._note("ready")

    def _process(self, dt_s):
        self.elapsed_s += dt_s
        self._note("process")

    def _exit_tree(self):
        self._note("exit")


@pytest.fixture
def tree():
    return SceneTree()


@pytest.fixture
def log():
    return []


def family(log):
    """A holds B and D; B holds C."""
    a, b, c, d = (Witness(name, log) for name in "ABCD")
    a.add_child(b).add_child(c)
    a.add_child(d)
    return a, b, c, d


def test_parents_enter_first_and_children_are_ready_first(tree, log):
    tree.root.add_child(family(log)[0])
    enter = ["enter A", "enter B", "enter C", "enter D"]
    assert log == [*enter, "ready C", "ready B", "ready D", "ready A"]


def test_time_passes_for_parents_first(tree, log):
    a = tree.root.add_child(family(log)[0])
    log.clear()
    tree.advance(0.25)
    assert log == ["process A", "process B", "process C", "process D"]
    assert [node.elapsed_s for node in a.walk()] == [0.25] * 4


def test_children_leave_first_and_the_last_child_first(tree, log):
    a = tree.root.add_child(family(log)[0])
    log.clear()
    tree.root.remove_child(a)
    assert log == ["exit D", "exit C", "exit B", "exit A"]
    assert not any(node.is_inside_tree for node in a.walk())


def test_nothing_happens_outside_of_a_tree(log):
    family(log)
    assert log == []


def test_a_node_is_in_the_tree_until_its_exit_has_run(tree, log):
    node, seen = Witness("A", log), []
    node.on["exit"] = lambda: seen.append(node.tree)
    tree.root.remove_child(tree.root.add_child(node))
    assert seen == [tree]


def test_a_node_gets_ready_once_in_its_life(tree, log):
    a = tree.root.add_child(family(log)[0])
    tree.root.remove_child(a)
    log.clear()
    tree.root.add_child(a)
    assert log == ["enter A", "enter B", "enter C", "enter D"]


def test_a_node_added_again_to_a_ready_parent_readies_its_new_children(tree, log):
    a = tree.root.add_child(family(log)[0])
    tree.root.remove_child(a)
    a.add_child(Witness("E", log))
    log.clear()
    tree.root.add_child(a)
    assert log == ["enter A", "enter B", "enter C", "enter D", "enter E", "ready E"]


def test_reparenting_leaves_and_enters(tree, log):
    a, b, _, d = family(log)
    tree.root.add_child(a)
    log.clear()
    a.remove_child(b)
    d.add_child(b)
    assert log == ["exit C", "exit B", "enter B", "enter C"]
    assert b.parent is d
    assert a.children == (d,)


def test_a_child_added_in_enter_tree_gets_ready_in_its_turn(tree, log):
    a, b, _, _ = family(log)
    b.on["enter"] = lambda: b.add_child(Witness("E", log))
    tree.root.add_child(a)
    enter = ["enter A", "enter B", "enter E", "enter C", "enter D"]
    assert log == [*enter, "ready C", "ready E", "ready B", "ready D", "ready A"]


def test_a_child_added_in_ready_lives_from_then_on(tree, log):
    a = Witness("A", log)
    a.on["ready"] = lambda: a.add_child(Witness("E", log))
    tree.root.add_child(a)
    assert log == ["enter A", "ready A", "enter E", "ready E"]


def test_a_child_added_in_process_is_first_processed_in_the_next_frame(tree, log):
    a = tree.root.add_child(Witness("A", log))
    a.on["process"] = lambda: a.on.clear() or a.add_child(Witness("E", log))
    log.clear()
    tree.advance(0.1)
    assert log == ["process A", "enter E", "ready E"]
    tree.advance(0.1)
    assert log[3:] == ["process A", "process E"]


def test_a_node_removed_in_process_is_not_processed_any_more(tree, log):
    a, b, _, _ = family(log)
    tree.root.add_child(a)
    a.on["process"] = lambda: a.remove_child(b)
    log.clear()
    tree.advance(0.1)
    assert log == ["process A", "exit C", "exit B", "process D"]


def test_a_node_removed_in_enter_tree_leaves_with_its_children(tree, log):
    a, b, c, _ = family(log)
    b.on["enter"] = lambda: a.remove_child(b)
    tree.root.add_child(a)
    assert not b.is_inside_tree
    assert not c.is_inside_tree
    assert "enter C" not in log


def test_a_child_removed_while_its_siblings_enter_does_not_enter(tree, log):
    a, b, _, d = family(log)
    b.on["enter"] = lambda: a.remove_child(d)
    tree.root.add_child(a)
    assert not d.is_inside_tree
    assert "enter D" not in log


def test_queue_free_waits_for_the_end_of_the_frame(tree, log):
    a, b, _, _ = family(log)
    tree.root.add_child(a)
    a.on["process"] = b.queue_free
    log.clear()
    tree.advance(0.1)
    assert log == ["process A", "process B", "process C", "process D", "exit C", "exit B"]
    assert b.parent is None


def test_queue_free_twice_frees_once(tree, log):
    a = tree.root.add_child(Witness("A", log))
    a.queue_free()
    a.queue_free()
    tree.advance(0)
    assert log.count("exit A") == 1


def test_parent_and_child_may_both_be_queued(tree, log):
    a, b, _, _ = family(log)
    tree.root.add_child(a)
    a.queue_free()
    b.queue_free()
    tree.advance(0)
    assert [log.count(f"exit {name}") for name in "ABCD"] == [1, 1, 1, 1]


def test_nodes_queued_while_others_are_freed_are_freed_in_the_same_frame(tree, log):
    a, b = (tree.root.add_child(Witness(name, log)) for name in "AB")
    a.on["exit"] = lambda: a.queue_free() or b.queue_free()
    a.queue_free()
    log.clear()
    tree.advance(0)
    assert log == ["process A", "process B", "exit A", "exit B"]
    assert tree.root.children == ()


def test_a_freed_node_cannot_be_added_again(tree, log):
    a, b, _, _ = family(log)
    tree.root.add_child(a)
    a.queue_free()
    tree.advance(0)
    for node in (a, b):
        with pytest.raises(ValueError, match="was freed"):
            tree.root.add_child(node)
