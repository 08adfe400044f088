"""Promotion and relegation between the seasons of a league, and the filling of vacancies."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, stage_ranking
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
    found = []
    for pool in state.pools():
        ranked = [player for player in order if player in pool]
        ranked.sort(key=lambda player: player in event.gone)
        found.append([event.entries[player].key for player in ranked])
    return found


def next_season(final: Sequence[Sequence[str]], *, entered: Collection[str], moving: int, size: int) -> list[list[str]]:
    """Return the divisions of the next season, of about ``size``, from the final order of this one.

    Of the players of a division who have entered again, the best ``moving`` are promoted and the last ``moving``
    relegated. A vacancy is filled first by the best of those who would be relegated. New players begin in the lowest
    division, in the order of their entries.
    """
    there = [[key for key in division if key in entered] for division in final]
    down = [_last(division, moving if number < len(there) - 1 else 0) for number, division in enumerate(there)]
    up = [division[: _movers(division, moving)] if number else [] for number, division in enumerate(there)]
    line: list[str] = []
    for number, division in enumerate(there):
        rising = set(up[number])
        line += [key for key in division if key not in rising and key not in down[number]]
        line += up[number + 1] if number + 1 < len(up) else []
        line += [key for key in down[number] if key not in rising]
    known = {key for division in final for key in division}
    line += [key for key in entered if key not in known]
    return _cut(line, size)


def _movers(division: Sequence[str], moving: int) -> int:
    """Return the number of players who move: ``moving``, but at most half of a division."""
    return min(moving, len(division) // 2)


def _last(division: Sequence[str], moving: int) -> list[str]:
    count = _movers(division, moving)
    return list(division[len(division) - count :])


def _cut(line: list[str], size: int) -> list[list[str]]:
    """Cut players into divisions as even as possible."""
    cuts = divisions(range(len(line)), max(1, -(-len(line) // size)))
    return [[line[number] for number in cut] for cut in cuts]
