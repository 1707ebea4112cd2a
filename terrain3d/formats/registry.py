"""The table of map formats, and reading and writing files of any of them.

`FORMATS` lists all formats but those of others, see `register_format`. A new format of our own
needs a module with `read(data, options)`, `write(tilemap)` or both, which is loaded when it is
used: its name here, a row in `FORMATS`, and a row in the table of docs/formats.md.
"""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from terrain3d.core.checks import (
    MAX_CELLS,
    checked_function,
    checked_path,
    instance_of,
    listed,
    one_of,
    quoted,
    whole_within,
)
from terrain3d.core.files import (
    MapFileError,
    atomic_write,
    check_tile_count,
    in_file,
    read_bytes,
    single_line,
)
from terrain3d.formats.format import (
    MAX_SAMPLES_PER_TILE,
    FileContent,
    MapFile,
    ReadOptions,
    kinds_in_use,
    loss_notes,
    max_file_bytes,
)
from terrain3d.grid.columns import MAX_DECKS
from terrain3d.grid.grid import TOPOLOGIES
from terrain3d.grid.kinds import KINDS, VOID
from terrain3d.map import text_picture
from terrain3d.map.heights import HeightRules
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import TileMap

if TYPE_CHECKING:  # so that programs which pack games find what is loaded by name
    from terrain3d.formats import (  # noqa: F401
        esri_ascii,
        geotiff,
        gltf,
        gridmap,
        height_image,
        movingai,
        npy,
        raw,
        tmap,
    )
    from terrain3d.formats.tiled import map_reader, map_writer, world  # noqa: F401


_TILED = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(<|\{(?![\s\S]{0,4096}?\"terrain3d map\")"
    rb"(?=[\s\S]{0,4096}?\"(layers|infinite|orientation|tiledversion|tilewidth)\"\s*:))"
)
"""XML, or JSON with a field of Tiled maps near its beginning."""
_TILED_WORLD = re.compile(
    rb"(\xef\xbb\xbf)?\s*\{(?=[\s\S]{0,4096}?"
    rb"\"(fileName\"|onlyShowAdjacentMaps\"|regexp\"|type\"\s*:\s*\"world\"))"
)
"""JSON with a field of worlds near its beginning."""
_GRIDMAP = re.compile(rb"(\xef\xbb\xbf)?\s*\{[\s\S]{0,4096}?\"terrain3d gridmap\"")
_TMAP = re.compile(rb"(\xef\xbb\xbf)?\s*\{")
_MOVINGAI = re.compile(rb"(\xef\xbb\xbf)?\s*(type|height|width)[ \t]")
_PNG = re.compile(rb"\x89PNG\r\n\x1a\n")
_NPY = re.compile(rb"\x93NUMPY")
_ESRI_ASCII = re.compile(
    rb"(\xef\xbb\xbf)?\s*(ncols|nrows)[ \t:=]|(\xff\xfe|\xfe\xff)?\0?n\0[cr]\0o\0", re.IGNORECASE
)
"""In UTF-8 or UTF-16."""
_GEOTIFF = re.compile(rb"II[*+]\0|MM\0[*+]")
_ZIPPED_SRTM, _NPZ = (
    re.compile(rb"PK\x03\x04[\s\S]{26}[^\0]{0,80}?" + suffix, re.IGNORECASE)
    for suffix in (rb"\.hgt", rb"\.npy")
)
"""Archives whose first file has the suffix."""
_NONE = re.compile(rb"(?!)")
"""That of formats which have none: it matches nothing."""

_PAGE, _SVG = (
    rb"(?i:(<\?xml[^>]{0,200}>\s*)?(<!--[^>]{0,2000}>\s*)?<(!doctype )?(" + name + rb")\b)"
    for name in (rb"html|head|body", rb"svg")
)
"""The beginnings of a page of HTML and of an SVG picture."""
_CONTENT_BYTES = 2**13
_JSON, _XML = (".tmap", ".tmj", ".tmx", ".world", ".json"), (".tmx", ".tmj")
_CONTENTS: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (rb"\xff\xd8\xff", "a JPEG picture, whose shades are not exact: save it as gray PNG", ()),
    (rb"GIF8[79]a", "a GIF picture: save it as gray PNG", ()),
    (rb"BM.{4}\0\0\0\0", "a BMP picture: save it as gray PNG", ()),
    (rb"RIFF.{4}WEBP", "a WebP picture: save it as gray PNG", ()),
    (rb"v/1\x01", "an OpenEXR picture: save it as 32-bit GeoTIFF or 16-bit PNG", ()),
    (rb"\x1f\x8b", "a gzip archive: unpack it", ()),
    (rb"(?i:" + _ZIPPED_SRTM.pattern + rb"|" + _NPZ.pattern + rb")", "", ()),
    (rb"PK(\x03\x04|\x05\x06)", "a zip archive: unpack it", ()),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it", ()),
    (rb"BZh[1-9]1AY&SY", "a bzip2 archive: unpack it", ()),
    (rb"\xfd7zXZ\0", "an xz archive: unpack it", ()),
    (rb"%PDF-", "a PDF document", ()),
    (rb"\x7fELF|MZ.{58,62}", "a program", ()),
    (rb"SQLite format 3\0", "an SQLite database", ()),
    (rb"\x89HDF\r\n\x1a\n", "an HDF5 file", ()),
    (rb"CDF[\x01\x02\x05]", "a NetCDF file", ()),
    (rb"glTF", "a glTF model", ()),
    (rb"pbj\0", "a Panda3D model", ()),
    (rb"version https://git-lfs", "a pointer of Git LFS: fetch the file with git lfs pull", ()),
    (_SVG, "an SVG picture", ()),
    (_PAGE, "a page of HTML", ()),
    (_PNG.pattern, "a PNG picture", (".png",)),
    (_NPY.pattern, "a numpy array", (".npy",)),
    (_GEOTIFF.pattern, "a TIFF picture", (".tif", ".tiff")),
    (rb"[{\[]", "JSON", _JSON),
    (rb"<", "XML", _XML),
    (rb"[\t\n\r -~]{32}|[\t\n\r -~]+\Z", "text", (*_JSON, ".txt", ".asc", ".map")),
)
"""Beginnings of files, what these are, and the suffixes of maps that begin so; "" for any."""
_PATTERNS = tuple(
    (re.compile(pattern, re.DOTALL), name, suffixes) for pattern, name, suffixes in _CONTENTS
)


class Format(NamedTuple):
    """One map format; `suffixes` are those of its files, in lower case.

    `read` makes a map from the bytes of a file and the caller's options, `write` the content of a
    file from a map, and from its path and the suffix of its tilesets if `has_tilesets`. A format
    without them cannot be read or written. `signature` matches the beginning of each file.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, ReadOptions], MapFile] | None = None
    write: Callable[..., FileContent] | None = None
    signature: re.Pattern[bytes] = _NONE
    has_heights: bool = False
    has_tilesets: bool = False


def _of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module here, which is loaded at the first call."""

    def call(*values: object) -> Any:  # noqa: ANN401 - of the type of that function
        return getattr(import_module(f"terrain3d.formats.{module}"), name)(*values)

    return call


def _of_heights(
    name: str,
    suffixes: tuple[str, ...],
    signature: re.Pattern[bytes],
    module: str,
    read_heights: str = "read_heights",
    *,
    can_write: bool = False,
    may_hold_levels: bool = True,
) -> Format:
    parse = _of(module, read_heights)

    def read(data: bytes, options: ReadOptions) -> MapFile:
        heights = parse(data, MAX_SAMPLES_PER_TILE * options.max_surfaces)
        return options.build_from_heights(heights, may_hold_levels=may_hold_levels)

    write = _of(module, "write") if can_write else None
    return Format(name, suffixes, read, write, signature, has_heights=True)


_of_meters = partial(_of_heights, may_hold_levels=False)


def _own(name: str, suffix: str, signature: re.Pattern[bytes], module: str) -> Format:
    """Return a format whose module reads and writes it."""
    return Format(name, (suffix,), _of(module, "read"), _of(module, "write"), signature)


def _read_text_picture(data: bytes, options: ReadOptions) -> MapFile:
    """Read levels and void in UTF-8; all ground is of the first kind. See `text_picture.parse`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MapFileError(f"byte {error.start} is not UTF-8") from None
    level, is_void = text_picture.parse(text, options.max_surfaces)
    return options.build(level, text_picture.kind_of(is_void, KINDS), KINDS)


def _write_text_picture(tilemap: TileMap) -> FileContent:
    """Write levels and void, which is all that a picture holds; see `text_picture.draw`."""
    notes = loss_notes(tilemap, ("levels",))
    names = [tilemap.kinds[number].name for number in kinds_in_use(tilemap)]
    lost = [name for name in names if name not in (KINDS[0].name, VOID.name)]
    if lost:
        notes.append(f"left out: kinds of ground ({', '.join(lost)} become {KINDS[0].name})")
    picture = text_picture.draw(tilemap.level, tilemap.void) + "\n"
    return FileContent(picture.encode("ascii"), tuple(notes))


TEXT_PICTURE = Format("text picture", (".txt",), _read_text_picture, _write_text_picture)
"""The format of a file that neither its beginning nor its suffix identifies."""

FORMATS = (
    Format(
        *("Tiled map", (".tmx", ".tmj"), _of("tiled.map_reader", "read")),
        *(_of("tiled.map_writer", "write"), _TILED),
        has_tilesets=True,
    ),
    Format(*("Tiled world", (".world",), _of("tiled.world", "read_world")), signature=_TILED_WORLD),
    _own("Godot GridMap", ".json", _GRIDMAP, "gridmap"),
    _own("native map", ".tmap", _TMAP, "tmap"),
    _own("MovingAI map", ".map", _MOVINGAI, "movingai"),
    _of_heights("height image", (".png",), _PNG, "height_image", can_write=True),
    _of_heights("numpy array", (".npy",), _NPY, "npy", can_write=True),
    _of_meters("zipped SRTM tile", (".zip",), _ZIPPED_SRTM, "raw", "read_zip"),
    _of_heights("numpy archive", (".npz",), _NPZ, "npy", "read_archive"),
    _of_heights("ESRI ASCII grid", (".asc",), _ESRI_ASCII, "esri_ascii", can_write=True),
    Format(
        *("GeoTIFF", (".tif", ".tiff"), _of("geotiff", "read")),
        signature=_GEOTIFF,
        has_heights=True,
    ),
    _of_meters("SRTM tile", (".hgt",), _NONE, "raw", "read_srtm"),
    Format("raw heights", (".r16", ".raw"), _of("raw", "read"), has_heights=True),
    Format("glTF model", (".glb",), write=_of("gltf", "write")),
    TEXT_PICTURE,
)
"""All formats; signatures are tried in this order."""

_SUFFIXES = frozenset(suffix for known in FORMATS for suffix in known.suffixes)

WRITABLE: Mapping[str, Format] = {
    suffix: known for known in FORMATS if known.write for suffix in known.suffixes
}
"""The format that each suffix is written in."""

ENTRY_POINTS = "terrain3d.formats"
"""Group of the entry points of installed packages; see `register_format`."""

_registered: dict[str, Format] = {}
"""By suffix."""


def register_format(
    suffix: str,
    read: Callable[[bytes], TileMap | MapFile] | None = None,
    write: Callable[[TileMap], bytes | FileContent] | None = None,
) -> None:
    """Read or write all files of a suffix, such as ".vale", by functions of yours.

    `MapFile` and `FileContent` have notes beside the map or the bytes. A later call replaces an
    earlier one. An installed package needs no call, but an entry point of
    the group "terrain3d.formats", whose name is the suffix: a module or object with `read`, `write`
    or both. What `read` raises becomes a `MapFileError` that names the format; what `write` raises
    a `ValueError`, and no file is changed.

    Raises
    ------
    TypeError, ValueError
        There is no function, or the suffix is none, or that of a format of terrain3d.
    """
    if not re.fullmatch(r"\.[^\s./\\]+", instance_of("suffix", suffix, str)):
        raise ValueError(f"suffix must be a dot and a name, such as '.vale', got {quoted(suffix)}")
    if suffix.lower() in _SUFFIXES:
        raise ValueError(f"suffix must not be that of a format of terrain3d, got {quoted(suffix)}")
    given = {"read": read, "write": write}
    functions = {
        name: checked_function(name, call, 1) for name, call in given.items() if call is not None
    }
    if not functions:
        raise ValueError(f"a format needs read, write or both, got neither for {suffix}")
    origin = next(iter(functions.values())).__module__
    load = partial(SimpleNamespace, **functions)
    _registered[suffix.lower()] = _of_others(suffix.lower(), origin, load)


def _of_others(suffix: str, origin: str, load: Callable[[], object]) -> Format:
    """Return a format whose functions are attributes of what `load` returns."""
    name = f"{suffix} format of {origin}"

    def call(role: str, value: bytes | TileMap, kind: type, whole: type) -> Any:  # noqa: ANN401
        try:
            function = getattr(load(), role, None)
            if function is None:
                raise TypeError(f"it has no function {role}")
            returned = function(value)
            made: Any = returned if isinstance(returned, whole) else whole(returned)
            instance_of(f"what {role} returns", made[0], kind)
            notes = listed(f"notes of what {role} returns", made.notes)
            return made._replace(notes=tuple(single_line(str(note)) for note in notes))
        except MapFileError as error:
            problem, line, field = f"{name}: {error.problem}", error.line, error.field
            raise MapFileError(problem, line=line, field=field, source=error.source) from error
        except Exception as error:
            problem = single_line(f"{name}: {type(error).__name__}: {error}")
            raise (MapFileError if role == "read" else ValueError)(problem) from error

    def read(data: bytes, options: ReadOptions) -> MapFile:
        found: MapFile = call("read", data, TileMap, MapFile)
        made = found.tilemap
        check_tile_count(made.surface_level.size, options.max_surfaces)
        parts = ("decks", "links", "walls", "extras", "unknown_fields")
        return options.build(
            *(made.level, made.kind, made.kinds, found.notes, made.step_height, made.topology),
            **{part: getattr(made, part) for part in parts},
        )

    return Format(name, (suffix,), read, lambda tilemap: call("write", tilemap, bytes, FileContent))


def _packaged() -> dict[str, EntryPoint]:
    """Return the entry points of installed packages by suffix; the first of several by name."""
    found = sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.value, reverse=True)
    return {"." + entry.name.lower().lstrip("."): entry for entry in found}


def _format_of_others(suffix: str) -> Format | None:
    """Return the format of a suffix that is none of ours."""
    if suffix in _registered or suffix in _SUFFIXES:
        return _registered.get(suffix)
    entry = _packaged().get(suffix)
    if entry is None:
        return None
    return _of_others(suffix, entry.dist.name if entry.dist else entry.value, entry.load)


def writable() -> list[str]:
    """Return the suffixes of all formats to write, with those of others."""
    return sorted({*WRITABLE, *_registered, *_packaged()})


def read(
    path: str | os.PathLike[str],
    topology: str = "square",
    max_surfaces: int = MAX_SURFACES,
    heights: HeightRules | None = None,
    root: str | os.PathLike[str] | None = None,
    map_type: type[TileMap] = TileMap,
) -> MapFile:
    """Read a map in any format that docs/formats.md lists.

    The beginning of the file identifies its format; where it does not, the suffix does.

    Parameters
    ----------
    path : str or path
    topology : str
        Topology of maps whose format does not store one.
    max_surfaces : int
        Limit on the number of tiles, on all decks together; a grid of heights may have
        twice as many samples.
    heights : HeightRules, optional
        How heights become levels; the default rules if not given.
    root : str or path, optional
        Folder of all files that a Tiled map may refer to, the map's own folder if not given.
    map_type : type
        Class of the map, `TileMap` or derived from it.

    Raises
    ------
    MapFileError
        It is not a regular file, too large, or not a map; or rules for heights were given and its
        format has none. Names the line or field, if there is one.
    TypeError, ValueError
        The topology is unknown, `max_surfaces` is out of its limits, or the root is no folder.
    """
    path = checked_path("path", path)
    one_of("topology", topology, TOPOLOGIES)
    whole_within("max_surfaces", max_surfaces, 1, MAX_CELLS * (MAX_DECKS + 1))
    root_path = None if root is None else checked_path("root", root)
    if root_path is not None and not os.path.isdir(root_path):  # noqa: PTH112 - raises for no name
        raise ValueError(f"root must be a folder, got {quoted(str(root_path))}")
    if not (isinstance(map_type, type) and issubclass(map_type, TileMap)):
        raise TypeError(
            f"map_type must be TileMap or a class derived from it, got {quoted(map_type)}"
        )
    suffix = path.suffix.lower()
    others = _format_of_others(suffix)
    readable = [known for known in FORMATS if known.read]
    by_suffix = next((known for known in readable if suffix in known.suffixes), TEXT_PICTURE)
    n_samples = max_surfaces * (MAX_SAMPLES_PER_TILE if by_suffix.has_heights else 1)
    with in_file(str(path)):
        data = read_bytes(path, max_file_bytes(n_samples))
        if not data:
            raise MapFileError("is empty")
        by_start = (known for known in readable if known.signature.match(data))
        known = others or next(by_start, by_suffix)
        if heights is not None and not known.has_heights:
            problem = f"is a {known.name} and has no heights: height rules do not apply"
            raise MapFileError(problem)
        assert known.read is not None  # only readable formats were searched
        options = ReadOptions(topology, max_surfaces, heights, path.parent, root_path, map_type)
        try:
            found = known.read(data, options)
        except MapFileError as error:
            if error.source or known is others:  # of a file that this one refers to; or named
                raise
            name, suffixes = _content_of(data)
            is_as_named = suffix in suffixes or (suffixes and suffix not in _SUFFIXES)
            if name and not is_as_named:
                if not (suffixes and known.signature.match(data)):
                    raise MapFileError(f"is {name}") from None
                problem = f"is {name}: {error.problem}"
                raise MapFileError(problem, line=error.line, field=error.field) from None
            if known != TEXT_PICTURE or suffix in TEXT_PICTURE.suffixes:
                raise
            problem = f"has no known format and is not a text picture: {error.problem}"
            raise MapFileError(problem, line=error.line) from None
    return found._replace(format=known.name)


def _content_of(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return what data begins like, as "a PDF document", and advice; "" if that is not known.

    Then the suffixes of maps that begin so.
    """
    start = data[:_CONTENT_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    found = ((name, suffixes) for pattern, name, suffixes in _PATTERNS if pattern.match(start))
    return next(found, ("", ()))


def save(path: str | os.PathLike[str], tilemap: TileMap) -> None:
    """Write a map in the native format, or in one of others; see `TileMap.save`."""
    path = checked_path("path", path)
    known = WRITABLE.get(path.suffix.lower())
    if _format_of_others(path.suffix.lower()):
        write(path, tilemap)
        return
    if known is not None and ".tmap" not in known.suffixes:
        raise ValueError(f"save writes .tmap files only; use export() to write {path}")
    with tilemap.lock:
        data = _of("tmap", "write")(tilemap).data
    with atomic_write(path) as file:
        file.write(data)


def write(path: str | os.PathLike[str], tilemap: TileMap, tilesets: str = "") -> tuple[str, ...]:
    """Write a map in the format of the file's suffix; return notes on what the format cannot hold.

    The file is replaced atomically: a failure leaves the old one. If several files belong together,
    all are written before the first is replaced, and the map is replaced last.

    Parameters
    ----------
    path : str or path
    tilemap : TileMap
    tilesets : str
        ".tsx" or ".tsj": write the tilesets of a Tiled map to files of their own
        beside it.

    Raises
    ------
    OSError
        A file cannot be written.
    TypeError, ValueError
        No format has that suffix, or the format cannot hold such a map or has no tilesets.
    """
    path, tilemap = checked_path("path", path), instance_of("tilemap", tilemap, TileMap)
    suffix = path.suffix.lower()
    known = WRITABLE.get(suffix) or _format_of_others(suffix)
    if instance_of("tilesets", tilesets, str) and (known is None or not known.has_tilesets):
        suffixes = sorted(name for name in WRITABLE if WRITABLE[name].has_tilesets)
        raise ValueError(f"{path} has no tilesets, only {', '.join(suffixes)} files have")
    if known is None or known.write is None:
        raise ValueError(
            f"cannot write {path}: its name must end in one of {', '.join(writable())}"
        )
    with tilemap.lock:
        content = known.write(tilemap, *((path, tilesets) if known.has_tilesets else ()))
    with ExitStack() as replacements:
        for name, data in {path.name: content.data, **content.other_files}.items():
            file = replacements.enter_context(atomic_write(path.with_name(name)))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    return content.notes
