"""Computers that take over seats: by the others' consent or when a player leaves, and players who come back.

Ada, Ben and Cleo play; Ben's seat is the one that a computer takes, unless a test says otherwise.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from engine import Adjudicate, Resign
from host import Asker, ErrorCode, Game, GameStatus, Host, Request, RequestState
from host.clocks import PACES
from host.games.move import COMPUTER_USER_ID, TIMEOUT_USER_ID
from host.settings import WorkerLimits
from host.timing.timeouts import DEPARTURE_GRACE_PERIOD, MEMBERSHIP_CHECK_INTERVAL
from store import Computer, Person, PostKind, TableSettings, moves, personal_data
from tests.host.computers.test_computers import let_think, until_computer
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    GUILD,
    SettableClock,
    click_id,
    expect_error,
    new_lobby,
    play_random_action,
    send_due_posts,
)
from tests.host.test_clocks import advance_with_heartbeat, clocks_of

DORA = Person(104, "Dora")
"""Somebody without a seat."""
STAND_IN = Computer("Adela", "quick")
"""The computer that takes the first seat that is free."""
MANAGER = Asker(500, GUILD, manages=True)
"""A member who manages the server."""


def asker(person: Person) -> Asker:
    """Return an asker without rights beyond their seat."""
    return Asker(person.user_id, GUILD)


async def start(
    host: Host, *people: Person, stand_in: str = "quick", pace: str = "none", computers: int = 0, plies: int = 0
) -> Game:
    """Start a game of these people, by default of Ada, Ben and Cleo, and play some random actions."""
    first, *others = people or (ADA, BEN, CLEO)
    settings = TableSettings(pace=pace, stand_in=stand_in)
    capacity = 1 + len(others) + computers
    lobby = await host.lobbies.open(
        new_lobby(capacity=capacity, owner=first, expansions=(), settings=settings), click_id()
    )
    for person in others:
        await host.lobbies.join(lobby.id, person, click_id())
    for _ in range(computers):
        await host.lobbies.add_computer(lobby.id, first.user_id, "quick", click_id())
    game = await host.lobbies.start(lobby.id, first.user_id, click_id())
    rng = Random(plies)
    for _ in range(plies):
        await play_random_action(host, game.id, rng)
    return await host.games.get(game.id)


async def answer(host: Host, game: Game, request: Request, person: Person) -> RequestState:
    """Let a voter agree; return the state of the request afterwards."""
    return (await host.votes.answer(game.id, request.id, person.user_id, click_id(), agrees=True)).request.state


def seat_of(game: Game, person: Person) -> int:
    """Return the seat of a person who sits in a game."""
    seat = game.seat_of(person.user_id)
    assert seat is not None
    return seat


async def until_turn_of(host: Host, clock: SettableClock, game: Game, person: Person) -> Game:
    """Let people play at random, and computers think, until it is this person's turn."""
    rng = Random(5)
    await let_think(host, clock)
    while (game := await host.games.get(game.id)).person_to_act != person:
        await play_random_action(host, game.id, rng)
        await let_think(host, clock)
    return game


@pytest.mark.repeats_on_postgresql
async def test_a_computer_takes_over_by_consent_and_the_player_comes_back(
    host: Host, new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await start(host, stand_in="", plies=12)
    seat = seat_of(game, BEN)
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), level="quick")
    assert set(request.voters) == {BEN.user_id, CLEO.user_id}
    assert await answer(host, game, request, CLEO) is RequestState.OPEN
    assert await answer(host, game, request, BEN) is RequestState.GRANTED
    taken_over = await host.games.get(game.id)
    assert taken_over.seats[seat] == STAND_IN
    assert await host.game_lists.of_user(BEN.user_id) == []
    assert await host.seats.awaited(taken_over) == {seat: BEN}
    await until_turn_of(host, clock, taken_over, CLEO)
    await until_turn_of(host, clock, taken_over, ADA)
    process = await new_host(thinker=thinker)  # a restart in the middle
    back = await process.seats.come_back(game.code, BEN, click_id())
    assert back.seats == game.seats
    assert await process.seats.awaited(back) == {}
    assert [line.code for line in await process.game_lists.of_user(BEN.user_id)] == [game.code]
    await play_random_action(process, game.id, Random(1))
    for reader in (process, await new_host(thinker=thinker)):
        table = await reader.games.table(game.id)
        assert table.game.seats == game.seats
        decided = {(entry.ply, entry.user_id) for entry in table.log if entry.seat == seat}
        by_computer = [ply for ply, user_id in decided if user_id == COMPUTER_USER_ID]
        assert {user_id for ply, user_id in decided if ply < game.ply} <= {BEN.user_id}
        assert by_computer
        assert min(by_computer) >= game.ply
        async with reader._store.reading() as tx:
            decisions = await moves.computer_decisions(tx, game.id)
        assert len(decisions) == len(by_computer)
        assert {(entry.seat, entry.level, entry.version) for entry in decisions} == {(seat, "quick", 1)}
        changes = await reader.seats.substitutions(game.id)
        assert [(change.seat, change.before, change.after) for change in changes] == [
            (seat, BEN, STAND_IN),
            (seat, STAND_IN, BEN),
        ]


async def test_silence_agrees_to_a_computer_only_for_an_absent_player(host: Host, clock: SettableClock) -> None:
    game = await start(host, stand_in="", plies=12)
    waits_for = game.person_to_act
    assert waits_for is not None
    one, _ = (person for person in game.players if person != waits_for)
    request = await host.substitutions.request(game.id, asker(one), waits_for.user_id, click_id(), level="quick")
    clock.advance(timedelta(days=1).total_seconds())
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).seats == game.seats
    clock.advance(timedelta(days=14).total_seconds())
    request = await host.substitutions.request(game.id, asker(one), waits_for.user_id, click_id(), level="quick")
    assert request.state is RequestState.GRANTED, "nobody else has played lately"
    assert (await host.games.get(game.id)).computers == (STAND_IN,)


async def test_an_organiser_lets_a_computer_take_over_at_once(host: Host) -> None:
    game = await start(host, stand_in="", plies=6)
    request = await host.substitutions.request(game.id, MANAGER, BEN.user_id, click_id(), level="strong")
    assert request.state is RequestState.GRANTED
    assert (await host.games.get(game.id)).computers == (Computer("Adela", "strong"),)


async def test_requests_for_a_computer_are_refused_with_a_reason(host: Host, new_host: NewHost) -> None:
    game = await start(host, stand_in="", plies=6)
    with expect_error(ErrorCode.BAD_LEVEL, level="divine"):
        await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), level="divine")
    without = await new_host(workers=WorkerLimits(workers=0))
    with expect_error(ErrorCode.NO_COMPUTERS):
        await without.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), level="quick")
    alone = await start(host, ADA, computers=2)
    with expect_error(ErrorCode.LAST_PERSON):
        await host.substitutions.request(alone.id, asker(ADA), ADA.user_id, click_id(), level="quick")


async def test_a_vote_on_the_seat_of_a_player_who_has_left_ends(host: Host, clock: SettableClock) -> None:
    """Ben resigns while the others are asked: the request names a seat that is empty, and lapses without an error."""
    game = await start(host, stand_in="", plies=6)
    request = await host.substitutions.request(game.id, asker(ADA), BEN.user_id, click_id(), level="quick")
    await host.moves.resign(game.id, BEN.user_id, click_id())
    with expect_error(ErrorCode.REQUEST_GONE):
        await answer(host, game, request, CLEO)
    clock.advance(timedelta(days=1).total_seconds())
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).computers == ()


async def test_a_computer_fills_the_seat_of_a_player_who_resigns(host: Host, clock: SettableClock) -> None:
    game = await start(host, plies=6)
    seat, click = seat_of(game, BEN), click_id()
    outcome = await host.moves.resign(game.id, BEN.user_id, click)
    assert outcome.game.seats[seat] == STAND_IN
    assert not any(outcome.game.withdrawn)
    again = await host.moves.resign(game.id, BEN.user_id, click)  # Discord delivers the press twice
    assert again.repeated
    assert again.game.revision == outcome.game.revision
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.moves.resign(game.id, BEN.user_id, click_id())
    assert PostKind.REPLACED in await let_think(host, clock)
    assert not any(isinstance(entry.action, Resign) for entry in (await host.games.table(game.id)).log)


async def test_the_seat_stays_empty_without_agreement_or_computers(host: Host, new_host: NewHost) -> None:
    game = await start(host, stand_in="", plies=6)
    assert (await host.moves.resign(game.id, BEN.user_id, click_id())).game.withdrawn[seat_of(game, BEN)]
    without = await new_host(workers=WorkerLimits(workers=0))
    game = await start(host, plies=6)
    assert (await without.moves.resign(game.id, BEN.user_id, click_id())).game.withdrawn[seat_of(game, BEN)]


async def test_the_seat_of_a_player_whom_managers_remove_stays_empty(host: Host) -> None:
    game = await start(host, plies=6)
    outcome = await host.substitutions.remove(game.id, MANAGER, BEN.user_id, click_id())
    assert outcome.game.withdrawn[seat_of(game, BEN)]
    with expect_error(ErrorCode.NOT_AWAITED):
        await host.seats.come_back(game.id, BEN, click_id())


async def test_a_game_ends_at_once_when_its_last_person_leaves(host: Host, clock: SettableClock) -> None:
    """Ben's seat goes to a computer; then Ada, the only person, leaves: the game is scored as it stands."""
    game = await start(host, ADA, BEN, computers=1)
    await let_think(host, clock)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    outcome = await host.moves.resign(game.id, ADA.user_id, click_id())
    assert outcome.game.status is GameStatus.FINISHED
    last, end = (await host.games.table(game.id)).log[-2:]
    assert (last.action, last.user_id) == (Resign(seat_of(game, ADA)), ADA.user_id)
    assert (end.action, end.user_id) == (Adjudicate(None), TIMEOUT_USER_ID)
    assert (await let_think(host, clock))[-1] is PostKind.FINAL
    with expect_error(ErrorCode.GAME_OVER):
        await host.seats.come_back(game.id, BEN, click_id())


async def test_only_the_player_of_the_seat_comes_back_and_only_once(host: Host) -> None:
    game = await start(host, plies=6)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    for person in (ADA, CLEO, DORA):
        with expect_error(ErrorCode.NOT_AWAITED):
            await host.seats.come_back(game.id, person, click_id())
    click = click_id()
    back = await host.seats.come_back(game.id, BEN, click)
    assert (await host.seats.come_back(game.id, BEN, click)).revision == back.revision
    with expect_error(ErrorCode.NOT_AWAITED):
        await host.seats.come_back(game.id, BEN, click_id())
    assert back.seats == game.seats


async def test_two_players_leave_and_each_gets_their_own_seat_back(host: Host) -> None:
    game = await start(host, plies=6)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    left = (await host.moves.resign(game.id, CLEO.user_id, click_id())).game
    assert left.players == (ADA,)
    assert sorted(player.name for player in left.computers) == ["Adela", "Bertram"]
    await host.seats.come_back(game.id, CLEO, click_id())
    assert (await host.seats.come_back(game.id, BEN, click_id())).seats == game.seats


async def test_a_decision_is_dropped_when_the_player_comes_back_meanwhile(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await until_turn_of(host, clock, await start(host), BEN)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    await send_due_posts(host)
    thinker.may_answer.clear()
    thinker.asked.clear()
    clock.advance(5)
    await host.timer_dispatcher.work()
    await thinker.asked.wait()
    back = await host.seats.come_back(game.id, BEN, click_id())
    thinker.may_answer.set()
    await host.computers.idle()
    after = await host.games.get(game.id)
    assert (after.revision, after.person_to_act) == (back.revision, BEN)
    assert await let_think(host, clock) == [PostKind.REPLACED]
    assert (await host.games.get(game.id)).ply == game.ply


async def test_a_computer_goes_on_after_a_restart(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    """The bot ends after the seat was handed over, before the card is sent: the next one sends it, and thinks."""
    game = await until_turn_of(host, clock, await start(host), BEN)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    await host.close()
    process = await new_host(thinker=FakeThinker())
    assert await let_think(process, clock) == [PostKind.REPLACED, PostKind.CARD]
    assert (await process.games.get(game.id)).ply > game.ply


async def test_an_undo_goes_back_to_before_the_computer_took_over(host: Host, clock: SettableClock) -> None:
    """Ada takes back a decision from before Ben left: the computer, which has Ben's seat now, decides anew."""
    game = await until_turn_of(host, clock, await start(host, ADA, BEN), ADA)
    await play_random_action(host, game.id, Random(3))
    await let_think(host, clock)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    await let_think(host, clock)
    request = await host.undo.request(game.id, ADA.user_id, None, click_id())
    assert request.state is RequestState.GRANTED, "nobody but a computer plays along"
    after = await host.games.get(game.id)
    assert after.seats[seat_of(game, BEN)] == STAND_IN
    assert after.person_to_act == ADA
    assert (await host.seats.come_back(game.id, BEN, click_id())).seats == game.seats


async def test_a_player_who_left_the_server_is_replaced_after_three_days(host: Host, clock: SettableClock) -> None:
    game = await start(host, plies=6)
    gone = {BEN.user_id}

    async def is_member(_guild_id: int, user_id: int) -> bool:
        return user_id not in gone

    host.membership.ask = is_member
    clock.advance(MEMBERSHIP_CHECK_INTERVAL.total_seconds())
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).seats == game.seats
    clock.advance(DEPARTURE_GRACE_PERIOD.total_seconds())
    await host.timer_dispatcher.work()
    after = await host.games.get(game.id)
    assert after.seats[seat_of(game, BEN)] == STAND_IN
    assert not any(after.withdrawn)
    gone.clear()
    assert (await host.seats.come_back(game.id, BEN, click_id())).seats == game.seats


async def test_a_computer_plays_for_who_runs_out_of_time_and_they_come_back_with_a_little(
    host: Host, clock: SettableClock
) -> None:
    """In a duel the first timeout ends the game; at a table with computers for empty seats one plays on."""
    pace = PACES["fast"]
    game = await start(host, ADA, BEN, pace="fast")
    await let_think(host, clock)
    game = await host.games.get(game.id)
    late = game.person_to_act
    assert late is not None
    seat = seat_of(game, late)
    for _ in range(24 * 4):
        await advance_with_heartbeat(host, clock, 3600)
        await host.timer_dispatcher.work()
    taken_over = await host.games.get(game.id)
    assert taken_over.seats[seat] == STAND_IN
    assert all(clock.asked is None for clock in await clocks_of(host, game))
    back = await host.seats.come_back(game.id, late, click_id())
    await send_due_posts(host)
    seat_clock = (await clocks_of(host, game))[seat]
    assert (seat_clock.left, seat_clock.timeouts) == (pace.chance, 1)
    assert (seat_clock.asked, seat_clock.since) == (back.revision, clock.now())


async def test_leaving_and_coming_back_gives_no_time(host: Host, clock: SettableClock) -> None:
    game = await start(host, pace="fast")
    await send_due_posts(host)
    game = await host.games.get(game.id)
    player = game.person_to_act
    assert player is not None
    seat = seat_of(game, player)
    await advance_with_heartbeat(host, clock, 10 * 3600)
    before = (await clocks_of(host, game))[seat]
    await host.moves.resign(game.id, player.user_id, click_id())
    stopped = (await clocks_of(host, game))[seat]
    assert (stopped.asked, stopped.since) == (None, None)
    assert stopped.left < before.left
    rng = Random(4)
    await let_think(host, clock)
    for _ in range(12):
        current = await host.games.get(game.id)
        if current.person_to_act is not None:
            await play_random_action(host, game.id, rng)
        await let_think(host, clock)
    await host.seats.come_back(game.id, player, click_id())
    assert (await clocks_of(host, game))[seat].left == stopped.left


async def test_a_rematch_invites_people_in_place_of_their_computers(host: Host, clock: SettableClock) -> None:
    game = await start(host, ADA, BEN, computers=1)
    await let_think(host, clock)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    await host.moves.resign(game.id, ADA.user_id, click_id())
    lobby = await host.lobbies.rematch(game.code, ADA, click_id())
    assert [player.name for player in lobby.computers] == [player.name for player in game.computers]
    joined = await host.lobbies.join(lobby.id, BEN, click_id())
    assert joined.full
    rematch = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert rematch.settings == game.settings


async def test_there_are_no_more_computers_than_seats(host: Host) -> None:
    computers = tuple(Computer(name, "quick") for name in ("Adela", "Bertram", "Clemens"))
    with expect_error(ErrorCode.TOO_MANY_COMPUTERS, capacity=2, computers=3):
        await host.lobbies.open(new_lobby(capacity=2, computers=computers), click_id())


async def test_a_player_for_whom_a_computer_plays_is_exported_and_forgotten(host: Host, clock: SettableClock) -> None:
    """Ben votes, leaves and asks to be forgotten: nothing in the database names Ben, and the game goes on."""
    game = await until_turn_of(host, clock, await start(host, plies=6), ADA)
    request = await host.substitutions.request(game.id, asker(ADA), CLEO.user_id, click_id(), level="quick")
    assert BEN.user_id in request.voters
    await host.moves.resign(game.id, BEN.user_id, click_id())
    await let_think(host, clock)
    exported = await host.erasure.export(BEN.user_id)
    assert [row["before_id"] for row in exported["substitutions"]] == [BEN.user_id]
    assert exported["actions"]
    assert await host.erasure.erase(BEN.user_id) == 0
    assert not any((await host.erasure.export(BEN.user_id)).values())
    async with host._store.reading() as tx:
        assert await personal_data.known_people(tx) == sorted(person.user_id for person in (ADA, CLEO))
    seat = seat_of(game, BEN)
    after = await host.games.get(game.id)
    assert await host.seats.awaited(after) == {}
    (change,) = await host.seats.substitutions(game.id)
    assert (change.before.name, change.after) == (f"#{seat + 1}", STAND_IN)
    host.games.cache.evict(game.id)
    log = (await host.games.table(game.id)).log
    assert {entry.user_id for entry in log if entry.seat == seat} <= {-101 - seat, COMPUTER_USER_ID}
    await until_turn_of(host, clock, after, ADA)


async def test_a_forgotten_player_leaves_their_seat_to_a_computer(host: Host, clock: SettableClock) -> None:
    game = await start(host, plies=6)
    assert await host.erasure.erase(BEN.user_id) == 1
    after = await host.games.get(game.id)
    assert after.seats[seat_of(game, BEN)] == STAND_IN
    assert await host.seats.awaited(after) == {}
    await until_computer(host, clock, after)


async def test_only_people_are_asked_for_consent(host: Host, clock: SettableClock) -> None:
    """With a computer from the beginning, and one in Cleo's seat: Ben alone is asked, and then nobody."""
    game = await start(host, ADA, BEN, CLEO, computers=1, pace="fast")
    for person in (CLEO, BEN, ADA):
        game = await until_turn_of(host, clock, game, person)
        await play_random_action(host, game.id, Random(2))
    await let_think(host, clock)
    await host.moves.resign(game.id, CLEO.user_id, click_id())
    await let_think(host, clock)
    undo = await host.undo.draft(game.id, ADA.user_id)
    pause = await host.pauses.request(game.id, asker(ADA), 1, click_id())
    assert undo.voters == pause.voters == (BEN.user_id,)
    assert await answer(host, game, pause, BEN) is RequestState.GRANTED
    await host.moves.resign(game.id, BEN.user_id, click_id())
    assert (await host.undo.draft(game.id, ADA.user_id)).voters == ()
