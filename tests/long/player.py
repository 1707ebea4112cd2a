"""A simple player of battles, and how often it wins against each difficulty on the first map."""

from collections import Counter

from ai.game.battle import DOOR, Choice
from ai.game.battle_setup import Match, set_up
from ai.game.unit_loader import PLAYER_TEAM
from terrain3d import landscape
from terrain3d.program.maps import FIRST
from tests.long import Kind, by_seed

SHARES = {"easy": 80, "normal": 55, "hard": 30}
"""Of games that the simple player should win, in percent, and how far it may be from that."""
TOLERANCE = 7


def choice_of(battle, unit):
    """Return what a simple player does with a unit.

    It strikes the nearest enemy that it can, with the best expected damage; without one it walks to
    the goal, and stays there.
    """
    cells, distance = battle.objective.cells, battle.board.tilemap.grid.distance
    deeds = [
        each
        for each in battle.deeds(unit)
        if each.skill != DOOR.name and (unit.cell not in cells or each.cell in cells)
    ]
    struck = {each: battle.aims(unit, each.skill, each.cell)[each.aim].units for each in deeds}
    if not deeds:
        cost_from = battle.board.navigation.cost_field(cells, unit.profile).cost_from
        return Choice(min(battle.stands(unit), key=cost_from))
    targets = [target for each in struck.values() for target in each]
    nearest = min(targets, key=lambda target: distance(unit.cell[:2], target.cell[:2]))
    able = [each for each in deeds if nearest in struck[each]]
    return max(able, key=lambda each: expected_damage(battle, unit, each))


def expected_damage(battle, unit, choice):
    """Return the hit points that a choice takes from enemies on average."""
    later = battle.look_ahead(unit.team)
    unit = later.board.unit(unit)
    with later.board.action("looks") as action:
        action.place(unit, choice.cell)
    return sum(
        blow.chance / 100 * min(blow.damage + blow.fall_damage, blow.target.stats["hp"])
        for blow in later.forecast(unit, choice.skill, choice.aim)
        if blow.by is unit
    )


def check(seed: int, difficulty: str) -> Counter[str]:
    battle, _ = set_up(landscape(**FIRST, is_island=True), seed)
    is_won = play(Match(battle, difficulty)) == PLAYER_TEAM
    return Counter({"games": 1, "won": is_won, "rounds": battle.turn.number})


def faults(counts: Counter[str], difficulty: str) -> list[str]:
    share, target = 100 * counts["won"] / counts["games"], SHARES[difficulty]
    is_right = abs(share - target) <= TOLERANCE
    return [] if is_right else [f"{difficulty}: {share:.0f} % of games won, should be {target}"]


def play(match: Match) -> str:
    battle = match.battle
    while not battle.winner:
        units = battle.turn.units
        if battle.turn.team != PLAYER_TEAM:
            match.enemy.play_turn(battle)
            continue
        for unit in units:
            if unit in battle.board.units and not battle.reason(unit):
                battle.play(unit, choice_of(battle, unit))
        battle.end_turn_of(units)
    return battle.winner


KIND = Kind("games", 200, by_seed(check), faults)
