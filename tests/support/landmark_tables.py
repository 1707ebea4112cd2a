"""Tables of landmarks in the order of nodes."""

import numpy as np

from ai.search.landmarks import Landmarks, striped_places


def table_of(landmarks: Landmarks) -> np.ndarray:
    """Return the (2 * n_landmarks, n_nodes) entries, with the nodes in ascending order."""
    places = striped_places(len(landmarks.coarse_costs), landmarks.cols)
    return landmarks.striped_costs[:, places].astype(np.int64)


def bounds_of(landmarks: Landmarks) -> np.ndarray:
    """Return the (n_nodes, n_nodes) bounds of the cost from row to column, in units."""
    table = table_of(landmarks)
    return (table[:, None, :] - table[:, :, None]).max(axis=0) * landmarks.scale
