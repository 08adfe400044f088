"""Single and double elimination.

Every drawn round of single elimination holds its bracket, so that later facts change nothing in it. Double elimination
has no bracket: players with equal losses meet, and the second loss eliminates.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from tournaments.chance import random_source
from tournaments.duels.matches import Contest, Match, contests, initial_games, matches
from tournaments.facts import EMPTY_SLOT, DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import STAYED, Line
from tournaments.stages.base import PLAYED, TOO_FEW, next_round_drawn, parties_kept_apart, stage_ended
from tournaments.states import RoundState, StageContext, StageState
from tournaments.tables.field import SeatingRecord
from tournaments.tables.pairing import seat_round


class Knockout:
    """Single elimination; a player without an opponent, or whose opponent has left, advances without a game."""

    def rounds(self, context: StageContext) -> int:
        """Return the number of rounds until one player is left."""
        return max(0, len(context.state.entrants) - 1).bit_length()

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round of the bracket."""
        state = context.state
        if len(state.entrants) < 2:
            return stage_ended(context, TOO_FEW)
        slots = next_slots(context) if state.rounds else separate_groups(first_slots(state.entrants), context)
        tables: list[DrawnTable] = []
        byes: list[int] = []
        for match, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True), 1):
            there = [player for player in (one, other) if player != EMPTY_SLOT and player not in context.gone]
            if len(there) == 2:
                tables += initial_games(match, first_seat_order(state, one, other), state.plan.best_of)
            else:
                byes += there
        return next_round_drawn(context, tables, byes, slots=slots)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the round reached, then players who stayed before leavers, then by seed."""
        state = context.state
        reached = dict.fromkeys(state.entrants, 0)
        slots = [each.slots for each in state.rounds]
        if state.rounds and len(state.rounds) == self.rounds(context) and state.rounds[-1].decided:
            slots.append(tuple(next_slots(context)))
        for number, places in enumerate(slots, 1):
            for player in places:
                if player != EMPTY_SLOT and _has_reached(context, number, player):
                    reached[player] = number
        return ranked_by_values(
            context, {player: (("reached", Fraction(reached[player])),) for player in state.entrants}
        )


def _has_reached(context: StageContext, number: int, player: int) -> bool:
    """Return whether a round counts as reached; for a leaver only if they won the match before it.

    A bye, an opponent who left first, or the better seed of two absentees is no result on the board.
    """
    state = context.state
    if state.plan.rules < 3 or player not in context.gone or number == 1:
        return True
    return player in _won(state.rounds[number - 2], state)


def ranked_by_values(context: StageContext, values: Mapping[int, tuple[tuple[str, Fraction], ...]]) -> list[Line]:
    """Rank the entrants of a bracket by these values, then those who stayed before those who left, then by seed."""
    state = context.state
    leavers = state.plan.rules > 2 and not context.gone.isdisjoint(state.entrants)

    def line(player: int) -> tuple[tuple[str, Fraction], ...]:
        stayed = ((STAYED, Fraction(player not in context.gone)),) if leavers else ()
        return (*values[player], *stayed, ("seed", Fraction(-1 - state.entrants.index(player))))

    lines = {player: line(player) for player in state.entrants}
    order = sorted(state.entrants, key=lambda player: [value for _, value in lines[player]], reverse=True)
    return [Line(player, rank, state.number, lines[player]) for rank, player in enumerate(order, 1)]


def first_slots(entrants: list[int]) -> list[int]:
    """Return a bracket in which the best two can only meet in the last round; byes go to the best."""
    order = [0]
    while len(order) < len(entrants):
        size = 2 * len(order)
        order = [place for each in order for place in (each, size - 1 - each)]
    return [entrants[place] if place < len(entrants) else EMPTY_SLOT for place in order]


def separate_groups(slots: list[int], context: StageContext) -> list[int]:
    """Return the bracket with the fewest pairs of one group or party, by exchanging places, low seeds first.

    As long as a pair has no member of a group, a member of it that is paired within the group can move there. So the
    exchanges end only at a bracket that no other one of the same places beats.
    """
    seed = {player: number for number, player in enumerate(context.state.entrants)}
    groups = context.groups or _parties(context)
    while True:
        clashing = [place for place in range(len(slots)) if _clash(slots, place, groups)]
        swaps = [
            ((-seed[slots[place]], abs(seed[slots[other]] - seed[slots[place]]), seed[slots[other]]), place, other)
            for place in clashing
            for other in range(len(slots))
            if EMPTY_SLOT not in (slots[other], slots[other ^ 1])
            and other // 2 != place // 2
            and _separates(slots, place, other, groups)
        ]
        if not swaps:
            return slots
        _, place, other = min(swaps)
        slots[place], slots[other] = slots[other], slots[place]


def _parties(context: StageContext) -> dict[int, str]:
    """Return the party of each player, if an event begins with its bracket and parties are kept apart."""
    if not parties_kept_apart(context) or context.state.number > 1:
        return {}
    known = {player: context.entries[player].party for player in context.state.entrants}
    return {player: party for player, party in known.items() if party}


def _clash(slots: list[int], place: int, groups: Mapping[int, object]) -> bool:
    """Return True if both players of a pair come from one group."""
    two = slots[place], slots[place ^ 1]
    return EMPTY_SLOT not in two and two[0] in groups and groups[two[0]] == groups.get(two[1])


def _separates(slots: list[int], place: int, other: int, groups: Mapping[int, object]) -> bool:
    """Return True if after the exchange neither pair is from one group."""
    moved = list(slots)
    moved[place], moved[other] = moved[other], moved[place]
    return not _clash(moved, place, groups) and not _clash(moved, other, groups)


def next_slots(context: StageContext) -> list[int]:
    """Return the bracket that follows the newest round, which is decided."""
    return [EMPTY_SLOT if player is None else player for player in advancing_players(context)]


def advancing_players(context: StageContext) -> list[int | None]:
    """Return the player who advances from each pair of the newest round; None while its games are open."""
    state = context.state
    last = state.rounds[-1]
    won = _won(last, state)
    known = {contest.match: contest for contest in contests(last, state.plan)}
    pairs = zip(last.slots[::2], last.slots[1::2], strict=True)
    return [_advancing_player(context, won, known.get(match), two) for match, two in enumerate(pairs, 1)]


def _won(last: RoundState, state: StageState) -> set[int]:
    return {
        match.players[match.points[1] > match.points[0]]
        for match in matches(last, state.plan)
        if match.points[0] != match.points[1]
    }


def _advancing_player(
    context: StageContext, won: Collection[int], contest: Contest | None, two: tuple[int, int]
) -> int | None:
    """Return the player who advances from a pair; None while its match is open.

    If a leaver cut the match short, the other one advances, whatever the score. A level match goes to the player who
    began it; if neither appeared, the better seed of those who have not left advances.
    """
    state, byes = context.state, context.state.rounds[-1].byes
    if contest is not None and contest.open:
        return None
    there = [player for player in two if player != EMPTY_SLOT]
    found = [player for player in there if player in byes or player in won]
    if state.plan.rules < 3:
        return min(found or there, key=state.entrants.index, default=EMPTY_SLOT)
    if contest is not None and is_cut_short(contest, state.plan.best_of, context.gone):
        return next(player for player in contest.players if player not in context.gone)
    if found:
        return found[0]
    begun = contest.players[0] if contest is not None and max(contest.games) else EMPTY_SLOT
    return min(
        there,
        key=lambda player: (player in context.gone, player != begun, state.entrants.index(player)),
        default=EMPTY_SLOT,
    )


def is_cut_short(contest: Contest, best_of: int, left: Collection[int]) -> bool:
    """Return whether a match ended undecided because exactly one of the two has left."""
    undecided = max(contest.games) * 2 <= best_of and contest.played < best_of
    return undecided and sum(player in left for player in contest.players) == 1


def first_seat_order(state: StageState, one: int, other: int) -> tuple[int, int]:
    """Return the two in order: first the one who has begun less often, or did not begin last time."""

    def record(player: int) -> tuple[int, int]:
        balance, latest = 0, 0
        for each in state.rounds:
            for table in each.tables:
                if player in table.seats:
                    latest = 1 if table.seats[0] == player else -1
                    balance += latest
        return balance, latest

    if record(one) == record(other):
        return (one, other) if (one + other + len(state.rounds)) % 2 else (other, one)
    return (one, other) if record(one) < record(other) else (other, one)


ELIMINATION_LOSSES = 2


class DoubleElimination:
    """Double elimination: rounds until one player is left."""

    def rounds(self, context: StageContext) -> int:
        """Return 0: the number is not known beforehand."""
        return 0 * len(context.entries)

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Pair the unbeaten, and pair those with one loss; if both are odd, one of each meet."""
        lost = losses(context.state, context.gone)
        unbeaten = [player for player in context.active if lost[player] == 0]
        beaten = [player for player in context.active if lost[player] == 1]
        if len(unbeaten) + len(beaten) < 2:
            return stage_ended(context, PLAYED if context.state.rounds else TOO_FEW)
        floating = len(unbeaten) % 2 and len(beaten) % 2
        groups = [unbeaten, beaten]
        if floating:
            groups = [unbeaten[:-1], [unbeaten[-1], beaten[0]], beaten[1:]]
        byes = [_bye_player(context.state, group) for group in groups if len(group) % 2]
        pairs = [two for group in groups for two in _pair_group(context, [each for each in group if each not in byes])]
        plan = context.state.plan
        tables = [table for number, two in enumerate(pairs, 1) for table in initial_games(number, two, plan.best_of)]
        return next_round_drawn(context, tables, byes)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the last round played, then fewer losses (leavers have two), then players who stayed, then seed."""
        state = context.state
        lost = losses(state, context.gone)
        if state.plan.rules > 2:
            lost |= {player: ELIMINATION_LOSSES for player in state.entrants if player in context.gone}
        last = dict.fromkeys(state.entrants, 0)
        for each in state.rounds:
            for player in (*each.byes, *(player for table in each.tables for player in table.seats)):
                last[player] = each.number
        return ranked_by_values(
            context,
            {
                player: (("reached", Fraction(last[player])), ("losses", Fraction(-lost[player])))
                for player in state.entrants
            },
        )


def losses(state: StageState, gone: Collection[int], rounds: int | None = None) -> dict[int, int]:
    """Return the number of matches that each player has lost, after all rounds or so many; a missed round is a loss."""
    lost = dict.fromkeys(state.entrants, 0)
    for number, each in enumerate(state.rounds[:rounds], 1):
        there = {*each.byes, *(player for table in each.tables for player in table.seats)}
        for player in lost.keys() - there:
            lost[player] += 1
        # Who left while a round was played is not there when the next one is drawn, whether they return later or not.
        left = set(lost).difference(state.rounds[number].active) if number < len(state.rounds) else gone
        short = {
            contest.players
            for contest in contests(each, state.plan)
            if state.plan.rules > 2 and is_cut_short(contest, state.plan.best_of, left)
        }
        for match in matches(each, state.plan):
            for player in _beaten(match, state.plan.rules, left if match.players in short else ()):
                lost[player] += 1
    return {player: min(count, ELIMINATION_LOSSES) for player, count in lost.items()}


def _beaten(match: Match, rules: int, left: Collection[int]) -> list[int]:
    """Return the losers of a match: both if neither appeared, and of a level match the one who did not begin it.

    In a match that was cut short, the player who has ``left`` is the loser. By version 1 of the rules a level match has
    none.
    """
    if left:
        return [player for player in match.players if player in left]
    if match.points[0] == match.points[1] > 0:
        return [match.players[1]] if rules > 1 else []
    return [player for player, points in zip(match.players, match.points, strict=True) if not points]


def _bye_player(state: StageState, group: list[int]) -> int:
    """Return the player for a bye: with the fewest byes, of these the best seed."""
    return min(group, key=lambda player: sum(player in each.byes for each in state.rounds))


def _pair_group(context: StageContext, group: list[int]) -> list[tuple[int, int]]:
    """Pair a group with as few repeats as possible and even first seats."""
    if not group:
        return []
    state = context.state
    random = random_source(context.seed, state.number, context.next_round, state.undone, len(group))
    records = [
        SeatingRecord(player, seats=_seat_counts(state, player), party=context.entries[player].party)
        for player in group
    ]
    sizes = (2,) * (len(group) // 2)
    seating = seat_round(records, state.met(), random, apart=parties_kept_apart(context), sizes=sizes)
    return [(seats[0], seats[1]) for seats in seating.tables]


def _seat_counts(state: StageState, player: int) -> tuple[int, ...]:
    found = [0, 0, 0, 0, 0]
    for each in state.rounds:
        for table in each.tables:
            if player in table.seats:
                found[table.seats.index(player)] += 1
    return tuple(found)
