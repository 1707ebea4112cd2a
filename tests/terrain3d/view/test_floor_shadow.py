"""The shadow below a map: darkest under it, transparent at its border."""

import numpy as np
import pytest

from terrain3d.view.light.backdrop import floor_mesh
from tests.support.meshes import facing


@pytest.mark.parametrize("high", [(10.0, 10.0), (40.0, 2.0), (1.0, 1.0)])
def test_the_shadow_covers_the_map_and_fades_outward(high):
    mesh = floor_mesh((0.0, 0.0), high, -1.0)
    x, y, z = mesh.positions.T
    alpha = mesh.colors[:, 3]
    assert (z == -1.0).all()
    assert facing(mesh).min() > -1e-6
    beyond = np.maximum(
        np.abs(x - high[0] / 2) - high[0] / 2, np.abs(y - high[1] / 2) - high[1] / 2
    )
    assert alpha[beyond < 0.0].min() > 40
    assert (np.diff(alpha.reshape(-1, 10).astype(int)) <= 0).all()
    outermost = mesh.positions.reshape(-1, 10, 3)[:, -1]
    assert (alpha.reshape(-1, 10)[:, -1] == 0).all()
    assert outermost[:, 0].min() < 0.0
    assert outermost[:, 0].max() > high[0]
    assert beyond.max() < 0.3 * max(high)
