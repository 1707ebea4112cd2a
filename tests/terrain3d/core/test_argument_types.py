"""Parsers of command line arguments take what their messages say, up to the limits."""

from argparse import ArgumentTypeError

import pytest

from terrain3d.core.argument_types import (
    cell_argument,
    names_argument,
    number_argument,
    pair_argument,
    size_argument,
)


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (cell_argument, "4,7", (4, 7)),
        (size_argument, "1280x720", (1280, 720)),
        (size_argument, "1x1", (1, 1)),
        (size_argument, "8192X8192", (8192, 8192)),
        (number_argument, "-3", -3),
        (number_argument, "2.5", 2.5),
        (names_argument, "Mira, Tove", ("Mira", "Tove")),
        (pair_argument, "Bram=chase", ("Bram", "chase")),
        (pair_argument, "a=b=c", ("a", "b=c")),
    ],
)
def test_arguments_are_read(parse, text, value):
    assert parse(text) == value
    assert type(parse(text)) is type(value)


@pytest.mark.parametrize(
    ("parse", "texts", "message"),
    [
        (cell_argument, ["4", "4,7,1", "a,b", ""], "a cell is ROW,COL, like 4,7; got"),
        (
            size_argument,
            ["0x5", "5x0", "8193x5", "5x8193", "-1x5", "5", "1x2x3", ""],
            r"a size is WIDTHxHEIGHT with 1\.\.8192 pixels each, like 1280x720; got",
        ),
        (number_argument, ["", "one", "1-2"], "must be a number, got"),
        (names_argument, ["", ",", "Mira,", ",Mira", "Mira, ,Tove"], "must be NAME,NAME"),
        (pair_argument, ["", "Bram", "Bram=", "=chase", "="], "must be NAME=VALUE"),
    ],
)
def test_other_texts_are_refused_with_an_example(parse, texts, message):
    for text in texts:
        with pytest.raises(ArgumentTypeError, match=message):
            parse(text)
