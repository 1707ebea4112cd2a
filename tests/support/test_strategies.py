"""What the strategies draw: valid maps and profiles, with every rule among them."""

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from ai import Navigation
from tests.support.strategies import beside, profiles, tilemaps

SEARCH = settings(max_examples=2000, database=None, phases=[Phase.generate])


@given(st.data())
def test_every_map_goes_with_every_profile_of_its_topology(data):
    tilemap = data.draw(tilemaps(max_side=3))
    assert tilemap.rows <= 3
    assert tilemap.cols <= 3
    Navigation(tilemap).profile_graph(data.draw(profiles(tilemap.topology)))


@pytest.mark.parametrize(
    "has",
    [
        lambda tilemap: tilemap.n_decks > 1,
        lambda tilemap: tilemap.links and tilemap.walls,
        lambda tilemap: tilemap.void.any() and not tilemap.void.all(),
        lambda tilemap: tilemap.topology.startswith("hex"),
    ],
)
def test_maps_have_all_that_a_map_can_have(has):
    find(tilemaps(), has, settings=SEARCH)


@pytest.mark.parametrize("name", ["can_fly", "warp", "no_stop", "kind_cost", "link_cost"])
def test_profiles_have_all_that_a_profile_can_have(name):
    find(profiles(), lambda profile: bool(getattr(profile, name)), settings=SEARCH)


@given(tilemaps())
def test_what_is_beside_a_surface_shares_an_edge_with_it(tilemap):
    for cell in beside(tilemap, (0, 0)):
        assert tilemap.grid.distance((0, 0), cell[:2]) == 1
        assert tilemap.has_surface(cell)
