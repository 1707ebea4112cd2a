"""Which libraries there are, and which of them are installed."""

import importlib
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

    def load(self) -> type:
        return getattr(importlib.import_module(self.home), self.class_name)


_OURS, _PEERS = "tests.benchmarks.ours", "tests.benchmarks.peers"
PLAIN, INDEXED, SCIPY = "ours", "ours + index", "scipy"
NANO = "nano-astar"
OURS = (PLAIN, INDEXED)
ENTRIES = (
    Entry(PLAIN, "ai", "terrain3d-tactics", _OURS, "Ours", 4096),
    Entry(INDEXED, "ai", "terrain3d-tactics", _OURS, "OursWithIndex", 4096),
    Entry("tcod", "tcod.path", "tcod", _PEERS, "Tcod", 4096),
    Entry(NANO, "nano_astar", NANO, _PEERS, "NanoAstar", 0),  # on uniform ground alone
    Entry("w9", "w9_pathfinding.pf", "w9-pathfinding", _PEERS, "W9", 256),
    Entry("rustworkx", "rustworkx", "rustworkx", _PEERS, "Rustworkx", 1024),
    Entry(SCIPY, "scipy.sparse.csgraph", "scipy", _PEERS, "Scipy", 4096),
    Entry("networkx", "networkx", "networkx", _PEERS, "Networkx", 256),
    Entry("scikit-image", "skimage.graph", "scikit-image", _PEERS, "ScikitImage", 1024),
    Entry(
        "pathfinding", "pathfinding.finder.a_star", "pathfinding", _PEERS, "PythonPathfinding", 128
    ),
)
BY_NAME = {entry.name: entry for entry in ENTRIES}


def installed() -> list[Entry]:
    return [entry for entry in ENTRIES if entry.is_there]
