"""What links look like: something built on the edge that they cross, else a mark at each end."""

from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np

from terrain3d.grid import Cell, Rect
from terrain3d.links import Link
from terrain3d.mesh import doors
from terrain3d.mesh.borders import Borders
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ladders import ladders
from terrain3d.mesh.ledges import ledges
from terrain3d.mesh.pads import HUES, marks, teleporters
from terrain3d.mesh.stairs import stairs
from terrain3d.mesh.variation import chance
from terrain3d.tilemap import TileMap

TELEPORTER = "teleporter"

_BUILT: dict[str, Callable[[Borders], list[MeshData]]] = {
    "ladder": ladders,
    "stairs": stairs,
    "ledge": ledges,
    doors.KIND: doors.doors,
}
_SHRINK = 0.8
_SALT = 200


def links(tilemap: TileMap, rect: Rect) -> list[MeshData]:
    """Mesh what is built for links that start in a rectangle, and their marks in it."""
    built: defaultdict[str, list[Link]] = defaultdict(list)
    marked: list[Link] = []
    for link in tilemap.links_in(rect):
        if not _is_built(tilemap, link):
            marked.append(link)
        elif rect.holds(link.start):
            built[link.kind].append(link)
    parts: list[MeshData] = []
    for kind, found in built.items():
        parts += _BUILT[kind](Borders.of(tilemap, [(link.start, link.end) for link in found]))
    return [*parts, *_marks(tilemap, rect, marked)]


def _is_built(tilemap: TileMap, link: Link) -> bool:
    """Tell whether something of the link's kind fits on the edge between its ends."""
    start, end = link.start, link.end
    if link.kind not in _BUILT:
        return False
    step = end.row - start.row, end.col - start.col
    if step not in tilemap.grid.steps_from(start.row, start.col):
        return link.kind == "ladder" and step == (0, 0)
    return link.kind == doors.KIND or tilemap.level_at(start) != tilemap.level_at(end)


def _marks(tilemap: TileMap, rect: Rect, found: list[Link]) -> list[MeshData]:
    """Mark the ends of links in a rectangle; where several end, one mark lies inside another."""
    count: Counter[Cell] = Counter()
    rows: dict[bool, list[tuple[tuple[float, float, float], float, int, bool]]] = {
        True: [],
        False: [],
    }
    for link in found:
        for end, leads in ((link.start, True), (link.end, not link.one_way)):
            if rect.holds(end):
                row = tilemap.surface_point(end), _SHRINK ** count[end], _hue(link), leads
                rows[link.kind == TELEPORTER].append(row)
                count[end] += 1
    parts: list[MeshData] = []
    for is_teleporter, ends in rows.items():
        if ends:
            places, sizes, hues, lead = (np.array(column) for column in zip(*ends, strict=True))
            parts += (
                teleporters(places, sizes, hues, lead)
                if is_teleporter
                else marks(places, sizes, hues)
            )
    return parts


def _hue(link: Link) -> int:
    """Choose a hue that both ends of a link share and other links are unlikely to."""
    start, end = link.start, link.end
    row, col = start.row * 31 + end.row, start.col * 31 + end.col
    return int(chance(row, col, _SALT + start.deck + 8 * end.deck)[0] * len(HUES))
