"""A node: it hangs in a tree, enters it, gets ready, processes time and leaves.

A life cycle method may raise: what was coming in is out again, and what was leaving is gone.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar, cast

from terrain3d.core.exports import export
from terrain3d.core.signals import Signal

if TYPE_CHECKING:
    from terrain3d.core.tree import SceneTree

N = TypeVar("N", bound="Node")


class Node:
    """One thing in the tree: it has a name, a parent, children, groups and a life cycle.

    Subclasses override `_enter_tree`, `_ready`, `_process`, `_exit_tree` and `_freed`.
    """

    tree_entered = Signal()
    ready = Signal()
    tree_exiting = Signal()

    def __init__(self, name: str = "") -> None:
        self._name = self._checked_name(name or type(self).__name__)
        self._parent: Node | None = None
        self._children: list[Node] = []
        self._groups: set[str] = set()
        self._tree: SceneTree | None = None
        self._has_entered = False  # or is about to, in `_enter_tree`
        self._has_begun = False  # getting ready, since it entered the tree
        self._was_ready = False
        self._is_freed = False

    @staticmethod
    def _checked_name(name: str) -> str:
        if not name or "/" in name or name in {".", ".."}:
            raise ValueError(f"a node's name must be text without '/', got {name!r}")
        return name

    def __repr__(self) -> str:
        """Show the node's type and name."""
        return f"<{type(self).__name__} {self._name!r}>"

    @property
    def name(self) -> str:
        """The name, unique among its siblings."""
        return self._name

    @property
    def parent(self) -> "Node | None":
        """The node it hangs under."""
        return self._parent

    @property
    def children(self) -> tuple["Node", ...]:
        """The nodes under it, in the order they were added."""
        return tuple(self._children)

    @property
    def tree(self) -> "SceneTree":
        """The tree it is in; `RuntimeError` outside of one."""
        if self._tree is None:
            raise RuntimeError(f"{self!r} is not inside a tree")
        return self._tree

    @property
    def is_inside_tree(self) -> bool:
        """Whether it hangs, however deep, under the root of a tree."""
        return self._tree is not None

    @property
    def is_freed(self) -> bool:
        """Whether it is gone for good; signals drop the methods of what was freed."""
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
        """Hang `child` under this node and return it.

        A sibling of the same name makes it "name2", "name3", ... If it or one below it raises
        while it enters or gets ready, it leaves again and is no child.

        Raises
        ------
        ValueError
            It has a parent, was freed, or is this node or one above it.
        """
        if child._is_freed:
            raise ValueError(f"{child!r} was freed and cannot come back")
        if child._parent is not None or (child._tree and child._tree.root is child):
            raise ValueError(f"{child!r} has a parent already; remove it there first")
        above: Node | None = self
        while above is not None:
            if above is child:
                raise ValueError(f"{child!r} cannot hang under itself")
            above = above._parent
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
                if self._has_begun:  # else it gets ready with this node
                    child._get_ready()
        except BaseException:
            if child._parent is self:
                self.remove_child(child)
            raise
        return child

    def remove_child(self, child: "Node") -> None:
        """Take `child` and all under it out; it may be added again elsewhere."""
        if child._parent is not self:
            raise ValueError(f"{child!r} is not a child of {self!r}")
        try:
            if child._tree is not None:
                child._exit()
        finally:
            self._children.remove(child)
            child._parent = None

    def queue_free(self) -> None:
        """Take this node and all under it out for good at the end of the frame.

        Outside of a tree there is no frame to wait for, so it goes at once.
        """
        if self._tree is None:
            self._free()
        else:
            self._tree.queue_free(self)

    def get_node(self, path: str) -> "Node":
        """Find a node by its path from here: "Arm/Hand", "..", or "/" for the root.

        Raises
        ------
        KeyError
            There is no such node.
        """
        node: Node | None = self.tree.root if path.startswith("/") else self
        for part in path.split("/"):
            if part in {"", "."}:
                continue
            if node is not None:
                node = node._parent if part == ".." else node._child(part)
            if node is None:
                raise KeyError(f"{self!r} has no node at {path!r}: {part!r} is missing")
        return cast(Node, node)

    def add_to_group(self, group: str) -> None:
        """Join a group, by which the tree finds nodes wherever they hang."""
        self._groups.add(group)

    def remove_from_group(self, group: str) -> None:
        """Leave a group; leaving one it is not in does nothing."""
        self._groups.discard(group)

    def is_in_group(self, group: str) -> bool:
        """Tell whether it joined `group`."""
        return group in self._groups

    def walk(self) -> "Iterator[Node]":
        """Give this node and all below it, parents before children."""
        yield self
        for child in tuple(self._children):
            yield from child.walk()

    def _enter_tree(self) -> None:
        """Override: it has just come into a tree; its children have not."""

    def _ready(self) -> None:
        """Override: it and all below it are in the tree, for the first time."""

    def _process(self, dt_s: float) -> None:
        """Override: a frame passed that took `dt_s` seconds."""

    def _exit_tree(self) -> None:
        """Override: it is about to leave the tree; its children have left.

        It runs even if `_enter_tree` raised, so it must bear what that left undone.
        """

    def _freed(self) -> None:
        """Override: it has left for good; let go of what only it owns."""

    def find_above(self, kind: type[N]) -> N | None:
        """Find the nearest node above that is a `kind`; None if there is none."""
        above = self._parent
        while above is not None and not isinstance(above, kind):
            above = above._parent
        return above

    def _child(self, name: str) -> "Node | None":
        return next((child for child in self._children if child._name == name), None)

    def _enter(self, tree: "SceneTree") -> None:
        self._tree = tree
        self._has_entered = True
        self._enter_tree()
        self.tree_entered.emit()
        for child in tuple(self._children):
            # One that was just added is in already; this node or the child may have left.
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
        with ExitStack() as steps:  # the last one first; whoever raises stops none of the others
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
