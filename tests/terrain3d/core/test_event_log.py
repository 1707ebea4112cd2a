"""Events as lines of JSON: whole lines at once, in order, with the time; silent without a file."""

import json
import time

import pytest

from terrain3d import Cell
from terrain3d.core.event_log import EventLog


def test_every_event_is_a_line_that_can_be_read_at_once(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("of another run\n")
    log = EventLog(path, time.perf_counter() - 5.0)
    log.write("hover", cell=Cell(1, 2))
    log.write("ready", units=[{"name": "Mira"}], reason=None)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line.pop("time_s") >= 5.0 for line in lines] == [True, True]
    assert lines == [
        {"event": "hover", "cell": [1, 2, 0]},
        {"event": "ready", "units": [{"name": "Mira"}], "reason": None},
    ]


def test_without_a_file_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    EventLog().write("ready")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_is_refused_at_once(tmp_path):
    with pytest.raises(OSError, match="log"):
        EventLog(tmp_path / "no" / "log")
