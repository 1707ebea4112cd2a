"""Settings in a file: where it lies, and how it is read and written without losing anything."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terrain3d.core.errors import MapFileError
from terrain3d.core.files import atomic_write, read_bytes
from terrain3d.look.settings import Settings

FORMAT = "terrain3d settings"
VERSION = 1
_MOST_BYTES = 65536
_FOLDER, _NAME = "terrain3d", "settings.json"


class SettingsError(ValueError):
    """A file that holds no settings; the text is one line that names it and says why."""


def settings_path(environment: Mapping[str, str], platform: str, home: Path) -> Path:
    """Give where the settings of a person lie.

    Parameters
    ----------
    environment : mapping of str to str
        As `os.environ`.
    platform : str
        As `sys.platform`.
    home : Path
        The person's folder.
    """
    if platform == "win32":
        folder = _folder(environment, "APPDATA", home / "AppData" / "Roaming")
    elif platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = _folder(environment, "XDG_CONFIG_HOME", home / ".config")
    return folder / _FOLDER / _NAME


def _folder(environment: Mapping[str, str], variable: str, usual: Path) -> Path:
    """Give the folder that a variable names; what is not absolute counts as not set."""
    folder = Path(environment.get(variable, ""))
    return folder if folder.is_absolute() else usual


class SettingsFile:
    """One person's settings in a file of JSON.

    Parameters
    ----------
    path : Path
        It need not exist, nor its folder.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_foreign = False

    def load(self) -> Settings:
        """Read the settings; those that the file does not name are as usual, as all without it.

        Raises
        ------
        SettingsError
            It cannot be read, is damaged, or is no file of settings.
        """
        try:
            if not self._path.exists():
                return Settings()
            return _parsed(read_bytes(self._path, _MOST_BYTES))
        except OSError as error:
            raise SettingsError(f"{self._path}: cannot be read: {error.strerror}") from None
        except MapFileError as error:
            self._is_foreign = True
            raise SettingsError(str(error)) from None
        except (ValueError, TypeError, RecursionError) as error:
            self._is_foreign = True
            why = " ".join(str(error).split())
            raise SettingsError(f"{self._path}: holds no settings: {why}") from None

    def save(self, settings: Settings) -> None:
        """Write the settings, all or nothing.

        What could not be read there before is kept beside it, its name ending in ".bad".

        Raises
        ------
        OSError
            It cannot be written; what was there is as it was.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._is_foreign and self._path.is_file():
            self._path.replace(self._path.with_name(self._path.name + ".bad"))
        values = {"format": FORMAT, "version": VERSION, **settings.as_dict()}
        with atomic_write(self._path) as file:
            file.write(json.dumps(values, indent=2).encode() + b"\n")
        self._is_foreign = False


def _parsed(data: bytes) -> Settings:
    values: Any = json.loads(data.decode("utf-8"))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f'"format" is not "{FORMAT}"')
    if values.get("version") != VERSION:
        raise ValueError(f'"version" must be {VERSION}, got {values.get("version")!r}')
    known = Settings().as_dict()
    return Settings(**{name: value for name, value in values.items() if name in known})
