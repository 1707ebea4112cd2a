"""Tables of landmarks in the order of nodes."""

import numpy as np

from ai.search.landmarks import Landmarks, striped_places


def table_of(landmarks: Landmarks) -> np.ndarray:
    """Return the (2 * n_landmarks, n_nodes) costs, with the nodes in ascending order."""
    places = striped_places(len(landmarks.coarse_costs), landmarks.cols)
    return landmarks.striped_costs[:, places].astype(float)
