"""Lobbies: joining, leaving, rules and the start of a game, and what each refuses.

A lobby is a table whose game has not started. Each request has the id of its Discord interaction (`click_id`), by
which a repetition is recognised.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from engine.carcassonne.expansions import BCB, TRADERS_BUILDERS
from host import ErrorCode, GameStatus, Host, LobbyState, PostKind, TableRules, TableSettings, setup_of
from host.lobbies import new_game_of, seat_order
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    CLEO,
    GUILD,
    STRANGER,
    THREAD,
    SettableClock,
    click_id,
    expect_error,
    new_lobby,
    open_lobby,
    start_game,
)


async def test_the_owner_is_the_first_member(host: Host) -> None:
    lobby = await open_lobby(host)
    assert lobby.members == (ADA,)
    assert lobby.owner == ADA
    assert (lobby.guild_id, lobby.channel_id, lobby.capacity) == (GUILD, CHANNEL, 3)
    assert lobby.state is LobbyState.OPEN
    assert await host.lobbies.get(lobby.id) == lobby


async def test_members_stand_in_the_order_of_joining(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, CLEO, click_id())
    await host.lobbies.leave(lobby.id, CLEO.user_id, click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    lobby = await host.lobbies.join(lobby.id, CLEO, click_id())
    assert lobby.members == (ADA, BEN, CLEO)
    assert lobby.full


async def test_joining_twice_or_a_full_lobby_is_refused(host: Host) -> None:
    lobby = await open_lobby(host, capacity=2)
    with expect_error(ErrorCode.ALREADY_JOINED):
        await host.lobbies.join(lobby.id, ADA, click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    with expect_error(ErrorCode.LOBBY_FULL, capacity=2):
        await host.lobbies.join(lobby.id, CLEO, click_id())
    assert (await host.lobbies.get(lobby.id)).members == (ADA, BEN)


@pytest.mark.both_databases
async def test_the_last_seat_is_taken_once(host: Host) -> None:
    lobby = await open_lobby(host, capacity=2)
    answers = await asyncio.gather(
        host.lobbies.join(lobby.id, BEN, click_id()),
        host.lobbies.join(lobby.id, CLEO, click_id()),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Exception) for answer in answers) == 1
    assert len((await host.lobbies.get(lobby.id)).members) == 2


async def test_an_owner_who_leaves_hands_the_lobby_over(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    await host.lobbies.join(lobby.id, CLEO, click_id())
    lobby = await host.lobbies.leave(lobby.id, ADA.user_id, click_id())
    assert lobby.owner == BEN
    assert lobby.members == (BEN, CLEO)


async def test_the_last_one_to_leave_closes_the_lobby(host: Host) -> None:
    lobby = await open_lobby(host)
    lobby = await host.lobbies.leave(lobby.id, ADA.user_id, click_id())
    assert (lobby.state, lobby.members, lobby.owner) == (LobbyState.CLOSED, (), None)
    with expect_error(ErrorCode.LOBBY_CLOSED):
        await host.lobbies.join(lobby.id, BEN, click_id())
    with expect_error(ErrorCode.LOBBY_CLOSED):
        await host.lobbies.start(lobby.id, ADA.user_id, click_id())


async def test_only_a_member_leaves_or_starts_a_lobby(host: Host) -> None:
    lobby = await open_lobby(host)
    with expect_error(ErrorCode.NOT_IN_LOBBY):
        await host.lobbies.leave(lobby.id, STRANGER.user_id, click_id())
    with expect_error(ErrorCode.NOT_IN_LOBBY):
        await host.lobbies.start(lobby.id, STRANGER.user_id, click_id())


async def test_a_lobby_of_one_cannot_start(host: Host) -> None:
    lobby = await open_lobby(host)
    with expect_error(ErrorCode.TOO_FEW_PLAYERS, players=1, least=2):
        await host.lobbies.start(lobby.id, ADA.user_id, click_id())


async def test_the_owner_starts_early_and_any_member_once_it_is_full(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    with expect_error(ErrorCode.NOT_OWNER, owner="Ada"):
        await host.lobbies.start(lobby.id, BEN.user_id, click_id())
    early = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert len(early.seats) == 2

    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())
    full = await host.lobbies.start(lobby.id, BEN.user_id, click_id())
    assert set(full.seats) == {ADA, BEN}


async def test_the_thread_of_a_game_is_known_with_its_first_card(host: Host) -> None:
    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())

    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id(), thread_id=77)

    assert (game.thread_id, game.place) == (77, 77)
    assert [(post.kind, post.game.place) for post in await host.outbox.due()] == [(PostKind.START, 77)]


async def test_a_started_lobby_is_a_game(host: Host) -> None:
    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    lobby = await host.lobbies.get(lobby.id)
    assert (lobby.state, lobby.game_id) == (LobbyState.STARTED, game.id)
    with expect_error(ErrorCode.LOBBY_STARTED, game_id=game.id):
        await host.lobbies.join(lobby.id, CLEO, click_id())
    with expect_error(ErrorCode.LOBBY_STARTED, game_id=game.id):
        await host.lobbies.leave(lobby.id, BEN.user_id, click_id())
    with expect_error(ErrorCode.LOBBY_STARTED, game_id=game.id):
        await host.lobbies.start(lobby.id, BEN.user_id, click_id())
    assert (game.ply, game.status, setup_of(game).players) == (0, GameStatus.RUNNING, 2)
    [post] = await host.outbox.due()
    assert (post.kind, post.game, post.from_ply, post.ply) == (PostKind.START, game, 0, 0)


async def test_an_unknown_lobby_is_refused(host: Host) -> None:
    for attempt in (
        host.lobbies.get(77),
        host.lobbies.join(77, ADA, click_id()),
        host.lobbies.leave(77, ADA.user_id, click_id()),
        host.lobbies.start(77, ADA.user_id, click_id()),
    ):
        with expect_error(ErrorCode.UNKNOWN_LOBBY, lobby_id=77):
            await attempt


@pytest.mark.parametrize("capacity", [-1, 0, 1, 7])
async def test_an_impossible_number_of_players_is_refused(host: Host, capacity: int) -> None:
    with expect_error(ErrorCode.BAD_PLAYERS, capacity=capacity, least=2, most=6):
        await open_lobby(host, capacity=capacity)


@pytest.mark.parametrize(
    ("expansions", "options"), [(("atlantis",), {}), ((BCB,), {"gravity": "off"}), ((BCB,), {"bazaar_mode": "raffle"})]
)
async def test_unknown_expansions_and_options_are_refused(
    host: Host, expansions: tuple[str, ...], options: Mapping[str, Any]
) -> None:
    with expect_error(ErrorCode.BAD_OPTIONS):
        await host.lobbies.open(new_lobby(expansions=expansions, options=options), click_id())


async def test_options_reach_the_game(host: Host) -> None:
    options = {"bazaar_mode": "draft", "farmers": False}
    lobby = await host.lobbies.open(new_lobby(capacity=2, expansions=(), options=options), click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    setup = setup_of(game)
    assert (setup.options.bazaar_mode, setup.options.farmers, setup.expansions) == ("draft", False, ())


async def test_an_unknown_game_is_refused(host: Host) -> None:
    with expect_error(ErrorCode.BAD_OPTIONS):
        await host.lobbies.open(new_lobby(game="chess"), click_id())


async def test_the_owner_changes_the_rules_before_the_start(host: Host) -> None:
    lobby = await open_lobby(host, capacity=2)
    settings = TableSettings(hints=False, theme="night")
    press_id, rules = click_id(), TableRules((TRADERS_BUILDERS,), {"farmers": False}, settings)
    for _ in range(2):
        lobby = await host.lobbies.set_rules(lobby.id, ADA.user_id, rules, press_id)
    assert TableRules(lobby.expansions, lobby.options, lobby.settings) == rules
    await host.lobbies.join(lobby.id, BEN, click_id())
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert game.settings == settings
    assert not setup_of(game).options.farmers
    with expect_error(ErrorCode.LOBBY_STARTED):
        await host.lobbies.set_rules(lobby.id, ADA.user_id, TableRules((BCB,), {}, settings), click_id())


async def test_only_the_owner_changes_the_rules_and_only_to_known_ones(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    with expect_error(ErrorCode.NOT_OWNER, owner=ADA.name):
        await host.lobbies.set_rules(lobby.id, BEN.user_id, TableRules((BCB,), {}, TableSettings()), click_id())
    with expect_error(ErrorCode.BAD_OPTIONS):
        rules = TableRules((BCB,), {"gravity": "off"}, TableSettings())
        await host.lobbies.set_rules(lobby.id, ADA.user_id, rules, click_id())
    with expect_error(ErrorCode.BAD_OPTIONS):
        rules = TableRules(("atlantis",), {}, TableSettings())
        await host.lobbies.set_rules(lobby.id, ADA.user_id, rules, click_id())
    assert await host.lobbies.get(lobby.id) == await host.lobbies.get(lobby.id)


async def test_repeated_interactions_are_answered_without_effect(host: Host) -> None:
    clicks = [click_id() for _ in range(4)]

    async def open_join_and_leave() -> tuple[object, ...]:
        lobby = await host.lobbies.open(new_lobby(), clicks[0])
        joined = await host.lobbies.join(lobby.id, BEN, clicks[1])
        after_leaving = await host.lobbies.leave(lobby.id, ADA.user_id, clicks[2])
        return lobby.id, joined.id, after_leaving.owner, after_leaving.members

    first = await open_join_and_leave()
    assert await open_join_and_leave() == first
    lobby_id = int(str(first[0]))
    await host.lobbies.join(lobby_id, CLEO, click_id())
    game = await host.lobbies.start(lobby_id, BEN.user_id, clicks[3])
    assert await host.lobbies.start(lobby_id, BEN.user_id, clicks[3]) == game
    assert len(await host.outbox.due()) == 1


async def test_the_message_id_of_a_lobby_is_stored(host: Host) -> None:
    lobby = await open_lobby(host)
    assert lobby.message_id is None
    await host.lobbies.set_message(lobby.id, 4711)
    assert (await host.lobbies.get(lobby.id)).message_id == 4711


async def test_the_seed_alone_decides_seats_and_pile(host: Host) -> None:
    game, again = await start_game(host), await start_game(host, CLEO, ADA, BEN)
    assert setup_of(again) == setup_of(game)
    assert again.seats == game.seats == seat_order([BEN, CLEO, ADA], "seed 1")
    assert game.code != again.code
    orders = {seat_order([ADA, BEN, CLEO], f"{number}") for number in range(60)}
    assert len(orders) == 6


async def test_codes_are_looked_up_in_any_case(host: Host) -> None:
    game = await start_game(host)
    assert await host.games.get(f" {game.code.lower()} ") == await host.games.get(game.id) == game


async def test_a_taken_code_is_drawn_again(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["BBBB", "BBBB", "BBBB", "CCCC"])
    monkeypatch.setattr("host.naming.new_code", lambda: next(codes))
    games = [await start_game(host), await start_game(host)]
    assert [game.code for game in games] == ["BBBB", "CCCC"]


async def test_a_lobby_with_an_option_no_longer_known_stays_open(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())

    def create_with_unknown_option(waiting: Any, *seeds: Any) -> Any:
        object.__setattr__(waiting, "options", {"gravity": "off"})
        return new_game_of(waiting, *seeds)

    monkeypatch.setattr("host.lobbies.new_game_of", create_with_unknown_option)
    with expect_error(ErrorCode.BAD_OPTIONS):
        await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert (await host.lobbies.get(lobby.id)).state is LobbyState.OPEN


async def test_a_game_can_begin_in_a_thread(host: Host) -> None:
    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id(), thread_id=THREAD)
    assert (game.channel_id, game.thread_id, game.place) == (CHANNEL, THREAD, THREAD)
    [post] = await host.outbox.due()
    assert post.game == game


async def test_one_press_at_a_time_starts_a_game(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    lobby, other = await host.lobbies.open(new_lobby(), click_id()), await new_host()
    first, second = click_id(), click_id()
    async with host.lobbies.starting(lobby.id, first) as claimed:
        assert claimed
        async with other.lobbies.starting(lobby.id, second) as late:
            assert not late
        async with other.lobbies.starting(lobby.id, first) as same:
            assert same, "the press was delivered twice"
    async with other.lobbies.starting(lobby.id, second) as after:
        assert after
        clock.advance(31)
        async with host.lobbies.starting(lobby.id, first) as later:
            assert later, "the claim of a dead process has expired"
