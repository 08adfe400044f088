"""Tie-breaks, each exactly as ``docs/tournaments.md`` defines it: fractions, and the higher value is the better one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from tournaments.chance import lot
from tournaments.errors import EventRuleError
from tournaments.ranking.sheets import UNIT, AccountSheet, Meeting, in_units, total

TieBreak = Callable[[AccountSheet, int, Sequence[int]], Fraction]
"""Of a sheet, a player, and those with whom the player is level so far."""

NOTHING = Fraction(0)


def _points(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return sheet.points(player)


def _share(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    account = sheet.accounts[player]
    return _sum(sheet, player, lambda meeting: meeting.share) + Fraction(account.byes, 4)


def _wins(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return _sum(sheet, player, lambda meeting: meeting.won)


def _scores(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return Fraction(sum(meeting.scores for meeting in sheet.accounts[player].meetings))


def _games(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return _sum(sheet, player, lambda meeting: meeting.games)


def _boards(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return _sum(sheet, player, lambda meeting: meeting.boards)


def _sum(sheet: AccountSheet, player: int, worth: Callable[[Meeting], Fraction]) -> Fraction:
    return total(worth(meeting) for meeting in sheet.accounts[player].meetings)


def _opponents(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """The mean of all opponents' points without the lowest."""
    found = _faced(sheet, player)
    return Fraction(sum(found) - min(found), (len(found) - 1) * UNIT) if len(found) > 1 else NOTHING


def _buchholz(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """The sum of all opponents' points without the lowest."""
    found = _faced(sheet, player)
    return Fraction(sum(found) - min(found), UNIT) if found else NOTHING


def _faced(sheet: AccountSheet, player: int) -> list[int]:
    """What the opponents are worth, in the sheet's units: a bye one's own points, a missed round nothing."""
    account = sheet.accounts[player]
    met = [sheet.worths[other] for meeting in account.meetings for other in meeting.opponents]
    byes = [in_units(sheet.points(player))] * account.byes
    return [*met, *byes, *[0] * (account.missed + account.before)]


def _sonneborn(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """What opponents are worth times what was taken from them; a bye brings its worth times one's own points."""
    account = sheet.accounts[player]
    taken = (in_units(meeting.points) * sheet.worths[one] for meeting in account.meetings for one in meeting.opponents)
    return Fraction(sum(taken), UNIT * UNIT) + account.byes * sheet.bye * sheet.points(player)


def _direct(sheet: AccountSheet, player: int, level: Sequence[int]) -> Fraction:
    """Points against those with whom one is level, where all of them have met each other; otherwise nothing."""
    if not all(set(level) - {one} <= _rivals(sheet, one) for one in level):
        return NOTHING
    meetings = sheet.accounts[player].meetings
    return sum((meeting.points for meeting in meetings if set(meeting.opponents) & set(level)), NOTHING)


def _rivals(sheet: AccountSheet, player: int) -> set[int]:
    return {other for meeting in sheet.accounts[player].meetings for other in meeting.opponents}


def _seed(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """The place in the order in which the stage began, from above."""
    return Fraction(-1 - sheet.scene.state.entrants.index(player))


def _lot(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return Fraction(lot(sheet.scene.seed, player))


TIE_BREAKS: Final[Mapping[str, TieBreak]] = MappingProxyType(
    {
        "points": _points,
        "share": _share,
        "wins": _wins,
        "opponents": _opponents,
        "scores": _scores,
        "buchholz": _buchholz,
        "direct": _direct,
        "sonneborn": _sonneborn,
        "games": _games,
        "boards": _boards,
        "seed": _seed,
        "lot": _lot,
    }
)
"""By name; ``lot`` is always the last one, and nobody is level after it."""

COUNTED: Final = "counted"
"""1 where the games of somebody count, 0 where they were struck out of their pool."""
STAYED: Final = "stayed"
"""1 for who stayed, 0 for who left."""
OF_LEAVERS: Final[Mapping[str, TieBreak]] = MappingProxyType(
    {
        COUNTED: lambda sheet, player, _: Fraction(player not in sheet.annulled),
        STAYED: lambda sheet, player, _: Fraction(player not in sheet.scene.gone),
    }
)
"""Values that stand in the lines of a stage which somebody has left. No organiser chooses them, or their place."""
DRAWN: Final = ("seed", "lot")
"""What decides between players although none of them won it on the board."""

TABLES: Final = ("points", "share", "wins", "opponents", "scores")
SWISS: Final = ("points", "buchholz", "games", "sonneborn", "wins", "scores")
ROBIN: Final = ("points", "direct", "sonneborn", "games", "wins", "scores")
TEAMS: Final = ("points", "boards", "games", "buchholz", "sonneborn")


def checked(names: Sequence[str]) -> tuple[str, ...]:
    """The order of tie-breaks as it is frozen: points first, the lot last."""
    for name in names:
        if name not in TIE_BREAKS:
            raise EventRuleError("unknown-tie-break", name=name)
    return ("points", *(name for name in dict.fromkeys(names) if name not in ("points", "lot")), "lot")


def with_leavers(sheet: AccountSheet, names: Sequence[str]) -> tuple[str, ...]:
    """Return the tie-breaks of a stage with those that put leavers behind players with as much, where anybody left."""
    state = sheet.scene.state
    if state.plan.rules < 3 or sheet.scene.gone.isdisjoint(state.entrants):
        return tuple(names)
    drawn = next((place for place, name in enumerate(names) if name in DRAWN), len(names))
    counted = (COUNTED,) if sheet.annulled else ()
    return (*counted, *names[:drawn], STAYED, *names[drawn:])
