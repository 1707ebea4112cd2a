"""Text pictures: what the characters mean, and errors that name the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, MapFileError, TileKind, TileMap
from terrain3d.formats import MapFileWarning
from terrain3d.map import text_picture
from tests.support.limits import peak_while
from tests.support.selection import table

CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


@st.composite
def pictures(draw):
    cols = draw(st.integers(1, 9))
    line = st.text(CHARACTERS + "#", min_size=cols, max_size=cols)
    return "\n".join(draw(st.lists(line, min_size=1, max_size=9)))


def test_digits_then_letters_are_levels_and_a_hash_is_void():
    tilemap = TileMap.from_text(f"#{CHARACTERS}")
    assert tilemap.level.tolist() == [[0, *range(36)]]
    assert tilemap.void.tolist() == [[True, *[False] * 36]]
    assert TileMap([[0, 99]], [[0, 1]], [TileKind("mud"), KINDS[-1]]).to_text() == "0#"


@given(pictures(), st.sampled_from(["", "\n", "\n\n  "]), st.sampled_from(["", "  ", "\t"]))
def test_a_picture_is_drawn_as_it_was_read_but_for_spaces_around_it(picture, margin, indent):
    indented = "\r\n".join(f"{indent}{line}{indent}" for line in picture.split("\n"))
    for text in (picture, f"{margin}{indented}{margin}"):
        assert TileMap.from_text(text).to_text() == picture


@table(
    "text line says",
    ("000\n00\n000", 2, "has 2 tiles, the first line has 3"),
    ("00\n00\n000", 3, "has 3 tiles, the first line has 2"),
    ("\n\n00\n\n00", 4, "has 0 tiles, the first line has 2"),
    ("00\n0?", 2, r"tile 2 is '\?'; a tile is 0-9, a-z or '#'"),
    ("\n\n  A0", 3, "tile 1 is 'A'"),
    ("0 0", 1, "tile 2 is ' '"),
    ("  \n\t\n", None, "is empty; it needs at least one tile"),
    ("0\u0663", 1, "tile 2 is '\u0663'"),
)
def test_a_wrong_picture_is_refused_by_line(text, line, says):
    with pytest.raises(MapFileError, match=says) as caught:
        TileMap.from_text(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: " if line else "the picture is empty")


@pytest.mark.parametrize("line", ["11", "", "1\r", "11\x85"])
def test_too_many_lines_are_refused_before_they_are_split(line):
    text = f"1\n{line}\n" * 2**19 + "1"

    def refuse():
        says = r"makes \d+ tiles; the limit, max_surfaces, is 4096"
        with pytest.raises(MapFileError, match=says):
            text_picture.parse(text, max_tiles=4096)

    assert peak_while(refuse) < 4 * len(text)


def test_a_level_above_35_is_refused_with_its_cell():
    with pytest.raises(ValueError, match=r"levels 0\.\.35; \(1, 0\) is at level 36"):
        TileMap([[0, 35], [36, 0]]).to_text()


def test_a_file_holds_levels_and_void_and_a_warning_names_the_rest(tmp_path):
    path, tilemap = tmp_path / "hill.txt", TileMap.from_text("012\n#11")
    tilemap.save(path)
    assert path.read_bytes() == b"012\n#11\n"
    with tilemap.edit() as edit:
        edit.set_kind((0, 0), "rock")
        edit.add_deck((0, 1), level=4)
        edit.add_link((0, 0), (0, 1, 1), cost=2)
        edit.add_wall((0, 1), (0, 2))
    tilemap.extras["spawns"] = []
    lost = "left out: kinds of ground, decks, links, walls, extras$"
    with pytest.warns(MapFileWarning, match=rf"hill\.txt: {lost}"):
        tilemap.save(path)
    assert TileMap.load(path).to_text() == "012\n#11"
    flat = TileMap([[0]], step_height=0.25, topology="hex_odd_r")
    with pytest.warns(MapFileWarning, match="left out: the topology, the step height$"):
        flat.save(path)


def test_a_file_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "hill.txt").write_bytes(b"0\xff")
    with pytest.raises(MapFileError, match=r"hill\.txt: byte 1 is not UTF-8"):
        TileMap.load(tmp_path / "hill.txt")
