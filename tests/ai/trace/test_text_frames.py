"""Steps of searches in a terminal: one sign a tile, and a description of the step."""

from ai import MoveProfile, Navigation, Recording, Replay
from ai.trace.text_frames import describe_step, step_picture
from terrain3d import TileMap


def replay(tilemap, start, goal, **how):
    return Replay(Recording.of(Navigation(tilemap).begin_search(start, goal, **how)))


def pictures(tilemap, shown):
    drawn = []
    for step in range(shown.n_steps + 1):
        shown.seek(step)
        drawn.append(step_picture(tilemap, shown))
    return drawn


def test_a_corridor_is_closed_tile_by_tile():
    tilemap = TileMap.from_text("0000\n####")
    assert pictures(tilemap, replay(tilemap, (0, 1), (0, 3))) == [
        ".S.*\n####",
        "O@O*\n####",
        "oS@O\n####",
        "oS<@\n####",
    ]


def test_each_arrow_points_to_where_the_path_comes_from():
    tilemap = TileMap.from_text("000\n000\n000")
    shown = replay(tilemap, (1, 1), (0, 0), algorithm="dijkstra")
    shown.seek(5)
    signs = step_picture(tilemap, shown).split("\n")
    arrows = {(0, 1): "v", (1, 2): "<", (2, 1): "^", (1, 0): ">"}
    latest = divmod(shown.closed, 3)
    assert latest in arrows
    for (row, col), arrow in arrows.items():
        assert signs[row][col] == ("@" if (row, col) == latest else arrow)


def test_a_corner_step_is_a_plus():
    tilemap = TileMap.from_text("00\n00")
    shown = replay(tilemap, (1, 1), (0, 0), profile=MoveProfile(diagonal="always"))
    shown.seek(shown.n_steps)
    assert step_picture(tilemap, shown)[0] == "@"
    tilemap = TileMap.from_text("000\n#00\n##0")
    shown = replay(tilemap, (2, 2), (0, 0), profile=MoveProfile(diagonal="always"))
    shown.seek(shown.n_steps)
    assert step_picture(tilemap, shown).split("\n")[1][1] == "+"


def test_tiles_met_on_a_bridge_hide_tiles_met_below():
    tilemap = TileMap.from_text("33333")
    with tilemap.edit() as edit:
        edit.set_level((0, 2), 0)
        edit.add_deck((0, 2), level=3)
    shown = replay(tilemap, (0, 0), (0, 4), profile=MoveProfile(max_climb=3))
    shown.seek(shown.n_steps)
    assert step_picture(tilemap, shown)[2] == "<"


def test_a_step_is_described_by_the_tiles_it_closed_opened_and_made_cheaper():
    # The hill in the middle is met from the left, at 1 + 2, then from below for less.
    tilemap = TileMap.from_text("000\n020\n010")
    profile = MoveProfile(climb_cost=3, drop_cost=0)
    shown = replay(tilemap, (1, 0), (1, 2), profile=profile, algorithm="dijkstra")
    texts = []
    for step in range(shown.n_steps + 1):
        shown.seek(step)
        texts.append(describe_step(tilemap, [shown]))
    first = texts[1].splitlines()
    assert first[:3] == ["000   O..", "020   @O*", "010   O.."]
    assert first[4:] == [
        f"Dijkstra: step 1 of {shown.n_steps}, 3 open",
        "  closed 1,0: g 0, h 0, f 0",
        "  opened 0,0: g 1, h 0, f 1",
        "  opened 1,1: g 7, h 0, f 7",
        "  opened 2,0: g 1, h 0, f 1",
    ]
    assert texts[-1].splitlines()[-1] == "  cost 4, 4 steps"


def test_a_cheaper_path_is_described():
    # Over the hill's tall side the top costs 1 + 10, over its terrace 3 + 2.
    tilemap = TileMap.from_text("02\n01")
    profile = MoveProfile(climb_cost=[1, 10])
    shown = replay(tilemap, (0, 0), (0, 1), profile=profile, algorithm="dijkstra")
    texts = []
    for step in range(shown.n_steps + 1):
        shown.seek(step)
        texts += [line for line in describe_step(tilemap, [shown]).splitlines() if "0,1" in line]
    assert texts == [
        "  opened 0,1: g 11, h 0, f 11",
        "  cheaper 0,1: g 5, h 0, f 5",
        "  closed 0,1: g 5, h 0, f 5",
    ]


def test_two_searches_stand_side_by_side():
    tilemap = TileMap.from_text("000")
    both = [replay(tilemap, (0, 1), (0, 2), algorithm=name) for name in ("astar", "bfs")]
    for shown in both:
        shown.seek(1)
    lines = describe_step(tilemap, both).splitlines()
    assert lines[0] == "000   O@O   O@O"
    assert [line.split(":")[0] for line in lines if "step" in line] == [
        "A*, heuristic auto",
        "Breadth first",
    ]


def test_no_path_has_its_reason():
    tilemap = TileMap.from_text("09")
    shown = replay(tilemap, (0, 0), (0, 1))
    shown.seek(shown.n_steps)
    assert (
        describe_step(tilemap, [shown]).splitlines()[-1]
        == "  no path: the climb at (row 0, col 1) is 9 levels, the limit is 2"
    )
