"""Default actions, taken for a player whose time has run out: always legal, and as documented in docs/rules.md.

A game is not held up by an absent player: their clock runs out, and the default action is applied.
"""

from __future__ import annotations

from random import Random

from hypothesis import given

from engine import GAMES, Pass, Setup, Skip, begin, parse_action
from engine.carcassonne import REGISTRY, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import PickLot, ScoreTown, SelectLot, Sell
from tests.engine.every_game import RANDOM_GAMES, dealt_setups, play_moves, seeds

DEFAULT_ACTIONS = {
    "PlaceTile": (Skip,),
    "DeployFollower": (Pass,),
    "DecideTown": (ScoreTown,),
    "ChooseLot": (SelectLot, PickLot),
    "BidOnLot": (Pass,),
    "BuyOrSell": (Sell,),
    "DoubleFeature": (Pass,),
    "ExtraTurn": (Pass,),
    "DecideAbbey": (Pass,),
    "DecideWagon": (Pass,),
}
"""The kinds of actions that may be the default, by the step."""
OUT_OF_TURN_STEPS = {"DecideTown", "ChooseCastleSource", "ChooseLot", "BidOnLot", "BuyOrSell", "DecideWagon"}
"""The steps in which another player than the active one may decide."""


@given(dealt_setups(), seeds())
def test_the_default_action_is_always_legal_and_as_documented(setup: Setup, seed: int) -> None:
    for position, _, _ in play_moves(setup, seed):
        step = position.step
        if step is None:
            continue
        name, action = type(step).__name__, step.default_action(position)
        assert isinstance(action, DEFAULT_ACTIONS.get(name, (object,)))
        assert action in position.legal_actions or isinstance(action, Skip)
        assert getattr(action, "bid", 0) == 0
        assert step.out_of_turn == (name in OUT_OF_TURN_STEPS)
        assert parse_action(str(action)) == action
        position.copy().apply(action)


def test_a_game_played_by_default_actions_ends() -> None:
    """Only seat 0 plays. The other five always take the default action, even in bazaars (auctions of tiles)."""
    setup = new_setup(players=6, seed="1", expansions=tuple(name for name in REGISTRY))
    position, rng, steps_seen = begin(setup), Random(1), set[str]()
    while position.step is not None:
        steps_seen.add(type(position.step).__name__)
        timed_out = position.player != 0
        action = (
            position.step.default_action(position)
            if timed_out
            else RANDOM_GAMES["carcassonne"].lively_action(position, rng)
        )
        position.apply(action)
    assert {"PlaceTile", "ChooseLot", "BidOnLot"} <= steps_seen
    assert GAMES["carcassonne"].name == setup.game
