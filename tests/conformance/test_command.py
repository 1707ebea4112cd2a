"""The conformance command: it agrees with true lengths and finds a false one."""

import pytest

from tests.conformance.__main__ import main

MAP = "type octile\nheight 3\nwidth 4\nmap\n.@..\n....\nT.@.\n"
TRUE = ["0\tkeep.map\t4\t3\t0\t0\t2\t0\t4.00", "0\tkeep.map\t4\t3\t0\t1\t3\t0\t3.41421356"]


def write(folder, scenarios, map_name="keep.map"):
    (folder / map_name).write_text(MAP, encoding="ascii")
    text = "\n".join(["version 1", *scenarios])
    (folder / "keep.map.scen").write_text(text, encoding="ascii")


def test_true_lengths_agree(tmp_path, capsys):
    write(tmp_path, TRUE)
    assert main([str(tmp_path)]) == 0
    assert "keep.map: 2 scenarios, 0 mismatches, 0 unsolved" in capsys.readouterr().out


@pytest.mark.parametrize("length", ["3.98", "4.02"])
def test_a_length_that_is_too_short_or_too_long_is_found(tmp_path, capsys, length):
    write(tmp_path, [TRUE[0].replace("4.00", length), TRUE[1]])
    assert main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "2 scenarios, 1 mismatches, 0 unsolved" in printed
    assert f"(0, 0) -> (0, 2): published {float(length)}, got 4" in printed


def test_a_query_without_a_path_is_a_mismatch(tmp_path, capsys):
    write(tmp_path, ["0 keep.map 4 3 0 0 1 0 1"])
    assert main([str(tmp_path)]) == 1
    assert "1 scenarios, 1 mismatches, 1 unsolved" in capsys.readouterr().out
