"""Notes on the parts of a map that a format cannot hold."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import counted
from terrain3d.grid.kinds import VOID
from terrain3d.mapfile.record import MapRecord

MODEL_NOTE = "left out: all but the geometry and colors; a model cannot be read back as a map"
"""The note on every model that is written."""


def loss_notes(record: MapRecord, holds: Collection[str] = ()) -> list[str]:
    """Return a note for each part of a map that a format leaves out; kinds are up to the format.

    `holds` names the parts that the format holds, any of "levels", "decks", "links", "walls",
    "topology", "step_height" and "extras".
    """
    level = np.where(is_void(record), 0, record.level)
    step_height, topology = record.step_height, record.topology
    sizes = {"deck": len(record.decks), "link": len(record.links), "wall": len(record.walls)}
    parts = {
        "levels": f"levels up to {level.max()}: all tiles become level 0" if level.any() else "",
        **{f"{noun}s": counted(size, noun) for noun, size in sizes.items() if size},
        "topology": f"topology {topology!r}" * (topology != MapRecord.topology),
        "step_height": f"step height {step_height}" * (step_height != MapRecord.step_height),
        "extras": ", ".join(record.extras),
    }
    if "extras" not in holds and record.unknown_fields:
        parts["unknown fields"] = "fields that this program does not know"
    return [f"left out: {part}" for name, part in parts.items() if part and name not in holds]


def level_grid_notes(record: MapRecord) -> tuple[str, ...]:
    """Return the notes for a format that holds a grid of levels and nothing else."""
    kinds = "left out: kinds of ground; reading chooses kinds by height"
    return (kinds, *loss_notes(record, ("levels",)))


def is_void(record: MapRecord) -> NDArray[np.bool_]:
    """Return which tiles of a map are void, (rows, cols)."""
    voids = [number for number, kind in enumerate(record.kinds) if kind.name == VOID.name]
    return np.isin(record.kind, voids)


def kinds_in_use(record: MapRecord) -> list[int]:
    """Return the indices of the kinds of all ground tiles, void included."""
    used: list[int] = np.unique(record.kind).tolist()
    return used
