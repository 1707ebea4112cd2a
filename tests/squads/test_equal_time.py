"""Tests of the comparison at equal time: what other programs get, and what they answer."""

import itertools
import sys

import pytest

from ai import MoveProfile
from terrain3d import TileMap
from tests.squads import boards, equal_time
from tests.squads.__main__ import main
from tests.squads.contenders import Lacam3, Ours, Pymapf
from tests.squads.trial import Bench
from tests.support.optional import import_or_skip

EMPTY = "type octile\nheight 8\nwidth 8\nmap\n" + "........\n" * 8
YARD = boards.Board(
    "yard",
    TileMap.from_text("0000\n0##0\n0000"),
    MoveProfile(),
    [(0, 0, 0), (2, 3, 0)],
    [(0, 2, 0), (2, 0, 0)],
)

FAKE_LACAM3 = """#!{python}
import sys
from pathlib import Path

options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert options["-N"] == "2" and options["-s"] == "7" and float(options["-t"]) == 0.5, options
assert Path(options["-m"]).read_text().split()[-3:] == ["....", ".@@.", "...."]
ends = [line.split()[4:8] for line in Path(options["-i"]).read_text().splitlines()[1:]]
assert ends == [["0", "0", "2", "0"], ["3", "2", "0", "2"]], ends
Path(options["-o"]).write_text("solved=1\\nsolution=\\n{ticks}")
"""


def trial_of_lacam3(folder, *ticks):
    program = folder / "lacam3"
    lines = "".join(f"{tick}:{cells}\\n" for tick, cells in enumerate(ticks))
    program.write_text(FAKE_LACAM3.format(python=sys.executable, ticks=lines))
    program.chmod(0o755)
    return Bench(YARD).run_for(Lacam3(program), 0.5, 7)


def test_paths_of_lacam3_are_read_and_checked(tmp_path):
    trial = trial_of_lacam3(
        tmp_path, "(0,0),(3,2),", "(0,0),(2,2),", "(1,0),(1,2),", "(2,0),(0,2),", "(2,0),(0,2),"
    )
    assert trial.is_solved, trial
    assert trial.ratio == (3 + 3) / (2 + 3)
    assert trial.ticks == 3
    jump = trial_of_lacam3(tmp_path, "(0,0),(3,2),", "(2,0),(0,2),")
    assert "0 cannot step from (0, 0, 0) to (0, 2, 0)" in jump.fault
    assert trial_of_lacam3(tmp_path).reason == "no plan"


def test_a_planner_that_improves_stops_in_time_and_others_ignore_the_limit():
    bench = Bench(boards.packed(50, 0))
    improved = bench.run_for(Ours("prioritized", improves=True), 0.2, 0)
    assert improved.is_solved
    first = bench.run_for(Ours("crowd", improves=False), 1e-9, 0)
    assert first.is_solved
    assert improved.ratio < first.ratio


def test_the_command_compares_planners_on_the_maps_of_a_folder(tmp_path, capsys, monkeypatch):
    (tmp_path / "empty-8-8.map").write_text(EMPTY)
    (tmp_path / "other.map").write_text(EMPTY)
    monkeypatch.setattr(equal_time, "columns", lambda _: boards.columns(3))
    assert main([str(tmp_path), "--seconds", "0.05,0.1", "--seeds", "2"]) == 0
    printed = capsys.readouterr().out
    assert "| board | units | crowd | prioritized 0.05 s | prioritized 0.1 s |" in printed
    assert "Absent: lacam3" in printed
    assert "Wrong plans: 0." in printed
    for row in ("empty-8-8 | 32", "empty-8-8 | 50", "field | 100", "columns | 6"):
        assert f"| {row} | " in printed
    assert "other" not in printed


def test_without_a_folder_boards_like_the_published_ones_are_generated():
    n_free = {"empty-8-8": 64, "random-32-32-10": 922, "room-32-32-4": 682}  # of those published
    found = list(boards.crowds(None, 3))
    assert [len(board.starts) for board in found] == [32, 50, 20, 100, 400, 20, 100, 200, 400]
    for board in found:
        name = board.name.removeprefix("like ")
        assert board.name != name
        cells = itertools.product(range(board.tilemap.rows), range(board.tilemap.cols))
        free = {(*cell, 0) for cell in cells if board.tilemap.has_surface(cell)}
        assert len(free) == pytest.approx(n_free[name], rel=0.06)
        assert len(set(board.starts)) == len(set(board.goals)) == len(board.starts)
        assert free.issuperset(board.starts + board.goals)
    again = list(boards.crowds(None, 3))
    assert [board.starts for board in again] == [board.starts for board in found]
    other = list(boards.crowds(None, 4))
    assert [board.starts for board in other] != [board.starts for board in found]


def test_plans_of_pymapf_are_read_and_checked():
    import_or_skip("pymapf")
    trial = Bench(YARD).run_for(Pymapf(), 0.1, 0)
    assert trial.is_solved, trial
    assert trial.ratio == 1
    assert trial.ticks == 3


@pytest.mark.parametrize("words", [[".", "--seconds", "0"], ["--seconds", "1", "--seeds", "0"]])
def test_invalid_options_are_refused(words):
    with pytest.raises(SystemExit):
        main(words)
