"""What a picture of a scene shows and from where, as people ask for it."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from terrain3d.core.argument_types import (
    cell_argument,
    names_argument,
    number_argument,
    pair_argument,
)
from terrain3d.core.checks import number_within
from terrain3d.look.orbit import OrbitView
from terrain3d.map.tilemap import TileMap

NO_UNIT = "nobody"
OVERLAYS = ("reach", "costs", "none")
MAX_AFTER_S = 600.0
NEAR_DISTANCE = 16.0
"""How far the camera is from a tile that it looks at, if that is not said."""

_ARGUMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("heading", {"type": number_argument, "metavar": "DEG", "help": "0 looks north, 90 west"}),
    ("pitch", {"type": number_argument, "metavar": "DEG", "help": "how far it looks down, 8..89"}),
    ("distance", {"type": number_argument, "metavar": "TILES", "help": "how far off it is"}),
    ("at", {"type": cell_argument, "metavar": "ROW,COL", "help": "what it looks at"}),
    ("unit", {"metavar": "NAME", "help": f"who is selected, default the first; or {NO_UNIT}"}),
    (
        "squad",
        {
            "type": names_argument,
            "metavar": "NAME,NAME",
            "help": "who are selected instead, and go to --to together",
        },
    ),
    ("to", {"type": cell_argument, "metavar": "ROW,COL", "help": "where the way shown leads"}),
    (
        "lead",
        {
            "type": pair_argument,
            "metavar": "NAME=WAY",
            "action": "append",
            "help": "who moves by itself, and how, as Bram=chase; may be repeated",
        },
    ),
    (
        "after",
        {"type": number_argument, "metavar": "S", "help": "for so many seconds"},
    ),
    ("overlay", {"choices": OVERLAYS, "help": "what lies on the tiles, default reach"}),
)


@dataclass(frozen=True)
class ScreenshotOptions:
    """A picture that is asked for; None is what the scene chooses by itself.

    Parameters
    ----------
    heading, pitch : float, in degrees
        Where the camera looks; see `orbit`.
    distance : float > 0, in world units
        How far it is from what it looks at; without, and without a tile, it shows the whole map.
    at : (row, col)
        The tile it looks at; the middle of the map if not given.
    unit : str
        The name of who is selected, or NO_UNIT.
    squad : sequence of str
        The names of those who are selected, and go together.
    to : (row, col)
        Where the way leads that is shown; where the squad goes.
    lead : sequence of (str, str)
        Who moves by itself, and in which way.
    after : float, in seconds, 0..MAX_AFTER_S
        How long all goes on before the picture is taken.
    overlay : str
        One of OVERLAYS.
    no_hud : bool
        Whether there is no text on the picture.

    Raises
    ------
    TypeError, ValueError
        The time is no number, or out of its limits; a squad has nowhere to go, or a unit is to be
        selected besides.
    """

    heading: float | None = None
    pitch: float | None = None
    distance: float | None = None
    at: tuple[int, int] | None = None
    unit: str | None = None
    squad: Sequence[str] | None = None
    to: tuple[int, int] | None = None
    lead: Sequence[tuple[str, str]] | None = None
    after: float = 0.0
    overlay: str = OVERLAYS[0]
    no_hud: bool = False

    def __post_init__(self) -> None:
        """Check the time, for nobody waits for more, and that a squad has one order."""
        number_within("--after", self.after, 0, MAX_AFTER_S)
        if self.squad and self.to is None:
            raise ValueError("--squad needs --to: where it goes")
        if self.squad and self.unit is not None:
            raise ValueError("--squad and --unit both say who is selected: give one of them")

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Let a command line ask for all of it."""
        for name, how in _ARGUMENTS:
            parser.add_argument(f"--{name}", default=getattr(ScreenshotOptions, name), **how)
        parser.add_argument("--no-hud", action="store_true", help="leave out all text")

    @classmethod
    def from_options(cls, options: argparse.Namespace) -> Self:
        """Take what a command line asked for; the scene's own choice where it has no such words."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: getattr(options, name) for name in names if hasattr(options, name)})

    def view(self, whole: OrbitView, tilemap: TileMap) -> OrbitView:
        """Give where the camera is.

        Parameters
        ----------
        whole : OrbitView
            What shows the whole map in the same direction.
        tilemap : TileMap

        Raises
        ------
        IndexError
            The tile lies outside the map.
        ValueError
            A number is not finite, or the distance not above 0.
        """
        if self.at is not None:
            near = min(NEAR_DISTANCE, whole.distance)
            whole = replace(whole, target=tilemap.surface_point(self.at), distance=near)
        return whole if self.distance is None else replace(whole, distance=self.distance)
