"""Where panels go on a window so that none covers another, whatever its size.

Places are in pixels from the window's top left corner, y downwards.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

CORNERS = ("top left", "top right", "bottom left", "bottom right")

Size = tuple[float, float]
"""Width and height in pixels."""


class Box(NamedTuple):
    """A place on the window."""

    left: float
    top: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Tell whether the two share more than an edge."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )

    def contains(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        return self.left <= x < self.left + self.width and self.top <= y < self.top + self.height


@dataclass(frozen=True)
class Item:
    """Something that wants a place in a corner.

    Parameters
    ----------
    corner : str
        One of CORNERS. Items of one corner are stacked, the first of them in the corner.
    sizes : sequence of (width, height)
        From the one it likes best to the smallest it can do with; without any it wants no place.
    rank : int
        Where there is no room for all, those of a lower rank are made smaller, then left out.

    Raises
    ------
    ValueError
        The corner is unknown.
    """

    corner: str
    sizes: Sequence[Size]
    rank: int

    def __post_init__(self) -> None:
        """Refuse a corner that is none."""
        if self.corner not in CORNERS:
            raise ValueError(f"corner must be one of {CORNERS}, got {self.corner!r}")


class Place(NamedTuple):
    """Which of an item's sizes it gets, and where."""

    choice: int
    box: Box


def arrange(
    window: Size, items: Sequence[Item], edge: float, gap: float, most_part: float = 0.45
) -> list[Place | None]:
    """Give every item a place, or none.

    Parameters
    ----------
    window : (width, height)
    items : sequence of Item
    edge : float
        How far they stay away from the window's edge.
    gap : float
        How far those in one corner stay apart.
    most_part : float in 0..1
        How much of the window they may cover together.
    """
    choices: list[int | None] = [0 if item.sizes else None for item in items]
    while True:
        boxes = _stacked(window, items, choices, edge, gap)
        troubled = _troubled(window, items, boxes, edge, most_part)
        if not troubled:
            return [
                None if choice is None or box is None else Place(choice, box)
                for choice, box in zip(choices, boxes, strict=True)
            ]
        shrinking = [index for index in troubled if _next(items, choices, index) is not None]
        least = min(shrinking or troubled, key=lambda index: items[index].rank)
        choices[least] = _next(items, choices, least)


def _next(items: Sequence[Item], choices: list[int | None], index: int) -> int | None:
    choice = choices[index]
    is_last = choice is None or choice + 1 == len(items[index].sizes)
    return None if is_last or choice is None else choice + 1


def _stacked(
    window: Size, items: Sequence[Item], choices: list[int | None], edge: float, gap: float
) -> list[Box | None]:
    filled = dict.fromkeys(CORNERS, edge)
    boxes: list[Box | None] = []
    for item, choice in zip(items, choices, strict=True):
        if choice is None:
            boxes.append(None)
            continue
        width, height = item.sizes[choice]
        inwards = filled[item.corner]
        filled[item.corner] += height + gap
        left = edge if item.corner.endswith("left") else window[0] - edge - width
        top = inwards if item.corner.startswith("top") else window[1] - inwards - height
        boxes.append(Box(left, top, width, height))
    return boxes


def _troubled(
    window: Size, items: Sequence[Item], boxes: list[Box | None], edge: float, most_part: float
) -> set[int]:
    """Find those that cannot all stay as they are."""
    placed = [(index, box) for index, box in enumerate(boxes) if box is not None]
    covered = sum(box.width * box.height for _, box in placed)
    if covered > most_part * window[0] * window[1]:
        return {index for index, _ in placed}
    troubled = {
        index
        for pair in itertools.combinations(placed, 2)
        if pair[0][1].overlaps(pair[1][1])
        for index, _ in pair
    }
    full = set()
    for index, box in placed:
        if box.width > window[0] - 2 * edge:
            troubled.add(index)
        if box.top < edge or box.top + box.height > window[1] - edge:
            full.add(items[index].corner)
    return troubled | {index for index, _ in placed if items[index].corner in full}


def place_beside(
    point: tuple[float, float], size: Size, window: Size, taken: Sequence[Box], away: float
) -> Box | None:
    """Find the place nearest to a point where a box covers neither it nor what is taken.

    Parameters
    ----------
    point : (x, y)
    size : (width, height)
        Of the box.
    window : (width, height)
    taken : sequence of Box
    away : float
        How far it stays away from the point.

    Returns
    -------
    Box or None
        Inside of the window; None if there is no room.
    """
    (x, y), (width, height) = point, size
    around = Box(x - away, y - away, 2 * away, 2 * away)
    blocks = [around, *taken]
    lefts = {x + away, x - away - width, x - width / 2, 0.0, window[0] - width}
    tops = {y + away, y - away - height, y - height / 2, 0.0, window[1] - height}
    for block in taken:
        lefts |= {block.left + block.width, block.left - width}
        tops |= {block.top + block.height, block.top - height}
    places = [
        Box(left, top, width, height)
        for left, top in itertools.product(sorted(lefts), sorted(tops))
        if 0 <= left <= window[0] - width and 0 <= top <= window[1] - height
    ]
    places.sort(key=lambda place: _remoteness(place, x, y))
    return _first_free(places, blocks)


def move_clear(box: Box, taken: Sequence[Box], window: Size, edge: float) -> Box:
    """Move a box as little as it takes to lie inside of the window and on nothing that is taken.

    Parameters
    ----------
    box : Box
        Where it would lie best.
    taken : sequence of Box
    window : (width, height)
    edge : float
        How far it stays away from the window's edge, and half as far from what is taken.

    Returns
    -------
    Box
        Inside of the window if it fits; if there is no free place, it lies on what is taken.
    """
    most_left, most_top = window[0] - edge - box.width, window[1] - edge - box.height
    nearest = box._replace(
        left=max(min(box.left, most_left), edge), top=max(min(box.top, most_top), edge)
    )
    gap = edge / 2
    lefts, tops = {nearest.left, edge, most_left}, {nearest.top, edge, most_top}
    for block in taken:
        left, top, width, height = block
        lefts |= {left + width + gap, left - box.width - gap}
        tops |= {top + height + gap, top - box.height - gap}
    places = [
        box._replace(left=left, top=top)
        for left, top in itertools.product(sorted(lefts), sorted(tops))
        if edge <= left <= most_left and edge <= top <= most_top
    ]
    places.sort(key=lambda at: abs(at.left - nearest.left) + abs(at.top - nearest.top))
    near = 0.9 * gap  # not all of it, for sums of fractions are not exact
    around = [Box(x - near, y - near, w + 2 * near, h + 2 * near) for x, y, w, h in taken]
    return _first_free(places, around) or _first_free(places, taken) or nearest


def _first_free(places: Sequence[Box], taken: Sequence[Box]) -> Box | None:
    for place in places:
        if not any(place.overlaps(block) for block in taken):
            return place
    return None


def _remoteness(box: Box, x: float, y: float) -> tuple[float, bool, bool]:
    """Tell how far a box is from a point; of equally far ones, below and to the right is best."""
    dx = max(box.left - x, x - box.left - box.width, 0.0)
    dy = max(box.top - y, y - box.top - box.height, 0.0)
    return round(max(dx, dy), 3), box.top < y, box.left < x
