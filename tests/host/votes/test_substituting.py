"""Votes on replacing or removing a player: the voters, the meaning of silence, and the substitute's clock and notes.

Voters are the other active players, the player concerned unless they were absent for two weeks, and the substitute.
"""

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
"""A possible substitute."""
DAY_SECONDS = timedelta(days=1).total_seconds()
MANAGER = Asker(500, GUILD, manages=True)
"""A member who manages the server."""


def asker(person: Person) -> Asker:
    """Return an asker without rights beyond their seat."""
    return Asker(person.user_id, GUILD)


async def answer(host: Host, game: Game, request_id: int, user_id: int, *, agrees: bool = True) -> RequestState:
    """Vote on a request; return its state afterwards."""
    return (await host.votes.answer(game.id, request_id, user_id, click_id(), agrees=agrees)).request.state


async def start_played_game(host: Host, plies: int = 8) -> Game:
    """Start a game of three players and play eight actions, so that each has acted."""
    game = await start_game(host)
    await play_plies(host, game.id, plies)
    return await host.games.get(game.id)


@pytest.mark.repeats_on_postgresql
@pytest.mark.usefixtures("few_tiles")
async def test_a_substitute_takes_the_seat_when_all_voters_agree(host: Host, new_host: NewHost) -> None:
    game = await start_played_game(host)
    seat = game.seat_of(BEN.user_id)
    assert seat is not None
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
    assert set(request.voters) == {BEN.user_id, CLEO.user_id, DORA.user_id}
    await play_random_action(host, game.id, Random(9))  # a move does not cancel the request
    for user_id in (CLEO.user_id, DORA.user_id):
        assert await answer(host, game, request.id, user_id) is RequestState.OPEN
    before = await host.games.table(game.id)
    assert await answer(host, game, request.id, BEN.user_id) is RequestState.GRANTED
    for process in (host, await new_host()):
        table = await process.games.table(game.id)
        assert table.game.seats[seat] == DORA
        assert table.log == before.log
        assert table.game.revision == before.game.revision + 1
        (change,) = await process.seats.substitutions(game.id)
        assert (change.seat, change.before, change.after, change.ply) == (seat, BEN, DORA, table.game.ply)
        assert [line.code for line in await process.game_lists.of_user(DORA.user_id)] == [game.code]
        assert await process.game_lists.of_user(BEN.user_id) == []
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
            await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 1000 + post.id)
    assert [post.kind for post in posts].count(PostKind.REPLACED) == 1
    assert posts[-1].kind is PostKind.REPLACED
    await play_out(host, game.id)


async def test_a_refusal_by_any_voter_or_the_asker_ends_the_request(host: Host, clock: SettableClock) -> None:
    game = await start_played_game(host)
    for user_id in (BEN.user_id, CLEO.user_id, DORA.user_id, ADA.user_id):
        request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
        assert await answer(host, game, request.id, user_id, agrees=False) is RequestState.DECLINED
        with expect_error(ErrorCode.ASKED_LATELY):
            await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
        clock.advance(REPEAT_INTERVAL.total_seconds())
    assert (await host.games.get(game.id)).seats == game.seats


async def test_silence_rejects_the_request(host: Host, clock: SettableClock) -> None:
    game = await start_played_game(host)
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=DORA)
    for user_id in (BEN.user_id, DORA.user_id):
        await answer(host, game, request.id, user_id)
    clock.advance(DAY_SECONDS)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).seats == game.seats
    with expect_error(ErrorCode.REQUEST_GONE):
        await answer(host, game, request.id, CLEO.user_id)


async def wait_two_weeks(host: Host, clock: SettableClock) -> tuple[Game, Person, Person, Person]:
    """Return an untimed game that has waited two weeks, the player it waits for, and the two others."""
    game = await start_played_game(host)
    clock.advance(14 * DAY_SECONDS)
    absent = game.person_to_act
    assert absent is not None
    first, second = (person for person in game.seats if person != absent)
    return game, absent, first, second


async def test_a_player_absent_for_two_weeks_has_no_vote(host: Host, clock: SettableClock) -> None:
    """Ask the substitute alone, as no other player has acted within a week."""
    game, absent, first, _ = await wait_two_weeks(host, clock)
    request = await host.substitutions.request(game.id, asker(first), absent.user_id, click_id(), substitute=DORA)
    assert request.voters == (DORA.user_id,)
    assert await answer(host, game, request.id, DORA.user_id) is RequestState.GRANTED
    after = await host.games.get(game.id)
    assert after.person_to_act == DORA


async def test_silence_agrees_to_replacing_a_timed_out_player(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    clock.advance(60)
    await post_all(host)
    late = (await host.games.get(game.id)).person_to_act
    assert late is not None
    while (await host.games.get(game.id)).ply == 0:
        await advance_with_heartbeat(host, clock, DAY_SECONDS / 2)
        await host.timer_dispatcher.work()
    assert (await host.games.table(game.id)).log[-1].user_id == 0
    first, second = (person for person in game.seats if person != late)
    await post_all(host)
    for _ in range(3):
        table = await host.games.table(game.id)
        if table.game.person_to_act == late:
            break
        await play_random_action(host, game.id, Random(1))
        await post_all(host)
    request = await host.substitutions.request(game.id, asker(first), late.user_id, click_id(), substitute=DORA)
    assert late.user_id not in request.voters
    assert await answer(host, game, request.id, DORA.user_id) in {RequestState.OPEN, RequestState.GRANTED}
    await advance_with_heartbeat(host, clock, DAY_SECONDS)
    await host.timer_dispatcher.work()
    after = await host.games.get(game.id)
    assert DORA in after.seats, second
    seat = after.seat_of(DORA.user_id)
    assert seat is not None
    fresh = (await clocks_of(host, game))[seat]
    assert (fresh.granted, fresh.used, fresh.timeouts) == (PACES["standard"].bank, 0, 0)


async def test_the_silence_of_the_substitute_never_agrees(host: Host, clock: SettableClock) -> None:
    game, absent, first, second = await wait_two_weeks(host, clock)
    request = await host.substitutions.request(game.id, asker(first), absent.user_id, click_id(), substitute=DORA)
    clock.advance(DAY_SECONDS)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).seats == game.seats
    assert request.voters == (DORA.user_id,), second


@pytest.mark.both_databases
async def test_a_substitute_gets_neither_plans_nor_notes(host: Host) -> None:
    game = await start_played_game(host)
    await host.notes.set(game, BEN.user_id, "mine")
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("insert into plans (game_id, user_id, text, at) values (1, 102, 'x', 0)")
    request = await host.substitutions.request(game.id, asker(BEN), BEN.user_id, click_id(), substitute=DORA)
    for user_id in request.voters:
        await answer(host, game, request.id, user_id)
    assert [await host.moves.planned(game, user.user_id) for user in (BEN, DORA)] == ["", ""]
    assert await host.notes.get(await host.games.get(game.id), DORA.user_id) == ""


async def test_a_pending_move_is_published_before_the_substitution(host: Host, clock: SettableClock) -> None:
    game = await start_played_game(host)
    mover = game.person_to_act
    assert mover is not None
    request = await host.substitutions.request(game.id, asker(mover), mover.user_id, click_id(), substitute=DORA)
    table = await host.games.table(game.id)
    action = next(iter(table.position.legal_actions))
    await host.moves.act(
        game.id, mover.user_id, table.game.revision, [action], click_id(), window=timedelta(seconds=60)
    )
    for user_id in request.voters:
        await answer(host, game, request.id, user_id)
    after = await host.games.table(game.id)
    assert (after.log[game.ply].action, after.log[game.ply].user_id) == (action, mover.user_id)
    assert DORA in after.game.seats
    clock.advance(60)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == after.game.ply


async def test_a_player_is_removed_without_a_substitute(host: Host) -> None:
    game = await start_played_game(host)
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id())
    assert set(request.voters) == {BEN.user_id, CLEO.user_id}
    for user_id in request.voters:
        await answer(host, game, request.id, user_id)
    table = await host.games.table(game.id)
    seat = game.seat_of(BEN.user_id)
    assert seat is not None
    assert (table.log[-1].action, table.log[-1].user_id) == (Resign(seat), ADA.user_id)
    assert not table.game.plays(BEN.user_id)


async def test_a_duel_that_waited_two_weeks_is_ended_by_the_other_player(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    await play_plies(host, game.id, 3)
    game = await host.games.get(game.id)
    absent = game.person_to_act
    assert absent is not None
    other = next(person for person in game.seats if person != absent)
    request = await host.substitutions.draft(game.id, asker(other), absent.user_id)
    assert request.voters == (absent.user_id,)
    clock.advance(14 * DAY_SECONDS)
    outcome = await host.substitutions.request(game.id, asker(other), absent.user_id, click_id())
    assert (outcome.voters, outcome.state) == ((), RequestState.GRANTED)
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


async def test_an_organiser_needs_only_the_substitutes_consent(host: Host) -> None:
    game = await start_played_game(host)
    request = await host.substitutions.request(game.id, MANAGER, BEN.user_id, click_id(), substitute=DORA)
    assert request.voters == (DORA.user_id,)
    assert await answer(host, game, request.id, DORA.user_id) is RequestState.GRANTED
    outcome = await host.substitutions.request(game.id, MANAGER, DORA.user_id, click_id())
    assert outcome.state is RequestState.GRANTED
    assert not (await host.games.get(game.id)).plays(DORA.user_id)


async def test_a_manager_who_plays_needs_the_usual_consent(host: Host) -> None:
    game = await start_played_game(host)
    ada = Asker(ADA.user_id, GUILD, manages=True)
    request = await host.substitutions.draft(game.id, ada, BEN.user_id)
    assert set(request.voters) == {BEN.user_id, CLEO.user_id}


async def test_invalid_requests_are_refused(host: Host) -> None:
    game = await start_played_game(host)
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
    press_id = click_id()
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, press_id, substitute=DORA)
    assert await host.substitutions.request(game.id, asker(ADA), BEN.user_id, press_id, substitute=DORA) == request
    with expect_error(ErrorCode.ASKED_ALREADY):
        await host.substitutions.request(game.id, asker(CLEO), BEN.user_id, click_id(), substitute=STRANGER)
    with expect_error(ErrorCode.NOT_ASKED):
        await answer(host, game, request.id, STRANGER.user_id)
    for user_id in request.voters:
        await answer(host, game, request.id, user_id)
    with expect_error(ErrorCode.SEATED_ALREADY, player="Ben"):
        await host.substitutions.request(game.id, asker(ADA), CLEO.user_id, click_id(), substitute=BEN)


@pytest.mark.parametrize("withdrawn", [False, True])
async def test_two_processes_grant_a_request_once(host: Host, new_host: NewHost, *, withdrawn: bool) -> None:
    game, other = await start_played_game(host), await new_host()
    substitute = None if withdrawn else DORA
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), substitute=substitute)
    *first_voters, last_voter = request.voters
    for user_id in first_voters:
        await answer(host, game, request.id, user_id)
    assert await answer(other, game, request.id, last_voter) is RequestState.GRANTED
    with expect_error(ErrorCode.REQUEST_GONE):
        await answer(host, game, request.id, last_voter)
    after = await other.games.get(game.id)
    assert after.revision == game.revision + 1
