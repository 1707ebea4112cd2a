"""Reasons in the words of a player: no signs of comparison, no tuples, no words of the engine."""

import re

import pytest

from ai.navigation.reason_texts import plain_reason
from terrain3d import Cell
from tests.support.reason_claims import CLAIMS

HERE = "(row 4, col 7)"


@pytest.mark.parametrize(
    ("reason", "there", "elsewhere"),
    [
        (
            "Mira cannot go there: climb 3 > 2 at (4, 7)",
            "Mira cannot go there: the climb there is 3 levels, the limit is 2",
            f"Mira cannot go there: the climb at {HERE} is 3 levels, the limit is 2",
        ),
        ("(4, 7) is void", "there is no ground there", f"there is no ground at {HERE}"),
        (
            "deep at (4, 7) cannot be entered",
            "deep cannot be entered there",
            f"deep cannot be entered at {HERE}",
        ),
        ("Odo stands on (4, 7)", "Odo stands there", f"Odo stands on {HERE}"),
        ("is at (4, 7) deck 1", "is at (row 4, col 7, deck 1)", "is at (row 4, col 7, deck 1)"),
        (
            "Mira cannot go there: no plan exists: all 12 configurations were searched",
            "Mira cannot go there: not all of them find a path",
            "Mira cannot go there: not all of them find a path",
        ),
        ("costs 7 move points, but Mira has 2",) * 3,
        ("the start (4, 7) is void",) + ("there is no ground at the start",) * 2,
        (
            "(4, 7) is at level 0, the lowest",
            "the tile there is at level 0, the lowest",
            f"the tile at {HERE} is at level 0, the lowest",
        ),
        (
            "has given up: (4, 7) is not on the map",
            "has given up: the tile there is not on the map",
            f"has given up: the tile at {HERE} is not on the map",
        ),
        (
            "Mira would brush Odo on (4, 7)",
            "Mira would bump into Odo there",
            f"Mira would bump into Odo at {HERE}",
        ),
    ],
)
def test_a_reason_is_plain_and_the_tile_aimed_at_is_there(reason, there, elsewhere):
    assert plain_reason(reason, Cell(4, 7)) == there
    assert plain_reason(reason, Cell(4, 70)) == plain_reason(reason) == elsewhere


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_reason_of_a_path_is_plain(claim):
    reason = claim.replace(r"-?\d+", "3").replace(r"\d+", "3").replace(r"(\w+)", "water")
    plain = plain_reason(reason.replace("@", "(4, 7)"))
    assert not re.search(r"^\(|\(\d|[<>]|\\|void|occupied|neighbor|range", plain), plain
