"""The games of the file that `make.py` writes."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.carcassonne.expansions import OFFERED

ALL_BOXES = "+".join(OFFERED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game up to a step of this name, at this ply or later."""

    step: str
    ply: int = 0
    players: int = 2
    seed: int = 1
    game: str = "carcassonne"
    asked: dict[str, str] = field(default_factory=dict)
    """Further options of the command that opens the table."""
    about: str = ""
    """The final state of the game."""


RUNNING = (
    Wanted("PlaceTile", 24, players=4, seed=2, asked={"rules": "c1_hig"}),
    Wanted("PlaceTile", 12, players=6, seed=7, asked={"expansions": "base"}),
    Wanted("DeployFollower", 9, players=3, seed=3),
    Wanted("DecideTown", seed=36),
    Wanted("ChooseCastleSource", seed=236),
    Wanted("ChooseLot", players=3),
    Wanted("BidOnLot", 12, players=3),
    Wanted("BuyOrSell", 6, players=3),
    Wanted("ChooseLot", 8, players=3, seed=4, asked={"bazaars": "draft"}),
    Wanted("PlaceTile", 20, game="the-castle", seed=4),
    Wanted("DeployFollower", 11, game="the-castle", seed=5, asked={"rules": "tc_rgg"}),
    Wanted("ChooseFeature", game="the-castle", seed=20),
    Wanted("DoubleFeature", game="the-castle", seed=29),
    Wanted("ExtraTurn", game="the-castle", seed=17),
)
"""All that a game can ask: its newest card asks it."""
OTHERS = (
    Wanted("PlaceTile", 16, players=3, seed=11, about="resigned"),
    Wanted("PlaceTile", 200, seed=12, asked={"expansions": ALL_BOXES}, about="late"),
    Wanted("PlaceTile", 105, game="the-castle", seed=13, about="late"),
    Wanted("", players=2, seed=14, asked={"expansions": ALL_BOXES}, about="finished"),
    Wanted("", game="the-castle", seed=15, about="finished"),
    Wanted("PlaceTile", 4, seed=16, about="pending"),
    Wanted("PlaceTile", 4, seed=17, game="the-castle", about="leased"),
    Wanted("PlaceTile", 4, seed=18, about="unrecorded"),
    Wanted("PlaceTile", 4, seed=19, about="refused"),
)
