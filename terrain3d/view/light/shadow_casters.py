"""Detects changes of shadow casters since the shadow map was drawn."""

from __future__ import annotations

from collections.abc import Iterable

from panda3d.core import BitMask32, LMatrix4, NodePath, UpdateSeq

CASTER_MASK = BitMask32.bit(19)
"""Camera mask of shadow cameras; nodes hidden from it cast no shadow."""

STILL = 0.03
"""Smallest motion that redraws shadows, in tiles and relative to the node's size.

A standing figure breathes less than that: its shadow would change by less than a texel.
"""


class ShadowCasters:
    """Stores the state of the casters whose shadows are drawn, in the coordinates of `scene`."""

    def __init__(self, scene: NodePath) -> None:
        self._scene = scene
        self._drawn: list[tuple[tuple[object, ...], LMatrix4]] = []

    def update(self, subjects: Iterable[NodePath]) -> bool:
        """Store the state of the casters; return whether their shadows must be redrawn."""
        now = [(_shape(subject), LMatrix4(subject.get_mat(self._scene))) for subject in subjects]
        is_same = len(now) == len(self._drawn) and all(
            shape == known_shape and place.almost_equal(known_place, STILL)
            for (shape, place), (known_shape, known_place) in zip(now, self._drawn, strict=True)
        )
        if not is_same:
            self._drawn = now
        return not is_same


def _shape(subject: NodePath) -> tuple[object, ...]:
    """Return a value that changes when a node is added, moved, edited or hidden at or below it."""
    count = UpdateSeq()
    subject.node().get_bounds(count)  # the engine increments it with each such change
    is_seen = subject.get_hidden_ancestor().is_empty() and not subject.is_stashed()
    return subject, count.get_seq(), is_seen
