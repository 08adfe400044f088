"""Ranking of players: their results, the tie-breaks in order, and explanations of the order of two players.

An *account* holds a player's results in a stage, with byes and missed rounds; an *account sheet* holds the accounts of
all players. A *tie-break* turns an account into a number, the higher the better; players with equal numbers are told
apart by the next tie-break. ``docs/tournaments.md`` defines them all. Two are usual in chess: Buchholz, the sum of the
opponents' points, and Sonneborn-Berger, the same sum weighted by the points won from each opponent.

Values are exact fractions, or integers in units of ``UNITS_PER_POINT`` where that is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Final

from tournaments.chance import player_lot
from tournaments.duels.matches import matches
from tournaments.errors import EventRuleError
from tournaments.facts import DISQUALIFIED, DrawnTable
from tournaments.points import SCHEMES, Outcome, places, table_points
from tournaments.states import ROBIN, SEASON, RoundState, StageContext

ZERO = Fraction(0)
QUARTER = Fraction(1, 4)
"""A fair share of the score at a table of four."""
UNITS_PER_POINT = 240
"""Units per point, divisible by all denominators that shared places and averages can have."""


def to_units(value: Fraction) -> int:
    """Return points in units."""
    return value.numerator * UNITS_PER_POINT // value.denominator


def total(values: Iterable[Fraction]) -> Fraction:
    """Return the sum; integers are added separately, since most values are integers and adding fractions is slow."""
    whole, fractions = 0, ZERO
    for value in values:
        if value.denominator == 1:
            whole += value.numerator
        else:
            fractions += value
    return fractions + whole if fractions else Fraction(whole)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A player's results from one game at a table, or from one match."""

    round: int
    opponents: tuple[int, ...]
    points: Fraction
    share: Fraction = ZERO
    """The share of the total score of the game (:func:`score_shares`)."""
    won: Fraction = ZERO
    """1 for a victory; at a table it is divided among those who share the first place."""
    scores: int = 0
    """The score in the game; in a match, the difference of the scores."""
    games: Fraction = ZERO
    """In a match, games won minus games lost."""
    boards: Fraction = ZERO


@dataclass(slots=True)
class Account:
    """All results of one player."""

    meetings: list[Meeting] = field(default_factory=list)
    byes: int = 0
    missed: int = 0
    """Rounds missed after the first one played."""
    before: int = 0
    """Rounds missed before the first one played."""

    @property
    def met(self) -> int:
        """The number of meetings so far."""
        return len(self.meetings)


@dataclass(frozen=True, slots=True)
class AccountSheet:
    """The accounts of all entrants of a stage."""

    context: StageContext
    accounts: dict[int, Account]
    annulled: frozenset[int] = frozenset()
    points_of: dict[int, Fraction] = field(default_factory=dict)
    worths: dict[int, int] = field(default_factory=dict)
    """The value of each player as an opponent, in units; missed rounds count as average results."""

    @classmethod
    def of(
        cls, context: StageContext, *, annul: bool = False, unearned: Collection[tuple[int, int]] = ()
    ) -> AccountSheet:
        """Add up the results of a stage.

        With ``annul``, the games of players who left before half of theirs were played are ignored, and so are the byes
        that are ``unearned``, by round and player.
        """
        early_leavers = early_leavers_of(context) if annul else frozenset()
        accounts = {player: Account() for player in context.state.entrants}
        for drawn in context.state.rounds:
            _add_round(context, drawn, accounts, early_leavers, unearned)
        sheet = cls(context, accounts, early_leavers)
        sheet.points_of.update({player: sheet._points(player) for player in accounts})
        sheet.worths.update({player: to_units(sheet.worth(player)) for player in accounts})
        return sheet

    @property
    def bye(self) -> Fraction:
        """The points for a bye."""
        return self.average * (2 if self.context.parameters.bye == "win" and self.context.state.plan.duel else 1)

    @property
    def average(self) -> Fraction:
        """The average points of a game: half a match, or a quarter of the points of a table of four."""
        plan = self.context.state.plan
        return Fraction(1, 2) if plan.duel else Fraction(sum(SCHEMES[plan.points][4]), 4)

    def points(self, player: int) -> Fraction:
        """The tournament points of a player in this stage."""
        return self.points_of[player]

    def _points(self, player: int) -> Fraction:
        account = self.accounts[player]
        earned = total(meeting.points for meeting in account.meetings)
        late = self._credited_rounds(player) * self.average if self.context.parameters.late == "average" else ZERO
        return earned + account.byes * self.bye + late if account.byes or late else earned

    def _credited_rounds(self, player: int) -> int:
        """Return the number of missed rounds that give a late entrant average points.

        These are the rounds before the entry; by version 1 of the rules, all before the first one played.
        """
        before, state = self.accounts[player].before, self.context.state
        return min(before, state.joined.get(player, 0)) if state.plan.rules > 1 else before

    def worth(self, player: int) -> Fraction:
        """Return a player's value as an opponent; missed rounds count as average results."""
        missed = self.accounts[player].missed
        return self.points_of[player] + missed * self.average if missed else self.points_of[player]


def _add_round(
    context: StageContext,
    drawn: RoundState,
    accounts: dict[int, Account],
    annulled: frozenset[int],
    unearned: Collection[tuple[int, int]],
) -> None:
    """Enter a round into the accounts; meetings with an annulled player and unearned byes are ignored."""
    for player, meeting in _meetings(context, drawn):
        if player in accounts and not annulled & {player, *meeting.opponents}:
            accounts[player].meetings.append(meeting)
    if context.state.plan.kind == SEASON:  # nobody misses a round in which all look for their games themselves
        return
    seated = {player for table in drawn.tables for player in table.seats}
    # A late entrant of a group misses nothing, since they meet everyone in it after they have entered.
    not_entered = context.state.joined if context.state.plan.kind == ROBIN else {}
    for player, account in accounts.items():
        rests = player in drawn.resting or (drawn.number, player) in unearned
        if rests or drawn.number <= not_entered.get(player, 0):
            continue
        if player in drawn.byes:
            account.byes += 1
        elif player not in seated and account.met + account.byes + account.missed:
            account.missed += 1
        elif player not in seated:
            account.before += 1


def _meetings(context: StageContext, drawn: RoundState) -> Iterator[tuple[int, Meeting]]:
    """Yield each player of a round with their results; an unfinished game or match yields none."""
    plan = context.state.plan
    if not plan.duel:
        for table, outcome in drawn.games():
            yield from _table_meetings(context, drawn.number, table, outcome)
        return
    for match in matches(drawn, plan):
        for side, player in enumerate(match.players):
            opposite = 1 - side
            meeting = Meeting(
                drawn.number,
                (match.players[opposite],),
                match.points[side],
                won=match.points[side] if match.points[side] == 1 else ZERO,
                scores=match.scores[side] - match.scores[opposite],
                games=match.games[side] - match.games[opposite],
                boards=match.boards[side],
            )
            yield player, meeting


def _table_meetings(
    context: StageContext, number: int, table: DrawnTable, outcome: Outcome
) -> Iterator[tuple[int, Meeting]]:
    """Yield each player of a finished game at a table with their results."""
    plan = context.state.plan
    points = table_points(outcome, plan.points, plan.ties)
    ranks = places(outcome, plan.ties)
    shares = score_shares(outcome)
    winners = sum(rank == 1 for seat, rank in enumerate(ranks) if seat not in outcome.out)
    for seat, player in enumerate(table.seats):
        out = seat in outcome.out
        meeting = Meeting(
            number,
            tuple(other for other in table.seats if other != player),
            points[seat],
            share=shares[seat],
            won=Fraction(1, winners) if ranks[seat] == 1 and not out else ZERO,
            scores=0 if out or outcome.how == "forfeited" else outcome.scores[seat],
        )
        yield player, meeting


def score_shares(outcome: Outcome) -> tuple[Fraction, ...]:
    """Return each seat's share of the game's total score, as if four had played and a missing player scored the mean.

    A seat that is out has no share; if no one scored, or nothing was played, the others have a quarter each.
    """
    seats = range(len(outcome.scores))
    stayed = [max(0, outcome.scores[seat]) for seat in seats if seat not in outcome.out]
    total = 0 if outcome.how == "forfeited" else sum(stayed)
    return tuple(
        ZERO
        if seat in outcome.out
        else Fraction(max(0, outcome.scores[seat]) * len(stayed), 4 * total)
        if total
        else QUARTER
        for seat in seats
    )


def early_leavers_of(context: StageContext) -> frozenset[int]:
    """Return the players who left before half of their drawn games were played; late entrants, before any was drawn."""
    drawn = dict.fromkeys(context.gone, 0)
    played = dict.fromkeys(context.gone, 0)
    for drawn_round in context.state.rounds:
        for table, outcome in zip(drawn_round.tables, drawn_round.outcomes, strict=True):
            for seat, player in enumerate(table.seats):
                if player in drawn:
                    drawn[player] += 1
                    played[player] += outcome is not None and seat not in outcome.out
    late = context.state.group_joined
    return frozenset(player for player in drawn if 2 * played[player] < max(drawn[player], player in late))


TieBreak = Callable[[AccountSheet, int, Sequence[int]], Fraction]
"""A tie-break, called with the sheet, a player, and the players who are level with them after earlier tie-breaks."""


def _points(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """Return the points less penalties, which make nobody a weaker opponent."""
    return sheet.points(player) - sheet.context.penalties.get(player, ZERO)


def _share(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    account = sheet.accounts[player]
    return total(meeting.share for meeting in account.meetings) + Fraction(account.byes, 4)


def _scores(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return Fraction(sum(meeting.scores for meeting in sheet.accounts[player].meetings))


def _sum_of(worth: Callable[[Meeting], Fraction]) -> TieBreak:
    """Return the tie-break that adds up a value of all meetings."""
    return lambda sheet, player, _: total(worth(meeting) for meeting in sheet.accounts[player].meetings)


def _opponents(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """Return the mean of all opponents' points without the lowest."""
    points = _opponent_points(sheet, player)
    return Fraction(sum(points) - min(points), (len(points) - 1) * UNITS_PER_POINT) if len(points) > 1 else ZERO


def _buchholz(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """Return the sum of all opponents' points without the lowest."""
    points = _opponent_points(sheet, player)
    return Fraction(sum(points) - min(points), UNITS_PER_POINT) if points else ZERO


def _opponent_points(sheet: AccountSheet, player: int) -> list[int]:
    """Return the values of the opponents in units: own points for a bye, zero for a missed round."""
    account = sheet.accounts[player]
    worths = [sheet.worths[other] for meeting in account.meetings for other in meeting.opponents]
    byes = [to_units(sheet.points(player))] * account.byes
    return [*worths, *byes, *[0] * (account.missed + account.before)]


def _sonneborn(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """Return the sum of opponents' values times points taken; a bye counts its points times own points."""
    account = sheet.accounts[player]
    products = (
        to_units(meeting.points) * sheet.worths[opponent]
        for meeting in account.meetings
        for opponent in meeting.opponents
    )
    return Fraction(sum(products), UNITS_PER_POINT * UNITS_PER_POINT) + account.byes * sheet.bye * sheet.points(player)


def _direct(sheet: AccountSheet, player: int, level: Sequence[int]) -> Fraction:
    """Return the points against the players still level, if all of them have met each other; otherwise 0."""
    if not all(set(level) - {member} <= _opponents_met(sheet, member) for member in level):
        return ZERO
    meetings = sheet.accounts[player].meetings
    return sum((meeting.points for meeting in meetings if set(meeting.opponents) & set(level)), ZERO)


def _opponents_met(sheet: AccountSheet, player: int) -> set[int]:
    return {other for meeting in sheet.accounts[player].meetings for other in meeting.opponents}


def _active(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """Return 1 for a player with a result, so that nobody gains by never playing."""
    return Fraction(bool(sheet.accounts[player].meetings))


def _seed(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    """Return the rank at the start of the stage, negated, since higher is better."""
    return Fraction(-1 - sheet.context.state.entrants.index(player))


def _lot(sheet: AccountSheet, player: int, _: Sequence[int]) -> Fraction:
    return Fraction(player_lot(sheet.context.seed, player))


TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    "points": _points,
    "share": _share,
    "wins": _sum_of(lambda meeting: meeting.won),
    "opponents": _opponents,
    "scores": _scores,
    "buchholz": _buchholz,
    "direct": _direct,
    "sonneborn": _sonneborn,
    "games": _sum_of(lambda meeting: meeting.games),
    "boards": _sum_of(lambda meeting: meeting.boards),
    "active": _active,
    "seed": _seed,
    "lot": _lot,
}
"""The tie-breaks by name; ``lot`` is always the last and decides in any case."""

COUNTED: Final = "counted"
"""A tie-break: 1 if a player's games count, 0 if none do because the player left their pool early."""
STAYED: Final = "stayed"
"""A tie-break: 1 for a player who stayed, 0 for one who left."""
LEAVER_TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    COUNTED: lambda sheet, player, _: Fraction(player not in sheet.annulled),
    STAYED: lambda sheet, player, _: Fraction(player not in sheet.context.gone),
}
"""Tie-breaks of stages that a player has left. Organisers can neither choose nor move them."""
ARBITRARY_TIE_BREAKS: Final = ("seed", "lot")
"""Tie-breaks that are not based on play."""

TABLE_TIE_BREAKS: Final = ("points", "share", "wins", "opponents", "scores")
SWISS_TIE_BREAKS: Final = ("points", "buchholz", "games", "sonneborn", "wins", "scores")
ROBIN_TIE_BREAKS: Final = ("points", "direct", "sonneborn", "games", "wins", "scores")
SEASON_TIE_BREAKS: Final = ("points", "active", "games", "direct", "sonneborn", "scores")
TEAM_TIE_BREAKS: Final = ("points", "boards", "games", "buchholz", "sonneborn")


def normalised_tie_breaks(names: Sequence[str]) -> tuple[str, ...]:
    """Return the order of tie-breaks that an event stores: points first, the lot last.

    Raises:
        EventRuleError: ``unknown-tie-break``.
    """
    for name in names:
        if name not in TIE_BREAKS:
            raise EventRuleError("unknown-tie-break", name=name)
    return ("points", *(name for name in dict.fromkeys(names) if name not in ("points", "lot")), "lot")


def with_leaver_tie_breaks(sheet: AccountSheet, names: Sequence[str]) -> tuple[str, ...]:
    """Return the tie-breaks of a stage; if a player left, including those that rank leavers behind equal players."""
    state = sheet.context.state
    if state.plan.rules < 3 or sheet.context.gone.isdisjoint(state.entrants):
        return tuple(names)
    first_arbitrary = next((place for place, name in enumerate(names) if name in ARBITRARY_TIE_BREAKS), len(names))
    counted = (COUNTED,) if sheet.annulled else ()
    return (*counted, *names[:first_arbitrary], STAYED, *names[first_arbitrary:])


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standings, with the tie-break values in the order in which they decide."""

    player: int
    rank: int
    stage: int
    values: tuple[tuple[str, Fraction], ...]

    def with_value(self, name: str, value: int, place: int = 0) -> Line:
        """Return the line with a further value, which decides before those from this place on."""
        return replace(self, values=(*self.values[:place], (name, Fraction(value)), *self.values[place:]))


def renumbered(lines: Iterable[Line]) -> list[Line]:
    """Return the lines with the ranks of their order."""
    return [replace(line, rank=rank) for rank, line in enumerate(lines, 1)]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason for the order of two players: the first tie-break in which they differ, and both values.

    ``number`` counts tie-breaks from 1. The name ``stage`` means that the better player reached a later stage, and the
    values are the numbers of the stages. ``disqualified``, ``counted`` and ``stayed`` mean that the other player was
    disqualified, left so early that none of their games count, or left. These have the number 0, since the organiser
    did not choose their place.
    """

    before: int
    behind: int
    name: str
    number: int
    values: tuple[Fraction, Fraction]


def rank_players(sheet: AccountSheet, players: Sequence[int], names: Sequence[str]) -> list[Line]:
    """Return the players in the order of these tie-breaks."""
    values: dict[int, list[tuple[str, Fraction]]] = {player: [] for player in players}
    order = _ordered(sheet, list(players), with_leaver_tie_breaks(sheet, names), values)
    number = sheet.context.state.number
    return [Line(player, rank, number, tuple(values[player])) for rank, player in enumerate(order, 1)]


def _ordered(
    sheet: AccountSheet, level: list[int], names: Sequence[str], values: dict[int, list[tuple[str, Fraction]]]
) -> list[int]:
    """Order level players by these tie-breaks, and append the value of each tie-break to their ``values``."""
    if not names:
        return level
    tie_break = LEAVER_TIE_BREAKS.get(names[0]) or TIE_BREAKS[names[0]]
    value_of = {player: tie_break(sheet, player, level) for player in level}
    order: list[int] = []
    for player in level:
        values[player].append((names[0], value_of[player]))
    for _, group in groupby(sorted(level, key=value_of.__getitem__, reverse=True), key=value_of.__getitem__):
        order += _ordered(sheet, list(group), names[1:], values)
    return order


def explain(lines: Sequence[Line], player: int, opponent: int, disqualified: Collection[int] = ()) -> Explanation:
    """Explain why one of two players ranks before the other; disqualified players rank last."""
    by_player = {line.player: line for line in lines}
    for number in (player, opponent):
        if number not in by_player:
            raise EventRuleError("no-such-player", player=number)
    if player == opponent:
        raise EventRuleError("same-player", player=player)
    first, second = sorted((by_player[player], by_player[opponent]), key=lambda line: line.rank)
    if second.player in disqualified and first.player not in disqualified:
        return Explanation(first.player, second.player, DISQUALIFIED, 0, (Fraction(0), Fraction(1)))
    if first.stage != second.stage:
        stages = Fraction(first.stage), Fraction(second.stage)
        return Explanation(first.player, second.player, "stage", 0, stages)
    number = 0
    for (name, better), (_, worse) in zip(first.values, second.values, strict=False):
        number += name not in LEAVER_TIE_BREAKS
        if better != worse:
            place = 0 if name in LEAVER_TIE_BREAKS else number
            return Explanation(first.player, second.player, name, place, (better, worse))
    raise EventRuleError("level", one=player, other=opponent)
