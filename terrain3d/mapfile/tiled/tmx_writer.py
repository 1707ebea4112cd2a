"""Write fields of Tiled's JSON as its XML."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from terrain3d.mapfile.record import Extras, Json

_LAYERS = {"tilelayer": "layer", "objectgroup": "objectgroup"}
_ELEMENTS = (
    *("properties", "tilesets", "layers", "tiles", "objects", "data", "polyline", "point"),
    *("image", "imagewidth", "imageheight"),
)
"""Fields that become elements; all others become attributes."""
_DATA_FIELDS = ("encoding", "compression")
_LAYER_DEFAULTS = ("type", "x", "y", "opacity", "visible")
_OBJECT_DEFAULTS = ("width", "height", "rotation", "visible")


def write_map(fields: Extras) -> bytes:
    """Return a map as XML."""
    top = Element("map", _attributes(fields, "type"))
    _add_properties(top, fields)
    for tileset in fields["tilesets"]:
        top.append(_tileset(tileset))
    for layer in fields["layers"]:
        _add_layer(top, layer)
    return _document(top)


def write_tileset(fields: Extras) -> bytes:
    """Return an external tileset as XML."""
    return _document(_tileset(fields, "type"))


def _document(top: Element) -> bytes:
    indent(top, " ")
    data: bytes = tostring(top, "utf-8", xml_declaration=True)
    return data + b"\n"


def _tileset(fields: Extras, *others: str) -> Element:
    element = Element("tileset", _attributes(fields, *others))
    _add_properties(element, fields)
    if "image" in fields:
        size = {name: str(fields[f"image{name}"]) for name in ("width", "height")}
        SubElement(element, "image", {"source": fields["image"], **size})
    for entry in fields.get("tiles", ()):
        _add_properties(SubElement(element, "tile", _attributes(entry)), entry)
    return element


def _add_layer(top: Element, layer: Extras) -> None:
    attributes = _attributes(layer, *_DATA_FIELDS, *_LAYER_DEFAULTS)
    element = SubElement(top, _LAYERS[layer["type"]], attributes)
    _add_properties(element, layer)
    if "data" in layer:
        encoding = {name: layer[name] for name in _DATA_FIELDS}
        SubElement(element, "data", encoding).text = layer["data"]
    for entry in layer.get("objects", ()):
        shape = SubElement(element, "object", _attributes(entry, *_OBJECT_DEFAULTS))
        _add_properties(shape, entry)
        if "point" in entry:
            SubElement(shape, "point")
        else:
            points = " ".join(f"{point['x']!r},{point['y']!r}" for point in entry["polyline"])
            SubElement(shape, "polyline", {"points": points})


def _add_properties(owner: Element, fields: Extras) -> None:
    if not fields.get("properties"):
        return
    element = SubElement(owner, "properties")
    for entry in fields["properties"]:
        SubElement(element, "property", _texts(entry))


def _attributes(fields: Extras, *others: str) -> dict[str, str]:
    return _texts({name: fields[name] for name in fields if name not in (*_ELEMENTS, *others)})


def _texts(fields: Extras) -> dict[str, str]:
    return {name: _text(name, value) for name, value in fields.items()}


def _text(name: str, value: Json) -> str:
    if isinstance(value, bool):
        return str(value).lower() if name == "value" else str(int(value))
    return value if isinstance(value, str) else repr(value)
