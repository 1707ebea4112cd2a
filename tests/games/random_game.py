"""One random game on a small board, from a seed, with the digest after each entry of its log."""

import copy
import itertools
import math
import random
import tempfile
from contextlib import suppress
from pathlib import Path

from ai import Behavior, Board, GameRecord, KnownMap, MoveProfile, MoveRefused, Unit, plain_reason
from terrain3d import TileMap

TEAMS = ("blue", "red", "green")
PROFILES = (
    MoveProfile(),
    MoveProfile(max_climb=9, max_drop=9),
    MoveProfile(can_fly=True, body_height=2),
    MoveProfile(size=2, size_tolerance=4),
    MoveProfile(kind_cost={"water": None, "sand": 1.5}, ignores_zoc=True),
    MoveProfile(climb_cost=(1, 3)),
)
N_ACTS = 30


class Go(Behavior):
    """Goes to a given cell, if it can."""

    def __init__(self, cell):
        self._cell = cell

    def _choose(self, _situation):
        return self._cell


class Broken(Exception):
    """Raised inside an action, which then must leave no trace."""


class RandomGame:
    """A board, and what is needed to play on it at random; all choices come from the seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        rows, cols = self.random.randint(2, 5), self.random.randint(2, 5)
        levels = [[self.random.choice((0, 0, 0, 1, 2)) for _ in range(cols)] for _ in range(rows)]
        kinds = [[self.random.choice((0, 0, 1, 2)) for _ in range(cols)] for _ in range(rows)]
        tilemap = TileMap(levels, kinds, topology=self.random.choice(("square", "hex_odd_r")))
        sides = self.random.choice(({}, {"allies": [TEAMS[:2]]}, {"neutral": TEAMS[2:]}))
        turns = self.random.choice((None, "sides", "wait"))
        self.board = Board(tilemap, turns, seed=seed, **sides)
        for _ in range(self.random.randint(0, 4)):
            self.add()
        if self.random.random() < 0.5:
            self.board.clear_history()
        self.board.turn_began.connect(self.tick)
        self.digests = [None] * len(self.board.log) + [self.board.digest()]
        self.can_redo = []
        self.has_twin = False

    def cell(self):
        tilemap = self.board.tilemap
        found = self.random.randrange(tilemap.rows), self.random.randrange(tilemap.cols)
        return (*found, self.random.choice(tilemap.decks_at(found) or (0,)))

    def unit(self):
        return self.random.choice(self.board.units) if self.board.units else None

    def tick(self, turn):
        """Hurt the units of a turn when it begins, now and then: an automatic action."""
        if self.board.is_replaying or turn.number % 3:
            return
        with self.board.action("poison") as action:
            for unit in turn.units:
                action.set(unit, hp=unit.stats.get("hp", 10) - int(action.random.integers(3)))

    # Acts. Each may be refused.

    def drawn_unit(self):
        number = self.random.randrange(10**6)
        values = {
            "team": self.random.choice(TEAMS),
            "profile": self.random.choice(PROFILES),
            "move": self.random.choice((0, 2, 5, 7.5, math.inf)),
            "has_zoc": self.random.random() < 0.3,
            "wait": self.random.choice((1, 2.5, 10)),
            "heading_deg": self.random.choice((0, 90.5, -33)),
            "stats": self.random.choice(
                ({}, {"hp": 12}, {"bag": ["key", {"gold": 3}], "luck": 0.5})
            ),
        }
        return Unit(f"unit {number}", self.cell(), **values)

    def add(self):
        with suppress(ValueError):
            self.board.add(self.drawn_unit())

    def remove(self):
        if unit := self.unit():
            self.board.remove(unit)

    def move(self):
        if unit := self.unit():
            cells = self.board.reach(unit).cells if self.random.random() < 0.8 else [self.cell()]
            self.board.move(unit, self.random.choice(cells))

    def sneak(self):
        """Move a unit by what its side has seen, which may be little."""
        if unit := self.unit():
            known = KnownMap(self.board.tilemap)
            known.reveal(self.cell()[:2] for _ in range(self.random.randint(0, 4)))
            far = self.board.reach(unit, known=known).cells[-4:]
            cell = self.random.choice(far or [unit.cell])
            if self.random.random() < 0.2:
                self.board.act(unit, Go(cell), is_automatic=True, known=known)
            else:
                self.board.move(unit, cell, known=known)

    def move_together(self):
        board, paths = self.board, {}
        for unit in board.units:
            path, situation = [unit.cell], board.situation(unit)
            for _ in range(self.random.randint(0, 3)):
                steps = sorted(situation.steps_from(path[-1]))
                path.append(self.random.choice([path[-1], *steps]))
            if self.random.random() < 0.5:
                paths[unit] = path
        costs = {
            unit: sum(
                board.situation(unit).steps_from(here).get(there, 0)
                for here, there in itertools.pairwise(path)
            )
            for unit, path in paths.items()
        }
        points = {unit: unit.points for unit in paths}
        board.move_together(paths)
        for unit, cost in costs.items():
            assert cost <= points[unit], "a joint move costs more than the unit had"
            if board.turns and len(set(paths[unit])) > 1:
                assert unit.points in (0, points[unit] - cost), "a joint move is not paid"

    def face(self):
        if unit := self.unit():
            self.board.face(unit, self.cell())

    def wander(self):
        if unit := self.unit():
            cells = self.board.reach(unit).cells
            self.board.act(unit, Go(self.random.choice(cells)), is_automatic=True)

    def end_turn(self):
        if self.board.turns:
            self.board.end_turn(is_automatic=self.random.random() < 0.2)

    def change_turns(self):
        self.board.change_turns(self.random.choice((None, "sides", "wait")))

    def assign(self):
        if unit := self.unit():
            drawn = self.drawn_unit()
            name = self.random.choice(("team", "profile", "move", "has_zoc", "wait", "heading_deg"))
            setattr(unit, name, getattr(drawn, name))

    def change_map(self, edit):
        cell = self.cell()
        match self.random.randrange(4):
            case 0:
                edit.set_level(cell, self.random.randint(0, 3))
            case 1:
                edit.set_kind(cell, self.random.choice(("grass", "water", "void")))
            case 2:
                edit.add_deck(cell[:2], level=self.random.randint(4, 7))
            case 3:
                edit.add_link(cell, self.cell(), cost=2)

    def edit(self):
        with self.board.tilemap.edit("dig") as edit:
            self.change_map(edit)

    def stroke(self):
        tilemap = self.board.tilemap
        tilemap.begin_stroke("paint")
        with suppress(ValueError, IndexError):
            for _ in range(3):
                self.edit()
        tilemap.end_stroke()

    def undo_map(self):
        if not self.has_twin:  # the history of the map itself is not saved
            self.board.tilemap.undo()

    def redo_map(self):
        if not self.has_twin:
            self.board.tilemap.redo()

    # Parts of an action

    def hit(self, action, unit):
        if unit:
            action.set(unit, hp=int(action.random.integers(20)))

    def charm(self, action, unit):
        if unit:
            action.change(unit, move=self.random.choice((1, 4)), team=self.random.choice(TEAMS))

    def push(self, action, unit):
        if unit:
            action.place(unit, self.cell(), along=[unit.cell, self.cell()])

    def kill(self, action, unit):
        if unit:
            action.remove(unit)

    def summon(self, action, _unit):
        action.add(self.drawn_unit())

    def tire(self, action, unit):
        if unit:
            action.spend(unit, points=1, waiting=2)

    def quake(self, action, _unit):
        with action.edit() as edit:
            self.change_map(edit)

    def walk(self, _action, _unit):
        self.move()

    def steal(self, _action, _unit):
        self.sneak()

    DEEDS = (hit, charm, push, kill, summon, tire, quake, walk, steal)

    def act(self):
        """Do several things in one action, which now and then breaks off."""
        board, by = self.board, self.unit()
        steps = [self.random.choice(self.DEEDS) for _ in range(self.random.randint(0, 4))]
        with board.action("deed", by=by, is_automatic=self.random.random() < 0.2) as action:
            for step in steps:
                step(self, action, self.unit())
            action.data["rolled"] = [int(action.random.integers(6)), 0.5, None]
            if self.random.random() < 0.1:
                raise Broken

    def undo(self):
        now = self.board.digest()
        if self.board.undo():
            self.can_redo.append(now)

    def redo(self):
        if self.board.redo() and self.can_redo:
            expected = self.can_redo.pop()
            assert expected in (None, self.board.digest()), "redo leads to another state"

    ACTS = (
        *(add, remove, edit, stroke, undo_map, redo_map, change_turns, assign, face),
        *[move] * 6,
        *[sneak] * 3,
        *[act] * 6,
        *[wander] * 3,
        *[end_turn] * 3,
        *[undo] * 3,
        *[redo] * 3,
        move_together,
    )

    def play(self):
        """Do one thing at random; what is refused must change nothing."""
        chosen = self.random.choice(self.ACTS)
        before, n_before = self.board.digest(), len(self.board.log)
        is_refused = False
        try:
            chosen(self)
        except (MoveRefused, ValueError, IndexError, Broken):
            is_refused = True
        after = self.board.digest(), len(self.board.log)
        assert not is_refused or after == (before, n_before), f"{chosen.__name__} left a trace"
        if chosen not in (RandomGame.undo, RandomGame.redo):
            self._forget_redo(n_before)
        self._note()

    def _forget_redo(self, n_before):
        """Keep what redo leads to only if nothing has happened."""
        if len(self.board.log) != n_before or self.board.digest() != self.digests[-1]:
            self.can_redo = [None] * len(self.can_redo)

    def _note(self):
        n_entries, now = len(self.board.log), self.board.digest()
        if n_entries < len(self.digests) - 1:
            expected = self.digests[n_entries]
            assert expected in (None, now), "undo leads to another state"
        del self.digests[n_entries:]
        self.digests += [None] * (n_entries - len(self.digests))
        self.digests.append(now)
        for unit in self.board.units:
            assert 0 <= unit.points <= unit.move, "a unit overspends"
            if self.random.random() < 0.5:
                unit.advance(self.random.choice((0.1, 1, 50)))

    # Checks at its end

    def check(self):
        """Check that the game is saved, loaded, replayed, undone and redone exactly."""
        board = self.board
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.tmap"
            GameRecord.of(board).save(path)
            record = GameRecord.load(path)
        assert record.digest == board.digest(), "the record has another digest"
        assert record.log == board.log, "the log is read differently"
        assert stops(record.log) == stops(board.log), "a reason is read differently"
        assert len(self.digests) == len(record.log) + 1
        for number, digest in enumerate(self.digests):
            found = record.replay(number).digest()
            assert digest in (None, found), f"entry {number} is replayed to another state"
        end, states = board.digest(), []
        while True:
            states.append((len(board.log), board.digest()))
            if not board.undo():
                break
        for n_entries, digest in states:
            assert digest == record.replay(n_entries).digest(), "undo leads to another state"
        for n_entries, digest in reversed(states[:-1]):
            assert board.redo(), "redo ends too early"
            assert (len(board.log), board.digest()) == (n_entries, digest), "redo differs"
        assert board.digest() == end

    def continued(self):
        """Return a game that goes on from a record, as another process would."""
        self.has_twin = True
        other = copy.copy(self)
        other.random = random.Random()
        other.random.setstate(self.random.getstate())
        other.board = GameRecord.of(self.board).replay()
        other.board.turn_began.connect(other.tick)
        other.digests, other.can_redo = list(self.digests), []
        return other


def stops(log):
    """Return the data of all reasons in a log."""
    found = [change.stop for entry in log for change in entry.changes if change.stop]
    return [(why.code, why.values, plain_reason(why)) for why in found]


def check_game(seed):
    """Play a game from a seed, save it somewhere and continue both; raise AssertionError if wrong.

    Return the kinds of the entries of its log.
    """
    game = RandomGame(seed)
    split = game.random.randrange(N_ACTS)
    twin = None
    for number in range(N_ACTS):
        if number == split:
            game.board.join_edits(0, "editor")
            game.digests = [None] * len(game.board.log) + [game.board.digest()]
            game.can_redo = []
            with game.board.action("pause"):
                pass  # nothing that was undone can be done again, as after a load
            game._note()
            twin = game.continued()
        game.play()
        if twin is not None:
            twin.play()
            same = twin.board.digest() == game.board.digest()
            assert same, f"act {number} after a load leads to another state"
    game.check()
    return [entry.kind for entry in game.board.log]
