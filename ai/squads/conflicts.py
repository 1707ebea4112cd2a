"""Where units meet whose ways were worked out one by one."""

from collections.abc import Iterator

import numpy as np

from ai.squads.constraints import Bar
from ai.squads.squad_graph import Ground
from ai.squads.steps import Ints

Meeting = tuple[Bar, Bar]
"""Two things of which one must not be, lest two units meet."""


def meetings(table: Ints, profile_of: Ints, ground: Ground) -> list[Meeting]:
    """List where units meet, in the order of time.

    Parameters
    ----------
    table : (n_ticks + 1, n_units) int64
        Nodes on which everybody is.
    profile_of : (n_units,) int64
        Rows of the ground.
    """
    found = [*_on_places(table), *_trading(table, profile_of, ground)]
    if ground.is_brushing:
        found += _brushing(table, profile_of, ground)
    return sorted(found)


def _on_places(table: Ints) -> Iterator[Meeting]:
    """List who are on one node."""
    is_one = table[:, :, None] == table[:, None, :]
    for tick, unit, other in np.argwhere(np.triu(is_one, 1)).tolist():
        node = int(table[tick, unit])
        yield Bar(tick, unit, node, -1), Bar(tick, other, node, -1)


def _trading(table: Ints, profile_of: Ints, ground: Ground) -> Iterator[Meeting]:
    """List who trade places."""
    now, then = table[:-1], table[1:]
    follows = now[:, :, None] == then[:, None, :]
    is_trade = follows & follows.transpose(0, 2, 1) & (now != then)[:, :, None]
    for tick, *pair in np.argwhere(np.triu(is_trade, 1)).tolist():
        one, other = (
            Bar(tick, unit, -1, ground.step(profile_of[unit], now[tick, unit], then[tick, unit]))
            for unit in pair
        )
        yield one, other


def _brushing(table: Ints, profile_of: Ints, ground: Ground) -> Iterator[Meeting]:
    """List who brush others."""
    rows, profiles = table.tolist(), profile_of.tolist()
    holders = [{node: unit for unit, node in enumerate(row)} for row in rows]
    for tick, unit in np.argwhere(table[:-1] != table[1:]).tolist():
        start, end = rows[tick][unit], rows[tick + 1][unit]
        for near in ground.brushed(profiles[unit], start, end):
            for late in range(2):
                other = holders[tick + late].get(near)
                if other is not None:
                    step = ground.step(profiles[unit], start, end)
                    yield Bar(tick, unit, -1, step), Bar(tick + late, other, near, -1)
