"""Units on a map that is edited, and records that no later change alters."""

import pytest

from ai import Board, MoveProfile, MoveRefused, Unit
from terrain3d import TileMap


def board_of(picture, *cells, **options):
    tilemap = TileMap.from_text(picture)
    board = Board(tilemap)
    units = [board.add(Unit(f"u{i}", cell, move=9, **options)) for i, cell in enumerate(cells)]
    return tilemap, board, units


def test_clearing_the_cells_of_a_path_changes_neither_the_walk_nor_undo():
    _, board, (unit,) = board_of("0000", (0, 0))
    board.move(unit, (0, 3)).cells.clear()
    unit.advance(99)
    assert unit.pose.point == (3.5, -0.5, 0.0)
    assert board.undo()
    assert unit.cell == (0, 0, 0)


def test_clearing_the_cells_of_a_reach_changes_nothing():
    _, board, (unit,) = board_of("0000", (0, 0))
    reach = board.reach(unit)
    reach.cells.clear()
    assert len(reach) == len(list(reach)) == 4


def test_no_unit_is_put_back_onto_void():
    tilemap, board, (unit,) = board_of("0000", (0, 0))
    board.move(unit, (0, 3))
    with tilemap.edit() as edit:
        edit.set_kind((0, 0), "void")
    with pytest.raises(MoveRefused, match=r"no ground is left at \(0, 0\)"):
        board.undo()
    assert unit.cell == (0, 3, 0)
    tilemap.undo()
    assert board.undo()
    assert unit.cell == (0, 0, 0)


def test_a_unit_belongs_to_one_board():
    tilemap, _, (unit,) = board_of("0000", (0, 0))
    with pytest.raises(ValueError, match="another board"):
        Board(tilemap).add(unit)


def test_undo_gives_the_heading_back():
    _, board, (unit,) = board_of("00\n00", (0, 0))
    board.move(unit, (1, 0))
    unit.advance(99)
    heading = unit.pose.heading_deg
    board.move(unit, (1, 1))
    unit.advance(99)
    assert unit.pose.heading_deg != heading
    board.undo()
    assert unit.pose.heading_deg == heading


def test_a_walking_unit_stays_on_the_ground_that_rises_under_it():
    tilemap, board, (unit,) = board_of("00000", (0, 0), profile=MoveProfile(max_climb=9))
    board.move(unit, (0, 4))
    unit.advance(0.5)
    x_before = unit.pose.point[0]
    with tilemap.edit() as edit:
        for col in range(5):
            edit.set_level((0, col), 4)
    assert unit.pose.point[0] == pytest.approx(x_before)
    assert unit.pose.point[2] == pytest.approx(4 * tilemap.step_height)
    unit.advance(99)
    assert unit.pose.point == tilemap.surface_point((0, 4))


def test_a_cliff_raised_on_the_path_is_climbed_over_its_edge():
    tilemap, board, (unit,) = board_of("00000", (0, 0))
    board.move(unit, (0, 4))
    unit.advance(0.1)
    with tilemap.edit() as edit:
        edit.set_level((0, 2), 3)
    highest = 0.0
    while unit.is_moving:
        unit.advance(0.01)
        x, _, z = unit.pose.point
        highest = max(highest, z)
        if 2.0 <= x <= 3.0:
            assert z >= 3 * tilemap.step_height - 1e-9
    assert highest > 3 * tilemap.step_height


def test_both_signals_of_an_order_are_heard_even_if_a_listener_raises():
    _, board, (unit,) = board_of("000", (0, 0))
    heard = []

    def fail(_cells):
        raise RuntimeError("a listener's own fault")

    unit.move_started.connect(fail)
    board.unit_moved.connect(lambda _unit, path: heard.append(path.cells[-1]))
    with pytest.raises(RuntimeError, match="own fault"):
        board.move(unit, (0, 2))
    assert heard == [(0, 2, 0)]
    assert unit.cell == (0, 2, 0)


def test_a_plan_takes_the_path_of_the_reach():
    _, board, (unit,) = board_of("0120\n0000", (0, 0))
    reach = board.reach(unit)
    for cell in reach:
        assert board.plan(unit, cell).cells == reach.path_to(cell).cells


def test_a_removed_unit_frees_its_cell_and_its_orders_are_forgotten():
    _, board, (first, second) = board_of("0000", (0, 0), (0, 3))
    board.move(first, (0, 1))
    board.move(second, (0, 2))
    removed = []
    board.unit_removed.connect(removed.append)
    board.remove(second)
    assert removed == [second]
    assert board.units == (first,)
    assert board.unit_at((0, 2)) is None
    assert board.undo()
    assert first.cell == (0, 0, 0)
    assert not board.undo()
    with pytest.raises(ValueError, match="not on this board"):
        board.remove(second)
    Board(board.tilemap).add(second)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Unit((0, 1), "B"),
        lambda: Unit("B", (0, 1), MoveProfile()),
        lambda: Unit("B", (0, 1), profile="fast"),
        lambda: Unit("B", (0.5, 1)),
        lambda: Unit("B", 5),
        lambda: Unit("B", (1,)),
        lambda: Unit("B", (0, 1), move="5"),
        lambda: Unit("B", (0, 1), has_zoc=1),
        lambda: Unit("B", (0, 1), speed_tiles_s="fast"),
        lambda: Board(TileMap.from_text("000")).add("Mira"),
        lambda: Board(TileMap.from_text("000")).move(None, (0, 1)),
        lambda: Board(TileMap.from_text("000")).remove("Mira"),
        lambda: Board.replay(TileMap([[0, 0]]), [Unit("B", (0, 0))], [(0, [(0, 0), (0, 1)])]),
    ],
)
def test_other_types_than_units_raise_type_errors(wrong):
    with pytest.raises(TypeError, match=r"must be|a cell is"):
        wrong()
