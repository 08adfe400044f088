"""Default actions, taken when time has run out, are legal everywhere and follow docs/rules.md."""

from __future__ import annotations

from random import Random

from hypothesis import given

from engine import GAMES, Pass, Setup, Skip, begin, parse_action
from engine.carcassonne import REGISTRY, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import PickLot, ScoreTown, SelectLot, Sell
from tests.engine.every_game import LIVELY, dealt_setups, luck, moves

ANSWERS = {
    "PlaceTile": (Skip,),
    "DeployFollower": (Pass,),
    "DecideTown": (ScoreTown,),
    "ChooseLot": (SelectLot, PickLot),
    "BidOnLot": (Pass,),
    "BuyOrSell": (Sell,),
    "DoubleFeature": (Pass,),
    "ExtraTurn": (Pass,),
}
ASIDE = {"DecideTown", "ChooseCastleSource", "ChooseLot", "BidOnLot", "BuyOrSell"}


@given(dealt_setups(), luck())
def test_it_can_always_be_done_and_is_what_is_promised(setup: Setup, seed: int) -> None:
    for position, _, _ in moves(setup, seed):
        step = position.step
        if step is None:
            continue
        name, action = type(step).__name__, step.default_action(position)
        assert isinstance(action, ANSWERS.get(name, (object,)))
        assert action in position.legal_actions or isinstance(action, Skip)
        assert getattr(action, "bid", 0) == 0
        assert step.out_of_turn == (name in ASIDE)
        assert parse_action(str(action)) == action
        position.copy().apply(action)


def test_a_game_that_nobody_plays_ends_with_nothing_but_that() -> None:
    """A bazaar with five silent seats and one that plays: every player's steps come up, and the game ends."""
    setup = new_setup(players=6, seed="1", expansions=tuple(name for name in REGISTRY))
    position, random, asked = begin(setup), Random(1), set[str]()
    while position.step is not None:
        asked.add(type(position.step).__name__)
        silent = position.player != 0
        action = (
            position.step.default_action(position) if silent else LIVELY["carcassonne"].lively_action(position, random)
        )
        position.apply(action)
    assert {"PlaceTile", "ChooseLot", "BidOnLot"} <= asked
    assert GAMES["carcassonne"].name == setup.game
