"""Freed nodes receive no signals, as in Godot."""

from terrain3d import Node, SceneTree, Signal


class Bell:
    rung = Signal("times")


class Listener(Node):
    def __init__(self):
        super().__init__()
        self.heard = []

    def hear(self, times):
        self.heard.append(times)


def test_methods_of_a_freed_node_are_dropped_and_those_of_a_removed_one_kept():
    tree, bell = SceneTree(), Bell()
    freed, removed = tree.root.add_child(Listener()), tree.root.add_child(Listener())
    for node in (freed, removed):
        bell.rung.connect(node.hear)
    freed.queue_free()
    bell.rung.emit(1)
    tree.advance(0.1)
    tree.root.remove_child(removed)
    bell.rung.emit(2)
    assert (freed.heard, removed.heard) == ([1], [1, 2])
    assert not bell.rung.is_connected(freed.hear)
