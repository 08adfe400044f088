"""Teams of boards: line-ups that stay sealed, boards without players, substitutes from the roster."""

from __future__ import annotations

from host import ErrorCode, Host
from host.events import EventPlan, EventView
from tests.host.events.field import BOSS, BOSS_ASKS, EVENT_CHANNEL, Threads, drive, open_tables, play_on, player
from tests.host.people import GUILD, SettableClock, click, play_plies, refused
from tournaments.specification import Parameters

PLAN = EventPlan(format="team-round-robin", parameters=Parameters(pace="fast", boards=2, best_of=1))


async def two_teams(host: Host, *sizes: int) -> EventView:
    """Teams of so many: of each the first one is the captain."""
    event = await host.events.create("Server Match", PLAN, BOSS, BOSS_ASKS, EVENT_CHANNEL, click())
    await host.events.announce(event.code, BOSS_ASKS, click())
    for team, size in enumerate(sizes, 1):
        await host.events.found_team(event.code, player(team * 10), GUILD + team, f"Team {team}", click())
        for number in range(1, size):
            await host.events.join(event.code, player(team * 10 + number), GUILD + team, click(), team)
    return await host.events.view(event.code)


async def test_a_team_with_a_missing_board_cannot_start(host: Host) -> None:
    event = await two_teams(host, 2, 1)
    with refused(ErrorCode.TEAM_INCOMPLETE, team="Team 2", members=1, boards=2):
        await host.events.start(event.code, BOSS_ASKS, click())
    with refused(ErrorCode.UNKNOWN_TEAM):
        await host.events.join(event.code, player(99), GUILD, click(), 7)
    with refused(ErrorCode.UNKNOWN_TEAM):
        await host.events.join(event.code, player(99), GUILD, click())


async def test_line_ups_are_sealed_until_both_are_in(host: Host, clock: SettableClock) -> None:
    event = await two_teams(host, 3, 2)
    await host.events.start(event.code, BOSS_ASKS, click())
    threads = Threads(host)
    await drive(host, clock, threads, 3)
    assert not threads.opened
    one, two = player(10).user_id, player(20).user_id
    numbers = {team.team: team.number for team in (await host.events.view(event.code)).teams}
    first = numbers[1] or 0
    with refused(ErrorCode.NOT_CAPTAIN):
        await host.events.hand_in(event.code, player(11).user_id, [one, player(11).user_id], click())
    with refused(ErrorCode.BAD_LINE_UP):
        await host.events.hand_in(event.code, one, [one, one], click())
    with refused(ErrorCode.BAD_LINE_UP):
        await host.events.hand_in(event.code, one, [one, player(21).user_id], click())
    await host.events.hand_in(event.code, one, [player(11).user_id, one], click())
    sealed = await host.events.line_up(event.code, two, first)
    assert (sealed.handed_in, sealed.members) == (True, ())
    assert len((await host.events.line_up(event.code, one, first)).members) == 2
    assert player(11).name not in str((await host.events.round(event.code)).tables)
    await host.events.hand_in(event.code, two, [two, player(21).user_id], click())
    assert len((await host.events.line_up(event.code, two, first)).members) == 2
    await drive(host, clock, threads, 8)
    assert len(threads.opened) == 2
    with refused(ErrorCode.LINE_UP_LATE):
        await host.events.hand_in(event.code, two, [two, player(21).user_id], click())
    await host.events.swap(event.code, one, 1, player(12).user_id, click())
    await drive(host, clock, threads, 3)
    boards = await open_tables(host, event.code)
    assert {person.name for person in boards[0].people if person} == {"P12", "P20"}
    assert {person.name for person in (await host.game(boards[0].game_id or 0)).seats} == {"P12", "P20"}
    await play_plies(host, boards[0].game_id or 0, 1)
    with refused(ErrorCode.LINE_UP_LATE):
        await host.events.swap(event.code, one, 1, player(11).user_id, click())
    over = await play_on(host, clock, threads, event.code)
    assert over.name_of(first) == "Team 1"
    for number, games in ((10, 1), (11, 0), (12, 1), (20, 1), (21, 1)):
        rated = await host.events.ratings.profile(GUILD, player(number).user_id)
        assert sum(view.games for view in rated) == games
    assert [line.user_id for line in await host.events.standings(event.code)] == [None, None]


async def test_a_side_that_names_nobody_forfeits_and_the_rest_plays(host: Host, clock: SettableClock) -> None:
    event = await two_teams(host, 2, 2)
    await host.events.start(event.code, BOSS_ASKS, click())
    threads = Threads(host)
    await drive(host, clock, threads, 2)
    one, two = player(10).user_id, player(20).user_id
    await host.events.hand_in(event.code, one, [one, None], click())
    await host.events.hand_in(event.code, two, [two, player(21).user_id], click())
    await drive(host, clock, threads, 8)
    tables = (await host.events.round(event.code)).tables
    assert [table.outcome.how if table.outcome else None for table in tables] == [None, "forfeited"]
    assert len(threads.opened) == 1


async def test_without_any_line_up_all_is_forfeited_at_the_lock(host: Host, clock: SettableClock) -> None:
    event = await two_teams(host, 2, 2)
    await host.events.start(event.code, BOSS_ASKS, click())
    threads = Threads(host)
    await drive(host, clock, threads, 2)
    one = player(10).user_id
    await host.events.hand_in(event.code, one, [one, player(11).user_id], click())
    clock.advance(25 * 3600)
    await drive(host, clock, threads, 8)
    over = await host.events.view(event.code)
    assert over.finished_at is not None
    assert (await host.events.standings(event.code))[0].name == "Team 1"
