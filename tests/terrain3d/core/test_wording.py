"""Numbers and counts in texts."""

import pytest

from terrain3d.core.wording import counted, plain


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 step"), (2, "2 steps"), (0, "0 steps"), (1.0, "1 step"), (0.1 + 0.2, "0.3 steps")],
)
def test_a_count_has_its_noun_in_the_right_number(number, text):
    assert counted(number, "step") == text


def test_large_numbers_keep_their_digits():
    assert plain(1_234_567) == "1234567"
    assert plain(0.1 + 0.2) == "0.3"
