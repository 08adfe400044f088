"""The bracket of a knock-out as values for its pictures: who has won, who goes on without a game, who comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cogs.words.events import knockout_name, pictured_name, value_words
from renderers.events import MOST, BracketSide, Pairing, Sort
from tournaments.duels.matches import contests, matches
from tournaments.facts import NOBODY

if TYPE_CHECKING:
    from host.events.views.values import EventView
    from tournaments.states import RoundState, StageState

COLUMNS: Final = 4
"""Rounds in a picture."""
Column = Sequence[Pairing]
Bracket = tuple[list[str], list[Column]]
"""The names of the rounds, and their matches."""
OPEN: Final = -2
"""A place of which nobody knows yet who has it."""


def brackets(view: EventView, state: StageState) -> list[Bracket]:
    """What the pictures of a knock-out show: the newest round in parts of eight matches, or the last four rounds."""
    if not state.rounds:
        return []
    places = len(state.rounds[0].slots)
    rounds = places.bit_length() - 1
    first = max(1, min(len(state.rounds), rounds - COLUMNS + 1))
    columns = [_column(view, state, number, places >> (number - 1)) for number in range(first, rounds + 1)]
    names = [knockout_name(places >> (number - 1)) for number in range(first, rounds + 1)]
    shown = min(COLUMNS, len(columns))
    found: list[Bracket] = []
    for start in range(0, len(columns[0]), MOST // 2):
        part: list[Column] = []
        for step, column in enumerate(columns[:shown]):
            part.append(column[start >> step : (start + MOST // 2) >> step])
        found.append((names[:shown], part))
    return found


def _column(view: EventView, state: StageState, number: int, places: int) -> list[Pairing]:
    slots = _slots(state, number, places)
    drawn = state.rounds[number - 1] if number <= len(state.rounds) else None
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [
        Pairing(*(_side(view, state, drawn, match, one, other) for one, other in ((two[0], two[1]), (two[1], two[0]))))
        for match, two in enumerate(pairs, 1)
    ]


def _slots(state: StageState, number: int, places: int) -> list[int]:
    """Who has the places of a round; of the next one those who are through already."""
    if number <= len(state.rounds):
        return list(state.rounds[number - 1].slots)
    if number > len(state.rounds) + 1:
        return [OPEN] * places
    last = state.rounds[-1]
    won = winners(state, last)
    pairs = zip(last.slots[::2], last.slots[1::2], strict=True)
    return [next((player for player in two if player in won), OPEN) for two in pairs]


def winners(state: StageState, drawn: RoundState) -> frozenset[int]:
    """Who goes on from a round, as far as it is decided."""
    through = {match.players[match.points[1] > match.points[0]] for match in matches(drawn, state.plan)}
    return frozenset({*through, *drawn.byes})


def _side(
    view: EventView, state: StageState, drawn: RoundState | None, match: int, player: int, other: int
) -> BracketSide:
    if player == NOBODY:
        return BracketSide()
    if player == OPEN or drawn is None:
        return BracketSide(pictured_name(view, player)) if player != OPEN else BracketSide()
    won = winners(state, drawn)
    gone = view.event is not None and player in view.event.gone
    sort = Sort.PLAYING
    if player in won:
        sort = Sort.THROUGH
    elif other in won:
        sort = Sort.LEFT if gone else Sort.BEATEN
    return BracketSide(pictured_name(view, player), games_words(state, drawn, match, player), sort)


def games_words(state: StageState, drawn: RoundState, match: int, player: int) -> str:
    """What a side has in a match: games won, of a single game its score; nothing before the first result."""
    for each in contests(drawn, state.plan):
        if each.match == match and player in each.players and each.played:
            own = each.players.index(player)
            return str(each.scores[own]) if state.plan.best_of == 1 else value_words(each.games[own])
    return ""
