"""Computers at a table: when they think, what they are told, and how their decisions are stored.

In most tests a computer thinks in this process, by the protocol that workers speak; the last ones start real workers.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import update

from benchmarks.bot.gauges import rss_mib
from computer.versions import newest_version
from engine import GAMES, begin, parse_action, read_setup
from engine.carcassonne import Position as CarcassonnePosition
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot, bazaar_number
from engine.selfplay import random_game
from host import ErrorCode, Game, GameStatus, Host, RequestState
from host.computers.thinking import RETRY_INTERVAL, THINKING_LEASE
from host.computers.workers import Answer, ThinkingError, Thought, TurnQueue, WorkerPool
from host.games.move import COMPUTER_USER_ID, TIMEOUT_USER_ID
from host.games.outbox import READING_PAUSE
from host.settings import WorkerLimits
from store import Computer, Person, PostKind, TableSettings, TimerKind, moves, timers
from store.schema.play import seats
from tests.computer.positions import ALL_BOXES
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    SettableClock,
    click_id,
    expect_error,
    new_lobby,
    play_random_action,
    send_due_posts,
)


async def start_with_computers(
    host: Host,
    *people: Person,
    computers: int = 1,
    game: str = "carcassonne",
    expansions: tuple[str, ...] = (),
    pace: str = "none",
) -> Game:
    """Start a game of these people, Ada by default, and of quick computers."""
    first, *others = people or (ADA,)
    settings = TableSettings(pace=pace)
    capacity = 1 + len(others) + computers
    lobby = new_lobby(capacity=capacity, owner=first, game=game, expansions=expansions, settings=settings)
    opened = await host.lobbies.open(lobby, click_id())
    for person in others:
        await host.lobbies.join(opened.id, person, click_id())
    for _ in range(computers):
        await host.lobbies.add_computer(opened.id, first.user_id, "quick", click_id())
    return await host.lobbies.start(opened.id, first.user_id, click_id())


async def let_think(host: Host, clock: SettableClock) -> list[PostKind]:
    """Send the due cards, and let computers decide until a person has to; return the kinds of the posts."""
    kinds = await send_due_posts(host)
    while True:
        clock.advance(5)
        if not await host.timer_dispatcher.work():
            return kinds
        await host.computers.idle()
        kinds += await send_due_posts(host)


async def until_computer(host: Host, clock: SettableClock, game: Game) -> Game:
    """Play random actions of people until it is a computer's turn, without letting it think."""
    rng = Random(7)
    await let_think(host, clock)
    while (game := await host.games.get(game.id)).computer_to_act is None:
        await play_random_action(host, game.id, rng)
    return game


async def test_computers_sit_in_a_seat_of_their_own_kind(host: Host) -> None:
    game = await start_with_computers(host, ADA, BEN, computers=2)
    assert sorted(player.name for player in game.computers) == ["Adela", "Bertram"]
    assert {player.user_id for player in game.players} == {ADA.user_id, BEN.user_id}
    assert [await host.games.get(game.id)] == [game]
    assert all(game.seat_of(user_id) is None for user_id in (0, -1, COMPUTER_USER_ID))


@pytest.mark.parametrize("game_name", [pytest.param("carcassonne", marks=pytest.mark.soak), "the-castle"])
async def test_a_game_with_a_computer_is_played_to_its_end(
    host: Host, clock: SettableClock, thinker: FakeThinker, game_name: str
) -> None:
    game = await start_with_computers(host, game=game_name)
    rng, kinds = Random(3), await let_think(host, clock)
    while (game := await host.games.get(game.id)).status is GameStatus.RUNNING:
        assert game.person_to_act == ADA
        await play_random_action(host, game.id, rng)
        kinds += await let_think(host, clock)
    assert kinds[-1] is PostKind.FINAL
    log = (await host.games.table(game.id)).log
    assert {entry.user_id for entry in log} == {ADA.user_id, COMPUTER_USER_ID}
    async with host._store.reading() as tx:
        decisions = await moves.computer_decisions(tx, game.id)
    by_computer = [entry.ply + 1 for entry in log if entry.user_id == COMPUTER_USER_ID]
    assert [entry.revision for entry in decisions] == by_computer
    assert {(entry.level, entry.version) for entry in decisions} == {("quick", 1)}
    assert len(thinker.told) == len(by_computer)


async def test_a_decision_can_be_made_again_from_what_was_stored(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    await let_think(host, clock)
    table = await host.games.table(game.id)
    async with host._store.reading() as tx:
        decisions = await moves.computer_decisions(tx, game.id)
    for decision in decisions:
        made = [entry.action for entry in table.log[: decision.revision - 1]]
        thought = Thought.of(table.at(decision.revision - 1), made, decision.level, decision.seed)
        assert (await thinker.decide(thought)).action == str(table.log[decision.revision - 1].action)


async def test_several_computers_in_a_row_make_one_card(host: Host, clock: SettableClock) -> None:
    game = await until_computer(host, clock, await start_with_computers(host, computers=3))
    assert await send_due_posts(host) != []
    assert await let_think(host, clock) == [PostKind.CARD]
    log = (await host.games.table(game.id)).log
    assert len({entry.seat for entry in log[game.ply :]}) == 3


async def test_a_computer_waits_until_the_card_before_is_sent(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    thinker.told.clear()
    clock.advance(3600)
    await host.timer_dispatcher.work()
    await host.computers.idle()
    assert thinker.told == []
    assert await let_think(host, clock) != []
    assert (await host.games.get(game.id)).ply > game.ply


async def test_nothing_hidden_is_told(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """The pile has no order, and there is no seed, plan or pending move in what a worker is sent."""
    await until_computer(host, clock, await start_with_computers(host))
    await let_think(host, clock)
    for thought in thinker.told:
        setup = json.loads(thought.setup)
        assert setup["seed"] == ""
        told, unseen = begin(read_setup(thought.setup)), 0
        for move in thought.moves.split():
            told.apply(parse_action(move))
        assert told.veiled().setup == told.setup  # nothing is left to hide
        unseen += len(told.unseen)
        assert unseen > 0
        assert [line.split()[0] for line in thought.lines().splitlines()] == ["game", "go"]
        assert thought.lines().splitlines()[1] in {
            f"go level quick seed {thought.seed}",
            f"go level quick version 1 seed {thought.seed}",
        }


async def test_another_order_of_the_pile_is_told_in_the_same_words(host: Host, clock: SettableClock) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    table = await host.games.table(game.id)
    position, made = table.position, [entry.action for entry in table.log]
    told = Thought.of(position, made, "quick", "s")
    pile, unseen = list(position.setup.pile), list(position.unseen)
    for index, tile in zip(unseen, reversed([pile[index] for index in unseen]), strict=True):
        pile[index] = tile
    assert tuple(pile) != position.setup.pile
    position.setup = replace(position.setup, pile=tuple(pile), seed="another")
    assert Thought.of(position, made, "quick", "s") == told


async def test_a_sealed_plan_is_not_told(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """A computer is asked twice about the same decision in a bazaar: before and after Ada has planned her bids."""
    game, rng = await start_with_computers(host, expansions=("bridges-castles-bazaars",)), Random(1)
    await let_think(host, clock)
    while True:
        await play_random_action(host, game.id, rng)
        game, position = await host.games.get(game.id), (await host.games.table(game.id)).position
        if isinstance(position, CarcassonnePosition) and game.computer_to_act and isinstance(position.step, ChooseLot):
            break
        await let_think(host, clock)
    thinker.failing = ("quick",)
    thinker.told.clear()
    await let_think(host, clock)
    plan = f"of:{bazaar_number(position)} lot:1@1 lot:2@0 most:1@4 most:2@3 buy:2 pass"
    await host.moves.plan(game.id, ADA.user_id, plan, click_id())
    assert await host.moves.planned(game, ADA.user_id) == plan
    clock.advance(RETRY_INTERVAL.total_seconds())
    await let_think(host, clock)
    before, after = thinker.told
    assert before == after


async def begin_to_think(host: Host, clock: SettableClock, thinker: FakeThinker) -> Game:
    """Start a game, and let its computer think about a decision that it will not answer; return the game."""
    game = await until_computer(host, clock, await start_with_computers(host))
    await send_due_posts(host)
    thinker.may_answer.clear()
    clock.advance(5)
    await host.timer_dispatcher.work()
    return game


async def test_a_dead_process_leaves_the_decision_to_another(
    host: Host, new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await begin_to_think(host, clock, thinker)
    await asyncio.sleep(0)
    await host.computers.close()  # its thought is lost
    other = await new_host(thinker=FakeThinker())
    await other.timer_dispatcher.work()
    await other.computers.idle()
    assert (await other.games.get(game.id)).ply == game.ply
    clock.advance(THINKING_LEASE.total_seconds())
    assert await let_think(other, clock) == [PostKind.CARD]
    assert (await other.games.get(game.id)).ply > game.ply


async def test_a_restart_lets_computers_decide_at_once(
    host: Host, new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    """A process that has the database to itself need not wait for the lease of the one before it."""
    game = await begin_to_think(host, clock, thinker)
    await host.computers.close()
    other = await new_host(thinker=FakeThinker())
    await other.start()
    await other.timer_dispatcher.work()
    await other.computers.idle()
    assert ((await other.games.get(game.id)).ply > game.ply) is not other._store.is_shared


async def test_a_lease_is_renewed_while_a_decision_lasts(
    host: Host, new_host: NewHost, clock: SettableClock, thinker: FakeThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process on the same database leaves the game alone for as long as this one thinks about it."""
    monkeypatch.setattr("host.computers.thinking.RENEWAL_SECONDS", 0.01)
    game = await begin_to_think(host, clock, thinker)
    other = await new_host(thinker=FakeThinker())
    for _ in range(3):
        clock.advance(THINKING_LEASE.total_seconds() - 1)
        await wait_for_lease(host, clock, game)
        assert await other.timer_dispatcher.work() == 0
    thinker.may_answer.set()
    await host.computers.idle()
    assert (await host.games.get(game.id)).ply > game.ply


async def wait_for_lease(host: Host, clock: SettableClock, game: Game) -> None:
    """Wait until the timer of a game is leased for the full time from now."""
    async with asyncio.timeout(30):
        until = clock.now() + THINKING_LEASE
        while await host._store.read(timers.due_at, game.id, TimerKind.THINK) != until:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)


async def test_a_decision_that_takes_longer_than_its_lease_is_made_once(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    """Many games may wait for one worker: the timer is leased again, and nobody thinks about the game twice."""
    game = await until_computer(host, clock, await start_with_computers(host))
    await send_due_posts(host)
    thinker.told.clear()
    thinker.may_answer.clear()
    for _ in range(3):
        clock.advance(THINKING_LEASE.total_seconds() + 5)
        await host.timer_dispatcher.work()
    thinker.may_answer.set()
    await host.computers.idle()
    after = await host.games.get(game.id)
    assert after.ply > game.ply
    assert len(thinker.told) == after.ply - game.ply


async def test_a_game_that_has_gone_on_is_not_decided(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """Ada resigns while the computer thinks: its decision is not stored, and the game ends without a person."""
    game = await until_computer(host, clock, await start_with_computers(host, computers=2))
    await send_due_posts(host)
    thinker.may_answer.clear()
    thinker.asked.clear()
    clock.advance(5)
    await host.timer_dispatcher.work()
    await thinker.asked.wait()
    await host.moves.resign(game.id, ADA.user_id, click_id())
    thinker.may_answer.set()
    await host.computers.idle()
    log = (await host.games.table(game.id)).log
    assert [entry.user_id for entry in log[-2:]] == [ADA.user_id, TIMEOUT_USER_ID]
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


async def test_quick_decides_where_another_level_fails(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    game = await start_with_computers(host)
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("UPDATE seats SET level = 'strange' WHERE user_id IS NULL")
    host.games.cache.evict(game.id)
    thinker.failing = ("strange",)
    game = await until_computer(host, clock, game)
    await let_think(host, clock)
    async with host._store.reading() as tx:
        assert {entry.level for entry in await moves.computer_decisions(tx, game.id)} == {"quick"}


async def test_a_decision_that_fails_is_told_once_and_tried_again(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    thinker.failing = ("quick",)
    kinds = await let_think(host, clock)
    assert kinds.count(PostKind.STALLED) == 1
    assert set(kinds) == {PostKind.CARD, PostKind.STALLED}  # the cards are those of Ada
    assert (await host.games.get(game.id)).ply == game.ply
    clock.advance(RETRY_INTERVAL.total_seconds())
    assert await let_think(host, clock) == []
    thinker.failing = ()
    clock.advance(RETRY_INTERVAL.total_seconds())
    assert await let_think(host, clock) == [PostKind.CARD]
    thinker.failing = ("quick",)
    game = await until_computer(host, clock, game)
    assert PostKind.STALLED in await let_think(host, clock), "another turn is told, too"


async def test_a_person_takes_the_seat_of_a_computer_that_does_not_decide(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    """The people at the table have to agree; the computer's decision, if it is made after all, ends the offer."""
    game = await until_computer(host, clock, await start_with_computers(host, pace="fast"))
    thinker.failing = ("quick",)
    await let_think(host, clock)
    offered = (await host.games.get(game.id)).revision
    with expect_error(ErrorCode.SEATED_ALREADY, player="Ada"):
        await host.substitutions.take(game.code, ADA, offered, click_id())
    with expect_error(ErrorCode.STALE, revision=offered - 1, current=offered):
        await host.substitutions.take(game.code, BEN, offered - 1, click_id())
    request = await host.substitutions.take(game.code, BEN, offered, click_id())
    assert request.voters == (ADA.user_id,)
    with expect_error(ErrorCode.ASKED_ALREADY, code=game.code):
        await host.substitutions.take(game.code, CLEO, offered, click_id())
    answer = await host.votes.answer(game.id, request.id, ADA.user_id, click_id(), agrees=True)
    assert answer.request.state is RequestState.GRANTED
    after = await host.games.get(game.id)
    assert (after.person_to_act, after.computers) == (BEN, ())
    assert PostKind.REPLACED in await let_think(host, clock)
    await play_random_action(host, game.id, Random(1))
    assert (await host.games.table(game.id)).log[-1].user_id == BEN.user_id
    clock.advance(RETRY_INTERVAL.total_seconds())
    await let_think(host, clock)
    assert thinker.told[-1].moves.count(" ") < after.ply, "it is not asked any more"


async def test_decisions_before_one_that_fails_count(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """The second of two computers fails: the first has moved all the same, and the game waits for the second."""
    game = await until_computer(host, clock, await start_with_computers(host, computers=2))
    await send_due_posts(host)
    first = game.computer_to_act
    thinker.fails_for = lambda thought: len(thought.moves.split()) >= game.ply + 2
    kinds = await let_think(host, clock)
    assert kinds.count(PostKind.CARD) == 1
    assert kinds[-1] is PostKind.STALLED
    after = await host.games.get(game.id)
    assert after.ply > game.ply
    assert after.computer_to_act not in (None, first)


async def test_a_bot_that_no_longer_offers_computers_says_so_in_its_games(
    host: Host, new_host: NewHost, clock: SettableClock
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    await send_due_posts(host)
    without = await new_host(workers=WorkerLimits(workers=0))
    assert await let_think(without, clock) == [PostKind.STALLED]
    assert (await without.games.get(game.id)).ply == game.ply


async def test_people_can_read_a_card_before_computers_decide(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host, computers=2))
    thinker.told.clear()
    await send_due_posts(host)
    clock.advance(READING_PAUSE.total_seconds() - 0.1)
    assert await host.timer_dispatcher.work() == 0
    clock.advance(0.1)
    await host.timer_dispatcher.work()
    await host.computers.idle()
    assert thinker.told
    assert (await host.games.get(game.id)).ply > game.ply


async def use_level(host: Host, game: Game, level: str) -> Game:
    """Change the level of the computers of a game."""
    async with host._store.writing() as tx:
        of_computers = (seats.c.game_id == game.id, seats.c.user_id.is_(None))
        await tx.execute(update(seats).where(*of_computers).values(level=level))
    host.games.cache.evict(game.id)
    return await host.games.get(game.id)


async def levels_of(host: Host, game: Game) -> list[str]:
    """Return the levels that have decided in a game, in order."""
    async with host._store.reading() as tx:
        return [entry.level for entry in await moves.computer_decisions(tx, game.id)]


@pytest.mark.both_databases
async def test_a_server_whose_thinking_time_is_used_up_plays_on_quickly(
    new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    thinker.seconds = 40.0
    host = await new_host(thinker=thinker, workers=WorkerLimits(server_seconds=60.0, person_seconds=0))
    game = await use_level(host, await start_with_computers(host), "standard")
    kinds = list[PostKind]()
    for _ in range(3):
        game = await until_computer(host, clock, game)
        kinds += await let_think(host, clock)
    levels = await levels_of(host, game)
    assert levels == ["standard"] * 2 + ["quick"] * (len(levels) - 2)
    assert len(levels) > 2
    assert kinds.count(PostKind.SPENT) == 1, "told once a day"
    clock.advance(timedelta(days=1).total_seconds())
    await until_computer(host, clock, game)
    await let_think(host, clock)
    assert (await levels_of(host, game))[len(levels)] == "standard"


async def test_a_person_shares_their_time_with_the_others_at_the_table(
    new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    """Ada has used up her time at another table; with Ben, who has some left, the computers think on."""
    thinker.seconds = 100.0
    host = await new_host(thinker=thinker, workers=WorkerLimits(server_seconds=0, person_seconds=60.0))
    alone = await use_level(host, await start_with_computers(host), "standard")
    alone = await until_computer(host, clock, alone)
    await let_think(host, clock)
    assert await host.thinking_time.is_used_up(alone)
    shared = await use_level(host, await start_with_computers(host, ADA, BEN), "strong")
    assert not await host.thinking_time.is_used_up(shared)
    async with host._store.writing() as tx:
        await host.thinking_time.charge(tx, shared, 119.0)
    assert not await host.thinking_time.is_used_up(shared)
    async with host._store.writing() as tx:
        await host.thinking_time.charge(tx, shared, 1.0)
    assert await host.thinking_time.is_used_up(shared)
    quick = await use_level(host, shared, "quick")
    assert not await host.thinking_time.is_used_up(quick)


async def test_the_time_of_yesterday_is_forgotten(host: Host, clock: SettableClock) -> None:
    game = await start_with_computers(host)
    async with host._store.writing() as tx:
        await host.thinking_time.charge(tx, game, 100.0)
    assert "thinking" not in await host.retention.work()
    clock.advance(timedelta(days=2).total_seconds())
    assert (await host.retention.work())["thinking"] == 2


@pytest.mark.both_databases
async def test_a_game_keeps_its_version_while_it_is_there(
    host: Host, clock: SettableClock, thinker: FakeThinker, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "host.computers")
    game = await until_computer(host, clock, await start_with_computers(host))
    await let_think(host, clock)
    assert thinker.told[0].version == 0
    assert [computer.version for computer in (await host.games.get(game.id)).computers] == [1]
    thinker.told.clear()
    game = await until_computer(host, clock, game)
    await let_think(host, clock)
    assert {thought.version for thought in thinker.told} == {1}
    assert await host.computers.updated_seats(game) == []
    thinker.version = 2  # an update has taken version 1 away
    assert "another version" not in caplog.text
    await until_computer(host, clock, game)
    await let_think(host, clock)
    assert caplog.text.count("a computer goes on as another version") == 1
    assert [computer.version for computer in (await host.games.get(game.id)).computers] == [2]
    (seat,) = await host.computers.updated_seats(game)
    assert isinstance(game.seats[seat], Computer)


def sample(name: str) -> float:
    """Return the value of a metric."""
    value = REGISTRY.get_sample_value(name)
    assert value is not None
    return value


async def test_a_game_that_waits_for_a_day_calls_the_operator(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    thinker.failing = ("quick",)
    await let_think(host, clock)
    await host.health_check.check()
    assert sample("castellan_oldest_computer_turn_seconds") < 60
    assert await host.operators.faults() == []
    clock.advance(timedelta(hours=25).total_seconds())
    await host.health_check.check()
    assert sample("castellan_oldest_computer_turn_seconds") > 86_400
    assert [str(finding).split(":")[:2] for finding in await host.operators.faults()] == [
        ["stuck computer", f" {game.code}"]
    ]
    thinker.failing = ()
    await let_think(host, clock)
    await host.health_check.check()
    assert sample("castellan_oldest_computer_turn_seconds") == 0


async def test_servers_take_turns_in_the_queue() -> None:
    """Server 1 asks five times before servers 2 and 3 do: they wait for one more of its decisions, not for all."""
    queue, served = TurnQueue(1), list[int]()

    async def think(guild_id: int) -> None:
        async with queue.place(guild_id):
            served.append(guild_id)
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for guild_id in (1, 1, 1, 1, 1, 2, 3, 2):
            group.create_task(think(guild_id))
    assert served == [1, 1, 2, 3, 1, 2, 1, 1]


async def test_a_cancelled_request_gives_its_place_to_the_next() -> None:
    queue, served = TurnQueue(1), list[str]()
    may_end = asyncio.Event()

    async def think(name: str, guild_id: int) -> None:
        async with queue.place(guild_id):
            served.append(name)
            await may_end.wait()

    first = asyncio.create_task(think("first", 1))
    waiting = [asyncio.create_task(think(name, guild_id)) for name, guild_id in (("gone", 2), ("last", 3))]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    may_end.set()
    await asyncio.gather(first, waiting[1])
    assert served == ["first", "last"]
    async with asyncio.timeout(1), queue.place(1):
        pass


async def test_a_request_cancelled_when_its_turn_comes_passes_it_on() -> None:
    queue, may_end = TurnQueue(1), asyncio.Event()

    async def think() -> None:
        async with queue.place(1):
            await may_end.wait()

    first, second = asyncio.create_task(think()), asyncio.create_task(think())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)  # the place has been given to the second one, which has not run since
    second.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    async with asyncio.timeout(1), queue.place(2):
        pass


async def test_an_undo_takes_back_the_moves_of_computers(host: Host, clock: SettableClock) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    await let_think(host, clock)
    before = (await host.games.get(game.id)).ply
    request = await host.undo.request(game.id, ADA.user_id, None, click_id())
    await let_think(host, clock)
    after = await host.games.get(game.id)
    assert request.state.value == "granted"
    assert after.ply < before
    assert after.person_to_act == ADA


async def test_a_computer_has_no_clock(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """A computer's turn lasts for days, as when the place is closed: nobody's time runs, and nobody is reminded."""
    game = await until_computer(host, clock, await start_with_computers(host, computers=2, pace="fast"))
    thinker.failing = ("quick",)
    assert PostKind.REMINDER not in await let_think(host, clock)
    for _ in range(30):
        clock.advance(timedelta(days=1).total_seconds())
        await host.gateway_monitor.beat()
        assert set(await let_think(host, clock)) <= {PostKind.REMINDER} - {PostKind.REMINDER}
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.deadline is None
    assert (await host.games.get(game.id)).ply == game.ply


async def test_only_the_owner_seats_computers(host: Host) -> None:
    lobby = await host.lobbies.open(new_lobby(capacity=3), click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    with expect_error(ErrorCode.NOT_OWNER):
        await host.lobbies.add_computer(lobby.id, BEN.user_id, "quick", click_id())
    with expect_error(ErrorCode.BAD_LEVEL, level="divine"):
        await host.lobbies.add_computer(lobby.id, ADA.user_id, "divine", click_id())
    seated = await host.lobbies.add_computer(lobby.id, ADA.user_id, "quick", click_id())
    assert seated.computers == (Computer("Adela", "quick"),)
    with expect_error(ErrorCode.LOBBY_FULL):
        await host.lobbies.add_computer(lobby.id, ADA.user_id, "quick", click_id())
    with expect_error(ErrorCode.NOT_OWNER):
        await host.lobbies.remove_computer(lobby.id, BEN.user_id, "Adela", click_id())
    assert (await host.lobbies.remove_computer(lobby.id, ADA.user_id, "Adela", click_id())).computers == ()


async def test_a_bot_without_workers_offers_no_computers(new_host: NewHost) -> None:
    host = await new_host(workers=WorkerLimits(workers=0))
    lobby = await host.lobbies.open(new_lobby(capacity=3), click_id())
    with expect_error(ErrorCode.NO_COMPUTERS):
        await host.lobbies.add_computer(lobby.id, ADA.user_id, "quick", click_id())
    with expect_error(ErrorCode.NO_COMPUTERS):
        await host.lobbies.open(new_lobby(capacity=3, computers=(Computer("Adela", "quick"),)), click_id())


async def test_a_table_with_computers_does_not_start_once_there_are_none(host: Host, new_host: NewHost) -> None:
    lobby = await host.lobbies.open(new_lobby(capacity=2), click_id())
    await host.lobbies.add_computer(lobby.id, ADA.user_id, "quick", click_id())
    without = await new_host(workers=WorkerLimits(workers=0))
    assert not without.lobbies.offers_computers
    with expect_error(ErrorCode.NO_COMPUTERS):
        await without.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert (await without.lobbies.remove_computer(lobby.id, ADA.user_id, "Adela", click_id())).computers == ()


async def test_a_rematch_seats_the_computers_again(host: Host, clock: SettableClock) -> None:
    game = await start_with_computers(host, computers=2)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    await let_think(host, clock)
    lobby = await host.lobbies.rematch(game.code, ADA, click_id())
    assert {(player.name, player.level) for player in lobby.computers} == {("Adela", "quick"), ("Bertram", "quick")}
    rematch = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert [player.name for player in rematch.seats] == [player.name for player in (*game.seats[1:], game.seats[0])]


async def test_a_worker_decides_like_the_computer_here_and_rests(host: Host, clock: SettableClock) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    table = await host.games.table(game.id)
    thought = Thought.of(table.position, [entry.action for entry in table.log], "quick", "s")
    here, pool = FakeThinker(version=newest_version()), WorkerPool(WorkerLimits(rest=0.2))
    assert sample("castellan_computer_workers") == 0, "none before the first is needed"
    try:
        answer = await pool.decide(thought)
        own_niceness = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, pool._resting[0].process.pid) == min(own_niceness + 10, 19)
        assert answer == await here.decide(thought)
        assert answer.seconds > 0
        assert pool.resting == 1
        assert sample("castellan_computer_workers") == 1
        assert await pool.decide(thought) == await here.decide(thought)
        async with asyncio.timeout(30):
            while pool.resting:  # noqa: ASYNC110 - the pool tells nobody that its workers have gone
                await asyncio.sleep(0.05)
    finally:
        await pool.close()
    assert sample("castellan_computer_workers") == 0


async def test_a_worker_needs_little_memory_and_none_after_its_rest() -> None:
    """The computer thinks about the middle of a game of four with every box."""
    game = GAMES["carcassonne"]
    setup = game.new_setup(players=4, seed="memory", options=game.options(), expansions=ALL_BOXES)
    position, log = random_game(setup, Random(1), plies=120)
    pool = WorkerPool(WorkerLimits(rest=0.2))
    try:
        await pool.decide(Thought.of(position, log, "standard", "s"))
        process = pool._resting[0].process
        assert rss_mib(process.pid) <= 120
        async with asyncio.timeout(30):
            assert await process.wait() != 0, "it is killed"
    finally:
        await pool.close()
    assert pool.resting == 0


async def test_a_worker_that_hangs_is_ended(host: Host, clock: SettableClock) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    table = await host.games.table(game.id)
    thought = Thought.of(table.position, [entry.action for entry in table.log], "quick", "s")
    pool = WorkerPool(WorkerLimits(seconds=0.001))
    with pytest.raises(ThinkingError, match="no decision within"):
        await pool.decide(thought)
    assert pool.resting == 0
    patient = WorkerPool()
    try:
        with pytest.raises(ThinkingError, match="no player"):
            await patient.decide(Thought(thought.setup, thought.moves, "divine", "s"))
        known = replace(thought, version=99)
        assert (await patient.decide(known)).version == newest_version(), "which plays for missing ones"
    finally:
        await patient.close()


class ImpatientPool(WorkerPool):
    """A pool in which *standard* has a moment for a decision; *quick* has all the time that a busy machine takes."""

    async def decide(self, thought: Thought, guild_id: int = 0) -> Answer:
        """Let a worker decide within the time of its level."""
        self._limits = WorkerLimits(seconds=0.5 if thought.level == "standard" else 60.0)
        return await super().decide(thought, guild_id)


async def test_quick_decides_after_a_worker_that_hangs_has_been_ended(new_host: NewHost, clock: SettableClock) -> None:
    pool = ImpatientPool()
    host = await new_host(thinker=pool)
    game = await start_with_computers(host)
    async with host._store.writing() as tx:
        await tx.execute(update(seats).where(seats.c.level == "quick").values(level="standard"))
    host.games.cache.evict(game.id)
    game = await until_computer(host, clock, game)
    table = await host.games.table(game.id)
    await pool.decide(Thought.of(table.position, [entry.action for entry in table.log], "quick", "s"))
    (worker,) = pool._resting
    worker.process.send_signal(signal.SIGSTOP)  # it neither answers nor ends by itself
    try:
        await let_think(host, clock)
        assert await worker.process.wait() == -signal.SIGKILL
    finally:
        await pool.close()
    async with host._store.reading() as tx:
        decisions = await moves.computer_decisions(tx, game.id)
    assert decisions[0].level == "quick"
    assert (await host.games.get(game.id)).person_to_act == ADA
