"""Translate the texts that a player sees, by gettext's catalogs; a process has one language."""

from __future__ import annotations

import gettext
import math
import os
import re
import struct
from collections.abc import Mapping
from importlib import resources
from itertools import chain
from pathlib import Path

from terrain3d import locale
from terrain3d.core.checks import (
    checked_path,
    instance_of,
    number_within,
    optional,
    plain,
    quoted,
)
from terrain3d.core.signals import Signal

ENGLISH = "en"
"""The language of the texts in programs, which needs no catalog."""
_CATALOGS = "*/LC_MESSAGES/*.mo"
_VARIABLES = "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"
_NO_TRANSLATION = {"C", "POSIX", ENGLISH}
_BAD_DIVISOR = re.compile(r"[/%](?!\s*0*[1-9])")
"""A rule of plurals that divides by anything but a number, which might be 0."""


class TranslationServer:
    """The language of a process and its catalogs; `translation_server` is the only one.

    A catalog is a file `<language>/LC_MESSAGES/<name>.mo` in a folder. The folder of this package
    is known; one that is added later comes first. Without a choice the languages are those of the
    environment, by LANGUAGE, LC_ALL, LC_MESSAGES or LANG, as gettext's. A text that a language of
    a country does not have, such as "ja_JP", is looked for in "ja", then in the next language.
    """

    changed = Signal()
    """The language or its texts are others; texts that are shown have to be made again."""

    def __init__(self) -> None:
        self._folders = [Path(str(resources.files(locale)))]
        self._chosen: str | None = None
        self._catalog: gettext.NullTranslations | None = None
        self._names: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The language that texts are shown in, such as "ja"; "en" if nothing is translated."""
        return self.fallbacks[0]

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """The languages in which a text is looked for, one after the other: "ja_JP", "ja", "en"."""
        self.catalog()
        return tuple(dict.fromkeys([*self._names, ENGLISH]))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that can be chosen, by their codes."""
        files = (file for folder in self._folders for file in folder.glob(_CATALOGS))
        return tuple(sorted({ENGLISH, *(file.parts[-3] for file in files)}))

    def set_language(self, name: str | None) -> None:
        """Choose a language; None is that of the environment.

        Raises
        ------
        ValueError
            There is no catalog for it, also without its country, or it is broken.
        """
        optional("language", name, str)
        if name is not None and not {*_with_parents(name)}.intersection(self.languages):
            choices = ", ".join(map(repr, self.languages))
            raise ValueError(f"language must be one of {choices}, got {quoted(name)}")
        self._load(self._folders, name)

    def add_folder(self, folder: str | os.PathLike[str]) -> None:
        """Add the catalogs of a game, for its own texts and for others of this package's.

        Raises
        ------
        ValueError
            There is no file `<language>/LC_MESSAGES/<name>.mo` in the folder, or it is broken.
        """
        path = checked_path("folder", folder)
        if not any(path.glob(_CATALOGS)):
            raise ValueError(f"{path} must hold <language>/LC_MESSAGES/<name>.mo, found none")
        self._load([path, *self._folders], self._chosen)

    def catalog(self) -> gettext.NullTranslations:
        """Return the texts of the language."""
        if self._catalog is None:
            self._load(self._folders, self._chosen)
            assert self._catalog is not None
        return self._catalog

    def _load(self, folders: list[Path], chosen: str | None) -> None:
        """Read the catalogs of a language; if one is broken, all stays as it was."""
        before, self._folders = self._folders, folders
        wanted = _of_environment() if chosen is None else _with_parents(chosen)
        files = {name: found for name in wanted if (found := self._files(name))}
        catalog = gettext.NullTranslations()
        try:
            for file in reversed([*chain.from_iterable(files.values())]):
                catalog, under = _read(file), catalog
                catalog.add_fallback(under)
        except ValueError:
            self._folders = before
            raise
        is_first = self._catalog is None
        self._catalog, self._names, self._chosen = catalog, (*files,), chosen
        if not is_first:
            self.changed.emit()

    def _files(self, name: str) -> list[Path]:
        """Return the catalogs of a language, the one that is asked first at the start."""
        folders = (folder / name / "LC_MESSAGES" for folder in self._folders)
        return [file for folder in folders for file in sorted(folder.glob("*.mo"))]


def _of_environment() -> list[str]:
    """Return the languages that the environment asks for, each also without its country."""
    value = next(filter(None, map(os.environ.get, _VARIABLES)), "")
    names: list[str] = []
    for part in value.split(":"):
        around = _with_parents(part.partition(".")[0].partition("@")[0].replace("-", "_"))
        names += filter(None, around)
        if around[-1] in _NO_TRANSLATION:
            break
    return names


def _with_parents(name: str) -> list[str]:
    """Return a language, and it without its country and without its script."""
    parts = name.split("_")
    return ["_".join(parts[:n]) for n in range(len(parts), 0, -1)]


def _read(file: Path) -> gettext.GNUTranslations:
    try:
        with file.open("rb") as stream:
            catalog = gettext.GNUTranslations(stream)
        if _BAD_DIVISOR.search(rule := catalog.info().get("plural-forms", "")):
            raise ValueError(f"{rule!r} must divide by numbers other than 0")
    except (OSError, ValueError, LookupError, struct.error) as error:
        raise ValueError(f"{file} must be a catalog of gettext: {error}") from None
    return catalog


translation_server = TranslationServer()
"""The language and the catalogs of this process."""


def tr(message: str, /, **values: object) -> str:
    """Return a text for the player in the language of the process, with values in its fields.

    Call it when a text is drawn, with a literal, by which tools find it.

    Examples
    --------
    >>> tr("{name} is walking", name="Mira")
    'Mira is walking'
    """
    instance_of("message", message, str)
    text = translation_server.catalog().gettext(message) if message else ""
    return _filled(text, message, values) if values else text


def tr_n(singular: str, plural: str, n: float, /, **values: object) -> str:
    """Return a text for the player in the form for a number, which is the field `{n}`.

    A language may have other forms than one and many; its catalog says which. A number with
    a fraction takes the form of 2.

    Examples
    --------
    >>> tr_n("{n} level", "{n} levels", 1), tr_n("{n} level", "{n} levels", 1.5)
    ('1 level', '1.5 levels')
    """
    instance_of("singular", singular, str)
    instance_of("plural", plural, str)
    whole = int(n) if float(number_within("n", n, -math.inf)).is_integer() else 2
    text = translation_server.catalog().ngettext(singular, plural, abs(whole))
    english = singular if whole == 1 else plural
    return _filled(text, english, {"n": plain(n), **values})


def capitalized(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _filled(text: str, english: str, values: Mapping[str, object]) -> str:
    """Return a text with values; the English one if a translation has fields of its own."""
    try:
        return text.format(**values)
    except (AttributeError, LookupError, TypeError, ValueError):
        return english.format(**values)
