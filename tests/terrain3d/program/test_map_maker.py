"""The next map is made in a thread; what goes wrong there is said, and another can follow."""

import time

import pytest

from terrain3d import SceneTree, TileMap
from terrain3d.program import map_maker
from terrain3d.program.map_maker import MapMaker


def ended(tree, maker):
    begin = time.monotonic()
    while maker.progress:
        tree.advance(0.01)
        assert time.monotonic() - begin < 60
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (MemoryError("Unable to allocate 3 GiB"), "No map of seed 4: Unable to allocate 3 GiB"),
        (MemoryError(), "No map of seed 4: MemoryError"),
    ],
)
def test_a_failure_is_said_and_the_next_map_is_made(monkeypatch, error, says):
    tree, made, failed = SceneTree(), [], []
    maker = tree.root.add_child(MapMaker())
    maker.made.connect(lambda seed, tilemap: made.append((seed, tilemap.rows)))
    maker.failed.connect(failed.append)

    def fail(*_arguments, **_options):
        raise error

    like = TileMap.from_text("000\n000")
    with monkeypatch.context() as patched:
        patched.setattr(map_maker, "landscape", fail)
        maker.begin(like, 4)
        ended(tree, maker)
    assert (made, failed) == ([], [says])
    maker.begin(TileMap.from_noise(12, 12, 1), 5)
    ended(tree, maker)
    assert (made, failed) == ([(5, 12)], [says])
