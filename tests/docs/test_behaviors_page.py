"""The pages of behaviors say what is so: programs, numbers and reasons are those of the code."""

import inspect
import re
import sys

import pytest

import ai
from ai import Behavior
from ai.game.behavior_catalog import BEHAVIORS as CATALOG
from tests.support.pages import DOCS, MOVERS, blocks_of, in_windows, run_in_window, shots_of

INDEX = DOCS / "behaviors.md"
ROWS = re.findall(
    r"^\| \[`(\w+)\(.*?\)`\]\((\S+)\) \| .+? \| `(\w+)` \| \[<img src=\"(\S+)\"",
    INDEX.read_text(encoding="utf-8"),
    re.MULTILINE,
)
BEHAVIORS = {
    name: value
    for name, value in ((name, getattr(ai, name)) for name in ai.__all__)
    if isinstance(value, type) and issubclass(value, Behavior) and value is not Behavior
}
PAGE_OF = {name: (DOCS / page).resolve() for name, page, _, _ in ROWS}

# What is done with each program in a window: for so many seconds, until something is so, and then.
ACTS = {
    "intercept": (
        9,
        "tilemap.grid.distance(fox.cell, hare.cell) == 1",
        "tilemap.grid.distance(dog.cell, hare.cell) > 1",
    ),
    "keep-distance": (9, "all(mind.reason[:5] == 'keeps' for mind in minds.values())", "True"),
    "waypoints": (9, "travel.reason", "mira.cell[:2] == (0, 11)"),
}
ACT = """
for _ in range({seconds} * 20):
    tree.advance(0.05)
    if {until}:
        break
else:
    raise AssertionError("{until} has not come to be")
assert {then}
"""


def programs(is_in_window):
    """List the programs on all these pages, each with the name of its page."""
    found = []
    for page in (INDEX, *MOVERS):
        blocks = blocks_of(page.read_text(encoding="utf-8"))
        found += [
            (page.stem, each) for each in blocks if (each in in_windows(blocks)) == is_in_window
        ]
    return found


@pytest.mark.parametrize(("name", "program"), programs(is_in_window=False))
def test_programs_run_as_printed(name, program):
    exec(compile(program, name, "exec"), {})


@pytest.mark.parametrize(("name", "program"), programs(is_in_window=True))
def test_programs_in_a_window_run_as_printed(name, program, tmp_path):
    seconds, until, then = ACTS[name]
    act = ACT.format(seconds=seconds, until=until, then=then)
    _, n_colors = run_in_window(program, act, tmp_path)
    assert n_colors > 50


def test_every_behavior_and_every_way_stands_in_the_table():
    assert [name for name, _, _, _ in ROWS] == [name for name in PAGE_OF if name in BEHAVIORS]
    assert set(PAGE_OF) == set(BEHAVIORS)
    assert [way for _, _, way, _ in ROWS] == [*CATALOG]
    assert sorted(PAGE_OF.values()) == MOVERS


@pytest.mark.parametrize("name", BEHAVIORS)
def test_every_behavior_has_a_page_with_a_picture_and_a_program(name):
    page = PAGE_OF[name].read_text(encoding="utf-8")
    [picture] = re.findall(r"^!\[.+\]\((\S+)\)$", page, re.MULTILINE)
    assert (PAGE_OF[name].parent / picture).is_file()
    assert blocks_of(page)
    made = [words[words.index("--out") + 1] for words in shots_of(page)]
    assert made == [picture] or ("python -m tests.screenshots docs" in page and not made)


@pytest.mark.parametrize("name", BEHAVIORS)
def test_its_table_of_parameters_is_that_of_the_class(name):
    told = re.findall(r"^\| `(\w+)` \|(.*?)\| \w", section(name, "Parameters"), re.MULTILINE)
    parameters = inspect.signature(BEHAVIORS[name]).parameters.values()
    assert [(word, default.strip()) for word, default in told] == [
        (each.name, "" if each.default is each.empty else shown(each.default))
        for each in parameters
    ]


@pytest.mark.parametrize("name", BEHAVIORS)
def test_its_reasons_are_worded_as_in_the_code(name):
    reasons = re.findall(r"^\| `(.+?)` \|", section(name, "When it stays"), re.MULTILINE)
    sources = [inspect.getsource(sys.modules[BEHAVIORS[name].__module__])]
    sources.append(inspect.getsource(sys.modules["ai.rules.reasons"]))
    assert reasons
    for reason in reasons:
        for part in re.split(r"\(\d+, \d+\)|\d+|climb|>", reason):
            assert any(part.strip() in source for source in sources), reason


def section(name, title):
    page = PAGE_OF[name].read_text(encoding="utf-8")
    return page.split(f"## {title}\n")[1].split("\n## ")[0]


def shown(default):
    """Write a default as the pages do."""
    if default is None:
        return "`None`"
    return f'"{default}"' if isinstance(default, str) else str(default)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_what_a_page_links_to_and_shows_is_there(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)|src=\"([^\":]+)\"", text):
        assert (page.parent / "".join(target)).exists(), target
