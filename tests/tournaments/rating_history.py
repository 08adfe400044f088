"""Ratings computed from all games of whole events, to compare with ratings updated game by game.

Ratings depend on the order of the games, so they are computed again from the first game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tournaments.event import EventFold
from tournaments.lasting.ratings import RatedGame, Rating, Scale, rate_game, rated_game


def rated_games(event: EventFold) -> Iterator[RatedGame]:
    """Yield the games of an event that count, by stage, round and table."""
    for state in event.stages:
        for round_state in state.rounds:
            for number in range(1, len(round_state.tables) + 1):
                game = rated_game(event, state.number, round_state.number, number)
                if game is not None:
                    yield game


def rebuild_ratings(games: Iterable[RatedGame]) -> dict[Scale, dict[str, Rating]]:
    """Return all ratings after these games, starting without any."""
    ratings: dict[Scale, dict[str, Rating]] = {scale: {} for scale in Scale}
    for game in games:
        ratings[game.scale].update(rate_game(game, ratings[game.scale]))
    return ratings
