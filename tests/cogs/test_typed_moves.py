"""Typed moves: suggestions and the interpretation of a move in notation or in words.

"M12/0 @road.W" is the notation of a tile on M12, not rotated, with a follower on its western road.
"""

from collections.abc import Sequence
from random import Random

import pytest

from cogs.games.presenters import presenter_of
from cogs.words import typed_moves as typed_words
from cogs.words.typed_moves import TypedMove
from engine import Action, parse_action
from engine.carcassonne import PlaceTile, Position, new_setup
from tests.cogs.positions import position_with_many_spots, random_game

UNLIMITED = 10_000
"""A limit that no list of suggestions reaches."""


def typed_moves(position: Position, query: str, limit: int) -> list[TypedMove]:
    """Return the moves offered to the player to move."""
    return typed_words.typed_moves(presenter_of(position), position, query, limit)


def typed_actions(position: Position, text: str) -> Sequence[Action]:
    """Return the actions that a typed text stands for."""
    return typed_words.typed_actions(presenter_of(position), position, text)


@pytest.mark.parametrize(("players", "seed"), [(2, 0), (3, 1), (6, 2)])
def test_only_legal_moves_are_offered(players: int, seed: int) -> None:
    rng = Random(seed)
    for position, _, _ in random_game(players, seed):
        if position.step is None or rng.random() < 0.7:
            continue  # a sample of the turns is enough
        suggestions = typed_moves(position, "", 60)
        assert suggestions
        for move in rng.sample(suggestions, min(5, len(suggestions))):
            after = position.copy()
            for token in move.text.split():
                after.apply(parse_action(token))
            assert len(move.text) <= 100
            assert move.words


def test_every_spot_is_found_by_its_name() -> None:
    position = position_with_many_spots()
    assert isinstance(position.step, PlaceTile)
    cells = {parse_action(move.text.split()[0]).cell.label for move in typed_moves(position, "", UNLIMITED)}  # type: ignore[union-attr]
    assert len(cells) > 70
    for label in cells:
        assert any(move.text.startswith(f"{label}/") for move in typed_moves(position, label, 25))


def test_words_filter_the_suggestions() -> None:
    position = Position(new_setup(players=2, seed="words"))
    all_moves = typed_moves(position, "", UNLIMITED)
    roads = typed_moves(position, "follower ROAD", UNLIMITED)
    assert 0 < len(roads) < len(all_moves)
    assert all("road" in f"{move.text} {move.words}" for move in roads)
    assert typed_moves(position, "no such thing", 25) == []


def test_a_move_can_be_typed_in_notation_or_in_words() -> None:
    position = Position(new_setup(players=2, seed="words"))
    first = typed_moves(position, "", 1)[0]
    actions = tuple(parse_action(token) for token in first.text.split())
    assert typed_actions(position, first.text) == actions
    assert typed_actions(position, first.words) == actions
    assert typed_words.moves_words(presenter_of(position), position, actions) == first.words


def test_an_incomplete_move_is_refused() -> None:
    position = Position(new_setup(players=2, seed="words"))
    move_with_follower = next(move for move in typed_moves(position, "follower on", UNLIMITED))
    assert typed_actions(position, move_with_follower.text.split()[0]) == ()
    assert typed_actions(position, "gibberish") == ()


def test_bids_can_be_typed() -> None:
    for position, _, _ in random_game(3, 5):
        if type(position.step).__name__ == "BidOnLot":
            bid = position.step.bazaar.bid + 3  # type: ignore[union-attr]
            assert [move.text for move in typed_moves(position, f"bid:{bid}", 1)] == [f"bid:{bid}"]
            return
    pytest.fail("no bidding in this game")
