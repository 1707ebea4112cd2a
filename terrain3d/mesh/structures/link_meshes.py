"""What links look like: something built on the edge that they cross, else a mark at each end."""

from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np

from terrain3d.grid.grid import Cell, Rect
from terrain3d.grid.links import Link
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.variation import chance
from terrain3d.mesh.structures import doors
from terrain3d.mesh.structures.ladders import ladders
from terrain3d.mesh.structures.ledges import ledges
from terrain3d.mesh.structures.pads import HUES, Ends, marks, teleporters
from terrain3d.mesh.structures.stairs import stairs
from terrain3d.mesh.structures.tile_edges import Borders

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
    """Mesh what is built for links that start in a rectangle, and the marks of others in it."""
    built: defaultdict[str, list[Link]] = defaultdict(list)
    marked: defaultdict[bool, list[Link]] = defaultdict(list)
    for link in tilemap.links_in(rect):
        if not _is_built(tilemap, link):
            marked[link.kind == TELEPORTER].append(link)
        elif rect.holds(link.start):
            built[link.kind].append(link)
    parts: list[MeshData] = []
    for kind, found in built.items():
        parts += _BUILT[kind](Borders.of(tilemap, [(link.start, link.end) for link in found]))
    for is_teleporter, found in marked.items():
        ends = _ends(tilemap, rect, found)
        parts += teleporters(ends) if is_teleporter else marks(ends)
    return parts


def _is_built(tilemap: TileMap, link: Link) -> bool:
    """Tell whether something of the link's kind fits on the edge between its ends."""
    start, end = link.start, link.end
    if link.kind not in _BUILT:
        return False
    step = end.row - start.row, end.col - start.col
    if step not in tilemap.grid.steps_from(start.row, start.col):
        return link.kind == "ladder" and step == (0, 0)
    return link.kind == doors.KIND or tilemap.level_at(start) != tilemap.level_at(end)


def _ends(tilemap: TileMap, rect: Rect, found: list[Link]) -> Ends:
    """Gather the ends of links in a rectangle; of several on a tile each is smaller than before."""
    count: Counter[Cell] = Counter()
    places, sizes, hues, leads = [], [], [], []
    for link in found:
        for end, leads_on in ((link.start, True), (link.end, not link.one_way)):
            if rect.holds(end):
                places.append(tilemap.surface_point(end))
                sizes.append(_SHRINK ** count[end])
                hues.append(_hue(link))
                leads.append(leads_on)
                count[end] += 1
    return Ends(np.array(places), np.array(sizes), np.array(hues), np.array(leads))


def _hue(link: Link) -> int:
    """Choose a hue that both ends of a link share and other links are unlikely to."""
    start, end = link.start, link.end
    row, col = start.row * 31 + end.row, start.col * 31 + end.col
    return int(chance(row, col, _SALT + start.deck + 8 * end.deck)[0] * len(HUES))
