"""The measurements of the index of large maps."""

import pytest

from tests.benchmarks import index


def test_each_map_has_its_memory_and_its_queries_under_edits(capsys):
    if not index.has_peak_memory():
        pytest.skip("this system does not count the peak of memory")
    assert index.main(["--sizes", "80"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| 80 x 80 |") for line in lines) == 1
    rows = [line.split(" | ") for line in lines if line.startswith("| 80, ")]
    assert [row[:2] for row in rows] == [["| 80, random", "100%"], ["| 80, doors", "100%"]]
