"""What one unit may do in its turns, by the rules in words."""

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
        return cell == self.start or rulebook.can_stop(
            self.tilemap, self.profile, cell, self.covered
        )

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
