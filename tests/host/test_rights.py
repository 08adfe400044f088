"""Permissions of players, lobby owners and server managers, and limits on lobbies and games.

`Asker` is the sender of a request with their rights, `Venue` a channel or thread with its members. Ada, Ben and Cleo
play, Ada owns the lobbies, and Zoe (`STRANGER`) does not play.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from host import (
    LOBBY_LIFE,
    LOBBY_NOTICES,
    Asker,
    ErrorCode,
    Host,
    LobbyState,
    Person,
    PostKind,
    Preferences,
    Venue,
    check_turn,
)
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

MANAGER = Asker(STRANGER.user_id, GUILD, manages=True)
"""A member who manages the server of the games."""
ROLE_HOLDER = Asker(STRANGER.user_id, GUILD, roles=frozenset({7, 8}))
"""A member whose roles may be given the manager's rights."""
OTHER_SERVER_MANAGER = Asker(STRANGER.user_id, GUILD + 1, manages=True)
"""A member who manages another server."""


def asker(person: Person) -> Asker:
    """Return an asker without rights beyond their seat."""
    return Asker(person.user_id, GUILD)


# -- moving a table ----------------------------------------------------------------------------------------------


async def test_a_player_who_resigned_cannot_move_the_table(host: Host) -> None:
    game = await start_game(host)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    with expect_error(ErrorCode.RESIGNED):
        await host.places.move_here(game.id, BEN.user_id, Venue(THREAD))
    await host.moves.resign(game.id, CLEO.user_id, click_id())
    with expect_error(ErrorCode.GAME_OVER):
        await host.places.move_here(game.id, ADA.user_id, Venue(THREAD))
    assert (await host.games.get(game.id)).place == CHANNEL


async def test_a_table_moves_only_to_a_place_that_all_players_see(host: Host) -> None:
    game = await start_game(host)
    with expect_error(ErrorCode.NOT_SEEN, player="Ben"):
        await host.places.move_here(game.id, ADA.user_id, Venue(THREAD, unseen_by=frozenset({BEN.user_id})))
    await host.moves.resign(game.id, BEN.user_id, click_id())
    moved = await host.places.move_here(game.id, ADA.user_id, Venue(THREAD, unseen_by=frozenset({BEN.user_id})))
    assert moved.place == THREAD


@pytest.mark.sqlite
async def test_errors_tell_players_with_the_same_name_apart(new_host: NewHost) -> None:
    host = await new_host(games_of_member=1)
    others = Person(95678, "Ada"), Person(84321, "ada")
    ada, names = ADA.user_id, {ADA.user_id: "Ada #0101", 95678: "Ada #5678", 84321: "ada #4321"}
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, others[0], click_id())
    with expect_error(ErrorCode.NOT_OWNER, owner=names[ada]):
        await host.lobbies.close(lobby.id, asker(others[0]), click_id())
    game = await start_game(host, ADA, *others)
    table = await host.games.table(game.id)
    turn = game.seats[table.position.player].user_id
    (waiting, _) = {*names} - {turn}
    with expect_error(ErrorCode.NOT_YOUR_TURN, player=names[turn]):
        await host.moves.act(game.id, waiting, 0, [next(iter(table.position.legal_actions))], click_id())
    with expect_error(ErrorCode.NOT_YOUR_TURN, player=names[turn]):
        check_turn(game, waiting, None)
    with expect_error(ErrorCode.NOT_SEEN, player=names[95678]):
        await host.places.move_here(game.id, ada, Venue(THREAD, unseen_by=frozenset({95678})))
    venue = Venue(THREAD, guild_id=GUILD + 1, members=frozenset({ada}))
    missing = ", ".join(names[person.user_id] for person in game.seats if person.user_id != ada)
    with expect_error(ErrorCode.NOT_MEMBERS, players=missing):
        await host.places.move_here(game.id, ada, venue)
    elsewhere = await host.lobbies.open(new_lobby(guild_id=GUILD + 1, owner=others[0], capacity=2), click_id())
    await host.lobbies.join(elsewhere.id, CLEO, click_id())
    await host.lobbies.start(elsewhere.id, others[0].user_id, click_id())
    with expect_error(ErrorCode.TOO_MANY_GAMES, player=names[95678]):
        await host.places.move_here(game.id, ada, replace(venue, members=frozenset(names)))


async def test_a_table_moves_once_in_ten_minutes_at_most(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await start_game(host)
    await host.places.move_here(game.id, ADA.user_id, Venue(THREAD))
    restarted = await new_host()
    for place in (THREAD, CHANNEL):
        with expect_error(ErrorCode.MOVED_LATELY, minutes=10):
            await restarted.places.move_here(game.id, BEN.user_id, Venue(place))
    clock.advance(600)
    assert (await restarted.places.move_here(game.id, BEN.user_id, Venue(CHANNEL))).place == CHANNEL


# -- names and lists ---------------------------------------------------------------------------------------------


async def test_a_resigned_game_is_no_longer_listed(host: Host) -> None:
    game = await start_game(host)
    outcome = await host.moves.resign(game.id, BEN.user_id, click_id())
    assert not outcome.game.plays(BEN.user_id)
    assert not (await host.games.get(game.id)).plays(BEN.user_id)
    assert {person.user_id for person in (await host.games.get(game.id)).players} == {ADA.user_id, CLEO.user_id}
    assert await host.game_lists.of_user(BEN.user_id) == []
    assert [line.playing for line in await host.game_lists.of_user(BEN.user_id, running_only=False)] == [False]


async def test_a_player_is_renamed_only_in_the_game_they_act_in(host: Host) -> None:
    game, other = await start_game(host), await start_game(host)
    renamed = await host.seats.rename(game, Person(BEN.user_id, "Benedikt"))
    assert renamed == await host.games.get(game.id)
    assert "Benedikt" in {person.name for person in renamed.seats}
    assert (await host.games.get(other.id)).seats == other.seats
    assert await host.seats.rename(game, STRANGER) == game
    assert await host.seats.rename(game, ADA) is game


# -- lobbies ---------------------------------------------------------------------------------------------------


async def test_the_owner_and_managers_remove_a_member(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    await host.lobbies.join(lobby.id, CLEO, click_id())
    with expect_error(ErrorCode.NOT_OWNER, owner="Ada"):
        await host.lobbies.remove(lobby.id, asker(BEN), CLEO.user_id, click_id())
    with expect_error(ErrorCode.UNKNOWN_LOBBY):
        await host.lobbies.remove(lobby.id, OTHER_SERVER_MANAGER, CLEO.user_id, click_id())
    assert (await host.lobbies.remove(lobby.id, asker(ADA), CLEO.user_id, click_id())).members == (ADA, BEN)
    with expect_error(ErrorCode.REMOVED_FROM_LOBBY):
        await host.lobbies.join(lobby.id, CLEO, click_id())
    with expect_error(ErrorCode.NOT_OWNER):
        await host.lobbies.readmit(lobby.id, asker(BEN), CLEO.user_id, click_id())
    await host.lobbies.readmit(lobby.id, asker(ADA), CLEO.user_id, click_id())
    assert (await host.lobbies.join(lobby.id, CLEO, click_id())).barred == ()
    without = await host.lobbies.remove(lobby.id, MANAGER, ADA.user_id, click_id())
    assert (without.owner, without.barred) == (BEN, (ADA,))


async def test_the_owner_and_managers_close_a_lobby(host: Host) -> None:
    first, second = await open_lobby(host), await open_lobby(host)
    await host.lobbies.join(first.id, BEN, click_id())
    with expect_error(ErrorCode.NOT_OWNER):
        await host.lobbies.close(first.id, asker(BEN), click_id())
    with expect_error(ErrorCode.UNKNOWN_LOBBY):
        await host.lobbies.close(first.id, OTHER_SERVER_MANAGER, click_id())
    press_id = click_id()
    for _ in range(2):
        assert (await host.lobbies.close(first.id, asker(ADA), press_id)).state is LobbyState.CLOSED
    assert [lobby.id for lobby in await host.lobbies.open_in(GUILD)] == [second.id]
    await host.lobbies.close(second.id, MANAGER, click_id())
    assert await host.lobbies.open_in(GUILD) == []
    with expect_error(ErrorCode.LOBBY_CLOSED):
        await host.lobbies.close(second.id, MANAGER, click_id())


async def test_an_unchanged_lobby_expires_after_two_weeks(host: Host, clock: SettableClock) -> None:
    quiet, busy = await open_lobby(host), await open_lobby(host)
    day = timedelta(days=1)
    clock.advance((LOBBY_LIFE - LOBBY_NOTICES[0]).total_seconds())
    assert sorted(await send_closing_notices(host)) == [quiet.id, busy.id]  # opened at one moment
    clock.advance((LOBBY_NOTICES[0] - day).total_seconds())
    changed = await host.lobbies.join(busy.id, BEN, click_id())
    assert changed.changed_at == clock.now()
    assert await host.lobbies.expire() == []
    assert await send_closing_notices(host) == [quiet.id]
    assert await send_closing_notices(host) == []
    clock.advance(day.total_seconds())
    assert [(lobby.id, lobby.state) for lobby in await host.lobbies.expire()] == [(quiet.id, LobbyState.EXPIRED)]
    assert await host.lobbies.expire() == []
    with expect_error(ErrorCode.LOBBY_CLOSED):
        await host.lobbies.join(quiet.id, BEN, click_id())
    await host.lobbies.join(busy.id, CLEO, click_id())


async def send_closing_notices(host: Host) -> list[int]:
    """Send the due notices that lobbies will close; return the ids of those lobbies."""
    notices = await host.lobbies.closing_soon()
    for notice in notices:
        await host.lobbies.record_notice(notice)
    return [notice.lobby.id for notice in notices]


async def test_a_notice_sent_after_the_lobby_was_kept_does_not_count(host: Host, clock: SettableClock) -> None:
    lobby = await open_lobby(host)
    clock.advance((LOBBY_LIFE - LOBBY_NOTICES[0]).total_seconds())
    (notice,) = await host.lobbies.closing_soon()
    assert await host.lobbies.closing_soon() == [notice], "it is due until it is recorded as sent"
    kept_lobby = await host.lobbies.keep(lobby.id, ADA.user_id, click_id())
    await host.lobbies.record_notice(notice)
    assert (await host.lobbies.get(lobby.id)).changed_at == kept_lobby.changed_at
    for ahead in LOBBY_NOTICES:
        clock.advance((kept_lobby.changed_at + LOBBY_LIFE - ahead - clock.now()).total_seconds())
        assert await send_closing_notices(host) == [lobby.id]
        await host.lobbies.record_notice(notice)
    assert await host.lobbies.closing_soon() == []


async def test_a_closing_notice_waits_half_a_day_at_most_for_quiet_hours(host: Host, clock: SettableClock) -> None:
    """Let the notice be due at noon, within a member's quiet hours."""
    lobby = await open_lobby(host)
    await host.preferences.set(ADA.user_id, Preferences(choices={"quiet": "08:00-18:00", "zone": "UTC"}))
    clock.advance((LOBBY_LIFE - LOBBY_NOTICES[0]).total_seconds())
    assert await send_closing_notices(host) == []
    clock.advance(6 * 3600)
    (notice,) = await host.lobbies.closing_soon()
    assert (notice.quiet_members, notice.lobby.changed_at + LOBBY_LIFE) == (frozenset(), clock.now() + LOBBY_NOTICES[0])
    await host.preferences.set(ADA.user_id, Preferences(choices={"quiet": "08:00-06:00", "zone": "UTC"}))
    assert await host.lobbies.closing_soon() == []
    clock.advance(6 * 3600)
    (notice,) = await host.lobbies.closing_soon()
    assert notice.quiet_members == {ADA.user_id}, "her quiet hours are nearly the whole day"
    assert await send_closing_notices(host) == [lobby.id]


async def test_no_lobby_closes_without_notices_and_a_member_can_keep_it(host: Host, clock: SettableClock) -> None:
    lobby, day = await open_lobby(host), timedelta(days=1)
    clock.advance((3 * LOBBY_LIFE).total_seconds())  # no bot ran that could send notices
    assert await host.lobbies.expire() == []
    for ahead in LOBBY_NOTICES:
        (notice,) = await host.lobbies.closing_soon()
        assert notice.lobby.changed_at + LOBBY_LIFE == clock.now() + ahead
        assert await send_closing_notices(host) == [lobby.id]
        assert await host.lobbies.closing_soon() == await host.lobbies.expire() == []
        clock.advance((ahead - day).total_seconds())
    with expect_error(ErrorCode.NOT_IN_LOBBY):
        await host.lobbies.keep(lobby.id, BEN.user_id, click_id())
    assert (await host.lobbies.keep(lobby.id, ADA.user_id, click_id())).changed_at == clock.now()
    clock.advance((LOBBY_LIFE - LOBBY_NOTICES[0]).total_seconds())
    assert len(await host.lobbies.closing_soon()) == 1, "the period starts again"


async def test_a_refused_press_does_not_keep_a_lobby_open(host: Host, clock: SettableClock) -> None:
    lobby = await open_lobby(host)
    clock.advance(60)
    with expect_error(ErrorCode.ALREADY_JOINED):
        await host.lobbies.join(lobby.id, ADA, click_id())
    await host.lobbies.rename(lobby, Person(ADA.user_id, "Ada L."))
    after = await host.lobbies.get(lobby.id)
    assert after.changed_at == lobby.changed_at
    assert after.owner == Person(ADA.user_id, "Ada L.")


# -- limits ------------------------------------------------------------------------------------------------------


async def test_lobbies_have_limits_for_each_member_and_server(new_host: NewHost) -> None:
    host = await new_host(lobbies_of_member=2, lobbies_of_guild=3)
    first = await open_lobby(host)
    await open_lobby(host)
    with expect_error(ErrorCode.TOO_MANY_LOBBIES, most=2):
        await open_lobby(host)
    await host.lobbies.open(new_lobby(guild_id=GUILD + 1), click_id())
    await open_lobby(host, owner=BEN)
    with expect_error(ErrorCode.TOO_MANY_LOBBIES_HERE, most=3):
        await open_lobby(host, owner=CLEO)
    await host.lobbies.close(first.id, asker(ADA), click_id())
    await open_lobby(host)


async def test_games_have_limits_for_each_member_and_server(new_host: NewHost) -> None:
    host = await new_host(games_of_member=2, games_of_guild=3)
    await start_game(host, ADA, BEN)
    ended_game = await start_game(host, ADA, BEN, CLEO)
    with expect_error(ErrorCode.TOO_MANY_GAMES, player="Ada", most=2):
        await open_lobby(host)
    waiting = await open_lobby(host, capacity=2, owner=CLEO)
    with expect_error(ErrorCode.TOO_MANY_GAMES, player="Ben", most=2):
        await host.lobbies.join(waiting.id, BEN, click_id())
    await host.moves.resign(ended_game.id, ADA.user_id, click_id())
    await host.lobbies.join(waiting.id, ADA, click_id())
    another_lobby = await open_lobby(host, capacity=2, owner=STRANGER)
    await host.lobbies.start(waiting.id, CLEO.user_id, click_id())
    with expect_error(ErrorCode.TOO_MANY_GAMES_HERE, most=3):
        await open_lobby(host, owner=Person(5, "Eve"))
    await host.lobbies.join(another_lobby.id, Person(5, "Eve"), click_id())
    with expect_error(ErrorCode.TOO_MANY_GAMES_HERE, most=3):
        await host.lobbies.start(another_lobby.id, STRANGER.user_id, click_id())
    assert (await host.lobbies.get(another_lobby.id)).state is LobbyState.OPEN


# -- managers ----------------------------------------------------------------------------------------------------


async def test_a_manager_removes_a_player_as_if_they_had_resigned(host: Host) -> None:
    game = await start_game(host)
    for without_rights in (asker(ADA), ROLE_HOLDER):
        with expect_error(ErrorCode.NOT_MANAGER):
            await host.substitutions.remove(game.code, without_rights, BEN.user_id, click_id())
    with expect_error(ErrorCode.UNKNOWN_GAME):
        await host.substitutions.remove(game.code, OTHER_SERVER_MANAGER, BEN.user_id, click_id())
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.substitutions.remove(game.code, MANAGER, STRANGER.user_id, click_id())
    press_id = click_id()
    await host.substitutions.remove(game.code, MANAGER, BEN.user_id, press_id)
    assert (await host.substitutions.remove(game.code, MANAGER, BEN.user_id, press_id)).repeated
    table = await host.games.table(game.id)
    [entry] = table.log
    assert (entry.user_id, table.game.seats[entry.seat]) == (MANAGER.user_id, BEN)
    assert table.position.withdrawn[entry.seat]
    with expect_error(ErrorCode.RESIGNED):
        await host.substitutions.remove(game.code, MANAGER, BEN.user_id, click_id())
    outcome = await host.substitutions.remove(game.code, MANAGER, ADA.user_id, click_id())
    assert outcome.game.seat_to_act is None
    posts = await host.outbox.due()
    assert [post.kind for post in posts] == [PostKind.START]


async def test_a_manager_role_manages_but_cannot_appoint_another_role(host: Host) -> None:
    game = await start_game(host)
    with expect_error(ErrorCode.NOT_MANAGER):
        await host.servers.change(ROLE_HOLDER, manager_role=7)
    await host.servers.change(MANAGER, manager_role=7)
    await host.servers.change(ROLE_HOLDER, channels=(CHANNEL,))
    with expect_error(ErrorCode.NOT_MANAGER):
        await host.servers.change(ROLE_HOLDER, manager_role=8)
    with expect_error(ErrorCode.NOT_MANAGER):
        await host.servers.change(asker(ADA), channels=())
    await host.substitutions.remove(game.code, ROLE_HOLDER, BEN.user_id, click_id())
    settings = await host.servers.get(GUILD)
    assert (settings.manager_role, settings.channels) == (7, (CHANNEL,))
    await host.servers.change(MANAGER, manager_role=None)
    with expect_error(ErrorCode.NOT_MANAGER):
        await host.servers.change(ROLE_HOLDER, channels=())


@pytest.mark.parametrize("venue", [Venue(1), Venue(5, within=(1,)), Venue(5, within=(4, 2))])
async def test_games_are_opened_and_moved_in_allowed_channels_only(host: Host, venue: Venue) -> None:
    game = await start_game(host)
    await host.servers.change(MANAGER, channels=(1, 2))
    with expect_error(ErrorCode.CHANNEL_CLOSED, channels=(1, 2)):
        await open_lobby(host)
    with expect_error(ErrorCode.CHANNEL_CLOSED, channels=(1, 2)):
        await host.places.move_here(game.id, ADA.user_id, Venue(5, within=(4,)))
    await host.lobbies.open(new_lobby(channel_id=venue.id), click_id(), venue)
    await host.places.move_here(game.id, ADA.user_id, venue)
    counts = await host.servers.counts(GUILD)
    assert (counts.lobbies, counts.games) == (1, 1)
    assert [line.id for line in await host.game_lists.of_guild(GUILD, 5)] == [game.id]
    assert await host.game_lists.of_guild(GUILD, 5, before=game.id) == []
