"""Units in the extras of a map, as data: what a game or a scene puts on its board."""

from collections.abc import Mapping
from typing import Any

from ai.board.unit import CHECKS, Unit
from ai.movers import BY_NAME, named
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from terrain3d import TileMap
from terrain3d.core.checks import instance_of, quoted, with_whole_numbers

EXTRA = "units"
"""The name in `TileMap.extras` under which a map carries its units."""


def units_of(tilemap: TileMap) -> list[Unit]:
    """Return the units in the extras of a map, in their order; none if it carries none.

    Raises
    ------
    TypeError, ValueError, IndexError
        An entry is no unit, or its cell is not on the map; the text says which entry.
    """
    units = []
    for number, entry in enumerate(instance_of(EXTRA, tilemap.extras.get(EXTRA, []), list)):
        try:
            unit = unit_of(entry)
            tilemap.cell(unit.cell)
        except (IndexError, TypeError, ValueError) as error:
            raise type(error)(f"{EXTRA}[{number}]: {error}") from None
        units.append(unit)
    return units


def unit_of(entry: Any, rules: MoveProfile = DEFAULT_PROFILE) -> Unit:  # noqa: ANN401 - JSON-like
    """Return the unit of an entry.

    Parameters
    ----------
    entry : mapping
        `name`, `cell` and, if it likes, other parameters of `Unit`; instead of `profile` a `mover`,
        a name in `ai.movers.BY_NAME`. Fields with other names are left alone.
    rules : MoveProfile
        That of an entry without a mover. Movers have its limits and costs where they set none.

    Raises
    ------
    TypeError, ValueError
        It is none, or has a wrong value.
    """
    instance_of("it", entry, Mapping)
    for field in ("name", "cell"):
        if field not in entry:
            raise ValueError(f"it has no {field}")
    mover = entry.get("mover")
    profile = rules if mover is None else named(instance_of("mover", mover, str), rules)
    if profile is None:
        raise ValueError(f"mover must be one of {', '.join(BY_NAME)}, got {quoted(mover)}")
    names = [name for name in CHECKS if name in entry and name != "profile"]
    values = {name: with_whole_numbers(entry[name]) for name in names}
    return Unit(entry["name"], with_whole_numbers(entry["cell"]), profile=profile, **values)
