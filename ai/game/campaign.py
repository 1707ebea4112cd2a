"""A chain of battles on maps made by hand, each unlocked by the last, and the results of a player.

A picture has a line for each row of tiles: levels, kinds, and what stands there, `a`-`d` units of
blue and `A`-`D` of red in the order of `ROLES`, `*` the goal, `=` a deck of a bridge.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ai.board.unit import EXTRA as UNITS
from ai.game.battle import Battle
from ai.game.battle_setup import FOE_TEAM, MOVE, NAMES, ROLES
from ai.game.objective import EXTRA as GOAL
from ai.game.objective import PLACES, losses, turn_name
from ai.game.unit_loader import PLAYER_TEAM
from terrain3d import TileMap
from terrain3d.core.checks import whole_within
from terrain3d.core.files import atomic_write
from terrain3d.core.translation import tr

EXTRA = "campaign"
"""The name in `TileMap.extras` under which a map of the chain carries its own."""
_NAMES = "grass", "dirt", "sand", "rock", "road", "forest", "shallow", "deep"
_KINDS = dict(zip("gdsrpf~w", _NAMES, strict=True))
_ATTACK = {"attackers": PLAYER_TEAM, "defenders": FOE_TEAM}


class Chapter(NamedTuple):
    """A battle of the chain: its map, and its `Objective` but for the cells."""

    picture: str
    goal: Mapping[str, Any]
    deck_level: int = 0


class Result(NamedTuple):
    """How a battle was won: in which round or turn, and how many units fell."""

    number: int
    losses: int
    order: str = "sides"
    """The order of turns, as that of `Board`."""


CHAPTERS: Mapping[str, Chapter] = MappingProxyType(
    {
        "bridge": Chapter(
            """
            7776655555566777 rrrrggffffggrrrr ................
            7765554554455677 rrrgggfppfgggrrr .......**.......
            6655444444444556 rrggggfppfggggrr .........D......
            6544444444444455 rggffgfppgggffgg .....A..........
            5444444444443222 gggfgggppggggggf .......C..B.....
            4443346446432112 ggggggrpprgggsss ................
            2110000000000111 sswwwwwwwwww~~ss .......==.......
            0000000000000000 ~wwwwwwwwwww~~ww .......==.......
            0000000000000000 ~~wwwwwwwwww~~w~ .......==.......
            1112346446431112 ssggggrpprgggsss ................
            2223344444433222 ggggggfppggfgggg ................
            2233344444433322 gffgggfppggggggg .......ab.......
            3333344444443333 gfffgggppggggffg .......cd.......
            3333334444433333 ggffgggppgggggff ................
            """,
            {**_ATTACK, "turns": 10, "rounds": 0},
            deck_level=4,
        ),
        "hill": Chapter(
            """
            2222233333322221 ggfffgggggggfffg ................
            2233334444433221 gfffgggggggggffg ................
            2334455555444321 gffggrrrrggggggg ................
            2225566666554321 gggrrrrrrrrgggfg ................
            2225669776655321 gggrrrrprrrrgffg .......A........
            2225677887665322 gggrrrpppprrgggg ......C**.......
            2225677887664322 gggrrrppppprpggg .......**B......
            2225667779664321 ggggrrrrrrpppggg ................
            2223566666654321 gfggrrrrrrgpgggg ................
            1233445555543321 gffggggrrggppggg ................
            1233344444333211 gfffgggggggppfff ................
            1222333333322110 ggffggffgggpgffs .........a......
            1112222222221000 ssggggffggppgs~w ........bc......
            1111122222211000 sssggggggppggs~w ........d.......
            """,
            {**_ATTACK, "turns": 14, "rounds": 2, "place": PLACES[1]},
        ),
        "gorge": Chapter(
            """
            6666543222345666 fgggrrrd~drrrggf .......ABC......
            6666643222246666 fgggrrrd~drrgggf .........D......
            7666653211256667 rfggrrrd~~drrggr ................
            7766665311156677 rrggrrrr~~~rggrr ................
            7776665311256667 rrrgrrrr~~drgffr ................
            7766666311256666 rrggggrr~~drggfg ................
            7666666211366666 rggggggd~~rggggg .......====.....
            7766665211366667 rrggggrd~~rggggr ................
            7776654211356677 rrrggrrd~~rrggrr ................
            7766543221345677 rrggrrrdd~rrggrr ................
            6665433221234566 ggggrrddd~drrggg .......a..b.....
            6654333221223456 gggrrddgg~ggrrgg ......c.........
            6543333321222345 ggrddpppg~gggrrg .....***........
            6543333321223344 ggrddgppg~gffrrg ....d...........
            """,
            {"attackers": FOE_TEAM, "defenders": PLAYER_TEAM, "turns": 9, "rounds": 3},
            deck_level=6,
        ),
    }
)
"""The battles of the chain, in order."""


def map_of(name: str, turns: str = "sides") -> TileMap:
    """Return the map of a battle of the chain, with its units and its objective for such turns."""
    chapter = CHAPTERS[name]
    levels, rows, marks = zip(*map(str.split, chapter.picture.split("\n")[1:-1]), strict=True)
    tilemap, units = TileMap.from_text("\n".join(levels)), list[dict[str, object]]()
    found = {(row, col): sign for row, signs in enumerate(marks) for col, sign in enumerate(signs)}
    with tilemap.edit("build") as edit:
        for row, signs in enumerate(rows):
            for col, sign in enumerate(signs):
                edit.set_kind((row, col), _KINDS[sign])
        if decks := [cell for cell, sign in found.items() if sign == "="]:
            edit.add_deck(decks, chapter.deck_level)
    for team, letters in (PLAYER_TEAM, "abcd"), (FOE_TEAM, "ABCD"):
        movers = dict(zip(letters, zip(NAMES[team], ROLES, strict=False), strict=True))
        for cell, sign in found.items():
            if sign in movers:
                who, mover = movers[sign]  # a name has the same mover on each map
                entry = {"name": who, "team": team, "mover": mover, "move": MOVE}
                units.append(entry | {"cell": [*cell]})
    goal = {**chapter.goal, "cells": [[*cell] for cell, sign in found.items() if sign == "*"]}
    if turns == "wait":  # they are those of single units
        goal["turns"] *= len(units)
    tilemap.extras.update({UNITS: units, GOAL: goal, EXTRA: name})
    tilemap.clear_history()
    return tilemap


class Campaign:
    """What a player has won of the chain, kept in a file of a folder, if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / "campaign.json"
        self.results: dict[str, Result] = {}
        """The best result of each battle that was won: by losses, then by its number."""
        try:
            found = {} if self._path is None else json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return  # there is none yet, or none that can be used
        for name in CHAPTERS:
            with suppress(KeyError, TypeError, ValueError):
                self.results[name] = _result(*found[name])

    def is_open(self, name: str) -> bool:
        """Return whether a battle may be played: the first, and each after one that was won."""
        names = [*CHAPTERS]
        return names[max(0, names.index(name) - 1)] in self.results or name == names[0]

    def next_after(self, battle: Battle) -> str:
        """Return the next of the chain, after other battles the first that is not won; or ""."""
        names, name = [*CHAPTERS], battle.board.tilemap.extras.get(EXTRA)
        if name in names:
            return (*names, "")[names.index(name) + 1]
        return next((each for each in names if each not in self.results), "")

    def note(self, battle: Battle) -> None:
        """Keep the result of a battle of the chain that the player has won.

        `OSError` if it cannot be written.
        """
        board, name = battle.board, str(battle.board.tilemap.extras.get(EXTRA))
        if battle.winner != PLAYER_TEAM or name not in CHAPTERS:
            return
        number = battle.objective.turn_number(board)
        result = Result(number, losses(board, PLAYER_TEAM)[0], str(board.turns))
        best = self.results.get(name, result)
        # Rounds cannot be compared with the turns of single units: the last order counts.
        if best.order == result.order:
            result = min(best, result, key=lambda each: (each.losses, each.number))
        self.results[name] = result
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(self._path) as file:
                file.write(json.dumps(self.results).encode())


def _result(number: Any, lost: Any, order: Any) -> Result:  # noqa: ANN401 - from a file
    """Return a result as it is read from a file; errors if it is none."""
    if order not in ("sides", "wait"):
        raise ValueError(f"no order of turns: {order!r}")
    return Result(whole_within("number", number, 1), whole_within("losses", lost, 0), str(order))


def describe_chapter(campaign: Campaign, name: str) -> str:
    """Return a battle of the chain with the player's best result, or that it is locked."""
    result = campaign.results.get(name)
    if result is not None:
        turn = turn_name(result.number, result.order)
        text = "{battle}: won in {turn}, {losses} lost"
        return tr(text, battle=tr(name), turn=turn, losses=result.losses)
    text = "{battle}: new" if campaign.is_open(name) else "{battle}: locked"
    return tr(text, battle=tr(name))
