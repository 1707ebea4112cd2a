"""Which libraries there are, and which of them are installed."""

import importlib
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import NamedTuple


class Entry(NamedTuple):
    """One library: what it is called, what it needs, where its class is, how far it goes."""

    name: str
    package: str
    distribution: str
    home: str
    class_name: str
    largest: int

    @property
    def is_there(self) -> bool:
        return find_spec(self.package.split(".")[0]) is not None

    @property
    def version(self) -> str:
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return "absent"

    def load(self) -> type:
        return getattr(importlib.import_module(self.home), self.class_name)


_OURS, _GRIDS, _GRAPHS = (
    f"tests.benchmarks.{name}" for name in ("ours", "peers.grids", "peers.graphs")
)
PLAIN, INDEXED, SCIPY = "ours", "ours + index", "scipy"
NANO = "nano-astar"
OURS = (PLAIN, INDEXED)
ENTRIES = (
    Entry(PLAIN, "ai", "terrain3d-tactics", _OURS, "Ours", 4096),
    Entry(INDEXED, "ai", "terrain3d-tactics", _OURS, "OursWithIndex", 4096),
    Entry("tcod", "tcod.path", "tcod", _GRIDS, "Tcod", 4096),
    Entry(NANO, "nano_astar", NANO, _GRIDS, "NanoAstar", 0),  # on uniform ground alone
    Entry("w9", "w9_pathfinding.pf", "w9-pathfinding", _GRAPHS, "W9", 256),
    Entry("rustworkx", "rustworkx", "rustworkx", _GRAPHS, "Rustworkx", 1024),
    Entry(SCIPY, "scipy.sparse.csgraph", "scipy", _GRAPHS, "Scipy", 4096),
    Entry("networkx", "networkx", "networkx", _GRAPHS, "Networkx", 256),
    Entry("scikit-image", "skimage.graph", "scikit-image", _GRIDS, "ScikitImage", 1024),
    Entry(
        "pathfinding", "pathfinding.finder.a_star", "pathfinding", _GRIDS, "PythonPathfinding", 128
    ),
)
BY_NAME = {entry.name: entry for entry in ENTRIES}


def installed() -> list[Entry]:
    return [entry for entry in ENTRIES if entry.is_there]
