"""Round robins: stages in which every player of a group meets every other one.

There may be one group, several, or the divisions of a league; all are called pools here. Duels (:class:`Robin`) follow
Berger's tables, the usual schedule of a round robin: all players meet once, and begin about equally often.

In pools at tables of four (:class:`Pools`) all games begin at once, and every player has four of them, one in each
seat. The players stand in a circle, and the places of each game are those of the game before, moved on by one. So the
places of the first table decide how often two players meet; with 5, 7 and 13 players all pairs meet equally often.

A group of duels with a free place takes a *late entrant* until one of its games has been played to the end. They meet
everyone in it who has not left, in rounds after those of the schedule.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from tournaments.duels.matches import initial_games
from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import COUNTED, AccountSheet, Line, early_leavers_of, rank_players, renumbered
from tournaments.stages.base import TOO_FEW, next_round_drawn, stage_ended
from tournaments.states import StageContext, StageState
from tournaments.tables.field import Pair, pair
from tournaments.tables.pairing import meetings
from tournaments.tables.schedule import side_by_side


def robin_rounds(players: int) -> int:
    """Return the number of rounds of a round robin."""
    return players - 1 + players % 2 if players > 1 else 0


def berger(players: Sequence[int], number: int) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs of a round, each with the beginner first, and the resting player if the number is odd.

    Rounds are counted from 1.
    """
    size = len(players) + len(players) % 2
    last = size - 1
    pivot = (number - 1) * (size // 2) % last
    pairs = [(pivot, last) if number % 2 else (last, pivot)]
    pairs += [((pivot + step) % last, (pivot - step) % last) for step in range(1, size // 2)]
    if size == len(players):
        return [(players[first], players[second]) for first, second in pairs], None
    return [(players[first], players[second]) for first, second in pairs[1:]], players[pivot]


def joinable_group(context: StageContext) -> int | None:
    """Return the index of the group that a late entrant joins; None if they cannot.

    It is the smallest, and of equal ones the first, of those with a free place in which no game has been played to the
    end. The largest group at the start, or the size that the organiser chose if it is larger, says how many places a
    group has; the place of a player who left is free.
    """
    state, pools = context.state, context.state.pools()
    began = [[player for player in pool if player not in state.group_joined] for pool in pools]
    places = max(0 if state.plan.groups else state.plan.pool, *map(len, began))
    ended = [table.seats[0] for drawn in state.rounds for table, outcome in drawn.games() if not outcome.out]
    present = [sum(player not in context.gone for player in pool) for pool in pools]
    joinable = [
        number for number, pool in enumerate(pools) if present[number] < places and not set(pool).intersection(ended)
    ]
    return min(joinable, key=present.__getitem__, default=None)


def scheduled_pools(state: StageState) -> list[list[int]]:
    """Return the players of each pool whom its schedule has: all but those who entered after the first draw."""
    return [[player for player in pool if not state.joined.get(player)] for pool in state.pools()]


def further_rounds(context: StageContext) -> list[list[Pair]]:
    """Return the pairs of the rounds in which late entrants still have to meet the others of their group.

    Nobody plays twice in a round. Who has left is met by nobody, unless they return.
    """
    state = context.state
    if not any(state.joined.values()):
        return []
    met = state.met()
    missing = [
        (member, entrant)
        for pool in state.pools()
        for place, entrant in enumerate(pool)
        if state.joined.get(entrant)
        for member in pool[:place]
        if context.gone.isdisjoint((member, entrant)) and pair(member, entrant) not in met
    ]
    rounds: list[list[Pair]] = []
    while missing:
        playing: set[int] = set()
        drawn: list[Pair] = []
        for players in missing:
            if playing.isdisjoint(players):
                drawn.append(players)
                playing.update(players)
        rounds.append(drawn)
        missing = [players for players in missing if players not in drawn]
    return rounds


class Robin:
    """A round robin of duels in each pool; a player whose opponent left before the round has a bye."""

    def rounds(self, context: StageContext) -> int:
        """Return the number of rounds of the largest pool, and of those that late entrants need."""
        return max(_scheduled_rounds(context), len(context.state.rounds)) + len(further_rounds(context))

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round of all pools."""
        if len(context.active) < 2:
            return stage_ended(context, TOO_FEW)
        plan = context.state.plan
        tables: list[DrawnTable] = []
        byes: list[int] = []
        match = 0
        for players in self._pairs(context):
            present = [player for player in players if player not in context.gone]
            if len(present) == 2:
                match += 1
                tables += initial_games(match, _seat_order(context, players), plan.best_of, plan.boards)
            else:
                byes += present
        playing = {*byes, *(player for table in tables for player in table.seats)}
        resting = [player for player in context.active if player not in playing]
        return next_round_drawn(context, tables, byes, resting=resting)

    def _pairs(self, context: StageContext) -> list[Pair]:
        """Return the pairs of the next round: those of the schedule, then those of late entrants."""
        number = context.next_round
        if number > _scheduled_rounds(context):
            return further_rounds(context)[0]
        pools = scheduled_pools(context.state)
        return [players for pool in pools if number <= robin_rounds(len(pool)) for players in berger(pool, number)[0]]

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by pool and tie-breaks: divisions one after the other; of groups all firsts before all seconds."""
        return ranked_pools(context, AccountSheet.of(context, annul=True, unearned=unearned_byes(context)))


def unearned_byes(context: StageContext) -> frozenset[tuple[int, int]]:
    """Return the byes, by round and player, instead of a game against a player whose games do not count.

    Who met that player before they left has nothing of it either. Until version 4 of the rules these byes counted.
    """
    state = context.state
    if state.plan.rules < 5 or not any(drawn.byes for drawn in state.rounds):
        return frozenset()
    annulled, pools = early_leavers_of(context), scheduled_pools(state)
    return frozenset(
        (drawn.number, player)
        for drawn in state.rounds
        for pool in pools
        if drawn.number <= robin_rounds(len(pool))
        for players in berger(pool, drawn.number)[0]
        if not annulled.isdisjoint(players)
        for player in players
        if player in drawn.byes
    )


def _scheduled_rounds(context: StageContext) -> int:
    """Return the number of rounds in the schedule of the largest pool."""
    return max((robin_rounds(len(pool)) for pool in scheduled_pools(context.state)), default=0)


def _seat_order(context: StageContext, players: tuple[int, int]) -> tuple[int, int]:
    """Return two players in the seat order of Berger's tables, or exchanged if dropouts made first seats uneven."""
    balance = dict.fromkeys(players, 0)
    for drawn in context.state.rounds:
        for seats in {table.match: table.seats for table in reversed(drawn.tables)}.values():
            for seat, player in enumerate(seats):
                if player in balance:
                    balance[player] += 1 - 2 * seat
    first, second = players
    unchanged = max(abs(balance[first] + 1), abs(balance[second] - 1))
    exchanged = max(abs(balance[first] - 1), abs(balance[second] + 1))
    return (second, first) if exchanged < unchanged and unchanged > 1 else players


def ranked_pools(context: StageContext, sheet: AccountSheet) -> list[Line]:
    """Rank each pool and combine the pools; in groups, players whose games do not count come last."""
    plan = context.state.plan
    pools = [rank_players(sheet, pool, plan.tie_breaks) for pool in context.state.pools()]
    if len(pools) == 1:
        return pools[0]
    if plan.divisions:
        numbered = [(line, number) for number, pool in enumerate(pools, 1) for line in pool]
        return renumbered(line.with_value("division", -number) for line, number in numbered)
    places = {line.player: line.rank for pool in pools for line in pool}
    lines = rank_players(sheet, context.state.entrants, plan.tie_breaks)
    leading = int(any(line.values[0][0] == COUNTED for line in lines))
    ranked = [line.with_value("place", -places[line.player], leading) for line in lines]
    ranked.sort(key=lambda line: [value for _, value in line.values[: leading + 1]], reverse=True)
    return renumbered(ranked)


SEAT_PAIRS: Final = 12
"""The number of ordered pairs of places at a table of four."""


class Pools:
    """A single round with all the games of all pools."""

    def rounds(self, context: StageContext) -> int:
        """Return 1, since all games are played at the same time."""
        return 1 if context.state.entrants else 0

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return all games."""
        tables: list[DrawnTable] = []
        reasons: list[str] = []
        for pool in context.state.pools():
            present = [player for player in pool if player not in context.gone]
            games = pool_games(present)
            tables += [DrawnTable(len(tables) + number, seats) for number, seats in enumerate(games, 1)]
            fewest, most = meeting_extremes(games)
            if fewest != most:
                reasons.append(f"meetings-{fewest}-to-{most}")
        if not tables:
            return stage_ended(context, TOO_FEW)
        return next_round_drawn(context, tables, reasons=sorted(set(reasons)))

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank division by division, without the games of early leavers."""
        return ranked_pools(context, AccountSheet.of(context, annul=True))


def pool_games(players: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the games of a pool; each is a table of four, and of three in a pool of three players."""
    count = len(players)
    if count <= 4:
        return list(side_by_side(players)) if count >= 3 else []
    block = first_table_places(count)
    return [tuple(players[(place + step) % count] for place in block) for step in range(count)]


@lru_cache(maxsize=256)
def first_table_places(count: int) -> tuple[int, ...]:
    """Return the places of the first table that make meetings most even, by trying all in order.

    Two players meet as often as their distance in the circle occurs among the places of the first table.
    """
    meetings_each, remainder = divmod(SEAT_PAIRS, count - 1)
    ideal = (int(remainder > 0), remainder * (meetings_each + 1) ** 2 + (count - 1 - remainder) * meetings_each**2)

    def unevenness(block: tuple[int, ...]) -> tuple[int, int]:
        by_distance = [0] * count
        for first, second in combinations(block, 2):
            by_distance[(second - first) % count] += 1
            by_distance[(first - second) % count] += 1
        return max(by_distance[1:]) - min(by_distance[1:]), sum(number * number for number in by_distance)

    best, lowest = (0, 1, 2, 3), unevenness((0, 1, 2, 3))
    for rest in combinations(range(1, count), 3):
        if lowest == ideal:
            break
        current = unevenness((0, *rest))
        if current < lowest:
            best, lowest = (0, *rest), current
    return best


def meeting_extremes(games: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return the fewest and the most meetings of any two players."""
    met = meetings([[seats] for seats in games])
    players = sorted({player for seats in games for player in seats})
    counts = [met.get(pair(first, second), 0) for first, second in combinations(players, 2)]
    return min(counts, default=0), max(counts, default=0)
