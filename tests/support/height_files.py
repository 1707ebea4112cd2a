"""Files of heights for tests."""

import io
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
from hypothesis import strategies as st
from PIL import Image

from terrain3d import MapFileError, TileMap
from terrain3d.formats import height_image

FEW_BYTES = 20_000_000


NAN = np.nan


ASC = "ncols 3\nnrows 2\nxllcorner 7.5\nyllcorner 46\ncellsize 0.1\nNODATA_value -99\n"


def saved(array, **more):
    stream = io.BytesIO()
    np.save(stream, array, **more)
    return stream.getvalue()


def zipped(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def pictured(array, mode=None, **more):
    stream = io.BytesIO()
    image = Image.fromarray(np.asarray(array))
    (image.convert(mode) if mode else image).save(stream, "PNG", **more)
    return stream.getvalue()


def same(got, wanted):
    assert np.array_equal(got, np.array(wanted, float), equal_nan=True)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def start_of(width, height, depth, color, *, is_interlaced=False):
    fields = width, height, depth, color, 0, 0, is_interlaced
    return chunk(b"IHDR", struct.pack(">IIBBBBB", *fields))


def png_of(width, height, depth, color, data, before=b"", palette=b"", after=b""):
    start = before + start_of(width, height, depth, color) + after
    start += chunk(b"PLTE", palette) if palette else b""
    parts = start, chunk(b"IDAT", zlib.compress(data, 9)), chunk(b"IEND", b"")
    return height_image.MAGIC + b"".join(parts)


@st.composite
def level_maps(draw, highest):
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    level = draw(st.lists(st.integers(0, highest), min_size=rows * cols, max_size=rows * cols))
    is_void = draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))
    tilemap = TileMap(np.reshape(np.where(is_void, 0, level), (rows, cols)))
    with tilemap.edit() as edit:
        for place in np.flatnonzero(is_void).tolist():
            edit.set_kind(divmod(place, cols), "void")
    return tilemap


def peak_while(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def archive_of(members, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def archived(data):
    return archive_of({"dem.npy": data})


def refusal(path):
    """Return the error of a file that is not a map, "" for one that is."""
    try:
        TileMap.load(path, max_surfaces=4096)
    except MapFileError as error:
        return str(error)
    return ""
