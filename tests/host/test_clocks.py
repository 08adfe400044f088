"""Players' clocks: when they start and stop, what a move costs, and what happens at zero.

The standard pace gives a bank of 72 hours, 8 free hours before each turn uses it, and 18 hours more for a turn made
in time. A clock starts when Discord has accepted the card that asks for a move. `HOUR` is in milliseconds, as clocks
are; the test's clock advances in seconds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from math import ceil
from random import Random
from typing import Any

import pytest
from sqlalchemy import func, select

from engine import Action, Pass, Place, Position
from engine.agenda import Step
from engine.carcassonne.expansions import ABBEY_MAYOR, BCB
from engine.carcassonne.expansions.abbey_mayor import DecideWagon
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot, DecideTown
from engine.selfplay import random_action
from host import Game, GameStatus, Host, Person, TableSettings
from host.clocks import HOUR, PACES, SECOND, milliseconds_between
from host.games.timekeeping import made_at
from store import Heartbeat, SeatClock, clocks, processes, schema
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, actions_to_foreign_question, click_id, new_lobby

DORA = Person(104, "Dora")
"""The fourth player."""
STANDARD = PACES["standard"]
"""The pace of most games; its times are given above."""
_DISCORD = datetime(2015, 1, 1, tzinfo=UTC)
"""The epoch of Discord's ids: an id contains the time of its creation, counted from here."""


def click_id_at(at: datetime) -> int:
    """Return a new interaction id that carries this time, as Discord's ids do."""
    return (milliseconds_between(_DISCORD, at) << 22) + click_id() % 2**22


async def open_game(host: Host, *people: Person, pace: str = "standard", **changes: object) -> Game:
    """Start a game of these people at this pace, with changes to the usual lobby."""
    first, *others = people
    lobby = await host.lobbies.open(
        new_lobby(capacity=len(people), owner=first, settings=TableSettings(pace=pace), **changes), click_id()
    )
    for person in others:
        await host.lobbies.join(lobby.id, person, click_id())
    return await host.lobbies.start(lobby.id, first.user_id, click_id())


async def post_all(host: Host) -> int:
    """Send all due posts, as Discord would accept them, and return their number."""
    count = 0
    while posts := await host.outbox.due():
        for post in posts:
            if await host.outbox.lease(post.id):
                await host.outbox.record_sent(post.id, 1000 + post.id)
                count += 1
    return count


async def clocks_of(host: Host, game: Game) -> tuple[SeatClock, ...]:
    """Return the stored clocks of a game by seat."""
    async with host._store.reading() as tx:
        return (await clocks.of_game(tx, game.id)).seats


async def active_clock(host: Host, game: Game) -> SeatClock:
    """Return the clock of the one seat that is asked to move."""
    (running,) = [clock for clock in await clocks_of(host, game) if clock.asked is not None]
    return running


async def decide(host: Host, game: Game, choose: Callable[[Position], list[Action]], at: datetime) -> None:
    """Let the player to move apply the chosen actions, by a press made at this time."""
    table = await host.games.table(game.id)
    person = table.game.seats[table.position.player]
    await host.moves.act(game.id, person.user_id, table.position.ply, choose(table.position), click_id_at(at))


def place_and_pass(position: Position) -> list[Action]:
    """Return the actions of a whole turn: place the tile, deploy no figure."""
    place = next(action for action in position.legal_actions if isinstance(action, Place))
    return [place, Pass()]


async def advance_with_heartbeat(host: Host, clock: SettableClock, seconds: float) -> None:
    """Advance the clock and store a heartbeat, as if the bot had been connected throughout."""
    clock.advance(seconds)
    async with host._store.writing() as tx:
        await processes.save_heartbeat(tx, Heartbeat(0, 1, clock.now()))


async def advance_in_steps(host: Host, clock: SettableClock, seconds: float, *, step: float) -> AsyncIterator[None]:
    """Advance the clock in steps with the gateway connected, dispatch due timers and yield after each step.

    Steps without a due timer are skipped, so a caller has to do after each yield whatever creates new timers. The
    first step is always taken, for timers left from before.
    """
    end, steps = clock.in_seconds(seconds), 1
    while clock.now() < end:
        await advance_with_heartbeat(host, clock, min(steps * step, (end - clock.now()).total_seconds()))
        await host.timer_dispatcher.work()
        yield
        steps = max(1, ceil((await next_due(host, end) - clock.now()).total_seconds() / step))


async def next_due(host: Host, latest: datetime) -> datetime:
    """Return the time at which the next timer is due, but at most `latest`."""
    async with host._store.reading() as tx:
        due_at: datetime | None = await tx.scalar(select(func.min(schema.play.timers.c.due_at)))
    return min(due_at or latest, latest)


async def advance_and_post(host: Host, clock: SettableClock, seconds: float, *, step: float = 600) -> None:
    """Advance the clock in steps with the gateway connected, dispatching timers and sending posts."""
    async for _ in advance_in_steps(host, clock, seconds, step=step):
        await post_all(host)


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """A game of four players at the standard pace whose first card is not posted yet."""
    return await open_game(host, ADA, BEN, CLEO, DORA, expansions=())


async def test_the_clock_starts_when_discord_has_the_card(host: Host, game: Game, clock: SettableClock) -> None:
    assert (await active_clock(host, game)).since is None
    clock.advance(1000)
    await post_all(host)
    started = await active_clock(host, game)
    assert (started.since, started.free) == (clock.now(), 8 * HOUR)
    assert started.left == 72 * HOUR


async def test_the_clock_stops_at_the_press_and_the_turn_earns_an_increment(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    start, seat = clock.now(), (await active_clock(host, game)).seat
    clock.advance(10 * 3600)
    await decide(host, game, place_and_pass, start + timedelta(hours=9))
    player_clock = (await clocks_of(host, game))[seat]
    assert (player_clock.used, player_clock.granted, player_clock.asked, player_clock.since) == (
        HOUR,
        90 * HOUR,
        None,
        None,
    )
    await post_all(host)
    assert (await active_clock(host, game)).seat == (seat + 1) % 4


async def test_a_move_in_two_presses_has_one_grace_and_one_increment(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    seat = (await active_clock(host, game)).seat
    clock.advance(5 * 3600)
    await decide(host, game, lambda position: place_and_pass(position)[:1], clock.now())
    clock.advance(3600)  # the clock stands still: the card is not on Discord yet
    await post_all(host)
    half = await active_clock(host, game)
    assert (half.seat, half.free, half.used, half.granted) == (seat, 3 * HOUR, 0, 72 * HOUR)
    clock.advance(4 * 3600)
    await decide(host, game, lambda _: [Pass()], clock.now())
    player_clock = (await clocks_of(host, game))[seat]
    assert (player_clock.used, player_clock.granted) == (HOUR, 90 * HOUR)


async def test_a_bazaar_decision_uses_its_own_allowance_then_the_bank(host: Host, clock: SettableClock) -> None:
    game, rng = await open_game(host, ADA, BEN, CLEO), Random(1)
    while not isinstance((position := (await host.games.table(game.id)).position).step, ChooseLot):
        await post_all(host)
        await decide(host, game, lambda position: [random_action(position, rng)], clock.now())
    await post_all(host)
    before = await active_clock(host, game)
    assert (before.free, STANDARD.allowance) == (6 * HOUR, 6 * HOUR)
    clock.advance(8 * 3600)
    await decide(host, game, lambda position: [next(iter(position.legal_actions))], clock.now())
    after = (await clocks_of(host, game))[position.player]
    assert (after.used - before.used, after.granted) == (2 * HOUR, before.granted), (
        "a bazaar decision earns no increment"
    )


@pytest.mark.parametrize("kind", [DecideTown, DecideWagon])
async def test_a_castle_and_a_wagon_cost_the_same_in_another_player_s_turn(
    host: Host, clock: SettableClock, kind: type[Step[Any]]
) -> None:
    """The owner has six free hours and earns nothing; nobody else's clock runs, since the mover's turn is over."""
    game = await open_game(host, ADA, BEN, CLEO, expansions=(BCB, ABBEY_MAYOR))
    await post_all(host)
    for action in actions_to_foreign_question(game, kind):
        mover = (await host.games.table(game.id)).position.player
        await decide(host, game, lambda _, action=action: [action], clock.now())
        await post_all(host)
    position = (await host.games.table(game.id)).position
    owner, before = position.player, await clocks_of(host, game)
    assert (await active_clock(host, game)).seat == owner != mover
    assert before[owner].free == STANDARD.allowance == 6 * HOUR
    clock.advance(8 * 3600)
    await decide(host, game, lambda position: [position.step.default_action(position)], clock.now())
    after = await clocks_of(host, game)
    spent = [new.used - old.used for old, new in zip(before, after, strict=True)]
    assert spent == [2 * HOUR * (seat == owner) for seat in range(3)]
    assert [new.granted for new in after] == [old.granted for old in before]


async def test_a_press_from_before_the_card_costs_nothing(host: Host, game: Game, clock: SettableClock) -> None:
    await post_all(host)
    seat = (await active_clock(host, game)).seat
    clock.advance(20 * 3600)
    await decide(host, game, place_and_pass, clock.in_seconds(-30 * 3600))
    assert (await clocks_of(host, game))[seat].used == 0


async def test_a_timeout_is_declared_ten_seconds_after_zero(host: Host, game: Game, clock: SettableClock) -> None:
    await post_all(host)
    seat = (await active_clock(host, game)).seat
    await advance_with_heartbeat(host, clock, 80 * 3600 + 9)
    await host.timer_dispatcher.work()
    assert (await active_clock(host, game)).seat == seat
    clock.advance(16)
    await host.gateway_monitor.beat()
    await host.timer_dispatcher.work()
    table = await host.games.table(game.id)
    assert table.position.player == (seat + 1) % 4
    assert [(str(entry.action), entry.user_id, entry.seat) for entry in table.log] == [("skip", 0, seat)]
    player_clock = (await clocks_of(host, game))[seat]
    assert (player_clock.timeouts, player_clock.left, player_clock.used, player_clock.granted) == (
        1,
        12 * HOUR,
        72 * HOUR,
        84 * HOUR,
    )


async def test_a_move_pressed_in_time_counts_even_if_it_arrives_late(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    zero, seat = clock.in_seconds(80 * 3600), (await active_clock(host, game)).seat
    await advance_with_heartbeat(host, clock, 80 * 3600 + 8)
    await host.timer_dispatcher.work()
    await decide(host, game, place_and_pass, zero - timedelta(seconds=1))
    player_clock = (await clocks_of(host, game))[seat]
    assert (player_clock.timeouts, player_clock.used, player_clock.left) == (0, 72 * HOUR - SECOND, 18 * HOUR + SECOND)


async def test_no_timeout_is_declared_while_the_gateway_is_down(host: Host, game: Game, clock: SettableClock) -> None:
    await host.gateway_monitor.beat()
    await post_all(host)
    for _ in range(50):  # eight days
        clock.advance(4 * 3600)
        await host.timer_dispatcher.work()
    assert (await active_clock(host, game)).timeouts == 0
    await host.gateway_monitor.beat()
    await host.timer_dispatcher.work()
    player_clock = await active_clock(host, game)
    assert (player_clock.timeouts, player_clock.since) == (0, clock.now())


async def test_a_timeout_after_the_placement_passes_without_a_figure(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    seat = (await active_clock(host, game)).seat
    await decide(host, game, lambda position: place_and_pass(position)[:1], clock.now())
    await post_all(host)
    await advance_and_post(host, clock, 81 * 3600, step=3600)
    table = await host.games.table(game.id)
    assert [str(entry.action) for entry in table.log][1:] == ["pass"]
    player_clock = (await clocks_of(host, game))[seat]
    assert (player_clock.timeouts, player_clock.granted) == (1, 84 * HOUR), "no increment for a turn that ran out"


@pytest.mark.sqlite
async def test_the_third_timeout_withdraws_the_player_and_the_others_play_on(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    silent = (await active_clock(host, game)).seat
    waited = await play_with_silent_seats(host, game, clock, {silent})
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.position.withdrawn == tuple(seat == silent for seat in range(4))
    assert waited <= timedelta(days=9)
    assert (await clocks_of(host, game))[silent].timeouts == 3


async def test_the_first_timeout_loses_a_duel(host: Host, clock: SettableClock) -> None:
    duel = await open_game(host, ADA, BEN, pace="live")
    await post_all(host)
    silent = (await active_clock(host, duel)).seat
    await advance_and_post(host, clock, 16 * 60, step=30)
    finished = await host.games.get(duel.id)
    assert finished.status is GameStatus.FINISHED
    assert (await host.games.table(duel.id)).position.winners() == (1 - silent,)
    assert all(seat_clock.asked is None and seat_clock.since is None for seat_clock in await clocks_of(host, duel))


async def play_with_silent_seats(host: Host, game: Game, clock: SettableClock, silent: set[int]) -> timedelta:
    """Let all but the silent seats move at once, at random; return the time spent waiting for the silent ones."""
    rng, waited = Random(1), timedelta(0)
    for _ in range(3000):
        current = await host.games.get(game.id)
        if current.seat_to_act is None:
            return waited
        await post_all(host)
        if current.seat_to_act in silent:
            before = clock.now()
            await advance_and_post(host, clock, 3600, step=3600)
            waited += clock.now() - before
        else:
            await decide(host, game, lambda position: [random_action(position, rng)], clock.now())
    raise AssertionError("the game does not end")


@pytest.mark.long
@pytest.mark.sqlite
@pytest.mark.usefixtures("game_length")
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.soak), 2])
async def test_one_silent_seat_of_four_delays_the_game_nine_days_at_most(
    host: Host, clock: SettableClock, seed: int
) -> None:
    """End the game whatever the silent seat is asked: bazaars, castles, second tiles, bought tiles."""
    boxes = (BCB, "traders-builders")
    game = await open_game(host, ADA, BEN, CLEO, DORA, expansions=boxes)
    waited = await play_with_silent_seats(host, game, clock, {seed % 4})
    table = await host.games.table(game.id)
    assert waited <= timedelta(days=9)
    assert table.game.status is GameStatus.FINISHED
    for seat_clock in await clocks_of(host, game):
        assert seat_clock.granted + seat_clock.given_back - seat_clock.used == seat_clock.left >= 0
        assert (seat_clock.asked, seat_clock.since) == (None, None)


async def test_an_untimed_game_has_no_clocks(host: Host, clock: SettableClock) -> None:
    untimed = await open_game(host, ADA, BEN, pace="none")
    await post_all(host)
    await decide(host, untimed, place_and_pass, clock.now())
    assert await clocks_of(host, untimed) == ()


@pytest.mark.both_databases
async def test_a_game_list_begins_with_the_earliest_deadline(host: Host, clock: SettableClock) -> None:
    slow, live, untimed = [await open_game(host, ADA, BEN, pace=pace) for pace in ("slow", "live", "none")]
    await post_all(host)
    listed = await host.game_lists.of_user_by_deadline((await host.games.get(slow.id)).seats[0].user_id)
    assert [game.id for game in listed] == [live.id, slow.id, untimed.id]
    assert [game.deadline for game in listed] == [clock.in_seconds(900), clock.in_seconds(80 * 3600), None]


async def test_after_an_undo_the_clock_starts_again_when_the_card_is_posted(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    seat = (await active_clock(host, game)).seat
    await decide(host, game, place_and_pass, clock.now())
    await post_all(host)
    clock.advance(3600)
    request = await host.undo.request(game.id, game.seats[seat].user_id, None, click_id())
    for user_id in request.voters:
        await host.votes.answer(game.id, request.id, user_id, click_id(), agrees=True)
    assert [seat_clock.seat for seat_clock in await clocks_of(host, game) if seat_clock.asked is not None] == [seat]
    assert (await active_clock(host, game)).since is None
    clock.advance(60)
    await post_all(host)
    again = await active_clock(host, game)
    assert (again.seat, again.since, again.free) == (seat, clock.now(), 8 * HOUR)


async def test_an_undo_gives_the_others_their_time_back_and_the_asker_no_increment(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    asker = (await active_clock(host, game)).seat
    before = {seat_clock.seat: seat_clock.left for seat_clock in await clocks_of(host, game)}
    for hours in (9, 20, 8):  # the second one needs 12 hours of the bank
        clock.advance(hours * 3600)
        await decide(host, game, place_and_pass, clock.now())
        await post_all(host)
    clock.advance(10 * 3600)  # and the fourth has been asked for 10
    request = await host.undo.request(game.id, game.seats[asker].user_id, None, click_id())
    for user_id in request.voters:
        await host.votes.answer(game.id, request.id, user_id, click_id(), agrees=True)
    after = await clocks_of(host, game)
    assert {seat_clock.seat: seat_clock.left for seat_clock in after} == {**before, asker: before[asker] - HOUR}
    assert [
        seat_clock.given_back // HOUR
        for seat_clock in sorted(after, key=lambda seat_clock: (seat_clock.seat - asker) % 4)
    ] == [0, 12, 0, 2]
    assert all(seat_clock.granted + seat_clock.given_back - seat_clock.used == seat_clock.left for seat_clock in after)


async def test_two_processes_declare_a_timeout_once(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    await advance_with_heartbeat(host, clock, 80 * 3600 + 30)
    other_host = await new_host()
    timer = (await host.timer_dispatcher._due())[0]
    for process in (host, other_host):
        await process.timer_dispatcher._dispatch(timer)
    assert [str(entry.action) for entry in (await other_host.games.table(game.id)).log] == ["skip"]


def test_the_time_of_a_press_is_read_from_its_interaction_id() -> None:
    assert made_at(175928847299117063) == datetime(2016, 4, 30, 11, 18, 25, 796000, tzinfo=UTC)
