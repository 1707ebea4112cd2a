"""The scene under random input: a short soak, and what the command would complain about."""

import subprocess
import sys
from dataclasses import replace

from tests.e2e.soak import MOST_GROWN, Counts, grown
from tests.support.desktop import require_tools
from tests.support.pages import ROOT


def test_twenty_seconds_of_anything_leave_nothing_behind():
    require_tools()
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.soak", "--minutes", "0.333", "--seed", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing grew" in done.stdout
    assert "Traceback" not in done.stderr


def test_what_grows_is_named():
    counts = Counts(nodes=5, tasks=2, events=3, textures=1, meshes=9, memory_mb=400.0)
    assert grown([counts, counts]) == []
    assert grown([counts, replace(counts, nodes=6, tasks=1)]) == ["nodes grew from 5 to 6"]
    more = replace(counts, memory_mb=419.0, meshes=9 + MOST_GROWN["meshes"])
    assert grown([counts, more, counts]) == []
    larger = replace(counts, memory_mb=421.0)
    assert grown([counts, larger, counts]) == ["memory_mb grew from 400 to 421"]
