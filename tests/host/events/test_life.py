"""Events from the announcement to the podium: rounds, games, deadlines, posts and exports.

An event is a tournament. Its organiser announces and starts it; `advance_event` then lets time pass on the settable
clock, runs due timers and opens the games' threads on a fake Discord. Where no service reports it, SQL counts the
clocks that run.
"""

from __future__ import annotations

import json

import pytest

from engine import GAMES
from engine.carcassonne.expansions import BCB
from host import Host
from host.events import EventPlan, EventPostKind, EventState, TableState
from tests.host.events.driver import (
    AS_ORGANISER,
    FakeThreads,
    advance_event,
    announce_event,
    duel_plan,
    open_tables,
    play_round,
    play_until,
    player,
    start_event,
    table_plan,
)
from tests.host.people import GUILD, SettableClock, click_id
from tournaments.chance import commitment
from tournaments.formats import FORMATS
from tournaments.lasting.ratings import Scale
from tournaments.specification import Parameters


async def send_event_posts(host: Host) -> list[EventPostKind]:
    """Send all posts of events and return their kinds, in order."""
    kinds: list[EventPostKind] = []
    while posts := await host.events.posts.due():
        for post in posts:
            assert await host.events.posts.lease(post.id)
            assert not await host.events.posts.lease(post.id)
            await host.events.posts.record_sent(post.id, 1)
            kinds.append(post.kind)
    return kinds


@pytest.mark.long
async def test_a_swiss_event_of_duels_is_played_to_its_end(host: Host, clock: SettableClock) -> None:
    event = await announce_event(host, duel_plan(), 8)
    assert (event.state, len(event.playing), event.promised_weeks > 0, event.seed) == (EventState.OPEN, 8, True, "")
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    threads = FakeThreads(host)
    finished = await play_until(host, clock, threads, event.code)
    assert finished.state is EventState.FINISHED
    assert finished.event is not None
    assert len(finished.event.stages[0].rounds) == 4
    assert len(threads.opened) == 16
    assert commitment(finished.seed) == finished.commitment == event.commitment
    lines = await host.events.reader.standings(event.code)
    assert [line.rank for line in lines] == list(range(1, 9))
    assert await send_event_posts(host) == [
        EventPostKind.ANNOUNCED,
        EventPostKind.STARTED,
        *[EventPostKind.ROUND, EventPostKind.RESULTS] * 4,
        EventPostKind.STAGE,
        EventPostKind.FINISHED,
    ]
    explained = await host.events.reader.explain(event.code, lines[0].number, lines[1].number)
    assert explained.before == lines[0].number
    rated = await host.events.ratings.profile(GUILD, player(0).user_id)
    assert [(view.scale, view.games) for view in rated] == [(Scale.DUEL, 4)]


@pytest.mark.sqlite
async def test_a_stage_without_a_legal_pairing_ends_and_says_so(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(parameters=Parameters(pace="live", rounds=6)), 4)
    threads = FakeThreads(host)
    for _ in range(4):
        await advance_event(host, clock, threads, 8)
        for table in await open_tables(host, event.code):
            assert table.people[0] is not None
            await host.moves.resign(table.game_id or 0, table.people[0].user_id, click_id())
    assert (await host.events.reader.view(event.code)).state is EventState.FINISHED
    found = {}
    while posts := await host.events.posts.due():
        for post in posts:
            await host.events.posts.record_sent(post.id, 1)
            found[post.kind] = post.details
    assert found[EventPostKind.STAGE] == {"reason": "no-legal-round"}


async def test_tables_of_four_are_followed_by_a_final(host: Host, clock: SettableClock) -> None:
    plan = table_plan(parameters=Parameters(pace="fast", rounds=2))
    event = await start_event(host, plan, 9)
    threads = FakeThreads(host)
    finished = await play_until(host, clock, threads, event.code)
    assert finished.event is not None
    assert [len(state.rounds) for state in finished.event.stages] == [2, 1]
    final = await host.events.reader.round(event.code)
    assert [sorted(table.seats) for table in final.tables] == [sorted(final.tables[0].seats)] * 4
    assert {table.seats[0] for table in final.tables} == set(final.tables[0].seats)


async def test_a_game_has_the_paired_seats_and_the_events_settings(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, table_plan(parameters=Parameters(pace="slow", purist=True)), 8)
    await advance_event(host, clock, FakeThreads(host))
    for table in await open_tables(host, event.code):
        assert table.game_id is not None
        game = await host.games.get(table.game_id)
        view = await host.events.reader.view(event.code)
        assert [person.name for person in game.seats] == [view.name_of(number) for number in table.seats]
        assert (game.settings.pace, game.settings.hints) == ("slow", False)
        assert (table.state, game.ends_at) == (TableState.OPEN, table.deadline)


@pytest.mark.sqlite
async def test_games_have_the_chosen_rules(host: Host, clock: SettableClock) -> None:
    game = GAMES["carcassonne"]
    for name in game.presets:
        plan = table_plan(
            expansions=(BCB,), options=game.presets[name].differences(), parameters=Parameters(purist=False)
        )
        event = await start_event(host, plan, 4)
        await advance_event(host, clock, FakeThreads(host), 5)
        (open_table,) = await open_tables(host, event.code)
        table = await host.games.table(open_table.game_id or 0)
        assert table.position.setup.options == game.presets[name]
        assert table.position.setup.expansions == (BCB,)
        assert table.game.settings.hints


@pytest.mark.both_databases
async def test_clocks_start_with_the_card_in_the_thread(host: Host, clock: SettableClock) -> None:
    await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host, full=True)
    for _ in range(10):
        await advance_event(host, clock, threads, 1)
    assert not threads.opened
    await advance_event(host, clock, threads, 40)
    async with host._store.reading() as tx:
        running = await tx.exec_driver_sql("SELECT count(*) FROM clocks WHERE since IS NOT NULL")
        assert running.scalar_one() == 0
    threads.full = False
    clock.advance(600)
    await advance_event(host, clock, threads, 30)
    assert len(threads.opened) == 2
    async with host._store.reading() as tx:
        running = await tx.exec_driver_sql("SELECT count(*) FROM clocks WHERE since IS NOT NULL")
        assert running.scalar_one() == 2
    assert (await send_event_posts(host)).count(EventPostKind.FULL) == 1


async def test_a_best_of_three_match_has_a_deciding_game(host: Host, clock: SettableClock) -> None:
    plan = EventPlan(format="duel-knockout", parameters=Parameters(pace="fast", best_of=3))
    event = await start_event(host, plan, 4)
    finished = await play_until(host, clock, FakeThreads(host), event.code)
    assert finished.event is not None
    for drawn in finished.event.stages[0].rounds:
        for match in {table.match for table in drawn.tables}:
            assert 2 <= sum(table.match == match for table in drawn.tables) <= 3


async def test_a_round_is_adjudicated_at_its_deadline(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    clock.advance(11.5 * 24 * 3600)
    await advance_event(host, clock, threads, 3)
    assert EventPostKind.DEADLINE in await send_event_posts(host)
    clock.advance(3 * 24 * 3600)
    await advance_event(host, clock, threads, 3)
    first = await host.events.reader.round(event.code, 1, 1)
    assert [table.outcome.how for table in first.tables if table.outcome] == ["adjudicated"] * 2
    assert (await host.events.reader.round(event.code)).number == 2


async def test_a_player_who_leaves_forfeits_their_games(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 5)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    leaver = next(table for table in await open_tables(host, event.code)).people[0]
    assert leaver is not None
    await host.events.sign_up.leave(event.code, leaver.user_id, click_id())
    await advance_event(host, clock, threads, 3)
    view = await host.events.reader.view(event.code)
    entry = view.entry_of(leaver.user_id)
    assert entry is not None
    assert entry.gone
    outcome = next(
        table.outcome for table in (await host.events.reader.round(event.code)).tables if leaver in table.people
    )
    assert outcome is not None
    assert outcome.how == "forfeited"
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 3)
    again = await host.events.reader.round(event.code)
    assert again.number == 2
    assert not any(leaver in table.people for table in again.tables)


async def test_the_thread_of_a_finished_game_is_archived(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    tables = await open_tables(host, event.code)
    await host.places.set_thread(tables[1].game_id or 0, 5)  # it was moved elsewhere
    await play_round(host, clock, threads, event.code)
    first, second = [await host.games.get(table.game_id or 0) for table in tables]
    assert await host.timers.put_away_at(first) is not None
    assert await host.timers.put_away_at(second) is None


async def test_the_export_leaves_out_secrets_until_the_end(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    data = json.loads(await host.events.exports.as_json(event.code))
    assert (data["seed"], data["commitment"]) == ("", event.commitment)
    assert len(data["games"]) >= 2
    assert all("lot" not in line["tie_breaks"] for line in data["standings"])
    text = await host.events.exports.games_csv(event.code)
    columns = "stage,round,table,board,match,seat,number,player,member,user,score,place,points,how"
    assert text.splitlines()[0] == columns
    assert len(text.splitlines()) == 1 + 2 * len(data["games"])


@pytest.mark.parametrize("name", ["multiplayer-cup", "castle-cup", "multiplayer-league", "duel-open"])
async def test_every_profile_can_be_started(host: Host, clock: SettableClock, name: str) -> None:
    event = await announce_event(host, name, 8)  # type: ignore[arg-type]
    assert event.stages
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 10)
    assert await open_tables(host, event.code)


@pytest.mark.sqlite
async def test_the_stages_before_the_start_are_those_of_the_planned_places(host: Host) -> None:
    parameters = Parameters(pace="fast", boards=2, pool=6)
    event = await announce_event(host, EventPlan(format="team-groups", parameters=parameters, most=24))
    groups, knockout = event.stages
    assert (event.size, event.planned_size, event.promised_weeks > 0) == (0, 24, True)
    assert (groups.pool, groups.advance, knockout.size) == (6, 2, 8)


@pytest.mark.sqlite
async def test_without_planned_places_the_stages_are_an_example_then_those_of_all_who_entered(host: Host) -> None:
    for players, planned, enough in ((0, 16, False), (3, 16, False), (4, 4, True), (7, 7, True)):
        event = await announce_event(host, duel_plan(format="duel-swiss-knockout"), players)
        assert (event.planned_size, event.is_example, event.promised_weeks > 0) == (planned, not enough, enough)
        assert event.stages == FORMATS["duel-swiss-knockout"].stages(planned, event.plan.parameters)


@pytest.mark.sqlite
async def test_the_last_two_of_a_double_elimination_play_a_longer_match(host: Host, clock: SettableClock) -> None:
    """Their first two games are opened at once, and a third one where these do not decide."""
    parameters = Parameters(pace="fast", last_best_of=3, last_from=2)
    event = await start_event(host, EventPlan(format="duel-double-elimination", parameters=parameters), 4)
    await play_until(host, clock, FakeThreads(host), event.code)
    view = await host.events.reader.view(event.code)
    assert view.event is not None
    *earlier, last = view.event.stages[0].rounds
    assert len(last.tables) >= 2
    assert {frozenset(table.seats) for table in last.tables} == {frozenset(last.tables[0].seats)}
    assert len(earlier[0].tables) == 2
    ranks = await host.events.reader.standings(event.code)
    assert ranks[0].number in last.tables[0].seats
