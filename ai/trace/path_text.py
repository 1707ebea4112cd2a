"""Ways as people and other programs read them: text pictures and JSON."""

from collections.abc import Sequence
from typing import Any

from ai.navigation.path import Path
from terrain3d import TileMap
from terrain3d.mapfile.text_picture import DIGITS, VOID_CHARACTER

ARROWS = {(-1, 0): "^", (0, 1): ">", (1, 0): "v", (0, -1): "<"}
"""Signs of steps, as (rows, columns)."""
OTHER = "+"
"""Sign of a step across a corner, on hexagons, by a link or a leap."""
GOAL = "*"


def path_picture(tilemap: TileMap, path: Path) -> str:
    """Draw a way: arrows or `+` on tiles it leaves, `*` on the goal, `#` for void, else dots."""
    signs = [[VOID_CHARACTER if void else "." for void in row] for row in tilemap.void.tolist()]
    for step in path.steps:
        way = step.end.row - step.start.row, step.end.col - step.start.col
        signs[step.start.row][step.start.col] = ARROWS.get(way, OTHER)
    if path:
        signs[path.cells[-1].row][path.cells[-1].col] = GOAL
    return "\n".join("".join(row) for row in signs)


def beside(tilemap: TileMap, pictures: Sequence[str]) -> list[str]:
    """Put the map and pictures of it side by side; levels that have no sign are left out."""
    if tilemap.level.max() < len(DIGITS):
        pictures = [tilemap.to_text(), *pictures]
    rows = zip(*(picture.splitlines() for picture in pictures), strict=True)
    return ["   ".join(row) for row in rows]


def describe_path(tilemap: TileMap, path: Path) -> str:
    """Draw the map beside the way, and tell its cost, its steps and its cells.

    A map with levels that have no sign in a text picture is left out.
    """
    lines = beside(tilemap, [path_picture(tilemap, path)])
    if path:
        kinds = [step.kind for step in path.steps]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("walk", "climb", "drop"))
        lines += ["", f"cost {path.cost}, {len(kinds)} steps: {counts}"]
        lines.append(" ".join(f"{cell.row},{cell.col}" for cell in path.cells))
    else:
        lines += ["", f"no way: {path.reason}"]
    return "\n".join(lines)


def as_json(tilemap: TileMap, path: Path) -> dict[str, Any]:
    """Put the map and the way into what JSON can say; the cost of no way is null."""
    return {
        "level": tilemap.level.tolist(),
        "void": tilemap.void.tolist(),
        "cells": [list(cell) for cell in path.cells],
        "cost": path.cost if path else None,
        "steps": [{"kind": step.kind, "rise": step.rise, "cost": step.cost} for step in path.steps],
        "reason": path.reason,
    }
