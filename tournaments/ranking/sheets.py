"""The score sheet of a stage: what each player got from each meeting, and what byes and missed rounds are worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.duels.matches import matches
from tournaments.facts import DrawnTable
from tournaments.points import SCHEMES, Outcome, places, table_points
from tournaments.states import RoundState, Scene

NOTHING = Fraction(0)
QUARTER = Fraction(1, 4)
UNIT = 240
"""Into how many parts a point is divided: whatever joint places and averages may need."""


def in_units(value: Fraction) -> int:
    """Points in their smallest parts."""
    return value.numerator * UNIT // value.denominator


def total(values: Iterable[Fraction]) -> Fraction:
    """The sum, the whole numbers among them first: these are most, and quicker."""
    whole, broken = 0, NOTHING
    for value in values:
        if value.denominator == 1:
            whole += value.numerator
        else:
            broken += value
    return broken + whole if broken else Fraction(whole)


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a player got from a game at a table, or from a match between two."""

    round: int
    opponents: tuple[int, ...]
    points: Fraction
    share: Fraction = NOTHING
    won: Fraction = NOTHING
    scores: int = 0
    games: Fraction = NOTHING
    """Of a match: games won less games lost."""
    boards: Fraction = NOTHING


@dataclass(slots=True)
class Account:
    """All that counts for one player."""

    meetings: list[Meeting] = field(default_factory=list)
    byes: int = 0
    missed: int = 0
    """Rounds in which the player was not paired, after the first one played."""
    before: int = 0
    """Rounds in which the player was not paired, before the first one played."""

    @property
    def met(self) -> int:
        """Meetings so far."""
        return len(self.meetings)


@dataclass(frozen=True, slots=True)
class AccountSheet:
    """The accounts of all entrants of a stage."""

    scene: Scene
    accounts: dict[int, Account]
    annulled: frozenset[int] = frozenset()
    points_of: dict[int, Fraction] = field(default_factory=dict)
    worths: dict[int, int] = field(default_factory=dict)
    """What players count as opponents, in parts of a point (``UNIT``): missed rounds count as average ones."""

    @classmethod
    def of(cls, scene: Scene, *, annul: bool = False) -> AccountSheet:
        """Add up a stage; with ``annul`` the games of those who left before half of theirs count for nobody."""
        without = _early_leavers(scene) if annul else frozenset()
        accounts = {player: Account() for player in scene.state.entrants}
        for drawn in scene.state.rounds:
            _enter(scene, drawn, accounts, without)
        sheet = cls(scene, accounts, without)
        sheet.points_of.update({player: sheet._points(player) for player in accounts})
        sheet.worths.update({player: in_units(sheet.worth(player)) for player in accounts})
        return sheet

    @property
    def bye(self) -> Fraction:
        """What a bye is worth."""
        return self.average * (2 if self.scene.parameters.bye == "win" and self.scene.state.plan.duel else 1)

    @property
    def average(self) -> Fraction:
        """What a game brings on average: half a match, or a quarter of what a table of four shares."""
        plan = self.scene.state.plan
        return Fraction(1, 2) if plan.duel else Fraction(sum(SCHEMES[plan.points][4]), 4)

    def points(self, player: int) -> Fraction:
        """The tournament points of a player in this stage."""
        return self.points_of[player]

    def _points(self, player: int) -> Fraction:
        account = self.accounts[player]
        earned = total(meeting.points for meeting in account.meetings)
        late = self._late(player) * self.average if self.scene.parameters.late == "average" else NOTHING
        return earned + account.byes * self.bye + late if account.byes or late else earned

    def _late(self, player: int) -> int:
        """The rounds before a late entry; by the first rules all before the first one played."""
        before, state = self.accounts[player].before, self.scene.state
        return min(before, state.joined.get(player, 0)) if state.plan.rules > 1 else before

    def worth(self, player: int) -> Fraction:
        """What a player counts as an opponent: missed rounds as if they had been played with average success."""
        missed = self.accounts[player].missed
        return self.points_of[player] + missed * self.average if missed else self.points_of[player]


def _enter(scene: Scene, drawn: RoundState, accounts: dict[int, Account], without: frozenset[int]) -> None:
    for player, meeting in _meetings(scene, drawn):
        if player in accounts and not without & {player, *meeting.opponents}:
            accounts[player].meetings.append(meeting)
    seated = {player for table in drawn.tables for player in table.seats}
    for player, account in accounts.items():
        if player in drawn.resting:
            continue
        if player in drawn.byes:
            account.byes += 1
        elif player not in seated and account.met + account.byes + account.missed:
            account.missed += 1
        elif player not in seated:
            account.before += 1


def _meetings(scene: Scene, drawn: RoundState) -> Iterator[tuple[int, Meeting]]:
    plan = scene.state.plan
    if not plan.duel:
        for table, outcome in drawn.games():
            yield from _at_table(scene, drawn.number, table, outcome)
        return
    for match in matches(drawn, plan):
        for own, player in enumerate(match.players):
            other = 1 - own
            yield (
                player,
                Meeting(
                    drawn.number,
                    (match.players[other],),
                    match.points[own],
                    won=match.points[own] if match.points[own] == 1 else NOTHING,
                    scores=match.scores[own] - match.scores[other],
                    games=match.games[own] - match.games[other],
                    boards=match.boards[own],
                ),
            )


def _at_table(scene: Scene, number: int, table: DrawnTable, outcome: Outcome) -> Iterator[tuple[int, Meeting]]:
    plan = scene.state.plan
    points = table_points(outcome, plan.points, plan.ties)
    ranks = places(outcome, plan.ties)
    shares = score_shares(outcome)
    winners = sum(rank == 1 for seat, rank in enumerate(ranks) if seat not in outcome.out)
    for seat, player in enumerate(table.seats):
        out = seat in outcome.out
        yield (
            player,
            Meeting(
                number,
                tuple(other for other in table.seats if other != player),
                points[seat],
                share=shares[seat],
                won=Fraction(1, winners) if ranks[seat] == 1 and not out else NOTHING,
                scores=0 if out or outcome.how == "forfeited" else outcome.scores[seat],
            ),
        )


def score_shares(outcome: Outcome) -> tuple[Fraction, ...]:
    """Each seat's part of the game's points, as if four had played: who is missing scored the mean of the others.

    Whoever is out has none; where nobody scored, or nothing was played, the others have a quarter each.
    """
    seats = range(len(outcome.scores))
    stayed = [max(0, outcome.scores[seat]) for seat in seats if seat not in outcome.out]
    total = 0 if outcome.how == "forfeited" else sum(stayed)
    return tuple(
        NOTHING
        if seat in outcome.out
        else Fraction(max(0, outcome.scores[seat]) * len(stayed), 4 * total)
        if total
        else QUARTER
        for seat in seats
    )


def _early_leavers(scene: Scene) -> frozenset[int]:
    """Who left before half of the games that were drawn for them had been played."""
    drawn = dict.fromkeys(scene.gone, 0)
    played = dict.fromkeys(scene.gone, 0)
    for each in scene.state.rounds:
        for table, outcome in zip(each.tables, each.outcomes, strict=True):
            for seat, player in enumerate(table.seats):
                if player in drawn:
                    drawn[player] += 1
                    played[player] += outcome is not None and seat not in outcome.out
    return frozenset(player for player in drawn if drawn[player] and 2 * played[player] < drawn[player])
