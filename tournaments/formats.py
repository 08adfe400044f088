"""Formats of events by name: the numbers of players that they accept, their stages, and their guarantees.

A *format*, such as ``duel-swiss-knockout``, has a planner: a function that turns the number of players and the
organiser's parameters into the stages of the event. A *profile* is a format with default parameters for a typical
event, all of which the organiser may change.

Stages are combined by parameters: groups of a chosen size or number, which play a round robin or by elimination, send
their best to a knock-out or a double elimination; so do Swiss rounds. The formats of teams are those of duels, with
boards.

>>> format_named("duel-knockout").stages(16, Parameters(best_of=3))
>>> format_named("team-groups").stages(24, Parameters(pool=6, third_place=True))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, log2
from typing import Final

from tournaments.errors import EventRuleError
from tournaments.points import SCHEMES, TieRule
from tournaments.ranking import (
    ROBIN_TIE_BREAKS,
    SEASON_TIE_BREAKS,
    SWISS_TIE_BREAKS,
    TABLE_TIE_BREAKS,
    TEAM_TIE_BREAKS,
    normalised_tie_breaks,
)
from tournaments.specification import EVENT_RULES, Parameters
from tournaments.states import ELIMINATIONS, ROBIN, SEASON, StagePlan, groups_of
from tournaments.tables.field import final_stage_sizes, preliminary_rounds
from tournaments.weeks import game_weeks

Planner = Callable[[int, Parameters], tuple[StagePlan, ...]]
"""Returns the stages for a number of players."""


MATCH_LENGTHS: Final = (0, 1, 3, 5)
"""The numbers of games that a match may have; 0 for the usual one."""
LAST_ROUNDS: Final = (2, 4, 8, 16, 32)
"""The numbers of places of the round from which matches may have another length."""


USUAL_PLAYERS: Final = 16
USUAL_TEAMS: Final = 8
USUAL_GROUPS: Final = 4
USUAL_DIVISIONS: Final = 2
"""The usual numbers of entries of an event, and of its groups or divisions, by which it is described as an example."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of events.

    ``least`` and ``most`` limit the number of entries (players or teams). ``invariants`` names the guarantees that
    every event of the format keeps; tests check them.
    """

    name: str
    least: int
    most: int
    plan: Planner
    invariants: tuple[str, ...]
    late: bool = False
    """True if players may enter after the event has begun."""
    teams: bool = False
    """True if the entries are teams."""
    seasons: bool = False
    """True if the divisions of one event can follow from those of an earlier one."""

    def stages(self, players: int, parameters: Parameters, rules: int = EVENT_RULES) -> tuple[StagePlan, ...]:
        """Return the stages for a number of players, by these rules.

        Raises:
            EventRuleError: the number of players or a parameter is out of range.
        """
        if players < self.least:
            raise EventRuleError("too-few", players=players, least=self.least)
        if players > self.most:
            raise EventRuleError("too-many", players=players, most=self.most)
        if parameters.points not in SCHEMES:
            raise EventRuleError("unknown-points", name=parameters.points)
        for games in (parameters.best_of, parameters.playoff_best_of, parameters.last_best_of):
            if games not in MATCH_LENGTHS:
                raise EventRuleError("best-of", games=games)
        numbers = (parameters.rounds, parameters.pool, parameters.advance, parameters.groups, parameters.meetings)
        if min(numbers) < 0 or parameters.boards < 1:
            raise EventRuleError("negative-parameter")
        if parameters.last_from not in LAST_ROUNDS:
            raise EventRuleError("last-from", places=parameters.last_from)
        if parameters.season_weeks and not SEASON_WEEK_LIMITS[0] <= parameters.season_weeks <= SEASON_WEEK_LIMITS[1]:
            raise EventRuleError("season-weeks", least=SEASON_WEEK_LIMITS[0], most=SEASON_WEEK_LIMITS[1])
        if 0 < parameters.pool < 3:
            raise EventRuleError("pool-too-small", pool=parameters.pool, least=3)
        return tuple(_by_rules(plan, rules) for plan in self.plan(players, parameters))

    def usual_entries(self, parameters: Parameters) -> int:
        """Return a usual number of entries, for examples of what the format is like; the least says little.

        Groups and divisions are complete in it.

        Raises:
            EventRuleError: a parameter is out of range.
        """
        first, *_ = self.stages(self.least, parameters)
        number = USUAL_TEAMS if self.teams else USUAL_PLAYERS
        if first.divided:
            number = first.pool * (first.groups or (USUAL_DIVISIONS if first.divisions else USUAL_GROUPS))
        return min(max(number, self.least), self.most)


def _by_rules(plan: StagePlan, rules: int) -> StagePlan:
    """Return a stage by a version of the rules for events.

    Before the fifth, groups took no late entrants, and all matches of a double elimination had as many games.
    """
    if rules < 5 and plan.kind == ROBIN:
        plan = replace(plan, late=False)
    elif rules < 5 and plan.kind == "double":
        plan = replace(plan, last_best_of=0, last_from=0)
    return replace(plan, rules=rules)


# -- tables -----------------------------------------------------------------------------------------------------------


def _table_stage(name: str, kind: str, parameters: Parameters) -> StagePlan:
    """Return a stage of games at tables, with the organiser's points, tie-breaks and pace."""
    return StagePlan(
        name,
        kind,
        points=parameters.points,
        ties="split",
        tie_breaks=normalised_tie_breaks(parameters.tie_breaks or TABLE_TIE_BREAKS),
        weeks=game_weeks(parameters.pace, duel=False),
    )


def _finals(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    """Return the semi-finals and the final after preliminary rounds; none in a small field."""
    if parameters.final == "none":
        return ()
    names = {4: "final", 16: "semi-finals"}
    ties: TieRule = "later-seat" if parameters.final == "one-game" else "split"
    return tuple(
        replace(_table_stage(names[size], "final", parameters), size=size, ties=ties, tie_breaks=("points", "seed"))
        for size in final_stage_sizes(players)
    )


def _tables(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    """Return preliminary rounds that are all scheduled at the start, and the finals."""
    rounds = parameters.rounds or preliminary_rounds(players)
    preliminary = replace(_table_stage("preliminary", "tables", parameters), rounds=rounds, together=0)
    return (preliminary, *_finals(players, parameters))


def _swiss_tables(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    """Return preliminary rounds that are drawn one by one from the standings, and the finals."""
    rounds = parameters.rounds or preliminary_rounds(players)
    late = parameters.late != "closed"
    preliminary = replace(_table_stage("preliminary", "tables", parameters), rounds=rounds, late=late)
    return (preliminary, *_finals(players, parameters))


def _league(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    return (replace(_table_stage("league", "pools", parameters), pool=parameters.pool or 13, divisions=True),)


# -- duels ------------------------------------------------------------------------------------------------------------


def _duel_stage(
    name: str, kind: str, parameters: Parameters, default_tie_breaks: tuple[str, ...] = SWISS_TIE_BREAKS
) -> StagePlan:
    """Return a stage of duels, with the organiser's length of matches, tie-breaks and pace."""
    return StagePlan(
        name,
        kind,
        best_of=parameters.best_of or 1,
        tie_breaks=normalised_tie_breaks(parameters.tie_breaks or default_tie_breaks),
        weeks=game_weeks(parameters.pace, duel=True),
    )


def swiss_rounds(players: int) -> int:
    """Return the rounds of a Swiss without a knock-out.

    They suffice to leave a single unbeaten player, plus one, but never exceed the number of opponents.
    """
    return max(1, min(ceil(log2(players)) + 1, players - 1 - (players % 2 == 0)))


def swiss_cut(players: int) -> tuple[int, int]:
    """Return the rounds of the Swiss before a knock-out and the number of players who advance.

    (0, 0) stands for small fields, which play a round robin instead.
    """
    for most, rounds, cut in ((6, 0, 0), (8, 3, 4), (16, 4, 4), (32, 5, 8), (64, 6, 8), (128, 7, 16)):
        if players <= most:
            return rounds, cut
    return 8, 16


def _duel_swiss(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    return (_swiss(parameters, parameters.rounds or swiss_rounds(players)),)


def _swiss(parameters: Parameters, rounds: int) -> StagePlan:
    stage = _duel_stage("swiss", "swiss", parameters)
    return replace(stage, rounds=rounds, late=parameters.late != "closed", accelerated=parameters.accelerated)


def _duel_round_robin(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    return (replace(_duel_stage("round-robin", ROBIN, parameters, ROBIN_TIE_BREAKS), together=3),)


def _duel_groups(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    """Return groups, and the stage of the best of each group."""
    size, advance = parameters.pool or 4, parameters.advance or 2
    count = groups_of(players, size, parameters.groups)
    kind = ROBIN if parameters.group_play == ROBIN else f"group-{parameters.group_play}"
    groups = replace(
        _duel_stage("groups", kind, parameters, ROBIN_TIE_BREAKS),
        together=0 if kind == ROBIN else 1,
        pool=size,
        groups=parameters.groups,
        advance=advance,
        late=kind == ROBIN and parameters.late != "closed",
    )
    firsts = count if parameters.first_byes and advance > 1 and count > 1 else 0
    return groups, replace(_playoff(parameters), size=min(count * advance, players), firsts=firsts)


def _playoff(parameters: Parameters) -> StagePlan:
    """Return the knock-out or double elimination for the players who advance."""
    best_of = parameters.playoff_best_of or parameters.best_of
    stage = _double_elimination if parameters.playoff == "double" else _knockout
    return stage(replace(parameters, best_of=best_of))


def _knockout(parameters: Parameters) -> StagePlan:
    """Return a knock-out, with its third place."""
    return replace(_elimination("knock-out", "knockout", parameters), third_place=parameters.third_place)


def _double_elimination(parameters: Parameters) -> StagePlan:
    """Return a double elimination."""
    return _elimination("double-elimination", "double", parameters)


def _elimination(name: str, kind: str, parameters: Parameters) -> StagePlan:
    """Return a stage by elimination, with the length of its last matches."""
    return replace(
        _duel_stage(name, kind, parameters),
        last_best_of=parameters.last_best_of,
        last_from=parameters.last_from if parameters.last_best_of else 0,
    )


def _duel_knockout(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    return (_knockout(parameters),)


def _duel_double(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    return (_double_elimination(parameters),)


def _duel_swiss_knockout(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    """Return Swiss rounds and a knock-out of the best; a small field plays a round robin instead."""
    rounds, cut = swiss_cut(players)
    if not rounds:
        return _duel_round_robin(players, parameters)
    playoff = replace(_playoff(parameters), size=parameters.advance or cut)
    return _swiss(parameters, parameters.rounds or rounds), playoff


def _duel_league(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    stage = _duel_stage("league", ROBIN, parameters, ROBIN_TIE_BREAKS)
    return (replace(stage, together=0, pool=parameters.pool or 6, divisions=True),)


SEASON_FORMAT: Final = "duel-season"
"""The format of seasons of the ladder."""
SEASON_WEEKS: Final = 13
"""The usual length of a season of the ladder: three months."""
SEASON_WEEK_LIMITS: Final = (4, 52)
"""The shortest and the longest season of the ladder, in weeks."""
SEASON_MEETINGS: Final = 3
"""The usual number of games against the same opponent that count in a season of the ladder."""


def _duel_season(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    stage = _duel_stage("season", SEASON, replace(parameters, best_of=1), SEASON_TIE_BREAKS)
    return (
        replace(
            stage,
            rounds=1,
            pool=parameters.pool or 8,
            divisions=True,
            meetings=parameters.meetings or SEASON_MEETINGS,
            weeks=parameters.season_weeks or SEASON_WEEKS,
            late=parameters.late != "closed",
        ),
    )


# -- teams ------------------------------------------------------------------------------------------------------------


def _of_teams(planner: Planner) -> Planner:
    """Return a planner of duels for teams: every match is one of boards, and no team enters late."""

    def plan(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
        tie_breaks = normalised_tie_breaks(parameters.tie_breaks or TEAM_TIE_BREAKS)
        return tuple(
            replace(
                stage,
                boards=parameters.boards,
                tie_breaks=tie_breaks,
                late=False,
                together=stage.together if stage.kind in ELIMINATIONS else 1,
            )
            for stage in planner(players, parameters)
        )

    return plan


def _team_swiss(players: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    """Return Swiss rounds of team matches."""
    stage = _duel_stage("swiss", "swiss", parameters, TEAM_TIE_BREAKS)
    rounds = parameters.rounds or swiss_rounds(players)
    return (replace(stage, rounds=rounds, boards=parameters.boards, accelerated=parameters.accelerated),)


def _team_round_robin(_: int, parameters: Parameters) -> tuple[StagePlan, ...]:
    return (replace(_duel_stage("round-robin", ROBIN, parameters, TEAM_TIE_BREAKS), boards=parameters.boards),)


# -- registry ---------------------------------------------------------------------------------------------------------

# Guarantees that the tests check for each format.
ONE_MATCH: Final = "one-match-a-round"
NO_AVOIDABLE_REPEAT: Final = "no-avoidable-repeat"
SEATS_WITHIN_ONE: Final = "first-seats-within-one-or-reason"
SEATS_WITHIN_TWO: Final = "first-seats-within-two"
NO_BYES: Final = "no-byes"
ONE_BYE_EACH: Final = "one-bye-each"
NO_REMATCH: Final = "no-rematch"
EACH_SEAT_ONCE: Final = "each-seat-once"
FINAL_SEATS: Final = "final-each-seat-once"
GROUP_QUOTA: Final = "best-of-each-group-advance"
WHOLE_GROUP: Final = "late-entrants-meet-their-group"
LENGTH_BY_ROUND: Final = "match-length-by-round"
SAME_DIVISION: Final = "opponents-of-same-division"
MEETINGS_LIMITED: Final = "meetings-within-limit"

_TABLE_GUARANTEES = (ONE_MATCH, NO_AVOIDABLE_REPEAT, SEATS_WITHIN_ONE, NO_BYES, FINAL_SEATS)

FORMATS: Final[Mapping[str, Format]] = {
    event_format.name: event_format
    for event_format in (
        Format("tables", 4, 256, _tables, _TABLE_GUARANTEES),
        Format("swiss-tables", 4, 256, _swiss_tables, _TABLE_GUARANTEES, late=True),
        Format("league", 4, 256, _league, (NO_BYES, EACH_SEAT_ONCE), seasons=True),
        Format("duel-swiss", 4, 256, _duel_swiss, (ONE_MATCH, NO_REMATCH, ONE_BYE_EACH, SEATS_WITHIN_TWO), late=True),
        Format("duel-round-robin", 4, 16, _duel_round_robin, (ONE_MATCH, NO_REMATCH)),
        Format("duel-groups", 6, 256, _duel_groups, (ONE_MATCH, GROUP_QUOTA, WHOLE_GROUP, LENGTH_BY_ROUND), late=True),
        Format("duel-knockout", 2, 256, _duel_knockout, (ONE_MATCH, NO_REMATCH, LENGTH_BY_ROUND)),
        Format("duel-double-elimination", 4, 256, _duel_double, (ONE_MATCH, LENGTH_BY_ROUND)),
        Format("duel-swiss-knockout", 4, 256, _duel_swiss_knockout, (ONE_MATCH, LENGTH_BY_ROUND), late=True),
        Format("duel-league", 4, 256, _duel_league, (ONE_MATCH, NO_REMATCH), seasons=True),
        Format(SEASON_FORMAT, 4, 256, _duel_season, (SAME_DIVISION, MEETINGS_LIMITED), late=True, seasons=True),
        Format("team-swiss", 4, 64, _team_swiss, (ONE_MATCH, NO_REMATCH, ONE_BYE_EACH), teams=True),
        Format("team-round-robin", 2, 12, _team_round_robin, (ONE_MATCH, NO_REMATCH), teams=True),
        Format("team-groups", 6, 64, _of_teams(_duel_groups), (ONE_MATCH, GROUP_QUOTA, LENGTH_BY_ROUND), teams=True),
        Format("team-knockout", 4, 64, _of_teams(_duel_knockout), (ONE_MATCH, NO_REMATCH, LENGTH_BY_ROUND), teams=True),
        Format("team-double-elimination", 4, 64, _of_teams(_duel_double), (ONE_MATCH, LENGTH_BY_ROUND), teams=True),
        Format("team-swiss-knockout", 4, 64, _of_teams(_duel_swiss_knockout), (ONE_MATCH, LENGTH_BY_ROUND), teams=True),
    )
}


def format_named(name: str) -> Format:
    """Return a format by its name.

    Raises:
        EventRuleError: ``unknown-format``.
    """
    if name not in FORMATS:
        raise EventRuleError("unknown-format", name=name)
    return FORMATS[name]


@dataclass(frozen=True, slots=True)
class Profile:
    """A format with the default parameters of a typical event."""

    format: str
    parameters: Parameters = field(default_factory=Parameters)
    entries: int = 16
    """The usual number of players or teams."""


PROFILES: Final[Mapping[str, Profile]] = {
    "multiplayer-cup": Profile("tables"),
    "multiplayer-swiss": Profile("swiss-tables", Parameters(pace="fast", late="average")),
    "multiplayer-league": Profile("league", entries=26),
    "duel-open": Profile("duel-swiss-knockout", Parameters(best_of=3)),
    "duel-weekend": Profile("duel-swiss", Parameters(pace="live")),
    "duel-league": Profile("duel-league"),
    "ladder-season": Profile("duel-season", entries=24),
    "castle-cup": Profile("duel-double-elimination", Parameters(game="the-castle", best_of=3)),
    "server-match": Profile("team-round-robin", entries=2),
    "server-swiss": Profile("team-swiss", entries=8),
    "national-teams": Profile(
        "team-groups",
        Parameters(best_of=3, pool=6, advance=2, boards=5, third_place=True, late="closed", pace="fast"),
        entries=24,
    ),
    "group-league": Profile(
        "duel-groups",
        Parameters(best_of=3, last_best_of=5, last_from=8, pool=6, advance=3, first_byes=True, late="closed"),
        entries=48,
    ),
    "world-cup": Profile(
        "duel-groups",
        Parameters(groups=32, group_play="knockout", advance=1, third_place=True, late="closed", pace="fixed"),
        entries=211,
    ),
}
