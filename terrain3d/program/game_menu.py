"""The pause screen of the scene: saved games, options, and what comes after a battle."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ai.board.game_record import GameRecord
from ai.game import battle_setup
from ai.game.battle_commander import BattleCommander
from ai.game.battle_setup import DIFFICULTIES
from ai.game.campaign import CHAPTERS, Campaign, describe_chapter, map_of
from ai.game.campaign import EXTRA as CHAPTER
from ai.game.objective import (
    battle_title,
    describe_losses,
    describe_objective,
    side_name,
    turn_name,
)
from ai.game.unit_loader import PLAYER_TEAM
from ai.view.battle_3d import BEGIN_S
from ai.view.opening import GLIDE_S, HOLD_S
from terrain3d import MapFileError
from terrain3d.core.translation import capitalized, tr
from terrain3d.look.settings import OPTIONS
from terrain3d.program.modes import BattleMode
from terrain3d.view import Command, WindowNode
from terrain3d.view.hud.menu import Banner

if TYPE_CHECKING:
    from ai.board.log import Entry
    from terrain3d.program.game_scene import GameScene
    from terrain3d.view.hud.menu import Entry as MenuEntry

SLOTS = "1", "2", "3"
AUTO = "auto"
"""The names of saved games; the last is saved at the begin of each turn of the player."""
TURN_S = 1.2
"""How long the banner of the player's turn shows; the enemy's is gone before its first deed."""
END_S = 2.5
"""How long the view of who has decided a battle shows before its menu."""
_ASIDE = 0.2  # how far it is moved, in parts of its distance


class GameMenu(WindowNode):
    """Pauses a `GameScene`, saves and loads its battle, and shows banners and the end."""

    def __init__(self, scene: GameScene) -> None:
        super().__init__()
        self._scene = scene
        self.menu = scene.menu
        self.banner = scene.hud.add_child(Banner())
        self._campaign = Campaign(self.saves)
        self._writer = ThreadPoolExecutor(1)  # a disk may be slow
        self._written: list[tuple[str, Future[None]]] = []  # what it has to write
        self._end_s = 0.0  # until the menu of the end

    @property
    def saves(self) -> Path | None:
        """The folder of saved games, if there is one."""
        folder = self._scene.preferences.folder
        return None if folder is None else folder / "saves"

    def _enter_tree(self) -> None:
        scene, text = self._scene, "pause: saved games, options, all keys, quit"
        pause = Command("pause", "escape", text, self._escape, "Pause")
        self.accept_actions([pause], "Map", lambda: scene.play.takes_orders)
        if isinstance(scene.play, BattleMode):
            self.listen(scene.board.changed, self._follow)
            self.listen(scene.play.battle_3d.ended, self._show_end)

    def _process(self, dt_s: float) -> None:
        scene = self._scene
        if self._end_s > 0:
            self._end_s -= dt_s
            if self._end_s <= 0:
                self._open_end()
        messages = []
        while self._written and self._written[0][1].done():
            slot, future = self._written.pop(0)
            if (error := future.exception()) is not None:
                why = getattr(error, "strerror", None) or str(error)
                messages.append(tr("Not saved: {why}", why=why))
            elif slot != AUTO:
                messages.append(tr("Saved in slot {slot}", slot=slot))
        if messages:
            scene.show_message(tr("; ").join(messages))

    def show_title(self) -> None:
        """Show the title of the battle, and what the player has to do."""
        if self._scene.match is not None:
            battle, color = self._scene.match.battle, self._scene.palette.of_team(PLAYER_TEAM)
            goal = describe_objective(battle.objective, PLAYER_TEAM, battle.board.turns)
            title = battle_title(battle.objective, PLAYER_TEAM)
            self.banner.show(title, goal, color, HOLD_S + GLIDE_S)

    def pause(self) -> None:
        """Show the pause screen."""
        scene, menu = self._scene, self.menu
        entries: list[MenuEntry] = [(tr("Resume"), menu.close)]
        text = ""
        if scene.match is not None:
            battle = scene.match.battle
            text = describe_objective(battle.objective, PLAYER_TEAM, battle.board.turns)
            entries += [
                (tr("Save"), partial(self._list_saves, is_saving=True)),
                (tr("Load"), partial(self._list_saves, is_saving=False)),
            ]
        entries += [(tr("Options"), self._list_options)]
        if scene.match is not None:
            entries += [
                (tr("Restart"), self._restart),
                (tr("Battles"), self._list_battles),
                (tr("Next map"), self._go_on),
            ]
        entries += [(tr("Quit"), self._quit)]
        menu.open(tr("Pause"), entries, text)

    def _escape(self) -> None:
        """Give up a chosen skill or a waypoint; without one pause, or show how it has ended."""
        commander, match = self._scene.commander, self._scene.match
        if match is not None and match.battle.winner:
            self._open_end()
        elif commander.waypoints or (isinstance(commander, BattleCommander) and commander.skill):
            commander.back()
        else:
            self.pause()

    def _list_options(self, chosen: int = 0) -> None:
        settings, match = self._scene.preferences.settings, self._scene.match
        texts = [*map(settings.describe, OPTIONS)]
        if match is not None:
            texts.append(tr("difficulty: {level}", level=tr(match.difficulty)))
        change = self._change_option
        entries: list[MenuEntry] = [
            (capitalized(text), partial(change, number, 1)) for number, text in enumerate(texts)
        ]
        entries += [(tr("Keys"), self._list_keys), (tr("Back"), self.pause)]
        self.menu.open(tr("Options"), entries, back=self.pause, chosen=chosen, change=change)

    def _list_keys(self) -> None:
        """Show all keys; a choice of one leads back."""
        rows = [f"{keys}: {what}" for keys, what in self._scene.key_rows() if keys]
        entries: list[MenuEntry] = [(text, self._list_options) for text in rows]
        self.menu.open(tr("Keys"), entries, back=self._list_options)

    def _change_option(self, number: int, step: int) -> None:
        """Change an option by a step; after the last value comes the first."""
        scene = self._scene
        if number < len(OPTIONS):
            name, now = [*OPTIONS][number], scene.preferences.settings
            is_last = now.stepped(name, step) == now
            scene.preferences.change(name, -step * len(OPTIONS[name]) if is_last else step)
        elif number < len(self.menu.labels) - 2 and scene.match is not None:
            levels = [*DIFFICULTIES]
            level = levels[(levels.index(scene.match.difficulty) + step) % len(levels)]
            scene.match = scene.match._replace(difficulty=level)
        self._list_options(number)

    def _list_saves(self, *, is_saving: bool) -> None:
        folder, match = self.saves, self._scene.match
        back = self._open_end if match is not None and match.battle.winner else self.pause
        entries: list[MenuEntry] = []
        for slot in SLOTS if is_saving else (*SLOTS, AUTO):
            path = None if folder is None else folder / f"{slot}.tmap"
            when = tr("empty")
            if path is not None and path.is_file():
                when = _describe_save(path)
            name = tr("Autosave") if slot == AUTO else tr("Slot {number}", number=slot)
            call = partial(self._save if is_saving else self._load, slot)
            entries.append((f"{name}: {when}", call))
        entries.append((tr("Back"), back))
        self.menu.open(tr("Save") if is_saving else tr("Load"), entries, back=back)

    def _save(self, slot: str) -> None:
        """Begin to save the battle; a failure is said and changes nothing."""
        scene, folder = self._scene, self.saves
        if scene.match is None or folder is None:
            if slot != AUTO:
                scene.show_message(tr("There is no folder to save in"))
            return
        record, path = scene.match.record(), folder / f"{slot}.tmap"
        self._written.append((slot, self._writer.submit(_write, record, path)))
        if slot != AUTO:
            self.menu.close()

    def _load(self, slot: str) -> None:
        """Go on with a saved battle."""
        scene, folder = self._scene, self.saves
        for _, future in self._written:
            future.exception()  # it ends
        if folder is None or not (folder / f"{slot}.tmap").is_file():
            scene.show_message(tr("This slot is empty; choose another"))
            return
        try:
            match = battle_setup.load(folder / f"{slot}.tmap")
        except MapFileError as error:
            scene.show_message(str(error))
            return
        self.menu.close()
        scene.begin(match, tr("The saved battle goes on"))

    def _restart(self) -> None:
        self.menu.close()
        if self._scene.match is not None:
            self._scene.begin(self._scene.match.restarted(), tr("The battle begins again"))

    def _list_battles(self) -> None:
        entries: list[MenuEntry] = [
            (capitalized(describe_chapter(self._campaign, name)), partial(self._begin, name))
            for name in CHAPTERS
        ]
        entries.append((tr("Back"), self.pause))
        self.menu.open(tr("Battles"), entries, back=self.pause)

    def _begin(self, name: str) -> None:
        """Begin a battle of the chain, if it is open."""
        scene, match = self._scene, self._scene.match
        if match is None or not self._campaign.is_open(name):
            scene.show_message(tr("Win the one before it first"))
            return
        self.menu.close()
        board, turns = scene.board, scene.board.turns or "sides"
        tilemap = map_of(name, turns)
        made, _ = battle_setup.set_up(tilemap, scene.seed, turns, fog=board.has_fog)
        scene.begin(match._replace(battle=made, is_new=True), tr(name))

    def _go_on(self) -> None:
        self.menu.close()
        self._scene.make_next_map()

    def _quit(self) -> None:
        self.panda.base.userExit()

    def _follow(self, entry: Entry) -> None:
        scene = self._scene
        is_begin = entry.begins_turn and not entry.is_undo
        if not is_begin or scene.match is None or scene.match.battle.winner:
            return
        team = entry.after.acting_team
        is_own = team == PLAYER_TEAM
        text = tr("Your turn") if is_own else tr("The enemy's turn")
        line = capitalized(turn_name(entry.after.number, scene.board.turns))
        color, seconds = scene.palette.of_team(team), TURN_S if is_own else BEGIN_S
        self.banner.show(text, line, color, seconds)
        if is_own:
            self._save(AUTO)

    def _show_end(self, winner: str) -> None:
        """Look at who has decided the battle, with a title and the reason; then show the menu."""
        scene, match = self._scene, self._scene.match
        if match is None:
            return
        if winner == PLAYER_TEAM:
            try:
                self._campaign.note(match.battle)
            except OSError as error:
                scene.show_message(tr("Not saved: {why}", why=error.strerror or str(error)))
        ending = match.battle.objective.ending(scene.board, winner)
        scene.look_at([ending.cell])
        goal = scene.camera.goal
        scene.camera.goal = goal.panned(_ASIDE * goal.distance, 0.0)  # the menu is in the middle
        color = scene.palette.of_team(winner)
        scene.show_message("")  # whose turn it would be
        self.banner.show(_title(winner), ending.reason, color, END_S)
        self._end_s = END_S

    def _open_end(self) -> None:
        """List what can be done after a battle; after a defeat it begins with another try."""
        self._end_s, match = 0.0, self._scene.match
        if match is None:
            return
        winner, board = match.battle.winner, match.battle.board
        ending = match.battle.objective.ending(board, winner)
        text = f"{ending.reason}\n{describe_losses(match.battle.objective, board)}"
        chapter = self._campaign.next_after(match.battle) if winner == PLAYER_TEAM else ""
        onward: MenuEntry = (tr("Next map"), self._go_on)
        if chapter:
            onward = (tr("Next: {battle}", battle=tr(chapter)), partial(self._begin, chapter))
        entries: list[MenuEntry] = [
            (tr("Play again"), self._restart),
            (tr("Load"), partial(self._list_saves, is_saving=False)),
            (tr("Look at the map"), self.menu.close),
            (tr("Quit"), self._quit),
        ]
        entries.insert(0 if winner == PLAYER_TEAM else 2, onward)
        self.menu.open(_title(winner), entries, text)


def _title(winner: str) -> str:
    return tr("Victory") if winner == PLAYER_TEAM else tr("Defeat")


def _describe_save(path: Path) -> str:
    """Return map, round and units of a saved battle, and when it was saved."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    try:
        record = GameRecord.load(path)
    except MapFileError:
        return when
    # In fog the player does not know how many enemies are left.
    teams = [u.team for u in record.end.units if not record.fog or u.team == PLAYER_TEAM]
    units = (f"{side_name(team)} {teams.count(team)}" for team in dict.fromkeys(teams))
    of_map, chapter = tr("map {seed}", seed=record.seed), str(record.tilemap.extras.get(CHAPTER))
    of_map = tr(chapter) if chapter in CHAPTERS else of_map
    turn = turn_name(record.end.number, record.end.order)
    return tr(", ").join([of_map, turn, *units, when])


def _write(record: GameRecord, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    record.save(path)
