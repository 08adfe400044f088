"""Entrants: signing up, waiting, checking in, leaving; who is refused; and erasure."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest

from engine.carcassonne.expansions import BCB
from host import Asker, ErrorCode, Host, Person
from host.events import REFUSED, EventPlan, EventState
from tests.host.events.field import (
    BOSS,
    BOSS_ASKS,
    EVENT_CHANNEL,
    Threads,
    announced,
    drive,
    duels,
    open_tables,
    play_on,
    play_round,
    player,
    started,
    tables,
)
from tests.host.people import ADA, BEN, GUILD, SettableClock, click, refused, start_game
from tournaments.lasting.ratings import Scale
from tournaments.specification import Parameters


async def test_who_comes_too_late_to_have_room_waits(host: Host) -> None:
    event = await announced(host, duels(most=4), 6)
    assert [entry.waiting for entry in event.entries] == [False] * 4 + [True] * 2
    await host.events.sign_up.leave(event.code, player(1).user_id, click())
    after = await host.events.reader.view(event.code)
    assert [entry.person.name for entry in after.playing] == ["P0", "P2", "P3", "P4"]


@pytest.mark.sqlite
async def test_who_waits_and_is_there_plays_instead_of_who_did_not_check_in(host: Host) -> None:
    event = await announced(host, duels(most=4), 6)
    await host.events.starts.begin_check_in(event.code, BOSS_ASKS, click())
    for number in (0, 1, 2, 4, 5):
        await host.events.sign_up.check_in(event.code, player(number).user_id, click())
    begun = await host.events.starts.start(event.code, BOSS_ASKS, click())
    assert begun.event is not None
    assert {entry.key for entry in begun.event.entries} == {str(player(number).user_id) for number in (0, 1, 2, 4)}


async def test_a_table_of_five_is_warned_of_where_bazaars_are_played(host: Host) -> None:
    plans = (tables(expansions=(BCB,)), tables(), duels(expansions=(BCB,)))
    assert [(await announced(host, plan, 5)).warnings for plan in plans] == [("table-of-five",), (), ()]
    assert (await announced(host, plans[0], 6)).warnings == ()


async def test_a_press_that_comes_twice_does_it_once(host: Host) -> None:
    event, press = await announced(host, duels()), click()
    for _ in range(2):
        assert len((await host.events.sign_up.join(event.code, player(1), GUILD, press)).entries) == 1
    with refused(ErrorCode.ENTERED_ALREADY):
        await host.events.sign_up.join(event.code, player(1), GUILD, click())


@pytest.mark.repeats_on_postgresql
async def test_who_does_not_see_the_channel_does_not_play(host: Host, clock: SettableClock) -> None:
    blind = {player(2).user_id}

    async def sees(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id not in blind

    event = await announced(host, duels(), 2)
    host.events.access.sees = sees
    with refused(ErrorCode.NO_ACCESS):
        await host.events.sign_up.join(event.code, player(2), GUILD, click())
    for number in (3, 4, 5):
        await host.events.sign_up.join(event.code, player(number), GUILD, click())
    await host.events.starts.begin_check_in(event.code, BOSS_ASKS, click())
    for number in (0, 1, 3, 4, 5):
        await host.events.sign_up.check_in(event.code, player(number).user_id, click())
    blind |= {player(4).user_id, player(5).user_id}
    with refused(ErrorCode.NO_ACCESS):
        await host.events.sign_up.check_in(event.code, player(4).user_id, click())
    blind.remove(player(4).user_id)
    begun = await host.events.starts.start(event.code, BOSS_ASKS, click())
    assert sorted(entry.person.name for entry in begun.playing if entry.number is not None) == ["P0", "P1", "P3", "P4"]
    threads = Threads(host)
    await drive(host, clock, threads, 5)
    blind.add(player(0).user_id)
    await play_round(host, clock, threads, event.code)
    await drive(host, clock, threads, 3)
    entry = (await host.events.reader.view(event.code)).entry_of(player(0).user_id)
    assert entry is not None
    assert entry.gone


@pytest.mark.sqlite
async def test_the_server_of_a_player_is_where_he_pressed_join(host: Host) -> None:
    """By that who comes from the same one is kept apart, where asked."""
    event = await announced(host, duels(), 2)
    for number in (2, 3):
        await host.events.sign_up.join(event.code, player(number), GUILD + 1, click())
    begun = await host.events.starts.start(event.code, BOSS_ASKS, click())
    assert begun.event is not None
    parties = {entry.key: entry.party for entry in begun.event.specification.entries}
    assert parties == {str(player(number).user_id): str(GUILD + number // 2) for number in range(4)}


async def test_check_in_begins_by_itself_and_who_is_not_there_does_not_start(host: Host, clock: SettableClock) -> None:
    plan = duels(starts_at=clock.now() + timedelta(hours=30), check_in_hours=24)
    event = await announced(host, plan, 6)
    with refused(ErrorCode.NO_CHECK_IN):
        await host.events.sign_up.check_in(event.code, player(0).user_id, click())
    clock.advance(7 * 3600)
    await host.timer_dispatcher.work()
    assert (await host.events.reader.view(event.code)).state is EventState.CHECK_IN
    for number in range(5):
        await host.events.sign_up.check_in(event.code, player(number).user_id, click())
    clock.advance(24 * 3600)
    await host.timer_dispatcher.work()
    view = await host.events.reader.view(event.code)
    assert view.state is EventState.RUNNING
    assert view.event is not None
    assert len(view.event.specification.entries) == 5


@pytest.mark.repeats_on_postgresql
async def test_who_plays_as_many_games_as_he_may_enters_no_event_and_who_has_a_place_plays_all_its_games(
    host: Host, clock: SettableClock
) -> None:
    await host.servers.set_games_of_member(BOSS_ASKS, 1)
    event = await announced(host, duels(parameters=Parameters(pace="fast", best_of=3)), 3)
    game = await start_game(host, ADA, BEN)
    with refused(ErrorCode.TOO_MANY_GAMES, player=ADA.name, most=1):
        await host.events.sign_up.join(event.code, ADA, GUILD, click())
    with refused(ErrorCode.TOO_MANY_GAMES, player=BEN.name, most=1):
        await host.events.ladder.enter(BEN, GUILD, EVENT_CHANNEL, Scale.DUEL)
    await host.moves.resign(game.id, ADA.user_id, click())
    await host.events.sign_up.join(event.code, ADA, GUILD, click())
    game = await start_game(host, ADA, BEN)
    await host.events.starts.begin_check_in(event.code, BOSS_ASKS, click())
    with refused(ErrorCode.TOO_MANY_GAMES, player=ADA.name, most=1):
        await host.events.sign_up.check_in(event.code, ADA.user_id, click())
    await host.moves.resign(game.id, ADA.user_id, click())
    for person in (ADA, *map(player, range(3))):
        await host.events.sign_up.check_in(event.code, person.user_id, click())
    await host.events.starts.start(event.code, BOSS_ASKS, click())
    await drive(host, clock, Threads(host), 10)
    assert len([table for table in await open_tables(host, event.code) if ADA in table.people]) == 2
    with refused(ErrorCode.TOO_MANY_GAMES, player=ADA.name, most=1):
        await start_game(host, ADA, BEN)


async def test_too_few_are_told_and_nothing_starts(host: Host, clock: SettableClock) -> None:
    event = await announced(host, duels(starts_at=clock.now() + timedelta(hours=1)), 3)
    clock.advance(3700)
    await host.timer_dispatcher.work()
    assert (await host.events.reader.view(event.code)).state is EventState.OPEN
    posts = [await host.events.posts.sent(post.id, 1) or post.kind for post in await host.events.posts.due()]
    [told] = await host.events.posts.due()
    assert [*posts, told.kind] == ["announced", "too_few"]
    assert told.details == {REFUSED: "too_few_entries", "entries": 3, "least": 4}
    with refused(ErrorCode.TOO_FEW_ENTRIES, entries=3, least=4):
        await host.events.starts.start(event.code, BOSS_ASKS, click())


@pytest.mark.repeats_on_postgresql
async def test_late_joiners_play_from_the_next_round_on(host: Host, clock: SettableClock) -> None:
    event = await started(host, duels(), 7)
    threads = Threads(host)
    await play_round(host, clock, threads, event.code)
    await host.events.sign_up.join(event.code, player(9), GUILD, click())
    await play_round(host, clock, threads, event.code)
    late = (await host.events.reader.view(event.code)).entry_of(player(9).user_id)
    assert late is not None
    assert late.number == 7
    cup = await started(host, tables(format="league"), 4)
    with refused(ErrorCode.SIGN_UP_CLOSED):
        await host.events.sign_up.join(cup.code, player(9), GUILD, click())


async def test_refusals_of_what_makes_no_sense(host: Host) -> None:
    with refused(ErrorCode.NOT_MANAGER):
        await host.events.plans.create("Cup", duels(), BOSS, Asker(BOSS.user_id, GUILD), 1, click())
    await host.servers.set_organisers(BOSS_ASKS, 7)
    with refused(ErrorCode.NOT_EVENT_CREATOR, role=7):
        await host.events.plans.create("Cup", duels(), BOSS, Asker(BOSS.user_id, GUILD, frozenset({8})), 1, click())
    with refused(ErrorCode.BAD_PLAN, reason="unknown-format"):
        await host.events.plans.create("Cup", duels(format="chess"), BOSS, BOSS_ASKS, 1, click())
    with refused(ErrorCode.BAD_PLAN):
        await host.events.plans.create("Cup", "no-profile", BOSS, BOSS_ASKS, 1, click())
    for large in (Parameters(rounds=33), Parameters(boards=21)):
        with refused(ErrorCode.BAD_PLAN, reason="too-large", rounds=32, boards=20):
            await host.events.plans.create("Cup", duels(parameters=large), BOSS, BOSS_ASKS, 1, click())
    with refused(ErrorCode.UNKNOWN_EVENT):
        await host.events.sign_up.join("NOPE", player(1), GUILD, click())
    event = await announced(host, duels(), 3)
    with refused(ErrorCode.TOO_FEW_ENTRIES, entries=3, least=4):
        await host.events.starts.start(event.code, BOSS_ASKS, click())
    await host.events.plans.set_plan(event.code, BOSS_ASKS, event.plan, click())
    assert [line.kind for line in await host.events.reader.audit(event.code)] == ["created", "announced"]
    with refused(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.starts.start(event.code, Asker(BOSS.user_id, GUILD + 1), click())
    with refused(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.starts.start(event.code, Asker(player(1).user_id, GUILD, manages=True), click())
    await host.events.sign_up.join(event.code, player(3), GUILD, click())
    await host.events.starts.start(event.code, BOSS_ASKS, click())
    with refused(ErrorCode.EVENT_STARTED):
        await host.events.plans.set_plan(event.code, BOSS_ASKS, duels(), click())
    with refused(ErrorCode.EVENT_STARTED):
        await host.events.starts.start(event.code, BOSS_ASKS, click())
    with refused(ErrorCode.NOT_ENTERED):
        await host.events.sign_up.leave(event.code, 77, click())


async def test_after_a_week_the_managers_inherit(host: Host, clock: SettableClock) -> None:
    event = await started(host, duels(), 4)
    manager = Asker(321, GUILD, manages=True)
    assert not await host.events.reader.organises(event.code, manager)
    clock.advance(7 * 24 * 3600 + 60)
    assert (await host.events.reader.view(event.code)).inherited
    assert await host.events.reader.organises(event.code, manager)
    assert not await host.events.reader.organises(event.code, Asker(321, GUILD))
    await host.timer_dispatcher.work()
    await host.events.deadlines.extend(event.code, BOSS_ASKS, (1, 1), 3, "he is back", click())
    assert not await host.events.reader.organises(event.code, manager)


@pytest.mark.sqlite
async def test_rounds_side_by_side_open_together_when_an_organiser_opens_the_first(
    host: Host, clock: SettableClock
) -> None:
    plan = tables(format="tables", rounds="organiser", parameters=Parameters(pace="live", rounds=3, final="none"))
    event = await started(host, plan, 4)
    threads = Threads(host)
    await drive(host, clock, threads, 3)
    assert not threads.opened
    await host.events.organising.open_round(event.code, BOSS_ASKS, click())
    await drive(host, clock, threads, 12)
    assert len(threads.opened) == 3


@pytest.mark.sqlite
async def test_the_length_that_is_promised_knows_who_opens_rounds(host: Host) -> None:
    """Two rounds of two weeks, a day before each, and a week where one may wait so long for an organiser."""
    for rounds, weeks in (("auto", 5), ("organiser", 7)):
        assert (await announced(host, duels(rounds=rounds), 4)).promised_weeks == weeks


@pytest.mark.parametrize("rounds", ["organiser", "auto"])
async def test_rounds_open_by_themselves_or_by_the_organiser(host: Host, clock: SettableClock, rounds: str) -> None:
    event = await started(host, duels(rounds=rounds), 4)
    threads = Threads(host)
    await drive(host, clock, threads, 3)
    waits = (await host.events.reader.view(event.code)).waits_since is not None
    assert waits is (rounds == "organiser")
    if waits:
        await host.events.organising.open_round(event.code, BOSS_ASKS, click())
        await drive(host, clock, threads, 5)
        assert len(threads.opened) == 2
        with refused(ErrorCode.NO_ROUND_DUE):
            await host.events.organising.open_round(event.code, BOSS_ASKS, click())
        await play_round(host, clock, threads, event.code)
        clock.advance(8 * 24 * 3600)
        await drive(host, clock, threads, 6)
    assert len(threads.opened) == (4 if waits else 2)


async def test_who_is_forgotten_leaves_and_stands_nowhere(host: Host, clock: SettableClock) -> None:
    event = await started(host, duels(), 6)
    threads = Threads(host)
    await play_round(host, clock, threads, event.code)
    gone = player(2).user_id
    assert await host.erasure.everything(gone)
    await host.erasure.forget(gone)
    assert not any((await host.erasure.everything(gone)).values())
    view = await host.events.reader.view(event.code)
    assert view.entry_of(gone) is None
    assert view.event is not None
    assert len(view.event.gone) == 1
    assert str(gone) not in await host.events.exports.as_json(event.code)
    await play_round(host, clock, threads, event.code)
    assert len(await host.events.reader.standings(event.code)) == 6


async def test_without_the_dutch_system_other_formats_go_on(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.duels.dutch.PY4SWISS_INSTALLED", False)
    with refused(ErrorCode.BAD_PLAN, reason="no-dutch-pairing"):
        await announced(host, duels())
    assert (await announced(host, tables())).state is EventState.OPEN


@pytest.mark.repeats_on_postgresql
async def test_a_season_begins_with_the_divisions_of_the_one_before(host: Host, clock: SettableClock) -> None:
    plan = duels(format="duel-league", parameters=Parameters(pace="fast", pool=4), moving=1, seeding="lot")
    first = await started(host, plan, 8)
    over = await play_on(host, clock, Threads(host), first.code)
    ranks = {line.name: line.rank for line in await host.events.reader.standings(first.code)}
    later = {**vars_of(plan), "moving": 3}  # how many move was said on the card of the season that was played
    again = await announced(host, duels(**later, season_of=over.code), 8)
    begun = await host.events.starts.start(again.code, BOSS_ASKS, click())
    assert begun.event is not None
    upper = {begun.name_of(number) for number in range(4)}
    assert upper == {name for name, rank in ranks.items() if rank in {1, 2, 3, 5}}
    running = await announced(host, duels(**vars_of(plan), season_of=again.code), 8)
    with refused(ErrorCode.BAD_PLAN, reason="season-not-over"):
        await host.events.starts.start(running.code, BOSS_ASKS, click())


def vars_of(plan: EventPlan) -> dict[str, object]:
    return {"format": plan.format, "parameters": plan.parameters, "moving": plan.moving, "seeding": plan.seeding}


async def test_players_who_are_called_the_same_are_told_apart(host: Host) -> None:
    """By the last digits of their ids, and alike wherever an event names them; who waits is one of them."""
    event = await announced(host, duels(most=4), 2)
    alike = [Person(81234, "Ana"), Person(95678, "ana"), Person(11111, "ANA")]
    for person in alike:
        await host.events.sign_up.join(event.code, person, GUILD, click())
    view = await host.events.starts.start(event.code, BOSS_ASKS, click())
    called = ["Ana #1234", "ana #5678", "ANA #1111"]
    assert [view.called(person) for person in alike] == called
    playing = {player(0).name, player(1).name, *called[:2]}
    assert set(map(view.name_of, range(4))) == playing
    assert {line.name for line in await host.events.reader.standings(event.code)} == playing
    assert {line["name"] for line in json.loads(await host.events.exports.as_json(event.code))["standings"]} == playing
    await host.events.driver.drive(event.id)
    games = csv.DictReader(io.StringIO(await host.events.exports.games_csv(event.code)))
    assert {line["player"] for line in games} == playing

    async def sees(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != 81234

    host.events.access.sees = sees
    for code, person, name in (
        (ErrorCode.PLAYS_THERE, alike[1], called[1]),
        (ErrorCode.MEMBER_NO_ACCESS, alike[0], called[0]),
    ):
        with refused(code, player=name):
            await host.events.organising.replace(event.code, BOSS_ASKS, player(0).user_id, person, GUILD, click())
