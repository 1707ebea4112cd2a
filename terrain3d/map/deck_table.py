"""Decks as a table, one row per deck, the form in which map files hold them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.links import Link, Wall
from terrain3d.map.change import FIELDS, Change, Field, Patch
from terrain3d.map.draft import refuse_overlap
from terrain3d.map.surfaces import Surfaces, direction_between
from terrain3d.mapfile import DECK


def deck_table(surfaces: Surfaces) -> NDArray[np.void]:
    """Return the (n,) table of all decks, with the fields of `mapfile.DECK`."""
    deck, row, col = np.nonzero(~surfaces.void[1:])
    table = np.empty(len(deck), DECK)
    table["row"], table["col"], table["deck"] = row, col, deck + 1
    surface = _positions(surfaces, table)
    for name in FIELDS:
        table[name] = surfaces.values(name, surface)
    return table


def restore(
    surfaces: Surfaces,
    decks: NDArray[np.void],
    links: Sequence[Link],
    walls: Sequence[Wall],
    n_kinds: int,
) -> None:
    """Add decks, as `mapfile.DECK`, links and walls to bare ground, with the checks of an edit."""
    if len(decks):
        _refuse_wrong_decks(surfaces, decks, n_kinds)
        surfaces.apply(Change("", _patches(surfaces, decks)))
        _refuse_overlaps(surfaces, decks)
    for link in links:
        for end in (surfaces.cell(link.start), surfaces.cell(link.end)):
            if not surfaces.exists(end):
                raise ValueError(f"a link needs surfaces at both ends, {end} is void")
    for wall in walls:
        direction_between(surfaces.grid, surfaces.cell(wall.start), surfaces.cell(wall.end))
    surfaces.apply(Change("", {}, links=((), tuple(links)), walls=((), tuple(walls))))


def _refuse_wrong_decks(surfaces: Surfaces, decks: NDArray[np.void], n_kinds: int) -> None:
    grid = surfaces.grid
    limits = {
        "row": (0, grid.rows - 1),
        "col": (0, grid.cols - 1),
        "deck": (1, MAX_DECKS),
        "level": (0, MAX_LEVEL),
        "kind": (0, n_kinds - 1),
        "thickness": (1, MAX_LEVEL),
    }
    for name, (low, high) in limits.items():
        wrong = np.flatnonzero((decks[name] < low) | (decks[name] > high))
        if wrong.size:
            value = int(decks[name][wrong[0]])
            raise ValueError(f"decks[{wrong[0]}].{name} must be in {low}..{high}, got {value}")
    void = np.flatnonzero(decks["kind"] == surfaces.void_index)
    if void.size:
        raise ValueError(f"decks[{void[0]}] cannot be void")
    _, first = np.unique(_positions(surfaces, decks), return_index=True)
    if len(first) < len(decks):
        repeated = int(np.setdiff1d(np.arange(len(decks)), first)[0])
        raise ValueError(f"decks[{repeated}] repeats an earlier deck")


def _positions(surfaces: Surfaces, decks: NDArray[np.void]) -> NDArray[np.intp]:
    """(n,) positions of decks, as in a `Patch`."""
    _, rows, cols = surfaces.void.shape
    position: NDArray[np.intp] = (decks["deck"] * rows + decks["row"]) * cols + decks["col"]
    return position


def _patches(surfaces: Surfaces, decks: NDArray[np.void]) -> dict[Field, Patch]:
    """Return the patches that add decks to a map without any."""
    surface = _positions(surfaces, decks)
    none = np.zeros(len(decks), np.int64)
    before = {"level": none, "kind": none + surfaces.void_index, "thickness": none}
    return {name: Patch(surface, before[name], decks[name]) for name in FIELDS}


def _refuse_overlaps(surfaces: Surfaces, decks: NDArray[np.void]) -> None:
    cols = surfaces.grid.cols
    columns = np.unique(decks["row"] * cols + decks["col"])
    stack = surfaces.stacked(columns, surfaces.n_decks)
    refuse_overlap(stack, surfaces.void_index, columns, cols)
