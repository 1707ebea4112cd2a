"""Exported properties: listed by name, checked whenever they are set."""

import math

import numpy as np
import pytest

from terrain3d import Node, export


class Door(Node):
    width = export(1.0, range=(0.5, 2.0), doc="in tiles")
    weight = export(1.0)
    steps = export(2, range=(0, 9))
    is_open = export(False)
    label = export("door")
    anything = export(None)
    color = export((1.0, 0.5, 0.0), range=(0.0, 1.0))
    keys = export(())
    signs = export(("in", "out"))


class Gate(Door):
    bars = export(7)


def test_every_instance_has_properties_of_its_own():
    one, other = Door(), Door()
    one.width = 2.0
    assert (one.width, other.width) == (2.0, 1.0)


def test_the_class_gives_the_declaration():
    assert (Door.width.default, Door.width.range, Door.width.__doc__) == (
        1.0,
        (0.5, 2.0),
        "in tiles",
    )


def test_exports_list_names_and_values_base_classes_first():
    gate = Gate()
    gate.steps = 3
    assert list(gate.exports) == [
        "width", "weight", "steps", "is_open", "label", "anything", "color", "keys", "signs",
        "bars",
    ]  # fmt: skip
    assert gate.exports["steps"] == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("width", 0.5),
        ("width", 2),
        ("width", np.float64(1.5)),
        ("weight", -math.inf),
        ("steps", 9),
        ("is_open", True),
        ("label", ""),
        ("anything", True),
        ("anything", "text"),
        ("width", np.float32(1.5)),
        ("weight", np.int64(3)),
        ("color", (0, 0.5, 1)),
        ("color", tuple(np.zeros(3, np.float32))),
        ("keys", ("w", "a")),
        ("signs", ("closed",)),
    ],
)
def test_a_value_of_its_type_and_within_its_range_is_kept(name, value):
    door = Door()
    setattr(door, name, value)
    assert getattr(door, name) == value


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("width", "1", "float"),
        ("width", True, "float"),
        ("width", None, "float"),
        ("steps", 2.0, "int"),
        ("steps", True, "int"),
        ("is_open", 1, "bool"),
        ("label", 3, "str"),
        ("color", (1.0, "red", 0.0), "float"),
        ("color", (1.0, 0.0), "3 numbers"),
        ("keys", "wa", "tuple"),
    ],
)
def test_a_value_of_another_type_is_refused_and_the_old_one_kept(name, value, wanted):
    door = Door()
    before = getattr(door, name)
    with pytest.raises(TypeError, match=f"{name} must be {wanted}, got "):
        setattr(door, name, value)
    assert getattr(door, name) == before


@pytest.mark.parametrize(
    ("name", "value", "limits"),
    [("width", 0.4, "0.5..2.0"), ("width", math.inf, "0.5..2.0"), ("steps", 10, "0..9")],
)
def test_a_value_out_of_range_is_refused_with_the_limits(name, value, limits):
    with pytest.raises(ValueError, match=f"{name} must be in {limits}, got {value!r}"):
        setattr(Door(), name, value)


@pytest.mark.parametrize("name", ["width", "weight", "anything"])
def test_nan_is_never_a_value(name):
    with pytest.raises(ValueError, match=f"{name} must be a number, got nan"):
        setattr(Door(), name, math.nan)
