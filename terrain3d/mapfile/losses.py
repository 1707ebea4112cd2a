"""What a map holds that a format cannot, in words, so that nothing is left out in silence."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.kinds import VOID
from terrain3d.mapfile.record import MapRecord

STEP_HEIGHT = MapRecord.step_height
"""The step height that a map has if its file tells none."""


ONLY_LOOKS = "left out: all but the looks of the map; it cannot be read back as one"
"""What is said of a model."""


def losses(record: MapRecord, holds: Collection[str] = ()) -> list[str]:
    """Say what of a map is left out, a line for each part.

    Parameters
    ----------
    record : MapRecord
    holds : names
        The parts that the format does hold, of "levels", "decks", "links", "walls", "topology",
        "step_height" and "extras". What it does with kinds is for the format itself to tell.
    """
    level = np.where(is_void(record), 0, record.level)
    told = {
        "levels": f"levels up to {level.max()}: all tiles lie at 0" if level.any() else "",
        "decks": _count(len(record.decks), "deck"),
        "links": _count(len(record.links), "link"),
        "walls": _count(len(record.walls), "wall"),
        "topology": f"that tiles lie as {record.topology!r}" * (record.topology != "square"),
        "step_height": f"the step height, {record.step_height}"
        * (record.step_height != STEP_HEIGHT),
        "extras": ", ".join(record.extras),
    }
    if "extras" not in holds and record.kept:
        told["kept"] = "fields that this program does not know"
    return [f"left out: {what}" for name, what in told.items() if what and name not in holds]


def kindless(record: MapRecord) -> tuple[str, ...]:
    """Say what a grid of levels alone cannot hold."""
    return ("left out: kinds of ground, which are chosen by height", *losses(record, ("levels",)))


def is_void(record: MapRecord) -> NDArray[np.bool_]:
    """Tell which tiles of a map are void, (rows, cols)."""
    voids = [number for number, kind in enumerate(record.kinds) if kind.name == VOID.name]
    return np.isin(record.kind, voids)


def kinds_in_use(record: MapRecord) -> list[int]:
    """List the kinds that tiles of the ground have, void too, as places in the table."""
    used: list[int] = np.unique(record.kind).tolist()
    return used


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}" if number else ""
