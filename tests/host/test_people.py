"""Lists of a player's games, the game of a channel, and stored preferences.

In a list the games that wait for the player come first, the longest waiting at the top. Ada, Ben and Cleo play; a
`game_list` line has the game's code and a link to its last card.
"""

from __future__ import annotations

from random import Random

import pytest

from host import Host, Preferences
from store import NextGame
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
    play_random_action,
    start_game,
)


async def test_games_that_wait_for_the_player_come_first(host: Host, clock: SettableClock) -> None:
    waiting_long = await start_game(host)
    first = waiting_long.seats[0]
    clock.advance(60)
    moved = await start_game(host)
    while (await host.games.get(moved.id)).person_to_act == first:
        await play_random_action(host, moved.id, Random(4))
    clock.advance(60)
    waiting = await start_game(host)
    lines = await host.game_lists.of_user(first.user_id)
    assert [line.code for line in lines] == [waiting_long.code, waiting.code, moved.code]
    assert [line.waiting_for_me for line in lines] == [True, True, False]
    assert lines[2].to_act == (await host.games.get(moved.id)).person_to_act


@pytest.mark.both_databases
async def test_lists_leave_out_finished_games_and_other_servers(host: Host) -> None:
    finished, running = await start_game(host, ADA, BEN), await start_game(host, ADA, BEN)
    await host.moves.resign(finished.id, BEN.user_id, click_id())
    assert [line.id for line in await host.game_lists.of_user(ADA.user_id)] == [running.id]
    both = await host.game_lists.of_user(ADA.user_id, guild_id=GUILD, running_only=False)
    assert {line.id for line in both} == {finished.id, running.id}
    assert await host.game_lists.of_user(ADA.user_id, guild_id=GUILD + 1) == []
    assert await host.game_lists.of_user(CLEO.user_id) == []


async def test_a_line_links_to_the_last_card(host: Host) -> None:
    game, other = await start_game(host), await start_game(host)
    await play_random_action(host, game.id, Random(1))
    for message_id in (501, 502):
        post = next(post for post in await host.outbox.due() if post.game_id == game.id)
        await host.outbox.record_sent(post.id, message_id)
    links = {line.id: line.last_message_id for line in await host.game_lists.of_user(ADA.user_id)}
    assert links == {game.id: 502, other.id: None}


async def test_a_channel_has_its_running_or_else_newest_game(host: Host) -> None:
    assert await host.game_lists.in_channel(CHANNEL) is None
    older, newer = await start_game(host, ADA, BEN), await start_game(host, ADA, BEN)
    await host.places.set_thread(older.id, THREAD)
    assert (await host.game_lists.in_channel(THREAD) or newer).id == older.id
    assert (await host.game_lists.in_channel(CHANNEL) or older).id == newer.id
    await host.moves.resign(newer.id, ADA.user_id, click_id())
    assert (await host.game_lists.in_channel(CHANNEL) or newer).id == older.id
    await host.moves.resign(older.id, ADA.user_id, click_id())
    assert (await host.game_lists.in_channel(CHANNEL) or older).id == newer.id
    assert (await host.game_lists.in_channel(THREAD) or newer).id == older.id


async def test_preferences_are_stored(host: Host, new_host: NewHost) -> None:
    assert await host.preferences.get(ADA.user_id) == Preferences(confirm=True)
    await host.preferences.set(ADA.user_id, Preferences(confirm=False))
    assert await (await new_host()).preferences.get(ADA.user_id) == Preferences(confirm=False)
    await host.preferences.set(ADA.user_id, Preferences(confirm=True))
    assert await host.preferences.get(ADA.user_id) == Preferences(confirm=True)
    assert await host.preferences.get(STRANGER.user_id) == Preferences()


async def test_a_finished_game_waits_for_no_player(host: Host) -> None:
    game = await start_game(host, ADA, BEN)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    [line] = await host.game_lists.of_user(ADA.user_id, running_only=False)
    assert (line.to_act, line.waiting_for_me) == (None, False)


@pytest.mark.both_databases
async def test_the_next_game_is_the_one_that_waits_longest(host: Host, clock: SettableClock) -> None:
    games = []
    for _ in range(4):
        clock.advance(60)
        games.append(await start_game(host, ADA, BEN))
    waiting = [game for game in games if game.person_to_act == ADA]
    while len(waiting) < 2:
        clock.advance(60)
        game = await start_game(host, ADA, BEN)
        games.append(game)
        waiting += [game] if game.person_to_act == ADA else []
    first, *others = waiting
    while post := next(iter(await host.outbox.due()), None):
        await host.outbox.record_sent(post.id, 1000 + post.game_id)
    assert await host.game_lists.next_waiting_for(ADA.user_id, exclude=0) == NextGame(
        GUILD, first.place, 1000 + first.id, len(waiting)
    )
    second = others[0]
    assert await host.game_lists.next_waiting_for(ADA.user_id, exclude=first.id) == NextGame(
        GUILD, second.place, 1000 + second.id, len(others)
    )
    for game in others:
        await host.moves.resign(game.id, BEN.user_id, click_id())
    assert await host.game_lists.next_waiting_for(ADA.user_id, exclude=first.id) is None
    assert await host.game_lists.next_waiting_for(STRANGER.user_id, exclude=0) is None
