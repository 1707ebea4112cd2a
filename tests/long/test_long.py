"""Tests of long runs: some cases of each kind are right, and what is wrong is shown."""

import pytest

from ai import Board, Entry, MoveRefused, Navigation, SquadPlan, SquadPlanner
from terrain3d import Cell, MapFileError, TileMap
from terrain3d.view.window.viewport import Viewport
from tests.long import __main__ as command
from tests.long import crowds, plans, player, squads, views
from tests.long.files import faults, readers
from tests.support import rulebook
from tests.support.desktop import require_tools
from tests.support.programs import run_python
from tests.support.selection import table


def run(words):
    return command.main(words.split())


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Compare few squads, and end at the first that is wrong."""
    monkeypatch.setattr(squads, "_SQUADS_PER_SEED", 20)
    monkeypatch.setattr(squads, "check_crowds", lambda _: {"crowds": 1})
    monkeypatch.setattr(command, "MAX_WRONG", 1)


def counts_of(shown):
    lines = [line.split(maxsplit=1) for line in shown.splitlines() if line.startswith("  ")]
    return {name: float(number.replace(",", "")) for number, name in lines}


@table(
    "words unit",
    ("edits --cases 80 --seed 500", "rounds"),
    ("games --cases 5 --seed 7", "games"),
    pytest.param("battles --cases 1 --seed 1", "battles", marks=pytest.mark.nightly),
    ("plans --cases 2", "maps"),
)
def test_some_cases_are_right(capsys, words, unit):
    assert run(words) == 0
    counts = counts_of(capsys.readouterr().out)
    assert counts[unit] >= int(words.split()[2])
    assert counts["wrong"] == 0


def test_some_views_are_right_and_a_wrong_one_is_shown(base, capsys, monkeypatch):
    monkeypatch.setattr(views, "open_offscreen", lambda *_size: base)
    assert run("views --cases 25 --seed 7") == 0
    assert counts_of(capsys.readouterr().out)["views"] == 25
    monkeypatch.setattr(Viewport, "from_window", lambda _viewport, x, y: (x, y))
    assert run("views --cases 50 --seed 7") == 1
    assert "--seed 7" in capsys.readouterr().err


def test_each_rule_decides_on_three_maps_at_least(capsys):
    assert run("rules --cases 16000 --seed 7") == 0
    fired = counts_of(capsys.readouterr().out)
    assert {rule: fired[rule] for rule in rulebook.RULES if fired[rule] < 3} == {}
    assert set(rulebook.fired) <= set(rulebook.RULES)


@pytest.mark.nightly
def test_twenty_seconds_of_anything_leave_nothing_behind():
    require_tools()
    done = run_python("-m", "tests.long", "soak", "--cases", "20", "--seed", "7", env=None)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


right_distance, right_inverse = Navigation.distance, Entry.inverse


def wrong_distance(navigation, *ends):
    return right_distance(navigation, *ends) + navigation.has_index(ends[2])


def forgets(what):
    """Return the inverse of an entry without something."""
    return lambda entry: (back := right_inverse(entry))._replace(**what(back))


def refuse(*_):
    raise MoveRefused("no")


INVERSES = (
    lambda _entry: {"edits": ()},
    lambda entry: {"after": entry.before},
    lambda entry: {"after": entry.after.with_(units=entry.before.units)},
    lambda entry: {"after": entry.after.with_(n_actions=entry.before.n_actions)},
)
NONE = SquadPlan.none("no plan exists")


@table(
    "words owner name wrong said",
    ("edits", Navigation, "distance", wrong_distance, "costs Asked("),
    *(("games --cases 4", Entry, "inverse", forgets(each), "--seed") for each in INVERSES),
    ("squads", SquadPlanner, "plan", lambda *_, **__: NONE, "no SquadPlan: no plan exists"),
    ("squads", Board, "move_together", refuse, "--seed 1"),
    pytest.param(
        *("rules", Navigation, "explain_stop", lambda *_: "", "square levels [[[0"),
        marks=pytest.mark.nightly,
    ),
)
def test_what_is_wrong_is_shown(capsys, monkeypatch, words, owner, name, wrong, said):
    monkeypatch.setattr(owner, name, wrong)
    assert run(words) == 1
    printed = capsys.readouterr()
    assert counts_of(printed.out)["wrong"] == 1
    assert said in printed.err


def test_a_simple_player_wins_a_share_of_games(capsys, monkeypatch):
    assert run("player easy --cases 1 --seed 301") == 1
    shown = capsys.readouterr().out
    assert "% of games won, should be 80" in shown
    monkeypatch.setitem(player.SHARES, "easy", 100 if "100 %" in shown else 0)
    assert run("player easy --cases 1 --seed 301") == 0


STARTS = [(0, 0, 0), (2, 3, 0), (2, 0, 0)]
GOALS = [(2, 3, 0), (0, 0, 0), (0, 3, 0)]
YARD = plans.Board("yard", TileMap.from_text("0000\n0##0\n0000"), plans.WALKER, STARTS, GOALS)


def with_plan(monkeypatch, *paths):
    """Make the planner return paths, written as letters a..d, e.., i.. for the rows of the yard."""
    cells = [[Cell(*divmod(ord(sign) - ord("a"), 4)) for sign in path] for path in paths]
    plan = SquadPlan(cells, [len(path) - 1 for path in paths], 0)
    monkeypatch.setattr(SquadPlanner, "plan", lambda *_, **__: plan)


@table(
    "paths fault",
    (["abcdhl", "lkjiea"], "2 paths for 3 units"),
    (["abcdhl", "lkjiea", "iijkl"], "2 ends on (2, 3, 0)"),
    (["abcdhl", "lkjiea", "iebcd"], "2 cannot step from (1, 0, 0) to (0, 1, 0)"),
    (["abcdhl", "lhdcba", "ieabcd"], "tick 2: 0 swaps between"),
    (["abcdhl", "lkjiea", "iiiieabcd"], "tick 2: 1 is not alone"),
)
def test_wrong_plans_are_shown(monkeypatch, capsys, paths, fault):
    with_plan(monkeypatch, *paths)
    monkeypatch.setattr(crowds, "crowds", lambda _: [YARD])
    assert run("crowds") == 1
    assert fault in capsys.readouterr().err


def test_a_correct_plan_is_accepted_and_a_costly_one_misses_the_aim(monkeypatch, capsys):
    monkeypatch.setattr(plans, "hills", lambda *_: YARD)
    monkeypatch.setattr(plans, "narrow", lambda _: [YARD])
    with_plan(monkeypatch, "abcdhl", "lkjiea", "ieabcd")
    assert plans.planned(YARD).excess == 0
    assert run("plans --cases 1") == 0
    with_plan(monkeypatch, "aabcdhl", "lkjiea", "iiieabcd")
    assert run("plans --cases 1") == 1
    assert "on average 20.00 % above the lower bound (aim 1.0 %)" in capsys.readouterr().out


MAP = "type octile\nheight 3\nwidth 4\nmap\n.@..\n....\nT.@.\n"
TRUE = ["0\tkeep.map\t4\t3\t0\t0\t2\t0\t4.00", "0\tkeep.map\t4\t3\t0\t1\t3\t0\t3.41421356"]
NO_WAY = "0 keep.map 4 3 0 0 1 0 1"


@table(
    "scenarios said",
    (TRUE, ""),
    ([TRUE[0].replace("4.00", "3.98"), TRUE[1]], "(0, 0) -> (0, 2): published 3.98, got 4"),
    ([NO_WAY], "1 mismatches: (0, 0) -> (0, 1): published 1.0, got "),
    ([], "there are no scenarios under"),
)
def test_lengths_that_are_not_the_published_ones_are_shown(tmp_path, capsys, scenarios, said):
    (tmp_path / "keep.map").write_text(MAP, encoding="ascii")
    text = "\n".join(["version 1", *scenarios])
    (tmp_path / "keep.map.scen").write_text(text, encoding="ascii")
    assert command.main(["conformance", str(tmp_path)]) == bool(said)
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
    assert counts_of(printed.out).get("scenarios", 0) == (0 if said else 2)


READERS = readers()
ignored = pytest.mark.filterwarnings("ignore::terrain3d.formats.MapFileWarning")
of_each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


@ignored
@of_each_reader
def test_files_are_read_and_damaged_ones_read_or_refused_in_a_line(tmp_path, reader):
    for data in reader.samples:
        (tmp_path / reader.name).write_bytes(data)
        reader.read(tmp_path / reader.name)
    assert list(faults(reader, 100, 1, tmp_path)) == []


@ignored
@of_each_reader
def test_a_file_that_is_cut_short_is_refused(tmp_path, reader):
    path = tmp_path / reader.name
    for data in reader.samples:
        for length in range(0, len(data.rstrip()), 1 + len(data) // 300):
            path.write_bytes(data[:length])
            with pytest.raises(MapFileError):
                reader.read(path)
