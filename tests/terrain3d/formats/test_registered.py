"""Formats of others: registered by a program, or offered by an installed package."""

import sys

import numpy as np
import pytest

from terrain3d import Cell, MapFileError, TileMap
from terrain3d.editor import MapEditor
from terrain3d.formats import FileContent, MapFile, read, register_format, registry
from terrain3d.program import main
from tests.support.forks import COMMAND, fork_python
from tests.support.map_states import state_of


def decode(data):
    """Read rows of levels in pairs of hexadecimal digits."""
    return TileMap([list(bytes.fromhex(line)) for line in data.decode("ascii").splitlines()])


def encode(tilemap):
    return "\n".join(bytes(row).hex() for row in tilemap.level.tolist()).encode("ascii")


@pytest.fixture(autouse=True)
def no_format_stays(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vale.hexes"


@pytest.fixture
def tilemap():
    return TileMap.from_text("012\n3zz")


def test_load_save_and_export_know_a_registered_format(path, tilemap):
    register_format(".hexes", decode, encode)
    tilemap.save(path)
    assert path.read_bytes() == b"000102\n032323"
    assert TileMap.load(path).to_text() == tilemap.to_text()
    assert tilemap.rotate(180).export(path.with_suffix(".HEXES")) == ()
    found = read(path.with_suffix(".HEXES"))
    assert found.tilemap.to_text() == "zz3\n210"
    assert found.format == f".hexes format of {__name__}"


def test_commands_and_the_editor_know_it(path, tilemap, capsys):
    register_format(".hexes", decode, encode)
    editor = MapEditor(tilemap, path)
    assert editor.save()
    assert editor.load().to_text() == tilemap.to_text()
    assert main(["check", str(path)]) == 1
    assert "6 surfaces" in capsys.readouterr().out


def test_the_suffix_counts_whatever_a_file_begins_with(path):
    register_format(".hexes", lambda data: TileMap([[len(data)]]))
    for start in (b"{}", b"<map>", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"ncols 2", b"0"):
        path.write_bytes(start)
        assert TileMap.load(path).level.tolist() == [[len(start)]]


def test_all_of_a_map_that_a_reader_returns_is_kept_in_the_class_asked_for(path, tilemap):
    class Dungeon(TileMap):
        pass

    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=9)
        edit.add_link((0, 0), (0, 1, 1), 2, "ladder")
        edit.add_wall((0, 1), (0, 2))
    tilemap.extras["units"] = [{"cell": [0, 1, 1]}]
    tilemap.unknown_fields["decks", Cell(0, 1, 1)] = {"by": "Odo"}
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: tilemap)
    made = Dungeon.load(path)
    assert isinstance(made, Dungeon)
    assert state_of(made) == state_of(tilemap)
    assert made.unknown_fields == tilemap.unknown_fields
    assert not made.undo_name  # nor anything else that the reader did


class Strange(Exception):
    def __str__(self):
        return "no\nsense"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (KeyError("rows"), "KeyError: 'rows'"),
        (Strange(), "Strange: no sense"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (OSError("no disk"), "OSError: no disk"),
        (MapFileError("is cut off"), "is cut off"),
        (StopIteration(), "StopIteration: "),
    ],
)
def test_what_a_reader_raises_is_an_error_of_the_file_that_names_the_format(path, error, says):
    def broken(_):
        raise error

    path.write_bytes(b"PK\x03\x04")
    register_format(".hexes", broken)
    with pytest.raises(MapFileError) as caught:
        TileMap.load(path)
    assert str(caught.value) == f"{path}: .hexes format of {__name__}: {says}"
    assert caught.value.__cause__ is error


def test_line_and_field_of_a_readers_error_are_kept(path):
    def broken(_):
        raise MapFileError("is cut off", line=3, field="rows")

    path.write_bytes(b"?")
    register_format(".hexes", broken)
    with pytest.raises(MapFileError) as caught:
        TileMap.load(path)
    assert (caught.value.line, caught.value.field, caught.value.source) == (3, "rows", str(path))


@pytest.mark.parametrize("value", [None, [[0]], b"0"])
def test_a_reader_must_return_a_map(path, value):
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: value)
    with pytest.raises(
        MapFileError, match=r"hexes format.*what read returns must be a TileMap, got"
    ):
        TileMap.load(path)


def test_readers_and_writers_may_return_notes(path, tilemap, capsys):
    register_format(
        ".hexes",
        lambda data: MapFile(decode(data), ["left out:\nclouds"]),
        lambda tilemap: FileContent(encode(tilemap), ("left out: kinds",), {"beside": b"more"}),
    )
    assert tilemap.export(path) == ("left out: kinds",)
    assert path.with_name("beside").read_bytes() == b"more"
    assert read(path).notes == ("left out: clouds",)
    assert main(["check", str(path)]) == 1
    assert "left out: clouds" in capsys.readouterr().err


@pytest.mark.parametrize("value", [MapFile(3), MapFile(TileMap([[1]]), 3), MapFile(b"0")])
def test_bad_maps_and_notes_of_a_reader_are_refused(path, value):
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: value)
    with pytest.raises(MapFileError, match=r"hexes format.*what read returns must be"):
        TileMap.load(path)


def test_limits_hold_for_readers_of_others(path):
    path.write_bytes(b"?")
    register_format(".hexes", lambda _: TileMap(np.zeros((20, 20), int)))
    with pytest.raises(MapFileError, match="makes 400 tiles; the limit, max_surfaces, is 399"):
        TileMap.load(path, max_surfaces=399)
    assert TileMap.load(path, max_surfaces=400).rows == 20


@pytest.mark.parametrize("write", ["save", "export"])
@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda _: 1 // 0, "ZeroDivisionError"),
        (lambda _: "text", "what write returns must be a bytes, got 'text'"),
        (lambda tilemap: tilemap.undo(), "RuntimeError: a map cannot be edited"),
    ],
)
def test_a_writer_that_fails_leaves_the_old_file(path, tilemap, write, call, says):
    path.write_bytes(b"old")
    register_format(".hexes", write=call)
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 5)
    with pytest.raises(ValueError, match=rf"\.hexes format of .*{says}"):
        getattr(tilemap, write)(path)
    assert path.read_bytes() == b"old"
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    editor = MapEditor(tilemap, path)
    messages = []
    editor.message.connect(messages.append)
    assert not editor.save()
    assert says.partition(":")[0] in messages[-1]


def test_a_format_may_only_read_or_only_write(path, tilemap):
    path.write_bytes(b"old")
    register_format(".hexes", read=decode)
    with pytest.raises(ValueError, match="it has no function write"):
        tilemap.save(path)
    assert path.read_bytes() == b"old"
    register_format(".hexes", write=encode)
    tilemap.save(path)
    with pytest.raises(MapFileError, match="it has no function read"):
        TileMap.load(path)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"suffix": "hexes", "read": decode}, "a dot and a name, such as '.vale', got 'hexes'"),
        ({"suffix": ".a.b", "read": decode}, "a dot and a name"),
        ({"suffix": "", "read": decode}, "a dot and a name"),
        ({"suffix": ".TMX", "read": decode}, "that of a format of terrain3d, got '.TMX'"),
        ({"suffix": ".tmap", "write": encode}, "that of a format of terrain3d"),
        ({"suffix": ".hexes"}, "read, write or both"),
        ({"suffix": ".hexes", "read": 3}, "read must be a function, got 3"),
        ({"suffix": ".hexes", "write": lambda: b""}, "write must be a function of 1 argument, got"),
    ],
)
def test_mistakes_register_nothing(values, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        register_format(**values)
    assert registry._registered == {}


def install(site, name, points, **modules):
    """Write what an installer writes: modules and metadata with entry points."""
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{suffix} = {what}" for suffix, what in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[terrain3d.formats]", *lines]) + "\n")
    for module, text in modules.items():
        (site / f"{module}.py").write_text(text)


HEX_MODULE = """
from terrain3d import TileMap


def read(data):
    return TileMap([list(bytes.fromhex(line)) for line in data.decode().splitlines()])


def write(tilemap):
    return "\\n".join(bytes(row).hex() for row in tilemap.level.tolist()).encode()
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    site = tmp_path / "site"
    points = {"hexes": "hex_maps", ".picked": "hex_maps:Picked", "broken": "broken_maps"}
    text = f"{HEX_MODULE}\n\nclass Picked:\n    read = staticmethod(read)\n"
    broken = {"broken_maps": "import a_library_that_is_missing\n"}
    install(site, "hex-maps", points, hex_maps=text, **broken)
    monkeypatch.syspath_prepend(str(site))
    yield site
    for module in ("hex_maps", "broken_maps"):
        sys.modules.pop(module, None)


@pytest.mark.usefixtures("installed")
def test_an_installed_package_adds_its_formats(path, tilemap):
    assert "hex_maps" not in sys.modules
    tilemap.save(path)
    assert TileMap.load(path).to_text() == tilemap.to_text()
    assert read(path).format == ".hexes format of hex-maps"
    path.rename(path.with_suffix(".picked"))
    assert TileMap.load(path.with_suffix(".picked")).to_text() == tilemap.to_text()
    with pytest.raises(
        ValueError, match="picked format of hex-maps: TypeError: it has no function"
    ):
        tilemap.save(path.with_suffix(".picked"))


@pytest.mark.usefixtures("installed")
def test_a_package_that_cannot_be_imported_is_named_and_hinders_no_other(path, tilemap):
    broken = path.with_suffix(".broken")
    broken.write_bytes(b"old")
    says = "broken format of hex-maps: ModuleNotFoundError: No module named 'a_library_that_is"
    with pytest.raises(MapFileError, match=says):
        TileMap.load(broken)
    with pytest.raises(ValueError, match=says):
        tilemap.export(broken)
    assert broken.read_bytes() == b"old"
    tilemap.save(path)
    assert TileMap.load(path).to_text() == tilemap.to_text()
    tilemap.save(path.with_suffix(".tmap"))
    assert TileMap.load(path.with_suffix(".tmap")).to_text() == tilemap.to_text()


@pytest.mark.usefixtures("installed")
def test_a_registered_format_goes_before_that_of_a_package(path, tilemap):
    register_format(".hexes", write=lambda _: b"mine")
    tilemap.save(path)
    assert path.read_bytes() == b"mine"
    assert "hex_maps" not in sys.modules


def test_no_package_takes_over_a_format_of_terrain3d(tmp_path, monkeypatch, tilemap):
    install(tmp_path / "site", "taker", {"tmap": "broken_maps", "txt": "broken_maps"})
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for name in ("a.tmap", "a.txt"):
        tilemap.export(tmp_path / name)
        assert TileMap.load(tmp_path / name).to_text() == tilemap.to_text()


def test_of_two_packages_the_first_by_name_has_the_suffix(installed, path, tilemap):
    install(installed, "a-maps", {"hexes": "a_maps"}, a_maps="def write(_): return b'a'")
    install(installed, "z-maps", {"hexes": "z_maps"}, z_maps="def write(_): return b'z'")
    tilemap.save(path)
    assert path.read_bytes() == b"a"


def test_the_program_finds_packages_by_itself(installed, tmp_path):
    (tmp_path / "vale.hexes").write_bytes(b"0001\n0203")
    code = f"import sys\nsys.path.append({str(installed)!r})\n{COMMAND}"
    done = fork_python(code, "check", "vale.hexes", cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout == "4 of 4 surfaces are connected: sound\n"
