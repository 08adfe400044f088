"""Every legal action has a text of its own, by which it is stored, typed and pressed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from engine import GAMES, Action, GameKind, Position, parse_action
from engine.carcassonne.expansions.bridges_castles_bazaars import Bid, SelectLot
from tests.engine.every_game import LIVELY, luck, moves

PRESETS = [(game, name) for game in GAMES.values() for name in game.presets]
every_preset = pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game.name}-{name}" for game, name in PRESETS]
)


def looked_at(position: Position) -> list[Action]:
    """The legal actions; of a thousand bids those of a few points."""
    return [action for action in position.legal_actions if getattr(action, "amount", getattr(action, "bid", 0)) < 5]


@every_preset
@settings(max_examples=12)
@given(luck())
def test_no_two_actions_of_a_crowded_game_are_called_alike(game: GameKind, preset: str, seed: int) -> None:
    """Both with all that is offered and with all that the engine knows; where castles crowd, two share a tile."""
    players = game.players[seed % len(game.players)]
    setup = game.new_setup(
        players=players, seed=str(seed), options=game.presets[preset], expansions=LIVELY[game.name].everything(seed)
    )
    for position, _, _ in moves(LIVELY[game.name].crowded(setup), 3 * seed + 1, resigning=seed % 2 == 1):
        actions = looked_at(position)
        texts = Counter(map(str, actions))
        assert [text for text, count in texts.items() if count > 1] == []
        assert [parse_action(text) for text in texts] == actions


def test_bids_differ_by_their_amount() -> None:
    """The actions that the other test leaves out."""
    actions = [*map(Bid, range(1000)), *(SelectLot(lot, bid) for lot in range(1, 7) for bid in range(1000))]
    assert len(set(map(str, actions))) == len(actions)
    assert [parse_action(str(action)) for action in actions] == actions
