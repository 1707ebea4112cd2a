"""Write a map as a glTF 2.0 model in one binary file, `.glb`.

https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html. No library is used, because the format is
a short header around existing arrays, and libraries round colors to 8 bits. y points up and -z
north; the edge of a tile is 1.
"""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import atomic_write
from terrain3d.formats.format import MODEL_NOTE
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.chunks import chunk_mesh, chunk_rects
from terrain3d.mesh.data import MeshData

SUFFIX = ".glb"

_FLOAT, _SHORT, _INT = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_JSON, _BIN = 0x4E4F534A, 0x004E4942


def write(tilemap: TileMap, path: Path) -> tuple[str, ...]:
    """Write a map as a model; return notes on what is lost."""
    scene = _Scene()
    for rect in chunk_rects(tilemap.rows, tilemap.cols):
        mesh = chunk_mesh(tilemap, rect)
        if mesh.triangles.size:
            scene.add(f"chunk-{rect.row}-{rect.col}", mesh)
    with atomic_write(path) as file:
        file.write(scene.binary)
    return (MODEL_NOTE,)


class _Scene:
    """A scene with one node for each mesh, and one matte material that shows vertex colors."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._views: list[dict[str, int]] = []
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []

    def add(self, name: str, mesh: MeshData) -> None:
        """Add a mesh that has at least one triangle."""
        points = _with_y_up(mesh.positions)
        normals, normalized = _with_y_up(mesh.normals), {"normalized": True}
        span = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        attributes = {
            "POSITION": self._add_array(points, _FLOAT, "VEC3", _VERTICES, span),
            "NORMAL": self._add_array(normals, _FLOAT, "VEC3", _VERTICES, {}),
            "COLOR_0": self._add_array(_linear(mesh.colors), _SHORT, "VEC4", _VERTICES, normalized),
        }
        triangles = mesh.triangles.reshape(-1, 1).astype("<u4")
        indices = self._add_array(triangles, _INT, "SCALAR", _INDICES, {})
        primitive = {"attributes": attributes, "indices": indices, "material": 0}
        self._meshes.append({"name": name, "primitives": [primitive]})

    @property
    def binary(self) -> bytes:
        """The file `.glb`."""
        head = json.dumps(self._header()).encode()
        chunks = [(_JSON, head + b" " * (-len(head) % 4))]
        if self._parts:
            chunks.append((_BIN, b"".join(self._parts)))
        body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body

    def _add_array(
        self,
        values: NDArray[np.generic],
        component: int,
        kind: str,
        target: int,
        fields: dict[str, Any],
    ) -> int:
        """Add an array, whose rows have a multiple of 4 bytes, and return its index."""
        data, start = values.tobytes(), sum(map(len, self._parts))
        view = {"buffer": 0, "byteOffset": start, "byteLength": len(data), "target": target}
        self._parts.append(data)
        self._views.append(view)
        accessor = {"componentType": component, "count": len(values), "type": kind, **fields}
        self._accessors.append({"bufferView": len(self._views) - 1, **accessor})
        return len(self._accessors) - 1

    def _header(self) -> dict[str, Any]:
        header: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "terrain3d"},
            "scene": 0,
            "scenes": [{"name": "terrain"}],
        }
        if not self._meshes:
            return header
        numbers = range(len(self._meshes))
        header["scenes"][0]["nodes"] = list(numbers)
        matte = {"metallicFactor": 0, "roughnessFactor": 1}
        return header | {
            "nodes": [{"name": self._meshes[n]["name"], "mesh": n} for n in numbers],
            "meshes": self._meshes,
            "materials": [{"name": "terrain", "pbrMetallicRoughness": matte}],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": sum(map(len, self._parts))}],
        }


def _with_y_up(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n, 3) vectors with z up as vectors with y up."""
    x, y, z = vectors.T
    return np.stack((x, z, -y), axis=1).astype("<f4")


def _linear(colors: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return (n, 4) sRGB colors as linear colors in 16 bits; alpha stays linear."""
    shown = np.arange(256) / 255
    light = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    linear = np.round(light * 65535).astype("<u2")[colors]
    linear[:, 3] = colors[:, 3].astype("<u2") * 257
    return linear
