"""Workspaces of one size, lent to one search at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from ai.search import Workspace


class WorkspacePool:
    """Idle workspaces for graphs of one size and type of costs; threads may share it.

    Parameters
    ----------
    n_nodes : int
    is_whole : bool
        Whether costs are integers.
    """

    def __init__(self, n_nodes: int, *, is_whole: bool) -> None:
        self._n_nodes, self._is_whole = n_nodes, is_whole
        self._idle: list[Workspace] = []

    def borrow(self) -> Workspace:
        """Return a workspace that no other search uses until it is given back."""
        try:
            return self._idle.pop()
        except IndexError:
            return Workspace.of(self._n_nodes, is_whole=self._is_whole)

    def give_back(self, workspace: Workspace) -> None:
        """Let other searches use a borrowed workspace."""
        self._idle.append(workspace)

    @contextmanager
    def lend(self) -> Iterator[Workspace]:
        """Borrow a workspace for as long as a `with` block lasts."""
        workspace = self.borrow()
        try:
            yield workspace
        finally:
            self.give_back(workspace)
