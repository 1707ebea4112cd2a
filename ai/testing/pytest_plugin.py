"""A pytest plugin that checks the maps of a game: the mark `maps` and the fixture `prove_map`.

Examples
--------
::

    @pytest.mark.maps("maps/*.tmap")
    def test_a_map_is_sound(map_path, prove_map):
        prove_map(map_path, MoveProfile(max_climb=1))
"""

import os
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from ai.analysis.map_check import MapReport
from ai.game.unit_loader import check_with_units
from ai.rules.profile import MoveProfile
from terrain3d import TileMap

ProveMap = Callable[..., MapReport]


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark."""
    what = "maps(*patterns): run the test for each map file below the root, as `map_path`"
    config.addinivalue_line("markers", what)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for each file that matches a pattern of its mark."""
    mark = metafunc.definition.get_closest_marker("maps")
    if mark is None or "map_path" not in metafunc.fixturenames:
        return
    root = metafunc.config.rootpath
    patterns = map(Path, mark.args)
    found = ((root / each.anchor).glob(str(each.relative_to(each.anchor))) for each in patterns)
    paths = sorted(set(chain.from_iterable(found)))
    if not paths:
        pytest.fail(f"no map file below {root} matches {', '.join(mark.args)}", pytrace=False)
    ids = [Path(os.path.relpath(path, root)).as_posix() for path in paths]
    metafunc.parametrize("map_path", paths, ids=ids)


@pytest.fixture
def prove_map() -> ProveMap:
    """Return a function that fails with the report unless a map is sound.

    It takes the path of a map file, or a `TileMap`, and a profile, and returns the report. Units in
    the file that move by the profile are the spawns.
    """

    def prove(source: str | Path | TileMap, profile: MoveProfile | None = None) -> MapReport:
        tilemap = source if isinstance(source, TileMap) else TileMap.load(source)
        report, _ = check_with_units(tilemap, profile or MoveProfile())
        if not report.is_sound:
            pytest.fail(f"{source}: {report}", pytrace=False)
        return report

    return prove
