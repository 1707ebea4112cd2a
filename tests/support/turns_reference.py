"""The units, turns and dice of a game, and what one unit may do, by the rules in words."""

import copy
import itertools

from tests.support import rulebook

SLACK = 1e-9


class Referee:
    """What one unit may do in turns around others, by default all on its board."""

    def __init__(self, board, unit, others=None):
        self.tilemap, self.profile, self.start = board.tilemap, unit.profile, unit.cell
        self._sides, self._team = board.sides, unit.team
        others = board.units if others is None else others
        others = {other: rulebook.tiles(other.profile, other.cell) for other in others}
        own = set(others.pop(unit, rulebook.tiles(self.profile, self.start)))
        others = {other: [*filter(self._has, tiles)] for other, tiles in others.items()}
        strangers = [other for other in others if not self._is_ally(other)]
        self.covered = set(itertools.chain(*others.values())) - own
        self.blocked = {tile for other in strangers for tile in others[other]} - own
        self.zones = set()
        for enemy in strangers:
            is_neutral = {enemy.team, self._team} & self._sides.neutral
            halts = enemy.has_zoc and not is_neutral and not unit.profile.ignores_zoc
            if halts and self._has(enemy.cell):
                self.zones |= rulebook.zone(self.tilemap, enemy.profile, enemy.cell)
        self._steps = {}

    def _has(self, cell):
        """Return whether the map has a cell; edits remove decks under units."""
        row, col, deck = cell
        return not deck or self.tilemap.surface_thickness[deck:, row, col][:1].any()

    def _is_ally(self, other):
        pair = {self._team, other.team}
        return len(pair) == 1 or pair in self._sides.allies

    def steps(self, cell):
        if cell not in self._steps:
            found = {}
            for end, cost in rulebook.steps_from(self.tilemap, self.profile, cell, self.blocked):
                found[end] = min(cost, found.get(end, cost))
            self._steps[cell] = found
        return self._steps[cell]

    def halts(self, cell, origin):
        """Return whether a mover that began its turn at `origin` has to end it at a cell."""
        entered = {*rulebook.tiles(self.profile, cell)} - {*rulebook.tiles(self.profile, origin)}
        return not entered.isdisjoint(self.zones)

    def can_stop(self, cell):
        rules = self.tilemap, self.profile, cell, self.covered
        return cell == self.start or rulebook.can_stop(*rules)

    def ends(self, points):
        """Return {cell: cost} of all on which an order with some points may end."""
        if not self._has(self.start):
            return {}
        others = self.blocked, self.covered, self.zones
        found = rulebook.ends(self.tilemap, self.profile, self.start, *others)
        return {cell: cost for cell, cost in found.items() if cost <= points * (1 + SLACK)}

    def walk(self, cells, points):
        """Return the number of the cell where a unit on its way stops, and what it spent."""
        spent, end, is_halted = 0, (0, 0), False
        for number, (one, other) in enumerate(itertools.pairwise(cells), 1):
            price = None if is_halted else self.steps(one).get(tuple(other))
            if price is None or spent + price > points * (1 + SLACK):
                break
            spent += price
            is_halted = self.halts(other, cells[0])
            if self.can_stop(other):
                end = number, spent
        return end

    def turn_ends(self, cells, points, move):
        """List the numbers of the cells on which each turn along a path ends, as far as it gets."""
        prices = [self.steps(one)[other] for one, other in itertools.pairwise(cells)]
        ends, budget = [0], points
        while ends[-1] < len(prices):
            last = ends[-1]
            near = [
                end
                for end in range(last + 1, len(cells))
                if sum(prices[last:end]) <= budget * (1 + SLACK) + SLACK
                and self.can_stop(cells[end])
            ]
            if not near and (len(ends) > 1 or points >= move):
                break
            ends.append(max(near, default=last))
            budget = move
        return tuple(ends[1:])


VALUES = ("team", "profile", "move", "has_zoc", "wait", "sight", "speed_tiles_s", "stats")
"""What a unit is, all but where it is and what it has left."""


def facts(board):
    """Return the turn of a board, and what its units are, in values that compare."""
    turn = board.turn
    values = [{name: getattr(unit, name) for name in VALUES} for unit in board.units]
    units = {each.name: _known(own, each) for each, own in zip(board.units, values, strict=True)}
    return turn and (turn.number, turn.team, [unit.name for unit in turn.units]), units


def _known(values, unit):
    """Return the values of a unit, where it is and what it has left."""
    angle = round(unit.heading_deg % 360, 6) % 360
    return values, tuple(unit.cell), angle, round(unit.points, 6), round(unit.waiting, 6)


class PlainUnit:
    """A unit as a record; `left` are the points that it has left, None for all."""

    def __init__(self, unit):
        self.values = {name: getattr(unit, name) for name in VALUES}
        self.cell, self.heading_deg = tuple(unit.cell), unit.heading_deg
        self.left, self.waiting = None, 0

    @property
    def team(self):
        return self.values["team"]

    @property
    def points(self):
        move = self.values["move"]
        return move if self.left is None else min(self.left, move)

    @property
    def tiles(self):
        return rulebook.tiles(self.values["profile"], self.cell)

    def pay(self, left):
        self.left = left if left < self.values["move"] else None


class PlainGame:
    """What a board without units knows, and what orders make of it."""

    def __init__(self, board):
        self.units = {}
        self._neutral = board.sides.neutral
        self.order = board.turns
        self.n_actions = 0
        self._begin()

    def _begin(self):
        self.number, self.spent, self.teams, self._team = 1, 0, [], None
        self.has_begun = False  # with "wait", by a unit that acts

    def facts(self):
        """Return what `facts` returns of a board that is right."""
        units = {name: _known(unit.values, unit) for name, unit in self.units.items()}
        return (self.number, self.team, self.acting()) if self.order else None, units

    def copy(self):
        made = copy.copy(self)
        made.units = {name: copy.copy(unit) for name, unit in self.units.items()}
        made.teams = [*self.teams]
        return made

    # Turns

    @property
    def team(self):
        """The team that acts."""
        if self.order == "sides":
            return self._team or next(iter(self.teams), "")
        return next((self.units[name].team for name in self.acting()), "")

    def movers(self):
        return [name for name, unit in self.units.items() if unit.team not in self._neutral]

    def acting(self):
        """Return the names of the units that may act."""
        if self.order is None:
            return [*self.units]
        if self.order == "wait":
            waits = {name: self.units[name].waiting for name in self.movers()}
            return [name for name, wait in waits.items() if wait == min(waits.values())][:1]
        return [name for name in self.movers() if self.units[name].team == self.team]

    def change_turns(self, order):
        self.order = order
        self._begin()
        for unit in self.units.values():
            unit.left, unit.waiting = None, unit.values["wait"] if order == "wait" else 0
            self._join(unit)

    def end_turn(self):
        acting = self.acting()
        if self.order == "wait" and acting:
            unit = self.units[acting[0]]
            unit.waiting += unit.values["wait"] + self.spent
            unit.left = None
            self.number, self.spent, self.has_begun = self.number + 1, 0, True
        elif self.order == "sides" and acting:
            self._next_team()

    def _next_team(self):
        """Let the next of the teams that have units begin its turn."""
        present = {self.units[name].team for name in self.movers()}
        place = self.teams.index(self.team)
        later = [team for team in self.teams[place + 1 :] if team in present]
        self.number += not later
        self._team = [*later, *(team for team in self.teams if team in present)][0]
        for unit in self.units.values():
            if unit.team == self._team:
                unit.left = None

    def _join(self, unit):
        """Let the team of a unit take turns, after all others if it is new."""
        is_known = unit.team in self.teams or unit.team in self._neutral
        if self.order == "sides" and not is_known:
            self.teams.append(unit.team)

    def _pass_on(self, acting):
        """Begin the next turn if none of those who acted take turns any more."""
        movers = self.movers()
        if self.order == "wait" and not {*movers} & {*acting}:
            self.number, self.spent = self.number + bool(acting), 0
        if self.order == "sides":
            present = {self.units[name].team for name in movers}
            if not movers:
                self.number, self._team = 1, None
            elif self.team not in present:
                self._next_team()
            self.teams = [team for team in self.teams if team in present]

    # Units

    def add(self, unit):
        added = PlainUnit(unit)
        if self.order == "wait":
            movers = self.movers() if self.has_begun else []
            waits = [self.units[name].waiting for name in movers]
            added.waiting = min(waits, default=0) + unit.wait
        self.units[unit.name] = added
        self._join(added)

    def remove(self, name):
        acting = self.acting()
        del self.units[name]
        self._pass_on(acting)

    def change(self, name, **values):
        acting, unit = self.acting(), self.units[name]
        unit.heading_deg = values.pop("heading_deg", unit.heading_deg)
        unit.values = {**unit.values, **values}
        if "team" in values:
            self._join(unit)
            self._pass_on(acting)

    def walk(self, name, cell, heading_deg, cost, *, is_halted):
        """Let a unit walk to a cell, and pay for it."""
        unit = self.units[name]
        unit.cell, unit.heading_deg = tuple(cell), heading_deg
        if self.order is not None:
            unit.pay(0 if is_halted else max(0, unit.points - cost))
            self.spent += cost
            self.has_begun = True

    def spend(self, name, points, waiting):
        unit = self.units[name]
        if points > unit.points:
            raise ValueError("not enough points")
        is_acting = self.order == "wait" and name in self.acting()
        unit.pay(unit.points - points)
        if is_acting:
            self.spent += points + waiting
            self.has_begun |= self.spent > 0
        else:
            unit.waiting += waiting

    def stands(self):
        """Return whether each unit stands apart from all others."""
        tiles = [tile for unit in self.units.values() for tile in unit.tiles]
        return len(tiles) == len({*tiles})
