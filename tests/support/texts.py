"""Commands of each mode of the scene, which a process of its own opens, and catalogs."""

import json
from functools import cache

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from terrain3d.core.translation import TranslationServer
from tests.support.programs import run_python

FIELDS = "name", "keys", "text", "label", "shown_keys"


@cache
def modes():
    """Return the commands of each mode, and the rows of its help with keys and with a gamepad.

    All are by their headings; a command is a dictionary of its `FIELDS`, and whether it `has_call`.
    """
    run = run_python("-m", "tests.support.texts", env=None, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@cache
def commands():
    groups = [group for mode in modes().values() for group in mode["commands"].values()]
    return [each for group in groups for each in group]


def _shown(scene):
    from terrain3d.view import key_rows

    bindings = scene.tree.input
    groups, found = bindings.groups, {}
    found["commands"] = {
        heading: [
            {name: getattr(each, name) for name in FIELDS} | {"has_call": each.call is not None}
            for each in group
        ]
        for heading, group in groups.items()
    }
    for name, is_pad in (("rows", False), ("pad_rows", True)):
        bindings.is_gamepad_used = is_pad
        found[name] = {heading: key_rows(group, bindings) for heading, group in groups.items()}
        found[f"all_{name}"] = [*scene.key_rows(), *found[name][""]]
    bindings.is_gamepad_used = False
    return found


def _main():
    from ai import MoveProfile
    from ai.game.battle_setup import Match, set_up
    from terrain3d import landscape
    from terrain3d.program.game_scene import GameScene
    from terrain3d.view import Preferences
    from terrain3d.view.window import window

    found = {}
    with window.still_tree((160, 90), "low") as tree:
        preferences = tree.root.add_child(Preferences())

        def opened(match):
            tilemap = landscape(24, 24, 3, 8) if match is None else match.battle.board.tilemap
            scene = GameScene(3, tilemap, MoveProfile(), preferences, match=match)
            tree.root.add_child(scene)
            scene.commander.is_open = True
            scene.opening.skip()
            tree.advance(0.0)
            tree.advance(0.0)
            return scene

        scene = opened(None)
        found["play"] = _shown(scene)
        for mode, opens, closes in (
            ("rules", "rules", "rules"),
            ("edit", "map_editor", "map_editor"),
            ("watch", "search_theatre", "close_search"),
        ):
            tree.input.press(opens)
            tree.advance(0.0)
            found[mode] = _shown(scene)
            tree.input.press(closes)
        scene.queue_free()
        tree.advance(0.0)
        found["battle"] = _shown(opened(Match(set_up(landscape(24, 24, 3, 8), 3)[0])))
    print(json.dumps(found))


def write_catalog(folder, language, texts):
    """Write a catalog; texts are translations by their messages, of (one, many) lists of forms."""
    catalog = Catalog(language)
    for message, text in texts.items():
        catalog.add(message, text)
    path = folder / language / "LC_MESSAGES" / "game.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, catalog)
    return path


def fresh_server(monkeypatch, **environment):
    """Return a server that has loaded nothing, in an environment with these variables alone."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return TranslationServer()


if __name__ == "__main__":
    _main()
