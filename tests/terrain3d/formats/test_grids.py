"""Files of heights come back equal, and damaged ones are refused with their place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from terrain3d.formats import HeightRules
from tests.support.height_files import (
    level_maps,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("grids")


@pytest.mark.parametrize("suffix", [".asc", ".npy", ".png"])
@given(data=st.data())
def test_levels_and_void_come_back_as_they_were(folder, suffix, data):
    highest = data.draw(st.sampled_from([35, 254, 255, 32767]))
    tilemap = data.draw(level_maps(highest))
    path = folder / f"map{suffix}"
    notes = tilemap.export(path)
    assert notes == ("left out: kinds of ground; reading chooses kinds by height",)
    rules = None if highest == 35 else HeightRules(as_levels=True)
    again = TileMap.load(path, heights=rules)
    assert again.level.tolist() == tilemap.level.tolist()
    assert again.void.tolist() == tilemap.void.tolist()


@pytest.mark.parametrize("suffix", [".asc", ".hgt", ".npy", ".npz", ".png"])
def test_a_folder_and_a_missing_file_are_refused(tmp_path, suffix):
    (tmp_path / f"folder{suffix}").mkdir()
    for name, says in (("folder", "is not a regular file"), ("none", "no such file")):
        with pytest.raises(MapFileError, match=says):
            TileMap.load(tmp_path / f"{name}{suffix}")
