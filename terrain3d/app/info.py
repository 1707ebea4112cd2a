"""Describe a map in lines of text."""

import numpy as np

from terrain3d.map.tilemap import TileMap
from terrain3d.mapfile import MapRecord, single_line


def summary(tilemap: TileMap) -> str:
    """Return size and range of levels in one line."""
    level = tilemap.surface_level[~tilemap.surface_void]
    span = f"levels {level.min()} to {level.max()}" if level.size else "all void"
    return f"{tilemap.rows} x {tilemap.cols} tiles, {span}"


def describe(tilemap: TileMap, record: MapRecord) -> list[str]:
    """Return the contents of a map file as text, one line for each part."""
    numbers, counts = np.unique(tilemap.kind, return_counts=True)
    kinds = [
        f"{tilemap.kinds[number].name} {count}"
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
    ]
    parts = {
        "format": record.format,
        "size": summary(tilemap),
        "topology": f"{tilemap.topology}, a level is {tilemap.step_height:g} high",
        "ground": ", ".join(kinds),
        "decks": str(len(record.decks)) * bool(len(record.decks)),
        "links": str(len(tilemap.links)) * bool(tilemap.links),
        "walls": str(len(tilemap.walls)) * bool(tilemap.walls),
        "carries": ", ".join(tilemap.extras),
    }
    lines = [(name, text) for name, text in parts.items() if text]
    lines += [("note", note) for note in record.notes]
    return [single_line(f"{name + ':':<10}{text}") for name, text in lines]
