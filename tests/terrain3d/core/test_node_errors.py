"""Nodes that raise: what failed to come in is out, what leaves is gone, and time still frees."""

import pytest

from terrain3d import Node, SceneTree
from terrain3d.core.node import MAX_DEPTH


class Faulty(Node):
    """Raises in chosen life cycle methods and records which have run."""

    def __init__(self, name, log, *faults):
        super().__init__(name)
        self.log = log
        self.faults = set(faults)

    def _note(self, what):
        self.log.append(f"{what} {self.name}")
        if what in self.faults:
            raise OSError(f"{what} {self.name}")

    def _enter_tree(self):
        self._note("enter")

    def _ready(self):
        self._note("ready")

    def _process(self, _dt_s):
        self._note("process")

    def _exit_tree(self):
        self._note("exit")

    def _freed(self):
        self._note("freed")


@pytest.fixture
def tree():
    return SceneTree()


@pytest.fixture
def log():
    return []


def chain(log, *faults):
    """A holds B, B holds C; B is the faulty one."""
    a, b, c = Faulty("A", log), Faulty("B", log, *faults), Faulty("C", log)
    a.add_child(b).add_child(c)
    return a, b, c


def test_a_node_that_fails_to_enter_is_removed_and_only_entered_nodes_exit(tree, log):
    a, b, c = chain(log, "enter")
    with pytest.raises(OSError, match="enter B"):
        tree.root.add_child(a)
    assert log == ["enter A", "enter B", "exit B", "exit A"]
    assert tree.root.children == ()
    assert a.parent is None
    assert not any(node.is_inside_tree for node in (a, b, c))


def test_a_node_that_failed_to_enter_may_be_added_again(tree, log):
    a, b, _ = chain(log, "enter")
    with pytest.raises(OSError, match="enter B"):
        tree.root.add_child(a)
    b.faults.clear()
    log.clear()
    tree.root.add_child(a)
    assert log == ["enter A", "enter B", "enter C", "ready C", "ready B", "ready A"]


def test_a_node_that_raises_in_ready_is_removed_and_runs_ready_when_added_again(tree, log):
    a, b, _ = chain(log, "ready")
    with pytest.raises(OSError, match="ready B"):
        tree.root.add_child(a)
    assert tree.root.children == ()
    assert log[-3:] == ["exit C", "exit B", "exit A"]
    b.faults.clear()
    log.clear()
    tree.root.add_child(a)
    assert log[-2:] == ["ready B", "ready A"]


def test_an_error_while_leaving_leaves_no_node_in_the_tree(tree, log):
    a, b, c = chain(log, "exit")
    tree.root.add_child(a)
    log.clear()
    with pytest.raises(OSError, match="exit B"):
        tree.root.remove_child(a)
    assert log == ["exit C", "exit B", "exit A"]
    assert tree.root.children == ()
    assert a.parent is None
    assert not any(node.is_inside_tree for node in (a, b, c))


def test_an_error_in_a_frame_does_not_keep_queued_nodes(tree, log):
    a, _, _ = chain(log, "process")
    tree.root.add_child(a)
    other = tree.root.add_child(Faulty("D", log))
    other.queue_free()
    with pytest.raises(OSError, match="process B"):
        tree.advance(0.1)
    assert tree.root.children == (a,)


def test_an_error_while_freeing_does_not_keep_other_queued_nodes(tree, log):
    nodes = [tree.root.add_child(Faulty(name, log, "exit")) for name in "ABC"]
    for node in nodes:
        node.queue_free()
    with pytest.raises(OSError, match="exit C"):
        tree.advance(0.1)
    assert tree.root.children == ()
    assert [line for line in log if line.startswith("freed")] == ["freed A", "freed B", "freed C"]


def test_freed_runs_once_for_every_node_below_a_freed_one(tree, log):
    a, b, c = chain(log)
    tree.root.add_child(a)
    tree.root.remove_child(a)
    assert not any(line.startswith("freed") for line in log)
    tree.root.add_child(a)
    for node in (a, b, c, a):
        node.queue_free()
    log.clear()
    tree.advance(0.0)
    assert sorted(line for line in log if line.startswith("freed")) == [
        "freed A",
        "freed B",
        "freed C",
    ]


def test_closing_frees_all_without_a_frame(tree, log):
    for name in "AB":
        tree.root.add_child(Faulty(name, log, "process"))
    log.clear()
    tree.close()
    assert log == ["exit B", "freed B", "exit A", "freed A"]
    assert tree.root.children == ()


def test_the_nearest_node_of_a_kind_above_is_found(log):
    a, b, c = chain(log)
    plain = c.add_child(Node())
    leaf = plain.add_child(Node())
    assert leaf.find_ancestor(Faulty) is c
    assert c.find_ancestor(Faulty) is b
    assert a.find_ancestor(Faulty) is None


def deep(count):
    """Give the first of nodes that each hold the next."""
    first = node = Node("n")
    for _ in range(count - 1):
        node = node.add_child(Node("n"))
    return first


def test_a_tree_has_a_limit_of_depth_inside_and_outside(tree):
    first = tree.root.add_child(deep(MAX_DEPTH - 1))
    *_, last = first.walk()
    with pytest.raises(ValueError, match=r"at most 100 levels, .* makes 101"):
        last.add_child(Node("n"))
    with pytest.raises(ValueError, match=r"at most 100 levels, .* makes 102"):
        tree.root.add_child(Node("top")).add_child(deep(MAX_DEPTH))
    with pytest.raises(ValueError, match="at most 100 levels"):
        deep(3000)
    assert last.children == ()
    tree.advance(0.1)
    tree.close()
    assert first.is_freed
    assert last.is_freed


def test_what_is_no_node_is_refused(tree):
    for call in (tree.root.add_child, tree.root.remove_child, tree.queue_free):
        with pytest.raises(TypeError, match="must be a Node, got None"):
            call(None)
    assert tree.root.children == ()


def test_what_a_life_cycle_may_take_of_the_stack_is_there(tree):
    """A caller may be deep in functions itself."""

    def after(calls):
        return after(calls - 1) if calls else tree.root.add_child(deep(MAX_DEPTH - 1))

    first = after(400)
    tree.root.remove_child(first)
    assert not first.is_inside_tree
