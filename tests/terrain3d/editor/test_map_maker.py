"""The map maker's tools without a window."""

import numpy as np
import pytest

from terrain3d import TileMap
from terrain3d.editor.map_maker import MapMaker
from terrain3d.editor.tools import AREAS, BETWEEN, MAX_SIZE, TOOLS
from tests.support.map_states import state_of


@pytest.fixture
def tilemap():
    return TileMap.from_text("0000\n0000\n0000")


@pytest.fixture
def maker(tilemap, tmp_path):
    return MapMaker(tilemap, tmp_path / "vale.tmap")


@pytest.fixture
def said(maker):
    messages = []
    maker.told.connect(messages.append)
    return messages


def draw(maker, *way):
    maker.aim_at(way[0])
    maker.press()
    for cell in way[1:]:
        maker.aim_at(cell)
    maker.release()


def test_pressing_drawing_and_releasing_is_one_stroke(maker, tilemap, said):
    draw(maker, (0, 0), (0, 2))
    assert tilemap.to_text() == "1110\n0000\n0000"
    maker.undo()
    assert tilemap.to_text() == "0000\n0000\n0000"
    assert said[-1] == "undone: raise"
    maker.redo()
    assert tilemap.to_text() == "1110\n0000\n0000"
    assert said[-1] == "redone: raise"
    maker.redo()
    assert said[-1] == "nothing to redo"


AFTER = {
    "raise": "322\n322",
    "lower": "100\n100",
    "level": "222\n222",
    "paint": "211\n211",
    "erase": "###\n###",
}


@pytest.mark.parametrize("tool", AFTER)
@pytest.mark.parametrize("area", ["brush", "rectangle"])
def test_every_tool_works_with_every_area(tmp_path, tool, area):
    tilemap = TileMap.from_text("211\n211")
    maker = MapMaker(tilemap, tmp_path / "vale.tmap")
    maker.choose(tool=tool, area=area, kind="swamp", size=3)
    draw(maker, (0, 0), (1, 2))
    assert tilemap.to_text() == AFTER[tool]
    assert (tilemap.kind_at((1, 1)).name == "swamp") == (tool == "paint")
    assert tilemap.undo_name == ("paint swamp" if tool == "paint" else tool)


def test_fill_takes_what_hangs_together(maker, tilemap):
    with tilemap.edit() as edit:
        for row in range(3):
            edit.set_level((row, 2), 5)
    maker.choose(area="fill")
    draw(maker, (1, 1))
    assert tilemap.to_text() == "1150\n1150\n1150"


@pytest.mark.parametrize(
    ("tool", "after"), [("ramp", "0123"), ("bridge", "0003"), ("ladder", "0003")]
)
def test_tools_between_two_tiles_do_their_work_on_release(tmp_path, tool, after):
    tilemap = TileMap.from_text("0003")
    maker = MapMaker(tilemap, tmp_path / "vale.tmap")
    maker.choose(tool=tool, kind="rock")
    maker.aim_at((0, 0))
    maker.press()
    maker.aim_at((0, 3))
    assert tilemap.version == 0
    assert [cell.col for cell in maker.cells] == ([0, 3] if tool == "ladder" else [0, 1, 2, 3])
    maker.release()
    assert tilemap.to_text() == after
    assert (tilemap.n_decks == 1) == (tool == "bridge")
    assert len(tilemap.links) == (tool == "ladder")
    if tool == "bridge":
        assert tilemap.kind_at((0, 2, 1)).name == "rock"


def test_a_wall_is_one_stroke_and_taken_away_by_the_next(maker, tilemap, said):
    maker.choose(tool="wall")
    maker.aim_at((0, 0))
    maker.press()
    maker.aim_at((1, 2))
    assert tilemap.version == 0
    assert set(maker.cells) == {(row, col, 0) for row in (0, 1) for col in (0, 1, 2)}
    maker.release()
    assert len(tilemap.walls) == 3
    assert tilemap.undo_name == "wall"
    maker.undo()
    assert tilemap.walls == ()
    maker.redo()
    draw(maker, (1, 2), (0, 0))
    assert tilemap.walls == ()
    draw(maker, (0, 0), (2, 2))
    assert said[-1].startswith("no wall runs from (0, 0) to (2, 2)")


def test_a_key_alone_draws_dabs_and_takes_two_tiles_in_turn(maker, tilemap):
    maker.aim_at((1, 1))
    maker.act()
    assert not maker.is_drawing
    assert tilemap.to_text() == "0000\n0100\n0000"
    maker.choose(area="rectangle")
    maker.act()
    assert maker.is_drawing
    maker.aim_at((2, 2))
    maker.act()
    assert not maker.is_drawing
    assert tilemap.to_text() == "0000\n0210\n0110"


def test_the_preview_is_what_would_be_changed(maker):
    assert maker.cells == []
    maker.aim_at((1, 1))
    assert maker.cells == [(1, 1, 0)]
    maker.choose(size=2)
    assert len(maker.cells) == 9
    maker.choose(area="fill")
    assert len(maker.cells) == 12
    maker.choose(tool="ramp")
    assert maker.cells == [(1, 1, 0)]
    maker.aim_at(None)
    assert maker.cells == []


def test_of_a_very_large_rectangle_the_edge_is_shown(tmp_path):
    maker = MapMaker(TileMap(np.zeros((100, 90), int)), tmp_path / "vale.tmap")
    maker.choose(area="rectangle")
    maker.aim_at((0, 0))
    maker.press()
    maker.aim_at((1, 1))
    assert len(maker.cells) == 4
    maker.aim_at((99, 89))
    assert len(maker.cells) == 2 * (100 + 90) - 4
    maker.release()
    assert maker.tilemap.level.all()


def test_a_deck_that_vanishes_under_the_aim_is_aimed_at_no_more(maker, tilemap):
    with tilemap.edit() as edit:
        edit.add_deck((0, 0), level=3)
    maker.aim_at((0, 0, 1))
    maker.choose(tool="erase")
    maker.act()
    assert maker.aim is None
    assert maker.cells == []
    maker.press()
    assert not maker.is_drawing


def test_giving_up_restores_the_map(maker, tilemap):
    before = state_of(tilemap)
    maker.aim_at((0, 0))
    maker.press()
    assert state_of(tilemap) != before
    assert maker.cancel()
    assert state_of(tilemap) == before
    assert not maker.cancel()


@pytest.mark.parametrize("change", ["undo", "tool", "area", "size", "kind"])
def test_whatever_else_is_done_while_drawing_gives_the_stroke_up(maker, tilemap, change):
    maker.aim_at((0, 0))
    maker.press()
    if change == "undo":
        maker.undo()
    else:
        values = {"tool": "lower", "area": "fill", "size": 2, "kind": "sand"}
        maker.choose(**{change: values[change]})
    assert not maker.is_drawing
    assert not tilemap.level.any()
    assert not tilemap.undo()


def test_refusals_are_told(maker, tilemap, said):
    maker.choose(tool="lower")
    draw(maker, (0, 0))
    assert said[-1] == "(0, 0) lies at level 0, the lowest"
    assert not tilemap.undo()
    maker.choose(tool="raise")
    assert len(said) == 1
    maker.choose(tool="bridge")
    draw(maker, (0, 0), (0, 1))
    assert said[-1] == "no tile lies between (0, 0) and (0, 1)"


def test_kinds_are_turned_through_without_void(maker, tilemap):
    names = [kind.name for kind in tilemap.kinds if kind.name != "void"]
    seen = []
    for _ in names:
        seen.append(maker.choice.kind)
        maker.next_kind()
    assert seen == names
    assert maker.choice.kind == names[0]
    maker.next_kind(-1)
    assert maker.choice.kind == names[-1]


def test_the_kind_of_a_tile_can_be_taken(maker, tilemap):
    with tilemap.edit() as edit:
        edit.set_kind((2, 2), "swamp")
        edit.set_kind((2, 3), "void")
    maker.aim_at((2, 2))
    maker.take_kind()
    assert maker.choice.kind == "swamp"
    maker.aim_at((2, 3))
    maker.take_kind()
    assert maker.choice.kind == "swamp"


def test_areas_follow_each_other_and_sizes_have_limits(maker):
    for name in (*AREAS[1:], AREAS[0]):
        maker.next_area()
        assert maker.choice.area == name
    maker.resize(99)
    assert maker.choice.size == MAX_SIZE
    maker.resize(-99)
    assert maker.choice.size == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("tool", "dig"), ("area", "ring"), ("kind", "foam"), ("kind", "void"), ("size", 10)],
)
def test_what_is_unknown_is_refused_by_name(maker, name, value):
    with pytest.raises(ValueError, match=rf"{value}"):
        maker.choose(**{name: value})


@pytest.mark.parametrize("tool", TOOLS)
def test_the_text_tells_what_is_chosen(maker, tool):
    maker.choose(tool=tool)
    lines = maker.choice.text.splitlines()
    assert lines[0] == f"tool: {tool}"
    assert ("area: brush of size 1" in lines) == (tool not in BETWEEN)
    assert ("kind: grass" in lines) == (tool in {"paint", "bridge"})


def test_saving_and_loading_give_the_same_map(maker, tilemap, said):
    draw(maker, (0, 0), (0, 2))
    assert maker.save()
    assert said[-1] == f"saved {maker.path}"
    loaded = []
    maker.loaded.connect(loaded.append)
    again = maker.load()
    assert state_of(again) == state_of(tilemap)
    assert loaded == [again]


def test_who_carries_something_with_the_map_may_tell_it_before_it_is_saved(maker, tilemap):
    maker.saving.connect(lambda: tilemap.extras.update(units=[{"cell": [0, 1]}]))
    maker.save()
    assert TileMap.load(maker.path).extras == {"units": [{"cell": [0, 1]}]}


def test_a_stroke_that_is_open_is_saved_as_it_stands(maker):
    maker.aim_at((0, 0))
    maker.press()
    maker.save()
    assert not maker.is_drawing
    assert TileMap.load(maker.path).level_at((0, 0)) == 1


def test_failures_to_save_and_load_are_told(maker, tilemap, tmp_path, said):
    assert maker.load() is None
    assert said[-1].startswith("not loaded: ")
    assert "there is no such file" in said[-1]
    maker.path = tmp_path
    assert not maker.save()
    assert said[-1].startswith("not saved: ")
    tilemap.extras["level"] = 1
    maker.path = tmp_path / "x.tmap"
    assert not maker.save()
    assert "'level'" in said[-1]


def test_every_change_that_is_shown_is_reported(maker):
    changes = []
    maker.changed.connect(lambda: changes.append(maker.choice.text))
    for act in (
        lambda: maker.aim_at((0, 0)),
        maker.press,
        maker.release,
        maker.next_area,
        maker.next_kind,
        lambda: maker.resize(1),
    ):
        count = len(changes)
        act()
        assert len(changes) > count
    count = len(changes)
    maker.aim_at((0, 0))
    assert len(changes) == count
