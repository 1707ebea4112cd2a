"""A recorded game: the field "replay" of a map, replayed to its end or to any entry before."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from ai.board.board import MAX_SEED, Board
from ai.board.log import Entry, Log
from ai.board.plain import EXTRA, StateReader, digest_of, plain_entry, plain_sides, plain_state
from ai.board.state import GameState
from ai.rules.entry_rules import EntryRule
from terrain3d import MapFileError, TileMap
from terrain3d.core.checks import checked_path, instance_of, whole_within
from terrain3d.core.files import in_file
from terrain3d.formats.json_text import Fields

VERSION = 1


@dataclass(frozen=True)
class GameRecord:
    """A game since its log began: the map now, the state then, the log, and the digest at its end.

    Made by `of` or `load`.

    Parameters
    ----------
    tilemap : TileMap
        As it is at the end of the log.
    start : GameState
        That at which the log begins.
    log : sequence of Entry
    seed : int
    fog : bool
        As of `Board`.
    digest : str
        That of the board at the end of the log.
    """

    tilemap: TileMap
    start: GameState
    log: tuple[Entry, ...]
    seed: int
    fog: bool
    digest: str

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the game on a board so far, with a copy of its map.

        `TypeError` for no board, `RuntimeError` inside an action, an edit or a stroke.
        """
        instance_of("board", board, Board)._check_closed("be recorded")
        log, tilemap = board.log, copy.copy(board.tilemap)
        start = log[0].before if log else board.state
        return cls(tilemap, start, log, board.seed, board.has_fog, board.digest())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> GameRecord:
        """Read a game from a map file.

        `MapFileError`, which names the field, if the file has no game, or one that cannot be
        replayed. Another digest is no error: see `problem`.
        """
        path = checked_path("path", path)
        tilemap = TileMap.load(path)
        with in_file(str(path)):
            return GameRecord.carried_by(tilemap)

    @staticmethod
    def carried_by(tilemap: TileMap) -> GameRecord:
        """Return the game in the extras of a map, with a copy of the map; errors as of `load`."""
        tilemap = copy.copy(instance_of("tilemap", tilemap, TileMap))
        if EXTRA not in tilemap.extras:
            how = "play some moves in the scene, then F2 and F5 save map and game"
            raise MapFileError(f"has no recorded game: {how}; or use GameRecord.of(board).save")
        top = Fields(tilemap.extras.pop(EXTRA), EXTRA)
        version = top.whole("version", 1, 2**31)
        if version > VERSION:
            raise top.error(f"is {version}, this program reads up to {VERSION}", "version")
        try:
            reader = StateReader(tilemap, top)
            start, log = reader.state, tuple(map(reader.entry, top.objects("log")))
            seed, fog = top.whole("seed", 0, MAX_SEED), top.flag("fog", default=False)
            record = GameRecord(tilemap, start, log, seed, fog, top.text("digest"))
            record.replay(0)
        except MapFileError:
            raise
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise MapFileError(str(error), field=f"{EXTRA}.log") from None
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game and its map to one file, which is a map too; errors as `TileMap.save`."""
        tilemap = copy.copy(self.tilemap)
        tilemap.extras[EXTRA] = self.as_dict()
        tilemap.save(path)

    def as_dict(self) -> dict[str, Any]:
        """Return the game without its map as JSON-like data."""
        return {
            "version": VERSION,
            "digest": self.digest,
            "seed": self.seed,
            "fog": self.fog,
            **plain_sides(self.start.sides),
            **plain_state(self.start),
            "log": [plain_entry(entry) for entry in self.log],
        }

    def replay(self, n_entries: int | None = None, *, rules: Iterable[EntryRule] = ()) -> Board:
        """Return a new board, with new units, after the first entries of the log; by default all.

        It has a map of its own, as it was then. `rules` are those of the game, which no file keeps.
        Errors are those of the number of entries and of the rules.
        """
        n_all = len(self.log)
        count = n_all if n_entries is None else whole_within("n_entries", n_entries, 0, n_all)
        tilemap = copy.copy(self.tilemap)
        for entry in reversed(self.log[count:]):
            for edit in reversed(entry.edits):
                tilemap.revert(edit)
        tilemap.clear_history()
        board = Board(tilemap, seed=self.seed, rules=rules, fog=self.fog)
        state = self.log[count - 1].after if count else self.start
        board._resume(state, Log(self.log[:count]))
        return board

    def go_on_with(self, board: Board) -> None:
        """Let a board with the map at the end of the log go on with the game, its dice and undo.

        Raises
        ------
        ValueError
            It has another map or units of its own, or there is a `problem`.
        """
        if instance_of("board", board, Board).units:
            raise ValueError(f"the board must have no units yet, got {len(board.units)}")
        digest = digest_of(board.tilemap, self.end)
        if digest != self.digest:
            raise ValueError(f"the game ends with the digest {self.digest}, this one is {digest}")
        board.seed, board.has_fog = self.seed, self.fog
        board._resume(self.end, Log(self.log))

    @property
    def end(self) -> GameState:
        """The state at the end of the log."""
        return self.log[-1].after if self.log else self.start

    @cached_property
    def problem(self) -> str:
        """How the state after a replay differs from the recorded one; "" if it does not."""
        digest = digest_of(self.tilemap, self.end)
        if digest == self.digest:
            return ""
        return f"the game ends with the digest {digest}, the recorded one is {self.digest}"
