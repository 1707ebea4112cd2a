"""MovingAI scenarios: queries with their optimal lengths, and errors that name the line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from tests.support import movingai_scenarios as scenarios
from tests.support.movingai_files import MOVINGAI, SCENARIO, anything, lines_apart, parse_scenarios


@lines_apart
@pytest.mark.parametrize("version", ["version 1", "version 1.0", "version\t1"])
@pytest.mark.parametrize("gap", ["\t", " ", "   "])
def test_a_scenario_is_a_query_with_its_length(end, version, gap):
    text = f"{version}\n{SCENARIO}\n\n{SCENARIO}".replace("\t", gap).replace("\n", end)
    first, second = parse_scenarios(text)
    assert first == second
    assert (first.bucket, first.map_name, first.rows, first.cols) == (7, "maps/keep.map", 4, 5)
    assert (first.start, first.goal, first.optimal_length) == ((2, 1, 0), (0, 4, 0), 3.82842712)


def test_a_file_may_hold_no_scenario():
    assert parse_scenarios("version 1\n") == []


def test_between_tabs_a_name_may_have_spaces():
    (scenario,) = parse_scenarios("version 1\n" + SCENARIO.replace("keep", "the old keep"))
    assert scenario.map_name == "maps/the old keep.map"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("maps/keep.map\t", "", "a scenario has 9 fields, got 8"),
        ("\t3.82", "\t0\t3.82", "a scenario has 9 fields, got 10"),
        ("7\t", "x\t", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", "1\t-2\t4", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", "1\t2.5\t4", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", f"1\t{'9' * 5000}\t4", "bucket, start and goal must be whole numbers"),
        ("1\t2\t4", "5\t2\t4", "start and goal must lie on 5 columns and 4 rows"),
        ("1\t2\t4", "1\t4\t4", "start and goal must lie on 5 columns and 4 rows"),
        ("4\t0\t3", "5\t0\t3", "start and goal must lie on 5 columns and 4 rows"),
        ("4\t0\t3", "4\t4\t3", "start and goal must lie on 5 columns and 4 rows"),
        ("5\t4\t1", "5\t0\t1", r"height x width must be 1\.\.67108864 tiles, got 0 x 5"),
        ("5\t4\t1", "99999\t99999\t1", "got 99999 x 99999"),
        ("3.82842712", "-1", "the optimal length must be a finite number >= 0"),
        ("3.82842712", "nan", "the optimal length must be a finite number >= 0"),
        ("3.82842712", "1e999", "the optimal length must be a finite number >= 0"),
        ("3.82842712", "1_0", "the optimal length must be a finite number >= 0"),
    ],
)
def test_a_wrong_scenario_is_refused_by_line(old, new, says):
    assert old in SCENARIO
    text = f"version 1\n{SCENARIO}\n{SCENARIO.replace(old, new, 1)}"
    with pytest.raises(MapFileError, match=says) as caught:
        parse_scenarios(text)
    assert caught.value.line == 3


def test_scenarios_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(scenarios, "MAX_SCENARIOS", 2)
    assert len(parse_scenarios(f"version 1\n{SCENARIO}\n\n{SCENARIO}\n\n")) == 2
    with pytest.raises(MapFileError, match="line 4: a file has at most 2 scenarios"):
        parse_scenarios("version 1\n" + f"{SCENARIO}\n" * 3)


@pytest.mark.parametrize("text", ["", SCENARIO, "version 2\n", "version\n", "\nversion 1\n"])
def test_a_file_of_another_version_is_refused(text):
    with pytest.raises(MapFileError, match="line 1: must be 'version 1'"):
        parse_scenarios(text)


near_scenarios = st.lists(
    st.lists(st.sampled_from([*"0123456789", "-1", "a", "1e9", "nan", "", "٣"]), max_size=10),
    max_size=4,
).map(lambda rows: "\n".join(["version 1", *("\t".join(row) for row in rows)]))


@given(anything | near_scenarios.map(str.encode))
@example(b"version 1\n0 a 2 2 0 0 1 1 1.5")
def test_any_bytes_are_scenarios_or_a_map_file_error(data):
    try:
        found = scenarios.parse_scenarios(data)
    except MapFileError:
        return
    for scenario in found:
        for row, col, _ in (scenario.start, scenario.goal):
            assert 0 <= row < scenario.rows
            assert 0 <= col < scenario.cols


@pytest.mark.skipif(not MOVINGAI.is_dir(), reason="the published benchmark files are not here")
def test_published_maps_fit_their_published_scenarios():
    for path in sorted(MOVINGAI.glob("*.map")):
        void_or_wall = ~np.isin(TileMap.load(path).kind, [0, 1])
        found = [*MOVINGAI.glob(f"{path.name}.scen"), *MOVINGAI.glob(f"{path.stem}-*.scen")]
        assert found
        for scenario in (entry for name in found for entry in scenarios.load_scenarios(name)):
            assert (scenario.rows, scenario.cols) == void_or_wall.shape
            assert Path(scenario.map_name).name == path.name
            assert not void_or_wall[scenario.start[:2]]
            assert not void_or_wall[scenario.goal[:2]]
