"""Entrants of events: sign-up, waiting list, check-in, departure, refusals, seasons and erasure.

`announce_event` signs up players P0, P1 and so on. After sign-up an organiser may require a check-in; entrants beyond
the event's limit wait, and take the places of those who did not check in.
"""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from functools import partial

import pytest

from engine.carcassonne.expansions import BCB
from host import Asker, ErrorCode, Host, Person
from host.events import REFUSAL_DETAIL, EventPlan, EventState, planning
from tests.host.events.driver import (
    AS_ORGANISER,
    EVENT_CHANNEL,
    ORGANISER,
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
from tests.host.people import ADA, BEN, GUILD, SettableClock, click_id, expect_error, start_game
from tournaments.lasting.ratings import Scale
from tournaments.specification import Parameters, Specification


async def test_an_entrant_beyond_the_limit_is_put_on_the_waiting_list(host: Host) -> None:
    event = await announce_event(host, duel_plan(most=4), 6)
    assert [entry.waiting for entry in event.entries] == [False] * 4 + [True] * 2
    await host.events.sign_up.leave(event.code, player(1).user_id, click_id())
    after = await host.events.reader.view(event.code)
    assert [entry.person.name for entry in after.playing] == ["P0", "P2", "P3", "P4"]


@pytest.mark.sqlite
async def test_waiting_entrants_replace_those_who_did_not_check_in(host: Host) -> None:
    event = await announce_event(host, duel_plan(most=4), 6)
    await host.events.starts.begin_check_in(event.code, AS_ORGANISER, click_id())
    for number in (0, 1, 2, 4, 5):
        await host.events.sign_up.check_in(event.code, player(number).user_id, click_id())
    started = await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    assert started.event is not None
    assert {entry.key for entry in started.event.entries} == {str(player(number).user_id) for number in (0, 1, 2, 4)}


async def test_a_plan_with_bazaars_warns_of_a_table_of_five(host: Host) -> None:
    plans = (table_plan(expansions=(BCB,)), table_plan(), duel_plan(expansions=(BCB,)))
    assert [(await announce_event(host, plan, 5)).warnings for plan in plans] == [("table-of-five",), (), ()]
    assert (await announce_event(host, plans[0], 6)).warnings == ()


async def test_a_repeated_press_enters_once(host: Host) -> None:
    event, press_id = await announce_event(host, duel_plan()), click_id()
    for _ in range(2):
        assert len((await host.events.sign_up.join(event.code, player(1), GUILD, press_id)).entries) == 1
    with expect_error(ErrorCode.ENTERED_ALREADY):
        await host.events.sign_up.join(event.code, player(1), GUILD, click_id())


async def test_a_player_without_access_to_the_channel_does_not_play(host: Host, clock: SettableClock) -> None:
    without_access = {player(2).user_id}

    async def can_see(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id not in without_access

    event = await announce_event(host, duel_plan(), 2)
    host.events.access.sees = can_see
    with expect_error(ErrorCode.NO_ACCESS):
        await host.events.sign_up.join(event.code, player(2), GUILD, click_id())
    for number in (3, 4, 5):
        await host.events.sign_up.join(event.code, player(number), GUILD, click_id())
    await host.events.starts.begin_check_in(event.code, AS_ORGANISER, click_id())
    for number in (0, 1, 3, 4, 5):
        await host.events.sign_up.check_in(event.code, player(number).user_id, click_id())
    without_access |= {player(4).user_id, player(5).user_id}
    with expect_error(ErrorCode.NO_ACCESS):
        await host.events.sign_up.check_in(event.code, player(4).user_id, click_id())
    without_access.remove(player(4).user_id)
    started = await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    assert sorted(entry.person.name for entry in started.playing if entry.number is not None) == [
        "P0",
        "P1",
        "P3",
        "P4",
    ]
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 5)
    without_access.add(player(0).user_id)
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 3)
    entry = (await host.events.reader.view(event.code)).entry_of(player(0).user_id)
    assert entry is not None
    assert entry.gone


@pytest.mark.sqlite
async def test_an_entrants_server_is_the_one_they_joined_from(host: Host) -> None:
    """Store the server as the entrant's party, by which an event can keep players apart."""
    event = await announce_event(host, duel_plan(), 2)
    for number in (2, 3):
        await host.events.sign_up.join(event.code, player(number), GUILD + 1, click_id())
    started = await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    assert started.event is not None
    parties = {entry.key: entry.party for entry in started.event.specification.entries}
    assert parties == {str(player(number).user_id): str(GUILD + number // 2) for number in range(4)}


async def test_check_in_opens_by_itself_and_absentees_are_left_out(host: Host, clock: SettableClock) -> None:
    plan = duel_plan(starts_at=clock.now() + timedelta(hours=30), check_in_hours=24)
    event = await announce_event(host, plan, 6)
    with expect_error(ErrorCode.NO_CHECK_IN):
        await host.events.sign_up.check_in(event.code, player(0).user_id, click_id())
    clock.advance(7 * 3600)
    await host.timer_dispatcher.work()
    assert (await host.events.reader.view(event.code)).state is EventState.CHECK_IN
    for number in range(5):
        await host.events.sign_up.check_in(event.code, player(number).user_id, click_id())
    clock.advance(24 * 3600)
    await host.timer_dispatcher.work()
    view = await host.events.reader.view(event.code)
    assert view.state is EventState.RUNNING
    assert view.event is not None
    assert len(view.event.specification.entries) == 5


async def test_the_limit_of_games_applies_to_entering_but_not_to_an_events_games(
    host: Host, clock: SettableClock
) -> None:
    await host.servers.change(AS_ORGANISER, games_of_member=1)
    event = await announce_event(host, duel_plan(parameters=Parameters(pace="fast", best_of=3)), 3)
    game = await start_game(host, ADA, BEN)
    with expect_error(ErrorCode.TOO_MANY_GAMES, player=ADA.name, most=1):
        await host.events.sign_up.join(event.code, ADA, GUILD, click_id())
    with expect_error(ErrorCode.TOO_MANY_GAMES, player=BEN.name, most=1):
        await host.events.ladder.enter(BEN, GUILD, EVENT_CHANNEL, Scale.DUEL)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await host.events.sign_up.join(event.code, ADA, GUILD, click_id())
    game = await start_game(host, ADA, BEN)
    await host.events.starts.begin_check_in(event.code, AS_ORGANISER, click_id())
    with expect_error(ErrorCode.TOO_MANY_GAMES, player=ADA.name, most=1):
        await host.events.sign_up.check_in(event.code, ADA.user_id, click_id())
    await host.moves.resign(game.id, ADA.user_id, click_id())
    for person in (ADA, *map(player, range(3))):
        await host.events.sign_up.check_in(event.code, person.user_id, click_id())
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 10)
    assert len([table for table in await open_tables(host, event.code) if ADA in table.people]) == 2
    with expect_error(ErrorCode.TOO_MANY_GAMES, player=ADA.name, most=1):
        await start_game(host, ADA, BEN)


async def test_an_event_with_too_few_entrants_does_not_start_and_says_so(host: Host, clock: SettableClock) -> None:
    event = await announce_event(host, duel_plan(starts_at=clock.now() + timedelta(hours=1)), 3)
    clock.advance(3700)
    await host.timer_dispatcher.work()
    assert (await host.events.reader.view(event.code)).state is EventState.OPEN
    posts = [await host.events.posts.record_sent(post.id, 1) or post.kind for post in await host.events.posts.due()]
    [notice] = await host.events.posts.due()
    assert [*posts, notice.kind] == ["announced", "too_few"]
    assert notice.details == {REFUSAL_DETAIL: "too_few_entries", "entries": 3, "least": 4}
    with expect_error(ErrorCode.TOO_FEW_ENTRIES, entries=3, least=4):
        await host.events.starts.start(event.code, AS_ORGANISER, click_id())


async def test_late_entrants_play_from_the_next_round_on(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 7)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    await host.events.sign_up.join(event.code, player(9), GUILD, click_id())
    await play_round(host, clock, threads, event.code)
    late = (await host.events.reader.view(event.code)).entry_of(player(9).user_id)
    assert late is not None
    assert late.number == 7


@pytest.mark.parametrize("name", ["duel-round-robin", "duel-knockout", "league"])
async def test_formats_with_fixed_rounds_take_nobody_late_but_a_substitute(host: Host, name: str) -> None:
    plan = table_plan(format=name) if name == "league" else duel_plan(format=name)
    event = await start_event(host, plan, 7)
    with expect_error(ErrorCode.NO_LATE_ENTRIES, code=event.code):
        await host.events.sign_up.join(event.code, player(9), GUILD, click_id())
    leaver = (await host.events.reader.view(event.code)).entry_of(player(2).user_id)
    assert leaver is not None
    await host.events.organising.replace(event.code, AS_ORGANISER, player(2).user_id, player(9), GUILD, click_id())
    substitute = (await host.events.reader.view(event.code)).entry_of(player(9).user_id)
    assert substitute is not None
    assert substitute.number == leaver.number


async def test_a_late_entrant_of_a_group_plays_everyone_in_it(host: Host, clock: SettableClock) -> None:
    """Seven players in two groups: one place is free."""
    event = await start_event(host, duel_plan(format="duel-groups"), 7)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    await host.events.sign_up.join(event.code, player(9), GUILD, click_id())
    with expect_error(ErrorCode.NO_LATE_ENTRIES, code=event.code):
        await host.events.sign_up.join(event.code, player(10), GUILD, click_id())
    await advance_event(host, clock, threads)
    view = await host.events.reader.view(event.code)
    assert view.event is not None
    assert [len(pool) for pool in view.event.stages[0].pools()] == [4, 4]
    assert view.promised_weeks == event.promised_weeks + view.event.plans[0].weeks
    played = [table.seats for drawn in view.event.stages[0].rounds for table in drawn.tables if 7 in table.seats]
    assert len(played) == 3
    running = await open_tables(host, event.code)
    assert len([table for table in running if 7 in table.seats]) == 3
    await play_until(host, clock, threads, event.code)
    ranks = await host.events.reader.standings(event.code)
    assert sorted(line.number for line in ranks) == list(range(8))


async def test_a_late_entry_needs_a_free_place(host: Host, clock: SettableClock) -> None:
    """Of seven places one becomes free when a player leaves."""
    event = await start_event(host, duel_plan(most=7), 7)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    with expect_error(ErrorCode.NO_LATE_ENTRIES, code=event.code):
        await host.events.sign_up.join(event.code, player(9), GUILD, click_id())
    await host.events.sign_up.leave(event.code, player(2).user_id, click_id())
    view = await host.events.sign_up.join(event.code, player(9), GUILD, click_id())
    assert view.entry_of(player(9).user_id) is not None


async def test_an_event_that_began_by_older_rules_takes_late_entries_beyond_its_places(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "Specification", partial(Specification, rules=4))
    event = await start_event(host, duel_plan(most=7), 7)
    await play_round(host, clock, FakeThreads(host), event.code)
    view = await host.events.sign_up.join(event.code, player(9), GUILD, click_id())
    assert view.entry_of(player(9).user_id) is not None


@pytest.mark.both_databases
async def test_invalid_requests_are_refused(host: Host) -> None:
    with expect_error(ErrorCode.NOT_MANAGER):
        await host.events.plans.create("Cup", duel_plan(), ORGANISER, Asker(ORGANISER.user_id, GUILD), 1, click_id())
    await host.servers.change(AS_ORGANISER, organiser_role=7)
    with expect_error(ErrorCode.NOT_EVENT_CREATOR, role=7):
        await host.events.plans.create(
            "Cup", duel_plan(), ORGANISER, Asker(ORGANISER.user_id, GUILD, frozenset({8})), 1, click_id()
        )
    with expect_error(ErrorCode.BAD_PLAN, reason="unknown-format"):
        await host.events.plans.create("Cup", duel_plan(format="chess"), ORGANISER, AS_ORGANISER, 1, click_id())
    with expect_error(ErrorCode.BAD_PLAN):
        await host.events.plans.create("Cup", "no-profile", ORGANISER, AS_ORGANISER, 1, click_id())
    for large in (Parameters(rounds=33), Parameters(boards=21)):
        with expect_error(ErrorCode.BAD_PLAN, reason="too-large", rounds=32, boards=20):
            await host.events.plans.create("Cup", duel_plan(parameters=large), ORGANISER, AS_ORGANISER, 1, click_id())
    with expect_error(ErrorCode.UNKNOWN_EVENT):
        await host.events.sign_up.join("NOPE", player(1), GUILD, click_id())
    event = await announce_event(host, duel_plan(), 3)
    with expect_error(ErrorCode.TOO_FEW_ENTRIES, entries=3, least=4):
        await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await host.events.plans.set_plan(event.code, AS_ORGANISER, event.plan, click_id())
    assert [line.kind for line in await host.events.reader.audit(event.code)] == ["created", "announced"]
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.starts.start(event.code, Asker(ORGANISER.user_id, GUILD + 1), click_id())
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.starts.start(event.code, Asker(player(1).user_id, GUILD, manages=True), click_id())
    await host.events.sign_up.join(event.code, player(3), GUILD, click_id())
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    with expect_error(ErrorCode.EVENT_STARTED):
        await host.events.plans.set_plan(event.code, AS_ORGANISER, duel_plan(), click_id())
    with expect_error(ErrorCode.EVENT_STARTED):
        await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    with expect_error(ErrorCode.NOT_ENTERED):
        await host.events.sign_up.leave(event.code, 77, click_id())


async def test_managers_inherit_an_event_after_a_week_of_inactivity(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    manager = Asker(321, GUILD, manages=True)
    assert not await host.events.reader.organises(event.code, manager)
    clock.advance(7 * 24 * 3600 + 60)
    assert (await host.events.reader.view(event.code)).inherited
    assert await host.events.reader.organises(event.code, manager)
    assert not await host.events.reader.organises(event.code, Asker(321, GUILD))
    await host.timer_dispatcher.work()
    await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 3, "he is back", click_id())
    assert not await host.events.reader.organises(event.code, manager)


@pytest.mark.sqlite
async def test_simultaneous_rounds_open_together_with_the_first(host: Host, clock: SettableClock) -> None:
    plan = table_plan(format="tables", rounds="organiser", parameters=Parameters(pace="live", rounds=3, final="none"))
    event = await start_event(host, plan, 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 3)
    assert not threads.opened
    await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, threads, 12)
    assert len(threads.opened) == 3


@pytest.mark.sqlite
async def test_the_promised_length_depends_on_how_rounds_are_opened(host: Host) -> None:
    """Count two rounds of two weeks with a day before each, and a week each for an organiser to open one."""
    for rounds, weeks in (("auto", 5), ("organiser", 7)):
        assert (await announce_event(host, duel_plan(rounds=rounds), 4)).promised_weeks == weeks


@pytest.mark.parametrize("rounds", ["organiser", "auto"])
@pytest.mark.both_databases
async def test_rounds_open_by_themselves_or_by_the_organiser(host: Host, clock: SettableClock, rounds: str) -> None:
    event = await start_event(host, duel_plan(rounds=rounds), 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads, 3)
    waiting = (await host.events.reader.view(event.code)).waits_since is not None
    assert waiting is (rounds == "organiser")
    if waiting:
        await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())
        await advance_event(host, clock, threads, 5)
        assert len(threads.opened) == 2
        with expect_error(ErrorCode.NO_ROUND_DUE):
            await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())
        await play_round(host, clock, threads, event.code)
        clock.advance(8 * 24 * 3600)
        await advance_event(host, clock, threads, 6)
    assert len(threads.opened) == (4 if waiting else 2)


@pytest.mark.both_databases
async def test_an_erased_player_leaves_the_event_and_all_exports(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 6)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    gone = player(2).user_id
    assert await host.erasure.export(gone)
    await host.erasure.erase(gone)
    assert not any((await host.erasure.export(gone)).values())
    view = await host.events.reader.view(event.code)
    assert view.entry_of(gone) is None
    assert view.event is not None
    assert len(view.event.gone) == 1
    assert str(gone) not in await host.events.exports.as_json(event.code)
    await play_round(host, clock, threads, event.code)
    assert len(await host.events.reader.standings(event.code)) == 6


async def test_other_formats_work_without_the_dutch_system(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.duels.dutch.PY4SWISS_INSTALLED", False)
    with expect_error(ErrorCode.BAD_PLAN, reason="no-dutch-pairing"):
        await announce_event(host, duel_plan())
    assert (await announce_event(host, table_plan())).state is EventState.OPEN


async def test_a_season_starts_with_the_divisions_of_the_previous_one(host: Host, clock: SettableClock) -> None:
    plan = duel_plan(format="duel-league", parameters=Parameters(pace="fast", pool=4), moving=1, seeding="lot")
    first = await start_event(host, plan, 8)
    finished = await play_until(host, clock, FakeThreads(host), first.code)
    ranks = {line.name: line.rank for line in await host.events.reader.standings(first.code)}
    later = {**plan_settings(plan), "moving": 3}  # ignored: the season played had announced another number
    again = await announce_event(host, duel_plan(**later, season_of=finished.code), 8)
    started = await host.events.starts.start(again.code, AS_ORGANISER, click_id())
    assert started.event is not None
    upper = {started.name_of(number) for number in range(4)}
    assert upper == {name for name, rank in ranks.items() if rank in {1, 2, 3, 5}}
    running = await announce_event(host, duel_plan(**plan_settings(plan), season_of=again.code), 8)
    with expect_error(ErrorCode.BAD_PLAN, reason="season-not-over"):
        await host.events.starts.start(running.code, AS_ORGANISER, click_id())


def plan_settings(plan: EventPlan) -> dict[str, object]:
    """Return the settings of a plan that its next season shares."""
    return {"format": plan.format, "parameters": plan.parameters, "moving": plan.moving, "seeding": plan.seeding}


@pytest.mark.both_databases
async def test_players_with_the_same_name_are_told_apart(host: Host) -> None:
    """Append digits of ids to the names, the same wherever the event names them and on the waiting list."""
    event = await announce_event(host, duel_plan(most=4), 2)
    namesakes = [Person(81234, "Ana"), Person(95678, "ana"), Person(11111, "ANA")]
    for person in namesakes:
        await host.events.sign_up.join(event.code, person, GUILD, click_id())
    view = await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    names = ["Ana #1234", "ana #5678", "ANA #1111"]
    assert [view.name_of_person(person) for person in namesakes] == names
    playing = {player(0).name, player(1).name, *names[:2]}
    assert set(map(view.name_of, range(4))) == playing
    assert {line.name for line in await host.events.reader.standings(event.code)} == playing
    assert {line["name"] for line in json.loads(await host.events.exports.as_json(event.code))["standings"]} == playing
    await host.events.driver.drive(event.id)
    games = csv.DictReader(io.StringIO(await host.events.exports.games_csv(event.code)))
    assert {line["player"] for line in games} == playing

    async def can_see(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != 81234

    host.events.access.sees = can_see
    for code, person, name in (
        (ErrorCode.PLAYS_THERE, namesakes[1], names[1]),
        (ErrorCode.MEMBER_NO_ACCESS, namesakes[0], names[0]),
    ):
        with expect_error(code, player=name):
            await host.events.organising.replace(event.code, AS_ORGANISER, player(0).user_id, person, GUILD, click_id())
