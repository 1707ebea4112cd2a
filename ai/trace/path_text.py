"""Write paths as text pictures for people and as JSON for programs."""

from typing import Any

from ai.navigation.path import Path
from terrain3d import TileMap
from terrain3d.core.checks import counted, plain
from terrain3d.map.text_picture import DIGITS, VOID_CHARACTER

ARROWS = {(-1, 0): "^", (0, 1): ">", (1, 0): "v", (0, -1): "<"}
"""Signs of steps by their direction in (rows, columns)."""
OTHER = "+"
"""Sign of a step across a corner, on hexagons, by a link or a leap."""
GOAL = "*"


def path_picture(tilemap: TileMap, path: Path) -> str:
    """Draw a path: arrows or `+` along it, `*` on the goal, `#` for void tiles, else dots."""
    signs = [[VOID_CHARACTER if void else "." for void in row] for row in tilemap.void.tolist()]
    for step in path.steps:
        direction = step.end.row - step.start.row, step.end.col - step.start.col
        signs[step.start.row][step.start.col] = ARROWS.get(direction, OTHER)
    if path:
        signs[path.cells[-1].row][path.cells[-1].col] = GOAL
    return "\n".join("".join(row) for row in signs)


def describe_path(tilemap: TileMap, path: Path) -> str:
    """Draw the map, if its levels have signs, beside the path; describe cost, steps and cells."""
    lines = path_picture(tilemap, path).splitlines()
    if tilemap.level.max() < len(DIGITS):
        rows = zip(tilemap.to_text().splitlines(), lines, strict=True)
        lines = ["   ".join(row) for row in rows]
    if path:
        kinds = [step.kind for step in path.steps]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("walk", "climb", "drop"))
        lines += ["", f"cost {plain(path.cost)}, {counted(len(kinds), 'step')}: {counts}"]
        lines.append(" ".join(f"{cell.row},{cell.col}" for cell in path.cells))
    else:
        lines += ["", f"no path: {path.reason}"]
    return "\n".join(lines)


def as_json(tilemap: TileMap, path: Path) -> dict[str, Any]:
    """Return the map and the path as values for JSON; the cost of no path is null."""
    return {
        "level": tilemap.level.tolist(),
        "void": tilemap.void.tolist(),
        "cells": [list(cell) for cell in path.cells],
        "cost": path.cost if path else None,
        "steps": [{"kind": step.kind, "rise": step.rise, "cost": step.cost} for step in path.steps],
        "reason": path.reason,
    }
