"""Small Tiled maps for tests, drawn as text: one sign a tile, a letter for each kind, `.` empty."""

import base64
import gzip
import json
import struct
import zlib

SHEET = (
    '<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="26" columns="2">'
    '<image source="t.png" width="16" height="104"/>{tiles}</tileset>'
)
NAMED = "".join(f'<tile id="{ord(sign) - 97}" type="{sign}"/>' for sign in "abcdefgh")
PLAIN = SHEET.format(tiles=NAMED)
SQUARE = 'orientation="orthogonal" tilewidth="8" tileheight="8"'


def gids_of(picture):
    """Number the tiles of a picture: a is 1."""
    rows = [line.strip() for line in picture.strip().splitlines()]
    return [[0 if sign == "." else ord(sign) - 96 for sign in row] for row in rows]


def csv(rows):
    return ",\n".join(",".join(str(gid) for gid in row) for row in rows)


def packed(rows, compression=""):
    data = b"".join(struct.pack("<I", gid) for row in rows for gid in row)
    if compression == "zstd":
        from backports import zstd

        data = zstd.compress(data)
    ways = {"zlib": zlib.compress, "gzip": gzip.compress}
    return base64.b64encode(ways.get(compression, bytes)(data)).decode()


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
    told = "".join(
        prop(name, str(value).lower() if value is True else value, kinds[type(value)])
        for name, value in values.items()
    )
    return f"<properties>{told}</properties>"


def tmx(*parts, shape, tileset=PLAIN, attributes=SQUARE):
    """Write a map of parts, layers say."""
    rows, cols = shape
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" {attributes} '
        f'width="{cols}" height="{rows}">{tileset}{"".join(parts)}</map>'
    )


def one_layer(picture, more="", **other):
    rows = gids_of(picture)
    return tmx(layer(picture, more), shape=(len(rows), len(rows[0])), **other)


def tmj(rows, **more):
    """Write a map of one layer as JSON."""
    shown = {"name": "ground", "type": "tilelayer", "width": len(rows[0]), "height": len(rows)}
    told = {
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
    return json.dumps(told)


def picture_of(tilemap):
    """Draw a map's kinds as they are named in these tests."""
    names = [kind.name if kind.name != "void" else "." for kind in tilemap.kinds]
    return ["".join(names[kind] for kind in row) for row in tilemap.kind.tolist()]
