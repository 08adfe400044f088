"""Stages of games at tables of three or four players: preliminary rounds, semi-finals and finals.

Preliminary rounds (:class:`TableRounds`) are either all scheduled before the stage, or drawn one by one from the
standings. In a final (:class:`Finals`) the same four players play four simultaneous games, in which each sits once in
each seat, or a single game.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tournaments.chance import random_source
from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import ZERO, AccountSheet, Line, rank_players, renumbered
from tournaments.stages.base import TOO_FEW, next_round_drawn, parties_kept_apart, stage_ended
from tournaments.states import StageContext, dealt
from tournaments.tables.field import SeatingRecord
from tournaments.tables.pairing import Seating, seat_round
from tournaments.tables.schedule import rounds_together, side_by_side

UNEVEN_FIRST_SEATS = "first-seats-uneven"
REPEATS_UNAVOIDABLE = "repeats-unavoidable"
REPEATS_NOT_PROVED = "repeats-no-better-found"
SECOND_TABLE_OF_THREE = "second-three"
"""Codes of the goals that a drawn round did not reach; the bot has a sentence for players for each of these four."""


class TableRounds:
    """Rounds of tables, scheduled before the stage or drawn by the standings."""

    def rounds(self, context: StageContext) -> int:
        """Return the planned number of rounds."""
        return context.state.plan.rounds

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round; with too few players left for a table the stage ends."""
        if len(context.active) < 3:
            return stage_ended(context, TOO_FEW)
        seating = _scheduled_round(context) if context.state.plan.together == 0 else _round_by_standings(context)
        tables = [DrawnTable(number, seats) for number, seats in enumerate(seating.tables, 1)]
        return next_round_drawn(context, tables, reasons=_reasons(seating))

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the tie-breaks of the plan."""
        return rank_players(AccountSheet.of(context), context.state.entrants, context.state.plan.tie_breaks)


def _scheduled_round(context: StageContext) -> Seating:
    """Return the next round of the schedule, which is drawn again from the seed; players who have left forfeit.

    If the rounds so far are not those of the schedule, because one was undone, the round is drawn on its own.
    """
    state = context.state
    parties = parties_kept_apart(context, in_all_rounds=True)
    records = tuple(SeatingRecord(player, party=parties.get(player, "")) for player in state.entrants)
    seed, apart = f"{context.seed}/{state.number}/{state.undone}", bool(parties)
    rounds = rounds_together(records, state.plan.rounds, seed, apart=apart)
    drawn_tables = [tuple(table.seats for table in drawn.tables) for drawn in state.rounds]
    if drawn_tables == [seating.tables for seating in rounds[: len(drawn_tables)]]:
        return rounds[len(drawn_tables)]
    random = random_source(context.seed, state.number, context.next_round, state.undone)
    current_records = [_seating_record(context, player, parties) for player in state.entrants]
    return seat_round(current_records, state.met(), random, apart=apart)


def _round_by_standings(context: StageContext) -> Seating:
    """Pair the players who have not left, so that players with similar points meet."""
    state = context.state
    sheet = AccountSheet.of(context)
    lines = rank_players(sheet, state.entrants, state.plan.tie_breaks)
    order = [line.player for line in lines if line.player not in context.gone]
    random = random_source(context.seed, state.number, context.next_round, state.undone)
    parties = parties_kept_apart(context)
    records = [_seating_record(context, player, parties, sheet.points(player)) for player in order]
    return seat_round(records, state.met(), random, apart=bool(parties))


def _seating_record(
    context: StageContext, player: int, parties: Mapping[int, str], points: Fraction = ZERO
) -> SeatingRecord:
    """Return the seats and tables that a player has had so far."""
    seats, threes = [0] * 5, 0
    for drawn in context.state.rounds:
        for table in drawn.tables:
            if player in table.seats:
                seats[table.seats.index(player)] += 1
                threes += len(table.seats) == 3
    return SeatingRecord(player, points, tuple(seats), threes, parties.get(player, ""))


def _reasons(seating: Seating) -> list[str]:
    """Return the codes of the goals that a round did not reach."""
    codes = []
    if seating.repeats:
        codes.append(REPEATS_UNAVOIDABLE if seating.proved else REPEATS_NOT_PROVED)
    if seating.uneven:
        codes.append(UNEVEN_FIRST_SEATS)
    if seating.undue:
        codes.append(SECOND_TABLE_OF_THREE)
    return codes


FINAL_TABLE_SIZE = 4
"""The number of players at a table of a final."""


class Finals:
    """Tables of four for the players who advanced."""

    def rounds(self, context: StageContext) -> int:
        """Return 1, since all games are played at the same time."""
        return 1 if context.state.entrants else 0

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the games; with one player left there is nothing to play."""
        groups = _final_groups(context)
        if any(len(group) < 2 for group in groups):
            return stage_ended(context, TOO_FEW)
        tables = [
            DrawnTable(number, seats)
            for number, group in enumerate(groups, 1)
            for seats in _final_games(context, group)
        ]
        return next_round_drawn(context, tables)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank the winners of all tables first, then the seconds; equal places by points and preliminary rank."""
        lines = rank_players(AccountSheet.of(context), context.state.entrants, context.state.plan.tie_breaks)
        groups = _final_groups(context)
        if len(groups) <= 1:
            return lines
        table = {player: number for number, group in enumerate(groups) for player in group}
        last_places: dict[int, int] = {}
        places: dict[int, int] = {}
        for line in lines:
            table_number = table.get(line.player, -1)
            places[line.player] = last_places[table_number] = last_places.get(table_number, 0) + 1
        lines.sort(key=lambda line: places[line.player])
        return renumbered(line.with_value("place", -places[line.player]) for line in lines)


def _final_groups(context: StageContext) -> list[list[int]]:
    """Return the players of each table: those of the drawn round, or the entrants dealt out back and forth."""
    state = context.state
    if state.rounds:
        players_of_match: dict[int, list[int]] = {}
        for table in state.rounds[0].tables:
            players_of_match[table.match] = sorted(table.seats, key=state.entrants.index)
        return list(players_of_match.values())
    return dealt(context.active, -(-len(context.active) // FINAL_TABLE_SIZE))


def _final_games(context: StageContext, players: list[int]) -> tuple[tuple[int, ...], ...]:
    """Return the games of a table; in a single game the best player has the last seat."""
    games = side_by_side(players)
    return games if context.parameters.final == "four-games" else ((*reversed(players),),)
