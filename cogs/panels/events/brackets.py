"""The bracket of a knock-out as values for its pictures: who has won, who goes on without a game, who comes next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from cogs.texts import t
from cogs.words.events import knockout_name, pictured_name, value_words
from renderers.events import MOST, BracketSide, Pairing, Sort
from tournaments.duels.matches import boards_won, contests
from tournaments.facts import NOBODY
from tournaments.stages.knockout import going_on, is_cut_short

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
    slots = _slots(view, state, number, places)
    drawn = state.rounds[number - 1] if number <= len(state.rounds) else None
    through = _going_on(view, state, drawn) if drawn else [None] * (places // 2)
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [
        Pairing(*(_side(view, state, drawn, match, player, through[match - 1]) for player in two))
        for match, two in enumerate(pairs, 1)
    ]


def _slots(view: EventView, state: StageState, number: int, places: int) -> list[int]:
    """Who has the places of a round; of the next one those who are through already."""
    if number <= len(state.rounds):
        return list(state.rounds[number - 1].slots)
    if number > len(state.rounds) + 1:
        return [OPEN] * places
    return [OPEN if player is None else player for player in _going_on(view, state, state.rounds[-1])]


def _going_on(view: EventView, state: StageState, drawn: RoundState) -> Sequence[int | None]:
    """Return who goes on from each pair of a round: those of the next one where that is drawn, else as it stands."""
    if drawn.number < len(state.rounds):
        return state.rounds[drawn.number].slots
    return going_on(view.event.scene(state)) if view.event else [None] * (len(drawn.slots) // 2)


def _side(
    view: EventView, state: StageState, drawn: RoundState | None, match: int, player: int, through: int | None
) -> BracketSide:
    if player in (NOBODY, OPEN):
        return BracketSide()
    name = pictured_name(view, player)
    if drawn is None:
        return BracketSide(name)
    gone = view.event.gone if view.event else frozenset()
    withdrew = has_withdrawn(state, drawn, match, player, gone)
    sort = Sort.PLAYING
    if player == through:
        sort = Sort.THROUGH
    elif through is not None:
        sort = Sort.LEFT if withdrew or player in gone else Sort.BEATEN
    note = t("event.picture.withdrew") if withdrew else ""
    return BracketSide(name, games_words(state, drawn, match, player), sort, note)


def has_withdrawn(state: StageState, drawn: RoundState, match: int, player: int, gone: Collection[int]) -> bool:
    """Return whether somebody withdrew from a match: from its single game, before it, or before its deciding games.

    A match of teams has boards won instead, be it none.
    """
    plan = state.plan
    if plan.boards:
        return False
    contest = next((each for each in contests(drawn, plan) if each.match == match and player in each.players), None)
    if contest is None:
        return player in gone and player in drawn.slots and player not in drawn.byes
    if plan.best_of > 1:
        return player in gone and is_cut_short(contest, plan.best_of, gone)
    return any(
        table.match == match and player in table.seats and table.seats.index(player) in outcome.out
        for table, outcome in drawn.games()
    )


def games_words(state: StageState, drawn: RoundState, match: int, player: int) -> str:
    """Return what a side has in a match: games won, of a single game its score, of teams boards won.

    Nothing before the first result, nor of a single game from which somebody withdrew: no score of it counts.
    """
    plan = state.plan
    found = [each for each in contests(drawn, plan) if each.match == match and player in each.players and each.played]
    if not found:
        return ""
    own = found[0].players.index(player)
    if plan.boards:
        return value_words(sum((boards_won(each)[each.players.index(player)] for each in found), Fraction(0)))
    if plan.best_of > 1:
        return value_words(found[0].games[own])
    out = any(table.match == match and outcome.out for table, outcome in drawn.games())
    return "" if out else str(found[0].scores[own])
