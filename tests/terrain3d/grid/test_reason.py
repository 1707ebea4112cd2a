"""Reasons: one text for programs, and its words for a player, with no cell as a pair of numbers."""

import ast
import copy
import json
import pickle
import re
from pathlib import Path

import pytest

import ai
import terrain3d
from ai import MoveRefused, plain_reason
from terrain3d import Cell, Reason
from tests.support.reason_claims import CELL

HERE = "(row 4, col 7)"
VOID = Reason("{} is void", Cell(4, 7), plain="there is no ground at {}")
REFUSAL = Reason("{} cannot go there: {}", "{Mira}", VOID)


@pytest.mark.parametrize(
    ("reason", "text", "elsewhere", "there"),
    [
        (VOID, "(4, 7) is void", f"there is no ground at {HERE}", "there is no ground there"),
        (
            REFUSAL,
            "{Mira} cannot go there: (4, 7) is void",
            f"{{Mira}} cannot go there: there is no ground at {HERE}",
            "{Mira} cannot go there: there is no ground there",
        ),
        (
            Reason("{} is at level {}", Cell(4, 7), 3),
            "(4, 7) is at level 3",
            f"the tile at {HERE} is at level 3",
            "the tile there is at level 3",
        ),
        (
            Reason("{} < {} on {}", 2, 3, Cell(4, 7), plain="{1} on {2}, not {0}"),
            "2 < 3 on (4, 7)",
            f"3 on {HERE}, not 2",
            "3 there, not 2",
        ),
        (Reason("from {} on", Cell(4, 7)), "from (4, 7) on", *[f"from {HERE} on"] * 2),
        (Reason("on {}", Cell(4, 7, 1)), "on (4, 7) deck 1", *["on (row 4, col 7, deck 1)"] * 2),
        (Reason("{no} {values}"), *["{no} {values}"] * 3),
        (Reason("{{{}}} on", 2), *["{2} on"] * 3),
        ("(4, 7) is void, says a log", *["(4, 7) is void, says a log"] * 3),
    ],
)
def test_a_reason_is_a_text_and_knows_the_words_of_a_player(reason, text, elsewhere, there):
    assert reason == text
    assert plain_reason(reason, (4, 7)) == there
    assert plain_reason(reason, Cell(4, 70)) == plain_reason(reason) == elsewhere


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        str,
        lambda it: pickle.loads(pickle.dumps(it)),
        lambda it: str(MoveRefused(it)),
    ],
)
def test_both_wordings_survive(copied):
    assert copied(REFUSAL) == REFUSAL
    assert hash(copied(REFUSAL)) == hash(str.__str__(REFUSAL))
    assert plain_reason(copied(REFUSAL)) == plain_reason(REFUSAL) != REFUSAL


@pytest.mark.parametrize(
    ("mistake", "error"),
    [
        (lambda: Reason(3), TypeError),
        (lambda: Reason("{}", 3, plain=3), TypeError),
        (lambda: Reason("{} {}", 3), IndexError),
        (lambda: Reason("{}", 3, plain="{} {}"), IndexError),
        (lambda: plain_reason(3), TypeError),
        (lambda: plain_reason(VOID, 3), TypeError),
    ],
)
def test_mistakes_are_refused(mistake, error):
    with pytest.raises(error):
        mistake()


def test_files_hold_the_text():
    assert json.loads(json.dumps({"reason": REFUSAL})) == {"reason": REFUSAL}


FILES = [file for part in (ai, terrain3d) for file in Path(part.__file__).parent.rglob("*.py")]
CODE = {file: ast.parse(file.read_text("utf-8")) for file in FILES}


def calls(tree, *names):
    """List the calls of functions and methods of some names."""
    found = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    return [each for each in found if ast.unparse(each.func).rpartition(".")[2] in names]


def wordings():
    """Yield the text, the words of a player and the values of each reason written in the code."""
    for file, tree in CODE.items():
        assigned = [each for each in ast.walk(tree) if isinstance(each, ast.Assign)]
        for call in calls(tree, "Reason"):
            before = [each for each in assigned if each.lineno < call.lineno]
            known = {ast.unparse(each.targets[0]): each.value for each in before}
            plain = next((each.value for each in call.keywords), call.args[0])
            both = [known.get(ast.unparse(each), each) for each in (call.args[0], plain)]
            if isinstance(both[0], ast.Constant):
                where = f"{file.name}:{call.lineno}"
                yield pytest.param(*map(ast.literal_eval, both), call.args[1:], id=where)


@pytest.mark.parametrize(("text", "plain", "values"), [*wordings()])
def test_every_reason_in_the_code_has_words_for_a_player(text, plain, values):
    assert text.count("{}") == len(values) or isinstance(values[-1], ast.Starred)
    reason = Reason(text, *[Cell(4, 7)] * text.count("{}"), plain=plain)
    words = plain_reason(reason)
    assert CELL.search(reason) or "{}" not in text
    assert not CELL.search(words)
    assert not re.search(r"[<>{}\\_]|void|occupied|neighbors|range|brush|start .* is", words)


def bare_texts(node):
    """Yield the f-strings in code, except in errors that it raises."""
    if isinstance(node, ast.JoinedStr):
        yield node
    elif not isinstance(node, ast.Raise):
        for child in ast.iter_child_nodes(node):
            yield from bare_texts(child)


def test_no_reason_in_the_code_is_a_bare_text_with_values():
    n_found = 0
    for file, tree in CODE.items():
        functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
        named = [each for each in functions if re.search("reason$|refusal|^_choose$", each.name)]
        for makes in (*named, *calls(tree, "none", "MoveRefused", "Reason")):
            n_found += 1
            bare = [*bare_texts(makes)]
            assert not bare, f"{file}:{bare[0].lineno} needs a Reason"
    assert n_found > 100
