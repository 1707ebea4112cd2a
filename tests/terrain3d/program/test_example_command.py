"""`example`: lists the programs of the documentation, and runs one."""

import sys

from terrain3d.program import main
from tests.support.paths import ROOT

FOLDER = ROOT / "docs" / "examples"


def test_without_a_name_it_lists_all_with_their_first_lines(capsys):
    assert main(["example"]) == 0
    *lines, place = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == {file.stem for file in FOLDER.glob("*.py")}
    for line in lines:
        name, sentence = line.split(maxsplit=1)
        assert sentence in (FOLDER / f"{name}.py").read_text("utf-8")
    assert str(FOLDER) in place


def test_it_runs_a_program_as_python_would(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["terrain3d", "example", "custom_behavior"])
    assert main(["example", "custom_behavior"]) == 0
    assert sys.argv == [str(FOLDER / "custom_behavior.py")]
    assert capsys.readouterr().out


def test_an_unknown_name_is_refused_with_those_there_are(capsys):
    assert main(["example", "nothing"]) == 2
    error = capsys.readouterr().err
    assert "no example 'nothing'" in error
    assert "minimal_game" in error


def test_an_example_without_its_library_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["example", "height_image"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "needs Pillow" in line
    assert "pip install Pillow" in line
