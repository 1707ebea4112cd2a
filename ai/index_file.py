"""The index of a profile's graph in a file, beside the map it was built for."""

import hashlib
import math
import zipfile
import zlib
from pathlib import Path

import numpy as np

from ai.baked import Baked
from ai.search import Landmarks
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


def save(path: Path, baked: Baked, landmarks: Landmarks) -> None:
    """Write an index; a failure leaves the file that was there."""
    with replacing(path) as file:
        np.savez(
            file,
            version=_VERSION,
            digest=digest(baked),
            table=landmarks.table,
            longest=landmarks.longest,
            slack=landmarks.slack,
        )


def load(path: Path, baked: Baked) -> Landmarks:
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
            table = file["table"]
            longest, slack = float(file["longest"]), float(file["slack"])
    except MapFileError:
        raise
    except _DAMAGE as error:
        raise MapFileError(f"is no index: {error}", source=source) from None
    if table.ndim != 2 or table.shape[1] != baked.graph.n_nodes or len(table) % 2 or not len(table):
        raise MapFileError(f"has a table of shape {table.shape}", source=source)
    if table.dtype not in ((np.uint16, np.int32) if baked.graph.is_whole else (np.float32,)):
        raise MapFileError(f"has a table of {table.dtype}", source=source)
    if not (0 <= longest < math.inf and 0 <= slack < math.inf):
        raise MapFileError(f"has costs up to {longest}, with a slack of {slack}", source=source)
    return Landmarks(table, longest, slack)
