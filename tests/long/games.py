"""Random games on small boards with every kind of entry, beside a record of them in plain Python.

Each is saved, loaded, replayed, undone, done again and continued.
"""

import copy
import itertools
import math
import pickle
import random
import tempfile
from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from ai import Behavior, Board, GameRecord, MoveProfile, MoveRefused, Unit, plain_reason
from terrain3d import TileMap
from tests.long import Kind, by_seed
from tests.support import rulebook
from tests.support.map_states import state_of
from tests.support.turns_reference import PlainGame, Referee, facts

TEAMS = ("blue", "red", "green")
PROFILES = (
    MoveProfile(),
    MoveProfile(max_climb=9, max_drop=9),
    MoveProfile(can_fly=True, body_height=2),
    MoveProfile(size=2, size_tolerance=4),
    MoveProfile(kind_cost={"water": None, "sand": 1.5}, ignores_zoc=True),
    MoveProfile(climb_cost=(1, 3)),
)
STATS = {}, {"hp": 12}, {"bag": ["key", {"gold": 3}], "luck": 0.5}
N_ACTS = 30


class Go(Behavior):
    def __init__(self, cell):
        self._cell = cell

    def _choose(self, _situation):
        return self._cell


class Refused(Exception):
    """Raised for what was wrong and is refused, which must leave no trace."""


class Record:
    """All that a game was at one moment."""

    def __init__(self, game):
        self.board, self.plain = game.board, game.plain.copy()
        self.state, self.units = self.board.state, self.board.units
        self.map = state_of(self.board.tilemap)

    def __eq__(self, other):
        is_same = self.units == other.units or self.board is not other.board
        return is_same and (self.state, self.map) == (other.state, other.map)

    __hash__ = None


class RandomGame:
    """A board, and what is needed to play on it at random; all choices come from the seed.

    `plain` has what the rules make of each order. It is changed before the board is, and compared
    with it at each entry.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        rows, cols = self.random.randint(2, 5), self.random.randint(2, 5)
        levels = [[self.random.choice((0, 0, 0, 1, 2)) for _ in range(cols)] for _ in range(rows)]
        kinds = [[self.random.choice((0, 0, 1, 2)) for _ in range(cols)] for _ in range(rows)]
        tilemap = TileMap(levels, kinds, topology=self.random.choice(("square", "hex_odd_r")))
        sides = self.random.choice(({}, {"allies": [TEAMS[:2]]}, {"neutral": TEAMS[2:]}))
        turns, fog = self.random.choice((None, "sides", "wait")), self.random.random() < 0.5
        self.board = Board(tilemap, turns, seed=seed, fog=fog, **sides)
        self.plain = PlainGame(self.board)
        self.done, self.undone, self.gone = [], [], []
        self.is_in_action = False
        self._listen()
        for _ in range(self.random.randint(0, 4)):
            with suppress(Refused):
                self.add()
        if self.random.random() < 0.5:
            self.clear_history()

    def _listen(self):
        self.now = Record(self)
        self.digests, self.log = [], ()
        self.note()
        self.board.changed.connect(self.hear)

    # What is heard of entries

    def hear(self, entry):
        """Keep the state before each entry of the log, and let some turns begin with an action."""
        for change in entry.changes:
            assert self.board.unit(change.unit).name == change.unit.name
        if entry.is_undo or entry.is_redo:
            with pytest.raises(RuntimeError, match="cannot act while it undoes"):
                self.board.change_turns(None)
            self.refuse_edits()
            return
        assert facts(self.board) == self.plain.facts(), f"{entry.kind} against the rules"
        if not entry.is_automatic or entry.before.n_added != entry.after.n_added:
            self.undone.clear()
        self.done.append((entry.is_automatic, self.now))
        self.now = Record(self)
        self.note()
        if entry.begins_turn and self.plain.number % 3 == 0:
            self.poison()

    def note(self):
        """Keep the digest after each entry of the log, None where it is not known."""
        log = self.board.log
        is_same = [one is other for one, other in zip(self.log, log, strict=False)]
        del self.digests[[*is_same, False].index(False) + 1 :]
        self.digests += [None] * (len(log) - len(self.digests))
        self.digests[len(log) :] = [self.board.digest()]
        self.log = log

    def poison(self):
        with self.board.action("poison") as action:
            rolled = self.roll(action)
            for name in self.plain.acting():
                hp = self.board.unit(name).stats.get("hp", 10) - rolled
                self.set_hp(action, self.board.unit(name), hp)

    def roll(self, action):
        """Return what the dice of a new action must show, for a seed and a number of actions."""
        dice = np.random.default_rng((self.board.seed, self.plain.n_actions))
        self.plain.n_actions += 1
        rolled = int(dice.integers(6))
        assert int(action.random.integers(6)) == rolled, "the dice are not those of the action"
        return rolled

    # What is drawn

    def cell(self):
        tilemap = self.board.tilemap
        found = self.random.randrange(tilemap.rows), self.random.randrange(tilemap.cols)
        return (*found, self.random.choice(tilemap.decks_at(found) or (0,)))

    def unit(self):
        return self.random.choice(self.board.units) if self.board.units else None

    def drawn_unit(self):
        """Return a new unit, or one that has left."""
        if self.gone and self.random.random() < 0.3:
            unit = self.random.choice(self.gone)
            if not unit.is_placed:
                return unit
        values = {
            "team": self.random.choice(TEAMS),
            "profile": self.random.choice(PROFILES),
            "move": self.random.choice((0, 2, 5, 7.5, math.inf)),
            "has_zoc": self.random.random() < 0.3,
            "wait": self.random.choice((1, 2.5, 10)),
            "sight": self.random.choice((0, 1, 2, 8)),
            "heading_deg": self.random.choice((0, 90.5, -33)),
            "stats": self.random.choice(STATS),
        }
        return Unit(f"unit {self.random.randrange(9)}", self.cell(), **values)

    # Acts. The plain game refuses what the board must refuse, before the board is asked.

    def add(self, place=None):
        unit, tilemap = self.drawn_unit(), self.board.tilemap
        is_wrong = (
            unit.name in self.plain.units
            or self.is_too_large(unit.profile)
            or not rulebook.can_stop(tilemap, unit.profile, unit.cell)
        )
        if not is_wrong:
            before = self.plain.copy()
            self.plain.add(unit)
            is_wrong = not self.is_in_action and not self.plain.stands()
            if is_wrong:
                self.plain = before
        with refused(ValueError, is_wrong):
            (place or self.board).add(unit)

    def remove(self, place=None):
        if unit := self.unit():
            self.gone.append(unit)
            self.plain.remove(unit.name)
            (place or self.board).remove(unit if self.random.random() < 0.5 else unit.name)

    def move(self, *, is_automatic=False):
        """Order a unit to a cell where the rules let it go, or to any other."""
        board, unit = self.board, self.unit()
        if unit is None:
            return
        seen = [each for each in board.units if board.is_seen(each, unit.team)]
        is_late = unit.name not in self.plain.acting()
        referee = Referee(board, unit, seen)
        ends = referee.ends(unit.move if is_late else unit.points)
        reach = board.reach(unit)
        assert {tuple(cell): reach.cost_to(cell) for cell in reach} == pytest.approx(ends)
        cells = [*ends] if ends and self.random.random() < 0.8 else [self.cell()]
        cell = self.random.choice(cells)
        plan = board.plan(unit, cell)
        is_wrong = is_late or tuple(cell) not in ends
        if is_wrong:
            assert not plan
            hidden = {each.name for each in board.units if each not in seen} - {unit.name}
            assert not [name for name in hidden if name in plan_texts(plan)], "a name leaks"
        else:
            self._walk(unit, plan, ends[tuple(cell)])
        if is_automatic:
            board.act(unit, Go(cell), is_automatic=True)
            return
        with refused(MoveRefused, is_wrong):
            board.move(*self.random.choice([(plan,), (unit, cell), (unit.name, cell)]))

    def _walk(self, unit, plan, cost):
        """Let a unit walk in the plain game as far as it can."""
        assert plan.cost == pytest.approx(cost)
        truth, start = Referee(self.board, unit), tuple(unit.cell)
        number, spent = truth.walk(plan.cells, unit.points)
        cells = plan.cells[: number + 1]
        assert self.board.has_fog or cells == plan.cells
        if number:
            heading_deg = heading_after(self.board.tilemap, cells, unit.heading_deg)
            is_halted = truth.halts(cells[-1], start)
            self.plain.walk(unit.name, cells[-1], heading_deg, spent, is_halted=is_halted)

    def move_together(self):
        """Order some units along random steps; what is right is tried on a copy."""
        board, paths = self.board, {}
        for unit in board.units:
            path, situation = [unit.cell], board.situation(unit)
            for _ in range(self.random.randint(0, 3)):
                steps = sorted(situation.steps_from(path[-1]))
                path.append(self.random.choice([path[-1], *steps]))
            if self.random.random() < 0.5:
                paths[unit] = path
        ahead = board.copy()
        try:
            ahead.move_together({unit.name: path for unit, path in paths.items()})
        except MoveRefused:
            with refused(MoveRefused, is_wrong=True):
                board.move_together(paths)
        staying = [unit for unit in board.units if unit not in paths]
        for unit, path in paths.items():
            end = ahead.unit(unit).cell
            cells = [cell for cell, _ in itertools.groupby(path)]
            referee = Referee(board, unit, staying)
            legal = [other in referee.steps(one) for one, other in itertools.pairwise(cells)]
            # It stops before what it did not see, there or earlier for another unit.
            last = legal.index(False) if False in legal else len(legal)
            cells = cells[: 1 + max(n for n, cell in enumerate(cells[: last + 1]) if cell == end)]
            cost = sum(referee.steps(one)[other] for one, other in itertools.pairwise(cells))
            assert cost <= unit.points * (1 + 1e-9), "a joint move costs more than the unit has"
            if len(cells) > 1:
                assert unit.name in self.plain.acting(), "a joint move out of turn"
                heading_deg = heading_after(board.tilemap, cells, unit.heading_deg)
                is_halted = Referee(board, unit).halts(cells[-1], cells[0])
                self.plain.walk(unit.name, cells[-1], heading_deg, cost, is_halted=is_halted)
        board.move_together(paths)

    def face(self):
        if unit := self.unit():
            cell = self.cell()
            is_late = unit.name not in self.plain.acting()
            here = middle(self.board.tilemap, self.plain.units[unit.name].tiles)
            heading_deg = heading(here, middle(self.board.tilemap, [cell]))
            if not is_late and heading_deg is not None:
                self.plain.change(unit.name, heading_deg=heading_deg)
            with refused(MoveRefused, is_late):
                self.board.face(unit, cell)

    def end_turn(self):
        if self.board.turns:
            self.plain.end_turn()
            self.board.end_turn(is_automatic=self.random.random() < 0.2)

    def change_turns(self):
        turns = self.random.choice((None, "sides", "wait"))
        self.plain.change_turns(turns)
        self.board.change_turns(turns)

    def assign(self):
        if unit := self.unit():
            names = "team", "profile", "move", "has_zoc", "wait", "sight", "heading_deg"
            name = self.random.choice(names)
            value, before = getattr(self.drawn_unit(), name), self.plain.copy()
            self.plain.change(unit.name, **{name: value})
            is_large = name == "profile" and self.is_too_large(value)
            is_wrong = is_large or (name == "profile" and not self.may_end(before))
            if is_wrong:
                self.plain = before
            with refused(ValueError if is_large else MoveRefused, is_wrong):
                setattr(unit, name, value)

    def is_too_large(self, profile):
        return profile.size > 1 and self.board.tilemap.topology != "square"

    def may_end(self, before, lost=None):
        """Return whether units stand on ground and apart, but those that had no ground before."""
        lost, units = self.lost(before) if lost is None else lost, self.plain.units
        stays = {name for name in lost & {*units} if units[name].tiles == before.units[name].tiles}
        others = [unit for name, unit in units.items() if name not in stays]
        return all(map(self.has_ground, others)) and self.plain.stands()

    def lost(self, plain):
        return {name for name, unit in plain.units.items() if not self.has_ground(unit)}

    def has_ground(self, unit):
        return all(self.board.tilemap.has_surface(tile) for tile in unit.tiles)

    def clear_history(self):
        self.board.clear_history()
        self.done, self.undone, self.digests, self.now = [], [], [], Record(self)
        self.note()

    # Changes of the map

    def change_map(self, edit):
        cell = self.cell()
        match self.random.randrange(5):
            case 0:
                edit.set_level(cell, self.random.randint(0, 3))
            case 1:
                edit.set_kind(cell, self.random.choice(("grass", "water", "void")))
            case 2:
                edit.add_deck(cell[:2], level=self.random.randint(4, 7))
            case 3:
                edit.add_link(cell, self.cell(), cost=2, extras={"name": "rope"})
            case 4:
                edit.remove_deck(cell[:2], 1)

    def edit(self):
        with maybe_refused(), self.board.tilemap.edit("dig") as edit:
            self.change_map(edit)
            self.refuse_orders()

    def stroke(self):
        tilemap = self.board.tilemap
        tilemap.begin_stroke("paint")
        for _ in range(3):
            with suppress(Refused):
                self.edit()
            self.refuse_orders()
        if self.random.random() < 0.8:
            tilemap.end_stroke()
        else:
            tilemap.cancel_stroke()

    def refuse_orders(self):
        """Try orders and actions while others edit the map."""
        board, unit = self.board, self.unit()
        orders = [board.undo, board.redo, board.copy, board.clear_history]
        orders += [lambda: board.action("late").__enter__(), lambda: board.add(self.drawn_unit())]
        orders += [lambda: board.change_turns("wait"), lambda: GameRecord.of(board)]
        if unit:
            orders += [lambda: board.remove(unit), lambda: setattr(unit, "move", 3.25)]
        with pytest.raises((RuntimeError, ValueError)):
            self.random.choice(orders)()

    def refuse_edits(self):
        """Try edits and strokes while the board undoes, or while an action is open."""
        tilemap = self.board.tilemap
        writes = tilemap.begin_stroke, tilemap.undo, tilemap.redo, self.paste, self.edit
        with pytest.raises(RuntimeError, match="another writer"):
            self.random.choice(writes)()

    def paste(self):
        tilemap = self.board.tilemap
        room = TileMap.from_text("1", topology=tilemap.topology)
        room.extras["signs"] = [{"text": str(self.random.randrange(9)), "cell": [0, 0]}]
        row, col, _ = self.cell()
        with maybe_refused():  # a deck may be in its way
            tilemap.paste(room, (row // 2 * 2, col))  # where hexagons fit

    def scribble(self):
        """Change data of the map in place, which no entry takes back."""
        if signs := self.board.tilemap.extras.get("signs"):
            signs[0]["text"] = str(self.random.random())
            self.board.tilemap.clear_history()
            self.clear_history()

    # Parts of an action

    def set_hp(self, action, unit, hp):
        self.plain.change(unit.name, stats={**unit.stats, "hp": hp})
        action.set(unit, hp=hp)

    def hit(self, action, unit):
        if unit:
            self.set_hp(action, unit, int(action.random.integers(20)))

    def charm(self, action, unit):
        if unit:
            values = {"move": self.random.choice((1, 4)), "team": self.random.choice(TEAMS)}
            self.plain.change(unit.name, **values)
            action.change(unit, **values)

    def push(self, action, unit):
        if unit:
            cell = self.cell()
            self.plain.units[unit.name].cell = cell
            here = [unit.cell] if self.board.tilemap.has_cell(unit.cell) else []
            action.place(unit, cell, along=[*here, self.cell()])

    def tire(self, action, unit):
        if unit:
            points, waiting = self.random.choice(((1, 2), (0, 0.5), (3, 0)))
            is_wrong = points > unit.points
            if not is_wrong:
                self.plain.spend(unit.name, points, waiting)
            with refused(ValueError, is_wrong):
                action.spend(unit, points, waiting)

    def quake(self, action, _unit):
        with maybe_refused(), action.edit() as edit:
            self.change_map(edit)

    DEEDS = (
        *(hit, charm, push, tire, quake),
        lambda game, action, _unit: game.remove(action),
        lambda game, action, _unit: game.add(action),
        *[lambda game, _action, _unit: game.move()] * 2,
    )

    def act(self):
        """Do several things in one action, which now and then breaks off."""
        board, by, before = self.board, self.unit(), self.plain.copy()
        lost, is_wrong = self.lost(before), False
        steps = [self.random.choice(self.DEEDS) for _ in range(self.random.randint(0, 4))]
        self.is_in_action = True
        try:
            with board.action("deed", by, is_automatic=self.random.random() < 0.2) as action:
                rolled = self.roll(action)
                self.refuse_edits()
                for step in steps:
                    step(self, action, self.unit())
                    assert facts(board) == self.plain.facts(), f"{step} is wrong"
                action.data["rolled"] = [rolled, 0.5, None]
                if self.random.random() < 0.1:
                    raise Refused
                is_wrong = not self.may_end(before, lost)
                self.is_in_action = False
        except Refused:
            self.plain = before
            raise
        except MoveRefused as error:
            self.plain = before
            if not is_wrong:
                raise AssertionError("a right action is refused") from error
            raise Refused from error
        finally:
            self.is_in_action = False
        assert not is_wrong, "units stand where they cannot"

    # History

    def undo(self):
        places = [n for n, (is_automatic, _) in enumerate(self.done) if not is_automatic]
        if places:
            place = places[-1]
            self.undone.append((place, self.done[place:], self.now))
            self.now = self.done[place][1]
            del self.done[place:]
        assert self._replay(self.board.undo) == bool(places)

    def redo(self):
        has_redo = bool(self.undone)
        if has_redo:
            place, entries, self.now = self.undone.pop()
            self.done[place:] = entries
        assert self._replay(self.board.redo) == has_redo

    def _replay(self, way):
        is_done = way()
        assert Record(self) == self.now, f"{way.__name__} leads to another state"
        self.plain = self.now.plain.copy()
        self.note()
        return is_done

    ACTS = (
        *(add, remove, edit, stroke, change_turns, assign, face),
        lambda game: game.board.tilemap.undo(),
        lambda game: game.board.tilemap.redo(),
        *(paste, scribble),
        *[move] * 8,
        *[act] * 6,
        *[partial(move, is_automatic=True)] * 3,
        *[end_turn] * 3,
        *[undo] * 4,
        *[redo] * 4,
        move_together,
        clear_history,
    )

    def play(self):
        """Do one thing at random; what is refused must change nothing."""
        chosen = self.random.choice(self.ACTS)
        before, digest, log = Record(self), self.digests[-1], self.board.log
        units = [*self.board.units, *(unit for unit in self.gone if not unit.is_placed)]
        poses = [*map(pose_of, units)]
        try:
            chosen(self)
        except Refused:
            what = f"{chosen} left a trace"
            assert (Record(self), self.board.log) == (before, log), what
            assert self.board.digest() == digest, what
            assert [*map(pose_of, units)] == poses, what
        assert facts(self.board) == self.plain.facts(), f"{chosen} against the rules"
        for unit in self.board.units:
            assert 0 <= unit.points <= unit.move, "a unit overspends"
            if self.random.random() < 0.5:
                unit.advance(self.random.choice((0.1, 1, 50)))

    # Checks

    def others(self):
        """Return boards that must be in the same state, by what they are."""
        board, record = self.board, GameRecord.of(self.board)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.tmap"
            record.save(path)
            loaded = GameRecord.load(path)
        number = self.random.randrange(len(self.digests))
        found = self.random.choice((record, loaded)).replay(number)
        expected = self.digests[number]
        assert expected in (None, found.digest()), f"entry {number} is replayed otherwise"
        return {
            "copy": board.copy(),
            "pickle": pickle.loads(pickle.dumps(board)),
            "replay": record.replay(),
            "loaded": loaded.replay(),
        }

    def check(self):
        """Check that copies of all kinds are equal, and now and then go on with one of them."""
        board, others, digest = self.board, self.others(), self.digests[-1]
        assert (Record(self), board.digest()) == (self.now, digest)
        for what, other in others.items():
            assert other.state == board.state, f"{what} has another state"
            assert other.digest() == digest, f"{what} has another digest"
            assert other.log == board.log, f"{what} has another log"
            assert state_of(other.tilemap) == self.now.map, f"{what} has another map"
        alone = board.at(board.state)
        assert (alone.state, alone.log) == (board.state, ())
        if self.random.random() < 0.1:
            self.go_on_with(*self.random.choice([*others.items()]))

    def go_on_with(self, what, board):
        """Play on another board in the same state; a record does not keep what was undone."""
        self.board, self.gone = board, []
        if what in ("replay", "loaded"):
            self.undone = []
        self._listen()

    def fork(self, what, board, record=None):
        """Return a game that goes on with the same luck on another board, also from a record."""
        other = copy.copy(self)
        other.random = copy.deepcopy(self.random)
        other.plain = (record or self).plain.copy()
        other.done, other.undone = ([], []) if record else ([*self.done], [*self.undone])
        other.go_on_with(what, board)
        return other


@contextmanager
def refused(kind, is_wrong):
    """Expect an error of a kind if an order is wrong, and let it break off what it is part of."""
    try:
        yield
    except kind as error:
        assert is_wrong, "a right order is refused"
        raise Refused from error
    assert not is_wrong, "a wrong order is carried out"


@contextmanager
def maybe_refused():
    """Let a change of the map that is wrong break off what it is part of."""
    try:
        yield
    except (ValueError, IndexError) as error:
        raise Refused from error


def pose_of(unit):
    """Return where a unit is seen, and its state."""
    try:
        return unit.pose, unit.is_moving, unit.state
    except RuntimeError:  # it has not been on a board
        return unit.state


def plan_texts(plan):
    return f"{plan.reason} {plan.path.reason} {plain_reason(plan.reason)}"


def middle(tilemap, tiles):
    """Return the point between the feet of a unit on some tiles."""
    on_map = [tile[:2] for tile in tiles if tile[0] < tilemap.rows and tile[1] < tilemap.cols]
    xs, ys, _ = zip(*map(tilemap.surface_point, on_map), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def heading(start, end):
    """Return the direction to another point, counter-clockwise from north; None without one."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    is_apart = math.hypot(dx, dy) > 1e-9
    return math.degrees(math.atan2(-dx, dy)) if is_apart else None


def heading_after(tilemap, cells, heading_deg):
    """Return the direction of the last step to another column."""
    for points in itertools.pairwise(middle(tilemap, [each]) for each in cells):
        ahead = heading(*points)
        heading_deg = heading_deg if ahead is None else ahead
    return heading_deg


def check(seed):
    """Play a game from a seed, and check it at each step; return the kinds of its entries."""
    game = RandomGame(seed)
    game.check()
    for _ in range(N_ACTS):
        game.play()
        game.check()
    while not all(is_automatic for is_automatic, _ in game.done):
        game.undo()
    while game.undone:
        game.redo()
    return Counter(["games", *(entry.kind for entry in game.board.log)])


KIND = Kind("games", 100, by_seed(check))
