"""The games that `make.py` plays: the step and the seed of each."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.carcassonne.expansions import OFFERED

ALL_BOXES = "+".join(OFFERED)


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game to play until it waits at this step, after at least `ply` actions."""

    step: str
    ply: int = 0
    players: int = 2
    seed: int = 1
    game: str = "carcassonne"
    options: dict[str, str] = field(default_factory=dict)
    """Further options of the command that opens the table."""
    about: str = ""
    """The state of the game, if it is not just a step: finished, resigned, its card unsent."""


RUNNING = (
    WantedGame("PlaceTile", 24, players=4, seed=2, options={"rules": "c1_hig"}),
    WantedGame("PlaceTile", 12, players=6, seed=7, options={"expansions": "base"}),
    WantedGame("DeployFollower", 9, players=3, seed=3),
    WantedGame("DecideTown", seed=36),
    WantedGame("ChooseCastleSource", seed=236),
    WantedGame("ChooseLot", players=3),
    WantedGame("BidOnLot", 12, players=3),
    WantedGame("BuyOrSell", 6, players=3),
    WantedGame("ChooseLot", 8, players=3, seed=4, options={"bazaars": "draft"}),
    WantedGame("PlaceTile", 20, game="the-castle", seed=4),
    WantedGame("DeployFollower", 11, game="the-castle", seed=5, options={"rules": "tc_rgg"}),
    WantedGame("ChooseFeature", game="the-castle", seed=20),
    WantedGame("DoubleFeature", game="the-castle", seed=29),
    WantedGame("ExtraTurn", game="the-castle", seed=17),
)
"""One game for each kind of decision, for which its newest card asks."""
OTHERS = (
    WantedGame("PlaceTile", 16, players=3, seed=11, about="resigned"),
    WantedGame("PlaceTile", 200, seed=12, options={"expansions": ALL_BOXES}, about="late"),
    WantedGame("PlaceTile", 105, game="the-castle", seed=13, about="late"),
    WantedGame("", players=2, seed=14, options={"expansions": ALL_BOXES}, about="finished"),
    WantedGame("", game="the-castle", seed=15, about="finished"),
    WantedGame("PlaceTile", 4, seed=16, about="pending"),
    WantedGame("PlaceTile", 4, seed=17, game="the-castle", about="leased"),
    WantedGame("PlaceTile", 4, seed=18, about="unrecorded"),
    WantedGame("PlaceTile", 4, seed=19, about="refused"),
)
