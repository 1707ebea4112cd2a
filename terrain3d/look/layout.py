"""Layout of panels and text on a window of any size, without overlaps.

Positions are in pixels from the window's top left corner, y downward.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CORNERS = ("top left", "top right", "bottom left", "bottom right")

Size = tuple[float, float]
"""Width and height in pixels."""

Boxes = NDArray[np.float64]
"""(n, 4): left, top, width and height of rectangles on the window."""

Measure = Callable[[str], float]
"""Returns the width of a line of text."""


class Box(NamedTuple):
    """A rectangle on the window."""

    left: float
    top: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two share more than an edge."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )

    def union(self, other: "Box") -> "Box":
        """Return the smallest rectangle around both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        right = max(self.left + self.width, other.left + other.width)
        bottom = max(self.top + self.height, other.top + other.height)
        return Box(left, top, right - left, bottom - top)

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point is inside."""
        return self.left <= x < self.left + self.width and self.top <= y < self.top + self.height


@dataclass(frozen=True)
class Item:
    """A panel to be placed in a corner."""

    corner: str
    """One of CORNERS. Items of the same corner are stacked, the first one in the corner."""
    sizes: Sequence[Size]
    """Possible sizes, the preferred one first; an item without sizes is not placed."""
    rank: int
    """If there is not enough room, all are shrunk in turns, then those of lower rank left out."""


class Placement(NamedTuple):
    """The position of an item, and the index of the size that it gets."""

    choice: int
    box: Box


def arrange(
    window: Size, items: Sequence[Item], edge: float, gap: float, most_part: float = 0.45
) -> list[Placement | None]:
    """Place the items in their corners; None stands for an item that is left out.

    `edge` is their distance from the window's edge, `gap` that between items of the same corner,
    and `most_part` the most that all items together may cover of the window.
    """
    most = most_part * window[0] * window[1]
    chosen = {index: 0 for index, item in enumerate(items) if item.sizes}
    while True:
        boxes = _stacked(window, items, chosen, edge, gap)
        misplaced = _misplaced(window, items, boxes, edge, most)
        if not misplaced:
            return [
                Placement(chosen[index], boxes[index]) if index in chosen else None
                for index in range(len(items))
            ]
        shrinking = [index for index in misplaced if chosen[index] + 1 < len(items[index].sizes)]
        counts = {index: (chosen[index], len(items[index].sizes)) for index in shrinking}
        order = {  # the last size may lack words
            index: (choice + 2 == count > 2, choice / count, items[index].rank)
            for index, (choice, count) in counts.items()
        }
        movable = {  # without those that are nearer to its corner an item has another place
            index
            for index in chosen
            if any(
                items[index].corner == items[other].corner and index <= other for other in misplaced
            )
        }
        ranks = {index: (False, 0.0, items[index].rank) for index in movable}
        least = min(shrinking or movable, key=(order or ranks).__getitem__)
        if shrinking:
            chosen[least] += 1
        else:
            del chosen[least]


def _stacked(
    window: Size, items: Sequence[Item], chosen: dict[int, int], edge: float, gap: float
) -> dict[int, Box]:
    """Return the boxes of the items that have a size, by their indices."""
    filled = dict.fromkeys(CORNERS, edge)
    boxes = {}
    for index, choice in chosen.items():
        item = items[index]
        width, height = item.sizes[choice]
        offset = filled[item.corner]
        filled[item.corner] += height + gap
        left = edge if item.corner.endswith("left") else window[0] - edge - width
        top = offset if item.corner.startswith("top") else window[1] - offset - height
        boxes[index] = Box(left, top, width, height)
    return boxes


def _misplaced(
    window: Size, items: Sequence[Item], boxes: dict[int, Box], edge: float, most: float
) -> set[int]:
    """Return the items that cannot all keep their sizes; all together may cover `most`."""
    if sum(box.width * box.height for box in boxes.values()) > most:
        return {*boxes}
    misplaced = {
        index
        for pair in itertools.combinations(boxes, 2)
        if boxes[pair[0]].overlaps(boxes[pair[1]])
        for index in pair
    }
    full = set()
    for index, box in boxes.items():
        if box.width > window[0] - 2 * edge:
            misplaced.add(index)
        if box.top < edge or box.top + box.height > window[1] - edge:
            full.add(items[index].corner)
    return misplaced | {index for index in boxes if items[index].corner in full}


def flow(sizes: Sequence[Size], most: float, gap: float) -> list[Box]:
    """Place boxes in rows from the top left, as lines of text; a row is at most `most` wide.

    A row exceeds the limit only if it is a single box that does. `gap` is between boxes and rows.
    """
    boxes: list[Box] = []
    left = top = row_height = 0.0
    for width, height in sizes:
        if left and left + width > most:
            left, top, row_height = 0.0, top + row_height + gap, 0.0
        boxes.append(Box(left, top, width, height))
        left, row_height = left + width + gap, max(row_height, height)
    return boxes


def place_beside(
    point: tuple[float, float], size: Size, window: Size, taken: Sequence[Box], away: float
) -> Box | None:
    """Return the nearest position beside a point where a box covers neither it nor taken boxes.

    It is inside the window, `away` from the point; None if there is no room.
    """
    (x, y), (width, height) = point, size
    around = Box(x - away, y - away, 2 * away, 2 * away)
    lefts = {x + away, x - away - width, x - width / 2, 0.0, window[0] - width}
    tops = {y + away, y - away - height, y - height / 2, 0.0, window[1] - height}
    for block in taken:
        lefts |= {block.left + block.width, block.left - width}
        tops |= {block.top + block.height, block.top - height}
    boxes = _boxes_at(lefts, tops, size, window, 0.0)
    boxes = boxes[~np.any(_overlaps(boxes, np.array([around, *taken])), axis=1)]
    left, top = boxes[:, :2].T
    dx = np.maximum(left - x, x - left - width)
    dy = np.maximum(top - y, y - top - height)
    # The nearest; ties go to the one below the point, then to its right, then to the middle one.
    aside = np.abs(left + width / 2 - x)
    order = np.lexsort((aside, left < x, top < y, np.maximum(dx, dy).clip(0).round(3)))
    return Box(*boxes[order[0]].tolist()) if len(order) else None


def move_clear(box: Box, taken: Sequence[Box], window: Size, edge: float) -> Box:
    """Return a box moved as little as possible, inside the window and clear of taken boxes.

    `edge` is its distance from the window's edge, half of it that from taken boxes. It lies on top
    of taken boxes if no position is free.
    """
    most_left, most_top = window[0] - box.width - edge, window[1] - box.height - edge
    nearest = box._replace(
        left=max(min(box.left, most_left), edge), top=max(min(box.top, most_top), edge)
    )
    gap = edge / 2
    lefts, tops = {nearest.left, edge, most_left}, {nearest.top, edge, most_top}
    for block in taken:
        left, top, width, height = block
        lefts |= {left + width + gap, left - box.width - gap}
        tops |= {top + height + gap, top - box.height - gap}
    boxes = _boxes_at(lefts, tops, (box.width, box.height), window, edge)
    far = np.abs(boxes[:, :2] - nearest[:2]).sum(axis=1)
    boxes = boxes[np.argsort(far, kind="stable")]
    near = 0.9 * gap  # not the whole gap: sums of floats are not exact
    for more in (near, 0.0):
        blocks = np.array(taken).reshape(-1, 4) + np.array((-1, -1, 2, 2)) * more
        free = boxes[~np.any(_overlaps(boxes, blocks), axis=1)]
        if len(free):
            return Box(*free[0].tolist())
    return nearest


def _boxes_at(lefts: set[float], tops: set[float], size: Size, window: Size, edge: float) -> Boxes:
    """Return the boxes of a size at these positions that keep off the window's edge."""
    most = np.subtract(window, size) - edge
    corners = np.reshape(np.meshgrid(sorted(lefts), sorted(tops), indexing="ij"), (2, -1)).T
    inside = corners[((corners >= edge) & (corners <= most)).all(axis=1)]
    return np.hstack([inside, np.broadcast_to(size, inside.shape)])


def clear_of(boxes: Boxes, taken: Boxes) -> NDArray[np.bool_]:
    """(n,) whether each box is kept: it overlaps no taken box and no kept one after it."""
    is_kept: NDArray[np.bool_] = ~np.any(_overlaps(boxes, taken), axis=1)
    if len(boxes) < 2:  # as nearly always
        return is_kept
    meets = np.triu(_overlaps(boxes, boxes), 1)
    for index in np.flatnonzero(meets.any(axis=1))[::-1].tolist():
        is_kept[index] &= not (meets[index] & is_kept).any()
    return is_kept


def _overlaps(boxes: Boxes, others: Boxes) -> NDArray[np.bool_]:
    """(n, m) whether each box shares more than an edge with each of others."""
    left, top, width, height = boxes.T[:, :, None]
    others_left, others_top, others_width, others_height = others.T
    overlaps: NDArray[np.bool_] = (left < others_left + others_width) & (others_left < left + width)
    overlaps &= (top < others_top + others_height) & (others_top < top + height)
    return overlaps


_CJK = "\u2e80-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f"
_UNBROKEN = re.compile(f" ?(?:[{_CJK}]|[^ {_CJK}]+)")


def wrap_text(text: str, most: float, measure: Measure) -> list[str]:
    """Wrap a text into lines no wider than `most`, between words where possible.

    Chinese and Japanese, which have no spaces, are broken between any two characters, and so is a
    word wider than `most`. The breaks of the text stay.
    """
    if "\n" in text:
        return [part for line in text.split("\n") for part in wrap_text(line, most, measure)]
    text = " ".join(text.split())
    if measure(text) <= most:
        return [text]
    lines = [""]
    for part in _UNBROKEN.findall(text):
        longer = (lines[-1] + part).lstrip()
        if measure(longer) <= most:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in part.lstrip():
            if lines[-1] and measure(lines[-1] + letter) > most:
                lines.append("")
            lines[-1] += letter
    return lines
