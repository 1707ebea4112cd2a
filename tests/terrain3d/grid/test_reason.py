"""Reasons: data with one wording for programs, and one for players with no pairs of numbers."""

import ast
import copy
import json
import pickle
import re
import subprocess
import sys
from string import Formatter

import pytest

from ai import MoveRefused, plain_reason
from terrain3d import Cell, Reason, register_reasons
from terrain3d.grid import reason as reasons
from terrain3d.grid.reason import join_reasons
from tests.catalogs import FILES, WORDINGS, words_of_reasons
from tests.support import ROOT
from tests.support.reason_claims import CELL
from tests.support.selection import table
from tests.support.texts import write_catalog

HERE = "(row 4, col 7)"
VOID = Reason("is_void", cell=Cell(4, 7))
REFUSAL = Reason("cannot_go", unit="{Mira}", why=VOID)


@table(
    "reason text elsewhere there",
    (VOID, "(4, 7) is void", f"there is no ground at {HERE}", "there is no ground there"),
    (
        REFUSAL,
        "{Mira} cannot go there: (4, 7) is void",
        f"{{Mira}} cannot go there: there is no ground at {HERE}",
        "{Mira} cannot go there: there is no ground there",
    ),
    (
        join_reasons([VOID, "is tired", Reason("is {lost}")]),
        "(4, 7) is void; is tired; is {lost}",
        f"there is no ground at {HERE}; is tired; is {{lost}}",
        "there is no ground there; is tired; is {lost}",
    ),
    (join_reasons([]), *[""] * 3),
    (Reason("from {a} on", a=Cell(4, 7)), "from (4, 7) on", *[f"from {HERE} on"] * 2),
    (Reason("{a:on}", a=Cell(4, 7, 1)), "on (4, 7) deck 1", *["on (row 4, col 7, deck 1)"] * 2),
    (Reason("{{{n}}} on", n=2), *["{2} on"] * 3),
    ("(4, 7) is void, says a log", *["(4, 7) is void, says a log"] * 3),
)
def test_a_reason_is_a_text_and_knows_the_words_of_a_player(reason, text, elsewhere, there):
    assert reason == text
    assert plain_reason(reason, (4, 7)) == there
    assert plain_reason(reason, Cell(4, 70)) == plain_reason(reason) == elsewhere


def test_without_coordinates_no_reason_names_a_row_or_a_column():
    def plain(reason, aim=None):
        return plain_reason(reason, aim, has_coordinates=False)

    cell, levels = Cell(4, 7, 1), {"rise": 3, "limit": 2}
    why = Reason("high_climb", cell=cell, **levels)
    elsewhere = "the climb at another tile is 3 levels, the limit is 2"
    assert plain(join_reasons([why])) == plain(why) == elsewhere
    assert plain(why, cell) == "the climb there is 3 levels, the limit is 2"
    for code, wordings in WORDINGS.items():
        for text in wordings:
            fields = [(name, spec) for _, name, spec, _ in Formatter().parse(text) if name]
            is_place = {name: spec in {"at", "on", "to", "tile"} for name, spec in fields}
            is_place |= dict.fromkeys(fields_of(wordings[0]) - is_place.keys() - {""}, False)
            reason = Reason(code, **{name: cell if is_place[name] else 0 for name in is_place})
            assert not re.search(r"\brow\b|\bcol\b", plain(reason)), code


def test_a_reason_is_data():
    assert (REFUSAL.code, dict(REFUSAL.values)) == ("cannot_go", {"unit": "{Mira}", "why": VOID})
    assert (VOID.code, VOID.cells, REFUSAL.cells) == ("is_void", (Cell(4, 7),), (Cell(4, 7),))
    wall = Reason("wall_between", start=Cell(1, 2), end=Cell(1, 3))
    assert join_reasons([wall, "is tired", REFUSAL]).cells == (*wall.cells, Cell(4, 7))
    assert (Reason("is {lost}").code, Reason("is {lost}").cells) == ("is {lost}", ())
    with pytest.raises(AttributeError):
        VOID.code = "is_occupied"
    with pytest.raises(TypeError):
        VOID.values["cell"] = Cell(0, 0)


PICKLED, RAISED = lambda it: pickle.loads(pickle.dumps(it)), lambda it: str(MoveRefused(it))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, str, PICKLED, RAISED])
def test_the_data_survive(copied):
    assert copied(REFUSAL) == REFUSAL
    assert hash(copied(REFUSAL)) == hash(str.__str__(REFUSAL))
    assert (copied(REFUSAL).code, copied(REFUSAL).cells) == ("cannot_go", (Cell(4, 7),))
    assert plain_reason(copied(REFUSAL)) == plain_reason(REFUSAL) != REFUSAL


@table(
    "mistake error",
    (lambda: Reason("no_path", cell=Cell(0, 0)), KeyError),
    (lambda: Reason("{a} {b}", a=3), KeyError),
    (lambda: Reason("the way {goal:at}", goal=("a", "b")), TypeError),
    *(
        (lambda words=words: register_reasons(is_shut=words), error)
        for words, error in [
            ("it is shut", TypeError),
            (("it is shut", 3), TypeError),
            ((), ValueError),
            (("a", "b", "c"), ValueError),
            (("{door is shut",), ValueError),
            (("it is shut", "{door} is shut"), ValueError),
        ]
    ),
    (lambda: register_reasons(is_shut=("shut",), is_void=("nothing",)), ValueError),
)
def test_mistakes_are_refused(mistake, error):
    with pytest.raises(error):
        mistake()
    assert "is_shut" not in reasons.WORDINGS


@pytest.fixture
def own_reason(monkeypatch):
    """Let a reason be known in this test only."""
    monkeypatch.setattr(reasons, "WORDINGS", {**reasons.WORDINGS})
    yield {"is_jammed": ("{door} is jammed at {cell}", "the {door} {cell:at} does not open")}
    reasons._wordings.cache_clear()


def test_a_game_adds_reasons_that_are_translated(own_reason, tmp_path, translations):
    assert Reason("is_jammed") == "is_jammed"  # not known yet
    register_reasons(**own_reason)
    register_reasons(**own_reason)  # as when a module is loaded again
    reason = Reason("is_jammed", door="gate", cell=(4, 7))
    assert reason == "gate is jammed at (4, 7)"
    assert plain_reason(reason, (4, 7)) == "the gate there does not open"
    texts = {own_reason["is_jammed"][1]: "{cell:at}は{door}が開きません", "there": "そこ"}
    write_catalog(tmp_path, "ja", texts)
    translations.add_folder(tmp_path)
    translations.set_language("ja")
    assert plain_reason(reason, (4, 7)) == "そこはgateが開きません"
    kept = pickle.dumps(reason)
    reasons.WORDINGS.pop("is_jammed")  # as in a process that has not imported the game
    reasons._wordings.cache_clear()
    assert plain_reason(pickle.loads(kept), (4, 7)) == "そこはgateが開きません"


CODE = {file: ast.parse(file.read_text("utf-8")) for file in FILES}


def calls(tree, *names):
    """List the calls of functions and methods of some names."""
    found = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    return [each for each in found if ast.unparse(each.func).rpartition(".")[2] in names]


def fields_of(wording):
    return {name for _, name, _, _ in Formatter().parse(wording) if name is not None}


def constants(node):
    """List the constants that a value can be: itself, or a part of a choice."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    if isinstance(node, ast.BoolOp):
        return [text for each in node.values for text in constants(each)]
    return [node.value] if isinstance(node, ast.Constant) else []


@pytest.mark.parametrize("code", WORDINGS)
def test_every_reason_has_words_for_a_player(code):
    text, plain = WORDINGS[code][0], WORDINGS[code][-1]
    assert re.fullmatch(r"[a-z_]+", code)
    assert fields_of(plain) <= fields_of(text)
    numbers = set(re.findall(r"{(\w+):[\w ]+s}", plain))
    values = {name: 1 if name in numbers else Cell(4, 7) for name in fields_of(text)}
    words = plain_reason(Reason(code, **values))
    assert not re.search(r"\b1 (level|tile|move point|detour|deck)s", words)
    assert not CELL.search(words)
    assert not re.search(r"[<>{}\\_]|void|occupied|neighbors|range|brush|start .* is", words)


def test_the_code_gives_every_reason_the_values_of_its_wording():
    used = set()
    for file, tree in CODE.items():
        for call in calls(tree, "Reason", "Stay"):
            given = {each.arg for each in call.keywords}
            for code in constants(call.args[0]):
                where = f"{file.name}:{call.lineno}"
                assert code in WORDINGS, where
                assert None in given or fields_of(WORDINGS[code][0]) == given, where
                used.add(code)
    # The code chooses among these before it makes a reason.
    chosen = {"highest_level", "lowest_level", "two_end", "two_start"}
    chosen |= {"both_on_cell", "trade_places", "would_brush"}
    assert WORDINGS.keys() - used == chosen


IMPORTED_ALONE = """
import importlib, json, sys
for name, codes in json.load(sys.stdin).items():
    for loaded in [*sys.modules]:
        if loaded.partition(".")[0] in ("ai", "terrain3d"):
            del sys.modules[loaded]
    importlib.import_module(name)
    missing = {*codes} - {*sys.modules["terrain3d.grid.reason"].WORDINGS}
    assert not missing, (name, missing)
"""


def test_a_module_that_gives_a_reason_has_its_words_when_it_is_imported_alone():
    """The words are in the module, in `reasons` of its package, or in what the module imports."""
    added = words_of_reasons()
    given = {"ai.board.game_record": {"is_void", "is_occupied", "cannot_stop", "ground_gone"}}
    for file, tree in CODE.items():
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        package = name.rpartition(".")[0]
        words = {**added.get(name, {}), **added.get(f"{package}.reasons", {})}
        codes = {code for call in calls(tree, "Reason", "Stay") for code in constants(call.args[0])}
        if codes - words.keys():
            given.setdefault(name, set()).update(codes - words.keys())
        if name in added and not codes:
            given[package] = added[name].keys()
    codes = json.dumps({name: [*codes] for name, codes in given.items()})
    command = [sys.executable, "-c", IMPORTED_ALONE]
    subprocess.run(command, cwd=ROOT, input=codes, text=True, check=True)


def bare_texts(node):
    """Yield the f-strings in code, except in errors that it raises."""
    if isinstance(node, ast.JoinedStr):
        yield node
    elif not isinstance(node, ast.Raise):
        for child in ast.iter_child_nodes(node):
            yield from bare_texts(child)


def test_no_reason_in_the_code_is_a_bare_text():
    n_found = 0
    for file, tree in CODE.items():
        if "program" in file.parts:  # says what keys do, to players alone
            continue
        functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
        named = [each for each in functions if re.search("reason$|refusal|^_choose$", each.name)]
        for makes in (*named, *calls(tree, "none", "MoveRefused", "Reason")):
            n_found += 1
            bare = [*bare_texts(makes)]
            assert not bare, f"{file}:{bare[0].lineno} needs a Reason"
            returned = [each for each in ast.walk(makes) if isinstance(each, ast.Return)]
            texts = [text for each in returned for text in constants(each.value) if text]
            assert not texts, f"{file}:{makes.lineno}: {texts}"
    assert n_found > 100


@table(
    "code value text for_players",
    ("the way {v:at}", (4, 7), "the way at (4, 7)", "the way at another tile"),
    ("row {v.row}", Cell(4, 7), "row 4", "row 4"),
    ("costs {v:.2f}", 1.5, "costs 1.50", "costs 1.50"),
    ("door {v:03d}", 5, "door 005", "door 005"),
    ("{v:>6}", "ab", "    ab", "    ab"),
    ("looks {v:at}", "Bram", "looks at Bram", "looks at Bram"),
    ("{v:keys}", 1, "1 keys", "1 key"),
    ("{v:keys}", Cell(4, 7), "(4, 7) keys", "another tile keys"),
)
def test_a_field_of_a_game_takes_formats_of_python(code, value, text, for_players):
    reason = Reason(code, v=value)
    assert reason == text
    assert plain_reason(reason, has_coordinates=False) == for_players
