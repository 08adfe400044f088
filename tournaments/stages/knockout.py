"""Knock-out stages: single and double elimination.

Single elimination (:class:`Knockout`) is played in a *bracket*: a list of slots, each of which holds a player or is
empty. Two neighbouring slots are a pair who meet, and the winners of all pairs, in the same order, are the next
bracket. A player without an opponent advances by a *bye*. Every drawn round stores its bracket, so that later facts
(entries of the log, such as corrected results) do not change it.

Double elimination (:class:`DoubleElimination`) has no bracket: players with the same number of losses meet, and the
second loss eliminates. Its last rounds, of which matches may be longer, are those with so many players still in.

After groups, their firsts may rest in the first round of either. Entrants are players or teams.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from tournaments.chance import random_source
from tournaments.duels.matches import Contest, Match, boards_won, contests, initial_games, matches
from tournaments.facts import EMPTY_SLOT, DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import STAYED, Line
from tournaments.stages.base import PLAYED, TOO_FEW, next_round_drawn, parties_kept_apart, stage_ended
from tournaments.states import RoundState, StageContext, StageState
from tournaments.tables.field import SeatingRecord
from tournaments.tables.pairing import seat_round


class Knockout:
    """Single elimination; a player without an opponent, or whose opponent has left, advances by a bye."""

    def rounds(self, context: StageContext) -> int:
        """Return the number of rounds until one player is left."""
        state = context.state
        slots = state.rounds[0].slots if state.rounds else opening_slots(context)
        return max(0, len(slots) - 1).bit_length()

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round of the bracket."""
        state = context.state
        if len(state.entrants) < 2:
            return stage_ended(context, TOO_FEW)
        slots = next_slots(context) if state.rounds else separate_groups(opening_slots(context), context)
        return self._drawn(context, slots, semi_final_losers(context, slots) if state.plan.third_place else ())

    def _drawn(self, context: StageContext, slots: Sequence[int], third_place: Sequence[int] = ()) -> RoundDrawn:
        """Return the round with this bracket, and with the match for the third place if there are two players."""
        state, best_of = context.state, context.state.plan.games_of_match(len(slots))
        pairs = list(zip(slots[::2], slots[1::2], strict=True))
        tables: list[DrawnTable] = []
        byes: list[int] = []
        for match, players in enumerate([*pairs, third_place], 1):
            present = [player for player in players if player != EMPTY_SLOT and player not in context.gone]
            if len(present) == 2:
                order = first_seat_order(state, present[0], present[1])
                tables += initial_games(match, order, best_of, state.plan.boards)
            elif match <= len(pairs):
                byes += present
        return next_round_drawn(context, tables, byes, slots=slots)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the round that a player reached; then those who stayed before those who left; then by seed."""
        state = context.state
        reached = dict.fromkeys(state.entrants, 0)
        brackets = [drawn.slots for drawn in state.rounds]
        if state.rounds and len(state.rounds) == self.rounds(context) and state.rounds[-1].decided:
            brackets.append(tuple(next_slots(context)))
        for number, players in enumerate(brackets, 1):
            for player in players:
                if player != EMPTY_SLOT and _counts_as_reached(context, number, player):
                    reached[player] = number
        third = third_placed(context)
        values = {
            player: (
                ("reached", Fraction(reached[player])),
                *((("third", Fraction(player == third)),) if state.plan.third_place else ()),
            )
            for player in state.entrants
        }
        return ranked_by_values(context, values)


def _counts_as_reached(context: StageContext, number: int, player: int) -> bool:
    """Return whether a player counts as having reached a round; a leaver must have won the match before it.

    A leaver who advanced by a bye, because the opponent left, or by the better seed has won no match.
    """
    state = context.state
    if state.plan.rules < 3 or player not in context.gone or number == 1:
        return True
    return player in _winners(state.rounds[number - 2], state)


Values = tuple[tuple[str, Fraction], ...]
"""The names and values by which a player ranks, the first of them before the others."""


def ranked_by_values(context: StageContext, values: Mapping[int, Values]) -> list[Line]:
    """Rank the entrants by these values, then those who stayed before those who left, then by seed."""
    state = context.state
    leavers = state.plan.rules > 2 and not context.gone.isdisjoint(state.entrants)

    def line(player: int) -> Values:
        stayed = ((STAYED, Fraction(player not in context.gone)),) if leavers else ()
        return (*values[player], *stayed, ("seed", Fraction(-1 - state.entrants.index(player))))

    lines = {player: line(player) for player in state.entrants}
    order = sorted(state.entrants, key=lambda player: [value for _, value in lines[player]], reverse=True)
    return [Line(player, rank, state.number, lines[player]) for rank, player in enumerate(order, 1)]


def first_slots(entrants: list[int]) -> list[int]:
    """Return the first bracket, in which the best two players can only meet in the last round, and the best get byes.

    The seeds of every pair have the same sum, as in tennis: of eight players 1 meets 8, 2 meets 7, and so on.
    """
    seeds = [0]
    while len(seeds) < len(entrants):
        size = 2 * len(seeds)
        seeds = [seed for better in seeds for seed in (better, size - 1 - better)]
    return [entrants[seed] if seed < len(entrants) else EMPTY_SLOT for seed in seeds]


def opening_slots(context: StageContext) -> list[int]:
    """Return the first bracket before groups are kept apart."""
    plan, entrants = context.state.plan, context.state.entrants
    resting = firsts_of_groups(context) if plan.firsts else []
    others = [player for player in entrants if player not in resting]
    return slots_with_byes(resting, others) if resting and len(others) > 1 else first_slots(entrants)


def firsts_of_groups(context: StageContext) -> list[int]:
    """Return the best entrant of each group of the stage before."""
    first_of_group: dict[int, int] = {}
    for player in context.state.entrants:
        if player in context.groups:
            first_of_group.setdefault(context.groups[player], player)
    return list(first_of_group.values())


def slots_with_byes(resting: Sequence[int], playing: Sequence[int]) -> list[int]:
    """Return a bracket in whose first round some players rest, and all others meet, the best and the worst of them.

    The next round is seeded: first those who rest, then the winners, the one of the best player's match first. If the
    others are an odd number, the best of them rests, too.
    """
    rest, odd = list(playing), len(playing) % 2
    pairs = [(player, EMPTY_SLOT) for player in [*resting, *rest[:odd]]]
    rest = rest[odd:]
    pairs += [(rest[number], rest[-1 - number]) for number in range(len(rest) // 2)]
    places = first_slots(list(range(len(pairs))))
    return [
        player for place in places for player in (pairs[place] if place != EMPTY_SLOT else (EMPTY_SLOT, EMPTY_SLOT))
    ]


def semi_final_losers(context: StageContext, slots: Sequence[int]) -> list[int]:
    """Return the players who lost the semi-finals, if this is the bracket of the final."""
    if len(slots) != 2 or not context.state.rounds:
        return []
    return [player for player in context.state.rounds[-1].slots if player not in (EMPTY_SLOT, *slots)]


def third_placed(context: StageContext) -> int | None:
    """Return the winner of the match for the third place; None as long as there is none."""
    state = context.state
    if not state.plan.third_place or not state.rounds or len(state.rounds[-1].slots) != 2:
        return None
    group = contests(state.rounds[-1], state.plan, THIRD_PLACE_MATCH)
    if not group:
        return None
    winner = _advancing_player(context, _winners(state.rounds[-1], state), group, group[0].players)
    return None if winner == EMPTY_SLOT else winner


THIRD_PLACE_MATCH = 2
"""The number of the match for the third place in the round of the final."""


def separate_groups(slots: list[int], context: StageContext) -> list[int]:
    """Exchange players, low seeds first, until as few pairs as possible come from one group or party.

    As long as there is a pair without a member of a group, a player who is paired within that group can move there. So
    the exchanges end only when no other order of the same players has fewer such pairs.
    """
    seed = {player: number for number, player in enumerate(context.state.entrants)}
    groups = context.groups or _parties(context)
    while True:
        clashing = [place for place in range(len(slots)) if _clash(slots, place, groups)]
        swaps = [
            (
                (-seed[slots[place]], abs(seed[slots[new_place]] - seed[slots[place]]), seed[slots[new_place]]),
                place,
                new_place,
            )
            for place in clashing
            for new_place in range(len(slots))
            if EMPTY_SLOT not in (slots[new_place], slots[new_place ^ 1])
            and new_place // 2 != place // 2
            and _separates(slots, place, new_place, groups)
        ]
        if not swaps:
            return slots
        _, place, new_place = min(swaps)
        slots[place], slots[new_place] = slots[new_place], slots[place]


def _parties(context: StageContext) -> dict[int, str]:
    """Return the parties to be kept apart, by player; none if this is not the first stage."""
    return {} if context.state.number > 1 else parties_kept_apart(context)


def _clash(slots: list[int], place: int, groups: Mapping[int, object]) -> bool:
    """Return True if both players of a pair come from one group."""
    players = slots[place], slots[place ^ 1]
    return EMPTY_SLOT not in players and players[0] in groups and groups[players[0]] == groups.get(players[1])


def _separates(slots: list[int], place: int, new_place: int, groups: Mapping[int, object]) -> bool:
    """Return True if after the exchange neither pair is from one group."""
    exchanged = list(slots)
    exchanged[place], exchanged[new_place] = exchanged[new_place], exchanged[place]
    return not _clash(exchanged, place, groups) and not _clash(exchanged, new_place, groups)


def next_slots(context: StageContext) -> list[int]:
    """Return the bracket that follows the newest round, which is decided."""
    return [EMPTY_SLOT if player is None else player for player in advancing_players(context)]


def advancing_players(context: StageContext) -> list[int | None]:
    """Return the player who advances from each pair of the newest round; None while its games are open."""
    state = context.state
    newest = state.rounds[-1]
    winners = _winners(newest, state)
    contests_of_match: dict[int, list[Contest]] = {}
    for contest in contests(newest, state.plan):
        contests_of_match.setdefault(contest.match, []).append(contest)
    pairs = zip(newest.slots[::2], newest.slots[1::2], strict=True)
    return [
        _advancing_player(context, winners, contests_of_match.get(match, ()), players)
        for match, players in enumerate(pairs, 1)
    ]


def _winners(drawn: RoundState, state: StageState) -> set[int]:
    """Return the winners of the finished matches of a round; of teams level by boards, who won more games."""
    results = ((match.players, match.points, match.games) for match in matches(drawn, state.plan))
    return {
        players[(points[1], games[1]) > (points[0], games[0])]
        for players, points, games in results
        if (points[0], games[0]) != (points[1], games[1])
    }


def _advancing_player(
    context: StageContext, winners: Collection[int], group: Sequence[Contest], players: tuple[int, int]
) -> int | None:
    """Return the player who advances from a pair with these contests; None while its match is open.

    If one player left and so cut the match short, the opponent advances, whatever the score. A level match goes to the
    player who began it. If neither appeared, the better seed of those who have not left advances.
    """
    state, drawn = context.state, context.state.rounds[-1]
    if any(contest.open for contest in group):
        return None
    present = [player for player in players if player != EMPTY_SLOT]
    advanced = [player for player in present if player in drawn.byes or player in winners]
    if state.plan.rules < 3:
        return min(advanced or present, key=state.entrants.index, default=EMPTY_SLOT)
    if group and is_match_cut_short(group, state.plan.games_of_match(drawn.places), context.gone):
        return next(player for player in group[0].players if player not in context.gone)
    if advanced:
        return advanced[0]
    beginner = group[0].players[0] if any(max(contest.games) for contest in group) else EMPTY_SLOT
    return min(
        present,
        key=lambda player: (player in context.gone, player != beginner, state.entrants.index(player)),
        default=EMPTY_SLOT,
    )


def is_cut_short(contest: Contest, best_of: int, leavers: Collection[int]) -> bool:
    """Return whether a match ended undecided because exactly one of the two players left."""
    undecided = max(contest.games) * 2 <= best_of and contest.played < best_of
    return undecided and sum(player in leavers for player in contest.players) == 1


def is_match_cut_short(group: Sequence[Contest], best_of: int, leavers: Collection[int]) -> bool:
    """Return whether a match ended undecided because exactly one side left; that of teams, if no side has won it yet.

    A match of teams is won by more than half of its boards.
    """
    if not any(is_cut_short(contest, best_of, leavers) for contest in group):
        return False
    boards = dict.fromkeys(group[0].players, Fraction(0))
    for contest in group if len(group) > 1 else ():
        if not is_cut_short(contest, best_of, leavers):
            for player, won in zip(contest.players, boards_won(contest), strict=True):
                boards[player] += won
    return max(boards.values()) * 2 <= len(group)


def first_seat_order(state: StageState, first: int, second: int) -> tuple[int, int]:
    """Return two players in seat order: first the one who began fewer games or, if equal, did not begin last time."""

    def record(player: int) -> tuple[int, int]:
        balance, latest = 0, 0
        for drawn in state.rounds:
            for table in drawn.tables:
                if player in table.seats:
                    latest = 1 if table.seats[0] == player else -1
                    balance += latest
        return balance, latest

    if record(first) == record(second):
        return (first, second) if (first + second + len(state.rounds)) % 2 else (second, first)
    return (first, second) if record(first) < record(second) else (second, first)


ELIMINATION_LOSSES = 2
"""The number of lost matches that eliminates a player."""


class DoubleElimination:
    """Double elimination: rounds until one player is left."""

    def rounds(self, context: StageContext) -> int:
        """Return 0, since the number of rounds depends on the results."""
        return 0 * len(context.entries)

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Pair the unbeaten players, and those with one loss; if both numbers are odd, one of each meet."""
        loss_counts = losses(context.state, context.gone)
        unbeaten = [player for player in context.active if loss_counts[player] == 0]
        beaten = [player for player in context.active if loss_counts[player] == 1]
        plan = context.state.plan
        best_of = plan.games_of_match(len(unbeaten) + len(beaten))
        if len(unbeaten) + len(beaten) < 2:
            return stage_ended(context, PLAYED if context.state.rounds else TOO_FEW)
        resting = [] if context.state.rounds or not plan.firsts else firsts_of_groups(context)
        resting = [player for player in resting if player in unbeaten]
        if len(unbeaten) - len(resting) > 1:
            unbeaten = [player for player in unbeaten if player not in resting]
        else:
            resting = []
        floating = len(unbeaten) % 2 and len(beaten) % 2
        groups = [unbeaten, beaten]
        if floating:
            groups = [unbeaten[:-1], [unbeaten[-1], beaten[0]], beaten[1:]]
        byes = [*resting, *(_bye_player(context.state, group) for group in groups if len(group) % 2)]
        pairs = [
            players
            for group in groups
            for players in _pair_group(context, [member for member in group if member not in byes])
        ]
        tables = [
            table
            for number, players in enumerate(pairs, 1)
            for table in initial_games(number, players, best_of, plan.boards)
        ]
        return next_round_drawn(context, tables, byes)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the last round played, then fewer losses (leavers have two), then players who stayed, then seed."""
        return ranked_by_values(context, self.values(context))

    def values(self, context: StageContext) -> dict[int, Values]:
        """Return the last round played and the losses of every entrant."""
        state = context.state
        loss_counts = losses(state, context.gone)
        if state.plan.rules > 2:
            loss_counts |= {player: ELIMINATION_LOSSES for player in state.entrants if player in context.gone}
        last_round = dict.fromkeys(state.entrants, 0)
        for drawn in state.rounds:
            for player in (*drawn.byes, *(player for table in drawn.tables for player in table.seats)):
                last_round[player] = drawn.number
        return {
            player: (("reached", Fraction(last_round[player])), ("losses", Fraction(-loss_counts[player])))
            for player in state.entrants
        }


def losses(state: StageState, gone: Collection[int], rounds: int | None = None) -> dict[int, int]:
    """Return the number of matches that each player has lost after all or the first ``rounds``.

    A missed round counts as a loss.
    """
    loss_counts = dict.fromkeys(state.entrants, 0)
    for number, drawn in enumerate(state.rounds[:rounds], 1):
        present = {*drawn.byes, *(player for table in drawn.tables for player in table.seats)}
        for player in loss_counts.keys() - present:
            loss_counts[player] += 1
        # A player who left during a round is not active when the next one is drawn, even if they return later.
        leavers = set(loss_counts).difference(state.rounds[number].active) if number < len(state.rounds) else gone
        contests_of_match: dict[int, list[Contest]] = {}
        for contest in contests(drawn, state.plan):
            contests_of_match.setdefault(contest.match, []).append(contest)
        cut_short = {
            group[0].players
            for group in contests_of_match.values()
            if state.plan.rules > 2 and is_match_cut_short(group, state.plan.games_of_match(drawn.places), leavers)
        }
        for match in matches(drawn, state.plan):
            for player in _losers(match, state.plan.rules, leavers if match.players in cut_short else ()):
                loss_counts[player] += 1
    return {player: min(count, ELIMINATION_LOSSES) for player, count in loss_counts.items()}


def _losers(match: Match, rules: int, leavers: Collection[int]) -> list[int]:
    """Return the losers of a match: both if neither appeared; in a level match the player who did not begin it.

    ``leavers`` is only given for a match that was cut short, and the leaver is its loser. By version 1 of the rules a
    level match has no loser.
    """
    if leavers:
        return [player for player in match.players if player in leavers]
    if match.points[0] == match.points[1] > 0:
        if match.games[0] < match.games[1]:  # only of teams
            return [match.players[0]]
        return [match.players[1]] if rules > 1 else []
    return [player for player, points in zip(match.players, match.points, strict=True) if not points]


def _bye_player(state: StageState, group: list[int]) -> int:
    """Return the player who gets a bye: the best seed of those with the fewest byes."""
    return min(group, key=lambda player: sum(player in drawn.byes for drawn in state.rounds))


def _pair_group(context: StageContext, group: list[int]) -> list[tuple[int, int]]:
    """Pair a group with as few repeats as possible and even first seats."""
    if not group:
        return []
    state = context.state
    random = random_source(context.seed, state.number, context.next_round, state.undone, len(group))
    after_groups = bool(context.groups) and not state.rounds and state.plan.rules > 3
    parties = (
        {player: f"group {context.groups[player]}" for player in group} if after_groups else parties_kept_apart(context)
    )
    records = [
        SeatingRecord(player, seats=_seat_counts(state, player), party=parties.get(player, "")) for player in group
    ]
    sizes = (2,) * (len(group) // 2)
    seating = seat_round(records, state.met(), random, apart=bool(parties), sizes=sizes)
    return [(seats[0], seats[1]) for seats in seating.tables]


def _seat_counts(state: StageState, player: int) -> tuple[int, ...]:
    """Return how often a player has had each seat."""
    counts = [0, 0, 0, 0, 0]
    for drawn in state.rounds:
        for table in drawn.tables:
            if player in table.seats:
                counts[table.seats.index(player)] += 1
    return tuple(counts)
