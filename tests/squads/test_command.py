"""Tests of the command: it accepts correct plans, detects wrong ones and names bad files."""

import pytest

from ai import SquadPlan
from terrain3d import Cell
from tests.squads import trial
from tests.squads.__main__ import main
from tests.squads.boards import columns, field, packed, read
from tests.support.paths import SAMPLES

MOVINGAI = SAMPLES / "movingai"

MAP = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"
ENDS = [(0, 0, 3, 2), (3, 2, 0, 0), (0, 2, 3, 0)]


def write(folder, ends=ENDS, name="yard-random-1.scen", size="4\t3"):
    (folder / "yard.map").write_text(MAP, encoding="ascii")
    lines = ["\t".join(["0\tyard.map", size, *map(str, each), "5"]) for each in ends]
    (folder / name).write_text("\n".join(["version 1", *lines]), encoding="ascii")


def run(folder):
    return main([str(folder), "--boards", "none", "--expansions", "100000"])


def test_generated_boards_are_all_solved(capsys):
    assert main(["--boards", "small", "--expansions", "100000"]) == 0
    printed = capsys.readouterr().out
    for method in ("crowd", "prioritized", "cheapest"):
        assert f"{method} 8 of 8" in printed
    assert "Wrong plans: 0." in printed


def with_plan(monkeypatch, *paths):
    """Make the planner return paths, written as letters a..d, e.., i.. for the rows of the yard."""
    cells = [[Cell(*divmod(ord(sign) - ord("a"), 4)) for sign in path] for path in paths]
    costs = [len(path) - 1 for path in paths]
    plan = SquadPlan(cells, costs, 0)
    monkeypatch.setattr(trial.SquadPlanner, "plan", lambda *_, **__: plan)


@pytest.mark.parametrize(
    ("paths", "fault"),
    [
        (["abcdhl", "lkjiea"], "2 paths for 3 units"),
        (["bcdhl", "lkjiea", "ieabcd"], "0 begins on (0, 1, 0)"),
        (["abcdhl", "lkjiea", "iijkl"], "2 ends on (2, 3, 0)"),
        (["abcdhl", "lkjieaa", "ieabcd"], "1 waits on its goal"),
        (["abcdhl", "lkjiea", "iebcd"], "2 cannot step from (1, 0, 0) to (0, 1, 0)"),
        (["abcdhl", "lhdcba", "ieabcd"], "tick 2: 0 swaps between"),
        (["abcdhl", "lkjiea", "iiiieabcd"], "tick 2: 1 is not alone"),
    ],
)
def test_wrong_plans_are_detected(tmp_path, capsys, monkeypatch, paths, fault):
    write(tmp_path)
    with_plan(monkeypatch, *paths)
    assert run(tmp_path) == 1
    printed = capsys.readouterr()
    assert fault in printed.err
    assert "Wrong plans: 3." in printed.out


def test_a_correct_plan_is_accepted(tmp_path, capsys, monkeypatch):
    write(tmp_path)
    with_plan(monkeypatch, "abcdhl", "lkjiea", "ieabcd")
    assert run(tmp_path) == 0
    assert "Wrong plans: 0." in capsys.readouterr().out


@pytest.mark.parametrize("method", ["crowd", "prioritized"])
@pytest.mark.parametrize(
    "board",
    [columns(3), field(), packed(50, 0), packed(60, 0), packed(63, 0)],
    ids=lambda board: f"{board.name} {len(board.starts)}",
)
def test_crowded_boards_are_solved(board, method):
    result = trial.Bench(board).run(len(board.starts), method, 200_000)
    assert result.is_solved, result


@pytest.mark.skipif(not MOVINGAI.is_dir(), reason="the published scenarios are not installed")
@pytest.mark.parametrize("path", sorted(MOVINGAI.glob("*-1.scen")), ids=lambda path: path.stem)
def test_all_units_of_published_scenarios_reach_their_goals(path):
    board = read(path)
    bench = trial.Bench(board)
    for n_units, method in ((len(board.starts), "crowd"), (20, "prioritized"), (10, "cheapest")):
        result = bench.run(n_units, method, 3_000_000)
        assert result.is_solved, result
        assert result.is_proven or method != "cheapest"
