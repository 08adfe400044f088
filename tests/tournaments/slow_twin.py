"""A second, slow reckoning of events with groups and eliminations, written from ``docs/tournaments.md`` alone.

:class:`Twin` reads the facts of an event one by one. It keeps its own results, and works out by itself who advances,
who meets in a bracket, who has lost how often, and the order in which groups and eliminations rank. Whatever is due by
the rules (the entrants of a stage, the pairs of a round) it compares with its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tournaments.chance import player_lot
from tournaments.facts import (
    DISQUALIFIED,
    EMPTY_SLOT,
    Correction,
    DrawnTable,
    Fact,
    GamesAdded,
    LateEntry,
    Penalty,
    Rejoined,
    Result,
    RoundDrawn,
    RoundUndone,
    StageBegun,
    StageEnded,
    Warned,
    Withdrawal,
)
from tournaments.points import Outcome
from tournaments.specification import Specification

HALF = Fraction(1, 2)
Player = int


class Game:
    """A game of two with its result, if it has one."""

    def __init__(self, table: DrawnTable) -> None:
        self.match, self.board, self.seats = table.match, table.board, table.seats
        self.outcome: Outcome | None = None

    def winner(self) -> Player | None:
        """Return the winner: not out, not the one who stalled, more points, or the later seat; None if both are out."""
        assert self.outcome is not None
        seats = [seat for seat in (0, 1) if seat not in self.outcome.out]
        if not seats:
            return None
        return self.seats[
            max(seats, key=lambda seat: (seat != self.outcome.stalled, self.outcome.scores[seat], seat))  # type: ignore[union-attr]
        ]


class Round:
    """A drawn round."""

    def __init__(self, fact: RoundDrawn, gone: Iterable[Player]) -> None:
        self.slots, self.byes, self.resting = fact.slots, fact.byes, fact.resting
        self.games = [Game(table) for table in fact.tables]
        self.gone_before = set(gone)

    def matches(self) -> list[list[Game]]:
        """Return the games of each match."""
        numbers = dict.fromkeys(game.match for game in self.games)
        return [[game for game in self.games if game.match == number] for number in numbers]

    def players(self) -> set[Player]:
        """Return who plays or has a bye."""
        return {player for game in self.games for player in game.seats} | set(self.byes)


def boards(games: Sequence[Game]) -> list[list[Game]]:
    """Return the games of each board of a match."""
    return [[game for game in games if game.board == board] for board in dict.fromkeys(game.board for game in games)]


def won_games(games: Iterable[Game], player: Player) -> int:
    """Count the games that a player has won."""
    return sum(game.outcome is not None and game.winner() == player for game in games)


def board_point(games: Sequence[Game], player: Player, opponent: Player) -> Fraction:
    """Return the worth of a board to a player."""
    own, other = won_games(games, player), won_games(games, opponent)
    if own == other:
        return HALF if own else Fraction(0)
    return Fraction(own > other)


def board_points(games: Sequence[Game], player: Player, opponent: Player) -> Fraction:
    """Return the worth of all boards of a match to a player."""
    return sum((board_point(group, player, opponent) for group in boards(games)), Fraction(0))


def match_point(games: Sequence[Game], player: Player, opponent: Player) -> Fraction:
    """Return the worth of a match to a player."""
    own, other = board_points(games, player, opponent), board_points(games, opponent, player)
    if own == other:
        return HALF if own else Fraction(0)
    return Fraction(own > other)


def is_level(games: Sequence[Game]) -> bool:
    """Return whether both sides have the same points and games of a match."""
    first, second = games[0].seats
    points = match_point(games, first, second) == match_point(games, second, first)
    return points and won_games(games, first) == won_games(games, second)


def cut_short(games: Sequence[Game], best_of: int, gone: set[Player]) -> bool:
    """Return whether a match is undecided because one side alone has left."""
    if len(gone & set(games[0].seats)) != 1:
        return False
    decided: dict[Player, Fraction] = dict.fromkeys(games[0].seats, Fraction(0))
    some_open, groups = False, boards(games)
    for group in groups:
        most = max(won_games(group, player) for player in group[0].seats)
        if 2 * most <= best_of and len(group) < best_of:
            some_open = True
        elif len(groups) > 1:
            first, second = group[0].seats
            decided[first] += board_point(group, first, second)
            decided[second] += board_point(group, second, first)
    return some_open and 2 * max(decided.values()) <= len(groups)


class Stage:
    """A stage that has begun."""

    def __init__(self, twin: Twin, number: int, entrants: Sequence[Player]) -> None:
        self.twin, self.number, self.entrants = twin, number, list(entrants)
        self.plan = twin.plans[number - 1]
        self.rounds: list[Round] = []
        self.came_late: dict[Player, int] = {}
        """The group of each player who came late."""

    # -- groups -------------------------------------------------------------------------------------------------------

    def groups(self) -> list[list[Player]]:
        """Deal the entrants out to groups, back and forth; who came late stands at the end of one."""
        dealt = self.dealt([player for player in self.entrants if player not in self.came_late])
        for player, number in self.came_late.items():
            dealt[number].append(player)
        return dealt

    def dealt(self, players: list[Player]) -> list[list[Player]]:
        """Deal players out to groups, back and forth."""
        count, wanted = len(players), self.plan.groups
        if not self.plan.pool and not wanted:
            return [players]
        number = min(wanted, count // 2) if wanted else int(Fraction(count, self.plan.pool) + HALF)
        number = max(1, number)
        groups: list[list[Player]] = [[] for _ in range(number)]
        order = [*range(number), *reversed(range(number))]
        for place, player in enumerate(players):
            groups[order[place % len(order)]].append(player)
        return groups

    def take_late(self, player: Player) -> None:
        """Let a player join the smallest group with a free place of which no game was played to the end."""
        groups, dealt = self.groups(), self.dealt([one for one in self.entrants if one not in self.came_late])
        places = max(len(group) for group in dealt)
        if not self.plan.groups:
            places = max(places, self.plan.pool)
        begun = {
            seat
            for drawn in self.rounds
            for game in drawn.games
            if game.outcome is not None and not game.outcome.out
            for seat in game.seats
        }
        sizes = {number: len(set(group) - self.twin.gone) for number, group in enumerate(groups)}
        free = [number for number, group in enumerate(groups) if sizes[number] < places and not begun & set(group)]
        self.came_late[player] = min(free, key=lambda number: (sizes[number], number))
        self.entrants.append(player)

    def check_whole_groups(self) -> None:
        """Check that nobody met anybody twice or of another group, and who came late everyone who stayed."""
        group_of = {player: number for number, group in enumerate(self.groups()) for player in group}
        met = [frozenset(games[0].seats) for drawn in self.rounds for games in drawn.matches()]
        assert len(met) == len(set(met))
        assert all(len({group_of[player] for player in pair}) == 1 for pair in met)
        for player in set(self.came_late) - self.twin.gone:
            others = set(self.groups()[group_of[player]]) - {player}
            opponents = {other for pair in met if player in pair for other in pair} - {player}
            assert others - self.twin.gone <= opponents <= others
        for drawn in self.rounds:
            seats = [seat for games in drawn.matches() for seat in games[0].seats]
            assert len(seats) == len(set(seats))

    def ranked(self) -> list[Player]:
        """Return the entrants, best first: of groups all firsts, then all seconds."""
        kind = self.plan.kind
        if kind == "robin":
            ranked = [RobinTable(self, group).order() for group in self.groups()]
            overall = RobinTable(self, self.entrants).order()
            struck = RobinTable(self, self.entrants).struck
        else:
            key = self.knockout_key if kind.endswith("knockout") else self.double_key
            overall = sorted(self.entrants, key=key, reverse=True)
            ranked = [sorted(group, key=key, reverse=True) for group in self.groups()]
            struck = set()
        if len(ranked) == 1:
            return ranked[0]
        place = {player: number for group in ranked for number, player in enumerate(group)}
        return sorted(overall, key=lambda player: (player in struck, place[player], overall.index(player)))

    # -- eliminations -------------------------------------------------------------------------------------------------

    def best_of(self, drawn: Round) -> int:
        """Return the games of a match in a round."""
        parameters = self.twin.specification.parameters
        usual = parameters.best_of or 1
        if self.number > 1:
            usual = parameters.playoff_best_of or usual
        last = parameters.last_best_of
        places = {"knockout": len(drawn.slots), "double": len(drawn.players())}.get(self.plan.kind)
        return last if last and places is not None and places <= parameters.last_from else usual

    def match_winner(self, games: Sequence[Game], drawn: Round, gone: set[Player]) -> Player | None:
        """Return the winner of a match of an elimination; None if nobody came."""
        first, second = games[0].seats
        if cut_short(games, self.best_of(drawn), gone):
            return second if first in gone else first
        one, two = match_point(games, first, second), match_point(games, second, first)
        if not one and not two:
            return None
        if one != two:
            return first if one > two else second
        more = won_games(games, first) - won_games(games, second)
        return second if more < 0 else first

    def advances(self, drawn: Round, pair: Sequence[Player], gone: set[Player]) -> Player:
        """Return who advances from two neighbours of a bracket."""
        players = [player for player in pair if player != EMPTY_SLOT]
        games = [game for game in drawn.games if set(game.seats) == set(players)]
        winner = self.match_winner(games, drawn, gone) if games else None
        if winner is not None and (winner not in gone or gone >= set(players) or not is_level(games)):
            return winner
        with_bye = [player for player in players if player in drawn.byes]
        candidates = with_bye or sorted(players, key=lambda player: (player in gone, self.entrants.index(player)))
        return candidates[0] if candidates else EMPTY_SLOT

    def next_bracket(self) -> list[Player]:
        """Return the bracket after the newest round."""
        drawn = self.rounds[-1]
        pairs = list(pairwise(drawn.slots))[::2]
        return [self.advances(drawn, pair, self.twin.gone) for pair in pairs]

    def won_on_board(self, drawn: Round, player: Player) -> bool:
        """Return whether a player has won a match of a round on points, or of teams level by boards by games."""
        for games in drawn.matches():
            if player in games[0].seats:
                other = next(seat for seat in games[0].seats if seat != player)
                own = match_point(games, player, other), won_games(games, player)
                return own > (match_point(games, other, player), won_games(games, other))
        return False

    def knockout_key(self, player: Player) -> tuple[Any, ...]:
        """Return the value by which a knock-out ranks a player."""
        reached = 0
        brackets = [drawn.slots for drawn in self.rounds]
        if brackets and self.is_last_round():
            brackets.append(tuple(self.next_bracket()))
        for number, slots in enumerate(brackets):
            left = player in self.twin.gone and number and not self.won_on_board(self.rounds[number - 1], player)
            if player in slots and not left:
                reached = number + 1
        third = self.plan.third_place and self.third() == player
        return reached, third, player not in self.twin.gone, -self.entrants.index(player)

    def is_last_round(self) -> bool:
        """Return whether the newest round is the last one."""
        groups = len(self.groups()) if self.plan.kind == "group-knockout" else 1
        return len(self.rounds[-1].slots) == 2 * groups

    def third(self) -> Player | None:
        """Return the winner of the match for the third place."""
        drawn = self.rounds[-1] if self.rounds else None
        if drawn is None or len(drawn.slots) != 2:
            return None
        games = [game for game in drawn.games if not set(game.seats) & set(drawn.slots)]
        return self.advances(drawn, games[0].seats, self.twin.gone) if games else None

    def losses(self, player: Player) -> int:
        """Count the matches that a player has lost in a double elimination, with the rounds that they missed."""
        group = next(group for group in self.groups() if player in group)
        rounds = [drawn for drawn in self.rounds if drawn.players() & set(group)]
        count = 0
        for number, drawn in enumerate(rounds):
            gone = rounds[number + 1].gone_before if number + 1 < len(rounds) else self.twin.gone
            games = [game for game in drawn.games if player in game.seats]
            if games:
                match = [game for game in drawn.games if game.match == games[0].match]
                count += self.match_winner(match, drawn, set(gone)) != player
            else:
                count += player not in drawn.byes
        return min(count, 2)

    def double_key(self, player: Player) -> tuple[Any, ...]:
        """Return the value by which a double elimination ranks a player."""
        last = max((number for number, drawn in enumerate(self.rounds, 1) if player in drawn.players()), default=0)
        gone = player in self.twin.gone
        return last, -2 if gone else -self.losses(player), not gone, -self.entrants.index(player)


class RobinTable:
    """The table of a group or of all players of a round robin."""

    def __init__(self, stage: Stage, players: Sequence[Player]) -> None:
        self.stage, self.players = stage, list(players)
        self.struck = {player for player in stage.entrants if player in stage.twin.gone and self.left_early(player)}
        self.met: dict[Player, list[tuple[Player, list[Game]]]] = {player: [] for player in stage.entrants}
        self.byes = dict.fromkeys(stage.entrants, 0)
        self.missed = dict.fromkeys(stage.entrants, 0)
        for drawn in stage.rounds:
            self.add(drawn)
        for player in self.byes:
            self.byes[player] -= len(self.not_met_and_struck(player))

    def not_met_and_struck(self, player: Player) -> set[Player]:
        """Return who was struck out before their game against a player was drawn, so that the player had a bye."""
        group = next(group for group in self.stage.groups() if player in group)
        drawn = {frozenset(game.seats) for round_drawn in self.stage.rounds for game in round_drawn.games}
        late = self.stage.came_late
        if not self.byes[player] or player in late:
            return set()
        return {
            other for other in self.struck & set(group) - {player, *late} if frozenset({player, other}) not in drawn
        }

    def left_early(self, player: Player) -> bool:
        """Return whether a player left before half of the games drawn for them were played."""
        games = [game for drawn in self.stage.rounds for game in drawn.games if player in game.seats]
        played = [game for game in games if game.outcome and game.seats.index(player) not in game.outcome.out]
        return 2 * len(played) < len(games) or (not games and player in self.stage.came_late)

    def add(self, drawn: Round) -> None:
        """Enter a round."""
        seated: set[Player] = set()
        for games in drawn.matches():
            first, second = games[0].seats
            seated |= {first, second}
            if not self.struck & {first, second} and all(game.outcome for game in games):
                self.met[first].append((second, games))
                self.met[second].append((first, games))
        for player in self.stage.entrants:
            if player in drawn.byes:
                self.byes[player] += 1
            elif player not in seated and player not in drawn.resting:
                begun = self.met[player] or self.byes[player] or self.missed[player]
                self.missed[player] += bool(begun)

    def points(self, player: Player) -> Fraction:
        """Return match points, with those of byes."""
        bye = Fraction(1) if self.stage.twin.specification.parameters.bye == "win" else HALF
        earned = sum((match_point(games, player, other) for other, games in self.met[player]), Fraction(0))
        return earned + self.byes[player] * bye

    def worth(self, player: Player) -> Fraction:
        """Return the worth of a player as an opponent."""
        return self.points(player) + self.missed[player] * HALF

    def value(self, name: str, player: Player, level: Sequence[Player]) -> Any:
        """Return the value of a tie-break."""
        return getattr(self, f"by_{name}")(player, level)

    def by_points(self, player: Player, _: Sequence[Player]) -> Fraction:
        twin = self.stage.twin
        taken = [points for stage, one, points in twin.penalties if (stage, one) == (self.stage.number, player)]
        return self.points(player) - sum(taken, Fraction(0))

    def by_direct(self, player: Player, level: Sequence[Player]) -> Fraction:
        others = set(level)
        if any(others - {one} - {other for other, _ in self.met[one]} for one in level):
            return Fraction(0)
        points = (match_point(games, player, other) for other, games in self.met[player] if other in others)
        return sum(points, Fraction(0))

    def by_sonneborn(self, player: Player, _: Sequence[Player]) -> Fraction:
        bye = Fraction(1) if self.stage.twin.specification.parameters.bye == "win" else HALF
        taken = (self.worth(other) * match_point(games, player, other) for other, games in self.met[player])
        return sum(taken, Fraction(0)) + self.byes[player] * bye * self.points(player)

    def by_games(self, player: Player, _: Sequence[Player]) -> int:
        return sum(won_games(games, player) - won_games(games, other) for other, games in self.met[player])

    def by_wins(self, player: Player, _: Sequence[Player]) -> int:
        return sum(match_point(games, player, other) == 1 for other, games in self.met[player])

    def by_boards(self, player: Player, _: Sequence[Player]) -> Fraction:
        return sum((board_points(games, player, other) for other, games in self.met[player]), Fraction(0))

    def by_scores(self, player: Player, _: Sequence[Player]) -> int:
        return sum(self.difference(game, player) for _, games in self.met[player] for game in games)

    def by_buchholz(self, player: Player, _: Sequence[Player]) -> Fraction:
        worths = [self.worth(other) for other, _ in self.met[player]]
        worths += [self.points(player)] * self.byes[player] + [Fraction(0)] * self.missed[player]
        return sum(sorted(worths)[1:], Fraction(0))

    def by_counted(self, player: Player, _: Sequence[Player]) -> bool:
        return player not in self.struck

    def by_stayed(self, player: Player, _: Sequence[Player]) -> bool:
        return player not in self.stage.twin.gone

    def by_lot(self, player: Player, _: Sequence[Player]) -> int:
        return player_lot(self.stage.twin.specification.seed, player)

    def difference(self, game: Game, player: Player) -> int:
        """Return the difference of the scores of a game from which nobody withdrew."""
        assert game.outcome is not None
        if game.outcome.out:
            return 0
        own = game.seats.index(player)
        return game.outcome.scores[own] - game.outcome.scores[1 - own]

    def order(self) -> list[Player]:
        """Return the players, best first."""
        names = [*self.stage.plan.tie_breaks]
        if self.stage.twin.gone & set(self.stage.entrants):
            names = [*(["counted"] if self.struck else []), *names[:-1], "stayed", "lot"]
        return self.sorted(self.players, names)

    def sorted(self, level: Sequence[Player], names: Sequence[str]) -> list[Player]:
        """Return level players in the order of these tie-breaks."""
        if len(level) < 2 or not names:
            return list(level)
        values = {player: self.value(names[0], player, level) for player in level}
        parts = [[player for player in level if values[player] == value] for value in sorted(set(values.values()))]
        return [player for part in reversed(parts) for player in self.sorted(part, names[1:])]


class Twin:
    """An event, reckoned a second time."""

    def __init__(self, specification: Specification, plans: Sequence[Any]) -> None:
        self.specification, self.plans = specification, plans
        self.stages: list[Stage] = []
        self.gone: set[Player] = set()
        self.disqualified: set[Player] = set()
        self.penalties: list[tuple[int, Player, Fraction]] = []
        self.players = list(range(len(specification.entries)))

    def take(self, fact: Fact) -> None:
        """Compare what is due by the rules, then add a fact."""
        match fact:
            case StageBegun():
                assert list(fact.entrants) == self.expected_entrants()
                self.stages.append(Stage(self, fact.stage, fact.entrants))
            case RoundDrawn():
                self.check_round(self.stages[-1], fact)
                self.stages[-1].rounds.append(Round(fact, self.gone))
            case GamesAdded():
                self.stages[-1].rounds[fact.round - 1].games += map(Game, fact.tables)
            case Result() | Correction():
                self.stages[fact.stage - 1].rounds[fact.round - 1].games[fact.table - 1].outcome = fact.outcome
            case Withdrawal():
                self.gone.add(fact.player)
                self.disqualified |= {fact.player} if fact.reason == DISQUALIFIED else set()
            case StageEnded():
                self.check_end(self.stages[-1])
            case _:
                self.take_decision(fact)

    def take_decision(self, fact: Fact) -> None:
        """Add a decision of a player or an organiser."""
        match fact:
            case Penalty():
                self.penalties.append((fact.stage, fact.player, Fraction(fact.points)))
            case Rejoined():
                self.gone.discard(fact.player)
            case LateEntry():
                self.players.append(len(self.players))
                self.stages[-1].take_late(self.players[-1])
            case RoundUndone():
                self.stages[-1].rounds.pop()
            case _:
                assert isinstance(fact, Warned)

    def expected_entrants(self) -> list[Player]:
        """Return who plays the next stage: the first of each group who stayed, then the second of each, and so on."""
        if not self.stages:
            return [player for player in self.players if player not in self.gone]
        stage = self.stages[-1]
        order = [player for player in stage.ranked() if player not in self.gone]
        advance = self.specification.parameters.advance or 2
        places = [[player for player in order if player in group][:advance] for group in stage.groups()]
        chosen = [[players[place] for players in places if place < len(players)] for place in range(advance)]
        return [player for players in chosen for player in sorted(players, key=order.index)]

    # -- rounds -------------------------------------------------------------------------------------------------------

    def check_round(self, stage: Stage, fact: RoundDrawn) -> None:
        """Compare a round of an elimination with what has to be played."""
        kind = stage.plan.kind
        if kind.endswith("knockout"):
            self.check_bracket(stage, fact)
        elif kind.endswith("double"):
            self.check_double(stage, fact)
        if kind != "robin":
            best_of = stage.best_of(Round(fact, ()))
            boards_each = self.specification.parameters.boards if stage.plan.boards else 1
            for games in Round(fact, ()).matches():
                assert len(games) == boards_each * (best_of // 2 + 1)
                for group in boards(games):
                    begun = [game.seats[0] for game in group]
                    assert abs(begun.count(group[0].seats[0]) - begun.count(group[0].seats[1])) <= 1

    def check_bracket(self, stage: Stage, fact: RoundDrawn) -> None:
        """Compare the bracket, its pairs and its byes."""
        pairs = list(pairwise(fact.slots))[::2]
        if stage.rounds:
            assert list(fact.slots) == stage.next_bracket()
        else:
            self.check_first_bracket(stage, fact)
        met = {frozenset(table.seats) for table in fact.tables}
        expected = {frozenset(pair) for pair in pairs if EMPTY_SLOT not in pair and not self.gone & set(pair)}
        if stage.plan.third_place and len(fact.slots) == 2 and stage.rounds:
            losers = set(stage.rounds[-1].slots) - set(fact.slots) - {EMPTY_SLOT}
            if len(losers - self.gone) == 2:
                expected.add(frozenset(losers))
        assert met == expected
        alone = {player for pair in pairs for player in pair if frozenset(pair) not in met}
        assert set(fact.byes) == alone - self.gone - {EMPTY_SLOT}

    def check_first_bracket(self, stage: Stage, fact: RoundDrawn) -> None:
        """Check that the best have the byes, and can meet late alone; in groups each for itself."""
        before = self.stages[-2] if stage.number > 1 else None
        if stage.plan.kind == "group-knockout":
            groups, size = stage.groups(), len(fact.slots) // len(stage.groups())
            assert all(size >= len(group) for group in groups)
            for number, group in enumerate(groups):
                check_seeding(group, fact.slots[number * size : (number + 1) * size])
            return
        resting: list[Player] = []
        group_of = (
            {player: number for number, group in enumerate(before.groups()) for player in group} if before else {}
        )
        if stage.plan.firsts and before:
            resting = list({group_of[player]: player for player in reversed(stage.entrants)}.values())
        pairs = list(pairwise(fact.slots))[::2]
        if resting and len(stage.entrants) - len(resting) > 1:
            others = [player for player in stage.entrants if player not in resting]
            with_bye = {player for pair in pairs if EMPTY_SLOT in pair for player in pair} - {EMPTY_SLOT}
            assert with_bye == {*resting, *others[: len(others) % 2]}
        clashes = [
            pair for pair in pairs if EMPTY_SLOT not in pair and group_of and group_of[pair[0]] == group_of[pair[1]]
        ]
        crowd = [group_of[player] for pair in pairs if EMPTY_SLOT not in pair for player in pair] if group_of else []
        unavoidable = max((2 * crowd.count(group) - len(crowd) for group in set(crowd)), default=0)
        assert len(clashes) == max(0, unavoidable) // 2
        if not resting and not clashes and not group_of:
            check_seeding(stage.entrants, fact.slots)

    def check_double(self, stage: Stage, fact: RoundDrawn) -> None:
        """Check that those meet who have lost as often, and nobody plays with two losses."""
        for group in stage.groups():
            alive = [player for player in group if player not in self.gone and stage.losses(player) < 2]
            drawn = Round(fact, ())
            playing = drawn.players() & set(group)
            assert playing == (set(alive) if len(alive) > 1 else set())
            pairs = {games[0].seats for games in drawn.matches() if games[0].seats[0] in group}
            uneven = [pair for pair in pairs if stage.losses(pair[0]) != stage.losses(pair[1])]
            odd = sum(stage.losses(player) == 0 for player in alive) % 2
            both_odd = odd and sum(stage.losses(player) == 1 for player in alive) % 2
            assert len(uneven) == bool(both_odd and playing)

    def check_end(self, stage: Stage) -> None:
        """Check that an elimination has one player left, in each group, and who met whom in a round robin."""
        if stage.plan.kind == "robin":
            stage.check_whole_groups()
        for group in stage.groups() if stage.plan.kind.endswith("double") else ():
            assert sum(player not in self.gone and stage.losses(player) < 2 for player in group) <= 1

    def standings(self) -> list[Player]:
        """Return everybody, best first."""
        order: list[Player] = []
        for stage in reversed(self.stages):
            order += [player for player in stage.ranked() if player not in order]
        rest = [player for player in self.players if player not in order]
        order += sorted(rest, key=lambda player: player in self.gone)
        return sorted(order, key=lambda player: player in self.disqualified)


def check_seeding(players: Sequence[Player], slots: Sequence[Player]) -> None:
    """Check that of each size of bracket the best are in different parts, and the best have the byes."""
    places = {player: slots.index(player) for player in players}
    size = len(slots)
    for count in (2**power for power in range(1, size.bit_length())):
        parts = [places[player] // (size // count) for player in players[:count]]
        assert len(set(parts)) == len(parts)
    byes = [player for player in players if slots[places[player] ^ 1] == EMPTY_SLOT]
    assert byes == list(players[: len(byes)])
