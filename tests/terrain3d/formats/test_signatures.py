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
from tests.support.height_files import archive_of, pictured, saved


def drawn(name):
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
        (drawn("JPEG"), "is a JPEG picture.*save it as gray PNG"),
        (drawn("GIF"), "is a GIF picture"),
        (drawn("BMP"), "is a BMP picture"),
        (drawn("WEBP"), "is a WebP picture"),
        (drawn("PDF"), "is a PDF document"),
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


HTML = b"<!DOCTYPE html>\n<html><head><title>404</title></head><p>There is no such file"
SVG = b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
COLORED = np.array([[[9, 9, 9], [1, 2, 3]]], np.uint8)
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
TIFF = b"II*\0" + bytes(40)
HEIGHTS = (".asc", ".tif", ".tiff", ".npy", ".npz", ".png", ".hgt", ".zip", ".r16", ".raw")
JSON_MAPS = (".tmap", ".tmj", ".json", ".world")


@pytest.mark.parametrize(
    ("data", "says", "suffixes"),
    [
        (b'{"type": "FeatureCollection"}', "is JSON", (*HEIGHTS, ".map", ".txt")),
        (b"[[1, 2], [3, 4]]", "is JSON", (*HEIGHTS, ".map", ".txt")),
        (HTML, "is a page of HTML$", (*HEIGHTS, *JSON_MAPS, ".tmx", ".map", ".txt", ".dem", "")),
        (HTML.lower().replace(b"<!doctype html>", b""), "is a page of HTML$", (".tmx", ".asc")),
        (SVG, "is an SVG picture$", (*HEIGHTS, *JSON_MAPS, ".tmx", ".map", ".dem")),
        (b"<gpx><trk/></gpx>", "is XML: is of type 'gpx'", (*HEIGHTS, ".tmap", ".map")),
        (pictured(COLORED), "is a PNG picture: is colored", {*HEIGHTS, ".tmap"} - {".png"}),
        (saved(np.zeros(3)), "is a numpy array: must be", {*HEIGHTS, ".map"} - {".npy"}),
        (TIFF, "is a TIFF picture: is not a TIFF", {*HEIGHTS, ".txt"} - {".tif", ".tiff"}),
        (LFS, "is a pointer of Git LFS: fetch", (*HEIGHTS, *JSON_MAPS, ".tmx", ".map", "")),
        (
            b"\xff\xd8\xff\xe0JFIF",
            r"hill\.\w+: is a JPEG",
            (".asc", ".tif", ".tmx", ".map", ".txt"),
        ),
        (b"id,height\n1,350.5\n2,351.25\n3,349.75\n", "is text$", (".png", ".npy", ".tif", ".zip")),
        (b"1,2\n3,4", "is text$", (".png", ".npy", ".tif", ".zip", ".hgt")),
    ],
)
def test_a_file_with_a_wrong_suffix_is_named(tmp_path, data, says, suffixes):
    for start in (b"", b"\xef\xbb\xbf \n") if data[:1] in b"{[<" else (b"",):
        for suffix in suffixes:
            path = tmp_path / f"hill{suffix}"
            path.write_bytes(start + data)
            with pytest.raises(MapFileError, match=says):
                TileMap.load(path)


def test_a_file_of_its_own_kind_is_not_named(tmp_path):
    for name, data, says in (
        ("a.tmap", b"[]", "a.tmap: must be an object"),
        ("a.tmj", b'{"layers": 5}', "a.tmj, orientation: is missing"),
        ("a.png", pictured(COLORED), "a.png, row 0, column 1: is colored"),
        ("a.dem", b'{"x": 1}', "a.dem: is not a map"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(MapFileError, match=says):
            TileMap.load(tmp_path / name)


def test_a_long_gap_takes_no_time(tmp_path):
    for start in (b"", b'<?xml version="1.0"?>', b"<!-- -->"):
        (tmp_path / "a.tmx").write_bytes(start + b" " * 2**22 + b"x")
        with pytest.raises(MapFileError):
            TileMap.load(tmp_path / "a.tmx")


def test_a_program_is_named():
    with pytest.raises(MapFileError, match="is a program"):
        TileMap.load(Path(sys.executable).resolve())


def test_an_archive_of_arrays_is_known_by_its_beginning(tmp_path):
    np.savez(tmp_path / "dem.npz", dem=np.array([[1, 2]]))
    path = (tmp_path / "dem.npz").rename(tmp_path / "dem")
    assert TileMap.load(path).level.tolist() == [[1, 2]]
