"""Limits and defaults named in the documentation are those of the program."""

import pytest

from ai.squads.planner import MAX_ENTRIES
from terrain3d.core import node
from terrain3d.formats import MAX_SURFACES, json_text
from terrain3d.formats.tiled import reader
from terrain3d.formats.tmap import MAX_DRAWN_TILES
from terrain3d.map.heights import MAX_HEIGHT
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("page", "sentence", "limit"),
    [
        ("formats.md", "A file may make at most {:,} tiles on all", MAX_SURFACES),
        ("formats.md", "All layers of a Tiled map make {} as many", reader.MAX_LAYER_TILES),
        ("formats.md", "At most {:,} layers, chunks and objects", reader.MAX_PARTS),
        ("formats.md", "objects together, {:,} different tiles", reader.MAX_PARTS),
        ("formats.md", "each with a number of at most {:,}", reader.MAX_GID),
        ("formats.md", "{:,} elements of XML or values of JSON", reader.MAX_VALUES),
        ("formats.md", "together have at most {} MiB", reader.MAX_BYTES / 2**20),
        ("formats.md", "A map of at most 128 x 128 tiles", MAX_DRAWN_TILES / 128 / 128),
        ("formats.md", "objects with text as keys, at most {} deep", json_text.MAX_DEPTH),
        ("nodes.md", "A tree of nodes has at most {} levels", node.MAX_DEPTH),
        ("nodes.md", "a frame takes at most {:,} seconds", int(node.MAX_FRAME_S)),
        ("squads.md", "at most 1 GB (2^27 numbers", MAX_ENTRIES / 2**27),
    ],
)
def test_the_documentation_names_the_limit(page, sentence, limit):
    text = " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())
    if "{" not in sentence:
        assert limit == 1
    words = {2: "twice", 4: "four times"} if "as many" in sentence else {}
    number = int(limit)
    assert number == limit
    assert sentence.format(words.get(number, number)) in text


def test_heights_are_within_the_documented_range():
    text = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
    assert "Heights are finite and at most 10^12 from 0." in text
    assert MAX_HEIGHT == 10**12
