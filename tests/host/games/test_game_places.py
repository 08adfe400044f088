"""Channels and threads that the bot cannot post in any more: a game's clocks are held until a card is posted again.

A game's place is reopened by regained access or by moving the game, also to another server.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from host import Asker, ErrorCode, Game, Host, PostKind, Venue
from host.clocks import HOUR
from store import absences
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    CLEO,
    GUILD,
    THREAD,
    SettableClock,
    click_id,
    expect_error,
    send_due_posts,
)
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

DAY_SECONDS = timedelta(days=1).total_seconds()


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """A game of three players in a thread; the player to move has used an hour of the bank."""
    game = await open_game(host, ADA, BEN, CLEO, expansions=())
    await host.places.set_thread(game.id, THREAD)
    await post_all(host)
    await advance_and_post(host, clock, 9 * 3600, step=3600)
    return await host.games.get(game.id)


async def is_closed(host: Host, game: Game) -> bool:
    """Return whether the place of a game is stored as closed."""
    async with host._store.reading() as tx:
        return await absences.closed_since(tx, game.id) is not None


async def test_clocks_are_held_until_a_card_is_posted(host: Host, game: Game, clock: SettableClock) -> None:
    assert await host.places.close([game.id]) == 1
    assert all(seat_clock.held and seat_clock.since is None for seat_clock in await clocks_of(host, game))
    await advance_and_post(host, clock, 30 * DAY_SECONDS, step=DAY_SECONDS / 2)
    held_clock = await active_clock(host, game)
    assert (held_clock.used, held_clock.timeouts, held_clock.reminders) == (HOUR, 0, 0), (
        "no timeout, no reminder, no time lost"
    )
    assert await host.places.reopen([game.id]) == 1
    times = await host.times.of(game)
    assert times is not None
    assert times.deadline == clock.in_seconds(71 * 3600), "the deadline that the card shows when it releases the clocks"
    assert await send_due_posts(host) == [PostKind.REOPENED]
    going = await active_clock(host, game)
    assert (going.held, going.since, going.used, going.free) == (False, clock.now(), HOUR, 0)
    assert not await is_closed(host, game)
    await advance_and_post(host, clock, 72 * 3600, step=3600)
    assert sum(seat_clock.timeouts for seat_clock in await clocks_of(host, game)) == 1, (
        "the timer of the timeout is set again"
    )


async def test_two_processes_close_and_reopen_a_place_once(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    other_host = await new_host()
    assert [await process.places.close([game.id], tell=True) for process in (host, other_host, host)] == [1, 0, 0]
    assert await send_due_posts(host) == [PostKind.SHUT]
    assert [await process.places.reopen([game.id]) for process in (other_host, host)] == [1, 0]
    assert await send_due_posts(host) == [PostKind.REOPENED]
    assert await host.places.reopen([game.id]) == 0
    assert (await active_clock(host, game)).since == clock.now()


async def test_a_place_stays_closed_across_a_restart(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    await host.places.close([game.id])
    clock.advance(5 * DAY_SECONDS)
    other_host = await new_host()
    await other_host.start()
    await advance_with_heartbeat(other_host, clock, 0)
    await other_host.gateway_monitor.beat()
    await other_host.timer_dispatcher.work()
    held_clock = await active_clock(other_host, game)
    assert (held_clock.held, held_clock.used, held_clock.given_back) == (True, HOUR, 0)
    assert await other_host.places.reopen([game.id]) == 1
    await send_due_posts(other_host)
    assert (await active_clock(other_host, game)).since == clock.now()


async def test_a_move_meanwhile_costs_no_time_and_its_card_releases_the_clocks(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await host.places.close([game.id])
    clock.advance(2 * DAY_SECONDS)
    seat = (await active_clock(host, game)).seat
    await decide(host, game, place_and_pass, clock.now())
    assert (await clocks_of(host, game))[seat].used == HOUR
    assert (await active_clock(host, game)).held
    clock.advance(DAY_SECONDS)
    assert await send_due_posts(host) == [PostKind.CARD]
    following = await active_clock(host, game)
    assert (following.seat, following.held, following.since) == ((seat + 1) % 3, False, clock.now())


async def test_the_card_is_posted_again_in_the_new_place(host: Host, game: Game, clock: SettableClock) -> None:
    await host.places.close([game.id], tell=True)
    clock.advance(DAY_SECONDS)
    await host.places.move_here(game.id, game.seats[0].user_id, Venue(CHANNEL + 7))
    (shut,) = await host.outbox.due()
    assert await host.places.drop_late(shut), "the notice is obsolete"
    (post,) = await host.outbox.due()
    assert (post.kind, post.game.place) == (PostKind.REOPENED, CHANNEL + 7)
    await host.outbox.record_sent(post.id, 2)
    assert (await active_clock(host, game)).since == clock.now()


async def test_obsolete_posts_are_dropped(host: Host, game: Game) -> None:
    await host.places.close([game.id], tell=True)
    (shut,) = await host.outbox.due()
    await host.outbox.drop(shut)
    await host.places.reopen([game.id])
    (card,) = await host.outbox.due()
    await host.outbox.record_failure(card.id, refused=True)
    await decide(host, game, place_and_pass, host._clock.now())
    (again,) = await host.outbox.due()
    assert (again.id, await host.places.drop_late(again)) == (card.id, True)
    assert await send_due_posts(host) == [PostKind.CARD]
    assert not (await active_clock(host, game)).held


async def test_pauses_and_closed_places_do_not_end_each_other(host: Host, game: Game, clock: SettableClock) -> None:
    await host.places.close([game.id])
    await host.pauses.request(game.id, ORGANISER, 3, 1)
    await host.places.reopen([game.id])
    assert PostKind.REOPENED in await send_due_posts(host)
    assert (await active_clock(host, game)).held, "the pause continues"
    await host.places.close([game.id])
    await advance_and_post(host, clock, 4 * DAY_SECONDS, step=DAY_SECONDS)
    assert (await active_clock(host, game)).held == await is_closed(host, game)


async def test_access_is_checked_before_a_timeout_is_declared(host: Host, game: Game, clock: SettableClock) -> None:
    async def has_no_access(of: Game) -> bool | None:
        assert of.guild_id == GUILD
        return False

    host.places.ask = has_no_access
    await advance_and_post(host, clock, 5 * DAY_SECONDS, step=DAY_SECONDS / 4)
    assert await is_closed(host, game)
    running_clock = await active_clock(host, game)
    assert (running_clock.held, running_clock.timeouts, running_clock.left) == (True, 0, 0)


async def test_a_closed_place_stops_reminders_and_tacit_consent(host: Host, game: Game, clock: SettableClock) -> None:
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
    async with host._store.writing() as tx:  # so that the player's silence would count as consent
        await absences.add_departure(tx, game.id, now.seats[late.seat].user_id, clock.now())
    await host.places.close([game.id])
    await advance_and_post(host, clock, 3 * DAY_SECONDS, step=DAY_SECONDS / 8)
    assert PostKind.REMINDER not in await send_due_posts(host)
    assert DORA not in (await host.games.get(game.id)).seats
    assert (await active_clock(host, game)).used == late.used


async def test_untimed_games_are_closed_and_reopened_too(host: Host) -> None:
    untimed = await open_game(host, ADA, BEN, pace="none")
    await host.places.set_thread(untimed.id, THREAD)
    await post_all(host)
    assert await host.places.close([untimed.id], tell=True) == 1
    assert [game.id for game in await host.places.unfinished_at(guild_id=GUILD)] == [untimed.id]
    assert await send_due_posts(host) == [PostKind.SHUT]
    assert await host.places.reopen([untimed.id]) == 1
    assert await send_due_posts(host) == [PostKind.REOPENED]
    assert not await is_closed(host, untimed)


async def test_games_are_found_by_place_and_server(host: Host, game: Game) -> None:
    for place in (THREAD, CHANNEL):
        assert [unfinished.id for unfinished in await host.places.unfinished_at(place_id=place)] == [game.id]
    assert await host.places.unfinished_at(place_id=5) == []
    assert await host.places.servers() == {GUILD}


async def test_a_game_moves_to_another_server_if_all_players_are_members(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    other, player_ids = await new_host(), frozenset(person.user_id for person in game.seats)
    await other.games.table(game.id)
    elsewhere = Venue(77, within=(70,), guild_id=GUILD + 1, members=player_ids - {BEN.user_id})
    with expect_error(ErrorCode.NOT_MEMBERS, players="Ben"):
        await host.places.move_here(game.id, ADA.user_id, elsewhere)
    await host.places.close([game.id])
    moved = await host.places.move_here(game.id, ADA.user_id, replace(elsewhere, members=player_ids))
    assert (moved.guild_id, moved.channel_id, moved.place) == (GUILD + 1, 70, 77)
    assert (await other.games.snapshot(game.code)).game == moved, "the table cached by another process, too"
    assert await send_due_posts(host) == [PostKind.REOPENED]
    assert (await active_clock(host, game)).since == clock.now()
    assert await host.places.servers() == {GUILD + 1}


async def test_a_player_missing_from_the_old_server_is_present_in_the_new_one(
    host: Host, game: Game, clock: SettableClock
) -> None:
    async def is_member(guild_id: int, user_id: int) -> bool | None:
        return guild_id != GUILD or user_id != BEN.user_id

    host.membership.ask = is_member
    await advance_and_post(host, clock, DAY_SECONDS + 3600, step=DAY_SECONDS / 4)
    times = await host.times.of(game)
    assert times is not None
    assert times.gone == (BEN.user_id,)
    player_ids = frozenset(person.user_id for person in game.seats)
    await host.places.move_here(game.id, ADA.user_id, Venue(77, guild_id=GUILD + 1, members=player_ids))
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.gone == ()


async def test_the_limits_of_the_new_server_apply(new_host: NewHost) -> None:
    host = await new_host(games_of_guild=1)
    game = await open_game(host, ADA, BEN)
    player_ids = frozenset(person.user_id for person in game.seats)
    await host.places.move_here(game.id, ADA.user_id, Venue(77, guild_id=GUILD + 1, members=player_ids))
    second = await open_game(host, ADA, BEN)
    with expect_error(ErrorCode.TOO_MANY_GAMES_HERE, most=1):
        await host.places.move_here(second.id, ADA.user_id, Venue(78, guild_id=GUILD + 1, members=player_ids))


@pytest.mark.both_databases
async def test_a_card_posted_elsewhere_keeps_the_clocks_running(host: Host, game: Game, clock: SettableClock) -> None:
    await host.places.close([game.id])
    await decide(host, game, place_and_pass, clock.now())
    (card,) = await host.outbox.due()
    await host.outbox.lease(card.id)
    await host.outbox.record_sent(card.id, 7, elsewhere=True)
    assert (await active_clock(host, game)).since == clock.now()
    assert await host.places.close([game.id], tell=True) == 0, "the place is known to be closed"
    assert await host.places.reopen([game.id]) == 0
    assert (await active_clock(host, game)).since == clock.now()
    await host.places.move_here(game.id, ADA.user_id, Venue(CHANNEL + 7))
    assert await host.places.close([game.id]) == 1, "a moved game has a new place, which can be closed"
    await host.places.reopen([game.id])
    (card,) = await host.outbox.due()
    await host.outbox.record_sent(card.id, 8, elsewhere=True)
    assert await host.places.close([game.id], anywhere=True) == 1, "a card was refused there, too"
    assert (await active_clock(host, game)).held
    clock.advance(60)
    await host.places.reopen([game.id])
    assert await send_due_posts(host) == [PostKind.REOPENED]
    assert not (await active_clock(host, game)).held
