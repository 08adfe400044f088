"""Replacing a player, or going on without: who is asked, what silence means, and what a substitute gets."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from engine import Resign
from host import Asker, ErrorCode, Game, GameStatus, Host, Person, PostKind, RequestState
from host.clocks import PACES
from host.votes.votes import REPEAT_INTERVAL
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    GUILD,
    STRANGER,
    SettableClock,
    click_id,
    expect_error,
    play_out,
    play_plies,
    play_random_action,
    start_game,
)
from tests.host.test_clocks import advance_with_heartbeat, clocks_of, open_game, post_all

DORA = Person(104, "Dora")
DAY = timedelta(days=1).total_seconds()
MANAGER = Asker(500, GUILD, manages=True)


def asker(person: Person) -> Asker:
    return Asker(person.user_id, GUILD)


async def answer(host: Host, game: Game, request_id: int, user_id: int, *, agrees: bool = True) -> RequestState:
    return (await host.votes.answer(game.id, request_id, user_id, click_id(), agrees=agrees)).request.state


async def begun(host: Host, plies: int = 8) -> Game:
    """A game of three in which everybody has acted."""
    game = await start_game(host)
    await play_plies(host, game.id, plies)
    return await host.games.get(game.id)


@pytest.mark.repeats_on_postgresql
async def test_all_who_are_asked_agree_and_somebody_else_sits_there(host: Host, new_host: NewHost) -> None:
    game = await begun(host)
    seat = game.seat_of(BEN.user_id)
    assert seat is not None
    asked = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
    assert set(asked.voters) == {BEN.user_id, CLEO.user_id, DORA.user_id}
    await play_random_action(host, game.id, Random(9))  # a move does not end it
    for user_id in (CLEO.user_id, DORA.user_id):
        assert await answer(host, game, asked.id, user_id) is RequestState.OPEN
    before = await host.games.table(game.id)
    assert await answer(host, game, asked.id, BEN.user_id) is RequestState.GRANTED
    for one in (host, await new_host()):
        table = await one.games.table(game.id)
        assert table.game.seats[seat] == DORA
        assert table.log == before.log
        assert table.game.revision == before.game.revision + 1
        (told,) = await one.seats.substitutions(game.id)
        assert (told.seat, told.before, told.after, told.ply) == (seat, BEN, DORA, table.game.ply)
        assert [line.code for line in await one.game_lists.of_user(DORA.user_id)] == [game.code]
        assert await one.game_lists.of_user(BEN.user_id) == []
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.moves.resign(game.id, BEN.user_id, click_id())
    table = await host.games.table(game.id)
    mover, action = table.game.seats[table.position.player], next(iter(table.position.legal_actions))
    with expect_error(ErrorCode.STALE):
        await host.moves.act(game.id, mover.user_id, before.game.revision, [action], click_id())
    posts = []
    while due := await host.outbox.due():
        for post in due:
            posts.append(post)
            await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, 1000 + post.id)
    assert [post.kind for post in posts].count(PostKind.REPLACED) == 1
    assert posts[-1].kind is PostKind.REPLACED
    await play_out(host, game.id)


async def test_a_no_of_anybody_ends_it(host: Host, clock: SettableClock) -> None:
    game = await begun(host)
    for user_id in (BEN.user_id, CLEO.user_id, DORA.user_id, ADA.user_id):
        asked = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
        assert await answer(host, game, asked.id, user_id, agrees=False) is RequestState.DECLINED
        with expect_error(ErrorCode.ASKED_LATELY):
            await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
        clock.advance(REPEAT_INTERVAL.total_seconds())
    assert (await host.games.get(game.id)).seats == game.seats


async def test_silence_is_a_no(host: Host, clock: SettableClock) -> None:
    game = await begun(host)
    asked = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
    for user_id in (BEN.user_id, DORA.user_id):
        await answer(host, game, asked.id, user_id)
    clock.advance(DAY)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).seats == game.seats
    with expect_error(ErrorCode.REQUEST_GONE):
        await answer(host, game, asked.id, CLEO.user_id)


async def waited_for(host: Host, clock: SettableClock) -> tuple[Game, Person, Person, Person]:
    """A game without a clock that has waited two weeks; for whom, and the two others."""
    game = await begun(host)
    clock.advance(14 * DAY)
    absent = game.person_to_act
    assert absent is not None
    first, second = (person for person in game.seats if person != absent)
    return game, absent, first, second


async def test_who_was_waited_for_for_two_weeks_is_not_asked(host: Host, clock: SettableClock) -> None:
    """Nobody acted within a week, so nobody but the substitute has to agree."""
    game, absent, first, _ = await waited_for(host, clock)
    asked = await host.substitutions.request(game.id, asker(first), absent.user_id, click_id(), substitute=DORA)
    assert asked.voters == (DORA.user_id,)
    assert await answer(host, game, asked.id, DORA.user_id) is RequestState.GRANTED
    after = await host.games.get(game.id)
    assert after.person_to_act == DORA


async def test_silence_is_a_yes_to_replacing_who_ran_out_of_time(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    clock.advance(60)
    await post_all(host)
    late = (await host.games.get(game.id)).person_to_act
    assert late is not None
    while (await host.games.get(game.id)).ply == 0:
        await advance_with_heartbeat(host, clock, DAY / 2)
        await host.timer_dispatcher.work()
    assert (await host.games.table(game.id)).log[-1].user_id == 0
    one, other = (person for person in game.seats if person != late)
    await post_all(host)
    for _ in range(3):
        table = await host.games.table(game.id)
        if table.game.person_to_act == late:
            break
        await play_random_action(host, game.id, Random(1))
        await post_all(host)
    asked = await host.substitutions.request(game.id, asker(one), late.user_id, click_id(), substitute=DORA)
    assert late.user_id not in asked.voters
    assert await answer(host, game, asked.id, DORA.user_id) in {RequestState.OPEN, RequestState.GRANTED}
    await advance_with_heartbeat(host, clock, DAY)
    await host.timer_dispatcher.work()
    after = await host.games.get(game.id)
    assert DORA in after.seats, other
    seat = after.seat_of(DORA.user_id)
    assert seat is not None
    fresh = (await clocks_of(host, game))[seat]
    assert (fresh.granted, fresh.used, fresh.timeouts) == (PACES["standard"].bank, 0, 0)


async def test_the_silence_of_the_substitute_is_never_a_yes(host: Host, clock: SettableClock) -> None:
    game, absent, first, second = await waited_for(host, clock)
    asked = await host.substitutions.request(game.id, asker(first), absent.user_id, click_id(), substitute=DORA)
    clock.advance(DAY)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).seats == game.seats
    assert asked.voters == (DORA.user_id,), second


async def test_plans_go_with_the_player_and_notes_stay_his(host: Host) -> None:
    game = await begun(host)
    await host.notes.set(game, BEN.user_id, "mine")
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("insert into plans (game_id, user_id, text, at) values (1, 102, 'x', 0)")
    asked = await host.substitutions.request(game.id, asker(BEN), BEN.user_id, click_id(), substitute=DORA)
    for user_id in asked.voters:
        await answer(host, game, asked.id, user_id)
    assert [await host.moves.planned(game, user.user_id) for user in (BEN, DORA)] == ["", ""]
    assert await host.notes.get(await host.games.get(game.id), DORA.user_id) == ""


async def test_a_move_that_waits_is_published_before(host: Host, clock: SettableClock) -> None:
    game = await begun(host)
    mover = game.person_to_act
    assert mover is not None
    asked = await host.substitutions.request(game.id, asker(mover), mover.user_id, click_id(), substitute=DORA)
    table = await host.games.table(game.id)
    action = next(iter(table.position.legal_actions))
    await host.moves.act(
        game.id, mover.user_id, table.game.revision, [action], click_id(), window=timedelta(seconds=60)
    )
    for user_id in asked.voters:
        await answer(host, game, asked.id, user_id)
    after = await host.games.table(game.id)
    assert (after.log[game.ply].action, after.log[game.ply].user_id) == (action, mover.user_id)
    assert DORA in after.game.seats
    clock.advance(60)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == after.game.ply


async def test_going_on_without_somebody(host: Host) -> None:
    game = await begun(host)
    asked = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id())
    assert set(asked.voters) == {BEN.user_id, CLEO.user_id}
    for user_id in asked.voters:
        await answer(host, game, asked.id, user_id)
    table = await host.games.table(game.id)
    seat = game.seat_of(BEN.user_id)
    assert seat is not None
    assert (table.log[-1].action, table.log[-1].user_id) == (Resign(seat), ADA.user_id)
    assert not table.game.plays(BEN.user_id)


async def test_a_duel_that_waited_for_two_weeks_is_ended_by_the_other(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await play_plies(host, game.id, 3)
    game = await host.games.get(game.id)
    absent = game.person_to_act
    assert absent is not None
    other = next(person for person in game.seats if person != absent)
    asked = await host.substitutions.draft(game.id, asker(other), absent.user_id)
    assert asked.voters == (absent.user_id,)
    clock.advance(14 * DAY)
    done = await host.substitutions.request(game.id, asker(other), absent.user_id, click_id())
    assert (done.voters, done.state) == ((), RequestState.GRANTED)
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


async def test_an_organiser_asks_nobody_but_the_substitute(host: Host) -> None:
    game = await begun(host)
    asked = await host.substitutions.request(game.id, MANAGER, BEN.user_id, click_id(), substitute=DORA)
    assert asked.voters == (DORA.user_id,)
    assert await answer(host, game, asked.id, DORA.user_id) is RequestState.GRANTED
    done = await host.substitutions.request(game.id, MANAGER, DORA.user_id, click_id())
    assert done.state is RequestState.GRANTED
    assert not (await host.games.get(game.id)).plays(DORA.user_id)


async def test_a_manager_who_plays_asks_like_everybody(host: Host) -> None:
    game = await begun(host)
    ada = Asker(ADA.user_id, GUILD, manages=True)
    asked = await host.substitutions.draft(game.id, ada, BEN.user_id)
    assert set(asked.voters) == {BEN.user_id, CLEO.user_id}


async def test_what_is_refused(host: Host) -> None:
    game = await begun(host)
    with expect_error(ErrorCode.NOT_ORGANISER, code=game.code):
        await host.substitutions.request(game.id, asker(STRANGER), BEN.user_id, click_id(), substitute=DORA)
    with expect_error(ErrorCode.NOT_ORGANISER):
        await host.substitutions.request(game.id, Asker(500, GUILD + 1, manages=True), BEN.user_id, click_id())
    with expect_error(ErrorCode.NOT_AT_TABLE, code=game.code):
        await host.substitutions.request(game.id, asker(ADA), STRANGER.user_id, click_id())
    with expect_error(ErrorCode.OWN_SEAT, code=game.code):
        await host.substitutions.request(game.id, asker(ADA), ADA.user_id, click_id())
    with expect_error(ErrorCode.SEATED_ALREADY, player="Cleo"):
        await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=CLEO)
    pressed = click_id()
    asked = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, pressed, substitute=DORA)
    assert await host.substitutions.request(game.id, asker(ADA), BEN.user_id, pressed, substitute=DORA) == asked
    with expect_error(ErrorCode.ASKED_ALREADY):
        await host.substitutions.request(game.id, asker(CLEO), BEN.user_id, click_id(), substitute=STRANGER)
    with expect_error(ErrorCode.NOT_ASKED):
        await answer(host, game, asked.id, STRANGER.user_id)
    for user_id in asked.voters:
        await answer(host, game, asked.id, user_id)
    with expect_error(ErrorCode.SEATED_ALREADY, player="Ben"):
        await host.substitutions.request(game.id, asker(ADA), CLEO.user_id, click_id(), substitute=BEN)


@pytest.mark.parametrize("withdrawn", [False, True])
async def test_two_processes_let_it_happen_once(host: Host, new_host: NewHost, *, withdrawn: bool) -> None:
    game, other = await begun(host), await new_host()
    substitute = None if withdrawn else DORA
    asked = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=substitute)
    *most, last = asked.voters
    for user_id in most:
        await answer(host, game, asked.id, user_id)
    assert await answer(other, game, asked.id, last) is RequestState.GRANTED
    with expect_error(ErrorCode.REQUEST_GONE):
        await answer(host, game, asked.id, last)
    after = await other.games.get(game.id)
    assert after.revision == game.revision + 1
