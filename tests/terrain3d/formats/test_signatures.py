"""Files of other formats, made by other libraries, are refused by the names of their formats."""

import bz2
import gzip
import lzma
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pytest
from panda3d.core import NodePath
from PIL import Image

from terrain3d import MapFileError, TileMap
from tests.support.height_files import archive_of


def saved(name):
    def write(path):
        Image.new("L", (8, 8), 90).save(path, name)

    return write


def database(path):
    with sqlite3.connect(path) as connection:
        connection.execute("create table hills (height)")
    connection.close()


def model(path):
    NodePath("hill").write_bam_file(path)


def packed(module):
    return lambda path: path.write_bytes(module.compress(b"012"))


def zipped(*names):
    return lambda path: path.write_bytes(archive_of(dict.fromkeys(names, b"012")))


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (zipped("[Content_Types].xml", "word/document.xml"), "is a zip archive: unpack it"),
        (zipped(), "is a zip archive: unpack it"),
        (saved("JPEG"), "is a JPEG picture.*save it as gray PNG"),
        (saved("GIF"), "is a GIF picture"),
        (saved("BMP"), "is a BMP picture"),
        (saved("WEBP"), "is a WebP picture"),
        (saved("PDF"), "is a PDF document"),
        (packed(gzip), "is a gzip archive"),
        (packed(bz2), "is a bzip2 archive"),
        (packed(lzma), "is an xz archive"),
        (database, "is an SQLite database"),
        (model, "is a Panda3D model"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".unknown", ".tif", ".png", ".hgt", ".zip", ".npz"])
def test_a_file_of_another_format_is_named(tmp_path, write, says, suffix):
    path = tmp_path / f"hill{suffix}"
    write(path)
    with pytest.raises(MapFileError, match=says):
        TileMap.load(path)


def test_a_program_is_named():
    with pytest.raises(MapFileError, match="is a program"):
        TileMap.load(Path(sys.executable).resolve())


def test_an_archive_of_arrays_is_known_by_its_beginning(tmp_path):
    np.savez(tmp_path / "dem.npz", dem=np.array([[1, 2]]))
    path = (tmp_path / "dem.npz").rename(tmp_path / "dem")
    assert TileMap.load(path).level.tolist() == [[1, 2]]
