"""The maps and questions that every library gets, and the rule of their steps as plain numbers."""

import numpy as np
from numpy.typing import NDArray

from terrain3d.generate.noise import fractal_noise

SEED = 7
CELL_SIZES = (16, 4, 1)
WEIGHTS = (0.25, 0.25, 0.5)
N_LEVELS = 9
MAX_CLIMB, MAX_DROP = 2, 3
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
WORDS = (
    f"noise seed {SEED}, lattices of {CELL_SIZES} tiles with weights {WEIGHTS}, "
    f"levels 0..{N_LEVELS - 1}; 4 neighbors; a step costs 1, and 1 more for each level up; "
    f"more than {MAX_CLIMB} up or {MAX_DROP} down is a wall"
)


def rugged_levels(size: int) -> NDArray[np.int16]:
    """(size, size) levels, as rugged on every size: about 13 % of the steps are walls."""
    values = fractal_noise(size, size, SEED, CELL_SIZES, WEIGHTS)
    # Not stretched to the lowest and highest value, which would flatten large maps.
    return np.floor(values * N_LEVELS).astype(np.int16)


def price(rise: NDArray[np.int64]) -> NDArray[np.float64]:
    """Price steps by their rise; infinity where there is a wall."""
    is_legal = (rise <= MAX_CLIMB) & (rise >= -MAX_DROP)
    return np.where(is_legal, 1.0 + np.maximum(rise, 0), np.inf)


def both_ends(size, move):
    """Slice the cells from which a move stays on the map, and the cells where it ends."""
    row, col = move
    return tuple(
        tuple(slice(max(step, 0), size + min(step, 0)) for step in (sign * row, sign * col))
        for sign in (-1, 1)
    )


def step_costs(level: NDArray[np.int16]) -> NDArray[np.float64]:
    """(rows, cols, 4) cost of each of `MOVES` out of each cell; infinity: there is no step."""
    size = len(level)
    height = level.astype(np.int64)
    costs = np.full((size, size, 4), np.inf)
    for slot, move in enumerate(MOVES):
        here, there = both_ends(size, move)
        costs[(*here, slot)] = price(height[there] - height[here])
    return costs


def edges(level: NDArray[np.int16]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray]:
    """(n,) sources, targets and costs of all legal steps, by source; node = row * size + col."""
    size = len(level)
    costs = step_costs(level).reshape(-1, 4)
    source, slot = np.nonzero(np.isfinite(costs))
    offset = np.array([row * size + col for row, col in MOVES])
    return source, source + offset[slot], costs[source, slot]


def questions(size, count, seed):
    """Draw pairs of different cells."""
    rng = np.random.default_rng([seed, size])
    found = []
    while len(found) < count:
        row, col, goal_row, goal_col = rng.integers(0, size, 4).tolist()
        if (row, col) != (goal_row, goal_col):
            found.append(((row, col), (goal_row, goal_col)))
    return found
