"""Places that are closed to the bot: clocks stand still until a card is there again, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from host import Asker, ErrorCode, Game, Host, PostKind, Venue
from host.clocks import HOUR
from store import absences
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CHANNEL, CLEO, GUILD, THREAD, SettableClock, click_id, expect_error
from tests.host.test_clocks import (
    active_clock,
    advance_and_post,
    advance_with_heartbeat,
    clocks_of,
    decide,
    open_game,
    place_and_pass,
    post_all,
)
from tests.host.votes.test_pausing import ORGANISER
from tests.host.votes.test_substituting import DORA

DAY = timedelta(days=1).total_seconds()


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """Three at a table with a thread; who is asked has used an hour of the bank."""
    game = await open_game(host, ADA, BEN, CLEO, expansions=())
    await host.places.set_thread(game.id, THREAD)
    await post_all(host)
    await advance_and_post(host, clock, 9 * 3600, step=3600)
    return await host.games.get(game.id)


async def kinds_due(host: Host) -> list[PostKind]:
    """Of what kinds the posts are that are due, one after the other; each is taken as sent."""
    found = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, 1000 + post.id)
            found.append(post.kind)
    return found


async def is_closed(host: Host, game: Game) -> bool:
    async with host._store.reading() as tx:
        return await absences.closed_since(tx, game.id) is not None


@pytest.mark.repeats_on_postgresql
async def test_clocks_stand_still_until_a_card_is_there(host: Host, game: Game, clock: SettableClock) -> None:
    assert await host.places.close([game.id]) == 1
    assert all(one.held and one.since is None for one in await clocks_of(host, game))
    await advance_and_post(host, clock, 30 * DAY, step=DAY / 2)
    still = await active_clock(host, game)
    assert (still.used, still.timeouts, still.reminders) == (HOUR, 0, 0), "no zero, no reminder, no time lost"
    assert await host.places.reopen([game.id]) == 1
    times = await host.times.of(game)
    assert times is not None
    assert times.deadline == clock.in_seconds(71 * 3600), "what the card says when it lets the clocks go"
    assert await kinds_due(host) == [PostKind.REOPENED]
    going = await active_clock(host, game)
    assert (going.held, going.since, going.used, going.free) == (False, clock.now(), HOUR, 0)
    assert not await is_closed(host, game)
    await advance_and_post(host, clock, 72 * 3600, step=3600)
    assert sum(one.timeouts for one in await clocks_of(host, game)) == 1, "zero comes up again"


async def test_nothing_happens_twice(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    other = await new_host()
    assert [await one.places.close([game.id], tell=True) for one in (host, other, host)] == [1, 0, 0]
    assert await kinds_due(host) == [PostKind.SHUT]
    assert [await one.places.reopen([game.id]) for one in (other, host)] == [1, 0]
    assert await kinds_due(host) == [PostKind.REOPENED]
    assert await host.places.reopen([game.id]) == 0
    assert (await active_clock(host, game)).since == clock.now()


async def test_a_restart_in_between_changes_nothing(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    await host.places.close([game.id])
    clock.advance(5 * DAY)
    other = await new_host()
    await other.start()
    await advance_with_heartbeat(other, clock, 0)
    await other.gateway_monitor.beat()
    await other.timer_dispatcher.work()
    still = await active_clock(other, game)
    assert (still.held, still.used, still.given_back) == (True, HOUR, 0)
    assert await other.places.reopen([game.id]) == 1
    await kinds_due(other)
    assert (await active_clock(other, game)).since == clock.now()


async def test_who_moves_meanwhile_uses_no_time_and_the_card_of_that_lets_the_clocks_go(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await host.places.close([game.id])
    clock.advance(2 * DAY)
    seat = (await active_clock(host, game)).seat
    await decide(host, game, place_and_pass, clock.now())
    assert (await clocks_of(host, game))[seat].used == HOUR
    assert (await active_clock(host, game)).held
    clock.advance(DAY)
    assert await kinds_due(host) == [PostKind.CARD]
    following = await active_clock(host, game)
    assert (following.seat, following.held, following.since) == ((seat + 1) % 3, False, clock.now())


async def test_a_card_that_has_to_be_posted_anew_comes_in_the_new_place(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await host.places.close([game.id], tell=True)
    clock.advance(DAY)
    await host.places.move_here(game.id, game.seats[0].user_id, Venue(CHANNEL + 7))
    (shut,) = await host.outbox.due()
    assert await host.places.drop_late(shut), "nobody has to be told any more"
    (post,) = await host.outbox.due()
    assert (post.kind, post.game.place) == (PostKind.REOPENED, CHANNEL + 7)
    await host.outbox.sent(post.id, 2)
    assert (await active_clock(host, game)).since == clock.now()


async def test_what_has_been_overtaken_is_never_sent(host: Host, game: Game) -> None:
    await host.places.close([game.id], tell=True)
    (shut,) = await host.outbox.due()
    await host.places.give_up(shut)
    await host.places.reopen([game.id])
    (card,) = await host.outbox.due()
    await host.outbox.failed(card.id, refused=True)
    await decide(host, game, place_and_pass, host._clock.now())
    (again,) = await host.outbox.due()
    assert (again.id, await host.places.drop_late(again)) == (card.id, True)
    assert await kinds_due(host) == [PostKind.CARD]
    assert not (await active_clock(host, game)).held


async def test_pauses_and_closed_places_do_not_end_each_other(host: Host, game: Game, clock: SettableClock) -> None:
    await host.places.close([game.id])
    await host.pauses.request(game.id, ORGANISER, 3, 1)
    await host.places.reopen([game.id])
    assert PostKind.REOPENED in await kinds_due(host)
    assert (await active_clock(host, game)).held, "the pause goes on"
    await host.places.close([game.id])
    await advance_and_post(host, clock, 4 * DAY, step=DAY)
    assert (await active_clock(host, game)).held == await is_closed(host, game)


async def test_before_a_zero_it_is_asked_whether_the_place_is_there(
    host: Host, game: Game, clock: SettableClock
) -> None:
    async def gone(of: Game) -> bool | None:
        assert of.guild_id == GUILD
        return False

    host.places.ask = gone
    await advance_and_post(host, clock, 5 * DAY, step=DAY / 4)
    assert await is_closed(host, game)
    found = await active_clock(host, game)
    assert (found.held, found.timeouts, found.left) == (True, 0, 0)


async def test_nobody_is_called_and_no_silence_agrees_meanwhile(host: Host, game: Game, clock: SettableClock) -> None:
    seat = (await active_clock(host, game)).seat
    person = game.seats[seat].user_id
    await decide(host, game, place_and_pass, clock.now())
    await post_all(host)
    late, now = (await active_clock(host, game)), await host.games.get(game.id)
    await host.turn_reminders.remind_in(now, now.seats[late.seat].user_id, now.revision, 3)
    request = await host.substitutions.request(
        game.id, Asker(person, GUILD), now.seats[late.seat].user_id, click_id(), substitute=DORA
    )
    await post_all(host)
    await host.votes.answer(game.id, request.id, DORA.user_id, click_id(), agrees=True)
    async with host._store.writing() as tx:  # so that silence would be a yes
        await absences.add_departure(tx, game.id, now.seats[late.seat].user_id, clock.now())
    await host.places.close([game.id])
    await advance_and_post(host, clock, 3 * DAY, step=DAY / 8)
    assert PostKind.REMINDER not in await kinds_due(host)
    assert DORA not in (await host.games.get(game.id)).seats
    assert (await active_clock(host, game)).used == late.used


async def test_tables_without_clocks_are_closed_and_opened_as_well(host: Host) -> None:
    plain = await open_game(host, ADA, BEN, pace="none")
    await host.places.set_thread(plain.id, THREAD)
    await post_all(host)
    assert await host.places.close([plain.id], tell=True) == 1
    assert [found.id for found in await host.places.unfinished_at(guild_id=GUILD)] == [plain.id]
    assert await kinds_due(host) == [PostKind.SHUT]
    assert await host.places.reopen([plain.id]) == 1
    assert await kinds_due(host) == [PostKind.REOPENED]
    assert not await is_closed(host, plain)


async def test_games_are_found_by_place_and_server(host: Host, game: Game) -> None:
    for place in (THREAD, CHANNEL):
        assert [found.id for found in await host.places.unfinished_at(place_id=place)] == [game.id]
    assert await host.places.unfinished_at(place_id=5) == []
    assert await host.places.servers() == {GUILD}


async def test_a_game_goes_on_in_another_server_of_which_all_are_members(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    other, everybody = await new_host(), frozenset(person.user_id for person in game.seats)
    await other.games.table(game.id)
    elsewhere = Venue(77, within=(70,), guild_id=GUILD + 1, members=everybody - {BEN.user_id})
    with expect_error(ErrorCode.NOT_MEMBERS, players="Ben"):
        await host.places.move_here(game.id, ADA.user_id, elsewhere)
    await host.places.close([game.id])
    moved = await host.places.move_here(game.id, ADA.user_id, replace(elsewhere, members=everybody))
    assert (moved.guild_id, moved.channel_id, moved.place) == (GUILD + 1, 70, 77)
    assert (await other.games.snapshot(game.code)).game == moved, "a table in another process' memory, too"
    assert await kinds_due(host) == [PostKind.REOPENED]
    assert (await active_clock(host, game)).since == clock.now()
    assert await host.places.servers() == {GUILD + 1}


async def test_who_had_left_the_old_server_is_there_again(host: Host, game: Game, clock: SettableClock) -> None:
    async def gone(guild_id: int, user_id: int) -> bool | None:
        return guild_id != GUILD or user_id != BEN.user_id

    host.membership.ask = gone
    await advance_and_post(host, clock, DAY + 3600, step=DAY / 4)
    times = await host.times.of(game)
    assert times is not None
    assert times.gone == (BEN.user_id,)
    everybody = frozenset(person.user_id for person in game.seats)
    await host.places.move_here(game.id, ADA.user_id, Venue(77, guild_id=GUILD + 1, members=everybody))
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.gone == ()


async def test_limits_are_those_of_the_new_server(new_host: NewHost) -> None:
    host = await new_host(games_of_guild=1)
    game = await open_game(host, ADA, BEN)
    everybody = frozenset(person.user_id for person in game.seats)
    await host.places.move_here(game.id, ADA.user_id, Venue(77, guild_id=GUILD + 1, members=everybody))
    second = await open_game(host, ADA, BEN)
    with expect_error(ErrorCode.TOO_MANY_GAMES_HERE, most=1):
        await host.places.move_here(second.id, ADA.user_id, Venue(78, guild_id=GUILD + 1, members=everybody))


async def test_a_card_that_stands_elsewhere_keeps_the_clocks_going(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await host.places.close([game.id])
    await decide(host, game, place_and_pass, clock.now())
    (card,) = await host.outbox.due()
    await host.outbox.sending(card.id)
    await host.outbox.sent(card.id, 7, elsewhere=True)
    assert (await active_clock(host, game)).since == clock.now()
    assert await host.places.close([game.id], tell=True) == 0, "the place is still closed, and that is known"
    assert await host.places.reopen([game.id]) == 0
    assert (await active_clock(host, game)).since == clock.now()
    await host.places.move_here(game.id, ADA.user_id, Venue(CHANNEL + 7))
    assert await host.places.close([game.id]) == 1, "that is another place"
    await host.places.reopen([game.id])
    (card,) = await host.outbox.due()
    await host.outbox.sent(card.id, 8, elsewhere=True)
    assert await host.places.close([game.id], anywhere=True) == 1, "now a card was refused there, too"
    assert (await active_clock(host, game)).held
    clock.advance(60)
    await host.places.reopen([game.id])
    assert await kinds_due(host) == [PostKind.REOPENED]
    assert not (await active_clock(host, game)).held
