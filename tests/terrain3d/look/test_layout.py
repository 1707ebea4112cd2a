"""Layout of panels and text on windows of any size: inside, no overlaps, no words lost."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.layout import CORNERS, Box, Item, arrange, move_clear, place_beside, wrap_text

EDGE, GAP = 12.0, 6.0
sides = st.floats(1, 700)
sizes = st.lists(st.tuples(sides, sides), max_size=3)
windows = st.tuples(st.integers(1, 4000), st.integers(1, 2200))


wishes = st.lists(st.tuples(st.sampled_from(CORNERS), sizes), max_size=7)


@given(window=windows, wishes=wishes, part=st.floats(0, 1))
def test_nothing_is_covered_or_cut_off(window, wishes, part):
    items = [Item(corner, size, rank) for rank, (corner, size) in enumerate(wishes)]
    places = arrange(window, items, EDGE, GAP, part)
    boxes = [place.box for place in places if place is not None]
    for first, other in itertools.combinations(boxes, 2):
        assert not first.overlaps(other)
    for left, top, width, height in boxes:
        assert left >= EDGE - 1e-6
        assert top >= EDGE - 1e-6
        assert left + width <= window[0] - EDGE + 1e-6
        assert top + height <= window[1] - EDGE + 1e-6
    assert sum(box.width * box.height for box in boxes) <= part * window[0] * window[1] + 1e-6
    for item, place in zip(items, places, strict=True):
        if place is not None:
            assert place.box[2:] == item.sizes[place.choice]


@given(window=windows, wishes=wishes)
def test_the_most_important_panel_is_left_out_only_if_it_does_not_fit_at_all(window, wishes):
    items = [Item(corner, size, rank) for rank, (corner, size) in enumerate(wishes)]
    items.append(Item("top left", [(400, 90), (100, 20)], 99))
    place = arrange(window, items, EDGE, GAP, 1.0)[-1]
    fits = window[0] >= 100 + 2 * EDGE and window[1] >= 20 + 2 * EDGE
    assert (place is not None) == fits


def test_with_enough_room_each_panel_gets_its_preferred_size_in_its_corner():
    items = [Item(corner, [(100, 50), (10, 10)], 1) for corner in (*CORNERS, "top left")]
    places = arrange((800, 600), items, 10, 5)
    assert [place.choice for place in places] == [0] * 5
    corners = [(10, 10), (690, 10), (10, 540), (690, 540), (10, 65)]
    assert [place.box[:2] for place in places] == corners


def test_the_least_important_panel_is_shrunk_before_any_is_left_out():
    items = [Item("top left", [(100, 80), (100, 30)], rank) for rank in (2, 1)]
    assert [p.choice for p in arrange((200, 155), items, 10, 5, 1.0)] == [0, 1]
    assert [p.choice for p in arrange((200, 100), items, 10, 5, 1.0)] == [1, 1]
    first, second = arrange((200, 80), items, 10, 5, 1.0)
    assert (first.choice, second) == (1, None)


points = st.tuples(st.floats(0, 640), st.floats(0, 400))
boxes = st.builds(Box, st.floats(0, 600), st.floats(0, 380), st.floats(1, 300), st.floats(1, 200))


@given(point=points, size=st.tuples(sides, sides), taken=st.lists(boxes, max_size=4))
def test_a_label_covers_neither_its_point_nor_a_panel(point, size, taken):
    box = place_beside(point, size, (640, 400), taken, 10)
    if box is None:
        return
    assert box[2:] == size
    assert not box.contains(*point)
    assert not any(box.overlaps(panel) for panel in taken)
    assert box.left >= 0
    assert box.top >= 0
    assert box.left + box.width <= 640 + 1e-6
    assert box.top + box.height <= 400 + 1e-6


def test_a_label_prefers_to_hang_below_and_right_of_its_point():
    assert place_beside((100, 100), (80, 20), (640, 400), [], 10)[:2] == (110, 110)
    left, top, *_ = place_beside((630, 390), (80, 20), (640, 400), [], 10)
    assert left + 80 <= 620 or top + 20 <= 380


def test_a_caption_moves_off_a_panel_as_little_as_possible():
    panel = Box(500, 10, 130, 100)
    assert move_clear(Box(450, 60, 80, 20), [panel], (640, 400), 10) == Box(415, 60, 80, 20)
    assert move_clear(Box(540, 90, 80, 20), [panel], (640, 400), 10) == Box(540, 115, 80, 20)
    low = Box(500, 330, 130, 60)
    assert move_clear(Box(540, 340, 80, 20), [low], (640, 400), 10) == Box(540, 305, 80, 20)
    left = Box(10, 100, 130, 200)
    assert move_clear(Box(100, 190, 80, 20), [left], (640, 400), 10) == Box(145, 190, 80, 20)


@given(box=boxes, taken=st.lists(boxes, max_size=4))
def test_a_caption_is_inside_and_covers_no_panel_if_a_position_is_free(box, taken):
    place = move_clear(box, taken, (1000, 800), 10)
    assert place[2:] == box[2:]
    assert 10 <= place.left <= 990 - box.width + 1e-6
    assert 10 <= place.top <= 790 - box.height + 1e-6
    lefts, tops = (10, 990 - box.width), (10, 790 - box.height)
    corners = [box._replace(left=left, top=top) for left in lefts for top in tops]
    if any(not any(corner.overlaps(panel) for panel in taken) for corner in (place, *corners)):
        assert not any(place.overlaps(panel) for panel in taken)


words = st.lists(st.text("abci", min_size=1, max_size=12), max_size=12).map(" ".join)


def measure(text):
    return sum(0.5 if letter == "i" else 1.0 for letter in text)


@given(words, st.floats(1, 30))
def test_lines_contain_all_words_and_are_no_wider_than_the_limit(text, most):
    lines = wrap_text(text, most, measure)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(measure(line) <= most for line in lines)
    if all(measure(word) <= most for word in text.split()):
        assert " ".join(lines) == text
        for line, after in itertools.pairwise(lines):
            assert measure(f"{line} {after.split()[0]}") > most


@given(st.text("ー。（「あ山川", min_size=1, max_size=14), st.integers(1, 9))
def test_japanese_breaks_between_any_two_characters(text, most):
    lines = [text[start : start + most] for start in range(0, len(text), most)]
    assert wrap_text(text, most, len) == lines


def test_words_among_japanese_are_not_broken():
    text = "「高い段」にはMiraも 3 levels 登れません。"
    assert wrap_text(text, 7, len) == ["「高い段」には", "Miraも 3", "levels", "登れません。"]


def test_what_is_nearer_to_the_corner_and_matters_less_makes_room():
    wishes = ("top right", (20, 20), 1), ("top right", (80, 60), 3), ("bottom left", (60, 30), 6)
    items = [Item(corner, [size], rank) for corner, size, rank in wishes]
    places = arrange((100, 100), items, 2, 1, 1.0)
    boxes = [None, Box(18, 2, 80, 60), Box(2, 68, 60, 30)]
    assert [place and place.box for place in places] == boxes
