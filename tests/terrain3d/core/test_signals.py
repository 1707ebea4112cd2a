"""Signals: which listeners are called, in which order; exported properties: listed and checked."""

import copy
import gc
import math
import pickle

import numpy as np
import pytest

from terrain3d import Node, SceneTree, Signal, export
from tests.support.selection import table


class Door:
    opened = Signal("by")
    closed = Signal()


class Ear:
    def __init__(self, log=None):
        self.log = [] if log is None else log

    def hear(self, by):
        self.log.append(by)


def test_every_instance_calls_its_own_listeners_in_the_order_they_connected():
    door, log = Door(), []
    for name in "cab":
        door.opened.connect(lambda by, name=name: log.append((name, by)))
    door.opened.emit("Mira")
    assert log == [("c", "Mira"), ("a", "Mira"), ("b", "Mira")]
    here, there, log = Door(), Door(), []
    here.opened.connect(log.append)
    there.opened.emit("Mira")
    assert log == []
    here.opened.emit("Tom")
    assert log == ["Tom"]
    here.closed.connect(log.clear)
    here.opened.emit("Odo")
    assert log == ["Tom", "Odo"]


def test_once_is_called_for_one_emission_even_if_it_emits_again():
    door, log = Door(), []

    def hear(by):
        log.append(by)
        if by == "Mira":
            door.opened.emit("echo")

    door.opened.connect(hear, once=True)
    door.opened.emit("Mira")
    door.opened.emit("Tom")
    assert log == ["Mira"]
    assert not door.opened.is_connected(hear)


def test_a_listener_may_disconnect_itself_and_others_and_connect_one_for_the_next_emission():
    door, log, late, ear = Door(), [], [], Ear()

    def hear(_):
        door.opened.disconnect(hear)
        door.opened.disconnect(ear.hear)
        door.opened.connect(late.append)

    for listener in (hear, ear.hear, log.append):
        door.opened.connect(listener)
    door.opened.emit("Mira")
    door.opened.emit("Tom")
    assert (log, ear.log, late) == (["Mira", "Tom"], [], ["Tom"])


def test_a_bound_method_is_the_same_listener_at_each_access():
    door, ear, other = Door(), Ear(), Ear()
    door.opened.connect(ear.hear)
    assert door.opened.is_connected(ear.hear)
    assert not door.opened.is_connected(other.hear)
    with pytest.raises(ValueError, match="is not connected"):
        door.opened.disconnect(other.hear)
    with pytest.raises(ValueError, match=r"opened: .* connected already"):
        door.opened.connect(ear.hear)
    door.opened.emit("Mira")
    door.opened.disconnect(ear.hear)
    door.opened.emit("Tom")
    assert ear.log == ["Mira"]


@pytest.mark.parametrize("values", [(), ("Mira", "Tom")])
def test_a_wrong_number_of_values_is_refused_and_no_listener_called(values):
    door, log = Door(), []
    door.opened.connect(lambda *heard: log.append(heard))
    with pytest.raises(TypeError, match=rf"opened carries 1 values .*got {len(values)}"):
        door.opened.emit(*values)
    assert log == []


def fail_with(error):
    def listener(_):
        raise error

    return listener


def test_all_listeners_are_called_and_their_errors_raised():
    door, log = Door(), []
    door.opened.connect(fail_with(KeyError("first")))
    door.opened.connect(log.append)
    with pytest.raises(KeyError, match="first"):
        door.opened.emit("Mira")
    assert log == ["Mira"]
    door = Door()
    first, second = KeyError("first"), OSError("second")
    door.opened.connect(fail_with(first))
    door.opened.connect(fail_with(second))
    with pytest.raises(ExceptionGroup, match="2 listeners of opened failed") as caught:
        door.opened.emit("Mira")
    assert caught.value.exceptions == (first, second)


class Listener(Node, Ear):
    def __init__(self):
        Node.__init__(self)
        Ear.__init__(self)


def test_methods_of_a_freed_node_are_dropped_and_those_of_a_removed_one_kept():
    tree, door = SceneTree(), Door()
    freed, removed = tree.root.add_child(Listener()), tree.root.add_child(Listener())
    for node in (freed, removed):
        door.opened.connect(node.hear)
    freed.queue_free()
    door.opened.emit(1)
    tree.advance(0.1)
    tree.root.remove_child(removed)
    door.opened.emit(2)
    assert (freed.log, removed.log) == ([1], [1, 2])
    assert not door.opened.is_connected(freed.hear)


def test_a_weak_listener_ends_with_its_object_and_a_strong_one_does_not():
    door, log = Door(), []
    weak, strong, stays = Ear(log), Ear(log), Ear(log)
    door.opened.connect(weak.hear, weak=True)
    door.opened.connect(strong.hear)
    door.opened.connect(stays.hear, weak=True)
    for ear in (weak, stays):
        assert door.opened.is_connected(ear.hear)
        with pytest.raises(ValueError, match=r"opened: .* connected already"):
            door.opened.connect(ear.hear)
    door.opened.emit("Mira")
    del weak, strong, ear
    assert gc.collect() is not None
    door.opened.emit("Tom")
    assert log == ["Mira"] * 3 + ["Tom"] * 2
    door.opened.disconnect(stays.hear)
    assert not door.opened.is_connected(stays.hear)
    door.opened.emit("Odo")
    assert log[-2:] == ["Tom", "Odo"]


def test_only_methods_of_objects_can_be_weak_and_a_weak_one_may_be_called_once():
    door, ear = Door(), Ear()
    with pytest.raises(TypeError, match=r"opened: with weak=True .* method, got <built-in"):
        door.opened.connect(print, weak=True)
    door.opened.connect(ear.hear, once=True, weak=True)
    door.opened.emit("Mira")
    door.opened.emit("Odo")
    assert ear.log == ["Mira"]


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda signal: pickle.loads(pickle.dumps(signal))]
)
def test_a_copied_signal_has_no_listeners(duplicate):
    signal, heard, ear = Signal("by"), [], Ear([])
    signal.connect(lambda by: heard.append(by))
    signal.connect(ear.hear, weak=True)
    duplicate(signal).emit("Tom")
    assert heard == ear.log == []
    signal.emit("Mira")
    assert heard == ear.log == ["Mira"]


def test_a_weak_listener_that_ends_during_an_emission_is_not_called():
    door, log, ears = Door(), [], []
    door.opened.connect(lambda _: ears.clear())
    ears.append(Ear(log))
    door.opened.connect(ears[0].hear, weak=True)
    door.opened.emit("Mira")
    assert log == []


class Panel(Node):
    width = export(1.0, range=(0.5, 2.0), doc="in tiles")
    weight = export(1.0)
    steps = export(2, range=(0, 9))
    is_open = export(False)
    label = export("door")
    anything = export(None)
    color = export((1.0, 0.5, 0.0), range=(0.0, 1.0))
    keys = export(())
    signs = export(("in", "out"))


def test_exports_list_names_and_values_base_classes_first():
    class WidePanel(Panel):
        bars = export(7)

    gate = WidePanel()
    gate.steps = 3
    names = "width weight steps is_open label anything color keys signs bars"
    assert " ".join(gate.exports) == names
    assert (gate.exports["steps"], WidePanel().exports["steps"]) == (3, 2)


@table(
    "name value",
    ("width", 0.5),
    ("width", np.float32(1.5)),
    ("weight", -math.inf),
    ("steps", 9),
    ("anything", "text"),
    ("color", tuple(np.zeros(3, np.float32))),
    ("signs", ("closed",)),
)
def test_a_value_of_its_type_and_within_its_range_is_kept(name, value):
    door = Panel()
    setattr(door, name, value)
    assert getattr(door, name) == value
