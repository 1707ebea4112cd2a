"""Write a map as a glTF 2.0 model in one binary file, `.glb`.

https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html. No library is used, because the format is
a short header around existing arrays, and libraries round colors to 8 bits. y points up and -z
north; the edge of a tile is 1.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.files import png
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.chunks import chunk_mesh, chunk_rects
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.ground.paint import KindPalette, Look

_FLOAT, _SHORT, _INT = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_MATTE: Mapping[str, Any] = {"metallicFactor": 0, "roughnessFactor": 1}
_JSON, _BIN = 0x4E4F534A, 0x004E4942
_SHOWN = np.arange(256) / 255
_LINEAR = np.where(_SHOWN <= 0.04045, _SHOWN / 12.92, ((_SHOWN + 0.055) / 1.055) ** 2.4)


def write(tilemap: TileMap, _path: Path) -> bytes:
    """Write the geometry and the colors of a map as a model."""
    scene = _Scene(KindPalette.of(tilemap.kinds).looks)
    for rect in chunk_rects(tilemap.rows, tilemap.cols):
        mesh = chunk_mesh(tilemap, rect)
        if mesh.triangles.size:
            scene.add(f"chunk-{rect.row}-{rect.col}", mesh)
    return scene.binary


class _Scene:
    """A scene with one node for each mesh, and matte materials that show vertex colors.

    What has one of the `looks` of a `KindPalette` has a material of its own, which glows or shows
    an image.
    """

    def __init__(self, looks: Mapping[int, Look]) -> None:
        self._materials: list[dict[str, Any]]
        self._materials = [{"name": "terrain", "pbrMetallicRoughness": _MATTE}]
        self._images: list[dict[str, Any]] = []
        self._looks, self._material_of = looks, {0: 0}
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
        if self._looks:
            at = (mesh.uv * (1, -1) + (0, 1)).astype("<f4")  # images begin in the northwest
            attributes["TEXCOORD_0"] = self._add_array(at, _FLOAT, "VEC2", _VERTICES, {})
        primitives = []
        for number, triangles in mesh.by_look().items():
            corners = triangles.reshape(-1, 1).astype("<u4")
            indices = self._add_array(corners, _INT, "SCALAR", _INDICES, {})
            material = self._add_material(number)
            primitives.append({"attributes": attributes, "indices": indices, "material": material})
        self._meshes.append({"name": name, "primitives": primitives})

    def _add_material(self, number: int) -> int:
        """Return the index of the material of a look, which is added at its first use."""
        if number in self._material_of:
            return self._material_of[number]
        look = self._looks[number]
        matte, material = dict(_MATTE), dict[str, Any](name=f"look-{number}")
        if look.glow:
            light = np.rint(np.multiply(look.light, 255)).astype(np.intp)
            material["emissiveFactor"] = _LINEAR[light].tolist()
        if look.image is not None:
            view = self._add_view(png(look.image))
            matte["baseColorTexture"] = {"index": len(self._images)}
            material |= {"emissiveTexture": {"index": len(self._images)}} if look.glow else {}
            self._images.append({"mimeType": "image/png", "bufferView": view})
        self._materials.append(material | {"pbrMetallicRoughness": matte})
        return self._material_of.setdefault(number, len(self._materials) - 1)

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
        view = self._add_view(values.tobytes(), target=target)
        accessor = {"componentType": component, "count": len(values), "type": kind, **fields}
        self._accessors.append({"bufferView": view, **accessor})
        return len(self._accessors) - 1

    def _add_view(self, data: bytes, **fields: int) -> int:
        """Add data, which begins at a multiple of 4 bytes, and return its index."""
        start = sum(map(len, self._parts))
        self._parts.append(data + bytes(-len(data) % 4))
        self._views.append({"buffer": 0, "byteOffset": start, "byteLength": len(data), **fields})
        return len(self._views) - 1

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
        numbered = [{"source": number} for number in range(len(self._images))]
        images = {"images": self._images, "textures": numbered} if numbered else {}
        lists = {
            "nodes": [{"name": self._meshes[n]["name"], "mesh": n} for n in numbers],
            "meshes": self._meshes,
            "materials": self._materials,
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": sum(map(len, self._parts))}],
        }
        return header | images | lists


def _with_y_up(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n, 3) vectors with z up as vectors with y up."""
    x, y, z = vectors.T
    return np.stack((x, z, -y), axis=1).astype("<f4")


def _linear(colors: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return (n, 4) sRGB colors as linear colors in 16 bits; alpha stays linear."""
    linear = np.round(_LINEAR * 65535).astype("<u2")[colors]
    linear[:, 3] = colors[:, 3].astype("<u2") * 257
    return linear
