"""Name common binary formats by the first bytes of their files."""

import re

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
