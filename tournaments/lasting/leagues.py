"""Leagues: promotion and relegation between two seasons, the filling of vacancies, and the table of all seasons.

A *season* is one event. Its *divisions* are groups of players of similar strength, the strongest first.
:func:`final_divisions` reads the final order of a season, and :func:`next_season` makes the next divisions of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, stage_ranking, standings
from tournaments.formats import format_named
from tournaments.states import divisions


def final_divisions(event: EventFold) -> list[list[str]]:
    """Return the players of a season by division, best first; those who left the season come last.

    Raises:
        EventRuleError: ``no-seasons``, where the event is no league.
    """
    played = event.specification.format
    if not format_named(played).seasons:
        raise EventRuleError("no-seasons", format=played)
    state = event.stages[0]
    order = [line.player for line in stage_ranking(event, state)]
    final_order = []
    for pool in state.pools():
        ranked = [player for player in order if player in pool]
        ranked.sort(key=lambda player: player in event.gone)
        final_order.append([event.entries[player].key for player in ranked])
    return final_order


def next_season(final: Sequence[Sequence[str]], *, entered: Collection[str], moving: int, size: int) -> list[list[str]]:
    """Return the divisions of the next season, of about ``size``, from the final order of this one.

    Of the players of a division who have entered again, the best ``moving`` are promoted and the last ``moving``
    relegated. A vacancy is filled first by the best of those who would be relegated. New players begin in the lowest
    division, in the order of their entries.
    """
    staying = [[key for key in division if key in entered] for division in final]
    down = [
        _last_players(division, moving if number < len(staying) - 1 else 0) for number, division in enumerate(staying)
    ]
    up = [division[: _mover_count(division, moving)] if number else [] for number, division in enumerate(staying)]
    ranking: list[str] = []
    for number, division in enumerate(staying):
        rising = set(up[number])
        ranking += [key for key in division if key not in rising and key not in down[number]]
        ranking += up[number + 1] if number + 1 < len(up) else []
        ranking += [key for key in down[number] if key not in rising]
    former_players = {key for division in final for key in division}
    ranking += [key for key in entered if key not in former_players]
    return _into_divisions(ranking, size)


@dataclass(frozen=True, slots=True)
class AllTimeLine:
    """A player's line in the table of all seasons."""

    key: str
    points: Fraction = Fraction(0)
    titles: int = 0
    """The number of seasons that the player has won, as the first of the first division."""
    games: int = 0
    """The number of games that have counted."""
    seasons: int = 0

    @property
    def order(self) -> tuple[Fraction, int, int]:
        """The values by which lines are ranked, the lowest first; those of equal players are equal."""
        return -self.points, -self.titles, self.games


def all_time_table(seasons: Iterable[EventFold]) -> list[AllTimeLine]:
    """Return the table of all these seasons, best first: by points, then titles, then fewer games.

    A season that is still being played counts as it stands, and has no winner yet. Players who were disqualified get
    nothing for that season.
    """
    totals: dict[str, AllTimeLine] = {}
    for event in seasons:
        rounds = [drawn for state in event.stages for drawn in state.rounds]
        games = Counter(player for drawn in rounds for table, _ in drawn.games() for player in table.seats)
        for line in standings(event):
            if line.player not in event.disqualified:
                key = event.entries[line.player].key
                total = totals.get(key) or AllTimeLine(key)
                totals[key] = AllTimeLine(
                    key,
                    total.points + dict(line.values).get("points", 0),
                    total.titles + (line.rank == 1 and event.finished),
                    total.games + games[line.player],
                    total.seasons + 1,
                )
    return sorted(totals.values(), key=lambda line: line.order)


def _mover_count(division: Sequence[str], moving: int) -> int:
    """Return the number of players who move: ``moving``, but at most half of a division."""
    return min(moving, len(division) // 2)


def _last_players(division: Sequence[str], moving: int) -> list[str]:
    """Return the players who are relegated from a division."""
    count = _mover_count(division, moving)
    return list(division[len(division) - count :])


def _into_divisions(line: list[str], size: int) -> list[list[str]]:
    """Cut players into divisions as even as possible."""
    cuts = divisions(range(len(line)), max(1, -(-len(line) // size)))
    return [[line[number] for number in cut] for cut in cuts]
