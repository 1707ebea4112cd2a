"""Draw the steps of recorded searches as text pictures for a terminal."""

from collections.abc import Iterator, Sequence

import numpy as np

from ai.navigation.path import plain_number
from ai.navigation.resumable_search import FRONTIER
from ai.rules.nodes import Nodes
from ai.trace.path_text import ARROWS, GOAL, OTHER, beside
from ai.trace.replay import Replay
from terrain3d import Cell, TileMap
from terrain3d.mapfile.text_picture import VOID_CHARACTER

START, CLOSED_NOW, OPEN, OPEN_NOW, UNKNOWN = "S@oO."

LEGEND = "   ".join(
    (
        f"{START} start",
        f"{GOAL} goal",
        f"{OPEN} open",
        f"{OPEN_NOW} opened or made cheaper by this step",
        f"{CLOSED_NOW} closed by this step",
        f"{''.join(ARROWS.values())}{OTHER} closed: where its path comes from",
    )
)
"""The meaning of the signs in `step_picture`."""


def step_picture(tilemap: TileMap, replay: Replay) -> str:
    """Draw open and closed tiles; see `LEGEND`. Of several decks the highest one met is drawn."""
    nodes, recording = Nodes(tilemap), replay.recording
    signs = [[VOID_CHARACTER if void else UNKNOWN for void in row] for row in tilemap.void.tolist()]
    special = {recording.start: START}
    special |= dict.fromkeys([*replay.opened.tolist(), *replay.cheaper.tolist()], OPEN_NOW)
    special |= {replay.closed: CLOSED_NOW}
    goal = nodes.cell(recording.goal)
    signs[goal.row][goal.col] = GOAL
    for node in np.flatnonzero(replay.state).tolist():
        cell = nodes.cell(node)
        sign = OPEN if replay.state[node] == FRONTIER else ""
        signs[cell.row][cell.col] = special.get(node) or sign or _arrow(nodes, replay, cell, node)
    return "\n".join("".join(row) for row in signs)


def describe_step(tilemap: TileMap, replays: Sequence[Replay]) -> str:
    """Draw the map beside pictures of searches over it, and describe their latest steps."""
    lines = beside(tilemap, [step_picture(tilemap, replay) for replay in replays])
    for replay in replays:
        lines += ["", *_step_lines(Nodes(tilemap), replay)]
    return "\n".join(lines)


def describe_replays(tilemap: TileMap, replays: Sequence[Replay], every: int) -> Iterator[str]:
    """Yield descriptions of the start of searches, of each `every`-th step, and of the end."""
    if every < 1:
        raise ValueError(f"every must be >= 1, got {every}")
    last = max(replay.n_steps for replay in replays)
    for step in [*range(0, last, every), last]:
        for replay in replays:
            replay.seek(min(step, replay.n_steps))
        yield describe_step(tilemap, replays)


def _arrow(nodes: Nodes, replay: Replay, cell: Cell, node: int) -> str:
    """Return the arrow to the tile before a tile on its path."""
    above = nodes.cell(int(replay.parent[node]))
    return ARROWS.get((above.row - cell.row, above.col - cell.col), OTHER)


def _step_lines(nodes: Nodes, replay: Replay) -> list[str]:
    lines = [f"{replay.title}: step {replay.step} of {replay.n_steps}, {replay.n_open} open"]
    if replay.step:
        lines.append(f"  closed {_with_numbers(nodes, replay, replay.closed)}")
    for name, changed in (("opened", replay.opened), ("cheaper", replay.cheaper)):
        lines += [f"  {name} {_with_numbers(nodes, replay, node)}" for node in changed.tolist()]
    if replay.step == replay.n_steps:
        lines.append(f"  {replay.outcome}")
    return lines


def _with_numbers(nodes: Nodes, replay: Replay, node: int) -> str:
    cell = nodes.cell(node)
    place = ",".join(str(part) for part in (cell if cell.deck else cell[:2]))
    g, h, f = (
        plain_number(round(float(number), 3))
        for number in (replay.g[node], replay.h[node], replay.f_of(np.array([node]))[0])
    )
    return f"{place}: g {g}, h {h}, f {f}"
