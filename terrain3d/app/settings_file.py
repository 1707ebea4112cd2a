"""Read and write the settings file; an unreadable file is kept, not overwritten."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terrain3d.core.errors import MapFileError
from terrain3d.core.files import atomic_write, read_bytes
from terrain3d.look.settings import Settings

FORMAT = "terrain3d settings"
VERSION = 1
_MAX_BYTES = 65536
_FOLDER, _NAME = "terrain3d", "settings.json"


class SettingsError(ValueError):
    """A settings file cannot be read; the text is one line with the file and the reason."""


def settings_path(environment: Mapping[str, str], platform: str, home: Path) -> Path:
    """Return the path of the user's settings file, by `os.environ`, `sys.platform` and the home."""
    if platform == "win32":
        folder = _folder(environment, "APPDATA", home / "AppData" / "Roaming")
    elif platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = _folder(environment, "XDG_CONFIG_HOME", home / ".config")
    return folder / _FOLDER / _NAME


def _folder(environment: Mapping[str, str], variable: str, default: Path) -> Path:
    """Return the folder in an environment variable, or the default if it is not absolute."""
    folder = Path(environment.get(variable, ""))
    return folder if folder.is_absolute() else default


class SettingsFile:
    """The settings of one user, in a JSON file; it and its folder need not exist."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_unreadable = False

    def load(self) -> Settings:
        """Return the settings; those that are not in the file have their defaults."""
        try:
            if not self._path.exists():
                return Settings()
            return _parsed(read_bytes(self._path, _MAX_BYTES))
        except OSError as error:
            raise SettingsError(f"{self._path}: cannot be read: {error.strerror}") from None
        except MapFileError as error:
            self._is_unreadable = True
            raise SettingsError(str(error)) from None
        except (ValueError, TypeError, RecursionError) as error:
            self._is_unreadable = True
            reason = " ".join(str(error).split())
            raise SettingsError(f"{self._path}: holds no settings: {reason}") from None

    def save(self, settings: Settings) -> None:
        """Write the settings; the file is replaced atomically, and stays as it was on an `OSError`.

        A file that could not be read before is renamed first, with ".bad" at the end of its name.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        values = {"format": FORMAT, "version": VERSION, **settings.as_dict()}
        is_kept = self._is_unreadable and self._path.is_file()
        kept = self._path.with_name(self._path.name + ".bad")
        if is_kept:
            self._path.replace(kept)
        try:
            with atomic_write(self._path) as file:
                file.write(json.dumps(values, indent=2).encode() + b"\n")
        except OSError:
            if is_kept:
                kept.replace(self._path)
            raise
        self._is_unreadable = False


def _parsed(data: bytes) -> Settings:
    values: Any = json.loads(data.decode("utf-8"))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f'"format" is not "{FORMAT}"')
    if values.get("version") != VERSION:
        raise ValueError(f'"version" must be {VERSION}, got {values.get("version")!r}')
    known = Settings().as_dict()
    return Settings(**{name: value for name, value in values.items() if name in known})
