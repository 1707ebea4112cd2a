"""Read GeoTIFF elevation grids, `.tif`: one band of numbers, with rasterio, which brings GDAL.

Where GDAL and the file differ, the file holds: the text of the nodata value, and tiles that are not
stored, are taken from its first directory.
"""

import re
import struct
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import MapFileError, single_line
from terrain3d.formats.format import MAX_SAMPLES_PER_TILE, MapFile, ReadOptions

if TYPE_CHECKING:
    from rasterio import DatasetReader

_MAX_SAMPLES = 2**24
_NODATA = 42113
"""The tag in which GDAL keeps the value of no height, as text."""
_PHOTOMETRIC, _PALETTE = 262, 3
_BLOCKS = ((273, 279), (324, 325))
"""The tags with the positions and the sizes of strips, and of tiles."""
_TAG_TYPES = {1: "u1", 2: "u1", 3: "u2", 4: "u4", 16: "u8"}
_MEMORY_NAME = re.compile(r"'?(/vsimem/[\w-]+/)?[\w-]{36}\.tif'?[:,]? ?")
_STRAIGHT = 1e-9
"""Limit of the smaller part of a step, as a share of the larger, along one axis of the map."""
_SHOWN = 100


def read(data: bytes, options: ReadOptions) -> MapFile:
    """Read a map; a note says if its first row need not be the north."""
    grid, notes = read_heights(data, MAX_SAMPLES_PER_TILE * options.max_surfaces)
    return options.build_from_heights(grid, notes)


def read_heights(
    data: bytes, max_samples: int = _MAX_SAMPLES
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return the (rows, cols) heights, and notes on them.

    Row 0 is the north and column 0 the west where the file says so. Nodata, masked samples and
    tiles that are not stored become NaN. Of a file with several grids the first is read.
    """
    try:
        import rasterio
    except ImportError:
        problem = "a GeoTIFF needs rasterio, which is not installed"
        raise MapFileError(f'{problem}: pip install "terrain3d-tactics[elevation]"') from None
    try:
        with (
            _quiet(),
            rasterio.Env(),
            rasterio.MemoryFile(data) as file,
            file.open(driver="GTiff") as dataset,
        ):
            _check_size(dataset, max_samples)
            return _north_up(_heights(dataset, data), dataset.transform)
    except MapFileError:
        raise
    except Exception as error:  # GDAL and rasterio raise a dozen types for a broken file
        cause = _MEMORY_NAME.sub("", str(error.__cause__ or error))
        problem = f"is not a TIFF image that can be read: {single_line(cause, _SHOWN)}"
        raise MapFileError(problem) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep rasterio from printing what a note or a `MapFileError` says.

    It shows messages of GDAL that are no text, as damaged files cause them, by these two hooks.
    """

    def show_nothing(*_: object) -> None: ...

    hooks = sys.excepthook, sys.unraisablehook
    sys.excepthook = sys.unraisablehook = show_nothing
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.excepthook, sys.unraisablehook = hooks


def _check_size(dataset: "DatasetReader", max_samples: int) -> None:
    """Refuse too many samples, before any is read."""
    height, width, count = dataset.height, dataset.width, dataset.count
    if not 1 <= width * height <= max_samples:
        raise MapFileError(f"has {height} x {width} samples, the limit is {max_samples}")
    block_height, block_width = dataset.block_shapes[0]
    if block_height * block_width * count > (limit := max(max_samples, _MAX_SAMPLES)):
        problem = f"has tiles of {block_height} x {block_width} samples in {count} bands"
        raise MapFileError(f"{problem}, the limit is {limit}")


def _heights(dataset: "DatasetReader", data: bytes) -> NDArray[np.float64]:
    """Return the heights as they are stored, NaN where there is none."""
    is_masked = _is_masked(dataset)
    samples = _samples(dataset, data, is_masked)
    scale, offset = float(dataset.scales[0]), float(dataset.offsets[0])
    if not np.isfinite((scale, offset)).all():
        raise MapFileError(f"its scale is {scale:g} and its offset {offset:g}")
    with np.errstate(over="ignore", invalid="ignore"):  # the caller refuses heights out of range
        heights = samples.astype(np.float64)
        absent = np.asarray(_nodata(data))
        if samples.dtype.kind == "f":
            absent = absent.astype(samples.dtype)  # rounded as the samples are
        is_void = is_masked | _is_missing(dataset, data) | ~np.isfinite(heights)
        heights[is_void | (heights == absent)] = np.nan
        heights *= scale
        heights += offset
    return heights


def _samples(dataset: "DatasetReader", data: bytes, is_masked: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the numbers of the only band; of a gray picture in colors the shades."""
    names = [band.name for band in dataset.colorinterp]
    bands = [number for number, name in enumerate(names, 1) if name != "alpha"]
    if len(bands) != 1 and names[: len(bands)] != ["red", "green", "blue"]:
        raise MapFileError(f"must hold one band of heights, has {len(bands)}")
    samples = dataset.read(bands)
    if samples.dtype.kind == "c":
        raise MapFileError("holds complex numbers; heights are real")
    if (_tag(data, _PHOTOMETRIC) == _PALETTE).any():
        colors = dataset.colormap(1)
        shades = np.array([colors[number][:3] for number in range(len(colors))])
        samples = np.moveaxis(shades[samples[0]], 2, 0)
    if len(samples) > 1:
        is_colored = (samples != samples[0]).any(axis=0) & ~is_masked
        if is_colored.any():
            row, col = divmod(int(is_colored.argmax()), dataset.width)
            raise MapFileError("is colored; heights are gray", field=f"row {row}, column {col}")
    first: NDArray[Any] = samples[0]
    return first


def _is_masked(dataset: "DatasetReader") -> NDArray[np.bool_]:
    """Return where a mask or transparency hides a sample; nodata is no mask here."""
    if "per_dataset" not in {flag.name for flag in dataset.mask_flag_enums[0]}:
        return np.zeros(dataset.shape, bool)
    is_masked: NDArray[np.bool_] = dataset.read_masks(1) == 0
    return is_masked


def _is_missing(dataset: "DatasetReader", data: bytes) -> NDArray[np.bool_]:
    """Return which samples are in a tile or strip that is not stored."""
    height, width = dataset.block_shapes[0]
    blocks = -(-dataset.height // height), -(-dataset.width // width)
    n_blocks = blocks[0] * blocks[1]
    is_absent = np.zeros(n_blocks, bool)
    for tags in _BLOCKS:
        position, size = (_tag(data, tag)[:n_blocks] for tag in tags)
        if len(position) == len(size) == n_blocks:
            is_absent |= (position == 0) | (size == 0)
    row, col = np.arange(dataset.height)[:, None], np.arange(dataset.width)
    is_missing: NDArray[np.bool_] = is_absent.reshape(blocks)[row // height, col // width]
    return is_missing


def _nodata(data: bytes) -> float:
    """Return the value of no height; NaN if the file names none, or a text that is no number.

    GDAL takes the beginning of such a text: `1.#IND` would be 1.
    """
    text = _tag(data, _NODATA).tobytes().split(b"\0")[0].decode("latin-1")
    with suppress(ValueError):
        return float(text.replace(",", "."))  # some programs write the comma of their language
    return np.nan


def _tag(data: bytes, number: int) -> NDArray[Any]:
    """Return the whole numbers or the text of a tag in the first directory, empty without it."""
    order = "<" if data[:2] == b"II" else ">"
    is_big = b"+" in data[2:4]
    word, position, entries_after = ("Q", 8, 8) if is_big else ("I", 4, 2)
    fields = {"tag": "u2", "type": "u2", "count": word, "value": word}
    entry_type = np.dtype([(name, order + kind) for name, kind in fields.items()])
    with suppress(struct.error, ValueError, OverflowError):  # a damaged file has other troubles
        (start,) = struct.unpack_from(order + word, data, position)
        (count,) = struct.unpack_from(order + ("Q" if is_big else "H"), data, start)
        entries = np.frombuffer(data, entry_type, count, start + entries_after)
        for index in np.flatnonzero(entries["tag"] == number)[:1].tolist():
            entry = entries[index]
            kind = np.dtype(order + _TAG_TYPES.get(int(entry["type"]), "u1"))
            at = start + entries_after + (index + 1) * entry_type.itemsize - entry["value"].nbytes
            if kind.itemsize * int(entry["count"]) > entry["value"].nbytes:
                at = int(entry["value"])
            return np.frombuffer(data, kind, int(entry["count"]), at)
    return np.empty(0, np.uint8)


def _north_up(
    heights: NDArray[np.float64],
    transform: Any,  # noqa: ANN401 - rasterio has no types
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return heights whose rows run south and columns east, or as stored, with a note.

    `transform` leads from (column, row) to (x, y), of which y runs north.
    """
    if transform.is_identity:
        return heights, ("rows stay as stored: the file does not say where north is",)
    steps = np.array([[transform.a, transform.b], [transform.d, transform.e]])
    size = np.abs(steps)
    signs = np.sign(np.where(size > _STRAIGHT * size.max(axis=1, keepdims=True), steps, 0))
    if np.abs(signs).tolist() not in ([[1, 0], [0, 1]], [[0, 1], [1, 0]]):
        return heights, ("rows stay as stored: the grid is turned or sheared",)
    if signs[0, 0] == 0:
        heights, signs = heights.T, signs[:, ::-1]
    return heights[:: -int(signs[1, 1]), :: int(signs[0, 0])], ()
