"""Players who left the server: found daily or before a timeout, and withdrawn after three days or at zero.

The host asks Discord whether a player is still a member of the game's server; `FakeMembers` answers, or does not
while it is `silent`. Time advances in steps of six hours, after each of which due timers run.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine import Resign
from host import Asker, Game, GameStatus, Host, PostKind, RequestState
from host.games.move import DEPARTED_USER_ID
from host.timing.timeouts import DEPARTURE_GRACE_PERIOD, MEMBERSHIP_CHECK_INTERVAL
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, GUILD, SettableClock, click_id, play_plies
from tests.host.test_clocks import advance_in_steps, clocks_of, open_game, post_all
from tests.host.votes.test_substituting import DORA


class FakeMembers:
    """A fake of Discord's member list that counts the queries."""

    def __init__(self) -> None:
        self.gone: set[int] = set()
        self.silent = False
        self.queries = 0

    async def ask(self, guild_id: int, user_id: int) -> bool | None:
        """Return True for a member, False for a player who left, None while Discord does not answer."""
        assert guild_id == GUILD
        self.queries += 1
        return None if self.silent else user_id not in self.gone


@pytest.fixture
def members(host: Host) -> FakeMembers:
    """The fake that the host asks about members."""
    members = FakeMembers()
    host.membership.ask = members.ask
    return members


async def advance(host: Host, clock: SettableClock, time: timedelta) -> None:
    """Let time pass in steps of six hours, dispatching timers."""
    async for _ in advance_in_steps(host, clock, time.total_seconds(), step=timedelta(hours=6).total_seconds()):
        pass


async def other_player_id(host: Host, game: Game) -> int:
    """Return the id of a player who is not to move."""
    to_act = (await host.games.get(game.id)).person_to_act
    return next(person.user_id for person in game.seats if person != to_act)


@pytest.fixture
async def game(host: Host) -> Game:
    """An untimed game of three players whose first card is posted."""
    game = await open_game(host, ADA, BEN, CLEO, pace="none")
    await post_all(host)
    return game


async def test_membership_is_checked_once_a_day(
    host: Host, game: Game, members: FakeMembers, clock: SettableClock
) -> None:
    await advance(host, clock, timedelta(days=10))
    assert members.queries == 10 * len(game.seats)


async def test_a_departed_player_is_withdrawn_after_three_days(
    host: Host, game: Game, members: FakeMembers, clock: SettableClock
) -> None:
    gone = await other_player_id(host, game)
    members.gone = {gone}
    await advance(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    assert (await host.games.get(game.id)).plays(gone)
    await advance(host, clock, DEPARTURE_GRACE_PERIOD - timedelta(hours=6))
    assert (await host.games.get(game.id)).plays(gone)
    await advance(host, clock, timedelta(hours=6))
    table = await host.games.table(game.id)
    assert not table.game.plays(gone)
    assert (table.log[-1].action, table.log[-1].user_id) == (Resign(game.seat_of(gone) or 0), DEPARTED_USER_ID)
    assert table.game.status is GameStatus.RUNNING


async def test_a_player_who_returns_in_time_plays_on(
    host: Host, game: Game, members: FakeMembers, clock: SettableClock
) -> None:
    gone = await other_player_id(host, game)
    members.gone = {gone}
    await advance(host, clock, timedelta(days=2))
    members.gone = set()
    await advance(host, clock, timedelta(days=6))
    assert (await host.games.get(game.id)).plays(gone)


async def test_no_player_is_withdrawn_while_discord_does_not_answer(
    host: Host, game: Game, members: FakeMembers, clock: SettableClock
) -> None:
    gone = await other_player_id(host, game)
    members.gone = {gone}
    await advance(host, clock, timedelta(days=2))
    members.silent = True
    await advance(host, clock, timedelta(days=6))
    assert (await host.games.get(game.id)).plays(gone)
    members.silent = False
    await advance(host, clock, timedelta(hours=12))
    assert not (await host.games.get(game.id)).plays(gone)


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_a_table_that_all_players_left_is_closed_after_a_notice(
    host: Host, members: FakeMembers, clock: SettableClock, pace: str
) -> None:
    game = await open_game(host, ADA, BEN, CLEO, pace=pace)
    await post_all(host)
    members.gone = {person.user_id for person in game.seats[:2]}
    await advance(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    assert await send_due_posts(host) == []
    await host.vacations.announce(game.seats[0].user_id, clock.now().date() + 2 * MEMBERSHIP_CHECK_INTERVAL, 9)
    members.gone = {person.user_id for person in game.seats}
    await advance(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    assert await send_due_posts(host) == [PostKind.VANISHED]
    closes_at = await host.membership.closes_at(game)
    assert closes_at is not None
    assert closes_at - clock.now() <= DEPARTURE_GRACE_PERIOD
    await advance(host, clock, DEPARTURE_GRACE_PERIOD - timedelta(hours=6))
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING
    await advance(host, clock, timedelta(hours=6))
    after = await host.games.table(game.id)
    assert (after.game.status, after.log) == (GameStatus.FINISHED, ()), "no player has won or was withdrawn"
    assert await send_due_posts(host) == [PostKind.VANISHED]
    assert not any(seat_clock.asked or seat_clock.since for seat_clock in await clocks_of(host, game))
    await advance(host, clock, timedelta(days=30))
    assert await send_due_posts(host) == []


async def test_one_returning_player_keeps_the_table_open(
    host: Host, members: FakeMembers, clock: SettableClock
) -> None:
    game = await open_game(host, ADA, BEN, CLEO, pace="none")
    await post_all(host)
    members.gone = {person.user_id for person in game.seats}
    await advance(host, clock, MEMBERSHIP_CHECK_INTERVAL + timedelta(days=1))
    members.gone = {person.user_id for person in game.seats[:2]}
    await advance(host, clock, timedelta(days=3))
    table = await host.games.table(game.id)
    assert [entry.user_id for entry in table.log] == [DEPARTED_USER_ID, DEPARTED_USER_ID]
    assert list(table.position.ranking()[0]) == [2]


@pytest.mark.both_databases
async def test_a_timeout_closes_a_table_that_all_players_left(
    host: Host, members: FakeMembers, clock: SettableClock
) -> None:
    game = await open_game(host, ADA, BEN)
    await post_all(host)
    await advance(host, clock, timedelta(hours=78))
    members.gone = {person.user_id for person in game.seats}
    await advance(host, clock, timedelta(hours=12))
    after = await host.games.table(game.id)
    assert (after.game.status, after.log) == (GameStatus.FINISHED, ())
    assert PostKind.VANISHED in await send_due_posts(host)


async def send_due_posts(host: Host) -> list[PostKind]:
    """Send all due posts; return their kinds, reminders left out."""
    kinds = []
    while posts := await host.outbox.due():
        for post in posts:
            await host.outbox.record_sent(post.id, 5000 + post.id)
            kinds.append(post.kind)
    return [kind for kind in kinds if kind is not PostKind.REMINDER]


async def test_a_timeout_withdraws_a_departed_player(host: Host, members: FakeMembers, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    late = game.person_to_act
    assert late is not None
    await advance(host, clock, timedelta(hours=78))
    assert (await host.games.get(game.id)).ply == 0
    members.gone = {late.user_id}
    await advance(host, clock, timedelta(hours=12))
    table = await host.games.table(game.id)
    assert not table.game.plays(late.user_id)
    assert table.log[0].user_id == DEPARTED_USER_ID


async def test_a_departed_player_is_named_with_the_times(
    host: Host, members: FakeMembers, clock: SettableClock
) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    gone = await other_player_id(host, game)
    members.gone = {gone}
    await advance(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.gone == (gone,)


async def test_silence_agrees_to_replacing_a_departed_player(
    host: Host, game: Game, members: FakeMembers, clock: SettableClock
) -> None:
    await play_plies(host, game.id, 8)
    game = await host.games.get(game.id)
    gone = await other_player_id(host, game)
    asker = next(person.user_id for person in game.seats if person.user_id != gone)
    members.gone = {gone}
    await advance(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    request = await host.substitutions.request(game.id, Asker(asker, GUILD), gone, click_id(), substitute=DORA)
    answered = await host.votes.answer(game.id, request.id, DORA.user_id, click_id(), agrees=True)
    assert answered.request.state is RequestState.OPEN
    await advance(host, clock, timedelta(days=1))
    assert DORA in (await host.games.get(game.id)).seats
    await advance(host, clock, timedelta(days=4))
    assert (await host.games.get(game.id)).plays(DORA.user_id)


async def test_games_of_older_versions_are_checked_after_a_start(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("delete from timers where kind = 'present'")
    other, members = await new_host(), FakeMembers()
    other.membership.ask = members.ask
    await other.start()
    await other.start()
    clock.advance(MEMBERSHIP_CHECK_INTERVAL.total_seconds())
    await other.timer_dispatcher.work()
    assert members.queries == len(game.seats)
