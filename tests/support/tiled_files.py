"""Small Tiled maps for tests, drawn as text: a letter for each kind, `.` for no tile."""

import base64
import gzip
import json
import os
import shutil
import struct
import subprocess
import zlib

import pytest

from terrain3d import MapFileError, TileMap
from tests.support.selection import skip_or_fail

SHEET = (
    '<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="26" columns="2">'
    '<image source="t.png" width="16" height="104"/>{tiles}</tileset>'
)
NAMED = "".join(f'<tile id="{ord(name) - 97}" type="{name}"/>' for name in "abcdefgh")
PLAIN = SHEET.format(tiles=NAMED)
SQUARE = 'orientation="orthogonal" tilewidth="8" tileheight="8"'


def gids_of(picture):
    """Number the tiles of a picture: a is 1."""
    rows = [line.strip() for line in picture.strip().splitlines()]
    return [[0 if character == "." else ord(character) - 96 for character in row] for row in rows]


def csv(rows):
    return ",\n".join(",".join(str(gid) for gid in row) for row in rows)


def packed(rows, compression=""):
    data = b"".join(struct.pack("<I", gid) for row in rows for gid in row)
    if compression == "zstd":
        from backports import zstd

        data = zstd.compress(data)
    compress = {"zlib": zlib.compress, "gzip": gzip.compress}
    return base64.b64encode(compress.get(compression, bytes)(data)).decode()


def layer(picture, more="", properties=""):
    rows = gids_of(picture)
    return (
        f'<layer name="ground" width="{len(rows[0])}" height="{len(rows)}" {more}>{properties}'
        f'<data encoding="csv">{csv(rows)}</data></layer>'
    )


def prop(name, value, kind="string"):
    return f'<property name="{name}" type="{kind}" value="{value}"/>'


def props(**values):
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    entries = "".join(
        prop(name, str(value).lower() if value is True else value, kinds[type(value)])
        for name, value in values.items()
    )
    return f"<properties>{entries}</properties>"


def tmx(*parts, shape, tileset=PLAIN, attributes=SQUARE):
    rows, cols = shape
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" {attributes} '
        f'width="{cols}" height="{rows}">{tileset}{"".join(parts)}</map>'
    )


def one_layer(picture, **other):
    rows = gids_of(picture)
    return tmx(layer(picture), shape=(len(rows), len(rows[0])), **other)


def tmj(rows, **more):
    shown = {"name": "ground", "type": "tilelayer", "width": len(rows[0]), "height": len(rows)}
    fields = {
        **{"type": "map", "version": "1.10", "orientation": "orthogonal", "infinite": False},
        **{"width": len(rows[0]), "height": len(rows), "tilewidth": 8, "tileheight": 8},
        "tilesets": [
            {
                **{"firstgid": 1, "name": "t", "tilecount": 26, "columns": 2, "image": "t.png"},
                "tiles": [{"id": number, "type": chr(97 + number)} for number in range(8)],
            }
        ],
        "layers": [{**shown, "data": [gid for row in rows for gid in row], **more}],
    }
    return json.dumps(fields)


def picture_of(tilemap):
    """Draw a map's kinds as they are named in these tests."""
    names = [kind.name if kind.name != "void" else "." for kind in tilemap.kinds]
    return ["".join(names[kind] for kind in row) for row in tilemap.kind.tolist()]


GIDS = [[1, 2, 3], [4, 1, 1]]
CSV = '<data encoding="csv">1,2,3,4,1,1</data>'


def refusal(tmp_path, content, name="bad.tmx"):
    """Return the error that a file raises."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(MapFileError) as caught:
        TileMap.load(path)
    assert str(tmp_path) in caught.value.source
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return caught.value


def of_data(data, shape='width="3" height="2"', **other):
    return tmx(f'<layer name="a" {shape}>{data}</layer>', shape=(2, 3), **other)


def of_base64(data, compression):
    return of_data(f'<data encoding="base64" compression="{compression}">{data}</data>')


def of_tileset(text):
    return of_data(CSV, tileset=text)


def of_objects(text, name="links"):
    return tmx(layer("aaa\naaa"), f'<objectgroup name="{name}">{text}</objectgroup>', shape=(2, 3))


def of_tile(text):
    tile = f'<tile id="0" type="x">{text}</tile>'
    return of_tileset(f'<tileset firstgid="1" name="t">{tile}</tileset>')


LINE = '<object id="1" x="4" y="4"><polyline points="{points}"/></object>'
PICTURE = """
    aab.
    cdba
    aaaa
"""
ROWS = ["aab.", "cdba", "aaaa"]


def heights(*layers, tiles=""):
    return tmx(*layers, shape=(1, 4), tileset=SHEET.format(tiles=tiles))


def run_tiled(program, *arguments):
    """Run a program of Tiled without a screen; skip where there is none."""
    if shutil.which(program) is None:
        skip_or_fail(f"needs {program}: apt install tiled")
    quiet = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([program, *arguments], env=quiet, check=True, capture_output=True)


def objects(text, name="stuff"):
    return f'<objectgroup name="{name}">{text}</objectgroup>'
