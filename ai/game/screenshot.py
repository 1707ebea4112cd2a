"""What a picture asks of the units in it: who is selected and leads where, who moves by itself."""

from collections.abc import Sequence

from ai.board.unit import Unit
from ai.game.autopilot import Autopilot
from ai.game.commander import Commander
from terrain3d import Cell
from terrain3d.app.screenshot_options import NO_UNIT, ScreenshotOptions


def begin(shot: ScreenshotOptions, commander: Commander, autopilot: Autopilot) -> None:
    """Select who is asked for, or else the first unit; send a squad, let move who shall.

    Raises
    ------
    IndexError
        What they shall move to is outside the map.
    ValueError
        There is no such unit, or no such way of moving, or the squad cannot go there.
    """
    if shot.squad and shot.to is not None:
        _send(commander, shot.squad, Cell(*shot.to))
    elif shot.unit is None:
        commander.select_next()
    elif shot.unit != NO_UNIT:
        commander.select(_unit_of(commander, "--unit", shot.unit, NO_UNIT))
    for name, behavior in shot.lead or ():
        autopilot.assign(_unit_of(commander, "--lead", name), behavior, shot.to)


def aim(shot: ScreenshotOptions, commander: Commander) -> None:
    """Aim where it is asked, or else at the dearest tile within reach if that is shown.

    Nobody aims while units move by themselves or a squad is under way.

    Raises
    ------
    IndexError
        The tile is outside the map.
    """
    if shot.lead or shot.squad:
        return
    if shot.to is not None:
        commander.aim_at(shot.to)
    elif commander.reach is not None and shot.overlay != "none":
        commander.aim_at(commander.reach.cells[-1])


def _send(commander: Commander, names: Sequence[str], cell: Cell) -> None:
    """Order units to a tile together, as a box and a click do."""
    units = [_unit_of(commander, "--squad", name) for name in names]
    commander.select_all(units)
    if set(commander.squad) != set(units):
        raise ValueError(f"--squad must be of one team, got {', '.join(names)}")
    standing = commander.board.unit_at(cell)
    if standing is not None:
        raise ValueError(f"--to must be a free tile: {standing.name} stands on {cell}")
    commander.is_squad_ready = True  # nobody watches whom compiling would keep waiting
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
