"""Letters of terrain and weights in MovingAI maps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation
from terrain3d import KINDS, MapFileError, TileMap
from terrain3d.mapfile import read
from terrain3d.mapfile.movingai import movingai_map, terrain_characters
from tests.support.movingai_files import HEADER, kinds_by_name, parse_map, written

LETTERED = "type octile\nheight 2\nwidth 8\nmap\nABCDEFGH\nIJKLMNOP\n"


TERRAINS = (
    *("black", "deep water", "water", "river", "swamp", "ground", "trees", "road"),
    *("desert", "ice", "jungle", "plains", "blight", "tundra", "mountain", "hills"),
)


def weigh(tmp_path, text):
    path = tmp_path / "terrain.weight"
    path.write_text(text)
    return movingai_map.load_weights(path)


@pytest.mark.parametrize("kinds", [terrain_characters.KINDS, terrain_characters.TERRAINS, KINDS])
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
    again, notes = written(TileMap(*arrays), tmp_path_factory.getbasetemp())
    assert notes == ()
    if set(characters) <= {"G", "O"}:  # which mean something else in all other maps
        assert arrays.kinds == terrain_characters.KINDS
    else:
        assert again == text


def test_letters_and_other_characters_do_not_mix():
    for rows, place in (("FG.\nFFF", "line 5: column 1 is 'F'"), ("FFF\nFQF", "line 6: column 2")):
        with pytest.raises(MapFileError, match=f"{place}.*every tile is one of A to P, in"):
            parse_map(HEADER + rows)


def test_weights_are_what_entering_costs(tmp_path):
    weights = weigh(tmp_path, "E 2.5\n\nF\t1\r\nB 0\nZ 7\n")
    assert weights == {"E": 2.5, "F": 1, "B": 0, "Z": 7}
    path = tmp_path / "weighted.map"
    path.write_text(HEADER + "EFB\nFFF\n")
    tilemap = TileMap.load(path, weights=weights)
    costs = {kind.name: kind.cost for kind in tilemap.kinds}
    assert costs == {"deep water": None, "swamp": 2.5, "ground": 1, "void": None}
    assert read(path, weights=weights).notes == ()
    navigation = Navigation(tilemap)
    assert navigation.find_path((0, 1), (0, 0)).cost == 2.5
    assert not navigation.find_path((0, 1), (0, 2))
    text, notes = written(tilemap, tmp_path)
    assert text == HEADER + "EFB\nFFF\n"
    assert notes == (
        "left out: kinds of ground (deep water loses its own cost and looks, "
        "swamp loses its own cost and looks)",
    )


def test_with_weights_any_sign_has_a_meaning(tmp_path):
    weights = weigh(tmp_path, "# 3\nQ 2\nZ 0\n. 1\nG 4\n@ 0\nO 5\nW 6\nT 0\n")
    arrays = movingai_map.parse_map((HEADER + "#QZ\n.@#").encode(), weights=weights)
    assert kinds_by_name(arrays) == [
        ["ground #", "ground Q", "ground Z"],
        ["ground .", "ground @", "ground #"],
    ]
    assert {kind.name: kind.cost for kind in arrays.kinds} == {
        "ground #": 3, "ground .": 1, "ground @": None, "ground Q": 2, "ground Z": None,
    }  # fmt: skip
    arrays = movingai_map.parse_map((HEADER + ".G@\nOWT").encode(), weights=weights)
    assert kinds_by_name(arrays) == [["grass", "grass G", "void"], ["ground O", "water", "tree"]]
    assert [kind.cost for kind in arrays.kinds] == [1, None, 4, 5, None, 6]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("A", 1, "must be a terrain character and the cost of entering it, in 'A'"),
        ("A 1\nBC 2", 2, "must be a terrain character and the cost of entering it"),
        ("A 1 2", 1, "must be a terrain character"),
        ("A -1", 1, "must be a terrain character"),
        ("A nan", 1, "must be a terrain character"),
        ("A 1e999", 1, r"a weight must be in 0\.\."),
        ("A 1\n\nA 1", 3, "'A' already has a weight"),
        ("é 1", 1, "is not ASCII"),
    ],
)
def test_wrong_weights_are_refused_by_line(tmp_path, text, line, says):
    with pytest.raises(MapFileError, match=rf"terrain\.weight, line {line}: .*{says}"):
        weigh(tmp_path, text)


def test_weights_are_for_all_characters_of_a_movingai_map_and_for_no_other(tmp_path):
    path = tmp_path / "a.map"
    path.write_text(HEADER + "...\n.G.")
    with pytest.raises(MapFileError, match=r"line 6: column 2 is 'G'; it has no weight"):
        TileMap.load(path, weights={".": 1})
    with pytest.raises(ValueError, match="cost of 'grass' must be in 0"):
        TileMap.load(path, weights={".": -1, "G": 1})
    path.write_text("01")
    with pytest.raises(MapFileError, match="is a text picture: weights do not apply"):
        TileMap.load(path.rename(tmp_path / "a.txt"), weights={".": 1})


@given(st.lists(st.text("AFQ. 0123456789é-.e", max_size=5), max_size=4))
def test_any_text_is_weights_or_a_map_file_error(tmp_path_factory, lines):
    try:
        weights = weigh(tmp_path_factory.getbasetemp(), "\n".join(lines))
    except MapFileError:
        return
    assert all(len(character) == 1 and weight >= 0 for character, weight in weights.items())
