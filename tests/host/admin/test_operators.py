"""Whoever runs the bot freezes, thaws, closes and moves games, and keeps people out; all of it is written down."""

from __future__ import annotations

import pytest

from host import Asker, BanKind, ErrorCode, Game, GameStatus, GuildSettings, Host, PostKind, Venue
from host.servers import require_open_place, require_opener
from store import Allowance, UnavailableError
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    CLEO,
    GUILD,
    STRANGER,
    SettableClock,
    click_id,
    expect_error,
    open_lobby,
    play_plies,
    start_game,
)
from tests.host.test_clocks import active_clock, advance_and_post, open_game, post_all
from tests.host.test_patience import make_writes_fail

ME = "somebody on the command line"
DAY = 24 * 3600.0


@pytest.fixture
async def game(host: Host) -> Game:
    game = await start_game(host, ADA, BEN, CLEO)
    await play_plies(host, game.id, 6)
    return await host.games.get(game.id)


async def kinds(host: Host) -> list[PostKind]:
    """Send all due posts and return their kinds, in order."""
    found: list[PostKind] = []
    while posts := await host.outbox.due():
        for post in posts:
            found.append(post.kind)
            await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, 1000 + post.id)
    return found


async def test_a_frozen_game_rests_until_it_is_thawed_by_hand(host: Host, new_host: NewHost, game: Game) -> None:
    await kinds(host)
    await host.operators.freeze(game.code, ME, "looked at")
    assert await kinds(host) == [PostKind.HELD]
    with expect_error(ErrorCode.FROZEN):
        await play_plies(host, game.id, 1)
    restarted = await new_host()
    report = await restarted.game_checks.check_all()
    assert (report.thawed, report.frozen) == ((), (game.code,))
    assert (await restarted.games.get(game.id)).status is GameStatus.FROZEN
    with expect_error(ErrorCode.FROZEN):
        await restarted.operators.freeze(game.code, ME, "again")
    await restarted.operators.thaw(game.code, ME)
    assert await kinds(restarted) == [PostKind.THAWED]
    await play_plies(restarted, game.id, 1)
    with expect_error(ErrorCode.NOT_FROZEN):
        await restarted.operators.thaw(game.code, ME)


async def test_no_clock_runs_while_a_game_rests(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, expansions=())
    await post_all(host)
    clock.advance(9 * 3600)
    used = (await active_clock(host, game)).used
    await host.operators.freeze(game.code, ME, "")
    frozen = await active_clock(host, game)
    assert frozen.held
    await advance_and_post(host, clock, 30 * DAY, step=DAY)
    await host.operators.thaw(game.code, ME)
    going = await active_clock(host, game)
    assert (going.held, going.since, going.timeouts) == (False, clock.now(), 0)
    assert going.used == frozen.used >= used


async def test_a_closed_game_has_no_result_and_asks_nobody(host: Host, game: Game) -> None:
    await kinds(host)
    await host.operators.close(game.code, ME, "abandoned")
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED
    assert await kinds(host) == [PostKind.ENDED]
    with expect_error(ErrorCode.GAME_OVER):
        await host.operators.close(game.code, ME, "again")


async def test_a_game_that_rests_can_be_closed_though_its_cards_never_can_be_drawn(host: Host, game: Game) -> None:
    await host.operators.freeze(game.code, ME, "")
    await host.operators.close(game.code, ME, "")
    assert await kinds(host) == [PostKind.ENDED]
    assert await host.operators.troubles() == []


async def test_what_is_wrong_is_listed_with_why(host: Host, game: Game, clock: SettableClock) -> None:
    await host.operators.freeze(game.code, ME, "looked at")
    clock.advance(DAY)
    found = await host.operators.troubles()
    assert (found[0].what, found[0].about, found[0].why) == ("frozen by hand", game.code, "looked at")
    assert {finding.what for finding in found[1:]} == {"stuck post"}


async def test_who_is_kept_out_opens_and_joins_nothing_but_plays_on(host: Host, game: Game) -> None:
    await host.operators.keep_out(BanKind.USER, ADA.user_id, ME, "spam")
    with expect_error(ErrorCode.KEPT_OUT):
        await open_lobby(host)
    lobby = await open_lobby(host, owner=STRANGER)
    with expect_error(ErrorCode.KEPT_OUT):
        await host.lobbies.join(lobby.id, ADA, click_id())
    await play_plies(host, game.id, 3)
    assert await host.operators.let_in(BanKind.USER, ADA.user_id, ME)
    await host.lobbies.join(lobby.id, ADA, click_id())
    assert not await host.operators.let_in(BanKind.USER, ADA.user_id, ME)


async def test_a_server_can_be_kept_out(host: Host) -> None:
    await host.operators.keep_out(BanKind.SERVER, GUILD, ME, "")
    with expect_error(ErrorCode.SERVER_KEPT_OUT):
        await open_lobby(host)


async def test_a_server_may_have_as_much_as_an_operator_says(host: Host, game: Game) -> None:
    await host.operators.allow(GUILD, Allowance(games=1, lobbies=1), ME)
    with expect_error(ErrorCode.TOO_MANY_GAMES_HERE, most=1):
        await open_lobby(host)
    await host.operators.allow(GUILD, Allowance(lobbies=1), ME)
    await open_lobby(host)
    with expect_error(ErrorCode.TOO_MANY_LOBBIES_HERE, most=1):
        await open_lobby(host, owner=BEN)
    await host.operators.allow(GUILD, Allowance(), ME)
    await open_lobby(host, owner=BEN)


async def test_games_are_opened_where_and_by_whom_an_operator_says(host: Host) -> None:
    await host.operators.open_to(GUILD, ME, channels=(CHANNEL + 1,), opener=8)
    decided = await host.servers.get(GUILD)
    with expect_error(ErrorCode.CHANNEL_CLOSED):
        require_open_place(decided, Venue(CHANNEL))
    require_open_place(decided, Venue(CHANNEL + 1))
    with expect_error(ErrorCode.NOT_OPENER):
        require_opener(decided, Asker(ADA.user_id, GUILD))
    require_opener(decided, Asker(ADA.user_id, GUILD, frozenset({8})))
    await host.operators.open_to(GUILD, ME, opener=0)
    assert await host.servers.get(GUILD) == GuildSettings(channels=(CHANNEL + 1,))
    await host.operators.open_to(GUILD, ME, channels=())
    assert await host.servers.get(GUILD) == GuildSettings()


async def test_cards_go_where_an_operator_says(host: Host, game: Game) -> None:
    await host.operators.move(game.code, ME, CHANNEL + 1)
    assert (await host.games.get(game.id)).place == CHANNEL + 1


async def test_what_is_looked_at_is_told_where_nothing_can_be_stored(
    host: Host, game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An operator looks just then."""
    make_writes_fail(host, monkeypatch, UnavailableError("the disk is full"), stored=False, by=host._store)
    await host.operators.log_view(ME, "list")
    assert "was not written down: the disk is full" in caplog.text
    await host.operators.log_view(ME, "export", game=game.code)
    assert [(deed.what, dict(deed.details)) for deed in await host.operators.logged_actions()] == [
        ("export", {"game": game.code})
    ]


async def test_everything_is_written_down_and_refusals_are_not(host: Host, game: Game) -> None:
    await host.operators.freeze(game.code, ME, "why")
    with expect_error(ErrorCode.UNKNOWN_GAME):
        await host.operators.close("NOPE", ME, "")
    await host.operators.thaw(game.code, "another")
    assert [(deed.by, deed.what, dict(deed.details)) for deed in await host.operators.logged_actions()] == [
        ("another", "thaw", {"game": game.code}),
        (ME, "freeze", {"game": game.code, "reason": "why"}),
    ]
