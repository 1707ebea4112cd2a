"""Collect the texts for players, and write the catalogs in terrain3d/locale.

`python -m tests.catalogs` writes the template, adds new texts to each .po file and compiles it.
"""

import ast
import re
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import ai.behaviors.behavior  # noqa: F401 - it gives reasons their words
from ai import movers
from ai.analysis import map_check
from ai.game import battle, battle_setup, campaign, descriptions, objective, rule_changes
from ai.game.map_tools import TOOLS_OF_BATTLE
from ai.navigation.search import NAMES, ORDERS
from ai.rules.heuristics import HEURISTICS
from terrain3d import KINDS
from terrain3d.editor.map_editor import CHANGES
from terrain3d.editor.tool_settings import AREAS
from terrain3d.grid import reason
from terrain3d.look import palettes, settings
from terrain3d.program import behaviors, game_scene, modes
from terrain3d.view import command
from tests.support import ROOT
from tests.support.texts import commands

FOLDER = ROOT / "terrain3d" / "locale"
DOMAIN = "terrain3d"
FILES = sorted([*(ROOT / "terrain3d").rglob("*.py"), *(ROOT / "ai").rglob("*.py")])


def words_of_reasons():
    """Return the wordings of all reasons of the code by the module that adds them, and by code."""
    found = {"terrain3d.grid.reason": {"several": reason.WORDINGS["several"]}}
    for file in FILES:
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.Expr) and "register_reasons" in ast.unparse(node)[:20]:
                name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
                import_module(name)
                codes = [word.arg for word in node.value.keywords]
                found[name] = {code: reason.WORDINGS[code] for code in codes}
    return found


WORDINGS = {code: texts for each in words_of_reasons().values() for code, texts in each.items()}
"""The wordings of all reasons of the code, but of no game."""


def words(names):
    """Return names of the code as words."""
    return [name.replace("_", " ") for name in names]


def strings(value):
    """Yield all texts in a table: the values of mappings, the entries of sequences."""
    if isinstance(value, str):
        yield value
    else:
        for entry in value.values() if hasattr(value, "values") else value:
            yield from strings(entry)


def tables():
    """Yield the texts that stand in tables, from which the code takes them."""
    for wording in WORDINGS.values():
        yield wording[-1]
    yield from strings([reason._PLACES, reason._ELSEWHERE])
    yield from strings([command.GAMEPAD_NAMES, command._NAMES])
    yield from command._STICKS
    for each in commands():
        name = re.sub(r" \d+$", "", each["label"] or each["name"].replace("_", " "))
        is_of_game = re.match(r"(skill|kind)_\d", each["name"])  # by the name of its skill or kind
        has_name = each["has_call"] and not is_of_game
        yield from (each["text"], each["shown_keys"], name if has_name else "")
    yield from game_scene.HEADINGS
    for each in vars(modes).values():
        if isinstance(each, type) and issubclass(each, modes.Mode):
            yield from (*each.labels.values(), each.idle, each.away)
    values = (each for values in settings.OPTIONS.values() for each in values)
    yield from strings([settings._LABELS, "on", "off"])
    yield from (each for each in values if isinstance(each, str))
    yield from words(settings.Settings().as_dict().keys() - {"hints_seen", "bindings", "language"})
    yield from (kind.name for kind in KINDS)
    yield from (*battle.SKILLS, *battle.SIDES, *battle_setup.DIFFICULTIES, *objective.PLACES)
    yield from (*campaign.CHAPTERS, *descriptions.DIRECTIONS)
    yield from (movers.figures_of(mover)[0] for mover in movers.BY_NAME.values())
    yield from (*TOOLS_OF_BATTLE, *AREAS, *CHANGES, *palettes.PAINTED.teams, "the game")
    for tool in TOOLS_OF_BATTLE.values():
        yield tool(KINDS[0].name).advice
        yield from (each.name for each in tool(KINDS[0].name).choices)
    yield from behaviors.BEHAVIORS
    yield from (label for _, label, _ in rule_changes._RULES)
    yield from (*map_check.KINDS, map_check.CHOKE_POINT)
    yield from (*NAMES.values(), *HEURISTICS, *words(ORDERS[1:]))


def literals(node, scope):
    """Yield the texts that an argument can be, by the assignments to a name in its function."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body, scope)
        yield from literals(node.orelse, scope)
    elif isinstance(node, ast.Name):
        for each in ast.walk(scope):
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == node.id:
                yield from literals(each.value, scope)


def pairs(call, scope):
    """Yield the singular and the plural of a call of `tr_n`."""
    first, *rest = call.args
    if isinstance(first, ast.Starred):
        [tuple_of] = [
            each.value
            for each in ast.walk(scope)
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == first.value.id
        ]
        first, *rest = tuple_of.elts
    yield from zip(literals(first, scope), literals(rest[0], scope), strict=True)


@cache
def messages():
    """Return all texts for players; those with a plural as (singular, plural)."""
    found = {text for text in tables() if text}
    for file in FILES:
        tree = ast.parse(file.read_text("utf-8"))
        scopes = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
        for scope in scopes:
            for call in ast.walk(scope):
                name = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
                if name in {"tr", "with_keys"}:
                    found.update(literals(call.args[0], scope))
                elif name == "tr_n":
                    found.update(pairs(call, scope))
    for wording in WORDINGS.values():
        nouns = re.findall(r"{\w+:([\w ]+s)}", wording[-1])
        found.update((f"{{n}} {noun[:-1]}", f"{{n}} {noun}") for noun in nouns)
    found -= {pair[0] for pair in found if isinstance(pair, tuple)}
    signs = {text for text in found if isinstance(text, str) and re.fullmatch(r"{\w+}|\W*|.", text)}
    return found - (signs - {", ", "; "})


def template():
    """Return the catalog of all texts, without translations."""
    comment = "# Texts for players, by `python -m tests.catalogs`."
    catalog = Catalog(header_comment=comment, fuzzy=False)
    for text in messages():
        catalog.add(text)
    return catalog


def written(catalog):
    """Return the bytes of a .po file, without what differs from day to day."""
    file = BytesIO()
    write_po(file, catalog, width=100, sort_output=True, ignore_obsolete=True)
    kept = (b"Language:", b"Plural", b"Content", b"MIME")
    lines = file.getvalue().splitlines(keepends=True)
    end = lines.index(b"\n", 1)
    head = [line for line in lines[:end] if line[:1] != b'"' or line[1:].startswith(kept)]
    return b"".join(head + lines[end:]).lstrip()


def updated(path):
    """Return the catalog of a .po file with the texts of today."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.parts[-3])
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.creation_date = catalog.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    return catalog


def compiled(catalog):
    """Return the bytes of a .mo file."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def files():
    """Yield each file of the folder with the bytes that it must have."""
    yield FOLDER / f"{DOMAIN}.pot", written(template())
    for path in sorted(FOLDER.glob("*/LC_MESSAGES/*.po")):
        catalog = updated(path)
        yield path, written(catalog)
        yield path.with_suffix(".mo"), compiled(catalog)


def main():
    """Write all files."""
    for path, data in files():
        path.write_bytes(data)
        print(Path(path).relative_to(ROOT))


if __name__ == "__main__":
    main()
