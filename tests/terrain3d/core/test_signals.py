"""Signals: which listeners are called, in which order, and what is refused."""

import pytest

from terrain3d import Signal


class Door:
    opened = Signal("by")
    closed = Signal()


class Ear:
    def __init__(self, log=None):
        self.log = [] if log is None else log

    def hear(self, by):
        self.log.append(by)


def test_listeners_are_called_in_the_order_they_connected():
    door, log = Door(), []
    for name in "cab":
        door.opened.connect(lambda by, name=name: log.append((name, by)))
    door.opened.emit("Mira")
    assert log == [("c", "Mira"), ("a", "Mira"), ("b", "Mira")]


def test_every_instance_has_a_signal_of_its_own():
    here, there, log = Door(), Door(), []
    here.opened.connect(log.append)
    there.opened.emit("Mira")
    assert log == []
    here.opened.emit("Tom")
    assert log == ["Tom"]
    assert here.opened is here.opened
    assert here.opened is not there.opened


def test_two_signals_of_one_instance_are_apart():
    door, log = Door(), []
    door.opened.connect(log.append)
    door.closed.emit()
    assert log == []


def test_the_class_gives_the_declaration():
    assert Door.opened.name == "opened"
    assert Door.opened.arguments == ("by",)
    assert Door().opened.name == "opened"


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


def test_a_listener_disconnected_during_the_emission_is_not_called():
    door, log = Door(), []
    door.opened.connect(lambda _: door.opened.disconnect(log.append))
    door.opened.connect(log.append)
    door.opened.emit("Mira")
    assert log == []


def test_a_listener_may_disconnect_itself_without_hiding_the_next():
    door, log = Door(), []

    def hear(_):
        door.opened.disconnect(hear)

    door.opened.connect(hear)
    door.opened.connect(log.append)
    door.opened.emit("Mira")
    door.opened.emit("Tom")
    assert log == ["Mira", "Tom"]


def test_a_listener_connected_during_an_emission_is_called_at_the_next():
    door, log = Door(), []
    door.opened.connect(lambda _: door.opened.connect(log.append), once=True)
    door.opened.emit("Mira")
    assert log == []
    door.opened.emit("Tom")
    assert log == ["Tom"]


def test_a_bound_method_is_the_same_listener_at_each_access():
    door, ear = Door(), Ear()
    door.opened.connect(ear.hear)
    assert door.opened.is_connected(ear.hear)
    assert not door.opened.is_connected(Ear().hear)
    with pytest.raises(ValueError, match=r"opened: .* connected already"):
        door.opened.connect(ear.hear)
    door.opened.emit("Mira")
    door.opened.disconnect(ear.hear)
    door.opened.emit("Tom")
    assert ear.log == ["Mira"]


def test_methods_of_two_objects_are_two_listeners():
    door, log = Door(), []
    one, two = Ear(log), Ear(log)
    door.opened.connect(one.hear)
    door.opened.connect(two.hear)
    door.opened.disconnect(one.hear)
    door.opened.emit("Mira")
    assert log == ["Mira"]


@pytest.mark.parametrize("values", [(), ("Mira", "Tom")])
def test_a_wrong_number_of_values_is_refused_and_no_listener_called(values):
    door, log = Door(), []
    door.opened.connect(lambda *heard: log.append(heard))
    with pytest.raises(TypeError, match=rf"opened carries 1 values .*got {len(values)}"):
        door.opened.emit(*values)
    assert log == []


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match="must be callable, got 3"):
        Door().opened.connect(3)


def test_disconnecting_a_stranger_is_refused():
    with pytest.raises(ValueError, match="is not connected"):
        Door().opened.disconnect(print)


def fail_with(error):
    def listener(_):
        raise error

    return listener


def test_a_raising_listener_does_not_stop_the_others():
    door, log = Door(), []
    door.opened.connect(fail_with(KeyError("first")))
    door.opened.connect(log.append)
    with pytest.raises(KeyError, match="first"):
        door.opened.emit("Mira")
    assert log == ["Mira"]


def test_all_errors_of_listeners_are_raised():
    door = Door()
    first, second = KeyError("first"), OSError("second")
    door.opened.connect(fail_with(first))
    door.opened.connect(fail_with(second))
    with pytest.raises(ExceptionGroup, match="2 listeners of opened failed") as caught:
        door.opened.emit("Mira")
    assert caught.value.exceptions == (first, second)
