"""Catalogs of translated texts that tests write."""

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from terrain3d.core.translation import TranslationServer


def write_catalog(folder, language, texts, name="game"):
    """Write a catalog; texts are translations by their messages, of (one, many) lists of forms."""
    catalog = Catalog(language)
    for message, text in texts.items():
        catalog.add(message, text)
    path = folder / language / "LC_MESSAGES" / f"{name}.mo"
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
