"""Writes the tables of keys of docs/controls.md: `python -m tests.controls`."""

import re

from tests.support.pages import DOCS
from tests.support.texts import modes

PAGE = DOCS / "controls.md"


def tables():
    """Return the rows of each table, by the heading of its first column."""
    play, battle = modes()["play"], modes()["battle"]["rows"]
    pause = [row for row in battle["Map"] if row[1].startswith("pause")]
    return {
        "keys": play["all_rows"],
        "with a gamepad": play["all_pad_rows"],
        "in a battle": battle["Battle"] + pause,
        "while the rules are shown": modes()["rules"]["rows"]["Rules"],
        "while a search plays": modes()["watch"]["rows"]["Search theatre"],
        "while the map is edited": modes()["edit"]["rows"]["Map editor"],
    }


def with_tables(text):
    """Return the text of the page with the tables of the program in place of its own."""
    for head, rows in tables().items():
        lines = [f"| {head} | what they do |", "|---|---|"]
        lines += [f"| {keys} | {what} |" for keys, what in rows if keys]
        old = re.compile(rf"^\| {head} \| .*\n(?:\|.*\n)+", re.MULTILINE)
        text, count = old.subn(lambda _, lines=lines: "\n".join(lines) + "\n", text)
        assert count == 1, head
    return text


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
