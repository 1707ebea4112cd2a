"""Nodes: Godot's order of life, names, paths and groups, and nodes that raise."""

import re

import pytest

from terrain3d import Node, SceneTree
from terrain3d.core.node import MAX_DEPTH
from tests.support.selection import table


class Witness(Node):
    """Records its life cycle calls, and raises in chosen ones."""

    def __init__(self, name, log, *faults):
        super().__init__(name)
        self.log = log
        self.faults = set(faults)
        self.on = {}
        self.elapsed_s = 0.0

    def _note(self, what):
        self.log.append(f"{what} {self.name}")
        self.on.get(what, lambda: None)()
        if what in self.faults:
            raise OSError(f"{what} {self.name}")

    def _enter_tree(self):
        self._note("enter")

    def _ready(self):
        self._note("ready")

    def _process(self, dt_s):
        self.elapsed_s += dt_s
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


def family(log):
    """A holds B and D; B holds C."""
    a, b, c, d = (Witness(name, log) for name in "ABCD")
    a.add_child(b).add_child(c)
    a.add_child(d)
    return a, b, c, d


def chain(log, *faults):
    """A holds B, B holds C; B is the faulty one."""
    a, b, c = Witness("A", log), Witness("B", log, *faults), Witness("C", log)
    a.add_child(b).add_child(c)
    return a, b, c


def test_the_life_of_a_family_has_the_order_of_godot(tree, log):
    def taken():
        lines = [*log]
        log.clear()
        return lines

    a, b, _, d = family(log)
    enter = ["enter A", "enter B", "enter C", "enter D"]
    assert taken() == []
    tree.root.add_child(a)
    assert taken() == [*enter, "ready C", "ready B", "ready D", "ready A"]
    tree.advance(0.25)
    assert taken() == ["process A", "process B", "process C", "process D"]
    assert [node.elapsed_s for node in a.walk()] == [0.25] * 4
    seen = []
    a.on["exit"] = lambda: seen.append(a.tree)
    tree.root.remove_child(a)
    assert taken() == ["exit D", "exit C", "exit B", "exit A"]
    assert seen == [tree]
    assert not any(node.is_inside_tree for node in a.walk())
    tree.root.add_child(a)
    assert taken() == enter  # a node gets ready once in its life
    a.remove_child(b)
    d.add_child(b)
    assert taken() == ["exit C", "exit B", "enter B", "enter C"]
    assert (b.parent, a.children) == (d, (d,))
    tree.root.remove_child(a)
    a.add_child(Witness("E", log))
    taken()
    tree.root.add_child(a)
    assert taken() == ["enter A", "enter D", "enter B", "enter C", "enter E", "ready E"]


@table(
    "name moment expected",
    ("B", "enter", "enter A, enter B, enter E, enter C, enter D, "
     "ready C, ready E, ready B, ready D, ready A"),
    ("A", "ready", "enter A, enter B, enter C, enter D, "
     "ready C, ready B, ready D, ready A, enter E, ready E"),
)  # fmt: skip
def test_a_child_added_while_its_parent_comes_to_life_lives_too(tree, log, name, moment, expected):
    family_of = {node.name: node for node in family(log)}
    node = family_of[name]
    node.on[moment] = lambda: node.add_child(Witness("E", log))
    tree.root.add_child(family_of["A"])
    assert ", ".join(log) == expected


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


@pytest.mark.parametrize(("removed", "left"), [("B", "BC"), ("D", "D")])
def test_what_is_removed_while_a_node_enters_does_not_enter_or_leaves(tree, log, removed, left):
    nodes = {node.name: node for node in family(log)}
    nodes["B"].on["enter"] = lambda: nodes["A"].remove_child(nodes[removed])
    tree.root.add_child(nodes["A"])
    assert [name for name, node in nodes.items() if not node.is_inside_tree] == [*left]
    assert f"enter {left[-1]}" not in log


def test_queue_free_waits_for_the_end_of_the_frame(tree, log):
    a, b, c, _ = family(log)
    tree.root.add_child(a)
    a.on["process"] = b.queue_free
    log.clear()
    tree.advance(0.1)
    left = ["exit C", "exit B", "freed B", "freed C"]
    assert log == ["process A", "process B", "process C", "process D", *left]
    assert b.parent is None
    lone = Node()
    lone.queue_free()  # at once outside of a tree
    for node in (b, c, lone):
        with pytest.raises(ValueError, match="was freed"):
            tree.root.add_child(node)


def test_nodes_queued_while_others_are_freed_are_freed_in_the_same_frame(tree, log):
    a, b = (tree.root.add_child(Witness(name, log)) for name in "AB")
    a.on["exit"] = lambda: a.queue_free() or b.queue_free()
    a.queue_free()
    log.clear()
    tree.advance(0)
    assert log == ["process A", "process B", "exit A", "freed A", "exit B", "freed B"]
    assert tree.root.children == ()


@pytest.fixture
def body_tree():
    """The root holds Body and Hat; Body holds Arm, which holds Hand."""
    body_tree = SceneTree()
    body = body_tree.root.add_child(Node("Body"))
    body.add_child(Node("Arm")).add_child(Node("Hand"))
    body_tree.root.add_child(Node("Hat"))
    return body_tree


def test_siblings_never_share_a_name():
    body = Node("Body")
    names = [body.add_child(Node("Arm")).name for _ in range(3)]
    assert names == ["Arm", "Arm2", "Arm3"]
    assert Node("Other").add_child(Node("Arm")).name == "Arm"
    other = Node("Body")
    other.add_child(Node("Arm2"))
    assert [other.add_child(Node("Arm")).name for _ in range(2)] == ["Arm", "Arm3"]


@table(
    "start path found",
    ("Body", "Arm", "Arm"),
    ("Body", "Arm/Hand", "Hand"),
    ("Body", ".", "Body"),
    ("Body", "..", "root"),
    ("Body/Arm/Hand", "../../../Hat", "Hat"),
    ("Body/Arm", "/", "root"),
    ("Body/Arm", "/Body", "Body"),
    ("Body/Arm", "./Hand/", "Hand"),
)
def test_a_path_leads_down_up_or_from_the_root(body_tree, start, path, found):
    assert body_tree.root.get_node(start).get_node(path).name == found


def below(node):
    """Return a new child of the child of a node."""
    return node.add_child(Node()).add_child(Node())


@table(
    "call error says",
    *(
        (lambda _, name=name: Node(name), ValueError, "without '/'")
        for name in ("a/b", "/", ".", "..")
    ),
    *(
        (lambda body, path=path: body.get_node(path), KeyError, re.escape(repr(path)))
        for path in ("Leg", "Arm/Leg/Toe", "../..", "/Leg")
    ),
    (lambda _: Node().get_node("/Body"), RuntimeError, "not inside a tree"),
    (lambda body: Node().add_child(body), ValueError, "has a parent already"),
    (lambda body: Node().add_child(body.tree.root), ValueError, "has a parent already"),
    (lambda _: below(top := Node()).add_child(top), ValueError, "cannot be a child of itself"),
    (lambda body: body.tree.root.remove_child(body.children[0]), ValueError, "not a child of"),
    (lambda body: body.tree.root.queue_free(), ValueError, "root of a tree cannot be freed"),
)
def test_mistakes_are_refused_and_change_nothing(body_tree, call, error, says):
    with pytest.raises(error, match=says):
        call(body_tree.root.get_node("Body"))
    assert [node.name for node in body_tree.root.walk()] == ["root", "Body", "Arm", "Hand", "Hat"]


def test_a_group_finds_its_nodes_at_any_depth(body_tree):
    hand, hat = body_tree.root.get_node("Body/Arm/Hand"), body_tree.root.get_node("Hat")
    for node in (hat, hand):
        node.add_to_group("blue")
        node.add_to_group("blue")
    assert body_tree.get_nodes_in_group("blue") == [hand, hat]
    assert body_tree.get_nodes_in_group("red") == []
    body_tree.root.remove_child(hat)
    assert body_tree.get_nodes_in_group("blue") == [hand]
    body_tree.root.add_child(hat)
    hand.remove_from_group("blue")
    hand.remove_from_group("red")
    assert not hand.is_in_group("blue")
    assert body_tree.get_nodes_in_group("blue") == [hat]


@table(
    "fault left",
    ("enter", "enter A, enter B, exit B, exit A"),
    ("ready", "enter A, enter B, enter C, ready C, ready B, exit C, exit B, exit A"),
)
def test_a_node_that_fails_is_removed_and_may_be_added_again(tree, log, fault, left):
    nodes = a, b, _ = chain(log, fault)
    with pytest.raises(OSError, match=f"{fault} B"):
        tree.root.add_child(a)
    assert ", ".join(log) == left
    assert (tree.root.children, a.parent) == ((), None)
    assert not any(node.is_inside_tree for node in nodes)
    b.faults.clear()
    log.clear()
    tree.root.add_child(a)
    is_ready = ["ready C"] * (fault == "enter")  # only once in its life
    assert log == ["enter A", "enter B", "enter C", *is_ready, "ready B", "ready A"]


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
    other = tree.root.add_child(Witness("D", log))
    other.queue_free()
    with pytest.raises(OSError, match="process B"):
        tree.advance(0.1)
    assert tree.root.children == (a,)


def test_an_error_while_freeing_does_not_keep_other_queued_nodes(tree, log):
    nodes = [tree.root.add_child(Witness(name, log, "exit")) for name in "ABC"]
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
    assert sorted(log[3:]) == [f"{what} {name}" for what in ("exit", "freed") for name in "ABC"]


def test_closing_frees_all_without_a_frame(tree, log):
    for name in "AB":
        tree.root.add_child(Witness(name, log, "process"))
    log.clear()
    tree.close()
    assert log == ["exit B", "freed B", "exit A", "freed A"]
    assert tree.root.children == ()


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


def test_what_a_life_cycle_may_take_of_the_stack_is_there(tree):
    """A caller may be deep in functions itself."""

    def after(calls):
        return after(calls - 1) if calls else tree.root.add_child(deep(MAX_DEPTH - 1))

    first = after(400)
    tree.root.remove_child(first)
    assert not first.is_inside_tree
