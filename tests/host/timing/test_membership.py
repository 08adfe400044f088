"""Players who left the server: found daily and before a timeout, named, withdrawn after three days or at zero."""

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


class Members:
    """Discord's answers about members, and the number of questions."""

    def __init__(self) -> None:
        self.gone: set[int] = set()
        self.silent = False
        self.asked = 0

    async def ask(self, guild_id: int, user_id: int) -> bool | None:
        assert guild_id == GUILD
        self.asked += 1
        return None if self.silent else user_id not in self.gone


@pytest.fixture
def members(host: Host) -> Members:
    members = Members()
    host.membership.ask = members.ask
    return members


async def passes(host: Host, clock: SettableClock, time: timedelta) -> None:
    async for _ in advance_in_steps(host, clock, time.total_seconds(), step=timedelta(hours=6).total_seconds()):
        pass


async def other_than_asked(host: Host, game: Game) -> int:
    to_act = (await host.games.get(game.id)).person_to_act
    return next(person.user_id for person in game.seats if person != to_act)


@pytest.fixture
async def game(host: Host) -> Game:
    game = await open_game(host, ADA, BEN, CLEO, pace="none")
    await post_all(host)
    return game


async def test_it_is_looked_once_a_day(host: Host, game: Game, members: Members, clock: SettableClock) -> None:
    await passes(host, clock, timedelta(days=10))
    assert members.asked == 10 * len(game.seats)


async def test_who_has_left_is_withdrawn_three_days_later(
    host: Host, game: Game, members: Members, clock: SettableClock
) -> None:
    gone = await other_than_asked(host, game)
    members.gone = {gone}
    await passes(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    assert (await host.games.get(game.id)).plays(gone)
    await passes(host, clock, DEPARTURE_GRACE_PERIOD - timedelta(hours=6))
    assert (await host.games.get(game.id)).plays(gone)
    await passes(host, clock, timedelta(hours=6))
    table = await host.games.table(game.id)
    assert not table.game.plays(gone)
    assert (table.log[-1].action, table.log[-1].user_id) == (Resign(game.seat_of(gone) or 0), DEPARTED_USER_ID)
    assert table.game.status is GameStatus.RUNNING


async def test_who_comes_back_in_time_plays_on(host: Host, game: Game, members: Members, clock: SettableClock) -> None:
    gone = await other_than_asked(host, game)
    members.gone = {gone}
    await passes(host, clock, timedelta(days=2))
    members.gone = set()
    await passes(host, clock, timedelta(days=6))
    assert (await host.games.get(game.id)).plays(gone)


async def test_nobody_is_withdrawn_while_discord_says_nothing(
    host: Host, game: Game, members: Members, clock: SettableClock
) -> None:
    gone = await other_than_asked(host, game)
    members.gone = {gone}
    await passes(host, clock, timedelta(days=2))
    members.silent = True
    await passes(host, clock, timedelta(days=6))
    assert (await host.games.get(game.id)).plays(gone)
    members.silent = False
    await passes(host, clock, timedelta(hours=12))
    assert not (await host.games.get(game.id)).plays(gone)


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_a_table_whose_players_all_vanished_is_closed_with_notice(
    host: Host, members: Members, clock: SettableClock, pace: str
) -> None:
    game = await open_game(host, ADA, BEN, CLEO, pace=pace)
    await post_all(host)
    members.gone = {person.user_id for person in game.seats[:2]}
    await passes(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    assert await told(host) == []
    await host.vacations.announce(game.seats[0].user_id, clock.now().date() + 2 * MEMBERSHIP_CHECK_INTERVAL, 9)
    members.gone = {person.user_id for person in game.seats}
    await passes(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    assert await told(host) == [PostKind.VANISHED]
    closes_at = await host.membership.closes_at(game)
    assert closes_at is not None
    assert closes_at - clock.now() <= DEPARTURE_GRACE_PERIOD
    await passes(host, clock, DEPARTURE_GRACE_PERIOD - timedelta(hours=6))
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING
    await passes(host, clock, timedelta(hours=6))
    after = await host.games.table(game.id)
    assert (after.game.status, after.log) == (GameStatus.FINISHED, ()), "nobody has won, nobody was withdrawn"
    assert await told(host) == [PostKind.VANISHED]
    assert not any(one.asked or one.since for one in await clocks_of(host, game))
    await passes(host, clock, timedelta(days=30))
    assert await told(host) == []


async def test_one_who_comes_back_in_time_keeps_the_table(host: Host, members: Members, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO, pace="none")
    await post_all(host)
    members.gone = {person.user_id for person in game.seats}
    await passes(host, clock, MEMBERSHIP_CHECK_INTERVAL + timedelta(days=1))
    members.gone = {person.user_id for person in game.seats[:2]}
    await passes(host, clock, timedelta(days=3))
    over = await host.games.table(game.id)
    assert [entry.user_id for entry in over.log] == [DEPARTED_USER_ID, DEPARTED_USER_ID]
    assert list(over.position.ranking()[0]) == [2]


async def test_at_zero_a_table_that_all_have_left_is_closed(host: Host, members: Members, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN)
    await post_all(host)
    await passes(host, clock, timedelta(hours=78))
    members.gone = {person.user_id for person in game.seats}
    await passes(host, clock, timedelta(hours=12))
    after = await host.games.table(game.id)
    assert (after.game.status, after.log) == (GameStatus.FINISHED, ())
    assert PostKind.VANISHED in await told(host)


async def told(host: Host) -> list[PostKind]:
    """Of what kinds the notices are that are due; each is taken as sent."""
    kinds = []
    while posts := await host.outbox.due():
        for post in posts:
            await host.outbox.sent(post.id, 5000 + post.id)
            kinds.append(post.kind)
    return [kind for kind in kinds if kind is not PostKind.REMINDER]


async def test_at_zero_who_has_left_is_withdrawn(host: Host, members: Members, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    late = game.person_to_act
    assert late is not None
    await passes(host, clock, timedelta(hours=78))
    assert (await host.games.get(game.id)).ply == 0
    members.gone = {late.user_id}
    await passes(host, clock, timedelta(hours=12))
    table = await host.games.table(game.id)
    assert not table.game.plays(late.user_id)
    assert table.log[0].user_id == DEPARTED_USER_ID


async def test_it_is_told_with_the_times(host: Host, members: Members, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    gone = await other_than_asked(host, game)
    members.gone = {gone}
    await passes(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.gone == (gone,)


async def test_silence_is_a_yes_to_replacing_who_has_left(
    host: Host, game: Game, members: Members, clock: SettableClock
) -> None:
    await play_plies(host, game.id, 8)
    game = await host.games.get(game.id)
    gone = await other_than_asked(host, game)
    asker = next(person.user_id for person in game.seats if person.user_id != gone)
    members.gone = {gone}
    await passes(host, clock, MEMBERSHIP_CHECK_INTERVAL)
    request = await host.substitutions.request(game.id, Asker(asker, GUILD), gone, click_id(), substitute=DORA)
    answered = await host.votes.answer(game.id, request.id, DORA.user_id, click_id(), agrees=True)
    assert answered.request.state is RequestState.OPEN
    await passes(host, clock, timedelta(days=1))
    assert DORA in (await host.games.get(game.id)).seats
    await passes(host, clock, timedelta(days=4))
    assert (await host.games.get(game.id)).plays(DORA.user_id)


async def test_games_of_before_are_looked_after_from_the_start_on(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    async with host._store.writing() as tx:
        await tx.exec_driver_sql("delete from timers where kind = 'present'")
    other, members = await new_host(), Members()
    other.membership.ask = members.ask
    await other.start()
    await other.start()
    clock.advance(MEMBERSHIP_CHECK_INTERVAL.total_seconds())
    await other.timer_dispatcher.work()
    assert members.asked == len(game.seats)
