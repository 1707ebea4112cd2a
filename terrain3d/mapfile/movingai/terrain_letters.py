"""What the signs of MovingAI's maps mean: those of all games, letters of terrain, and weights.

The seven signs are described at https://movingai.com/benchmarks/formats.html. In the collection of
weighted terrain (Sturtevant, Sigurdson, Taylor, Gibson: Pathfinding and Abstraction with Dynamic
Terrain Costs, AIIDE 2019) each of the letters A to P is a terrain, named in DynamicWeightedGrid.h
of https://github.com/nathansttt/hog2; what entering it costs is chosen by each experiment.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from terrain3d.grid.kinds import VOID, Color, TileKind
from terrain3d.mapfile.tiled.tile_kinds import spread_color

KINDS = (
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("swamp", color=(0.40, 0.44, 0.30), texture="mud", props="reeds"),
    TileKind("water", cost=None, color=(0.26, 0.47, 0.66), depth=1, texture="water"),
    TileKind("tree", cost=None, color=(0.20, 0.38, 0.20), texture="grass", props="trees"),
    VOID,
)
"""Grass and swamp cost 1 each unless a movement profile says otherwise."""

TERRAINS = (
    TileKind("black", color=(0.13, 0.12, 0.14), texture="rock"),
    TileKind("deep water", color=(0.13, 0.30, 0.52), tags={"liquid"}, depth=3, texture="water"),
    TileKind("water", color=(0.24, 0.45, 0.68), tags={"liquid"}, depth=2, texture="water"),
    TileKind("river", color=(0.48, 0.68, 0.84), tags={"liquid"}, depth=1, texture="water"),
    TileKind("swamp", color=(0.30, 0.42, 0.36), texture="mud", props="reeds"),
    TileKind("ground", color=(0.56, 0.42, 0.30), texture="soil"),
    TileKind("trees", color=(0.22, 0.40, 0.20), texture="grass", props="trees"),
    TileKind("road", color=(0.78, 0.72, 0.46), texture="paving"),
    TileKind("desert", color=(0.93, 0.86, 0.62), texture="sand"),
    TileKind("ice", color=(0.78, 0.92, 0.96), texture="snow"),
    TileKind("jungle", color=(0.18, 0.34, 0.28), texture="grass", props="trees"),
    TileKind("plains", color=(0.68, 0.66, 0.36), texture="grass", props="meadow"),
    TileKind("blight", color=(0.46, 0.40, 0.18), texture="mud"),
    TileKind("tundra", color=(0.74, 0.74, 0.70), texture="soil", props="stones"),
    TileKind("mountain", color=(0.42, 0.41, 0.42), texture="rock", props="rubble"),
    TileKind("hills", color=(0.44, 0.58, 0.30), texture="grass", props="stones"),
)
"""The terrains of the letters from A on. Each costs 1 unless weights or a profile say otherwise."""

SIGNS: Mapping[str, TileKind] = dict(
    zip(".GSWT@O", (KINDS[0], *KINDS[:4], VOID, VOID), strict=True)
)
LETTERS: Mapping[str, TileKind] = dict(zip("ABCDEFGHIJKLMNOP", TERRAINS, strict=True))

_SIGN_OF_NAME = {kind.name: sign for kind, sign in zip(KINDS, ".SWT@", strict=True)}
_LETTER_OF = {kind: letter for letter, kind in LETTERS.items()}


def strange_signs(signs: Collection[str], weights: Mapping[str, float] | None) -> set[str]:
    """Give those signs of a map that mean nothing, or have no weight where there are weights."""
    if weights is not None:
        return set(signs) - weights.keys()
    if _usual(signs):
        return set()
    is_of_games = bool((SIGNS.keys() - LETTERS.keys()) & set(signs))
    return set(signs) - (SIGNS if is_of_games else LETTERS).keys()


def kinds_of(signs: Sequence[str], weights: Mapping[str, float] | None) -> Mapping[str, TileKind]:
    """Give the kind of each sign of a map, none of which is strange.

    Parameters
    ----------
    signs : sequence of str
        The different ones on the map.
    weights : mapping of str to float, optional
        What entering a tile of a sign costs; 0: it cannot be entered.

    Raises
    ------
    TypeError, ValueError
        A weight is no cost.
    """
    usual = _usual(signs)
    if weights is None:
        return usual
    made: dict[str, TileKind] = {}
    for place, sign in enumerate(signs):
        kind = _weighed(sign, usual.get(sign), weights[sign], spread_color(place))
        if any(other.name == kind.name and other != kind for other in made.values()):
            kind = replace(kind, name=f"{kind.name} {sign}")
        made[sign] = kind
    return made


def signs_of(kinds: Sequence[TileKind], used: Collection[int]) -> list[str]:
    """Choose the sign of each kind of any map: letters if all that are used are terrains."""
    letters = [_LETTER_OF.get(replace(kind, cost=1), "") for kind in kinds]
    found = {letters[place] for place in used}
    if "" not in found and not found <= SIGNS.keys():
        return [letter or "A" for letter in letters]
    return [_sign_of(kind) for kind in kinds]


def _usual(signs: Collection[str]) -> Mapping[str, TileKind]:
    return next((known for known in (SIGNS, LETTERS) if known.keys() >= set(signs)), {})


def _weighed(sign: str, usual: TileKind | None, weight: float, color: Color) -> TileKind:
    """Make a kind that costs what is told of its sign, also if it usually is no ground."""
    if weight == 0:
        return replace(usual or TileKind(f"ground {sign}", color=color), cost=None)
    if usual is None or usual == VOID:
        return TileKind(f"ground {sign}", weight, color)
    return replace(usual, cost=weight)


def _sign_of(kind: TileKind) -> str:
    if kind.name in _SIGN_OF_NAME:
        return _SIGN_OF_NAME[kind.name]
    if kind.cost is None:
        return "W" if "liquid" in kind.tags else "T"
    return "S" if kind.cost > 1 else "."
