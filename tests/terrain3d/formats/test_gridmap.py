"""JSON for Godot's GridMap: which block stands where."""

import json

import pytest
from hypothesis import given, settings

from terrain3d import MapFileError, TileMap
from terrain3d.formats import gridmap
from tests.support.map_states import maps


def blocks(tilemap):
    """Return the name of the item at every (x, y, z)."""
    fields = json.loads(gridmap.write(tilemap).data)
    assert (fields["format"], fields["version"]) == ("terrain3d gridmap", 1)
    found = {tuple(cell): fields["items"][item] for *cell, item in fields["cells"]}
    assert len(found) == len(fields["cells"])
    return found


def test_x_is_the_column_and_z_the_row():
    tilemap = TileMap.from_text("01\n#0", step_height=0.25)
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "rock")
    assert blocks(tilemap) == {
        (0, -1, 0): "grass",
        (1, -1, 0): "rock",
        (1, 0, 0): "rock",
        (1, -1, 1): "grass",
    }
    assert json.loads(gridmap.write(tilemap).data)["cell_size"] == [1, 0.25, 1]


def test_decks_are_as_thick_as_they_are():
    tilemap = TileMap.from_text("0")
    with tilemap.edit() as edit:
        edit.add_deck((0, 0), level=5, kind="wood", thickness=2)
    assert blocks(tilemap) == {(0, -1, 0): "grass", (0, 3, 0): "wood", (0, 4, 0): "wood"}


def test_losses_are_noted(tmp_path):
    tilemap = TileMap.from_text("01")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 1), cost=2)
    assert tilemap.export(tmp_path / "a.json") == (
        "left out: everything about kinds except their names",
        "left out: 1 link",
    )


def test_what_no_gridmap_holds_is_refused():
    with pytest.raises(ValueError, match="square cells, this map has topology 'hex_odd_r'"):
        gridmap.write(TileMap.from_text("0", topology="hex_odd_r"))
    with pytest.raises(ValueError, match=r"at most 1048576 blocks, got 1310760"):
        gridmap.write(TileMap([[32767, 0] * 20] * 2))


@settings(max_examples=60)
@given(maps())
def test_every_surface_has_its_block_and_no_side_has_a_gap(tilemap):
    if tilemap.topology != "square" or tilemap.top_level > 400:
        return
    found = blocks(tilemap)
    for row in range(tilemap.rows):
        for col in range(tilemap.cols):
            for deck in tilemap.decks_at((row, col)):
                cell = row, col, deck
                top = col, tilemap.level_at(cell) - 1, row
                assert found[top] == tilemap.kind_at(cell).name
            if tilemap.is_void((row, col)):
                continue
            level = tilemap.level_at((row, col))
            for beside in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                inside = 0 <= beside[0] < tilemap.rows and 0 <= beside[1] < tilemap.cols
                foot = -1
                if inside and not tilemap.is_void(beside):
                    foot = tilemap.level_at(beside)
                assert all((col, y, row) in found for y in range(foot, level))


def columns_of(tilemap):
    """Return the surfaces of each column and their kinds, from the ground up."""
    return {
        (row, col): sorted(
            (tilemap.level_at((row, col, deck)), tilemap.kind_at((row, col, deck)).name)
            for deck in tilemap.decks_at((row, col))
            if not tilemap.is_void((row, col, deck))
        )
        for row in range(tilemap.rows)
        for col in range(tilemap.cols)
    }


@settings(max_examples=60)
@given(maps())
def test_surfaces_and_step_height_come_back(tmp_path_factory, tilemap):
    if tilemap.topology != "square" or tilemap.top_level > 400 or tilemap.void.all():
        return
    path = tmp_path_factory.mktemp("maps") / "vale.json"
    tilemap.export(path)
    again = TileMap.load(path)
    assert again.step_height == tilemap.step_height
    assert columns_of(again) == columns_of(tilemap)


def gridmap_of(cells, **more):
    fields = {"format": "terrain3d gridmap", "version": 1, "cell_size": [1, 0.5, 1]}
    return json.dumps({**fields, "items": ["grass", "moss"], "cells": cells, **more}).encode()


def loaded(tmp_path, data):
    path = tmp_path / "vale.json"
    path.write_bytes(data)
    return TileMap.load(path)


def test_blocks_anywhere_in_godot_become_the_box_around_them(tmp_path):
    cells = [[-3, -4, 10, 0], [-2, -4, 10, 0], [-2, -3, 10, 1], [-3, 0, 10, 1], [-3, -1, 10, 1]]
    tilemap = loaded(tmp_path, gridmap_of(cells))
    assert tilemap.level.tolist() == [[0, 0]]
    assert tilemap.level_at((0, 1, 1)) == 1
    assert tilemap.decks_at((0, 0)) == [0, 1]
    assert tilemap.level_at((0, 0, 1)) == 4
    assert tilemap.kind_at((0, 0, 1)).name == "moss"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (gridmap_of([]), r"cells: must be a list of 1\.\.1048576 blocks"),
        (gridmap_of([[0, 0, 0]]), r"cells\[0\]: must be \[x, y, z, item\]"),
        (gridmap_of([[0, 0, 0, 2]]), r"cells\[0\]: .*items 0\.\.1"),
        (gridmap_of([[0, 0.5, 0, 1]]), r"cells\[0\]"),
        (gridmap_of([[0, 0, 0, 1], [0, 0, 0, 0]]), "two blocks in one place"),
        (gridmap_of([[0, 0, 0, 0], [10**6, 0, 10**6, 0]]), "tiles; the limit"),
        (gridmap_of([[0, 0, 0, 0]], size=[10**9, 10**9]), "tiles; the limit"),
        (gridmap_of([[0, 0, 0, 0]], size=["a", 1]), "size: must be two whole numbers"),
        (gridmap_of([[0, 0, 0, 0]], size=[1]), "size: must be two whole numbers"),
        (gridmap_of([[0, 0, 0, 0]], size=[1.5, 2.5]), "size: must be two whole numbers"),
        (gridmap_of([[0, 0, 0, 0]], size=[10**4000] * 2), r"in 0\.\.2147483648"),
        (gridmap_of([[0, 0, 0, 0]], cell_size=["a", 1, 1]), "cell_size: must be a list of 3 n"),
        (gridmap_of([[0, 0, 0, 0]], version=2), "is not a terrain3d gridmap of version 1"),
        (gridmap_of([[0, 0, 0, 0]], items=[3]), "items: must be a list of texts"),
        (gridmap_of([[0, 0, 0, 0]], items=["#a"]), "items: .*'#'"),
        (gridmap_of([[0, 0, 0, 0]], cell_size=[1, -1, 1]), "step_height"),
        (gridmap_of([[0, 40000, 0, 0], [1, 0, 0, 0]]), "level"),
    ],
)
def test_wrong_blocks_are_refused(tmp_path, data, says):
    with pytest.raises(MapFileError, match=says):
        loaded(tmp_path, data)
