"""Extras are values of one map: no other map, change or caller holds the same objects."""

import copy
import json
import pickle

import pytest

from ai import Board
from terrain3d import Cell, Rect, TileMap

DECK = Cell(0, 2, 1)


@pytest.fixture
def tilemap():
    """A map with things on it, of which a paste replaced one."""
    tilemap = TileMap.from_text("000\n000")
    with tilemap.edit() as edit:
        edit.add_deck(DECK[:2], level=4)
    tilemap.extras = {"units": [{"name": "Mira", "cell": [0, 0]}, {"name": "Bram", "cell": [1, 1]}]}
    tilemap.unknown_fields["decks", DECK] = {"by": ["Odo"]}
    tilemap.paste(room("Odo"))
    return tilemap


def room(name):
    room = TileMap.from_text("0")
    room.extras["units"] = [{"name": name, "cell": [0, 0]}]
    return room


def scribble(tilemap):
    """Change all values in place, as deep as they go."""
    for unit in tilemap.extras.get("units", []):
        unit["name"] += " the Old"
        unit["cell"][0] = 9
    tilemap.extras["own"] = True
    for fields in tilemap.unknown_fields.values():
        fields["by"].append("me")


def values(tilemap):
    return copy.deepcopy((tilemap.extras, tilemap.unknown_fields))


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda tilemap: pickle.loads(pickle.dumps(tilemap)),
    "share": TileMap.share,
    "share twice": lambda tilemap: tilemap.share().share(),
    "crop": lambda tilemap: tilemap.crop(Rect(0, 0, tilemap.rows, tilemap.cols)),
    "board": lambda tilemap: Board(tilemap).copy().tilemap,
}


@pytest.mark.parametrize("steps", ["", "undo", "undo redo"])
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_and_its_original_change_apart(tilemap, name, steps):
    held = tilemap.extras["units"]  # by a caller, before there is a copy
    twins = [tilemap, COPIES[name](tilemap), COPIES[name](tilemap)]
    for step in steps.split() if name != "crop" else ():  # a crop has no history
        for twin in twins:
            assert getattr(twin, step)()
    held[0]["name"] = "nobody"
    for changed in twins:
        others = [(twin, values(twin)) for twin in twins if twin is not changed]
        scribble(changed)
        assert all(values(twin) == before for twin, before in others)


def test_what_was_changed_in_place_comes_back_as_the_paste_found_it(tilemap):
    after = values(tilemap)
    assert tilemap.undo()
    before = values(tilemap)
    assert [unit["name"] for unit in before[0]["units"]] == ["Mira", "Bram"]
    for move, found in ((tilemap.redo, after), (tilemap.undo, before)) * 2:
        scribble(tilemap)
        assert move()
        assert tilemap.extras["units"] == found[0]["units"]


def test_a_map_takes_copies_of_what_it_is_given(tilemap):
    other = TileMap.from_text("0")
    other.extras = tilemap.extras
    before = values(other)
    scribble(tilemap)
    assert values(other) == before
    pasted = room("Pell")
    tilemap.paste(pasted, (1, 0))
    scribble(pasted)
    assert [unit["name"] for unit in tilemap.extras["units"]][-1] == "Pell"


def test_extras_of_links_and_walls_are_read_only(tilemap):
    given = {"key": ["gold"]}
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (1, 1), 1, extras=given)
        edit.add_wall((0, 0), (0, 1), extras=given)
    given["key"].append("silver")
    twins = [*map(copy.copy, (tilemap, tilemap)), tilemap.share(), tilemap]
    for pair in [pair for twin in twins for pair in (*twin.links, *twin.walls)]:
        pair.extras["key"].append("mine")
        dict(pair.extras)["key"].append("mine")
        with pytest.raises(TypeError):
            pair.extras["key"] = "mine"
        for same in (pair, pickle.loads(pickle.dumps(pair)), copy.deepcopy(pair)):
            assert same == pair
            assert repr(same) == repr(pair)
            assert same.extras == {"key": ["gold"]}


def test_a_change_has_what_it_did_to_extras_as_plain_data(tilemap):
    heard = []
    tilemap.edited.connect(heard.append)
    before = values(tilemap)
    tilemap.paste(room("Pell"), (1, 1))
    tilemap.paste(TileMap.from_text("0"), DECK[:2])
    after = values(tilemap)
    [paste, bare] = heard
    units = [before[0]["units"], after[0]["units"]]
    assert json.loads(json.dumps(paste.extras)) == [{"units": each} for each in units]
    assert paste.inverse().extras == ({"units": units[1]}, {"units": units[0]})
    assert bare.unknown_fields == ({("decks", DECK): {"by": ["Odo"]}}, {("decks", DECK): None})
    scribble(tilemap)  # which changes no change
    tilemap.undo(), tilemap.undo()
    assert tilemap.extras["units"] == units[0]
    for change in (paste, bare):  # on a map that has not had them yet
        tilemap.revert(change.inverse())
    assert (tilemap.extras["units"], tilemap.unknown_fields) == (units[1], after[1])
    again = TileMap.from_text("000\n000")
    again.extras = before[0]
    again.revert(paste.inverse())
    assert again.extras == after[0]
