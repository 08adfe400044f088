"""Actions of the bot's operators: freezing, closing and moving games, bans, allowances; each is logged.

An operator runs the bot; the name that is logged here stands for their command line. A frozen game accepts no moves
until an operator thaws it.
"""

from __future__ import annotations

import pytest

from host import Asker, ErrorCode, Game, GameStatus, GuildSettings, Host, PostKind, Venue
from host.servers import require_open_place, require_opener
from store import Allowance, BanKind, UnavailableError
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

OPERATOR = "operator on the command line"
"""The name under which actions are logged."""
DAY_SECONDS = 24 * 3600.0


@pytest.fixture
async def game(host: Host) -> Game:
    """A running game of three players."""
    game = await start_game(host, ADA, BEN, CLEO)
    await play_plies(host, game.id, 6)
    return await host.games.get(game.id)


async def send_due_posts(host: Host) -> list[PostKind]:
    """Send all due posts and return their kinds, in order."""
    kinds: list[PostKind] = []
    while posts := await host.outbox.due():
        for post in posts:
            kinds.append(post.kind)
            await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 1000 + post.id)
    return kinds


async def test_a_game_frozen_by_an_operator_is_thawed_by_one_only(host: Host, new_host: NewHost, game: Game) -> None:
    await send_due_posts(host)
    await host.operators.freeze(game.code, OPERATOR, "looked at")
    assert await send_due_posts(host) == [PostKind.HELD]
    with expect_error(ErrorCode.FROZEN):
        await play_plies(host, game.id, 1)
    restarted = await new_host()
    report = await restarted.game_checks.check_all()
    assert (report.thawed, report.frozen) == ((), (game.code,))
    assert (await restarted.games.get(game.id)).status is GameStatus.FROZEN
    with expect_error(ErrorCode.FROZEN):
        await restarted.operators.freeze(game.code, OPERATOR, "again")
    await restarted.operators.thaw(game.code, OPERATOR)
    assert await send_due_posts(restarted) == [PostKind.THAWED]
    await play_plies(restarted, game.id, 1)
    with expect_error(ErrorCode.NOT_FROZEN):
        await restarted.operators.thaw(game.code, OPERATOR)


async def test_no_clock_runs_while_a_game_is_frozen(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, expansions=())
    await post_all(host)
    clock.advance(9 * 3600)
    used = (await active_clock(host, game)).used
    await host.operators.freeze(game.code, OPERATOR, "")
    frozen = await active_clock(host, game)
    assert frozen.held
    await advance_and_post(host, clock, 30 * DAY_SECONDS, step=DAY_SECONDS)
    await host.operators.thaw(game.code, OPERATOR)
    running = await active_clock(host, game)
    assert (running.held, running.since, running.timeouts) == (False, clock.now(), 0)
    assert running.used == frozen.used >= used


async def test_a_closed_game_has_no_result_and_no_player_to_move(host: Host, game: Game) -> None:
    await send_due_posts(host)
    await host.operators.close(game.code, OPERATOR, "abandoned")
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED
    assert await send_due_posts(host) == [PostKind.ENDED]
    with expect_error(ErrorCode.GAME_OVER):
        await host.operators.close(game.code, OPERATOR, "again")


async def test_a_frozen_game_can_be_closed_without_drawing_its_cards(host: Host, game: Game) -> None:
    await host.operators.freeze(game.code, OPERATOR, "")
    await host.operators.close(game.code, OPERATOR, "")
    assert await send_due_posts(host) == [PostKind.ENDED]
    assert await host.operators.faults() == []


async def test_problems_are_listed_with_their_reasons(host: Host, game: Game, clock: SettableClock) -> None:
    await host.operators.freeze(game.code, OPERATOR, "looked at")
    clock.advance(DAY_SECONDS)
    problems = await host.operators.faults()
    assert (problems[0].kind, problems[0].subject, problems[0].reason) == ("frozen by hand", game.code, "looked at")
    assert {finding.kind for finding in problems[1:]} == {"stuck post"}


async def test_a_banned_user_joins_nothing_but_finishes_their_games(host: Host, game: Game) -> None:
    await host.operators.ban(BanKind.USER, ADA.user_id, OPERATOR, "spam")
    with expect_error(ErrorCode.KEPT_OUT):
        await open_lobby(host)
    lobby = await open_lobby(host, owner=STRANGER)
    with expect_error(ErrorCode.KEPT_OUT):
        await host.lobbies.join(lobby.id, ADA, click_id())
    await play_plies(host, game.id, 3)
    assert await host.operators.unban(BanKind.USER, ADA.user_id, OPERATOR)
    await host.lobbies.join(lobby.id, ADA, click_id())
    assert not await host.operators.unban(BanKind.USER, ADA.user_id, OPERATOR)


async def test_a_banned_server_opens_no_games(host: Host) -> None:
    await host.operators.ban(BanKind.SERVER, GUILD, OPERATOR, "")
    with expect_error(ErrorCode.SERVER_KEPT_OUT):
        await open_lobby(host)


@pytest.mark.both_databases
async def test_an_operator_sets_the_limits_of_a_server(host: Host, game: Game) -> None:
    await host.operators.allow(GUILD, Allowance(games=1, lobbies=1), OPERATOR)
    with expect_error(ErrorCode.TOO_MANY_GAMES_HERE, most=1):
        await open_lobby(host)
    await host.operators.allow(GUILD, Allowance(lobbies=1), OPERATOR)
    await open_lobby(host)
    with expect_error(ErrorCode.TOO_MANY_LOBBIES_HERE, most=1):
        await open_lobby(host, owner=BEN)
    await host.operators.allow(GUILD, Allowance(), OPERATOR)
    await open_lobby(host, owner=BEN)


async def test_an_operator_sets_the_channels_and_openers_of_a_server(host: Host) -> None:
    await host.operators.open_to(GUILD, OPERATOR, channels=(CHANNEL + 1,), opener=8)
    settings = await host.servers.get(GUILD)
    with expect_error(ErrorCode.CHANNEL_CLOSED):
        require_open_place(settings, Venue(CHANNEL))
    require_open_place(settings, Venue(CHANNEL + 1))
    with expect_error(ErrorCode.NOT_OPENER):
        require_opener(settings, Asker(ADA.user_id, GUILD))
    require_opener(settings, Asker(ADA.user_id, GUILD, frozenset({8})))
    await host.operators.open_to(GUILD, OPERATOR, opener=0)
    assert await host.servers.get(GUILD) == GuildSettings(channels=(CHANNEL + 1,))
    await host.operators.open_to(GUILD, OPERATOR, channels=())
    assert await host.servers.get(GUILD) == GuildSettings()


async def test_an_operator_moves_the_cards_of_a_game(host: Host, game: Game) -> None:
    await host.operators.move(game.code, OPERATOR, CHANNEL + 1)
    assert (await host.games.get(game.id)).place == CHANNEL + 1


async def test_a_read_action_succeeds_even_if_it_cannot_be_logged(
    host: Host, game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Report the failure in the log: operators need to read data while the disk is full."""
    make_writes_fail(host, monkeypatch, UnavailableError("the disk is full"), stored=False, by=host._store)
    await host.operators.log_view(OPERATOR, "list")
    assert "could not log what an operator has read: the disk is full" in caplog.text
    await host.operators.log_view(OPERATOR, "export", game=game.code)
    assert [(action.what, dict(action.details)) for action in await host.operators.logged_actions()] == [
        ("export", {"game": game.code})
    ]


async def test_actions_are_logged_and_refusals_are_not(host: Host, game: Game) -> None:
    await host.operators.freeze(game.code, OPERATOR, "why")
    with expect_error(ErrorCode.UNKNOWN_GAME):
        await host.operators.close("NOPE", OPERATOR, "")
    await host.operators.thaw(game.code, "another")
    assert [(action.by, action.what, dict(action.details)) for action in await host.operators.logged_actions()] == [
        ("another", "thaw", {"game": game.code}),
        (OPERATOR, "freeze", {"game": game.code, "reason": "why"}),
    ]
