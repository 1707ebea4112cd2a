"""Whether what casts shadows has changed since its shadows were drawn."""

from __future__ import annotations

from collections.abc import Iterable

from panda3d.core import BitMask32, LMatrix4, NodePath, UpdateSeq

CASTER_MASK = BitMask32.bit(19)
"""What a shadow camera sees; what is hidden from it casts no shadow."""

STILL = 0.03
"""What has moved less than this, in tiles and in parts of its size, keeps its shadow.

A figure that stands and breathes is that still: its shadow would change by less than a texel.
"""


class ShadowCasters:
    """Remembers what cast the shadows that are drawn.

    Parameters
    ----------
    scene : NodePath
        In whose coordinates things move; it may itself move without any change.
    """

    def __init__(self, scene: NodePath) -> None:
        self._scene = scene
        self._drawn: list[tuple[tuple[object, ...], LMatrix4]] = []

    def update(self, subjects: Iterable[NodePath]) -> bool:
        """Tell whether shadows must be drawn anew, and count them as drawn from now on."""
        now = [(_shape(subject), LMatrix4(subject.get_mat(self._scene))) for subject in subjects]
        is_same = len(now) == len(self._drawn) and all(
            shape == known_shape and place.almost_equal(known_place, STILL)
            for (shape, place), (known_shape, known_place) in zip(now, self._drawn, strict=True)
        )
        if not is_same:
            self._drawn = now
        return not is_same


def _shape(subject: NodePath) -> tuple[object, ...]:
    """Give what differs once anything at or below a subject was added, moved, edited or hidden."""
    count = UpdateSeq()
    subject.node().get_bounds(count)  # the engine counts up with each such change
    is_seen = subject.get_hidden_ancestor().is_empty() and not subject.is_stashed()
    return subject, count.get_seq(), is_seen
