"""Commands on the pages run as printed, and the Tiled map on its page is read as described."""

import re

import pytest

from terrain3d import TileMap
from terrain3d.program import main, options
from tests.support.pages import DOCS, PAGES, commands_of

FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")
XML = re.findall(r"```xml\n(.*?)```", FORMATS, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def ford(folder):
    (folder / "ford.tmx").write_text(*XML, encoding="utf-8")
    return folder / "ford.tmx"


def test_the_commands_for_formats_run_as_printed(folder, ford):
    ford.rename(folder / "vale.tmx")
    TileMap.from_text("0123\n0234").save(folder / "hill.txt")
    commands = commands_of(FORMATS)
    assert len(commands) == 2
    for words in commands:
        assert main(words) in (0, 1), words


def test_the_tiled_map_has_a_hill_a_river_and_a_unit(ford):
    tilemap = TileMap.load(ford)
    assert tilemap.to_text() == "2000\n000#"
    assert [tilemap.kind_at((0, col)).name for col in range(3)] == ["grass", "grass", "river"]
    assert tilemap.kind_at((0, 2)).cost == 2
    assert tilemap.extras == {
        "metadata": {"title": "The ford"},
        "units": [{"name": "Mira", "cell": [1, 0]}],
    }


def test_what_is_left_out_is_printed_when_the_file_is_opened(ford, capsys):
    ford.write_text(XML[0].replace("<layer ", '<imagelayer name="sky"/><layer '))
    assert main(["path", "--map", str(ford), "--from", "0,0", "--to", "1,0"]) == 0
    [line] = capsys.readouterr().err.splitlines()
    assert line == f"{ford}: left out: layers of type 'imagelayer'"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_words_of_every_command_are_options(page):
    for words in commands_of(page.read_text(encoding="utf-8")):
        options.parse(words)


def test_the_page_of_the_command_line_has_every_option():
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    options = set(re.findall(r"--[a-z-]+", scene_help()))
    assert options - {"--help"} <= set(re.findall(r"--[a-z-]+", page))


def scene_help():
    """Return the help of the scene, `path` and `shot`."""
    parser = options.make_parser()
    [commands] = [each for each in parser._actions if each.dest == "command"]
    shown = [commands.choices[name] for name in ("path", "shot")]
    return "".join(each.format_help() for each in (parser, *shown))
