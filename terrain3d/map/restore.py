"""Decks, links and walls put into a map at once, after what an edit of them would have refused."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.links import Link, Wall
from terrain3d.map.change import FIELDS, Change, Field, Patch
from terrain3d.map.content import Content
from terrain3d.map.draft import refuse_overlap
from terrain3d.map.edit import MAX_DECKS, MAX_LEVEL
from terrain3d.map.wall_bits import way_between


def furnish(
    content: Content,
    decks: NDArray[np.void],
    links: Sequence[Link],
    walls: Sequence[Wall],
    n_kinds: int,
) -> None:
    """Fill a content that has ground alone.

    Parameters
    ----------
    content : Content
    decks : (n,) with the fields row, col, deck, level, kind and thickness
    links, walls : sequence
    n_kinds : int
        How many kinds the map has.

    Raises
    ------
    IndexError, ValueError
        A number is out of its limits, decks repeat or overlap, an end of a link or a wall is not
        there, or there are two between the same ends.
    """
    if len(decks):
        _refuse_wrong_decks(content, decks, n_kinds)
        content.apply(Change("", _patches(content, decks)))
        _refuse_overlaps(content, decks)
    void = content.surfaces.void
    for link in links:
        for end in (content.cell(link.start), content.cell(link.end)):
            if void[end.deck, end.row, end.col]:
                raise ValueError(f"a link needs surfaces at both ends, {end} is void")
    for wall in walls:
        way_between(content.grid, content.cell(wall.start), content.cell(wall.end))
    content.apply(Change("", links=((), tuple(links)), walls=((), tuple(walls))))


def _refuse_wrong_decks(content: Content, decks: NDArray[np.void], n_kinds: int) -> None:
    grid = content.grid
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
    void = np.flatnonzero(decks["kind"] == content.surfaces.void_index)
    if void.size:
        raise ValueError(f"decks[{void[0]}] cannot be void")
    shape = MAX_DECKS + 1, grid.rows, grid.cols
    places = np.ravel_multi_index((decks["deck"], decks["row"], decks["col"]), shape)
    _, first = np.unique(places, return_index=True)
    if len(first) < len(decks):
        twice = int(np.setdiff1d(np.arange(len(decks)), first)[0])
        raise ValueError(f"decks[{twice}] is there already")


def _patches(content: Content, decks: NDArray[np.void]) -> dict[Field, Patch]:
    """Give what changes when the decks come where none are."""
    deck, row, col = (decks[name].astype(np.intp) for name in ("deck", "row", "col"))
    highest, none = int(deck.max()), np.zeros(len(deck), np.int64)
    before = {"level": none, "kind": none + content.surfaces.void_index, "thickness": none}
    return {
        name: Patch(deck, row, col, before[name], decks[name].astype(np.int64), highest)
        for name in FIELDS
    }


def _refuse_overlaps(content: Content, decks: NDArray[np.void]) -> None:
    cols = content.grid.cols
    columns = np.unique(decks["row"] * cols + decks["col"])
    stack = content.surfaces.stacked(columns // cols, columns % cols, content.surfaces.n_decks)
    refuse_overlap(stack, content.surfaces.void_index, columns, cols)
