"""Tables, limits and docstrings on the pages are those of the code."""

import doctest
import importlib
import importlib.util
import inspect
import json
import re
from dataclasses import fields

import pytest

import ai
import terrain3d
from ai import Autopilot, Behavior, Board, Commander, MoveProfile, Navigation, Unit
from ai.game.unit_loader import UnitLoader
from ai.movers import ACROBAT, BY_NAME, HEAVY_FOOT
from ai.rules.heuristics import HEURISTICS
from ai.squads.planner import MAX_ENTRIES
from terrain3d import Node, Signal, TileMap, export, landscape, view
from terrain3d.core import node
from terrain3d.formats import MAX_SURFACES, json_text, registry
from terrain3d.formats.tiled import reader
from terrain3d.formats.tmap import MAX_DRAWN_TILES
from terrain3d.map.heights import MAX_HEIGHT
from terrain3d.mesh.chunks import CHUNK_SIZE
from tests import controls
from tests.catalogs import WORDINGS
from tests.support.pages import DOCS, PAGES, ROOT, programs_in


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


def section(text, title):
    """Return what a page says below a heading of the second level."""
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def shown(default, none="None"):
    """Write a default as the pages do: what has a name can be given by its name."""
    return none if default is None else repr(getattr(default, "name", default)).replace("'", '"')


def written(parameter):
    """Write a parameter as the pages do."""
    name = f"*{parameter.name}" if parameter.kind is parameter.VAR_POSITIONAL else parameter.name
    return name if parameter.default is parameter.empty else f"{name}={shown(parameter.default)}"


# controls.md
def test_the_tables_of_keys_are_those_of_the_program():
    text = text_of("controls.md")
    assert text == controls.with_tables(text), "python -m tests.controls writes them"


# behaviors.md and movers.md

ROWS = re.findall(r"^\| \[`(\w+)\(.*?\)`\]\((\S+)\) \|", text_of("behaviors.md"), re.MULTILINE)
BEHAVIORS = {
    name: value
    for name, value in ((name, getattr(ai, name)) for name in ai.__all__)
    if isinstance(value, type) and issubclass(value, Behavior) and value is not Behavior
}
MOVERS = text_of("movers.md")


def test_every_behavior_is_in_the_table():
    assert [place for _, place in ROWS] == [f"movers.md#{name.lower()}" for name, _ in ROWS]
    names = [name for name, _ in ROWS]
    assert sorted(names) == sorted(BEHAVIORS)
    assert re.findall(r"^## (\w+)$", MOVERS, re.MULTILINE) == names


@pytest.mark.parametrize("name", BEHAVIORS)
def test_every_behavior_has_a_picture_and_a_program(name):
    text = section(MOVERS, name)
    [picture] = re.findall(r"^!\[.+\]\((\S+)\)$", text, re.MULTILINE)
    assert (DOCS / picture).is_file()
    assert any(name in program for program in programs_in(text))


@pytest.mark.parametrize("name", BEHAVIORS)
def test_a_call_on_the_page_is_that_of_the_behavior(name):
    parameters = inspect.signature(BEHAVIORS[name]).parameters.values()
    text = section(MOVERS, name)
    assert f"\n`{name}({', '.join(map(written, parameters))})` " in text
    for each in parameters:
        about = text + MOVERS.partition("\n## ")[0]
        assert len(re.findall(rf"\b{each.name}\b", about)) > 1, each.name


WORDS_OF_REASONS = {
    re.sub(
        r"\{\w+(?::(?:(at|on|to)|tile|([\w ]+s)))?\}",
        lambda it: f"{it[1] or ''} @ {it[2] or ''}".strip(),
        text,
    )
    for text, *_ in WORDINGS.values()
} | {"@"}
"""The wordings of all reasons, with @ for a cell, a number or another reason."""


@pytest.mark.parametrize("name", BEHAVIORS)
def test_reasons_are_worded_as_in_the_code(name):
    paragraph = section(MOVERS, name).split("\nReasons to stay: ")[1].split("\n\n")[0]
    reasons = [code for code in re.findall(r"`(.+?)`", paragraph) if " " in code]
    assert reasons
    for reason in reasons:
        words = re.sub(r"\(\d+, \d+\)|\d+", "@", reason).replace("climb @ > @ at @", "@")
        assert words in {*WORDS_OF_REASONS, "; "}, reason


# techniques.md

TECHNIQUE = r"^\| .*? \| .*?\| \[.+?\]\((\S+?)\) \| `(tests/\S+?)::(\w+)` \|$"
TECHNIQUES = re.findall(TECHNIQUE, text_of("techniques.md"), re.MULTILINE)


def test_every_technique_has_a_section_and_a_test():
    rows = re.findall(r"^\|.*\|$", text_of("techniques.md"), re.MULTILINE)
    assert len(TECHNIQUES) == len(rows) - 2
    assert {place for _, place in ROWS} <= {page for page, _, _ in TECHNIQUES}
    for page, file, test in TECHNIQUES:
        name, _, anchor = page.partition("#")
        titles = re.findall(r"^#+ (.+)$", text_of(name).lower(), re.MULTILINE)
        # As GitHub and Sphinx make them.
        anchors = [re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles]
        assert anchor in anchors, page
        assert f"\ndef {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{test}"


# nodes.md

NODES_PAGE = text_of("nodes.md")
PARTS = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", NODES_PAGE, re.DOTALL | re.MULTILINE)
NODES = {title: text for title, text in PARTS if hasattr(view, title)}


def declared(node, kind):
    """Return the names of the exported properties or the signals of a class."""
    members = [member for base in node.__mro__ for member in vars(base).items()]
    return {name for name, value in members if isinstance(value, kind)}


@pytest.mark.parametrize("title", NODES)
def test_lists_are_those_of_the_node(title):
    node, text = getattr(view, title), " ".join(NODES[title].split())
    constructor = re.search(rf"Constructor: `{title}\((.*?)\)`", text)[1]
    parameters = inspect.signature(node).parameters.values()
    assert constructor.split(", ") == [*map(written, parameters)]
    lists = r"Exported properties: (.*?)(?:; .*?)? - Signals: (.*?)(?:;| ```)"
    exports, signals = re.search(lists, text).groups()
    assert set(re.findall(r"`(\w+)`", exports)) == declared(node, export)
    assert set(re.findall(r"`(\w+)\(", signals)) == declared(node, Signal) - declared(Node, Signal)
    assert programs_in(NODES[title])


def test_every_node_of_the_view_is_on_the_page():
    exported = {*view.__all__}
    named = {name for name in exported if f"`{name}" in NODES_PAGE or f"## {name}" in NODES_PAGE}
    assert exported == named


# formats.md

ROW = r"^\| .+? \| (`\..+?) \| (yes|no) \| (yes|no) \|"
FORMATS = re.findall(ROW, text_of("formats.md"), re.MULTILINE)


def suffixes(column):
    listed = [row[0].replace("`", "").split(", ") for row in FORMATS if row[column] == "yes"]
    return {suffix for row in listed for suffix in row}


def test_the_table_of_formats_is_that_of_the_program():
    known = registry.FORMATS.items()
    assert suffixes(1) == {suffix for suffix, functions in known if functions.read}
    assert suffixes(2) == {suffix for suffix, functions in known if functions.write}


def test_units_in_a_file_stand_in_the_scene():
    (units,) = re.findall(r"```json\n(\"units\".*?)```", text_of("formats.md"), re.DOTALL)
    tilemap = landscape(20, 20, 3)
    tilemap.extras = json.loads(f"{{{units}}}")
    with tilemap.edit() as edit:
        edit.add_deck((2, 3), level=tilemap.level_at((2, 3)) + 3)
    loader = UnitLoader(Board(tilemap), MoveProfile())
    assert [unit.profile for unit in loader.board.units] == [ACROBAT, HEAVY_FOOT]
    assert loader.notes == []


def test_the_table_of_units_names_every_mover():
    page = text_of("formats.md")
    (row,) = re.findall(r"^\| `mover` \| (.*?), else", page, re.MULTILINE)
    assert re.findall(r'"(.+?)"', row) == list(BY_NAME)
    names = re.findall(r"^\| `(\w+)` \|", page.split("## Units")[1].split("##")[0], re.MULTILINE)
    assert names == ["cell", "name", "team", "mover", "move", "heading_deg"]


# paths.md, profiles.md, boards.md


def test_every_query_is_on_the_page():
    page = text_of("paths.md")
    for_planners = {"tilemap", "profile_graph", "costs_to", "share"}
    queries = {name for name in vars(Navigation) if not name.startswith("_")} - for_planners
    assert queries == {name for name in queries if f"`{name}" in page}


def test_every_heuristic_is_in_the_table():
    names = re.findall(r'^\| `"(\w+)"`', section(text_of("paths.md"), "Heuristics"), re.MULTILINE)
    assert tuple(names) == HEURISTICS


def test_every_signal_is_in_the_table():
    rows = re.findall(r"^\| `(\w+)\.(\w+)\((.*?)\)` \|", text_of("boards.md"), re.MULTILINE)
    kinds = {kind.__name__: kind for kind in (Board, Unit, Commander, Autopilot, TileMap)}
    signals = {
        (name, signal): ", ".join(getattr(kind, signal).arguments)
        for name, kind in kinds.items()
        for signal in declared(kind, Signal) - declared(Node, Signal)
    }
    assert {(kind, name): values for kind, name, values in rows} == signals


def test_every_field_of_a_profile_is_on_the_page():
    page = text_of("profiles.md")
    names = {field.name for field in fields(MoveProfile) if field.init}
    assert names == {name for name in names if f"`{name}" in page}


# all pages

EXPORTED = {name: getattr(each, name) for each in (view, terrain3d, ai) for name in each.__all__}


def is_in_code(dotted):
    """Tell whether a dotted name leads to a module or a member."""
    first, *rest = dotted.split(".")
    found = EXPORTED.get(first) or importlib.import_module(first)
    for number, name in enumerate(rest):
        if inspect.ismodule(found) and not hasattr(found, name):
            place = ".".join([first, *rest[: number + 1]])
            if importlib.util.find_spec(place) is None:
                return False
            found = importlib.import_module(place)
        elif not hasattr(found, name):
            return re.search(rf"\b(self\.)?{name}: ", inspect.getsource(found)) is not None
        else:
            found = getattr(found, name)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_dotted_names_are_those_of_the_code(page):
    text = page.read_text(encoding="utf-8").split("### Moved and renamed")[0]  # old names follow
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        for dotted in re.findall(r"(?<![\w/.])[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+(?![\w/])", code):
            if dotted.split(".")[0] in {*EXPORTED, "ai", "terrain3d"}:
                assert is_in_code(dotted), dotted


@pytest.mark.parametrize(
    ("page", "sentence", "limit"),
    [
        ("formats.md", "A file may make at most {:,} tiles on all", MAX_SURFACES),
        ("formats.md", "All layers of a Tiled map make {} as many", reader.MAX_LAYER_TILES),
        ("formats.md", "At most {:,} layers, chunks and objects", reader.MAX_PARTS),
        ("formats.md", "objects together, {:,} different tiles", reader.MAX_PARTS),
        ("formats.md", "each with a number of at most {:,}", reader.MAX_GID),
        ("formats.md", "{:,} elements of XML or values of JSON", reader.MAX_VALUES),
        ("formats.md", "together have at most {} MiB", reader.MAX_BYTES / 2**20),
        ("formats.md", "one node for each {0} x {0} tiles", CHUNK_SIZE),
        ("maps.md", "Heights are finite and at most 10^12 from 0.", MAX_HEIGHT / 10**12),
        ("formats.md", "A map of at most 128 x 128 tiles", MAX_DRAWN_TILES / 128 / 128),
        ("formats.md", "objects with text as keys, at most {} deep", json_text.MAX_DEPTH),
        ("nodes.md", "A tree of nodes has at most {} levels", node.MAX_DEPTH),
        ("nodes.md", "a frame takes at most {:,} seconds", int(node.MAX_FRAME_S)),
        ("squads.md", "at most 1 GB (2^27 numbers", MAX_ENTRIES / 2**27),
    ],
)
def test_the_documentation_names_the_limit(page, sentence, limit):
    text = " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())
    if "{" not in sentence:
        assert limit == 1
    words = {2: "twice", 4: "four times"} if "as many" in sentence else {}
    number = int(limit)
    assert number == limit
    assert sentence.format(words.get(number, number)) in text


PATHS = sorted(path for package in ("ai", "terrain3d") for path in (ROOT / package).rglob("*.py"))
PARTS_OF = [path.relative_to(ROOT) for path in PATHS if ">>> " in path.read_text(encoding="utf-8")]
WITH_EXAMPLES = [".".join(path.with_suffix("").parts) for path in PARTS_OF]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_hold(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
