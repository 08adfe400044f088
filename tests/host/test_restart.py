"""Another process on the same file: after a restart, or at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from engine import DIGEST_FORM, Pass, state_digest
from engine.carcassonne import Position
from engine.setup import RULES_VERSION
from host import CheckReport, Consequence, ErrorCode, Game, GameStatus, Host, HostError, PostKind
from host.games.reader import rebuild
from store import Store, Transaction, games
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, click_id, expect_error, play_plies, play_random_action, start_game

WRONG = DIGEST_FORM + "0" * 62
"""The digest of no position."""


async def test_a_restart_goes_on_where_the_game_stood(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 9)
    before = await host.games.table(game.id)
    restarted = await new_host()
    assert await restarted.game_checks.check_all() == CheckReport(verified=(game.code,), frozen=(), thawed=())
    after = await restarted.games.table(game.code)
    assert (after.game, after.log) == (before.game, before.log)
    assert state_digest(after.position) == state_digest(before.position)
    await play_random_action(restarted, game.id, Random(1))
    assert (await host.games.table(game.id)).game.ply == 10


async def test_a_host_follows_what_another_one_did(host: Host, new_host: NewHost) -> None:
    other = await new_host()
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    await play_plies(other, game.id, 2)
    outcome = await play_random_action(host, game.id, Random(1))
    assert outcome.before_ply == 4
    assert state_digest((await other.games.table(game.id)).position) == state_digest(
        (await host.games.table(game.id)).position
    )


async def test_a_race_of_two_hosts_has_one_winner(host: Host, new_host: NewHost) -> None:
    hosts = [host, await new_host(), await new_host()]
    game = await start_game(host)
    for _ in range(12):
        table = await host.games.table(game.id)
        user_id = table.game.seats[table.position.player].user_id
        options = list(table.position.legal_actions)
        attempts = [
            racer.moves.act(game.id, user_id, table.position.ply, [options[number % len(options)]], click_id())
            for number, racer in enumerate(hosts)
        ]
        answers = await asyncio.gather(*attempts, return_exceptions=True)
        won = [answer for answer in answers if isinstance(answer, Consequence)]
        lost = [answer for answer in answers if isinstance(answer, HostError)]
        assert (len(won), [error.code for error in lost]) == (1, [ErrorCode.STALE] * 2)
        assert {error.values["current"] for error in lost} == {table.position.ply + 1}
    digests = {state_digest((await racer.games.table(game.id)).position) for racer in hosts}
    assert len(digests) == 1
    assert len((await host.games.table(game.id)).log) == 12


async def test_one_interaction_delivered_to_two_hosts(host: Host, new_host: NewHost) -> None:
    other = await new_host()
    game = await start_game(host)
    table = await host.games.table(game.id)
    user_id = table.game.seats[0].user_id
    actions = [next(iter(table.position.legal_actions)), Pass()]
    interaction = click_id()
    outcomes = await asyncio.gather(
        *(racer.moves.act(game.id, user_id, 0, actions, interaction) for racer in (host, other))
    )
    assert sorted(outcome.repeated for outcome in outcomes) == [False, True]
    assert outcomes[0].events == outcomes[1].events
    assert (await host.games.get(game.id)).ply == 2


async def test_one_interaction_carried_out_elsewhere_while_it_is_judged(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process stores it between our look for it and our look at the game, which then has moved on."""
    other = await new_host()
    game = await start_game(host)
    table = await other.games.table(game.id)  # the host itself has to look it up
    user_id, action, interaction = table.game.seats[0].user_id, next(iter(table.position.legal_actions)), click_id()
    load = host.games.load_to_move

    async def after_the_other(record: Game) -> object:
        await other.moves.act(game.id, user_id, 0, [action], interaction)
        return await load(replace(record, ply=-1))

    monkeypatch.setattr(host.games, "load_to_move", after_the_other)
    outcome = await host.moves.act(game.id, user_id, 0, [action], interaction)
    assert (outcome.repeated, outcome.before_ply, outcome.ply) == (True, 0, 1)


def move_before_writing(host: Host, other: Host, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other host moves between our look at the stored ply and our write: only compare-and-set can tell."""
    writing = host.outbox.writing

    @asynccontextmanager
    async def after_the_other(**about: Any) -> AsyncIterator[Transaction]:
        monkeypatch.undo()
        await play_random_action(other, game.id, Random(2))
        async with writing(**about) as tx:
            yield tx

    monkeypatch.setattr(host.outbox, "writing", after_the_other)


async def test_the_conflict_itself(host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch) -> None:
    other = await new_host()
    game = await start_game(host)
    table = await host.games.table(game.id)
    move_before_writing(host, other, game, monkeypatch)
    with expect_error(ErrorCode.STALE, revision=0, current=1):
        await host.moves.act(
            game.id, table.game.seats[0].user_id, 0, [next(iter(table.position.legal_actions))], click_id()
        )
    assert len((await host.games.table(game.id)).log) == 1


async def test_resigning_in_a_conflict_is_done_afterwards(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await new_host()
    game = await start_game(host)
    move_before_writing(host, other, game, monkeypatch)
    outcome = await host.moves.resign(game.id, ADA.user_id, click_id())
    assert (outcome.before_ply, outcome.ply) == (1, 2)


async def test_two_hosts_can_start_on_an_empty_file(new_host: NewHost) -> None:
    first, second = await asyncio.gather(new_host(), new_host())
    game = await start_game(first)
    assert await second.games.get(game.code) == game


async def test_a_move_that_is_interrupted_is_there_or_not_at_all(host: Host, new_host: NewHost) -> None:
    """Cancelled later and later, as a shutdown would, until it was too late a dozen times."""
    game = await start_game(host)
    stored = moves = 0
    while stored < 12:
        steps, moves = 2 * moves, moves + 1
        table = await host.games.table(game.id)
        action = next(iter(table.position.legal_actions))
        user_id = table.game.seats[table.position.player].user_id
        task = asyncio.create_task(host.moves.act(game.id, user_id, table.position.ply, [action], click_id()))
        for _ in range(steps):
            await asyncio.sleep(0.0002)
        task.cancel()
        await asyncio.wait([task])
        after = await host.games.table(game.id)
        assert after.position.ply == len(after.log) == after.game.ply
        assert after.position.ply - table.position.ply in {0, 1}
        stored += after.position.ply - table.position.ply
    assert stored < moves
    restarted = await new_host()
    assert state_digest((await restarted.games.table(game.id)).position) == state_digest(
        (await host.games.table(game.id)).position
    )
    posts = []
    while found := await restarted.outbox.due():
        posts += found
        await restarted.outbox.sent(found[0].id, len(posts))
    assert [post.ply for post in posts] == list(range(stored + 1))


async def test_the_cache_is_bounded_and_forgets_the_longest_unused(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await new_host(table_bytes=80 * 1024)
    first, second, third = [(await start_game(host)).id for _ in range(3)]
    rebuilt: list[int] = []

    def counting(record: Any, actions: Any) -> Any:
        rebuilt.append(record.id)
        return rebuild(record, actions)

    monkeypatch.setattr("host.games.reader.rebuild", counting)
    for game_id in (first, second, first, third, first, second):
        await host.games.table(game_id)
    assert rebuilt == [first, second, third, second]


async def change_digests(location: str, digest: str) -> None:
    store = await Store.open(location)
    async with store.writing() as tx:
        await tx.execute(text("UPDATE games SET digest = :digest"), {"digest": digest})
    await store.close()


async def test_a_game_that_leads_elsewhere_is_frozen_and_others_go_on(
    host: Host, new_host: NewHost, location: str, caplog: pytest.LogCaptureFixture
) -> None:
    changed = await start_game(host)
    await play_plies(host, changed.id, 3)
    right = state_digest((await host.games.table(changed.id)).position)
    await change_digests(location, WRONG)
    sound = await start_game(host)

    restarted = await new_host()
    report = await restarted.game_checks.check_all()
    assert report == CheckReport(verified=(sound.code,), frozen=(changed.code,), thawed=())
    assert changed.code in caplog.text
    assert "not the position that is stored" in caplog.text
    assert told_of(caplog, "game frozen") == [(changed.code, 3)]
    assert (await restarted.games.get(changed.id)).status is GameStatus.FROZEN
    for refused_call in (
        restarted.games.table(changed.id),
        restarted.games.moment(changed.id, 0, 1),
        restarted.moves.act(changed.id, ADA.user_id, 3, [Pass()], click_id()),
        restarted.moves.resign(changed.id, ADA.user_id, click_id()),
    ):
        with expect_error(ErrorCode.FROZEN, code=changed.code):
            await refused_call
    await play_random_action(restarted, sound.id, Random(1))

    # Frozen once, told once.
    assert (await (await new_host()).game_checks.check_all()).frozen == (changed.code,)
    assert [kind async for kind in kinds_in_order(restarted, changed.id)] == [PostKind.FROZEN]

    async with restarted._store.writing() as tx:
        change = text("UPDATE games SET digest = :right WHERE id = :id")
        await tx.execute(change, {"right": right, "id": changed.id})
    mended = await new_host()
    assert (await mended.game_checks.check_all()).thawed == (changed.code,)
    assert told_of(caplog, "game thawed: it replays again and goes on") == [(changed.code, 3)]
    assert [kind async for kind in kinds_in_order(mended, changed.id)] == [
        *[PostKind.START, PostKind.CARD, PostKind.CARD, PostKind.CARD],
        PostKind.THAWED,
    ]
    assert (await play_random_action(mended, changed.id, Random(1))).ply == 4


def told_of(caplog: pytest.LogCaptureFixture, event: str) -> list[tuple[object, object]]:
    """Game and ply of every line of the log about an event."""
    found = [record.__dict__ for record in caplog.records if record.getMessage() == event]
    return [(line["game"], line["ply"]) for line in found]


async def kinds_in_order(host: Host, game_id: int) -> AsyncIterator[PostKind]:
    while posts := [post for post in await host.outbox.due() if post.game_id == game_id]:
        yield posts[0].kind
        await host.outbox.sent(posts[0].id, 1)


async def test_a_look_that_fails_leaves_the_game_as_it_is(host: Host, new_host: NewHost, location: str) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    right = state_digest((await host.games.table(game.id)).position)
    await change_digests(location, WRONG)
    restarted = await new_host()
    for look in (restarted.games.table(game.code), restarted.games.moment(game.id, 0, 1)):
        with expect_error(ErrorCode.UNREADABLE, code=game.code):
            await look
    assert (await restarted.games.get(game.code)).status is GameStatus.RUNNING
    await change_digests(location, right)
    assert (await play_random_action(restarted, game.id, Random(1))).ply == 3


def failing(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next replays fail."""
    left = [None] * times

    def torn(record: Any, actions: Any) -> Any:
        if left:
            left.pop()
            raise ValueError("torn")
        return rebuild(record, actions)

    monkeypatch.setattr("host.games.reader.rebuild", torn)


async def test_a_replay_that_fails_once_freezes_nothing(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    failing(1, monkeypatch)
    assert (await (await new_host()).game_checks.check_all()).verified == (game.code,)
    failing(1, monkeypatch)
    assert (await (await new_host()).games.table(game.id)).position.ply == 2
    table = await host.games.table(game.id)
    moving = await new_host()
    failing(3, monkeypatch)  # two of a look, one of finding out
    action = next(iter(table.position.legal_actions))
    user_id = table.game.seats[table.position.player].user_id
    assert (await moving.moves.act(game.id, user_id, 2, [action], click_id())).ply == 3
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING


async def test_a_game_is_not_frozen_while_another_process_moves_it(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another release may be writing: what fails to replay is not what is there after the pause."""
    game = await start_game(host)
    other = await new_host(second_look=timedelta(seconds=0.2))
    await host.games.table(game.id)
    with monkeypatch.context() as patch:
        patch.setattr("host.games.reader.rebuild", lambda *_: 1 / 0)
        checking = asyncio.create_task(other.game_checks.check_all())
        await asyncio.sleep(0.1)
        await play_random_action(host, game.id, Random(1))
        report = await checking
    assert report == CheckReport(verified=(), frozen=(), thawed=(), unclear=(game.id,))
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING


async def test_row_and_log_are_read_at_one_moment(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    other = await new_host()
    get = games.get

    async def slow(tx: Transaction, game_id: int) -> Any:
        record = await get(tx, game_id)
        monkeypatch.undo()
        await play_random_action(host, game_id, Random(1))
        return record

    monkeypatch.setattr(games, "get", slow)
    assert (await other.game_checks.check_all()).verified == (game.code,)
    assert (await other.games.table(game.id)).position.ply == 3


async def test_a_game_is_checked_before_its_first_move_after_a_start(
    host: Host, new_host: NewHost, location: str
) -> None:
    """The check of all games runs beside the play, so a move may come before a game's turn to be checked."""
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    await change_digests(location, WRONG)
    restarted = await new_host()
    await restarted.start()
    with expect_error(ErrorCode.FROZEN, code=game.code):
        await restarted.moves.act(game.id, ADA.user_id, 2, [Pass()], click_id())
    frozen = await restarted.games.get(game.id)
    assert (frozen.status, frozen.ply) == (GameStatus.FROZEN, 2)


async def test_a_game_of_rules_that_this_engine_does_not_play_is_frozen(
    host: Host, new_host: NewHost, location: str
) -> None:
    later, sound = await start_game(host), await start_game(host)
    setup = later.setup_text.replace(f'"rules":{RULES_VERSION}', '"rules":999')
    assert setup != later.setup_text
    async with host._store.writing() as tx:
        change = text("UPDATE games SET setup = :setup WHERE id = :id")
        await tx.execute(change, {"setup": setup, "id": later.id})
    report = await (await new_host()).game_checks.check_all()
    assert report == CheckReport(verified=(sound.code,), frozen=(later.code,), thawed=())


async def test_an_engine_that_fails_freezes_its_game_only(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = await start_game(host), await start_game(host)
    await play_plies(host, game.id, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Position, "apply", lambda *_: 1 / 0)
        patch.setattr(Position, "push", lambda *_: 1 / 0)
        patch.setattr(Position, "_do", lambda *_: 1 / 0)
        report = await (await new_host()).game_checks.check_all()
    assert report.frozen == (game.code,)
    assert len(report.verified) == 1


async def test_a_finished_game_that_leads_elsewhere_stays_finished(
    host: Host, new_host: NewHost, location: str
) -> None:
    game = await start_game(host, ADA, BEN)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await change_digests(location, WRONG)
    restarted = await new_host()
    with expect_error(ErrorCode.FROZEN):
        await restarted.games.table(game.id)
    assert (await restarted.games.get(game.id)).status is GameStatus.FINISHED


async def test_old_interactions_are_forgotten(host: Host, new_host: NewHost, clock: Any) -> None:
    game = await start_game(host)
    interaction = click_id()
    await host.moves.resign(game.id, CLEO.user_id, interaction)
    clock.advance(50 * 60)
    await (await new_host()).retention.work()
    assert (await host.moves.resign(game.id, CLEO.user_id, interaction)).repeated
    clock.advance(20 * 60)
    await (await new_host()).retention.work()
    with expect_error(ErrorCode.RESIGNED):
        await host.moves.resign(game.id, CLEO.user_id, interaction)


async def test_closing_waits_for_the_move_in_hand(host: Host) -> None:
    game = await start_game(host)
    move = asyncio.create_task(host.moves.resign(game.id, ADA.user_id, click_id()))
    while not len(host.games.locks):  # noqa: ASYNC110 -- it comes within a few milliseconds, and tells nobody
        await asyncio.sleep(0.0001)
    assert not move.done()
    await host.close()
    assert move.done()


async def test_locks_are_dropped_when_unused(host: Host) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 5)
    with expect_error(ErrorCode.UNKNOWN_GAME):
        await host.games.table(77)
    assert len(host.games.locks) == 0


async def test_nothing_is_lost_between_reading_and_following(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that was read before another host's move is no reason to hand out an old table."""
    other = await new_host()
    game = await start_game(host)
    await host.games.table(game.id)
    async with host._store.reading() as tx:
        old = await games.get(tx, game.id)
        await play_random_action(other, game.id, Random(1))
    await host.games.table(game.id)
    monkeypatch.delattr("host.games.reader.rebuild")  # what is in memory is new enough
    now, played = await host.games.load(old)
    assert now.ply == played.position.ply == 1
