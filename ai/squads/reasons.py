"""Hold the words of reasons why a squad has no plan."""

from terrain3d.grid.reason import register_reasons

_NOT_ALL = "not all of them find a path"

register_reasons(
    two_start=("two units would stand {cell:on}",),
    two_end=("two units would end {cell:on}",),
    cannot_pass=("the units on {first} and {second} cannot get past each other",),
    units_stuck=("gave up: {n_stuck} of {n_units} units did not reach their goals", _NOT_ALL),
    all_searched=("no plan exists: all {n_configurations} configurations were searched", _NOT_ALL),
)
