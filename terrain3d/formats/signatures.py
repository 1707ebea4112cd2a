"""First bytes of files: those of each map format, and names of other formats by theirs."""

import re

TILED = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(<|\{(?![\s\S]{0,4096}?\"terrain3d map\")"
    rb"(?=[\s\S]{0,4096}?\"(layers|infinite|orientation|tiledversion|tilewidth)\"\s*:))"
)
"""XML, or JSON with a field of Tiled maps near its beginning."""
TILED_WORLD = re.compile(
    rb"(\xef\xbb\xbf)?\s*\{(?=[\s\S]{0,4096}?"
    rb"\"(fileName\"|onlyShowAdjacentMaps\"|regexp\"|type\"\s*:\s*\"world\"))"
)
"""JSON with a field of worlds near its beginning."""
GRIDMAP = re.compile(rb"(\xef\xbb\xbf)?\s*\{[\s\S]{0,4096}?\"terrain3d gridmap\"")
TMAP = re.compile(rb"(\xef\xbb\xbf)?\s*\{")
MOVINGAI = re.compile(rb"(\xef\xbb\xbf)?\s*(type|height|width)[ \t]")
PNG = re.compile(rb"\x89PNG\r\n\x1a\n")
NPY = re.compile(rb"\x93NUMPY")
ESRI_ASCII = re.compile(rb"(\xef\xbb\xbf)?\s*(ncols|nrows)[ \t]", re.IGNORECASE)
GEOTIFF = re.compile(rb"II[*+]\0|MM\0[*+]")
ZIPPED_SRTM, NPZ = (
    re.compile(rb"PK\x03\x04[\s\S]{26}[^\0]{0,80}?" + suffix, re.IGNORECASE)
    for suffix in (rb"\.hgt", rb"\.npy")
)
"""Archives whose first file has the suffix."""
NONE = re.compile(rb"(?!)")
"""That of formats which have none: it matches nothing."""

_NAMES = (
    (rb"\xff\xd8\xff", "a JPEG picture, whose shades are not exact: save it as gray PNG"),
    (rb"GIF8[79]a", "a GIF picture: save it as gray PNG"),
    (rb"BM.{4}\0\0\0\0", "a BMP picture: save it as gray PNG"),
    (rb"RIFF.{4}WEBP", "a WebP picture: save it as gray PNG"),
    (rb"v/1\x01", "an OpenEXR picture: save it as 32-bit GeoTIFF or 16-bit PNG"),
    (rb"\x1f\x8b", "a gzip archive: unpack it"),
    (rb"PK(\x03\x04|\x05\x06)", "a zip archive: unpack it"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"),
    (rb"BZh[1-9]1AY&SY", "a bzip2 archive: unpack it"),
    (rb"\xfd7zXZ\0", "an xz archive: unpack it"),
    (rb"%PDF-", "a PDF document"),
    (rb"\x7fELF|MZ.{58,62}", "a program"),
    (rb"SQLite format 3\0", "an SQLite database"),
    (rb"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (rb"CDF[\x01\x02\x05]", "a NetCDF file"),
    (rb"glTF", "a glTF model"),
    (rb"pbj\0", "a Panda3D model"),
)
_PATTERNS = tuple((re.compile(pattern, re.DOTALL), name) for pattern, name in _NAMES)


def name_of(data: bytes) -> str:
    """Return the format whose signature the data starts with, as "a PDF document", and advice.

    It is "" if none is known.
    """
    return next((name for pattern, name in _PATTERNS if pattern.match(data)), "")
