"""Many map files checked at once, also by the processes of an executor."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from ai import MoveProfile, Navigation, check_maps
from terrain3d import TileMap


@pytest.fixture
def files(tmp_path):
    """Return a sound map, one with an island, one with a unit, a broken and a missing file."""
    TileMap.from_text("00\n00").save(tmp_path / "sound.tmap")
    TileMap.from_text("090").save(tmp_path / "island.tmap")
    crowd = TileMap.from_text("090")
    crowd.extras = {"units": [{"name": "Mira", "cell": [0, 0]}, {"name": "Odo", "cell": [0, 7]}]}
    crowd.save(tmp_path / "crowd.tmap")
    (tmp_path / "broken.tmap").write_text('{"format": "terrain3d map"')
    names = ("sound", "island", "crowd", "broken", "missing")
    return [tmp_path / f"{name}.tmap" for name in names]


def test_each_file_has_the_report_of_its_map_in_order(files):
    checks = check_maps(files, MoveProfile(max_climb=1))
    assert [check.path for check in checks] == files
    assert [check.is_sound for check in checks] == [True, False, False, False, False]
    for check in checks[:2]:
        expected = Navigation(TileMap.load(check.path)).check(MoveProfile(max_climb=1))
        assert str(check.report) == str(expected)
        assert str(check) == f"{check.path}: {expected}"
    assert checks[2].notes[0].startswith("unit 2 is left out")
    assert [check.report for check in checks[3:]] == [None, None]
    assert str(checks[3]).startswith(f"{files[3]}")
    assert "missing.tmap" in checks[4].error


def test_processes_give_the_same_checks(files):
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = check_maps(map(str, files), executor=pool)
    assert list(map(str, found)) == list(map(str, check_maps(files)))


def test_mistakes_are_refused(files):
    with pytest.raises(TypeError, match="files"):
        check_maps([3])
    with pytest.raises(TypeError, match="MoveProfile\\(\\*\\*profile\\) makes one of a dict"):
        check_maps(files, {"max_climb": 1})
    with pytest.raises(TypeError, match="executor"):
        check_maps(files, executor=2)
