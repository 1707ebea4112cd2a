"""Kinds: cost, tags, and whether a unit may stop on them."""

import zlib

import pytest

from terrain3d import KINDS, TileKind, TileMap
from tests.support.selection import table

BY_NAME = {kind.name: kind for kind in KINDS}


def test_the_usual_kinds_keep_their_places():
    old, new, last = [*KINDS[:6]], [*KINDS[6:12]], KINDS[12]
    assert [kind.name for kind in old] == ["grass", "dirt", "sand", "rock", "snow", "road"]
    assert [kind.name for kind in new] == ["forest", "swamp", "shallow", "deep", "lava", "wood"]
    assert (last.name, len(KINDS)) == ("void", 13)


@table(
    "name cost tags depth",
    ("grass", 1, set(), 0),
    ("forest", 2, set(), 0),
    ("swamp", 3, set(), 0),
    ("shallow", 2, {"liquid"}, 1),
    ("deep", None, {"liquid"}, 3),
    ("lava", None, {"liquid", "lava"}, 1),
    ("wood", 1, set(), 0),
    ("void", None, set(), 0),
)
def test_what_the_usual_kinds_are(name, cost, tags, depth):
    kind = BY_NAME[name]
    assert (kind.cost, kind.tags, kind.depth, kind.can_stop) == (cost, tags, depth, True)


def test_noise_grows_the_same_map_for_ever():
    tilemap = TileMap.from_noise(40, 40, seed=3, levels=6)
    assert zlib.crc32(tilemap.level.tobytes()) == 3933768099
    assert zlib.crc32(tilemap.kind.tobytes()) == 3602586042


@table(
    "arguments error says",
    ({"tags": ["#hot"]}, ValueError, "a tag of 'tar' must be text without '#', got '#hot'"),
    ({"name": "#tar"}, ValueError, "begins with '#', which marks a tag: '#tar'"),
    ({"color": (0, 0, 2)}, ValueError, r"color of 'tar' must be in 0\.\.1, got 2"),
)
def test_what_no_kind_can_be_is_refused(arguments, error, says):
    with pytest.raises(error, match=says):
        TileKind(**{"name": "tar", **arguments})


@pytest.mark.parametrize(("count", "fits"), [(0, False), (1, True), (255, True), (256, False)])
def test_a_map_has_1_to_255_kinds_besides_void(count, fits):
    kinds = [TileKind(f"kind {number}") for number in range(count)]
    for given in (kinds, [BY_NAME["void"], *kinds]):
        if fits:
            assert len(TileMap([[0]], [[0]], given).kinds) == count + 1
        else:
            with pytest.raises(ValueError, match=rf"1\.\.255 kinds besides void, got {count}"):
                TileMap([[0]], [[0]], given)


def test_a_kind_prints_as_the_call_that_makes_it():
    for kind in KINDS:
        assert eval(repr(kind)) == kind
    assert repr(KINDS[0]) == "TileKind('grass', texture='grass', props='meadow')"
    lava = TileKind("hot", cost=None, tags={"liquid", "lava"}, texture="lava")
    assert repr(lava) == "TileKind('hot', cost=None, tags={'lava', 'liquid'}, texture='lava')"
