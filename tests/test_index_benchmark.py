"""The measurements of the index of large maps."""

import pytest

from tests.benchmarks import index


def test_each_map_has_its_memory_and_its_queries_under_edits(capsys):
    if not index.has_peak_memory():
        pytest.skip("this system does not count the peak of memory")
    assert index.main(["--sizes", "80"]) == 0
    lines = capsys.readouterr().out.splitlines()
    _, last = (line for line in lines if line.startswith("| 80 x 80 |"))
    cells, expanded, at_its_cost = map(int, last.strip("| ").split(" | ")[1:])
    assert 10 < cells <= at_its_cost <= expanded  # the cells of the path have its cost
    rows = [line.split(" | ") for line in lines if line.startswith("| 80, ")]
    assert [row[:2] for row in rows] == [["| 80, random", "100%"], ["| 80, doors", "100%"]]
