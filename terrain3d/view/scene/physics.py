"""Make a terrain solid: for Bullet bodies, and for the engine's own collision rays and solids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from panda3d.bullet import (
    BulletBodyNode,
    BulletRigidBodyNode,
    BulletTriangleMesh,
    BulletTriangleMeshShape,
    BulletWorld,
)
from panda3d.core import BitMask32, GeomNode, LVecBase3, NodePath, PandaNode, TransformState

from terrain3d.core.checks import instance_of, optional, true_or_false
from terrain3d.mesh.chunks import Chunk, chunk_rects, collision_mesh
from terrain3d.view.geometry import make_geom
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from panda3d.core import Geom

N = TypeVar("N", bound=PandaNode)

_OWN_MASK = BitMask32.bit(21)  # neither the default of collision nodes nor that of geometry
_UNSCALED = LVecBase3(1.0)
_SAME_STRETCH = 1e-5  # rotating a terrain changes its scale by rounding


class _SolidNode(Node3D, Generic[N]):
    """A node with a child for each chunk of a terrain, which follows its edits in each frame.

    It is placed like the terrain, wherever it is in the tree, and freed with it.
    """

    def __init__(self, terrain: Terrain3D, name: str, has_props: bool, kind: type[N]) -> None:
        super().__init__(name)
        self._terrain = instance_of("terrain", terrain, Terrain3D)
        self._has_props = true_or_false("has_props", has_props)
        grid = terrain.tilemap.grid
        rects = chunk_rects(grid.rows, grid.cols)
        self._chunks = {Chunk(grid, rect, 0): kind("chunk") for rect in rects}
        for node in self._chunks.values():
            self.np.attach_new_node(node)
        self._built_version: int | None = None

    def _top(self) -> NodePath:
        if self._terrain.is_freed:
            raise RuntimeError(f"{self!r} cannot enter the tree, because its terrain was freed")
        return self._terrain.np

    def _enter_tree(self) -> None:
        self._follow()

    def _process(self, _dt_s: float) -> None:
        if self._terrain.is_freed:
            self.queue_free()
        else:
            self._follow()

    def _follow(self) -> None:
        """Fill the chunks again that edits may have changed; all if none is filled."""
        tilemap, built = self._terrain.tilemap, self._built_version
        if built == tilemap.version:
            return
        changed = () if built is None else tilemap.changed_rects(built)
        self._built_version = tilemap.version
        geoms: dict[N, Geom | None] = {}
        for chunk, node in self._chunks.items():
            if built is None or any(chunk.touches(rect) for rect in changed):
                mesh = collision_mesh(tilemap, chunk.rect, has_props=self._has_props)
                geoms[node] = make_geom(mesh) if len(mesh.triangles) else None
        self._fill(geoms)

    def _fill(self, geoms: Mapping[N, Geom | None]) -> None:
        """Replace the surfaces of chunks, which are in map coordinates."""
        raise NotImplementedError


class TerrainBody3D(_SolidNode[BulletRigidBodyNode]):
    """Makes a terrain a static body of a Bullet world, which follows its edits and its placement.

    `np` has a BulletRigidBodyNode for each chunk of 16 x 16 tiles. They stay the same ones when
    the map is edited, so that friction, masks and tags that are set on them last. What rests on an
    edited chunk is woken.

    Parameters
    ----------
    terrain : Terrain3D
    world : panda3d.bullet.BulletWorld
        It has the bodies as long as node and terrain are in the tree.
    name : str
    has_props : bool
        Whether trees and reeds are solid; walls, rails, stairs, ladders and doors always are.
    """

    def __init__(
        self, terrain: Terrain3D, world: BulletWorld, name: str = "", has_props: bool = False
    ) -> None:
        super().__init__(terrain, name, has_props, BulletRigidBodyNode)
        self._world = instance_of("world", world, BulletWorld)
        self._placement = self._stretch = TransformState.make_identity()

    def _exit_tree(self) -> None:
        self._fill(dict.fromkeys(self._chunks.values()))
        self._built_version = None

    def _follow(self) -> None:
        if self._terrain.is_inside_tree:
            self._place()
            super()._follow()
        elif self._built_version is not None:
            self._exit_tree()

    def _place(self) -> None:
        """Place the bodies like the terrain.

        Bullet knows no scale and no shear, which become a part of the shapes.
        """
        net = self.np.get_net_transform()
        if net == self._placement and self._built_version is not None:
            return
        frame = TransformState.make_pos_quat_scale(net.get_pos(), net.get_norm_quat(), _UNSCALED)
        stretch = frame.invert_compose(net)
        if not stretch.get_mat().almost_equal(self._stretch.get_mat(), _SAME_STRETCH):
            self._stretch, self._built_version = stretch, None
        self._placement = net
        self._wake(self._chunks.values())
        for node in self._chunks.values():
            path = NodePath.any_path(node)
            path.set_transform(path.get_top(), frame)

    def _fill(self, geoms: Mapping[BulletRigidBodyNode, Geom | None]) -> None:
        self._wake(geoms)
        for node, geom in geoms.items():
            if node.get_num_shapes():
                self._world.remove(node)
                node.remove_shape(node.get_shape(0))
            if geom is not None:
                mesh = BulletTriangleMesh()
                mesh.add_geom(geom, False, self._stretch)
                node.add_shape(BulletTriangleMeshShape(mesh, dynamic=False))
                self._world.attach(node)

    def _wake(self, nodes: Iterable[BulletRigidBodyNode]) -> None:
        """Wake the bodies that rest on chunks; Bullet lets them sleep in the air otherwise."""
        bodies = set(nodes)
        for manifold in self._world.manifolds:
            ends = manifold.node0, manifold.node1
            if not bodies.isdisjoint(ends):
                for end in ends:
                    if isinstance(end, BulletBodyNode):
                        end.set_active(True)


class TerrainCollider3D(_SolidNode[GeomNode]):
    """Makes a terrain solid for a CollisionTraverser, by plain surfaces without ornaments.

    `np` has a hidden GeomNode for each chunk of 16 x 16 tiles, which follow every edit.

    Parameters
    ----------
    terrain : Terrain3D
    mask : BitMask32, optional
        The "into" mask; a collision node hits the terrain if its "from" mask has a bit of it. By
        default it is bit 21, which no default of Panda3D has.
    name : str
    has_props : bool
        Whether trees and reeds are solid; walls, rails, stairs, ladders and doors always are.
    """

    def __init__(
        self,
        terrain: Terrain3D,
        mask: BitMask32 | None = None,
        name: str = "",
        has_props: bool = False,
    ) -> None:
        super().__init__(terrain, name, has_props, GeomNode)
        own = optional("mask", mask, BitMask32)
        self._mask = _OWN_MASK if own is None else BitMask32(own)
        for node in self._chunks.values():
            node.set_into_collide_mask(self._mask)
        self.np.hide()

    @property
    def mask(self) -> BitMask32:
        """The "into" mask of the surfaces."""
        return BitMask32(self._mask)

    def _fill(self, geoms: Mapping[GeomNode, Geom | None]) -> None:
        for node, geom in geoms.items():
            node.remove_all_geoms()
            if geom is not None:
                node.add_geom(geom)
