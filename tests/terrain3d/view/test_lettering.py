"""Tests of labels: centered layout, facing the viewer, position in the picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.orbit import OrbitView
from terrain3d.view.scene.labels_3d import Glyph, Lettering

GLYPHS = {
    "1": Glyph((0.1, 0.0, 0.4, 0.8), (0.0, 0.0, 0.25, 0.5), 0.5),
    "2": Glyph((0.0, -0.2, 0.9, 0.7), (0.25, 0.0, 0.5, 0.5), 1.0),
}
FLAT = {"axes": [(1, 0, 0), (0, 0, 1)], "eye": (0, -10, 0), "color": (1, 1, 1)}


def test_each_text_is_centered_on_its_origin():
    lettering = Lettering.of(["1", "21"], GLYPHS)
    assert lettering.owner.tolist() == [0, 1, 1]
    lefts, rights = lettering.corners[:, 0, 0], lettering.corners[:, 1, 0]
    assert lefts.tolist() == pytest.approx([0.1 - 0.25, 0.0 - 0.75, 0.1 + 1.0 - 0.75])
    assert (rights - lefts).tolist() == pytest.approx([0.3, 0.9, 0.3])
    assert lettering.corners[1, :, 1].tolist() == [-0.2, -0.2, 0.7, 0.7]
    assert lettering.texcoords[1].tolist() == [[0.25, 0], [0.5, 0], [0.5, 0.5], [0.25, 0.5]]


def test_a_text_is_at_its_point_with_the_given_size():
    mesh = Lettering.of(["1", "1"], GLYPHS).facing([(0, 0, 0), (5, 0, 2)], size=0.5, **FLAT)
    low, high = mesh.positions[4:].min(axis=0), mesh.positions[4:].max(axis=0)
    assert low.tolist() == pytest.approx([5 + 0.5 * (0.1 - 0.25), 0, 2])
    assert high.tolist() == pytest.approx([5 + 0.5 * (0.4 - 0.25), 0, 2.4])
    assert mesh.triangles.max() == 7


def test_no_texts_draw_nothing():
    assert Lettering.of([], GLYPHS).facing([], size=1, **FLAT).triangles.size == 0
    assert Lettering.of(["", "1"], GLYPHS).owner.tolist() == [1]


@given(
    heading_deg=st.floats(0, 360),
    pitch_deg=st.floats(5, 89),
    point=st.tuples(*[st.floats(-3, 3)] * 3),
    nearer=st.floats(0, 1),
)
def test_a_text_nearer_to_the_viewer_looks_the_same(heading_deg, pitch_deg, point, nearer):
    view = OrbitView(heading_deg, pitch_deg, 12.0, (0.0, 0.0, 0.0))
    right, _, up = view.axes

    def seen(nearer):
        mesh = Lettering.of(["21"], GLYPHS).facing(
            [point], [right, up], view.eye, 0.4, (1, 1, 1), nearer
        )
        across, along, upward = view.axes @ (mesh.positions - np.array(view.eye)).T
        return across / along, upward / along, along

    before, after = seen(0.0), seen(nearer)
    assert np.allclose(before[:2], after[:2], atol=1e-5)
    assert np.allclose(before[2] - after[2], nearer, atol=0.15 * nearer + 1e-5)


def test_a_character_without_a_glyph_raises_an_error():
    with pytest.raises(KeyError):
        Lettering.of(["3"], GLYPHS)
