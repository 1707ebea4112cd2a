"""The page of Tiled says what is so: its map is read as told, and its commands run."""

import re
import shlex

import pytest

import main
from terrain3d import TileMap
from tests.support.pages import ROOT

PAGE = (ROOT / "docs" / "tiled.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ford.tmx").write_text(*blocks("xml"), encoding="utf-8")
    return tmp_path


def test_its_map_has_a_hill_a_river_and_a_unit(folder):
    tilemap = TileMap.load(folder / "ford.tmx")
    assert tilemap.to_text() == "2000\n000#"
    assert [tilemap.kind_at((0, col)).name for col in range(3)] == ["grass", "grass", "river"]
    assert tilemap.kind_at((0, 2)).cost == 2
    assert tilemap.extras == {
        "metadata": {"title": "The ford"},
        "units": [{"name": "Mira", "cell": [1, 0]}],
    }


@pytest.mark.usefixtures("folder")
def test_its_commands_run_as_printed(capsys):
    (commands,) = blocks("sh")
    for command in commands.splitlines():
        python, program, *words = shlex.split(command)
        assert (python, program) == ("python", "main.py")
        assert main.main(words) == 0, command
    assert "left out" not in capsys.readouterr().out
    assert TileMap.load("again.tmx").to_text() == "2000\n000#"


def test_what_is_left_out_is_said_by_whoever_opens_the_file(folder, capsys):
    path = folder / "ford.tmx"
    path.write_text(blocks("xml")[0].replace("<layer ", '<imagelayer name="sky"/><layer '))
    assert main.main(["path", "--map", str(path), "--from", "0,0", "--to", "1,0"]) == 0
    assert capsys.readouterr().err == "layer 'sky': of type 'imagelayer', is not kept\n"
