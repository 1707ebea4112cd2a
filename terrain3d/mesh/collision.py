"""The solid surfaces of a part of a map as plain triangles, for physics and collision tests."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.map.tilemap import BASE_Z, TileMap
from terrain3d.mesh.ground.patch import Patch
from terrain3d.mesh.props import props
from terrain3d.mesh.structures import SOLID_LINKS, rails, structures, walls


def collision_triangles(
    tilemap: TileMap, rect: Rect, *, has_props: bool = False
) -> NDArray[np.float32]:
    """Return the (m, 3, 3) triangles that are solid in a rectangle, in map coordinates.

    They are the tops, visible sides and undersides of ground and decks, without lips, and walls,
    rails, stairs, ladders and doors as they are drawn; with `has_props` also trees and reeds.
    Corners are counter-clockwise as seen from outside. The rectangle must lie in the map.
    """
    parts, meshes = [], [*walls(tilemap, rect), *structures(tilemap, rect, SOLID_LINKS)]
    for deck in range(tilemap.n_decks + 1):
        patch = Patch.of(tilemap, rect, deck)
        if len(patch.z):
            parts += _surfaces(patch)
            meshes += rails(patch) if deck else []
            meshes += props(patch, has_ground_cover=False) if has_props and not deck else []
    parts += [mesh.positions[mesh.triangles] for mesh in meshes]
    return np.concatenate(parts) if parts else np.empty((0, 3, 3), dtype=np.float32)


def _surfaces(patch: Patch) -> list[NDArray[np.float32]]:
    """Return the triangles of the tops, the undersides and the visible sides of a patch."""
    low = patch.z_at(patch.levels.under) if patch.deck else np.full_like(patch.z, BASE_Z)
    top, under = (_raised(patch.corners, z[:, None]) for z in (patch.z, low))
    direction, tile = np.nonzero(patch.drops)
    foot = patch.z_at(patch.levels.foot[direction, tile])[:, None]
    ends = patch.corners[tile[:, None], patch.lattice.ends[direction]]
    upper = _raised(ends[:, ::-1], patch.z[tile, None])
    return [_fan(top), _fan(under[:, ::-1]), _fan(np.hstack([_raised(ends, foot), upper]))]


def _raised(xy: NDArray[np.float32], z: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n, c, 3) points of (n, c, 2) ones and their (n, 1) heights."""
    return np.concatenate([xy, np.broadcast_to(z[..., None], (*xy.shape[:2], 1))], axis=2)


def _fan(outlines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the (m, 3, 3) triangles of (n, c, 3) flat, convex outlines."""
    fan = [(0, i, i + 1) for i in range(1, outlines.shape[1] - 1)]
    return outlines[:, fan].reshape(-1, 3, 3)
