"""Undo by consent: the voters, the position it restores, and the staleness of every button from before.

Voters are the other players who acted within the last week, or all others if none did.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from engine import Resign, replay, state_digest
from host import ErrorCode, Game, GameStatus, Host, HostError, Request, RequestState, setup_of
from host.votes.votes import REPEAT_INTERVAL
from store import moves
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    STRANGER,
    SettableClock,
    click_id,
    expect_error,
    play_plies,
    play_random_action,
    start_game,
)

PEOPLE = (ADA, BEN, CLEO)
"""The players."""


async def make_move(host: Host, game: Game, *, seed: int = 1) -> int:
    """Apply one random action; return the id of its player."""
    table = await host.games.table(game.id)
    user_id = table.game.seats[table.position.player].user_id
    await play_random_action(host, game.id, Random(seed))
    return user_id


async def take_turns(host: Host, game: Game, clock: SettableClock, count: int) -> list[int]:
    """Apply random actions a minute apart; return the ids of their players."""
    takers = []
    for seed in range(count):
        clock.advance(60)
        takers.append(await make_move(host, game, seed=seed))
    return takers


async def grant(host: Host, game: Game, request: Request, *users: int) -> None:
    """Let these users, by default all voters, agree."""
    for user_id in users or request.voters:
        await host.votes.answer(game.id, request.id, user_id, click_id(), agrees=True)


async def undo_by_consent(host: Host, game: Game, user_id: int) -> Game:
    """Request an undo, let all voters agree, and return the game."""
    request = await host.undo.request(game.id, user_id, None, click_id())
    await grant(host, game, request)
    return await host.games.get(game.id)


async def test_all_actions_since_are_undone_when_all_agree(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    takers = await take_turns(host, game, clock, 8)
    before = await host.games.table(game.id)
    asker = takers[-3]
    request = await host.undo.request(game.id, asker, before.game.revision, click_id())
    assert set(request.voters) == {person.user_id for person in PEOPLE} - {asker}
    assert (await host.games.get(game.id)) == before.game
    first, second = request.voters
    answered = await host.votes.answer(game.id, request.id, first, click_id(), agrees=True)
    assert (answered.request.state, answered.game.ply) == (RequestState.OPEN, 8)
    answered = await host.votes.answer(game.id, request.id, second, click_id(), agrees=True)
    assert answered.request.state is RequestState.GRANTED

    table = await host.games.table(game.id)
    last = max(entry.ply for entry in before.log if entry.user_id == asker)
    assert last - 1 <= request.to_ply <= last
    assert table.log == before.log[: request.to_ply]
    again = replay(setup_of(game), [entry.action for entry in table.log])
    assert state_digest(table.position) == state_digest(again) == table.game.digest
    assert table.game.revision == before.game.revision + 1
    assert table.position.player == game.seat_of(asker)
    undone = await host.undo.undone(game.id)
    assert [entry.action.text for entry in undone] == [str(entry.action) for entry in before.log[request.to_ply :]]
    assert {entry.by for entry in undone} == {table.game.revision}


async def test_an_undone_game_is_the_same_after_a_restart(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await start_game(host)
    takers = await take_turns(host, game, clock, 6)
    await undo_by_consent(host, game, takers[-1])
    cached, restarted = await host.games.table(game.id), await new_host()
    replayed = await restarted.games.table(game.id)
    assert (state_digest(replayed.position), replayed.game, replayed.log) == (
        state_digest(cached.position),
        cached.game,
        cached.log,
    )
    assert (await restarted.game_checks.check_all()).frozen == ()
    await take_turns(restarted, game, clock, 4)
    assert state_digest((await host.games.table(game.id)).position) == state_digest(
        (await restarted.games.table(game.id)).position
    )


async def test_the_same_tile_is_drawn_again(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    tile = (await host.games.table(game.id)).position.hand
    asker = await make_move(host, game)
    await undo_by_consent(host, game, asker)
    assert (await host.games.table(game.id)).position.hand == tile


@pytest.mark.parametrize("seed", range(3))
async def test_every_press_from_before_an_undo_is_refused(
    host: Host, new_host: NewHost, clock: SettableClock, seed: int
) -> None:
    """Replay all presses offered before undos and further moves, from two processes in random order."""
    game, rng = await start_game(host), Random(seed)
    presses: list[tuple[int, int, Any]] = []
    for _ in range(3):
        for _ in range(rng.randint(1, 5)):
            clock.advance(60)
            table = await host.games.table(game.id)
            for person in PEOPLE:
                legal = list(table.position.legal_actions)[:2]
                presses += [(person.user_id, table.game.revision, action) for action in legal]
            await make_move(host, game, seed=rng.randint(0, 99))
        asker = rng.choice([entry.user_id for entry in (await host.games.table(game.id)).log])
        await undo_by_consent(host, game, asker)
        await make_move(host, game, seed=rng.randint(0, 99))
    hosts, after = [host, await new_host()], await host.games.table(game.id)
    rng.shuffle(presses)
    for user_id, revision, action in presses:
        with pytest.raises(HostError) as caught:
            await rng.choice(hosts).moves.act(game.id, user_id, revision, [action], click_id())
        assert caught.value.code in {ErrorCode.STALE, ErrorCode.NOT_YOUR_TURN}
    for process in hosts:
        assert (await process.games.table(game.id)).log == after.log


@pytest.mark.both_databases
async def test_one_card_for_each_published_revision(host: Host, clock: SettableClock) -> None:
    """A post that was unsent when its move was undone is never sent."""
    game = await start_game(host)
    start, *_ = await host.outbox.due()
    await host.outbox.lease(start.id)
    await host.outbox.record_sent(start.id, 1)
    first = await make_move(host, game)
    (card,) = await host.outbox.due()
    await host.outbox.lease(card.id)
    await host.outbox.record_sent(card.id, 2)
    clock.advance(60)
    await take_turns(host, game, clock, 2)
    back = await undo_by_consent(host, game, first)
    sent = []
    while posts := await host.outbox.due():
        for post in posts:
            sent.append((post.kind.value, post.nonce, post.ply))
            await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 100 + post.id)
    assert sent[-1] == ("undone", f"{game.code}-{back.revision}", back.ply)
    assert [ply for kind, _, ply in sent if kind == "card" and ply > back.ply] == []
    assert await host.undo.undone_cards(game.id, back.revision) == ((2,) if back.ply < 1 else ())
    async with host._store.reading() as tx:
        nonces = list(await tx.scalars(text("select nonce from outbox")))
    assert len(set(nonces)) == len(nonces)


async def test_a_request_for_a_vote_is_not_the_last_card(host: Host) -> None:
    """Return the card of the last move, to which links to the game have to lead."""
    game = await start_game(host)
    asker = await make_move(host, game)
    await host.undo.request(game.id, asker, None, click_id())
    while posts := await host.outbox.due():
        for post in posts:
            await host.outbox.record_sent(post.id, 100 + post.id)
    last = await host.outbox.last_sent(game.id)
    assert last is not None
    assert (last.kind.value, last.revision) == ("card", 1)


async def test_only_players_who_acted_within_a_week_vote(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    await take_turns(host, game, clock, 6)
    clock.advance(timedelta(days=8).total_seconds())
    takers = {await make_move(host, game, seed=1)}
    asker = takers.pop()
    request = await host.undo.request(game.id, asker, None, click_id())
    assert len(request.voters) == 2, "no other player acted lately: all vote"
    await host.votes.answer(game.id, request.id, asker, click_id(), agrees=False)
    second = asker
    while second == asker:
        second = await make_move(host, game, seed=2)
    request = await host.undo.request(game.id, asker, None, click_id())
    assert request.voters == (second,)
    third = next(person.user_id for person in PEOPLE if person.user_id not in {asker, second})
    with expect_error(ErrorCode.NOT_ASKED, code=game.code):
        await host.votes.answer(game.id, request.id, third, click_id(), agrees=True)


async def test_one_refusal_ends_the_request(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    takers = await take_turns(host, game, clock, 5)
    request = await host.undo.request(game.id, takers[-1], None, click_id())
    first, second = request.voters
    await grant(host, game, request, first)
    answered = await host.votes.answer(game.id, request.id, second, click_id(), agrees=False)
    assert answered.request.state is RequestState.DECLINED
    for user_id in request.voters:
        with expect_error(ErrorCode.REQUEST_GONE, code=game.code):
            await host.votes.answer(game.id, request.id, user_id, click_id(), agrees=True)
    assert (await host.games.get(game.id)).ply == 5


async def test_a_failed_request_may_be_repeated_after_a_move_or_an_hour(host: Host, clock: SettableClock) -> None:
    """Refuse earlier repetitions, as each request pings all other players."""
    game = await start_game(host)
    asker = (await take_turns(host, game, clock, 5))[-1]
    for _ in range(2):
        request = await host.undo.request(game.id, asker, None, click_id())
        again = int((clock.now() + REPEAT_INTERVAL).timestamp())
        clock.advance(60)
        await host.votes.answer(game.id, request.id, asker, click_id(), agrees=False)
        with expect_error(ErrorCode.ASKED_LATELY, code=game.code, again=again):
            await host.undo.draft(game.id, asker)
        with expect_error(ErrorCode.ASKED_LATELY, code=game.code, again=again):
            await host.undo.request(game.id, asker, None, click_id())
        clock.advance(REPEAT_INTERVAL.total_seconds() - 60)
    request = await host.undo.request(game.id, asker, None, click_id())
    await host.votes.answer(game.id, request.id, request.voters[0], click_id(), agrees=False)
    other = await host.undo.request(game.id, request.voters[0], None, click_id())
    await host.votes.answer(game.id, other.id, request.voters[0], click_id(), agrees=False)
    await make_move(host, game, seed=4)
    assert await host.undo.request(game.id, asker, None, click_id())


async def test_the_asker_may_withdraw_the_request_but_not_agree(host: Host) -> None:
    game = await start_game(host)
    asker = await make_move(host, game)
    request = await host.undo.request(game.id, asker, None, click_id())
    with expect_error(ErrorCode.NOT_ASKED):
        await host.votes.answer(game.id, request.id, asker, click_id(), agrees=True)
    await host.votes.answer(game.id, request.id, asker, click_id(), agrees=False)
    with expect_error(ErrorCode.REQUEST_GONE):
        await grant(host, game, request)


async def test_silence_for_a_day_rejects_the_request(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    asker = await make_move(host, game)
    request = await host.undo.request(game.id, asker, None, click_id())
    clock.advance(timedelta(hours=24).total_seconds())
    with expect_error(ErrorCode.REQUEST_GONE):
        await grant(host, game, request)
    await host.timer_dispatcher.work()
    assert await host.undo.open_request(await host.games.get(game.id)) is None
    assert (await host.undo.request(game.id, asker, None, click_id())).id != request.id


async def test_the_next_move_ends_the_request(host: Host) -> None:
    game = await start_game(host)
    asker = await make_move(host, game)
    request = await host.undo.request(game.id, asker, None, click_id())
    await make_move(host, game, seed=4)
    with expect_error(ErrorCode.REQUEST_GONE):
        await grant(host, game, request)
    assert (await host.games.get(game.id)).ply == 2


async def test_a_repeated_or_second_request_is_undone_once(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    takers = await take_turns(host, game, clock, 5)
    press_id = click_id()
    request = await host.undo.request(game.id, takers[-1], None, press_id)
    assert await host.undo.request(game.id, takers[-1], None, press_id) == request
    for person in PEOPLE:
        with expect_error(ErrorCode.ASKED_ALREADY, code=game.code):
            await host.undo.request(game.id, person.user_id, None, click_id())
    await grant(host, game, request)
    revision = (await host.games.get(game.id)).revision
    with expect_error(ErrorCode.REQUEST_GONE):
        await grant(host, game, request)
    assert (await host.games.get(game.id)).revision == revision
    back = await undo_by_consent(host, game, takers[-1] if takers.count(takers[-1]) > 1 else takers[0])
    assert back.revision == revision + 1


async def test_invalid_requests_are_refused(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    table = await host.games.table(game.id)
    first = game.seats[table.position.player].user_id
    with expect_error(ErrorCode.NOTHING_TO_UNDO, code=game.code):
        await host.undo.request(game.id, first, None, click_id())
    with expect_error(ErrorCode.NOT_A_PLAYER, code=game.code):
        await host.undo.request(game.id, STRANGER.user_id, None, click_id())
    await make_move(host, game)
    other = next(person.user_id for person in PEOPLE if person.user_id != first)
    with expect_error(ErrorCode.NOTHING_TO_UNDO):  # the action was another player's
        await host.undo.request(game.id, other, None, click_id())
    with expect_error(ErrorCode.STALE, revision=0, current=1):
        await host.undo.request(game.id, first, 0, click_id())
    await host.moves.resign(game.id, other, click_id())
    with expect_error(ErrorCode.NOTHING_TO_UNDO):  # a resignation is never undone
        await host.undo.request(game.id, first, None, click_id())
    assert (await host.games.table(game.id)).log[-1].action == Resign(game.seat_of(other) or 0)


async def test_a_finished_game_cannot_be_undone(host: Host) -> None:
    game = await start_game(host, ADA, BEN)
    asker = await make_move(host, game)
    other = next(person.user_id for person in (ADA, BEN) if person.user_id != asker)
    await host.moves.resign(game.id, other, click_id())
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED
    with expect_error(ErrorCode.GAME_OVER):
        await host.undo.request(game.id, asker, None, click_id())


async def test_a_pending_move_is_dropped_by_an_undo(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    asker = await make_move(host, game)
    request = await host.undo.request(game.id, asker, None, click_id())
    table = await host.games.table(game.id)
    mover, action = game.seats[table.position.player].user_id, next(iter(table.position.legal_actions))
    await host.moves.act(game.id, mover, table.game.revision, [action], click_id(), window=timedelta(seconds=60))
    await grant(host, game, request)
    clock.advance(60)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == 0
    assert await host.pending_moves.find(game.id, mover) is None


async def test_a_failed_undo_is_rolled_back_and_granted_later(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail at each step of the transaction: the request stays open and the next vote grants it once."""
    game = await start_game(host)
    asker = await make_move(host, game)
    request = await host.undo.request(game.id, asker, None, click_id())
    first, second = request.voters
    await grant(host, game, request, first)
    before = await host.games.table(game.id)

    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    for name in ("undo_to", "_move_to_undone", "drop_pending"):
        with monkeypatch.context() as patch:
            patch.setattr(moves, name, fail)
            with pytest.raises(ZeroDivisionError):
                await grant(host, game, request, second)
        assert (await host.games.table(game.id)).log == before.log
    await grant(host, game, request, second)
    assert (await host.games.get(game.id)).revision == 2


async def test_two_processes_grant_an_undo_once(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    asker = await make_move(host, game)
    request = await host.undo.request(game.id, asker, None, click_id())
    other_host = await new_host()
    first, second = request.voters
    answers = [
        process.votes.answer(game.id, request.id, user_id, click_id(), agrees=True)
        for process in (host, other_host)
        for user_id in (first, second)
    ]
    await asyncio.gather(*answers, return_exceptions=True)
    assert (await other_host.games.get(game.id)).revision == 2
    assert (await host.games.table(game.id)).log == ()


async def test_an_undo_deletes_plans(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    asker = await make_move(host, game)
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("insert into plans (game_id, user_id, text, at) values (1, 101, 'x', 0)")
    await undo_by_consent(host, game, asker)
    assert await host.moves.planned(game, ADA.user_id) == ""


async def test_a_repeated_interaction_of_an_undone_move_does_nothing(host: Host) -> None:
    game = await start_game(host)
    table = await host.games.table(game.id)
    mover, action, press_id = (
        game.seats[table.position.player].user_id,
        next(iter(table.position.legal_actions)),
        click_id(),
    )
    await host.moves.act(game.id, mover, 0, [action], press_id)
    await undo_by_consent(host, game, mover)
    again = await host.moves.act(game.id, mover, 0, [action], press_id)
    assert (again.repeated, again.events) == (True, ())
    assert (await host.games.get(game.id)).ply == 0


async def test_a_game_with_undos_is_played_to_its_end(host: Host, clock: SettableClock) -> None:
    game, rng = await start_game(host, ADA, BEN), Random(3)
    for _ in range(6):
        await play_plies(host, game.id, rng.randint(1, 6))
        clock.advance(1)
        log = (await host.games.table(game.id)).log
        await undo_by_consent(host, game, rng.choice(log).user_id)
    while (await host.games.get(game.id)).person_to_act is not None:
        await play_random_action(host, game.id, rng)
    table = await host.games.table(game.id)
    again = replay(setup_of(game), [entry.action for entry in table.log])
    assert state_digest(again) == state_digest(table.position)
