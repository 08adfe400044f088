"""Computers at a table: when they think, what they are told, and how their decisions are stored.

In most tests a computer thinks in this process, by the protocol that workers speak; the last ones start real workers.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from engine import begin, parse_action, read_setup
from host import ErrorCode, Game, GameStatus, Host
from host.computers.thinking import RETRY_INTERVAL, THINKING_LEASE
from host.computers.workers import ThinkingError, Thought, WorkerPool
from host.games.move import COMPUTER_USER_ID
from host.settings import WorkerLimits
from store import Computer, Person, PostKind, TableSettings, moves
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    SettableClock,
    click_id,
    expect_error,
    new_lobby,
    play_random_action,
    send_due_posts,
)


@pytest.fixture
def thinker() -> FakeThinker:
    """A thinker in this process."""
    return FakeThinker()


@pytest.fixture
async def host(new_host: NewHost, thinker: FakeThinker) -> Host:
    """A host whose computers think in this process."""
    return await new_host(thinker=thinker)


async def start_with_computers(
    host: Host, *people: Person, computers: int = 1, game: str = "carcassonne", pace: str = "none"
) -> Game:
    """Start a game of these people, Ada by default, and of quick computers."""
    first, *others = people or (ADA,)
    settings = TableSettings(pace=pace)
    lobby = new_lobby(capacity=1 + len(others) + computers, owner=first, game=game, expansions=(), settings=settings)
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
        assert thought.lines().splitlines()[1] == f"go level quick seed {thought.seed}"


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


async def test_a_dead_process_leaves_the_decision_to_another(
    host: Host, new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    await send_due_posts(host)
    thinker.may_answer.clear()
    clock.advance(5)
    await host.timer_dispatcher.work()
    await asyncio.sleep(0)
    await host.computers.close()  # its thought is lost
    other = await new_host(thinker=FakeThinker())
    await other.timer_dispatcher.work()
    await other.computers.idle()
    assert (await other.games.get(game.id)).ply == game.ply
    clock.advance(THINKING_LEASE.total_seconds())
    assert await let_think(other, clock) == [PostKind.CARD]
    assert (await other.games.get(game.id)).ply > game.ply


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
    assert (await host.games.table(game.id)).log[-1].user_id == ADA.user_id
    await let_think(host, clock)
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


async def test_a_decision_that_fails_is_tried_again(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    game = await until_computer(host, clock, await start_with_computers(host))
    thinker.failing = ("quick",)
    assert set(await let_think(host, clock)) == {PostKind.CARD}  # those of Ada
    assert (await host.games.get(game.id)).ply == game.ply
    thinker.failing = ()
    clock.advance(RETRY_INTERVAL.total_seconds())
    assert await let_think(host, clock) == [PostKind.CARD]


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
    pool = WorkerPool(WorkerLimits(rest=0.2))
    try:
        assert await pool.decide(thought) == await FakeThinker().decide(thought)
        assert pool.resting == 1
        assert await pool.decide(thought) == await FakeThinker().decide(thought)
        async with asyncio.timeout(30):
            while pool.resting:  # noqa: ASYNC110 - the pool tells nobody that its workers have gone
                await asyncio.sleep(0.05)
    finally:
        await pool.close()


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
    finally:
        await patient.close()
