"""Several processes on one database, after a restart or at the same time.

Games are replayed from their logs and frozen where the replay does not lead to the stored digest of the position.
"""

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
from host import Consequence, ErrorCode, Game, GameStatus, Host, HostError, PostKind
from host.games.reader import rebuild
from host.values import CheckReport
from store import Store, Transaction, games
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, click_id, expect_error, play_plies, play_random_action, start_game

WRONG = DIGEST_FORM + "0" * 62
"""A digest that no position has."""


async def test_a_game_continues_after_a_restart(host: Host, new_host: NewHost) -> None:
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


async def test_a_host_catches_up_with_moves_of_another(host: Host, new_host: NewHost) -> None:
    other_host = await new_host()
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    await play_plies(other_host, game.id, 2)
    outcome = await play_random_action(host, game.id, Random(1))
    assert outcome.before_ply == 4
    assert state_digest((await other_host.games.table(game.id)).position) == state_digest(
        (await host.games.table(game.id)).position
    )


async def test_a_race_between_hosts_has_one_winner(host: Host, new_host: NewHost) -> None:
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


async def test_an_interaction_delivered_to_two_hosts_is_applied_once(host: Host, new_host: NewHost) -> None:
    other_host = await new_host()
    game = await start_game(host)
    table = await host.games.table(game.id)
    user_id = table.game.seats[0].user_id
    actions = [next(iter(table.position.legal_actions)), Pass()]
    interaction = click_id()
    outcomes = await asyncio.gather(
        *(racer.moves.act(game.id, user_id, 0, actions, interaction) for racer in (host, other_host))
    )
    assert sorted(outcome.repeated for outcome in outcomes) == [False, True]
    assert outcomes[0].events == outcomes[1].events
    assert (await host.games.get(game.id)).ply == 2


async def test_an_interaction_applied_elsewhere_meanwhile_is_a_repetition(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the other process store the interaction after this one has looked for it and before it reads the game."""
    other_host = await new_host()
    game = await start_game(host)
    table = await other_host.games.table(game.id)  # cached by the other host only: this one has to load the game
    user_id, action, interaction = table.game.seats[0].user_id, next(iter(table.position.legal_actions)), click_id()
    load = host.games.load_to_move

    async def after_the_other_moved(record: Game) -> object:
        await other_host.moves.act(game.id, user_id, 0, [action], interaction)
        return await load(replace(record, ply=-1))

    monkeypatch.setattr(host.games, "load_to_move", after_the_other_moved)
    outcome = await host.moves.act(game.id, user_id, 0, [action], interaction)
    assert (outcome.repeated, outcome.before_ply, outcome.ply) == (True, 0, 1)


def move_before_writing(host: Host, other: Host, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the other host move after this one has read the game and before it writes; only the write notices."""
    writing = host.outbox.writing

    @asynccontextmanager
    async def after_the_other_moved(**about: Any) -> AsyncIterator[Transaction]:
        monkeypatch.undo()
        await play_random_action(other, game.id, Random(2))
        async with writing(**about) as tx:
            yield tx

    monkeypatch.setattr(host.outbox, "writing", after_the_other_moved)


async def test_a_concurrent_write_makes_a_move_stale(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_host = await new_host()
    game = await start_game(host)
    table = await host.games.table(game.id)
    move_before_writing(host, other_host, game, monkeypatch)
    with expect_error(ErrorCode.STALE, revision=0, current=1):
        await host.moves.act(
            game.id, table.game.seats[0].user_id, 0, [next(iter(table.position.legal_actions))], click_id()
        )
    assert len((await host.games.table(game.id)).log) == 1


async def test_a_resignation_is_applied_after_a_concurrent_move(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_host = await new_host()
    game = await start_game(host)
    move_before_writing(host, other_host, game, monkeypatch)
    outcome = await host.moves.resign(game.id, ADA.user_id, click_id())
    assert (outcome.before_ply, outcome.ply) == (1, 2)


async def test_two_hosts_start_on_an_empty_database(new_host: NewHost) -> None:
    first, second = await asyncio.gather(new_host(), new_host())
    game = await start_game(first)
    assert await second.games.get(game.code) == game


async def test_a_cancelled_move_is_stored_whole_or_not_at_all(host: Host, new_host: NewHost) -> None:
    """Cancel moves later and later, as a shutdown would, until twelve of them were stored nevertheless."""
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
    while due_posts := await restarted.outbox.due():
        posts += due_posts
        await restarted.outbox.record_sent(due_posts[0].id, len(posts))
    assert [post.ply for post in posts] == list(range(stored + 1))


async def test_the_cache_is_bounded_and_evicts_the_least_recently_used(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await new_host(table_bytes=80 * 1024)
    first, second, third = [(await start_game(host)).id for _ in range(3)]
    rebuilt: list[int] = []

    def counting_rebuild(record: Any, actions: Any) -> Any:
        """Record a replay and carry it out."""
        rebuilt.append(record.id)
        return rebuild(record, actions)

    monkeypatch.setattr("host.games.reader.rebuild", counting_rebuild)
    for game_id in (first, second, first, third, first, second):
        await host.games.table(game_id)
    assert rebuilt == [first, second, third, second]


async def change_digests(location: str, digest: str) -> None:
    """Overwrite the stored digests of all games."""
    store = await Store.open(location)
    async with store.writing() as tx:
        await tx.execute(text("UPDATE games SET digest = :digest"), {"digest": digest})
    await store.close()


async def test_a_game_that_does_not_replay_is_frozen_and_others_continue(
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
    assert "does not lead to the position that is stored" in caplog.text
    assert log_lines_of(caplog, "game frozen") == [(changed.code, 3)]
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

    # Frozen once, announced once.
    assert (await (await new_host()).game_checks.check_all()).frozen == (changed.code,)
    assert [kind async for kind in kinds_in_order(restarted, changed.id)] == [PostKind.FROZEN]

    async with restarted._store.writing() as tx:
        change = text("UPDATE games SET digest = :right WHERE id = :id")
        await tx.execute(change, {"right": right, "id": changed.id})
    mended = await new_host()
    assert (await mended.game_checks.check_all()).thawed == (changed.code,)
    assert log_lines_of(caplog, "game thawed: it replays again and goes on") == [(changed.code, 3)]
    assert [kind async for kind in kinds_in_order(mended, changed.id)] == [
        *[PostKind.START, PostKind.CARD, PostKind.CARD, PostKind.CARD],
        PostKind.THAWED,
    ]
    assert (await play_random_action(mended, changed.id, Random(1))).ply == 4


def log_lines_of(caplog: pytest.LogCaptureFixture, event: str) -> list[tuple[object, object]]:
    """Return game and ply of every log record of an event."""
    lines = [record.__dict__ for record in caplog.records if record.getMessage() == event]
    return [(line["game"], line["ply"]) for line in lines]


async def kinds_in_order(host: Host, game_id: int) -> AsyncIterator[PostKind]:
    """Send the due posts of a game and yield their kinds."""
    while posts := [post for post in await host.outbox.due() if post.game_id == game_id]:
        yield posts[0].kind
        await host.outbox.record_sent(posts[0].id, 1)


async def test_a_failed_read_leaves_the_game_unfrozen(host: Host, new_host: NewHost, location: str) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    right = state_digest((await host.games.table(game.id)).position)
    await change_digests(location, WRONG)
    restarted = await new_host()
    for read in (restarted.games.table(game.code), restarted.games.moment(game.id, 0, 1)):
        with expect_error(ErrorCode.UNREADABLE, code=game.code):
            await read
    assert (await restarted.games.get(game.code)).status is GameStatus.RUNNING
    await change_digests(location, right)
    assert (await play_random_action(restarted, game.id, Random(1))).ply == 3


def make_replays_fail(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this many of the next replays fail."""
    remaining = [None] * times

    def failing_rebuild(record: Any, actions: Any) -> Any:
        """Fail a limited number of times, as if rows had been read half-way."""
        if remaining:
            remaining.pop()
            raise ValueError("torn read")
        return rebuild(record, actions)

    monkeypatch.setattr("host.games.reader.rebuild", failing_rebuild)


async def test_one_failed_replay_freezes_nothing(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    make_replays_fail(1, monkeypatch)
    assert (await (await new_host()).game_checks.check_all()).verified == (game.code,)
    make_replays_fail(1, monkeypatch)
    assert (await (await new_host()).games.table(game.id)).position.ply == 2
    table = await host.games.table(game.id)
    moving = await new_host()
    make_replays_fail(3, monkeypatch)  # twice when it is read, once when it is checked
    action = next(iter(table.position.legal_actions))
    user_id = table.game.seats[table.position.player].user_id
    assert (await moving.moves.act(game.id, user_id, 2, [action], click_id())).ply == 3
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING


async def test_a_game_is_not_frozen_while_another_process_moves(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leave a game alone whose log grows between two failed replays: a newer release may be playing it."""
    game = await start_game(host)
    other_host = await new_host(second_look=timedelta(seconds=0.2))
    await host.games.table(game.id)
    with monkeypatch.context() as patch:
        patch.setattr("host.games.reader.rebuild", lambda *_: 1 / 0)
        checking = asyncio.create_task(other_host.game_checks.check_all())
        await asyncio.sleep(0.1)
        await play_random_action(host, game.id, Random(1))
        report = await checking
    assert report == CheckReport(verified=(), frozen=(), thawed=(), unclear=(game.id,))
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING


async def test_a_game_and_its_log_are_read_in_one_snapshot(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    other_host = await new_host()
    get = games.get

    async def slow(tx: Transaction, game_id: int) -> Any:
        """Read the header while another process makes a move."""
        record = await get(tx, game_id)
        monkeypatch.undo()
        await play_random_action(host, game_id, Random(1))
        return record

    monkeypatch.setattr(games, "get", slow)
    assert (await other_host.game_checks.check_all()).verified == (game.code,)
    assert (await other_host.games.table(game.id)).position.ply == 3


async def test_a_game_is_checked_before_its_first_move_after_a_start(
    host: Host, new_host: NewHost, location: str
) -> None:
    """Check a game at its first move: the check of all games runs in the background and may not have reached it."""
    game = await start_game(host)
    await play_plies(host, game.id, 2)
    await change_digests(location, WRONG)
    restarted = await new_host()
    await restarted.start()
    with expect_error(ErrorCode.FROZEN, code=game.code):
        await restarted.moves.act(game.id, ADA.user_id, 2, [Pass()], click_id())
    frozen = await restarted.games.get(game.id)
    assert (frozen.status, frozen.ply) == (GameStatus.FROZEN, 2)


async def test_a_game_of_an_unknown_rules_version_is_frozen(host: Host, new_host: NewHost, location: str) -> None:
    later, sound = await start_game(host), await start_game(host)
    setup = later.setup_text.replace(f'"rules":{RULES_VERSION}', '"rules":999')
    assert setup != later.setup_text
    async with host._store.writing() as tx:
        change = text("UPDATE games SET setup = :setup WHERE id = :id")
        await tx.execute(change, {"setup": setup, "id": later.id})
    report = await (await new_host()).game_checks.check_all()
    assert report == CheckReport(verified=(sound.code,), frozen=(later.code,), thawed=())


async def test_an_error_of_the_engine_freezes_one_game_only(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = await start_game(host), await start_game(host)
    await play_plies(host, game.id, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Position, "apply", lambda *_: 1 / 0)
        patch.setattr(Position, "push", lambda *_: 1 / 0)
        patch.setattr(Position, "_execute", lambda *_: 1 / 0)
        report = await (await new_host()).game_checks.check_all()
    assert report.frozen == (game.code,)
    assert len(report.verified) == 1


async def test_a_finished_game_that_does_not_replay_stays_finished(
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


@pytest.mark.both_databases
async def test_closing_waits_for_the_move_in_progress(host: Host) -> None:
    game = await start_game(host)
    move = asyncio.create_task(host.moves.resign(game.id, ADA.user_id, click_id()))
    while not len(host.games.locks):  # noqa: ASYNC110 -- the lock is taken within milliseconds and signals no event
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


async def test_loading_an_outdated_record_returns_the_newest_table(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Return the current table although the record was read before another host's move."""
    other_host = await new_host()
    game = await start_game(host)
    await host.games.table(game.id)
    async with host._store.reading() as tx:
        old = await games.get(tx, game.id)
        await play_random_action(other_host, game.id, Random(1))
    await host.games.table(game.id)
    monkeypatch.delattr("host.games.reader.rebuild")  # the cached table is recent enough
    now, played = await host.games.load(old)
    assert now.ply == played.position.ply == 1
