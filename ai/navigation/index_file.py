"""Write the index of a profile's graph to a file, and read it for the same map."""

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.navigation.profile_graph import ProfileGraph
from ai.search.landmark_repair import are_bounds
from ai.search.landmarks import MAX_LANDMARKS, Landmarks, unit_of
from terrain3d import MapFileError
from terrain3d.core.errors import in_file
from terrain3d.core.files import atomic_write, read_bytes
from terrain3d.mapfile import single_line
from terrain3d.mapfile.heights import npy

_VERSION = 5
_NUMBER_BYTES = 4  # the most that a number of an index takes
_SHOWN = 100


def digest(graph: ProfileGraph) -> str:
    """Return a hash of everything that a search reads of a graph."""
    total = hashlib.blake2b(digest_size=16)
    links = graph.forward.links
    edges = () if links is None else (links.first, links.target, links.cost)
    for array in (graph.forward.offset, graph.forward.step_cost, *edges):
        total.update(str((array.dtype, array.shape)).encode())
        total.update(np.ascontiguousarray(array).data)
    return total.hexdigest()


def save(path: Path, graph: ProfileGraph, landmarks: Landmarks) -> None:
    """Write landmarks; on failure an existing file stays as it was."""
    arrays: dict[str, Any] = {"table": landmarks.table, "longest": landmarks.longest}
    with atomic_write(path) as file:
        np.savez(file, version=_VERSION, digest=digest(graph), **arrays)


def load(path: Path, graph: ProfileGraph) -> Landmarks:
    """Return landmarks that were measured on this graph.

    Raises `MapFileError` if the file is missing, damaged, or of another map or profile.
    """
    source = str(path)
    max_numbers = graph.forward.n_nodes * 2 * MAX_LANDMARKS
    max_bytes = npy.EXTRA_BYTES + _NUMBER_BYTES * max_numbers
    with in_file(source):
        arrays = npy.read_arrays(read_bytes(path, max_bytes), max_numbers, max_bytes)
    try:
        return _index(arrays, graph, source)
    except MapFileError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:  # missing, not one number
        problem = f"is not an index: {single_line(error, _SHOWN)}"
        raise MapFileError(problem, source=source) from None


def _index(arrays: Mapping[str, NDArray[Any]], graph: ProfileGraph, source: str) -> Landmarks:
    if int(arrays["version"]) != _VERSION:
        raise MapFileError(f"has version {int(arrays['version'])}, not {_VERSION}", source=source)
    if str(arrays["digest"]) != digest(graph):
        raise MapFileError("was built for another map or profile", source=source)
    return _landmarks(arrays["table"], float(arrays["longest"]), graph, source)


def _landmarks(table: NDArray[Any], longest: float, graph: ProfileGraph, source: str) -> Landmarks:
    is_whole = table.ndim == 2 and table.shape[1] == graph.forward.n_nodes and len(table) % 2 == 0
    if not (is_whole and 2 <= len(table) <= 2 * MAX_LANDMARKS):
        raise MapFileError(f"has a table of shape {table.shape}", source=source)
    if table.dtype not in ((np.uint16, np.int32) if graph.forward.is_whole else (np.float32,)):
        raise MapFileError(f"has a table of {table.dtype}", source=source)
    if not np.isfinite(table).all():
        raise MapFileError("has costs that are no numbers", source=source)
    if not 0 <= longest < math.inf:
        raise MapFileError(f"has costs up to {longest}", source=source)
    unit = 0.0 if graph.forward.is_whole else unit_of(graph.rule.least_step)
    landmarks = Landmarks.of(table, graph.tilemap.cols, longest, unit)
    if not (landmarks.has_exact_entries and are_bounds(landmarks, graph.forward)):
        raise MapFileError("has costs that are too high", source=source)
    return landmarks
