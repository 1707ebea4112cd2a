"""Tests of the command: which places are changed, which tests run, and what counts as killed."""

import pytest

from tests.mutation.__main__ import KILLED, SURVIVED, main, run_mutant
from tests.mutation.covered_lines import CoveredLines, record
from tests.mutation.mutants import places, sample

SOURCE = """\
LIMIT: int | None = 7


def is_low(value: int) -> bool:
    return value < LIMIT
"""
TESTS = """\
from ai.low import is_low


def test_seven_is_not_low():
    assert not is_low(7)


def test_nothing():
    pass
"""


@pytest.fixture
def root(tmp_path):
    for folder in ("ai", "terrain3d", "tests/ai"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "ai" / "__init__.py").touch()
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    (tmp_path / "ai" / "low.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "tests" / "ai" / "test_low.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def test_places_are_numbers_and_comparisons_but_no_annotations(root):
    found = places(root, "ai/low.py")
    assert {line for line, _ in found} == {1, 5}
    assert {mutant.operator for mutant in found[1, 20]} == {"NumberReplacer"}
    assert any("value >= LIMIT" in mutant.source(root) for mutant in found[5, 17])


def test_a_sample_depends_on_its_seed_alone(root):
    assert sample(root, 2, seed=3) == sample(root, 2, seed=3)
    assert len({mutant.line for mutant in sample(root, 2, seed=3)}) == 2


def test_a_mutant_is_killed_by_the_tests_of_its_line_and_undone(root, tmp_path):
    record(root, tmp_path / "lines.json", ["tests"])
    lines = CoveredLines.load(tmp_path / "lines.json")
    tests = lines.of("ai/low.py", 5, is_compiled=False)
    assert [name.rpartition("::")[2] for name in tests] == ["test_seven_is_not_low"]
    assert lines.of("ai/low.py", 1, is_compiled=False) == tests
    verdicts = {}
    for mutant in places(root, "ai/low.py")[5, 17]:
        verdicts[mutant.source(root).split()[-2]] = run_mutant(root, mutant, tests, None)
    assert (verdicts["<="], verdicts["!="]) == (KILLED, SURVIVED)
    assert (root / "ai" / "low.py").read_text(encoding="utf-8") == SOURCE


def test_the_score_leaves_out_equivalent_mutants(tmp_path, capsys):
    lines = ["a\tkilled\t3 tests", "b\tsurvived\t3 tests", "c\tequivalent\t3 tests\twhy"]
    (tmp_path / "results.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["count", str(tmp_path / "results.tsv")]) == 0
    assert "killed 1 of 2 that are not equivalent or gone, 50.0 %" in capsys.readouterr().out
