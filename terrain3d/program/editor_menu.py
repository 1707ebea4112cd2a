"""Ask where to save the edited map, and how large to make it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from terrain3d.core.checks import MAX_CELLS
from terrain3d.core.translation import tr
from terrain3d.grid.reason import plain_reason
from terrain3d.view import Command, MapEditor3D, WindowNode

if TYPE_CHECKING:
    from terrain3d.program.game_scene import GameScene
    from terrain3d.view.hud.menu import Entry

NEW_MAP = Path("map.tmap")
"""Stands for no file yet, so that a name is asked for; paths of files are absolute."""


def edited_file(read: Path | None) -> Path:
    """Return where the editor saves a map that was read, if from a file: never another's file."""
    if read is None:
        return NEW_MAP
    path = read.absolute().with_suffix(NEW_MAP.suffix)
    return path if path == read.absolute() or not path.exists() else NEW_MAP


class EditorMenu(WindowNode):
    """Opens the menus of the map editor of a `GameScene`."""

    def __init__(self, scene: GameScene, editor: MapEditor3D) -> None:
        super().__init__()
        self._editor, self._menu = editor, scene.menu
        self._said = ""
        self._asked: Mapping[str, str] = {}

    def _enter_tree(self) -> None:
        self.listen(self._editor.name_wanted, self.ask_name)
        self.listen(self._editor.message, self._hear)
        save = "save under another name or in another folder"
        resize = "resize the map, or crop it to what is selected"
        commands = [
            Command("save_as", "shift-f5", save, self.ask_name, "Save as"),
            Command("resize_map", "control-r", resize, self.ask_size, "Resize"),
        ]
        self.accept_actions(commands, "Map editor", lambda: self._editor.is_active)

    def _hear(self, message: str) -> None:
        self._said = plain_reason(message)

    def _process(self, _dt_s: float) -> None:
        if self._editor.is_active:
            self._editor.asks_name = self._editor.map_editor.path == NEW_MAP

    def ask_name(self) -> None:
        """Ask for the name and the folder of the map, and save it there."""
        path, self._asked = self._editor.map_editor.path, {}
        name, folder = "" if path == NEW_MAP else path.stem, path.absolute().parent
        if name and self.panda.input.is_gamepad_used:  # which types nothing
            name = _free_stem(folder, name)
        self._ask({tr("Name"): name, tr("Folder"): str(folder)})

    def _ask(self, texts: Mapping[str, str], note: str = "") -> None:
        note = note or tr("Type the name; Tab or a click goes to the folder, Enter saves")
        self._menu.ask(tr("Save"), texts, self._save, note)

    def _save(self, texts: Mapping[str, str]) -> None:
        """Save the map, another file only at the second request; ask again if that fails."""
        editor = self._editor.map_editor
        name, folder = texts.values()
        stem = name.strip().removesuffix(NEW_MAP.suffix)
        try:
            place = Path(folder).expanduser().absolute()
            path = place / ((stem or _free_stem(place, NEW_MAP.stem)) + NEW_MAP.suffix)
            is_other = path != editor.path and path.is_file()
        except (OSError, RuntimeError) as error:
            self._ask(texts, tr("not saved: {error}", error=str(error)))
            return
        if is_other and texts != self._asked:
            self._asked = texts
            self._ask(texts, tr("A file of this name exists; save once more to replace it"))
        elif editor.save(path):
            self._menu.close()
        else:
            self._ask(texts, self._said)

    def ask_size(self, sides: tuple[int, ...] = (0, 0, 0, 0), chosen: int = 0) -> None:
        """Ask how many lines of tiles to add or remove at each side."""
        editor = self._editor.map_editor
        north, east, south, west = sides
        labels = tr("North"), tr("East"), tr("South"), tr("West")
        entries: list[Entry] = [
            (f"{label}: {number:+d}", partial(self._grow, sides, side, 1))
            for side, (label, number) in enumerate(zip(labels, sides, strict=True))
        ]
        if (part := editor.selection) is not None:
            east_end, south_end = part.col + part.cols, part.row + part.rows
            crop = (
                -part.row,
                east_end - editor.tilemap.cols,
                south_end - editor.tilemap.rows,
                -part.col,
            )
            entries.append((tr("Crop to what is selected"), partial(self.ask_size, crop, 5)))
        entries += [(tr("Resize"), partial(self._resize, sides)), (tr("Back"), self._menu.close)]
        rows, cols = editor.tilemap.rows + north + south, editor.tilemap.cols + east + west
        title = tr("{cols} x {rows} tiles", cols=cols, rows=rows)
        text = tr("Left and right change a side; a click adds tiles, a right click takes them away")
        change = partial(self._grow, sides)
        self._menu.open(title, entries, text, chosen=chosen, change=change)

    def _grow(self, sides: tuple[int, ...], side: int, step: int) -> None:
        if side < len(sides):
            tilemap = self._editor.map_editor.tilemap
            grown = *sides[:side], sides[side] + step, *sides[side + 1 :]
            rows, cols = tilemap.rows + grown[0] + grown[2], tilemap.cols + grown[1] + grown[3]
            if min(rows, cols) >= 1 and rows * cols <= MAX_CELLS:
                self.ask_size(grown, side)

    def _resize(self, sides: tuple[int, ...]) -> None:
        self._menu.close()
        north, east, south, west = sides
        self._editor.map_editor.resize_map(north=north, east=east, south=south, west=west)


def _free_stem(folder: Path, stem: str) -> str:
    """Return a name without suffix that no map in a folder has, with a number if need be."""
    stem = re.sub(r" \d+$", "", stem)
    names = itertools.chain([stem], (f"{stem} {number}" for number in itertools.count(2)))
    return next(name for name in names if not (folder / (name + NEW_MAP.suffix)).exists())
