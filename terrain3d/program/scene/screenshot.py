"""Apply the options of a screenshot to units: selection, squad order, behaviors and aim."""

import math
from collections.abc import Sequence

from ai.board.unit import Unit
from ai.game.autopilot import Autopilot
from ai.game.commander import Commander
from ai.navigation.reach import Reach
from terrain3d import Cell
from terrain3d.program.options import NO_UNIT, ScreenshotOptions

SAMPLE_STEPS = 4
"""Few enough that the whole path is in the first view."""


def begin(options: ScreenshotOptions, commander: Commander, autopilot: Autopilot) -> None:
    """Select a unit, by default the first unless one is selected, or send a squad; start behaviors.

    Raises `IndexError` for a destination outside the map, and `ValueError` if there is no such unit
    or behavior, or the squad cannot go there.
    """
    if options.squad and options.to is not None:
        _send_squad(commander, options.squad, Cell(*options.to))
    elif options.unit == NO_UNIT:
        commander.select(None)
    elif options.unit is None:
        if commander.selected is None:
            commander.select_next()
    else:
        commander.select(_unit_of(commander, "--unit", options.unit, NO_UNIT))
    for name, behavior in options.lead or ():
        autopilot.assign(_unit_of(commander, "--lead", name), behavior, options.to)


def aim(options: ScreenshotOptions, commander: Commander, heading_deg: float) -> None:
    """Aim at the given tile; if a reach is shown and no tile is given, at its `sample_goal`.

    There is no aim while a behavior or a squad moves units. Raises `IndexError` outside the map.
    """
    if options.lead or options.squad:
        return
    if options.to is not None:
        commander.aim_at(options.to)
    elif isinstance(reach := commander.reach, Reach) and options.overlay != "none":
        commander.aim_at(sample_goal(reach, heading_deg))


def sample_goal(reach: Reach, heading_deg: float) -> Cell:
    """Return the cell with the longest path of up to SAMPLE_STEPS, of several the one in front.

    The heading is that of the camera, counter-clockwise from the direction of row 0.
    """
    heading = math.radians(heading_deg)
    down, right = math.copysign(1, math.cos(heading)), math.copysign(1, math.sin(heading))
    steps = {cell: len(reach.path_to(cell).steps) for cell in reach}
    near = [cell for cell in reach if steps[cell] <= SAMPLE_STEPS]
    return max(near, key=lambda cell: (steps[cell], down * cell.row + right * cell.col))


def _send_squad(commander: Commander, names: Sequence[str], cell: Cell) -> None:
    """Order units to a tile together, as a selection box and a click do."""
    units = [_unit_of(commander, "--squad", name) for name in names]
    commander.select_all(units)
    if set(commander.squad) != set(units):
        raise ValueError(f"--squad must be of one team, got {', '.join(names)}")
    standing = commander.board.unit_at(cell)
    if standing is not None:
        raise ValueError(f"--to must be a free tile: {standing.name} stands on {cell}")
    commander.is_squad_ready = True  # there is no player to keep waiting while it compiles
    refusals: list[str] = []
    commander.refused.connect(refusals.append)
    commander.act_on(cell)
    commander.refused.disconnect(refusals.append)
    if refusals:
        raise ValueError(f"--squad cannot go there: {refusals[0]}")


def _unit_of(commander: Commander, flag: str, name: str, *more: str) -> Unit:
    units = {unit.name: unit for unit in commander.board.units}
    if name not in units:
        known = ", ".join([*units, *more])
        raise ValueError(f"{flag} must be one of {known}, got {name!r}")
    return units[name]
