"""The index of a profile's graph in a file, beside the map it was built for."""

import hashlib
import math
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.baked import Baked
from ai.search import Index, Landmarks, NextHops
from terrain3d import MapFileError
from terrain3d.mapfile.files import replacing

_VERSION = 3
# Whatever reading a file can raise that is no archive, a damaged one, or one of other contents.
_DAMAGE = (
    OSError, ValueError, TypeError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip


def digest(baked: Baked) -> str:
    """Tell one graph from another by all that a search reads of it."""
    total = hashlib.blake2b(digest_size=16)
    links = baked.graph.links
    edges = () if links is None else (links.first, links.target, links.cost)
    for array in (baked.graph.offset, baked.graph.step_cost, *edges):
        total.update(str((array.dtype, array.shape)).encode())
        total.update(np.ascontiguousarray(array).data)
    return total.hexdigest()


def save(path: Path, baked: Baked, index: Index) -> None:
    """Write an index; a failure leaves the file that was there."""
    what: dict[str, Any]
    if isinstance(index, NextHops):
        what = {"after": index.after}
    else:
        what = {"table": index.table, "longest": index.longest, "slack": index.slack}
    with replacing(path) as file:
        np.savez(file, version=_VERSION, digest=digest(baked), **what)


def load(path: Path, baked: Baked) -> Index:
    """Read an index that was built for this graph.

    Raises
    ------
    MapFileError
        It is missing, damaged, or was built for another map or profile.
    """
    source = str(path)
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            if int(file["version"]) != _VERSION:
                raise MapFileError(f"has version {file['version']}, not {_VERSION}", source=source)
            if str(file["digest"]) != digest(baked):
                raise MapFileError("was built for another map or profile", source=source)
            if "after" in file:
                return _next_hops(file["after"], baked, source)
            table = file["table"]
            return _landmarks(table, float(file["longest"]), float(file["slack"]), baked, source)
    except MapFileError:
        raise
    except _DAMAGE as error:
        raise MapFileError(f"is no index: {error}", source=source) from None


def _next_hops(after: NDArray[Any], baked: Baked, source: str) -> NextHops:
    n_nodes = baked.graph.n_nodes
    if after.shape != (n_nodes, n_nodes) or after.dtype != np.uint16 or after.max() >= n_nodes:
        raise MapFileError(f"has hops of shape {after.shape}, {after.dtype}", source=source)
    return NextHops(baked.graph, after)


def _landmarks(
    table: NDArray[Any], longest: float, slack: float, baked: Baked, source: str
) -> Landmarks:
    if table.ndim != 2 or table.shape[1] != baked.graph.n_nodes or len(table) % 2 or not len(table):
        raise MapFileError(f"has a table of shape {table.shape}", source=source)
    if table.dtype not in ((np.uint16, np.int32) if baked.graph.is_whole else (np.float32,)):
        raise MapFileError(f"has a table of {table.dtype}", source=source)
    if not (0 <= longest < math.inf and 0 <= slack < math.inf):
        raise MapFileError(f"has costs up to {longest}, with a slack of {slack}", source=source)
    return Landmarks.of(table, baked.tilemap.cols, longest, slack)
