"""Tests of text wrapping: no words lost, no line too wide, columns of equal height."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from terrain3d.look.layout import split_columns, wrap_text

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


def test_the_breaks_of_a_text_stay():
    assert wrap_text("a bb\n\nc", 3, measure) == ["a", "bb", "", "c"]


def test_a_single_letter_is_not_broken():
    assert wrap_text("ab c", 0.1, measure) == ["a", "b", "c"]
    assert wrap_text("", 5, measure) == [""]


@given(st.lists(st.integers(1, 4), max_size=30), st.integers(4, 40))
def test_columns_contain_all_rows_in_order_and_none_is_too_high(heights, most):
    columns = split_columns(heights, most)
    assert [row for column in columns for row in column] == list(range(len(heights)))
    assert all(sum(heights[row] for row in column) <= most for column in columns)


def test_columns_have_about_equal_heights():
    assert [len(column) for column in split_columns([1] * 21, 20)] == [11, 10]
    assert [len(column) for column in split_columns([1] * 10, 20)] == [10]
    assert split_columns([], 5) == [range(0)]
