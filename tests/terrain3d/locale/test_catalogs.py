"""The catalogs hold the texts of the code, and their translations fit them."""

from gettext import GNUTranslations
from io import BytesIO
from string import Formatter

import pytest

from tests.catalogs import DOMAIN, FOLDER, compiled, messages, read_po, template, updated

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
