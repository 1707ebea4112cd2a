"""Letters of terrain in MovingAI maps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, MapFileError, TileMap
from terrain3d.formats import movingai, read
from tests.support.movingai_files import HEADER, parse_map, written

LETTERED = "type octile\nheight 2\nwidth 8\nmap\nABCDEFGH\nIJKLMNOP\n"


TERRAINS = (
    *("black", "deep water", "water", "river", "swamp", "ground", "trees", "road"),
    *("desert", "ice", "jungle", "plains", "blight", "tundra", "mountain", "hills"),
)


@pytest.mark.parametrize("kinds", [KINDS, movingai.TERRAINS, movingai.CHARACTER_KINDS])
def test_liquids_and_only_these_have_a_depth(kinds):
    for kind in kinds:
        is_liquid = kind.texture in ("water", "lava")
        assert is_liquid == (kind.depth > 0), kind.name


def test_letters_are_terrains_that_cost_1_with_a_note(tmp_path):
    path = tmp_path / "weighted.map"
    path.write_text(LETTERED)
    tilemap = TileMap.load(path)
    assert [tilemap.kind_at((row, col)).name for row in (0, 1) for col in range(8)] == [*TERRAINS]
    assert not tilemap.void.any()
    assert {kind.cost for kind in tilemap.kinds if kind.name != "void"} == {1}
    (note,) = read(path).notes
    assert "has no weights" in note
    assert written(tilemap, tmp_path) == (LETTERED, ())


@given(st.text("ABCDEFGHIJKLMNOP", min_size=6, max_size=6))
def test_maps_of_letters_come_back_as_they_are(tmp_path_factory, characters):
    text = f"{HEADER}{characters[:3]}\n{characters[3:]}\n"
    arrays = parse_map(text)
    again, notes = written(arrays, tmp_path_factory.getbasetemp())
    assert notes == ()
    if set(characters) <= {"G", "O"}:  # which mean something else in all other maps
        assert arrays.kinds == KINDS
    else:
        assert again == text


def test_letters_and_other_characters_do_not_mix():
    for rows, place in (("FG.\nFFF", "line 5: column 1 is 'F'"), ("FFF\nFQF", "line 6: column 2")):
        with pytest.raises(MapFileError, match=f"{place}.*every tile is one of A to P, in"):
            parse_map(HEADER + rows)
