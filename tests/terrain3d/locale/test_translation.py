"""Catalogs hold the texts of the code, and numbers choose a form."""

from gettext import GNUTranslations
from io import BytesIO
from string import Formatter

import pytest

from ai import plain_reason
from terrain3d import Cell, Reason, TileMap, tr, tr_n
from terrain3d.look.settings import Settings, SettingsFile
from terrain3d.program.commands import read_settings
from tests.catalogs import DOMAIN, FOLDER, compiled, messages, read_po, template, updated
from tests.support.programs import run_main
from tests.support.texts import fresh_server, write_catalog


def test_a_reason_is_translated_where_a_player_reads_it_and_nowhere_else(tmp_path, translations):
    texts = {
        "no path leads {goal:to}": "kein Weg führt {goal:to}",
        "to {place}": "nach {place}",
        "there": "dorthin",
        "(row {row}, col {col})": "Zeile {row}, Spalte {col}",
        "{kind} cannot be entered {cell:at}": "{kind} ist nicht begehbar",
        "water": "Wasser",
    }
    write_catalog(tmp_path, "de", texts)
    translations.add_folder(tmp_path)
    translations.set_language("de")
    reason = Reason("no_path", goal=Cell(4, 7))
    assert plain_reason(reason) == "kein Weg führt nach Zeile 4, Spalte 7"
    assert plain_reason(reason, (4, 7)) == "kein Weg führt dorthin"
    closed = Reason("closed_kind", kind="water", cell=Cell(1, 2))
    assert plain_reason(closed) == "Wasser ist nicht begehbar"
    assert reason == "no path leads to (4, 7)"
    translations.set_language("en")
    assert plain_reason(reason, (4, 7)) == "no path leads there"


CATALOGS = {
    "ja_JP": {"Help": "JP"},
    "ja": {"Help": "ja", "Undo": "ja", ("{n} cat", "{n} cats"): ["{n} neko"]},
    "de": {"Help": "de", "Tile": "de"},
    "pl": {"Help": "pl"},
    "pt_BR": {"Help": "pt"},
    "en_GB": {"Tile": "Tyle"},
}


@pytest.mark.parametrize(
    ("environment", "language", "texts"),
    [
        ({}, "en", "Help Undo Tile"),
        ({"LANG": "de_AT.UTF-8"}, "de", "de Undo de"),
        ({"LANG": "pt_BR.UTF-8@latin"}, "pt_BR", "pt Undo Tile"),
        ({"LANG": "de", "LC_MESSAGES": "pl", "LC_ALL": "C.UTF-8"}, "en", "Help Undo Tile"),
        ({"LANG": "de", "LANGUAGE": "fr:pl:de"}, "pl", "pl Undo de"),
        ({"LANG": "de", "LANGUAGE": "en_AU:de"}, "en", "Help Undo Tile"),
        ({"LANG": "de", "LANGUAGE": ""}, "de", "de Undo de"),
        ({"LANG": "ja_JP.UTF-8"}, "ja_JP", "JP ja Tile"),
        ({"LANGUAGE": "ja_JP:de"}, "ja_JP", "JP ja de"),
        ({"LANGUAGE": "de:ja_JP"}, "de", "de ja de"),
        ({"LANGUAGE": "ja_JP:en:de"}, "ja_JP", "JP ja Tile"),
        ({"LANGUAGE": "en_GB:de"}, "en_GB", "Help Undo Tyle"),
    ],
)
def test_the_environment_chooses_and_each_text_falls_back_to_its_language_and_the_next(
    tmp_path, monkeypatch, environment, language, texts
):
    for name, translated in CATALOGS.items():
        write_catalog(tmp_path, name, translated)
    server = fresh_server(monkeypatch, **environment)
    server.add_folder(tmp_path)
    found = [server.catalog().gettext(text) for text in ("Help", "Undo", "Tile")]
    assert (server.language, found) == (language, texts.split())
    assert {"en", *CATALOGS} <= {*server.languages}
    for name, chosen in (("pl", "pl"), (None, language)):
        server.set_language(name)
        assert server.language == chosen


def test_a_language_of_a_country_is_chosen_with_what_it_falls_back_to(tmp_path, translations):
    translations.set_language("ja_JP")
    assert translations.fallbacks == ("ja", "en")
    nothing_drawn = tr("nothing to undo")
    assert nothing_drawn != "nothing to undo"
    write_catalog(tmp_path, "ja_JP", {"Start": "開始", ("{n} cat", "{n} cats"): ["猫{n}匹"]})
    translations.add_folder(tmp_path)
    assert translations.language == "ja_JP"
    assert translations.fallbacks == ("ja_JP", "ja", "en")
    found = [tr(text) for text in ("Start", "nothing to undo", "Unknown")]
    assert found == ["開始", nothing_drawn, "Unknown"]
    assert tr_n("{n} cat", "{n} cats", 2) == "猫2匹"


@pytest.mark.parametrize("rule", ["n%0", "5/(n-3)", "n % n", "1 / 00"])
def test_a_rule_of_plurals_that_may_divide_by_zero_is_refused(tmp_path, translations, rule):
    path = write_catalog(tmp_path, "de", {("{n} cat", "{n} cats"): ["A", "B"]})
    good, right = path.read_bytes(), b"(n != 1)"
    assert right in good
    path.write_bytes(good.replace(right, rule.ljust(len(right)).encode()))
    translations.add_folder(tmp_path)
    with pytest.raises(ValueError, match=r"game.mo must be a catalog of gettext: .* other than 0"):
        translations.set_language("de")
    assert translations.language == "en"
    path.write_bytes(good)
    translations.set_language("de")
    assert tr_n("{n} cat", "{n} cats", 3) == "B"


def test_a_number_takes_the_form_of_the_language(tmp_path, translations):
    def levels(n):
        return tr_n("{n} level", "{n} levels", n)

    found = ", ".join(levels(n) for n in (0, 1, 2, 1.0, 0.5, -1))
    assert found == "0 levels, 1 level, 2 levels, 1 level, 0.5 levels, -1 level"
    forms = ["{n} poziom", "{n} poziomy", "{n} poziomów"]
    write_catalog(tmp_path, "pl", {("{n} level", "{n} levels"): forms})
    translations.add_folder(tmp_path)
    translations.set_language("pl")
    found = ", ".join(levels(n) for n in (1, 2, 5, 22, 112))
    assert found == "1 poziom, 2 poziomy, 5 poziomów, 22 poziomy, 112 poziomów"
    assert levels(float("inf")) == "inf poziomy"


def test_a_game_has_its_own_texts_and_replaces_others(tmp_path, translations):
    heard = []
    translations.changed.connect(lambda: heard.append(translations.language))
    write_catalog(tmp_path / "a", "xx", {"Help": "first", "Undo": "below"})
    write_catalog(tmp_path / "b", "xx", {"Help": "second", "Fireball": "own", "": "no text"})
    for folder in ("a", "b"):
        translations.add_folder(tmp_path / folder)
    translations.set_language("xx")
    found = [tr(text) for text in ("Help", "Undo", "Fireball", "Unknown", "")]
    assert found == ["second", "below", "own", "Unknown", ""]
    assert heard[-1] == "xx"


def test_a_translation_with_wrong_fields_does_not_stop_a_game(tmp_path, translations):
    wrong = ("{nme} geht", "{name.x} geht", "{name:d} geht", "{name geht", "{0} geht")
    texts = {f"{{name}} walks {n}": text for n, text in enumerate(wrong)}
    texts["{n} level", "{n} levels"] = ["{m} Stufe", "{n} Stufen"]
    write_catalog(tmp_path, "de", texts)
    translations.add_folder(tmp_path)
    translations.set_language("de")
    for n in range(len(wrong)):
        assert tr(f"{{name}} walks {n}", name="Mira") == f"Mira walks {n}"
    assert [tr_n("{n} level", "{n} levels", n) for n in (1, 2)] == ["1 level", "2 Stufen"]


def test_a_mistake_leaves_the_language_as_it_was(tmp_path, translations):
    path = write_catalog(tmp_path, "xx", {"Help": "first"})
    translations.add_folder(tmp_path)
    translations.set_language("xx")
    with pytest.raises(ValueError, match=r"language must be one of 'en', .*'xx', got 'tlh'"):
        translations.set_language("tlh")
    with pytest.raises(ValueError, match=r"must hold <language>/LC_MESSAGES/<name>.mo"):
        translations.add_folder(tmp_path / "xx")
    good = path.read_bytes()
    odd = good.replace(b"charset=utf-8", b"charset=xyz-8").replace(b"=UTF-8", b"=XYZ-8")
    assert odd != good
    for damage in (b"", good[:-9], b"\xff" * 40, odd):
        broken = tmp_path / "more" / "xx" / "LC_MESSAGES" / "broken.mo"
        broken.parent.mkdir(parents=True, exist_ok=True)
        broken.write_bytes(damage)
        with pytest.raises(ValueError, match=r"broken.mo must be a catalog of gettext"):
            translations.add_folder(tmp_path / "more")
    assert translations.language == "xx"
    assert tr("Help") == "first"
    with pytest.raises(TypeError, match=r"message must be a str, got 3"):
        tr(3)
    with pytest.raises(TypeError, match=r"n must be a number, got '3'"):
        tr_n("{n} level", "{n} levels", "3")


def test_the_settings_of_a_player_choose_the_language(tmp_path, translations, capsys):
    file = SettingsFile(tmp_path / "settings.json")
    for name, language in (("ja", "ja"), ("", "en"), ("tlh", "en")):
        file.save(Settings(language=name))
        assert read_settings(file).language == name
        assert translations.language == language
    assert "language must be one of 'en', 'ja', got 'tlh'; using" in capsys.readouterr().err


PATH = "path --map MAP --from 0,0 --to 0,3"


@pytest.mark.parametrize("command", [PATH, f"{PATH} --json", "check MAP"])
def test_commands_are_english_for_a_japanese(tmp_path, monkeypatch, capsys, translations, command):
    path = tmp_path / "vale.tmap"
    TileMap.from_text("0009").save(path)
    arguments = command.replace("MAP", str(path)).split()
    spoken = []
    for name in "en", "ja":
        monkeypatch.setenv("LANGUAGE", name)
        translations.set_language(None)
        assert translations.language == name
        spoken.append(run_main(capsys, *arguments))
    assert any("(0, 3)" in line or "0, 3" in line for line in spoken[0][1])
    assert spoken[0] == spoken[1]


PATHS = sorted(FOLDER.glob("*/LC_MESSAGES/*.po"))
REMEDY = "run python -m tests.catalogs"


def fields(text):
    """Name the fields of a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def texts_of(catalog):
    return {each.id: each.string for each in catalog if each.id}


def test_the_template_has_all_texts():
    with (FOLDER / f"{DOMAIN}.pot").open("rb") as file:
        assert texts_of(read_po(file)).keys() == messages() == texts_of(template()).keys(), REMEDY
    assert len(messages()) > 500


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.parts[-3])
def test_a_catalog_has_the_texts_of_the_template(path):
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.parts[-3])
    assert texts_of(catalog) == texts_of(updated(path)), REMEDY
    with path.with_suffix(".mo").open("rb") as file:
        found = GNUTranslations(file)._catalog
    expected = GNUTranslations(BytesIO(compiled(catalog)))._catalog
    found.pop(""), expected.pop("")
    assert found == expected, REMEDY


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.parts[-3])
def test_a_translation_has_the_fields_of_its_text(path):
    for text, translated in texts_of(updated(path)).items():
        forms = [translated] if isinstance(translated, str) else translated
        one, many = (text, text) if isinstance(text, str) else text
        for form in filter(None, forms):
            assert fields(form) <= fields(many) | fields(one), (text, form)
            assert fields(form) >= fields(many) - {"n"}, (text, form)


def test_japanese_has_all_texts_but_names_of_keys():
    [path] = [path for path in PATHS if path.parts[-3] == "ja"]
    left = [text for text, done in texts_of(updated(path)).items() if not any(done)]
    words = [text for text in left if isinstance(text, tuple) or len(text) > 20]
    assert (words, len(left) < 40) == ([], True)
