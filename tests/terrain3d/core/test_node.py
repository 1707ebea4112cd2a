"""Nodes: Godot's order of life, names, paths and groups, and nodes that raise."""

import pytest

from terrain3d import Node, SceneTree
from terrain3d.core.node import MAX_DEPTH


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
    left = ["exit C", "exit B", "freed B", "freed C"]
    assert log == ["process A", "process B", "process C", "process D", *left]
    assert b.parent is None


def test_nodes_queued_while_others_are_freed_are_freed_in_the_same_frame(tree, log):
    a, b = (tree.root.add_child(Witness(name, log)) for name in "AB")
    a.on["exit"] = lambda: a.queue_free() or b.queue_free()
    a.queue_free()
    log.clear()
    tree.advance(0)
    assert log == ["process A", "process B", "exit A", "freed A", "exit B", "freed B"]
    assert tree.root.children == ()


def test_a_freed_node_cannot_be_added_again(tree, log):
    a, b, _, _ = family(log)
    tree.root.add_child(a)
    a.queue_free()
    tree.advance(0)
    for node in (a, b):
        with pytest.raises(ValueError, match="was freed"):
            tree.root.add_child(node)


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
def test_a_path_leads_down_up_or_from_the_root(body_tree, start, path, found):
    assert body_tree.root.get_node(start).get_node(path).name == found


@pytest.mark.parametrize("path", ["Leg", "Arm/Leg/Toe", "../..", "/Leg"])
def test_a_path_to_nowhere_is_refused_by_name(body_tree, path):
    with pytest.raises(KeyError) as caught:
        body_tree.root.get_node("Body").get_node(path)
    assert repr(path) in str(caught.value)


def test_a_path_works_outside_of_a_tree_except_from_the_root():
    body = Node("Body")
    body.add_child(Node("Arm"))
    assert body.get_node("Arm").name == "Arm"
    with pytest.raises(RuntimeError, match="not inside a tree"):
        body.get_node("/Arm")


def test_children_are_listed_in_the_order_they_were_added(body_tree):
    assert [child.name for child in body_tree.root.children] == ["Body", "Hat"]
    assert [node.name for node in body_tree.root.walk()] == ["root", "Body", "Arm", "Hand", "Hat"]


def test_a_node_with_a_parent_cannot_be_added(body_tree):
    with pytest.raises(ValueError, match="has a parent already"):
        body_tree.root.add_child(body_tree.root.get_node("Body/Arm"))
    with pytest.raises(ValueError, match="has a parent already"):
        Node("Other").add_child(body_tree.root)


def test_a_node_cannot_be_its_own_child():
    body = Node("Body")
    arm = body.add_child(Node("Arm"))
    for above in (body, arm):
        with pytest.raises(ValueError, match="cannot be a child of itself"):
            above.add_child(body)


def test_only_the_parent_removes_a_child(body_tree):
    hand = body_tree.root.get_node("Body/Arm/Hand")
    with pytest.raises(ValueError, match=r"'Hand'> is not a child of .*'root'"):
        body_tree.root.remove_child(hand)
    assert hand.is_inside_tree


def test_a_group_finds_its_nodes_at_any_depth(body_tree):
    hand, hat = body_tree.root.get_node("Body/Arm/Hand"), body_tree.root.get_node("Hat")
    for node in (hat, hand):
        node.add_to_group("blue")
        node.add_to_group("blue")
    assert body_tree.get_nodes_in_group("blue") == [hand, hat]
    assert body_tree.get_nodes_in_group("red") == []
    hand.remove_from_group("blue")
    hand.remove_from_group("red")
    assert not hand.is_in_group("blue")
    assert body_tree.get_nodes_in_group("blue") == [hat]


def test_a_group_holds_only_what_is_in_the_tree(body_tree):
    hat = body_tree.root.get_node("Hat")
    hat.add_to_group("blue")
    body_tree.root.remove_child(hat)
    assert body_tree.get_nodes_in_group("blue") == []
    body_tree.root.add_child(hat)
    assert body_tree.get_nodes_in_group("blue") == [hat]


def test_outside_of_a_tree_queue_free_acts_at_once(body_tree):
    node = Node("Lone")
    node.queue_free()
    with pytest.raises(ValueError, match="'Lone'> was freed"):
        body_tree.root.add_child(node)


def test_the_root_cannot_be_freed(body_tree):
    with pytest.raises(ValueError, match="root of a tree cannot be freed"):
        body_tree.root.queue_free()


def test_the_life_cycle_emits_signals(body_tree):
    node, log = Node("A"), []
    for name in ("tree_entered", "ready", "tree_exiting"):
        getattr(node, name).connect(lambda name=name: log.append(name))
    body_tree.root.add_child(node)
    body_tree.root.remove_child(node)
    body_tree.root.add_child(node)
    assert log == ["tree_entered", "ready", "tree_exiting", "tree_entered"]


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


def test_the_nearest_node_of_a_kind_above_is_found(log):
    a, b, c = chain(log)
    plain = c.add_child(Node())
    leaf = plain.add_child(Node())
    assert leaf.find_ancestor(Witness) is c
    assert c.find_ancestor(Witness) is b
    assert a.find_ancestor(Witness) is None


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
