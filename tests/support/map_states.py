"""Random maps with every feature, made by edits, and the complete state of a map."""

import numpy as np
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileKind, TileMap, Water
from terrain3d.grid.columns import STEP_HEIGHTS
from terrain3d.grid.kinds import PROPS, TEXTURES, Unregistered

names = st.text(min_size=1, max_size=6).filter(lambda name: name[0] != "#" and name != "void")
costs = st.none() | st.integers(1, 10**6) | st.floats(1e-6, 10**6)
shares = st.floats(0, 1)
waters = st.builds(Water, foam=shares, speed=st.floats(0, 10), clarity=shares)
unknown = names.map(lambda name: Unregistered(f"their {name}"))
fields = {
    "name": names,
    "cost": costs,
    "color": st.tuples(shares, shares, shares),
    "tags": st.frozensets(names, max_size=2),
    "depth": st.integers(0, 255),
    "can_stop": st.booleans(),
    "props": st.sampled_from(sorted(PROPS)) | unknown,
    "glow": st.just(0.0) | shares,
}
kinds = st.builds(TileKind, **fields, texture=st.sampled_from(sorted(TEXTURES)) | unknown)
kinds |= st.builds(TileKind, **fields, water=waters)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
extra_names = st.sampled_from(["metadata", "units", "waypoints"])
extra_names |= st.text(max_size=5).map(lambda name: f"my {name}")


def bare_map(draw, rows, cols, table, topologies=TOPOLOGIES):
    """Return a map of bare ground, sometimes at the highest levels."""
    numbers = st.integers(0, 40) | st.sampled_from([255, 256, 32767])
    level = draw(st.lists(numbers, min_size=rows * cols, max_size=rows * cols))
    kind = draw(st.lists(st.integers(0, len(table)), min_size=rows * cols, max_size=rows * cols))
    shape = rows, cols
    topology = draw(st.sampled_from(sorted(topologies)))
    step = draw(st.floats(*STEP_HEIGHTS) | st.sampled_from(STEP_HEIGHTS))
    return TileMap(np.reshape(level, shape), np.reshape(kind, shape), table, step, topology)


def add_features(draw, tilemap):
    """Add some decks, links and walls; those that the map refuses are skipped."""
    solid = [kind.name for kind in tilemap.kinds if kind.name != "void"]
    highest = tilemap.rows - 1, tilemap.cols - 1, 2
    cells = st.tuples(*(st.integers(0, most) for most in highest))
    columns = cells.map(lambda cell: cell[:2])
    kind_names, flags = st.sampled_from(solid), st.booleans()
    orders = {
        "add_deck": (columns, st.integers(0, 300), kind_names, st.integers(1, 3)),
        "remove_deck": (columns, st.integers(1, 2)),
        "add_link": (cells, cells, costs.filter(lambda cost: cost is not None), names, flags),
        "add_wall": (cells, cells, flags),
    }
    scripts = [st.tuples(st.just(name), *given) for name, given in orders.items()]
    for name, *values in draw(st.lists(st.one_of(*scripts), max_size=12)):
        try:
            with tilemap.edit() as edit:
                getattr(edit, name)(*values)
        except (ValueError, IndexError):
            continue


@st.composite
def maps(draw, topologies=TOPOLOGIES):
    table = draw(st.lists(kinds, min_size=1, max_size=4, unique_by=lambda kind: kind.name))
    tilemap = bare_map(draw, draw(st.integers(1, 4)), draw(st.integers(1, 4)), table, topologies)
    add_features(draw, tilemap)
    tilemap.extras = draw(st.dictionaries(extra_names, json_values, max_size=3))
    return tilemap


def state_of(tilemap):
    """Return everything that a file must keep, in values that compare exactly."""
    arrays = (tilemap.surface_level, tilemap.surface_kind, tilemap.surface_thickness)
    return (
        [array.tolist() for array in arrays],
        tilemap.kinds,
        tilemap.step_height,
        tilemap.topology,
        tilemap.links,
        tilemap.walls,
        repr(tilemap.extras),  # distinguishes 1, 1.0 and True
    )
