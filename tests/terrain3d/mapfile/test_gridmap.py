"""JSON for Godot's GridMap: which block stands where."""

import json

import pytest
from hypothesis import given, settings

from terrain3d import TileMap
from terrain3d.mapfile import gridmap
from tests.support.map_states import maps


def blocks(tilemap):
    """Return the name of the item at every (x, y, z)."""
    fields = json.loads(gridmap.write(tilemap._record()).data)
    assert (fields["format"], fields["version"]) == ("terrain3d gridmap", 1)
    found = {tuple(cell): fields["items"][item] for *cell, item in fields["cells"]}
    assert len(found) == len(fields["cells"])
    return found


def test_columns_reach_down_to_what_lies_beside_them():
    tilemap = TileMap.from_text("222\n232\n222")
    inner = {y for x, y, z in blocks(tilemap) if (x, z) == (1, 1)}
    corner = {y for x, y, z in blocks(tilemap) if (x, z) == (0, 0)}
    assert (inner, corner) == ({2}, {-1, 0, 1})


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
    assert json.loads(gridmap.write(tilemap._record()).data)["cell_size"] == [1, 0.25, 1]


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
        gridmap.write(TileMap.from_text("0", topology="hex_odd_r")._record())
    with pytest.raises(ValueError, match=r"at most 1048576 blocks, got 1310760"):
        gridmap.write(TileMap([[32767, 0] * 20] * 2)._record())


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
