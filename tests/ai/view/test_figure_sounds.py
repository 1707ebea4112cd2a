"""Sounds of figures: each step by its ground, hops, landings and splashes."""

from collections import Counter

import pytest

from ai import Board, MoveProfile, Unit
from ai.view import Figures3D, FigureSounds
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D


class Player:
    """Notes what is played."""

    def __init__(self):
        self.played = []

    def play(self, name, gain=1.0):
        assert 0.0 < gain <= 1.0
        self.played.append(name)


@pytest.fixture
def walk(tree):
    """Let a unit walk on a map of one row, and give what is heard."""

    def play(levels, kinds, mover="scout", is_shown=True):
        tilemap = TileMap.from_text(levels)
        with tilemap.edit() as edit:
            for col, kind in enumerate(kinds):
                edit.set_kind((0, col), kind)
        terrain = tree.root.add_child(Terrain3D(tilemap))
        tree.root.add_child(OrbitCamera3D(target=terrain))
        board = Board(tilemap)
        profile = MoveProfile(
            max_climb=4, max_drop=4, can_fly=mover == "flyer", hover=int(mover == "flyer")
        )
        unit = board.add(Unit("Mira", (0, 0), "blue", profile, move=20))
        figures, player = terrain.add_child(Figures3D(board)), Player()
        tree.root.add_child(FigureSounds(figures, player))
        figures.figures[unit].visible = is_shown
        tree.advance(0.02)
        board.move(unit, (0, len(kinds) - 1))
        while unit.is_moving:
            tree.advance(0.02)
        tree.advance(0.02)
        return Counter(player.played)

    return play


def test_each_tile_has_two_steps_with_the_sound_of_its_ground(walk):
    heard = walk("0000000", ["grass"] * 3 + ["road"] * 4)
    assert set(heard) == {"step grass", "step paving"}
    assert heard["step grass"] + heard["step paving"] == pytest.approx(12, abs=1)
    assert heard["step grass"] == pytest.approx(5, abs=1)


def test_who_climbs_hops_and_lands(walk):
    heard = walk("0022", ["grass"] * 4)
    assert heard["hop"] == heard["land"] == 1


def test_who_drops_into_water_splashes_and_then_wades(walk):
    heard = walk("2000", ["grass", "shallow", "shallow", "shallow"])
    assert heard["splash"] == 1
    assert heard["land"] == 0 < heard["step water"]


def test_who_flies_is_not_heard(walk):
    assert set(walk("0020", ["grass"] * 4, "flyer")) <= {"hop"}


def test_who_is_hidden_is_not_heard(walk):
    assert not walk("0022", ["grass"] * 4, is_shown=False)
