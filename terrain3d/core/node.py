"""Nodes and the scene tree, with Godot's life cycle.

If a life cycle method raises, a node that was entering the tree is removed again, and a node that
was leaving it is still removed.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, TypeVar, cast

from terrain3d.core.checks import instance_of, number_within, quoted
from terrain3d.core.signals import Signal, export

N = TypeVar("N", bound="Node")

MAX_DEPTH = 100
"""The most nodes above each other in a tree, so that its life cycle fits Python's stack."""

MAX_FRAME_S = 1e6
"""The longest frame, in seconds; a camera and figures cannot follow longer ones."""


class Node:
    """An element of the tree with a name, a parent, children, groups and a life cycle.

    Subclasses override `_enter_tree`, `_ready`, `_process`, `_exit_tree` and `_freed`.
    """

    tree_entered = Signal()
    """The node has entered a tree: `_enter_tree` has run."""
    ready = Signal()
    """The node and its children are ready: `_ready` has run."""
    tree_exiting = Signal()
    """The node is about to leave its tree."""

    def __init__(self, name: str = "") -> None:
        self._name = instance_of("name", name, str) or type(self).__name__
        if "/" in self._name or self._name in {".", ".."}:
            raise ValueError(f"a node's name must be text without '/', got {quoted(name)}")
        self._parent: Node | None = None
        self._children: list[Node] = []
        self._groups: set[str] = set()
        self._tree: SceneTree | None = None
        self._has_entered = False  # set before `_enter_tree` runs
        self._has_begun = False  # set before `_ready` of its children
        self._was_ready = False
        self._is_freed = False

    def __repr__(self) -> str:
        """Return the node's type and name."""
        return f"<{type(self).__name__} {self._name!r}>"

    @property
    def name(self) -> str:
        """The name, unique among its siblings."""
        return self._name

    @property
    def parent(self) -> "Node | None":
        """The parent node, if any, whose `add_child` set it."""
        return self._parent

    @property
    def children(self) -> tuple["Node", ...]:
        """The child nodes, in the order in which `add_child` added them."""
        return tuple(self._children)

    @property
    def tree(self) -> "SceneTree":
        """The tree it is in; `RuntimeError` outside a tree."""
        if self._tree is None:
            raise RuntimeError(f"{self!r} is not inside a tree")
        return self._tree

    @property
    def is_inside_tree(self) -> bool:
        """Whether it is below the root of a tree, at any depth."""
        return self._tree is not None

    @property
    def is_freed(self) -> bool:
        """Whether it was freed; signals drop the methods of freed objects."""
        return self._is_freed

    @property
    def exports(self) -> dict[str, Any]:
        """The exported properties and their values, base classes first."""
        return {
            name: getattr(self, name)
            for base in reversed(type(self).__mro__)
            for name, value in vars(base).items()
            if isinstance(value, export)
        }

    def add_child(self, child: N) -> N:
        """Add a child node and return it.

        If a sibling has the same name, the child is renamed "name2", "name3", ... If it or a node
        below it raises while entering or getting ready, it is removed again.

        Raises
        ------
        TypeError, ValueError
            It is not a node, has a parent, was freed, is this node or an ancestor, or would make
            the tree deeper than MAX_DEPTH.
        """
        if instance_of("child", child, Node)._is_freed:
            raise ValueError(f"{child!r} was freed and cannot be added")
        if child._parent is not None or (child._tree and child._tree.root is child):
            raise ValueError(f"{child!r} has a parent already; remove it there first")
        self._check_depth(child)
        taken = {sibling._name for sibling in self._children}
        base, number = child._name, 1
        while child._name in taken:
            number += 1
            child._name = f"{base}{number}"
        child._parent = self
        self._children.append(child)
        try:
            if self._tree is not None:
                child._enter(self._tree)
                if self._has_begun:  # otherwise it gets ready with this node
                    child._get_ready()
        except BaseException:
            if child._parent is self:
                self.remove_child(child)
            raise
        return child

    def _check_depth(self, child: "Node") -> None:
        """Raise `ValueError` if a child holds this node, or makes the tree too deep."""
        depth, above, below = 0, cast(Node | None, self), [child]
        while above is not None:
            if above is child:
                raise ValueError(f"{child!r} cannot be a child of itself")
            above, depth = above._parent, depth + 1
        while below:
            below, depth = [node for parent in below for node in parent._children], depth + 1
        if depth > MAX_DEPTH:
            raise ValueError(f"a tree has at most {MAX_DEPTH} levels, {child!r} makes {depth}")

    def remove_child(self, child: "Node") -> None:
        """Remove a child with its descendants; it may be added again elsewhere."""
        if instance_of("child", child, Node)._parent is not self:
            raise ValueError(f"{child!r} is not a child of {self!r}")
        try:
            if child._tree is not None:
                child._exit()
        finally:
            self._children.remove(child)
            child._parent = None

    def queue_free(self) -> None:
        """Free this node and its descendants at the end of the frame.

        Outside a tree there are no frames, so it is freed at once.
        """
        if self._tree is None:
            self._free()
        else:
            self._tree.queue_free(self)

    def get_node(self, path: str) -> "Node":
        """Return the node at a path relative to this one: "Arm/Hand", "..", or "/" for the root.

        Raises
        ------
        KeyError
            There is no such node.
        """
        is_from_root = instance_of("path", path, str).startswith("/")
        node: Node | None = self.tree.root if is_from_root else self
        for part in path.split("/"):
            if part in {"", "."}:
                continue
            if node is not None:
                named = (child for child in node._children if child._name == part)
                node = node._parent if part == ".." else next(named, None)
            if node is None:
                raise KeyError(f"{self!r} has no node at {quoted(path)}: {quoted(part)} is missing")
        return cast(Node, node)

    def add_to_group(self, group: str) -> None:
        """Add this node to a group, by which the tree finds nodes at any depth."""
        self._groups.add(instance_of("group", group, str))

    def remove_from_group(self, group: str) -> None:
        """Remove this node from a group, if it is in it."""
        self._groups.discard(instance_of("group", group, str))

    def is_in_group(self, group: str) -> bool:
        """Return whether this node is in a group."""
        return instance_of("group", group, str) in self._groups

    def walk(self) -> "Iterator[Node]":
        """Yield this node and its descendants, parents before children."""
        left: list[Node] = [self]
        while left:
            node = left.pop()
            yield node
            left += reversed(node._children)

    def _enter_tree(self) -> None:
        """Override: this node entered a tree; its children have not yet."""

    def _ready(self) -> None:
        """Override: this node and its descendants are in the tree for the first time."""

    def _process(self, dt_s: float) -> None:
        """Override: a frame of `dt_s` seconds passed."""

    def _exit_tree(self) -> None:
        """Override: this node is about to leave the tree; its children have left.

        It also runs if `_enter_tree` raised, so it must cope with a partial setup.
        """

    def _freed(self) -> None:
        """Override: this node was freed; release the resources that it owns."""

    def find_ancestor(self, kind: type[N]) -> N | None:
        """Return the nearest ancestor of a type; None if there is none."""
        above, kind = self._parent, instance_of("kind", kind, type)
        while above is not None and not isinstance(above, kind):
            above = above._parent
        return above

    def _enter(self, tree: "SceneTree") -> None:
        self._tree = tree
        self._has_entered = True
        self._enter_tree()
        self.tree_entered.emit()
        for child in tuple(self._children):
            # `_enter_tree` may have added the child already, or removed it or this node.
            if self._tree is tree and child._parent is self and child._tree is None:
                child._enter(tree)

    def _get_ready(self) -> None:
        self._has_begun = self._tree is not None
        for child in tuple(self._children):
            child._get_ready()
        if not self._was_ready and self._tree is not None:
            self._was_ready = True
            try:
                self._ready()
            except BaseException:
                self._was_ready = False
                raise
            self.ready.emit()

    def _exit(self) -> None:
        with ExitStack() as steps:  # runs the last callback first, and all even if some raise
            steps.callback(self._forget_tree)
            if self._has_entered:
                steps.callback(self._exit_tree)
                steps.callback(self.tree_exiting.emit)
            for child in self._children:
                steps.callback(self._let_exit, child)

    def _let_exit(self, child: "Node") -> None:
        if child._parent is self and child._tree is not None:
            child._exit()

    def _forget_tree(self) -> None:
        self._tree = None
        self._has_entered = self._has_begun = False

    def _free(self) -> None:
        try:
            if self._parent is not None:
                self._parent.remove_child(self)
            elif self._tree is not None:
                self._exit()
        finally:
            for node in self.walk():
                if not node._is_freed:
                    node._is_freed = True
                    node._freed()


class SceneTree:
    """A tree of nodes below a root; `advance` processes one frame."""

    def __init__(self) -> None:
        self.root = Node("root")
        self._to_free: list[Node] = []
        self.root._enter(self)
        self.root._get_ready()

    def advance(self, dt_s: float) -> None:
        """Process a frame of `dt_s` seconds for every node, then free queued nodes.

        Raises
        ------
        TypeError, ValueError
            `dt_s` is not a number, or not in 0..MAX_FRAME_S.
        """
        number_within("dt_s", dt_s, 0, MAX_FRAME_S)
        try:
            for node in tuple(self.root.walk()):
                if node._tree is self:
                    node._process(dt_s)
        finally:
            self._free_queued()

    def queue_free(self, node: Node) -> None:
        """Free a node at the end of the frame; `ValueError` for the root."""
        if instance_of("node", node, Node) is self.root:
            raise ValueError("the root of a tree cannot be freed")
        if node not in self._to_free:
            self._to_free.append(node)

    def close(self) -> None:
        """Free every node but the root at once, without a frame."""
        self._to_free.extend(reversed(self.root.children))
        self._free_queued()

    def _free_queued(self) -> None:
        try:
            while self._to_free:  # a leaving node may queue others
                self._to_free.pop(0)._free()
        finally:
            if self._to_free:
                self._free_queued()

    def get_nodes_in_group(self, group: str) -> list[Node]:
        """Return the nodes of a group in this tree, parents before children."""
        instance_of("group", group, str)
        return [node for node in self.root.walk() if node.is_in_group(group)]
