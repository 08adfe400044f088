"""The course of an event (a tournament or a league), computed from its log of facts.

A *fact* is something that has happened: a round was drawn, a game has a result, a player has withdrawn. The state of an
event and its standings are pure functions of its specification and its facts, so :class:`EventFold` applies one fact
after the other. A fact is *due* if the rules demand it without anyone's decision, such as the next round once all games
have ended. A caller adds due facts until none is left, and then waits for results:

>>> event = replay(specification, stored_facts)
>>> for fact in advance(event):
...     store(fact)

After the same facts every process finds the same fact due, and adding it a second time raises an error. So processes
that share a database cannot diverge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import singledispatchmethod
from typing import Final

from tournaments import facts
from tournaments.duels.matches import games_needed
from tournaments.errors import EventRuleError
from tournaments.formats import format_named
from tournaments.points import Outcome
from tournaments.ranking import Line, renumbered
from tournaments.specification import Entry, Specification
from tournaments.stages import STAGE_KINDS
from tournaments.stages.base import PLAYED
from tournaments.stages.robin import joinable_group
from tournaments.stages.season import due_in_season, reason_not_to_count
from tournaments.states import ELIMINATIONS, ROBIN, SEASON, RoundState, StageContext, StageState
from tournaments.weeks import promised_weeks


class EventFold:
    """The state of an event after the facts that were applied to it.

    :meth:`apply` either checks a fact and adds it, or raises EventRuleError and changes nothing. Stages, rounds and
    tables are counted from 1; players are numbers of entries, from 0.
    """

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        event_format, entry_count = format_named(specification.format), len(specification.entries)
        self.plans = event_format.stages(entry_count, specification.parameters, specification.rules)
        self.facts: list[facts.Fact] = []
        self.entries: list[Entry] = list(specification.entries)
        self.stages: list[StageState] = []
        self.gone: set[int] = set()
        self.disqualified: set[int] = set()
        self.extended: dict[tuple[int, int], int] = {}
        """The days by which a deadline was moved, by stage and round."""
        self.persons: list[list[tuple[int, str]]] = [[(0, entry.key)] for entry in self.entries]
        """The keys of the persons who played for each entry, each with the number of facts before the change."""
        self.line_ups: dict[tuple[int, int, int], tuple[str, ...]] = {}
        """The keys of a line-up's members, by stage, round and team."""
        self.decided: dict[tuple[int, int, int], int] = {}
        """The number of facts before a result, by stage, round and table."""
        self.exchanges: list[tuple[int, int]] = []
        """The pairs of players to be exchanged in the round that is due."""
        self.penalties: dict[tuple[int, int], Fraction] = {}
        """The points that organisers took, by stage and player."""
        self.warnings: Counter[int] = Counter()
        """The number of warnings, by player."""
        self.season_games: list[str] = []
        """The keys of the games of a season of the ladder, by table."""

    @property
    def promised_weeks(self) -> int:
        """The most weeks that the event takes, as promised on its card."""
        return promised_weeks(self.plans, len(self.specification.entries)) + self.late_weeks

    @property
    def late_weeks(self) -> int:
        """The weeks by which late entrants of groups may make the event longer: their games begin later."""
        return sum(state.plan.weeks for state in self.stages if state.group_joined)

    @property
    def stage(self) -> StageState | None:
        """The stage that is being played; None before the first, between stages and at the end."""
        return self.stages[-1] if self.stages and not self.stages[-1].ended else None

    @property
    def finished(self) -> bool:
        """True if nothing is left to play."""
        return len(self.stages) == len(self.plans) and self.stage is None

    def context(self, state: StageState) -> StageContext:
        """Return the input of a stage's rules."""
        parameters, seed = self.specification.parameters, self.specification.seed
        penalties = {player: points for (stage, player), points in self.penalties.items() if stage == state.number}
        gone = frozenset(self.gone)
        return StageContext(state, parameters, tuple(self.entries), seed, gone, self._groups(state), penalties)

    def _groups(self, state: StageState) -> dict[int, int]:
        """Return the group of each player in the previous stage; empty if it had no groups."""
        if state.number < 2 or not self.plans[state.number - 2].divided:
            return {}
        pools = self.stages[state.number - 2].pools()
        return {player: number for number, pool in enumerate(pools) for player in pool}

    def outcome(self, stage: int, number: int, table: int) -> Outcome | None:
        """Return the result of a game; None while it is undecided."""
        drawn = self.round(stage, number)
        if not 1 <= table <= len(drawn.tables):
            raise EventRuleError("no-such-table", stage=stage, round=number, table=table)
        return drawn.outcomes[table - 1]

    def round(self, stage: int, number: int) -> RoundState:
        """Return a drawn round; stage and number are counted from 1."""
        if not 1 <= stage <= len(self.stages) or not 1 <= number <= len(self.stages[stage - 1].rounds):
            raise EventRuleError("no-such-round", stage=stage, round=number)
        return self.stages[stage - 1].rounds[number - 1]

    def is_original_player(self, player: int, fact_count: int) -> bool:
        """Return whether the original player still played for an entry after that many facts."""
        return sum(count_before <= fact_count for count_before, _ in self.persons[player]) == 1

    def member(self, stage: int, number: int, team: int, board: int) -> str:
        """Return the key of a team's member at a board; empty if the line-up is missing or leaves the board empty."""
        members = self.line_ups.get((stage, number, team), ())
        return members[board - 1] if len(members) >= board else ""

    def apply(self, fact: facts.Fact) -> None:
        """Check a fact, and add it to the log.

        Raises:
            EventRuleError: the rules do not allow it now; nothing has changed.
        """
        self._apply(fact)
        self.facts.append(fact)
        if not isinstance(fact, KEEPING_EXCHANGES):
            self.exchanges.clear()

    def copy(self) -> EventFold:
        """Return a copy to which facts can be added without changing this one; immutable parts are shared."""
        copied = EventFold.__new__(EventFold)
        copied.specification, copied.plans = self.specification, self.plans
        copied.facts, copied.entries = list(self.facts), list(self.entries)
        copied.stages = [state.copy() for state in self.stages]
        copied.gone, copied.disqualified = set(self.gone), set(self.disqualified)
        copied.extended, copied.decided, copied.line_ups = dict(self.extended), dict(self.decided), dict(self.line_ups)
        copied.persons = [list(persons) for persons in self.persons]
        copied.exchanges, copied.penalties = list(self.exchanges), dict(self.penalties)
        copied.warnings, copied.season_games = Counter(self.warnings), list(self.season_games)
        return copied

    # -- each fact ----------------------------------------------------------------------------------------------------

    @singledispatchmethod
    def _apply(self, fact: facts.Fact) -> None:
        """Apply a fact by the function below that is registered for its type."""
        raise EventRuleError("unknown-fact", fact=fact)

    @_apply.register
    def _(self, fact: facts.StageBegun) -> None:
        """Begin the next stage."""
        if self.stage is not None or fact.stage != len(self.stages) + 1 or fact.stage > len(self.plans):
            raise EventRuleError("stage-not-due", stage=fact.stage)
        self.stages.append(StageState(fact.stage, self.plans[fact.stage - 1], list(fact.entrants)))

    @_apply.register
    def _(self, fact: facts.RoundDrawn) -> None:
        """Add a drawn round to the present stage."""
        state = self._running_stage(fact.stage)
        if fact.round != len(state.rounds) + 1:
            raise EventRuleError("round-already-drawn", stage=fact.stage, round=fact.round)
        active = tuple(player for player in state.entrants if player not in self.gone)
        tables = list(fact.tables)
        games: list[Outcome | None] = [None] * len(tables)
        drawn = RoundState(fact.round, tables, active, fact.byes, fact.slots, fact.reasons, games, fact.resting)
        state.rounds.append(drawn)

    @_apply.register
    def _(self, fact: facts.GamesAdded) -> None:
        """Add the deciding games of undecided matches to a round."""
        drawn = self.round(self._running_stage(fact.stage).number, fact.round)
        contests = {(table.match, table.board) for table in drawn.tables}
        best_of = self.plans[fact.stage - 1].games_of_match(drawn.places)
        for table in fact.tables:
            games = sum((game.match, game.board) == (table.match, table.board) for game in drawn.tables)
            if (table.match, table.board) not in contests or games + 1 > best_of:
                raise EventRuleError("games-already-added", stage=fact.stage, round=fact.round, match=table.match)
        drawn.tables += fact.tables
        drawn.outcomes += [None] * len(fact.tables)

    @_apply.register
    def _(self, fact: facts.RoundUndone) -> None:
        """Remove the newest round, of which no game may have a result."""
        state = self._running_stage(fact.stage)
        undrawable = state.plan.kind == SEASON or not state.rounds or state.rounds[-1].number != fact.round
        if undrawable or any(state.rounds[-1].outcomes):
            raise EventRuleError("round-has-results", stage=fact.stage, round=fact.round)
        state.rounds.pop()
        state.undone += 1

    @_apply.register
    def _(self, fact: facts.StageEnded) -> None:
        """End the present stage, of which all games must have ended."""
        state = self._running_stage(fact.stage)
        if not state.decided:
            raise EventRuleError("games-running", stage=fact.stage)
        state.ended = fact.reason

    @_apply.register
    def _(self, fact: facts.Result) -> None:
        """Store the result of a game that has none yet."""
        if self.outcome(fact.stage, fact.round, fact.table) is not None:
            raise EventRuleError("result-known", stage=fact.stage, round=fact.round, table=fact.table)
        self._set_outcome(fact)
        self.decided[fact.stage, fact.round, fact.table] = len(self.facts)

    @_apply.register
    def _(self, fact: facts.Correction) -> None:
        """Replace the result of a game."""
        if self.outcome(fact.stage, fact.round, fact.table) is None:
            raise EventRuleError("game-running", stage=fact.stage, round=fact.round, table=fact.table)
        self._set_outcome(fact)

    @_apply.register
    def _(self, fact: facts.Withdrawal) -> None:
        """Let a player leave the event."""
        self._require_player(fact.player)
        if fact.player in self.gone:
            raise EventRuleError("already-withdrawn", player=fact.player)
        self.gone.add(fact.player)
        if fact.reason == facts.DISQUALIFIED:
            self.disqualified.add(fact.player)

    @_apply.register
    def _(self, fact: facts.Rejoined) -> None:
        """Let a player return who has left, unless they were disqualified."""
        if fact.player not in self.gone - self.disqualified:
            raise EventRuleError("not-withdrawn", player=fact.player)
        self.gone.remove(fact.player)

    @_apply.register
    def _(self, fact: facts.LateEntry) -> None:
        """Add an entry to the first stage."""
        state = self.stage
        if state is None or not takes_late_entries(self):
            raise EventRuleError("sign-up-closed", key=fact.entry.key)
        if any(fact.entry.key == key for persons in self.persons for _, key in persons):
            raise EventRuleError("already-entered", key=fact.entry.key)
        group = joinable_group(self.context(state)) if state.plan.kind == ROBIN else None
        if group is not None:
            state.group_joined[len(self.entries)] = group
        state.entrants.append(len(self.entries))
        state.joined[len(self.entries)] = len(state.rounds)
        self.entries.append(fact.entry)
        self.persons.append([(len(self.facts), fact.entry.key)])

    @_apply.register
    def _(self, fact: facts.EntrySubstitution) -> None:
        """Let another person play for an entry from now on."""
        self._require_player(fact.player)
        self.persons[fact.player].append((len(self.facts), fact.key))

    @_apply.register
    def _(self, fact: facts.DeadlineExtended) -> None:
        """Extend a round's deadline, once."""
        self.round(fact.stage, fact.round)
        if (fact.stage, fact.round) in self.extended:
            raise EventRuleError("already-extended", stage=fact.stage, round=fact.round)
        self.extended[fact.stage, fact.round] = fact.days

    @_apply.register
    def _(self, fact: facts.LineUp) -> None:
        """Store the line-up of a team; boards whose game has a result must keep their players."""
        self._require_player(fact.team)
        for table, outcome in zip(self.round(fact.stage, fact.round).tables, self._outcomes(fact), strict=True):
            unchanged = self._is_unchanged(fact, table.board)
            if fact.team in table.seats and outcome is not None and unchanged is False:
                raise EventRuleError("board-decided", team=fact.team, board=table.board)
        self.line_ups[fact.stage, fact.round, fact.team] = fact.members

    @_apply.register
    def _(self, fact: facts.SeatExchange) -> None:
        """Note two players to be exchanged in the next round; :func:`seat_exchange` checks what that round is."""
        state = self._running_stage(fact.stage)
        if fact.round != len(state.rounds) + 1 or not state.decided:
            raise EventRuleError("no-round-due", stage=fact.stage, round=fact.round)
        self._require_player(fact.player)
        self._require_player(fact.other)
        self.exchanges.append((fact.player, fact.other))

    @_apply.register
    def _(self, fact: facts.Penalty) -> None:
        """Take points from a player, in a stage that is ranked by points."""
        if not 1 <= fact.stage <= len(self.stages) or self.plans[fact.stage - 1].kind in ELIMINATIONS:
            raise EventRuleError("no-points", stage=fact.stage)
        if fact.player not in self.stages[fact.stage - 1].entrants:
            raise EventRuleError("no-such-player", player=fact.player)
        points = penalty_points(fact.points)
        self.penalties[fact.stage, fact.player] = self.penalties.get((fact.stage, fact.player), Fraction(0)) + points

    @_apply.register
    def _(self, fact: facts.Warned) -> None:
        """Count a warning."""
        self._require_player(fact.player)
        self.warnings[fact.player] += 1

    @_apply.register
    def _(self, fact: facts.SeasonGame) -> None:
        """Enter a game that has begun into a season of the ladder, if it counts."""
        state = self._running_stage(fact.stage)
        if state.plan.kind != SEASON or not state.rounds:
            raise EventRuleError("stage-not-running", stage=fact.stage)
        if fact.game in self.season_games:
            raise EventRuleError("games-already-added", stage=fact.stage, game=fact.game)
        reason = reason_not_to_count(self.context(state), fact.seats)
        if reason:
            raise EventRuleError(reason, game=fact.game)
        drawn = state.rounds[0]
        drawn.tables.append(facts.DrawnTable(len(drawn.tables) + 1, fact.seats))
        drawn.outcomes.append(None)
        self.season_games.append(fact.game)

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _running_stage(self, stage: int) -> StageState:
        """Return the present stage, if it is the one with this number."""
        if self.stage is None or self.stage.number != stage:
            raise EventRuleError("stage-not-running", stage=stage)
        return self.stage

    def _set_outcome(self, fact: facts.Result | facts.Correction) -> None:
        """Store the result of a table, whose seats it has to fit."""
        drawn = self.round(fact.stage, fact.round)
        seats = drawn.tables[fact.table - 1].seats
        if len(fact.outcome.scores) != len(seats):
            raise EventRuleError("seats-differ", seats=len(seats), scores=len(fact.outcome.scores))
        drawn.outcomes[fact.table - 1] = fact.outcome

    def _outcomes(self, fact: facts.LineUp) -> list[Outcome | None]:
        """Return the results of the round of a line-up, by table."""
        return self.round(fact.stage, fact.round).outcomes

    def _is_unchanged(self, fact: facts.LineUp, board: int) -> bool | None:
        """Return whether a line-up keeps the member at a board; None if there was no line-up before."""
        before = self.line_ups.get((fact.stage, fact.round, fact.team))
        if before is None or not 1 <= board <= min(len(before), len(fact.members)):
            return None
        return before[board - 1] == fact.members[board - 1]

    def _require_player(self, player: int) -> None:
        """Check that there is an entry with this number."""
        if not 0 <= player < len(self.entries):
            raise EventRuleError("no-such-player", player=player)


def takes_late_entries(event: EventFold) -> bool:
    """Return whether an event can be entered late: in its first stage, while rounds are to be drawn or a season lasts.

    Groups that play a round robin have a rule of their own (:func:`joinable_group`). Brackets and schedules can't be
    entered: their rounds are fixed with their players.
    """
    state = event.stage
    if state is None or state.number != 1 or not state.plan.late:
        return False
    if state.plan.kind == ROBIN:
        return joinable_group(event.context(state)) is not None
    return state.plan.kind == SEASON or len(state.rounds) < state.plan.rounds


KEEPING_EXCHANGES: Final = (
    facts.SeatExchange,
    facts.Penalty,
    facts.Warned,
    facts.EntrySubstitution,
    facts.DeadlineExtended,
    facts.LineUp,
)
"""The kinds of facts that do not change the round that is due, so that exchanges in it stay."""
MAX_PENALTY: Final = 100
"""The most points that one penalty takes."""


def penalty_points(text: str) -> Fraction:
    """Read the points of a penalty: whole or half ones, such as ``1``, ``1/2`` or ``2.5``.

    Raises:
        EventRuleError: ``bad-penalty``.
    """
    try:
        points = Fraction(text)
    except (ValueError, ZeroDivisionError):
        points = Fraction(0)
    if not 0 < points <= MAX_PENALTY or points.denominator > 2:
        raise EventRuleError("bad-penalty", points=text)
    return points


def replay(specification: Specification, facts: Iterable[facts.Fact]) -> EventFold:
    """Return the event after these facts.

    Raises:
        EventRuleError: a fact is not possible after those before it.
    """
    event = EventFold(specification)
    for fact in facts:
        event.apply(fact)
    return event


def due(event: EventFold) -> facts.Fact | None:
    """Return the fact that is due; None while games are played and at the end.

    A season of the ladder lasts until somebody with a clock ends its stage.
    """
    state = event.stage
    if state is None:
        return None if event.finished else _next_stage(event)
    if state.plan.kind == SEASON and state.rounds:
        return due_in_season(event.context(state))
    added = _games_added(event, state)
    if added is not None:
        return added
    fact = _next_round(event.context(state))
    return exchanged(fact, event.exchanges) if isinstance(fact, facts.RoundDrawn) else fact


def exchanged(drawn: facts.RoundDrawn, pairs: Iterable[tuple[int, int]]) -> facts.RoundDrawn:
    """Return a round in which the players of each pair have changed places, in all games of their matches."""
    for player, other in pairs:
        places = {player: other, other: player}
        drawn = replace(
            drawn,
            tables=tuple(replace(table, seats=_renumbered(table.seats, places)) for table in drawn.tables),
            byes=_renumbered(drawn.byes, places),
            slots=_renumbered(drawn.slots, places),
            resting=_renumbered(drawn.resting, places),
        )
    return drawn


def _renumbered(players: Iterable[int], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places.get(player, player) for player in players)


def advance(event: EventFold) -> Iterator[facts.Fact]:
    """Apply all due facts and yield each."""
    while (fact := due(event)) is not None:
        event.apply(fact)
        yield fact


def standings(event: EventFold) -> list[Line]:
    """Return all entries, best first: players of the last stage by its ranking, then those eliminated before it.

    Disqualified players are behind all others.
    """
    lines: list[Line] = []
    ranked: set[int] = set()
    for state in reversed(event.stages):
        ranking = stage_ranking(event, state)
        lines += [line for line in ranking if line.player not in ranked]
        ranked |= {line.player for line in ranking}
    unranked = [Line(player, 0, 0, ()) for player in range(len(event.entries)) if player not in ranked]
    if event.specification.rules > 2:
        unranked.sort(key=lambda line: line.player in event.gone)
    return renumbered(sorted([*lines, *unranked], key=lambda line: line.player in event.disqualified))


def stage_ranking(event: EventFold, state: StageState) -> list[Line]:
    """Return the entrants of a stage, best first."""
    return STAGE_KINDS[state.plan.kind].ranking(event.context(state))


def _next_stage(event: EventFold) -> facts.StageBegun:
    """Return the beginning of the next stage, for the best players who have not left, as many as it admits."""
    return facts.StageBegun(len(event.stages) + 1, tuple(_next_entrants(event)))


def advancing(event: EventFold, state: StageState) -> list[int]:
    """Return the players of a stage who play the next one; as things stand, as long as that has not begun."""
    if state.number >= len(event.plans):
        return []
    return event.stages[state.number].entrants if state.number < len(event.stages) else _next_entrants(event)


def _next_entrants(event: EventFold) -> list[int]:
    """Return the players for the stage that follows the newest one, best first."""
    plan = event.plans[len(event.stages)]
    candidates = [line.player for line in standings(event)] if event.stages else list(range(len(event.entries)))
    present = [player for player in candidates if player not in event.gone]
    if event.stages and event.stages[-1].plan.advance and event.specification.rules > 3:
        return _best_of_groups(event.stages[-1], present)
    return present[: plan.size] if plan.size else present


def _best_of_groups(state: StageState, present: list[int]) -> list[int]:
    """Return the players who advance from the groups of a stage: first the best of each, then the second of each.

    ``present`` holds all players who have not left, best first.
    """
    group = {player: number for number, pool in enumerate(state.pools()) for player in pool}
    taken = dict.fromkeys(group.values(), 0)
    by_place: list[list[int]] = [[] for _ in range(state.plan.advance)]
    for player in present:
        place = taken[group[player]] if player in group else state.plan.advance
        if place < state.plan.advance:
            taken[group[player]] += 1
            by_place[place].append(player)
    return [player for players in by_place for player in players]


def _games_added(event: EventFold, state: StageState) -> facts.GamesAdded | None:
    """Return the deciding games that are due in the rounds that are open; None if there are none."""
    if max(state.plan.best_of, state.plan.last_best_of) < 2:
        return None
    for drawn in state.rounds[_block_start(state) :]:
        tables = games_needed(state, drawn, event.gone)
        if tables:
            return facts.GamesAdded(state.number, drawn.number, tables)
    return None


def _block_start(state: StageState) -> int:
    """Return the index of the first round of the current block, the rounds that are open together.

    Matches of earlier blocks are over: a correction there adds no games.
    """
    together = state.plan.together
    return (len(state.rounds) - 1) // together * together if together and state.rounds else 0


def _next_round(context: StageContext) -> facts.Fact | None:
    """Return the next round or the end of the stage; None while a round of an earlier block is being played."""
    state = context.state
    kind = STAGE_KINDS[state.plan.kind]
    rounds, drawn_count = kind.rounds(context), len(state.rounds)
    all_drawn = bool(rounds) and drawn_count >= rounds
    together = state.plan.together or max(rounds, 1)
    if (all_drawn or drawn_count % together == 0) and not state.decided:
        return None
    if all_drawn or (not rounds and not state.entrants):
        return facts.StageEnded(state.number, PLAYED)
    fact = kind.draw(context)
    if isinstance(fact, facts.StageEnded) and not state.decided:
        return None
    return fact
