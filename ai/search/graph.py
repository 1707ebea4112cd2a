"""A graph with the same few slots at every node, as grids have them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Graph:
    """Directed edges in slots: slot `s` of node `n` leads to node `n + offset[s]`.

    Parameters
    ----------
    offset : (n_slots,) int64
        Where each slot leads, relative to the node.
    step_cost : (n_nodes, n_slots) float64
        What the step costs, >= 0; infinity where there is no step.

    Raises
    ------
    ValueError
        A shape does not fit, a cost is NaN or negative, or a step leads outside the graph.
    """

    offset: NDArray[np.int64]
    step_cost: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Check what the compiled searches rely on; they check nothing themselves."""
        if self.step_cost.ndim != 2 or self.offset.shape != self.step_cost.shape[1:]:
            raise ValueError(
                f"step_cost must be (n_nodes, {len(self.offset)}), got {self.step_cost.shape}"
            )
        if not bool(np.all(self.step_cost >= 0)):
            raise ValueError("step costs must be >= 0 and not NaN")
        nodes = np.arange(self.n_nodes)
        for slot, offset in enumerate(self.offset):
            outside = (nodes + offset < 0) | (nodes + offset >= self.n_nodes)
            if np.isfinite(self.step_cost[outside, slot]).any():
                raise ValueError(f"slot {slot} (offset {offset}) leads outside the graph")

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.step_cost)
