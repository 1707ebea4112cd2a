"""What a picture asks of the units in it: who is selected and leads where, who moves by itself."""

from ai.commander import Commander
from ai.conduct import Conduct
from ai.unit import Unit
from terrain3d.shot import NOBODY, Shot


def begin(shot: Shot, commander: Commander, conduct: Conduct) -> None:
    """Select who is asked for, or else the first unit, and let move by themselves who shall.

    Raises
    ------
    IndexError
        What they shall move to is outside the map.
    ValueError
        There is no such unit, or no such way of moving.
    """
    if shot.unit is None:
        commander.select_next()
    elif shot.unit != NOBODY:
        commander.select(_unit_of(commander, "--unit", shot.unit, NOBODY))
    for name, way in shot.lead or ():
        conduct.lead(_unit_of(commander, "--lead", name), way, shot.to)


def aim(shot: Shot, commander: Commander) -> None:
    """Aim where it is asked, or else at the dearest tile within reach if that is shown.

    Nobody aims while units move by themselves.

    Raises
    ------
    IndexError
        The tile is outside the map.
    """
    if shot.lead:
        return
    if shot.to is not None:
        commander.aim_at(shot.to)
    elif commander.reach is not None and shot.overlay != "none":
        commander.aim_at(commander.reach.cells[-1])


def _unit_of(commander: Commander, flag: str, name: str, *more: str) -> Unit:
    units = {unit.name: unit for unit in commander.board.units}
    if name not in units:
        known = ", ".join([*units, *more])
        raise ValueError(f"{flag} must be one of {known}, got {name!r}")
    return units[name]
