"""Ratings of players, computed from the results of rated games by the package openskill.

A rating is an estimate of strength (``mean``) and its uncertainty (``deviation``). A *scale* is a kind of games that
are rated together: duels, tables of three or more, and *The Castle*. All ratings can be computed again from the games,
so that a corrected result changes all ratings after it.

The model is BradleyTerryFull, since openskill's default model treats joint winners and the third player alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from openskill.models import BradleyTerryFull

from tournaments.event import EventFold
from tournaments.points import places

MEAN: Final = 25.0
"""The mean of a new player, in the units of openskill."""
DEVIATION: Final = MEAN / 3
"""The deviation of a new player, as openskill proposes it."""
DEVIATION_DRIFT: Final = DEVIATION / 25
"""Added to the deviation before each game, so that ratings keep moving visibly."""
MIN_LISTED_GAMES: Final = 5
"""The number of games after which a rating is listed; before that it is too uncertain."""


class Scale(StrEnum):
    """A kind of game with its own ratings."""

    DUEL = "duel"
    MULTIPLAYER = "multiplayer"
    THE_CASTLE = "the-castle"


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game: its players by key, and their places; equal places are shared."""

    scale: Scale
    players: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's strength, and the number of games behind it."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def shown(self) -> int:
        """The number shown to players: 1000 at the beginning, and low while the deviation is high."""
        return round(1000 + 40 * (self.mean - 3 * self.deviation))

    @property
    def provisional(self) -> bool:
        """True if there are too few games for the rating list."""
        return self.games < MIN_LISTED_GAMES


def scale_of(game: str, seats: int) -> Scale:
    """Return the scale of a game."""
    if game == "the-castle":
        return Scale.THE_CASTLE
    return Scale.DUEL if seats == 2 else Scale.MULTIPLAYER


def rated_game(event: EventFold, stage: int, number: int, table: int) -> RatedGame | None:
    """Return the rated part of a decided game, from its current result; None if it does not count.

    Unplayed games, unrated events and seats taken over by a substitute do not count. Players who withdrew are last. At
    a team board the line-ups tell who played.
    """
    parameters, outcome = event.specification.parameters, event.outcome(stage, number, table)
    if not parameters.rated or outcome is None or outcome.how == "forfeited":
        return None
    keys = _rated_players(event, stage, number, table)
    counted_seats = [seat for seat, key in enumerate(keys) if key]
    if len(counted_seats) < 2:
        return None
    ranks = places(outcome, event.plans[stage - 1].ties)
    return RatedGame(
        scale_of(parameters.game, len(keys)),
        tuple(keys[seat] for seat in counted_seats),
        tuple(ranks[seat] for seat in counted_seats),
    )


def _rated_players(event: EventFold, stage: int, number: int, place: int) -> list[str]:
    """Return the key of each seat's rated player; empty where the game does not count for them."""
    table = event.round(stage, number).tables[place - 1]
    if table.board:
        return [event.member(stage, number, team, table.board) for team in table.seats]
    decided = event.decided[stage, number, place]
    return [event.entries[player].key if event.is_original_player(player, decided) else "" for player in table.seats]


def rate_game(game: RatedGame, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Return the ratings of a game's players after the game; ``before`` may lack new players."""
    model = BradleyTerryFull(tau=DEVIATION_DRIFT)
    old = [before.get(player, Rating()) for player in game.players]
    teams = [[model.rating(mu=rating.mean, sigma=rating.deviation)] for rating in old]
    new = model.rate(teams, ranks=[float(place) for place in game.places])
    return {
        player: Rating(team[0].mu, team[0].sigma, rating.games + 1)
        for player, team, rating in zip(game.players, new, old, strict=True)
    }


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The number of meetings of two players on a scale, and of those that each finished ahead."""

    games: int
    before: int
    behind: int


def head_to_head(games: Iterable[RatedGame], scale: Scale, first: str, second: str) -> HeadToHead:
    """Return the first player's record against the second."""
    meetings = before = behind = 0
    for game in games:
        if game.scale == scale and first in game.players and second in game.players:
            first_place, second_place = (game.places[game.players.index(player)] for player in (first, second))
            meetings, before, behind = (
                meetings + 1,
                before + (first_place < second_place),
                behind + (first_place > second_place),
            )
    return HeadToHead(meetings, before, behind)
