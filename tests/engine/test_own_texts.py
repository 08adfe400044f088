"""No two legal actions share a text form, the text by which an action is stored, typed and put on a button.

The tests play whole random games and compare the legal actions of every position.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from engine import GAMES, Action, GameKind, Position, parse_action
from engine.carcassonne.expansions.bridges_castles_bazaars import Bid, SelectLot
from tests.engine.every_game import RANDOM_GAMES, play_moves, seeds
from tests.engine.examples import examples

PRESETS = [(game, name) for game in GAMES.values() for name in game.presets]
"""Every preset (the options of an edition) of every game."""
every_preset = pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game.name}-{name}" for game, name in PRESETS]
)


def actions_without_high_bids(position: Position) -> list[Action]:
    """Return the legal actions, except bids of 5 points and more."""
    return [action for action in position.legal_actions if getattr(action, "amount", getattr(action, "bid", 0)) < 5]


@every_preset
@examples(12)
@given(seeds())
def test_no_two_legal_actions_share_a_text(game: GameKind, preset: str, seed: int) -> None:
    """Crowded piles lead to many features and castles, some on one tile, whose names might clash."""
    players = game.players[seed % len(game.players)]
    setup = game.new_setup(
        players=players,
        seed=str(seed),
        options=game.presets[preset],
        expansions=RANDOM_GAMES[game.name].expansions_for(seed),
    )
    for position, _, _ in play_moves(RANDOM_GAMES[game.name].crowded(setup), 3 * seed + 1, resigning=seed % 2 == 1):
        actions = actions_without_high_bids(position)
        texts = Counter(map(str, actions))
        assert [text for text, count in texts.items() if count > 1] == []
        assert [parse_action(text) for text in texts] == actions


def test_bids_have_different_texts() -> None:
    """These actions are left out of the test above."""
    actions = [*map(Bid, range(1000)), *(SelectLot(lot, bid) for lot in range(1, 7) for bid in range(1000))]
    assert len(set(map(str, actions))) == len(actions)
    assert [parse_action(str(action)) for action in actions] == actions
