"""Rules of a game block and price surfaces as if the map had been edited so by hand."""

import itertools
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import strategies as st

import ai
from terrain3d import Reason, TileKind, TileMap
from tests.support import strategies
from tests.support.boards import one_edit
from tests.support.reference import tried
from tests.support.selection import table
from tests.support.strategies import KINDS, NAMES, profiles, tilemaps

PRICES = (math.inf, math.inf, True, 1, 3, 0.5, 260)


def beside(name, price, is_flat, spares_flyers, tilemap, profile):
    """Price all surfaces in columns beside one that has a kind of ground, in plain Python."""
    shape = (tilemap.rows, tilemap.cols) if is_flat else tilemap.surface_level.shape
    found = np.zeros(shape, dtype=np.bool_ if price is True else np.float64)
    if spares_flyers and profile.can_fly:
        return found
    for column in np.ndindex(tilemap.rows, tilemap.cols):
        near = [cell[:2] for cell in tilemap.grid.neighbors(column)]
        cells = [(*cell, deck) for cell in near for deck in {0, *tilemap.decks_at(cell)}]
        if any(tilemap.kind_at(cell).name == name for cell in cells):
            found[..., *column] = price
    return found


def on_levels(rest, price, _, spares_flyers, tilemap, profile):
    is_spared = spares_flyers and profile.can_fly
    return np.where((tilemap.surface_level % 3 == len(rest) % 3) & (not is_spared), price, 0.0)


@st.composite
def rules(draw):
    function = draw(st.sampled_from([beside, beside, on_levels]))
    given = st.sampled_from(NAMES), st.sampled_from(PRICES), st.booleans(), st.booleans()
    drawn = [draw(each) for each in given]

    def keep_off(tilemap, profile):
        return function(*drawn, tilemap, profile)

    return keep_off


def edited_by_hand(tilemap, profile, rules):
    """Make a map like another whose surfaces are of kinds that cost what rules and kinds do."""
    costs = np.zeros(tilemap.surface_level.shape)
    entry = [profile.cost_to_enter(kind) for kind in tilemap.kinds]
    for rule in rules:
        answer = np.asarray(rule(tilemap, profile))
        costs = costs + (np.where(answer, math.inf, 0) if answer.dtype == bool else answer)
    costs += np.array([math.inf if cost is None else cost for cost in entry])[tilemap.surface_kind]
    kinds, names = {kind.name: kind for kind in tilemap.kinds}, {}
    for place in np.argwhere(~tilemap.surface_void).tolist():
        deck, row, col = place
        kind, cost = tilemap.kind_at((row, col, deck)), float(costs[tuple(place)])
        names[row, col, deck] = kind.name
        before = profile.cost_to_enter(kind)
        if before is not None and cost != before:
            name = names[row, col, deck] = f"{kind.name}~{cost:.17g}"
            stops = profile.can_stop_on(kind)
            kinds[name] = TileKind(name, None if math.isinf(cost) else cost, can_stop=stops)
    table = tuple(kinds.values())
    made = TileMap(tilemap.level, tilemap.kind, table, topology=tilemap.topology)
    with made.edit() as edit:
        for (row, col, deck), name in names.items():
            if deck == 0:
                edit.set_kind((row, col), name)
        for row, col in itertools.product(range(tilemap.rows), range(tilemap.cols)):
            add_decks(edit, tilemap, (row, col), names)
        for link in tilemap.links:
            edit.add_link(link.start, link.end, link.cost, link.kind, link.one_way)
        for wall in tilemap.walls:
            edit.add_wall(wall.start, wall.end, wall.one_way)
    return made


def add_decks(edit, tilemap, column, names):
    """Add decks with the numbers of another map: a deck gets the lowest free one."""
    places = {deck: (*column, deck) for deck in range(1, len(tilemap.surface_level))}
    for deck, cell in places.items():
        if cell in names:
            size = int(tilemap.surface_thickness[deck, *column])
            edit.add_deck(column, tilemap.level_at(cell), names[cell], size)
        else:
            edit.add_deck(column, 100 + 2 * deck, "wood")
    for deck, cell in places.items():
        if cell not in names:
            edit.remove_deck(column, deck)


CLOSED = r"[a-z]+~inf at (\(\d+, \d+\)(?: deck \d+)?) cannot be entered"


def worded(value):
    """Return the answer of a map edited by hand in the words of one with rules."""
    if isinstance(value, str):
        closed = re.sub(CLOSED, r"\1 cannot be entered: keep off", value)
        return re.sub(r"~[0-9.e+inf]+", "", closed)
    if isinstance(value, dict):
        return {key: worded(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [worded(each) for each in value]
    return value


def all_answers(navigation, profile, start, goal, budget):
    graph = navigation.profile_graph(profile)
    search = navigation.begin_search(start, goal, profile)
    partial = navigation.find_path(start, goal, profile, partial=True)
    extra = 3.0 * (navigation.tilemap.level % 2)
    danger = navigation.find_path(start, goal, profile, extra_cost=extra)
    search.run()
    report, order = ai.check(navigation, profile, spawns=[start, goal]), ()
    if profile.size == 1:
        plan = ai.SquadPlanner(navigation).plan([start], [goal], profile)
        order = plan.paths, plan.costs, plan.reason
    path = navigation.find_path(start, goal, profile)
    reach = navigation.reach(start, budget, profile)
    field = navigation.cost_field(goal, profile)
    return worded(
        [
            (path.cells, path.cost, path.reason, path.steps),
            [(cell, reach.cost_to(cell), reach.path_to(cell).cells) for cell in reach],
            (field.cost.tolist(), field.path_from(start).cells),
            navigation.find_path(start, [goal, start], profile).cells,
            navigation.explain_step(start, goal, profile),
            navigation.steps_from(start, profile),
            navigation.explain_stop(goal, profile),
            navigation.is_reachable(start, goal, profile),
            (search.path.cells, search.path.cost, str(search.path.reason)),
            (partial.cells, partial.cost, str(partial.reason)),
            (danger.cells, danger.cost),
            [path.cells for path in navigation.find_paths([start], [goal], profile)],
            ai.choke_points(navigation, profile).tolist(),
            navigation.is_decision_point(goal, profile),
            navigation.price([start, goal], profile).reason,
            graph.can_stop(np.arange(len(graph.level))).tolist(),
            order,
            [(each.kind, each.cells) for each in (*report.problems, *report.notes)],
        ]
    )


@tried(250, st.data())
def test_every_answer_is_that_of_a_map_edited_by_hand(data):
    tilemap = data.draw(tilemaps())
    given = data.draw(st.lists(rules(), min_size=1, max_size=2))
    shapes = strategies.MORE_SHAPES
    movers = [data.draw(profiles(tilemap.topology, shapes)) for _ in range(2)]
    kept = ai.Navigation(tilemap, given)
    if data.draw(st.booleans()):
        kept.build_index(movers[0])
    for _ in range(data.draw(st.integers(1, 5))):
        cell = st.sampled_from(strategies.cells_to_ask(tilemap))
        mover, *ends = data.draw(st.sampled_from(movers)), data.draw(cell), data.draw(cell)
        by_hand = ai.Navigation(edited_by_hand(tilemap, mover, given))
        expected = all_answers(by_hand, mover, *ends, 9)
        assert all_answers(kept, mover, *ends, 9) == expected
        for _ in range(data.draw(st.integers(0, 2))):
            data.draw(strategies.edits(tilemap))(tilemap)


def play(board, mover, posts, goal, seed):
    answers = []
    for number, cell in enumerate(posts):
        unit = ai.Unit(f"unit {number}", cell, ("blue", "red")[number % 2], mover, move=4)
        try:
            board.add(unit)
        except ValueError as error:
            answers.append(str(error))
    for unit in board.units:
        reach, plan = board.reach(unit), board.plan(unit, goal, partial=True)
        costs = [(cell, reach.cost_to(cell)) for cell in reach]
        answers += [costs, (plan.cells, plan.path.cells, str(plan.reason))]
        targets = board.targets(unit, ai.Weapon(max_tiles=2))
        answers.append({other.name: cells for other, cells in targets.from_cells.items()})
    answers.append(board.threat("blue").count.tolist())
    blue = [unit for unit in board.units if unit.team == "blue" and unit.profile.size == 1]
    if blue:
        order = ai.SquadOrders(board).plan(blue, goal)
        stays = {unit.name: str(why) for unit, why in order.stays.items()}
        answers += [{unit.name: path for unit, path in order.paths.items()}, stays]
    for unit in board.units:
        rng = np.random.default_rng(seed)
        for behavior in (ai.Seek(goal, rng), ai.Explore(), ai.Wander(rng), ai.Flee(lambda: [goal])):
            paths = [board.act(unit, behavior) for _ in range(2)]
            answers += [(path.cells, str(path.reason)) for path in paths]
    return worded(answers)


@tried(60, st.data())
def test_boards_squads_and_behaviors_follow(data):
    tilemap = data.draw(tilemaps())
    given = data.draw(st.lists(rules(), min_size=1, max_size=2))
    mover = data.draw(profiles(tilemap.topology, strategies.MORE_SHAPES))
    cells = strategies.cells_to_ask(tilemap)
    posts = data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=4))
    play_of = mover, posts, data.draw(st.sampled_from(cells)), data.draw(st.integers(0, 9))
    by_hand = ai.Board(edited_by_hand(tilemap, mover, given))
    assert play(ai.Board(tilemap, rules=given), *play_of) == play(by_hand, *play_of)


LAVA = NAMES.index("lava")
ROUTE = "00000\n00000\n00000"


def too_hot_beside_lava(tilemap, _):
    lava = np.pad(tilemap.kind == LAVA, 1)
    return lava[:-2, 1:-1] | lava[2:, 1:-1] | lava[1:-1, :-2] | lava[1:-1, 2:]


def with_lava(cell, picture=ROUTE):
    tilemap = TileMap.from_text(picture, KINDS)
    if cell is not None:
        one_edit(tilemap).set_kind(cell, "lava")
    return tilemap


def test_a_refusal_names_the_rule_in_both_wordings_also_after_pickling():
    navigation = pickle.loads(pickle.dumps(ai.Navigation(with_lava((1, 2)), [too_hot_beside_lava])))
    assert navigation.rules == (too_hot_beside_lava,)
    why = navigation.find_path((1, 0), (1, 1)).reason
    assert why == "(1, 1) cannot be entered: too hot beside lava"
    assert (why.code, why.cells) == ("closed_by_rule", ((1, 1, 0),))
    plain = "the tile there cannot be entered: too hot beside lava"
    assert ai.plain_reason(why, aim=(1, 1)) == plain
    assert navigation.explain_step((1, 0), (1, 1)).reason == why
    assert navigation.explain_stop((1, 1)) == why
    assert navigation.explain_stop((1, 1), ai.MoveProfile(can_fly=True)) == why
    big = ai.MoveProfile(size=2)
    assert navigation.explain_stop((0, 0), big) == why  # names the tile, not the corner of the body
    assert navigation.find_path((1, 1), (1, 0)).cost == 1  # a path may start where none leads


def test_the_first_rule_that_blocks_is_named_and_prices_add_up():
    def one(tilemap, _):
        return np.where(tilemap.level == 1, math.inf, 1)

    def two(tilemap, profile):
        return (tilemap.level >= 1) * 2 if profile.size == 1 else tilemap.level == 2

    navigation = ai.Navigation(TileMap.from_text("0012"), [one, two])
    assert navigation.explain_step((0, 0), (0, 1)).parts.ground == 2
    why = navigation.explain_step((0, 1), (0, 2)).reason
    assert why == Reason("closed_by_rule", cell=(0, 2), rule="one")
    assert navigation.explain_step((0, 2), (0, 3)).parts[:3] == (4, 0, 1)


def test_a_rule_is_asked_once_for_each_profile_and_edit():
    asked = []

    def noted(tilemap, profile):
        asked.append((tilemap.version, profile))
        return np.zeros(tilemap.level.shape)

    tilemap, flyer = with_lava(None), ai.MoveProfile(can_fly=True)
    navigation = ai.Navigation(tilemap, [noted])
    for profile in (ai.MoveProfile(), flyer, ai.MoveProfile()):
        navigation.find_path((0, 0), (0, 4), profile)
        navigation.reach((0, 0), 2, profile)
        navigation.explain_stop((0, 0), profile)
    assert asked == [(0, ai.MoveProfile()), (0, flyer)]
    one_edit(tilemap).set_level((0, 0), 1)
    navigation.find_path((0, 0), (0, 4))
    assert asked[2:] == [(1, ai.MoveProfile())]


def test_a_rule_of_the_whole_map_changes_far_from_the_edit():
    def closed_at_night(tilemap, _):
        return np.full(tilemap.level.shape, tilemap.level[0, 0] > 0)

    tilemap = with_lava(None, "\n".join(["0" * 40] * 40))
    navigation = ai.Navigation(tilemap, [closed_at_night])
    assert navigation.find_path((30, 30), (39, 39))
    navigation.build_index()
    one_edit(tilemap).set_level((0, 0), 1)
    path = navigation.find_path((30, 30), (39, 39))
    assert not path
    assert path.reason.code == "closed_by_rule"
    tilemap.undo()
    assert navigation.find_path((30, 30), (39, 39)).cost == 18


@table(
    "answer error text",
    (np.zeros((2, 3)), ValueError, r"of shape \(3, 5\), or \(1, 3, 5\) .*, got \(2, 3\)"),
    (np.full((3, 5), math.nan), ValueError, r"0\.\.1000000, got nan at \(0, 0\); infinity"),
    (np.full((3, 5), -math.inf), ValueError, r"got -inf at"),
    (np.full((3, 5), "x"), TypeError, "must hold numbers"),
)
def test_a_wrong_answer_is_refused_and_leaves_all_as_it_was(answer, error, text):
    answers = [np.zeros((3, 5)), answer, np.zeros((3, 5))]

    def wrong_once(tilemap, _):
        return answers[tilemap.version]

    tilemap = with_lava(None)
    navigation = ai.Navigation(tilemap, [wrong_once])
    assert navigation.find_path((0, 0), (0, 4)).cost == 4
    one_edit(tilemap).set_level((0, 2), 1)
    for _ in range(2):
        with pytest.raises(error, match="what the rule 'wrong once' returns .*" + text):
            navigation.find_path((0, 0), (0, 4))
    one_edit(tilemap).set_level((0, 2), 2)
    assert navigation.find_path((0, 0), (0, 4)).cost == 6
