"""Pending moves: stored but visible to their player only, retracted without a trace, published once.

A confirmed move is published when its window has passed, 60 seconds here, or earlier at its player's request.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from engine import Action, Resign, state_digest
from engine.selfplay import random_action
from host import Consequence, ErrorCode, Game, Host, WaitingMove
from host.settings import HostSettings
from store import Preferences, Store, moves, timers
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, click_id, expect_error, play_plies, start_game

WINDOW = timedelta(seconds=60)
"""Time in which a confirmed move is visible to its player only and can be undone."""
PEOPLE = (ADA, BEN, CLEO)
"""The players."""


async def decide_pending(
    host: Host, game: Game, *, seed: int = 1, window: timedelta = WINDOW, press_id: int = 0
) -> Consequence:
    """Confirm a random action of the player to move; it is pending for the window."""
    table = await host.games.table(game.id)
    action = random_action(table.position, Random(seed))
    user_id = table.game.seats[table.position.player].user_id
    return await host.moves.act(game.id, user_id, table.game.revision, [action], press_id or click_id(), window=window)


async def mover_id(host: Host, game: Game) -> int:
    """Return the id of the player to move."""
    table = await host.games.table(game.id)
    return table.game.seats[table.position.player].user_id


async def visible_state(host: Host, game: Game) -> tuple[object, ...]:
    """Return all that other people can learn of a game."""
    table = await host.games.table(game.id)
    lists = [await host.game_lists.of_user(person.user_id) for person in PEOPLE]
    return (
        table.game,
        state_digest(table.position),
        table.log,
        await host.outbox.due(),
        lists,
        await host.game_lists.of_guild(11, 25),
    )


async def find_pending_move(host: Host, game: Game) -> WaitingMove | None:
    """Return the pending move of the player to move."""
    return await host.pending_moves.find(game.id, await mover_id(host, game))


async def test_a_pending_move_is_visible_to_its_player_only(host: Host) -> None:
    game = await start_game(host)
    before, user_id = await visible_state(host, game), await mover_id(host, game)
    outcome = await decide_pending(host, game)
    assert (outcome.waits, outcome.ply, outcome.events) == (True, 0, ())
    assert await visible_state(host, game) == before
    pending = await host.pending_moves.find(game.id, user_id)
    assert pending is not None
    assert pending.table.position.ply == 0
    for person in PEOPLE:
        if person.user_id != user_id:
            assert await host.pending_moves.find(game.id, person.user_id) is None


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_pending_move_is_published_when_its_window_has_passed(
    host: Host, new_host: NewHost, clock: SettableClock, *, restarted: bool
) -> None:
    game = await start_game(host)
    start, user_id = clock.now(), await mover_id(host, game)
    await decide_pending(host, game)
    host = await new_host() if restarted else host
    clock.advance(59)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == 0
    clock.advance(1)
    await host.timer_dispatcher.work()
    await host.timer_dispatcher.work()
    table = await host.games.table(game.id)
    assert [(entry.ply, entry.user_id, entry.at) for entry in table.log] == [(0, user_id, start)]
    assert table.game.revision == 1
    assert await host.pending_moves.find(game.id, user_id) is None


async def test_the_player_publishes_a_pending_move_early(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    user_id = await mover_id(host, game)
    await decide_pending(host, game)
    outcome = await host.pending_moves.publish(game.id, user_id, 0)
    assert (outcome.before_ply, outcome.ply, outcome.repeated) == (0, 1, False)
    with expect_error(ErrorCode.NOTHING_WAITS, code=game.code):
        await host.pending_moves.publish(game.id, user_id, 0)
    clock.advance(60)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == 1


async def test_a_retracted_move_leaves_no_trace_and_can_be_made_again(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    before, user_id, press_id, back = (
        await visible_state(host, game),
        await mover_id(host, game),
        click_id(),
        click_id(),
    )
    await decide_pending(host, game, press_id=press_id)
    assert await host.pending_moves.retract(game.id, user_id, 0, back) == game
    assert await find_pending_move(host, game) is None
    again = await decide_pending(host, game, press_id=press_id)  # a repeated interaction does nothing
    assert (again.repeated, again.waits) == (True, False)
    assert await find_pending_move(host, game) is None
    await decide_pending(host, game, seed=2)
    await host.pending_moves.retract(game.id, user_id, 0, back)  # repeated, too: it spares the newer move
    assert await find_pending_move(host, game) is not None
    with expect_error(ErrorCode.NOTHING_WAITS):
        await host.pending_moves.retract(game.id, user_id, 7, click_id())
    await host.pending_moves.retract(game.id, user_id, 0, click_id())
    clock.advance(600)
    await host.timer_dispatcher.work()
    assert await visible_state(host, game) == before


async def test_only_the_player_retracts_or_publishes_a_pending_move(host: Host) -> None:
    game = await start_game(host)
    user_id = await mover_id(host, game)
    await decide_pending(host, game)
    for person in PEOPLE:
        if person.user_id != user_id:
            with expect_error(ErrorCode.NOTHING_WAITS):
                await host.pending_moves.retract(game.id, person.user_id, 0, click_id())
            with expect_error(ErrorCode.NOTHING_WAITS):
                await host.pending_moves.publish(game.id, person.user_id, 0)
    assert await find_pending_move(host, game) is not None


async def test_a_second_move_is_refused_while_one_is_pending(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    press_id = click_id()
    await decide_pending(host, game, press_id=press_id)
    for process in (host, await new_host()):
        with expect_error(ErrorCode.WAITS, code=game.code):
            await decide_pending(process, game, seed=2)
        with expect_error(ErrorCode.WAITS, code=game.code):
            await decide_pending(process, game, seed=2, window=timedelta(0))
        again = await decide_pending(process, game, press_id=press_id)
        assert (again.repeated, again.waits) == (True, True)


async def test_others_are_refused_because_it_is_not_their_turn(host: Host) -> None:
    game = await start_game(host)
    await decide_pending(host, game)
    table = await host.games.table(game.id)
    other = game.seats[table.position.player - 1].user_id
    with expect_error(ErrorCode.NOT_YOUR_TURN):
        await host.moves.act(game.id, other, 0, [next(iter(table.position.legal_actions))], click_id(), window=WINDOW)


@pytest.mark.parametrize("own", [False, True])
async def test_a_pending_move_is_published_before_a_resignation(host: Host, *, own: bool) -> None:
    game = await start_game(host)
    user_id = await mover_id(host, game)
    leaver = user_id if own else next(person.user_id for person in game.seats if person.user_id != user_id)
    await decide_pending(host, game)
    await host.moves.resign(game.id, leaver, click_id())
    log = (await host.games.table(game.id)).log
    assert [entry.user_id for entry in log] == [user_id, leaver]
    assert log[1].action == Resign(game.seat_of(leaver) or 0)


async def test_two_processes_publish_a_pending_move_once(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await start_game(host)
    other_host = await new_host()
    await decide_pending(host, game)
    clock.advance(60)
    await asyncio.gather(host.timer_dispatcher.work(), other_host.timer_dispatcher.work())
    await asyncio.gather(host.timer_dispatcher.work(), other_host.timer_dispatcher.work())
    table = await (await new_host()).games.table(game.id)
    assert len(table.log) == 1
    async with host._store.reading() as tx:
        nonces = list(await tx.scalars(text("select nonce from outbox order by id")))
    assert nonces == [f"{game.code}-0", f"{game.code}-1"]


@pytest.mark.parametrize("broken", [moves.claim_pending, timers.claim])
async def test_a_failed_publication_is_rolled_back_and_retried(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch, broken: Any
) -> None:
    """Fail within the transaction that publishes; a later retry publishes the move once."""
    game = await start_game(host)
    await decide_pending(host, game)
    clock.advance(60)
    module = moves if broken is moves.claim_pending else timers

    async def fail(*_: object) -> bool:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(module, broken.__name__, fail)
        await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == 0
    clock.advance(61)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == 1


async def test_a_pending_move_of_a_frozen_game_is_published_after_the_thaw(
    host: Host, clock: SettableClock, new_host: NewHost
) -> None:
    game = await start_game(host)
    await decide_pending(host, game)
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("update games set status = 'frozen'")
    clock.advance(60)
    other_host = await new_host()
    await other_host.timer_dispatcher.work()
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("update games set status = 'running'")
    clock.advance(3600)
    await other_host.timer_dispatcher.work()
    assert (await other_host.games.get(game.id)).ply == 1


@pytest.mark.both_databases
async def test_a_pending_move_from_before_newer_plies_is_replaced(host: Host, clock: SettableClock) -> None:
    game = await start_game(host)
    await decide_pending(host, game)
    async with host._store.writing() as tx:  # as a version without pending moves, which plays on, would leave it
        await tx.exec_driver_sql("update pending set ply = -1")
    await play_plies(host, game.id, 1)
    await decide_pending(host, game)
    clock.advance(60)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).ply == 2


async def test_the_next_game_is_never_one_with_a_pending_move(host: Host) -> None:
    first, second = await start_game(host), await start_game(host)
    user_id = await mover_id(host, first)
    while await mover_id(host, second) != user_id:  # the first player is drawn by lot
        second = await start_game(host)
    assert (await host.game_lists.next_waiting_for(user_id, exclude=second.id)) is not None
    await decide_pending(host, first)
    assert await host.game_lists.next_waiting_for(user_id, exclude=second.id) is None


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 12))])
async def test_random_games_with_windows_equal_those_without(host: Host, clock: SettableClock, seed: int) -> None:
    """Show others the previous position after each confirmed move until it is published or retracted."""
    game, rng = await start_game(host), Random(seed)
    actions: list[Action] = []
    for _ in range(30):
        table = await host.games.table(game.id)
        action = random_action(table.position, rng)
        user_id = table.game.seats[table.position.player].user_id
        before = await visible_state(host, game)
        await host.moves.act(game.id, user_id, table.game.revision, [action], click_id(), window=WINDOW)
        assert await visible_state(host, game) == before
        if rng.random() < 0.3:
            await host.pending_moves.retract(game.id, user_id, table.game.revision, click_id())
            assert await visible_state(host, game) == before
            continue
        actions.append(action)
        if rng.random() < 0.5:
            await host.pending_moves.publish(game.id, user_id, table.game.revision)
        else:
            clock.advance(60)
            await host.timer_dispatcher.work()
        assert [entry.action for entry in (await host.games.table(game.id)).log] == actions


async def test_the_window_is_the_players_choice_or_the_setting(new_host: NewHost) -> None:
    assert HostSettings().publish_window == WINDOW
    host = await new_host(publish_window=timedelta(0))
    game = await start_game(host)
    assert host.moves.window_of(Preferences(), game) == timedelta(0)
    thirty = Preferences(choices={"publish": "30"})
    assert host.moves.window_of(thirty, game) == timedelta(seconds=30)
    assert (await new_host()).moves.window_of(Preferences(choices={"publish": "nonsense"}), game) == WINDOW
    live = replace(game, settings=replace(game.settings, pace="live"))
    assert host.moves.window_of(thirty, live) == timedelta(0)


async def test_the_posting_time_of_a_card_is_measured_from_publication(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, observed = [0.0], list[float]()
    monkeypatch.setattr("host.games.outbox.perf_counter", lambda: seconds[-1])
    monkeypatch.setattr("host.games.outbox.CARD_POSTED", SimpleNamespace(observe=observed.append))
    host.outbox.sends_here = True
    game = await start_game(host)
    for post in await host.outbox.due():
        await host.outbox.lease(post.id)
        await host.outbox.record_sent(post.id, 1)
    user_id = await mover_id(host, game)
    host.outbox.take_begun()
    observed.clear()
    await decide_pending(host, game)
    seconds.append(60)
    await host.pending_moves.publish(game.id, user_id, 0)
    (card,) = host.outbox.take_begun()
    seconds.append(60.25)
    await host.outbox.record_sent(card.id, 2)
    assert observed == [0.25]


async def test_a_window_costs_one_more_write(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await start_game(host)
    writes = 0
    writing = Store.writing

    def counting_writing(store: Store, **about: Any) -> Any:
        """Count a writing transaction and open it."""
        nonlocal writes
        writes += 1
        return writing(store, **about)

    monkeypatch.setattr(Store, "writing", counting_writing)
    await decide_pending(host, game, window=timedelta(0))
    without_window, writes = writes, 0
    user_id = await mover_id(host, game)
    await decide_pending(host, game, seed=3)
    await host.pending_moves.publish(game.id, user_id, 1)
    assert (without_window, writes) == (1, 2)
