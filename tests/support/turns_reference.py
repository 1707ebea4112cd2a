"""What one unit may do in its turns, by the rules in words."""

import itertools

from tests.support import rulebook

SLACK = 1e-9


class Referee:
    """What one unit may do in turns around the others of its board."""

    def __init__(self, board, unit):
        self.tilemap, self.profile, self.start = board.tilemap, unit.profile, unit.cell
        own = set(rulebook.tiles(unit.profile, unit.cell))
        others = [other for other in board.units if other is not unit]
        enemies = [other for other in others if other.team != unit.team]
        covered = [tile for other in others for tile in rulebook.tiles(other.profile, other.cell)]
        self.covered = set(covered) - own
        self.blocked = {
            tile for other in enemies for tile in rulebook.tiles(other.profile, other.cell)
        } - own
        self.zones = set()
        for enemy in enemies:
            if enemy.has_zoc and not unit.profile.ignores_zoc:
                self.zones |= rulebook.zone(self.tilemap, enemy.profile, enemy.cell)
        self._steps = {}

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
