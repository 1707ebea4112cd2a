"""Files of heights come back equal, and damaged ones are refused with their place."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from terrain3d import MapFileError, TileMap
from terrain3d.formats import HeightRules
from tests.support.height_files import (
    ASC,
    NAN,
    level_maps,
    pictured,
    refusal,
    saved,
    zipped,
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


WHOLE = {
    ".asc": (ASC + "1 2.5 -99\n-4 5e1 6.\n").encode(),
    ".npy": saved(np.array([[1.5, NAN], [3, 4]])),
    ".npz": zipped(dem=np.array([[3, 0], [0, 40]])),
    ".png": pictured(np.array([[0, 255, 7], [9, 9, 9]], np.uint16), transparency=7),
}


@pytest.mark.parametrize("suffix", WHOLE)
def test_every_beginning_of_a_file_is_refused(tmp_path, suffix):
    path = tmp_path / f"cut{suffix}"
    whole = WHOLE[suffix]
    needed = len(whole.rstrip()) - {".png": 5, ".asc": 2}.get(suffix, 0)
    for length in range(1, needed):
        path.write_bytes(whole[:length])
        with pytest.raises(MapFileError):
            TileMap.load(path)


splices = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.binary(max_size=6)), min_size=1, max_size=4
)


@pytest.mark.parametrize("suffix", [*WHOLE, ".hgt"])
@settings(max_examples=150)
@given(splices=splices, anything=st.none() | st.binary(max_size=80))
@example(splices=[], anything=b"PK\x05\x06" + bytes(18))
def test_any_bytes_give_a_map_or_a_refusal(folder, suffix, splices, anything):
    content = WHOLE.get(suffix, b"") if anything is None else anything
    for where, length, new in splices:
        at = int(where * len(content))
        content = content[:at] + new + content[at + length :]
    path = folder / f"fuzz{suffix}"
    path.write_bytes(content)
    said = refusal(path)
    assert len(said) < 600
    assert said.isprintable()
