"""What is told in the words of Tiled's JSON, written in its XML."""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from terrain3d.mapfile.record import Extras, Json

_LAYERS = {"tilelayer": "layer", "objectgroup": "objectgroup"}
_INSIDE = ("properties", "tilesets", "layers", "tiles", "objects", "data", "polyline", "point")
"""Fields that are elements; all others are attributes."""
_OF_DATA = ("encoding", "compression")
_USUAL_OF_LAYER = ("type", "x", "y", "opacity", "visible")
_USUAL_OF_OBJECT = ("width", "height", "rotation", "visible")


def render(fields: Extras, pictures: Mapping[int, str]) -> bytes:
    """Write a map.

    Parameters
    ----------
    fields : dict
    pictures : mapping
        PNG in base64 of each tile, by its number in layers.
    """
    top = Element("map", _attributes(fields, "type"))
    _add_properties(top, fields)
    for tileset in fields["tilesets"]:
        top.append(_tileset(tileset, pictures, tileset["firstgid"]))
    for layer in fields["layers"]:
        _add_layer(top, layer)
    return _document(top)


def render_tileset(fields: Extras, pictures: Mapping[int, str], first: int) -> bytes:
    """Write a tileset that is a file of its own.

    Parameters
    ----------
    fields : dict
    pictures : mapping
        As of a map.
    first : int
        The number of its first tile in layers.
    """
    return _document(_tileset(fields, pictures, first, "type"))


def _document(top: Element) -> bytes:
    indent(top, " ")
    data: bytes = tostring(top, "utf-8", xml_declaration=True)
    return data + b"\n"


def _tileset(fields: Extras, pictures: Mapping[int, str], first: int, *others: str) -> Element:
    element = Element("tileset", _attributes(fields, *others))
    _add_properties(element, fields)
    for tile in fields.get("tiles", ()):
        _add_tile(element, tile, pictures[first + tile["id"]])
    return element


def _add_tile(owner: Element, tile: Extras, picture: str) -> None:
    element = SubElement(owner, "tile", _attributes(tile))
    _add_properties(element, tile)
    size = {name: owner.attrib[f"tile{name}"] for name in ("width", "height")}
    image = SubElement(element, "image", {"format": "png", **size})
    SubElement(image, "data", {"encoding": "base64"}).text = picture


def _add_layer(top: Element, layer: Extras) -> None:
    told = _attributes(layer, *_OF_DATA, *_USUAL_OF_LAYER)
    element = SubElement(top, _LAYERS[layer["type"]], told)
    _add_properties(element, layer)
    if "data" in layer:
        how = {name: layer[name] for name in _OF_DATA}
        SubElement(element, "data", how).text = layer["data"]
    for entry in layer.get("objects", ()):
        spot = SubElement(element, "object", _attributes(entry, *_USUAL_OF_OBJECT))
        _add_properties(spot, entry)
        if "point" in entry:
            SubElement(spot, "point")
        else:
            points = " ".join(f"{point['x']!r},{point['y']!r}" for point in entry["polyline"])
            SubElement(spot, "polyline", {"points": points})


def _add_properties(owner: Element, fields: Extras) -> None:
    if not fields.get("properties"):
        return
    element = SubElement(owner, "properties")
    for entry in fields["properties"]:
        SubElement(element, "property", dict(_words(entry)))


def _attributes(fields: Extras, *others: str) -> dict[str, str]:
    return dict(_words({name: fields[name] for name in fields if name not in (*_INSIDE, *others)}))


def _words(fields: Extras) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        yield name, _word(name, value)


def _word(name: str, value: Json) -> str:
    if isinstance(value, bool):
        return str(value).lower() if name == "value" else str(int(value))
    return value if isinstance(value, str) else repr(value)
