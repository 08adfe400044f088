"""Matches of teams: sealed line-ups, boards without a player, and substitutes from the roster.

Player 10 is the captain of team 1, whose members have the numbers 10 to 19; player 20 the captain of team 2.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest

from host import ErrorCode, Host, HostError
from host.events import EventPlan, EventView, TableView
from tests.host.events.driver import (
    AS_ORGANISER,
    EVENT_CHANNEL,
    ORGANISER,
    FakeThreads,
    advance_event,
    open_tables,
    play_round,
    play_until,
    player,
)
from tests.host.people import GUILD, SettableClock, click_id, expect_error, play_plies
from tournaments.specification import Parameters

TEAM_PLAN = EventPlan(format="team-round-robin", parameters=Parameters(pace="fast", boards=2, best_of=1))
"""Teams meet on two boards, in one game each."""


async def announce_teams(host: Host, *sizes: int, plan: EventPlan = TEAM_PLAN) -> EventView:
    """Announce an event and found a team of each of these sizes, whose first member is the captain."""
    event = await host.events.plans.create("Server Match", plan, ORGANISER, AS_ORGANISER, EVENT_CHANNEL, click_id())
    await host.events.plans.announce(event.code, AS_ORGANISER, click_id())
    for team, size in enumerate(sizes, 1):
        await host.events.sign_up.found_team(event.code, player(team * 10), GUILD + team, f"Team {team}", click_id())
        for number in range(1, size):
            await host.events.sign_up.join(event.code, player(team * 10 + number), GUILD + team, click_id(), team)
    return await host.events.reader.view(event.code)


async def start_with_missing_board(
    host: Host, clock: SettableClock, *, best_of: int
) -> tuple[list[TableView], FakeThreads]:
    """Start a match on two boards in which team 1 names no player for the second; return its tables."""
    plan = replace(TEAM_PLAN, parameters=replace(TEAM_PLAN.parameters, best_of=best_of))
    event = await announce_teams(host, 2, 2, plan=plan)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 2)
    first_captain, second_captain = player(10).user_id, player(20).user_id
    await host.events.teams.hand_in(event.code, first_captain, [first_captain, None], click_id())
    await host.events.teams.hand_in(event.code, second_captain, [second_captain, player(21).user_id], click_id())
    await advance_event(host, clock, threads, 12)
    return list((await host.events.reader.round(event.code)).tables), threads


async def test_a_team_with_a_missing_board_cannot_start(host: Host) -> None:
    event = await announce_teams(host, 2, 1)
    with expect_error(ErrorCode.TEAM_INCOMPLETE, team="Team 2", members=1, boards=2):
        await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    with expect_error(ErrorCode.UNKNOWN_TEAM):
        await host.events.sign_up.join(event.code, player(99), GUILD, click_id(), 7)
    with expect_error(ErrorCode.UNKNOWN_TEAM):
        await host.events.sign_up.join(event.code, player(99), GUILD, click_id())


async def test_line_ups_are_sealed_until_both_are_in(host: Host, clock: SettableClock) -> None:
    event = await announce_teams(host, 3, 2)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 3)
    assert not threads.opened
    first_captain, second_captain = player(10).user_id, player(20).user_id
    numbers = {team.team: team.number for team in (await host.events.reader.view(event.code)).teams}
    first = numbers[1] or 0
    with expect_error(ErrorCode.NOT_CAPTAIN):
        await host.events.teams.hand_in(event.code, player(11).user_id, [first_captain, player(11).user_id], click_id())
    with expect_error(ErrorCode.BAD_LINE_UP):
        await host.events.teams.hand_in(event.code, first_captain, [first_captain, first_captain], click_id())
    with expect_error(ErrorCode.BAD_LINE_UP):
        await host.events.teams.hand_in(event.code, first_captain, [first_captain, player(21).user_id], click_id())
    await host.events.teams.hand_in(event.code, first_captain, [player(11).user_id, first_captain], click_id())
    assert player(11).name not in str((await host.events.reader.round(event.code)).tables)
    await host.events.teams.hand_in(event.code, second_captain, [second_captain, player(21).user_id], click_id())
    await advance_event(host, clock, threads, 8)
    assert len(threads.opened) == 2
    with expect_error(ErrorCode.LINE_UP_LATE):
        await host.events.teams.hand_in(event.code, second_captain, [second_captain, player(21).user_id], click_id())
    await host.events.teams.swap(event.code, first_captain, 1, player(12).user_id, click_id())
    await advance_event(host, clock, threads, 3)
    boards = await open_tables(host, event.code)
    assert {person.name for person in boards[0].people if person} == {"P12", "P20"}
    assert {person.name for person in (await host.games.get(boards[0].game_id or 0)).seats} == {"P12", "P20"}
    await play_plies(host, boards[0].game_id or 0, 1)
    with expect_error(ErrorCode.LINE_UP_LATE):
        await host.events.teams.swap(event.code, first_captain, 1, player(11).user_id, click_id())
    finished = await play_until(host, clock, threads, event.code)
    assert finished.name_of(first) == "Team 1"
    for number, games in ((10, 1), (11, 0), (12, 1), (20, 1), (21, 1)):
        rated = await host.events.ratings.profile(GUILD, player(number).user_id)
        assert sum(view.games for view in rated) == games
    assert [line.user_id for line in await host.events.reader.standings(event.code)] == [None, None]


@pytest.mark.sqlite
async def test_a_player_without_access_to_the_channel_cannot_be_lined_up(host: Host, clock: SettableClock) -> None:
    event = await announce_teams(host, 3, 2)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 2)
    captain, without_access, spare = (player(number) for number in (10, 11, 12))

    async def can_see(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != without_access.user_id

    host.events.access.sees = can_see
    with expect_error(ErrorCode.MEMBER_NO_ACCESS, player=without_access.name, channel=EVENT_CHANNEL):
        await host.events.teams.hand_in(
            event.code, captain.user_id, [captain.user_id, without_access.user_id], click_id()
        )
    await host.events.teams.hand_in(event.code, captain.user_id, [captain.user_id, spare.user_id], click_id())
    with expect_error(ErrorCode.MEMBER_NO_ACCESS, player=without_access.name, channel=EVENT_CHANNEL):
        await host.events.teams.swap(event.code, captain.user_id, 2, without_access.user_id, click_id())


@pytest.mark.sqlite
async def test_a_deciding_game_needs_no_new_line_up(host: Host, clock: SettableClock) -> None:
    """Promise two weeks for the line-up once, and the time of all games of a match."""
    plan = replace(TEAM_PLAN, parameters=replace(TEAM_PLAN.parameters, boards=1, best_of=3), line_up_hours=14 * 24)
    event = await announce_teams(host, 1, 1, plan=plan)
    assert event.promised_weeks == 2 + 2 * 2 + 1
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 2)
    for captain in (player(10), player(20)):
        await host.events.teams.hand_in(event.code, captain.user_id, [captain.user_id], click_id())
    await advance_event(host, clock, threads, 8)
    games = [await host.games.get(table.game_id or 0) for table in await open_tables(host, event.code)]
    seats = [[person.name for person in game.seats] for game in games]
    assert sorted(seats) == [["P10", "P20"], ["P20", "P10"]]  # both games at once, with seats exchanged
    for game in games:
        await host.moves.resign(game.id, game.seats[0].user_id, click_id())
    await advance_event(host, clock, threads, 8)
    assert len(threads.opened) == 3


@pytest.mark.sqlite
async def test_a_board_without_a_player_forfeits_all_its_games(host: Host, clock: SettableClock) -> None:
    tables, threads = await start_with_missing_board(host, clock, best_of=3)
    assert [(table.board, table.outcome.how if table.outcome else "open") for table in tables] == [
        (1, "open"),
        (1, "open"),
        (2, "forfeited"),
        (2, "forfeited"),
    ]
    assert len(threads.opened) == 2


async def test_the_other_boards_of_a_match_are_played(host: Host, clock: SettableClock) -> None:
    tables, threads = await start_with_missing_board(host, clock, best_of=1)
    assert [table.outcome.how if table.outcome else None for table in tables] == [None, "forfeited"]
    assert len(threads.opened) == 1


@pytest.mark.both_databases
async def test_a_team_without_a_line_up_forfeits_the_match(host: Host, clock: SettableClock) -> None:
    event = await announce_teams(host, 2, 2)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 2)
    captain = player(10).user_id
    await host.events.teams.hand_in(event.code, captain, [captain, player(11).user_id], click_id())
    clock.advance(25 * 3600)
    await advance_event(host, clock, threads, 8)
    finished = await host.events.reader.view(event.code)
    assert finished.finished_at is not None
    assert (await host.events.reader.standings(event.code))[0].name == "Team 1"


@pytest.mark.sqlite
async def test_a_team_without_a_match_in_a_round_is_not_asked_for_a_line_up(host: Host, clock: SettableClock) -> None:
    """Refuse every request of the captain of the team that has a bye, one of five in each round."""
    plan = replace(TEAM_PLAN, parameters=replace(TEAM_PLAN.parameters, boards=1))
    event = await announce_teams(host, 1, 1, 1, 1, 1, plan=plan)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads, teams_with_bye = FakeThreads(host), set[int]()
    captains = {team.number: team.captain_id for team in (await host.events.reader.view(event.code)).teams}
    for number in range(1, 6):
        await advance_event(host, clock, threads, 2)
        drawn = await host.events.reader.round(event.code)
        assert drawn.number == number
        (resting,) = drawn.state.resting
        teams_with_bye.add(resting)
        captain = captains[resting]
        for request in (
            partial(host.events.teams.choice, event.code, captain),
            partial(host.events.teams.hand_in, event.code, captain, [captain], click_id()),
            partial(host.events.teams.hand_in, event.code, captain, [None, None], click_id()),
            partial(host.events.teams.swap, event.code, captain, 1, captain, click_id()),
        ):
            with expect_error(ErrorCode.NO_LINE_UP_DUE, team=resting, round=number):
                await request()
        for team, other in captains.items():
            if team != resting:
                assert (await host.events.teams.choice(event.code, other)).team == team
                await host.events.teams.hand_in(event.code, other, [other], click_id())
        await play_round(host, clock, threads, event.code, 2)
    assert len(teams_with_bye) == 5
    assert (await host.events.reader.view(event.code)).finished_at is not None


@pytest.mark.sqlite
async def test_teams_play_groups_and_a_knock_out_to_the_end(host: Host, clock: SettableClock) -> None:
    """Six teams in two groups of three; winners and seconds play semi-finals, the final and for third place."""
    parameters = Parameters(pace="fast", boards=1, pool=3, third_place=True, last_best_of=3, last_from=2)
    event = await announce_teams(host, *[1] * 6, plan=EventPlan(format="team-groups", parameters=parameters))
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads = FakeThreads(host)
    for _ in range(400):
        view = await host.events.reader.view(event.code)
        if view.finished_at is not None:
            break
        await advance_event(host, clock, threads, 20)
        await hand_in_all(host, event.code, 6)
        await play_round(host, clock, threads, event.code)
    view = await host.events.reader.view(event.code)
    assert view.event is not None
    groups, knockout = view.event.stages
    assert [len(pool) for pool in groups.pools()] == [3, 3]
    assert [len(drawn.slots) for drawn in knockout.rounds] == [4, 2]
    matches = {table.match for table in knockout.rounds[-1].tables}
    assert matches == {1, 2}
    assert len(knockout.rounds[-1].tables) >= 4
    ranks = await host.events.reader.standings(event.code)
    assert [line.stage for line in ranks] == [2, 2, 2, 2, 1, 1]
    assert dict(ranks[2].values)["third"] == 1


async def hand_in_all(host: Host, code: str, teams: int) -> None:
    """Hand in the captain of each team as its line-up, where one is due."""
    for team in range(1, teams + 1):
        captain = player(team * 10).user_id
        with suppress(HostError):
            await host.events.teams.hand_in(code, captain, [captain], click_id())
