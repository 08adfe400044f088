"""Rows of games, lobbies, posts and preferences: round trips and constraints.

Each test writes rows by the functions of the store and reads them back. A ply is the number of actions of a game so
far; a post is a message that still has to be sent, and a parked one waits until it is released.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from store import (
    ActionRecord,
    AnsweredInteraction,
    GameStatus,
    LobbyState,
    NewLobby,
    PlyConflictError,
    Preferences,
    Stamp,
    Store,
    TableSettings,
    games,
    lobbies,
    moves,
    outbox,
    preferences,
    retention,
)
from tests.store.rows import ADA, BEN, NOW, new_advance, new_game, store_game, store_post

UNKNOWN_ID = 404
"""An id that no row has."""


async def test_a_game_survives_a_round_trip(store: Store) -> None:
    game_id = await store_game(store)
    async with store.reading() as tx:
        game = await games.by_id(tx, game_id)
        assert game is not None
        assert await games.by_code(tx, "BCDF") == await games.get(tx, game_id) == game
        assert await games.by_id(tx, UNKNOWN_ID) is None
        with pytest.raises(LookupError, match="404"):
            await games.get(tx, UNKNOWN_ID)
    assert (game.seats, game.guild_id, game.thread_id) == ((BEN, ADA), (1 << 63) - 1, None)
    assert (game.ply, game.status, game.seat_to_act) == (0, GameStatus.RUNNING, 0)
    assert (game.created_at, game.updated_at) == (NOW, NOW)
    assert game.setup_text == '{"any": "text"}'


async def test_codes_are_unique(store: Store) -> None:
    await store_game(store)
    with pytest.raises(IntegrityError):
        await store_game(store)


async def test_advancing_a_game_appends_to_its_log(store: Store) -> None:
    game_id = await store_game(store)
    later = NOW + timedelta(milliseconds=1)
    async with store.writing() as tx:
        await games.advance(tx, game_id, Stamp(0), new_advance(0, "M12/90", "pass"), later)
        await games.advance(tx, game_id, Stamp(2), new_advance(2, "pass", status=GameStatus.FINISHED), later)
    async with store.reading() as tx:
        game = await games.get(tx, game_id)
        log = await games.log(tx, game_id)
        assert await games.log(tx, game_id, from_ply=2) == log[2:]
        assert await games.unfinished_ids(tx) == []
    assert (game.ply, game.status, game.seat_to_act) == (3, GameStatus.FINISHED, None)
    assert (game.digest, game.updated_at) == ("b" * 64, later)
    assert log == [
        ActionRecord(0, 0, BEN.user_id, "M12/90", NOW),
        ActionRecord(1, 0, BEN.user_id, "pass", NOW),
        ActionRecord(2, 0, BEN.user_id, "pass", NOW),
    ]


@pytest.mark.parametrize("ply", [-1, 1, 2])
async def test_a_game_at_another_ply_does_not_advance(store: Store, ply: int) -> None:
    game_id = await store_game(store)
    with pytest.raises(PlyConflictError, match=f"game {game_id} is no longer at ply {ply}") as caught:
        async with store.writing() as tx:
            await games.advance(tx, game_id, Stamp(ply), new_advance(ply, "pass"), NOW)
    assert (caught.value.game_id, caught.value.ply) == (game_id, ply)
    async with store.reading() as tx:
        assert await games.log(tx, game_id) == []


@pytest.mark.parametrize("status", [GameStatus.FROZEN, GameStatus.FINISHED])
async def test_only_a_running_game_advances(store: Store, status: GameStatus) -> None:
    game_id = await store_game(store)
    async with store.writing() as tx:
        assert await games.set_status(tx, game_id, GameStatus.RUNNING, status)
        assert not await games.set_status(tx, game_id, GameStatus.RUNNING, status)
    with pytest.raises(PlyConflictError):
        async with store.writing() as tx:
            await games.advance(tx, game_id, Stamp(0), new_advance(0, "pass"), NOW)


async def test_a_ply_is_logged_once_even_if_the_game_is_reset(store: Store) -> None:
    game_id = await store_game(store)
    async with store.writing() as tx:
        await games.advance(tx, game_id, Stamp(0), new_advance(0, "pass"), NOW)
        await tx.execute(text("UPDATE games SET ply = 0"))
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await games.advance(tx, game_id, Stamp(0), new_advance(0, "pass"), NOW)


async def test_a_game_is_found_by_player_thread_and_channel(store: Store) -> None:
    game_id = await store_game(store)
    async with store.writing() as tx:
        assert await games.set_thread(tx, game_id, 34)
        assert not await games.set_thread(tx, UNKNOWN_ID, 34)
    async with store.reading() as tx:
        assert [game.id for game in await games.lines_of_user(tx, ADA.user_id)] == [game_id]
        assert await games.lines_of_user(tx, UNKNOWN_ID) == []
        in_thread = await games.in_place(tx, 34)
        assert in_thread is not None
        assert (in_thread.id, in_thread.thread_id) == (game_id, 34)
        assert await games.in_place(tx, 12) == in_thread
        assert await games.in_place(tx, UNKNOWN_ID) is None


async def test_a_lobby_survives_a_round_trip(store: Store) -> None:
    new = NewLobby(
        guild_id=1,
        channel_id=2,
        owner=ADA,
        game="chess",
        capacity=4,
        expansions=("one", "two"),
        options={"farmers": False, "small_city_points": 2, "bazaar_mode": "draft"},
        settings=TableSettings(hints=False, theme="night"),
    )
    async with store.writing() as tx:
        lobby_id = await lobbies.add(tx, new, NOW)
        await lobbies.add_member(tx, lobby_id, BEN)
        await lobbies.set_message(tx, lobby_id, 77)
    async with store.reading() as tx:
        lobby = await lobbies.get(tx, lobby_id)
        assert await lobbies.get(tx, UNKNOWN_ID) is None
    assert lobby is not None
    assert (lobby.members, lobby.owner_id, lobby.owner) == ((ADA, BEN), ADA.user_id, ADA)
    assert (lobby.game, lobby.expansions, lobby.options) == ("chess", new.expansions, new.options)
    assert lobby.settings == new.settings
    assert (lobby.state, lobby.message_id, lobby.game_id) == (LobbyState.OPEN, 77, None)
    assert (lobby.created_at, lobby.full) == (NOW, False)


async def test_a_member_is_in_a_lobby_once(store: Store) -> None:
    new = NewLobby(guild_id=1, channel_id=2, owner=ADA, game="chess", capacity=4, expansions=(), options={})
    async with store.writing() as tx:
        lobby_id = await lobbies.add(tx, new, NOW)
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await lobbies.add_member(tx, lobby_id, ADA)


async def test_an_interaction_is_stored_once_until_it_is_dropped(store: Store) -> None:
    game_id = await store_game(store)
    answered = AnsweredInteraction(id=1 << 60, game_id=game_id, before_ply=3, ply=5)
    async with store.writing() as tx:
        await moves.add_interaction(tx, answered, NOW)
    async with store.reading() as tx:
        assert await moves.interaction_by_id(tx, 1 << 60) == answered
        assert await moves.interaction_by_id(tx, UNKNOWN_ID) is None
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await moves.add_interaction(tx, answered, NOW)
    async with store.writing() as tx:
        assert await retention.drop_interactions(tx, NOW, 9) == 0
        assert await retention.drop_interactions(tx, NOW + timedelta(milliseconds=1), 9) == 1
        assert await moves.interaction_by_id(tx, 1 << 60) is None


async def test_a_post_is_stored_once(store: Store) -> None:
    game_id = await store_game(store)
    await store_post(store, game_id, 1)
    with pytest.raises(IntegrityError):
        await store_post(store, game_id, 1)


async def test_next_due_respects_retries_leases_and_parked_posts(store: Store) -> None:
    game_id, other_id = await store_game(store), await store_game(store, "GHJK")
    async with store.writing() as tx:
        assert await outbox.next_due(tx) is None
    first, second = await store_post(store, game_id, 1), await store_post(store, other_id, 1)
    await store_post(store, game_id, 2)
    soon, later, much_later = (NOW + timedelta(seconds=seconds) for seconds in (1, 2, 3))
    async with store.writing() as tx:
        assert await outbox.next_due(tx) == NOW
        await outbox.retry(tx, first, later)
        assert await outbox.next_due(tx) == NOW
        assert await outbox.lease(tx, second, NOW, soon)
        assert await outbox.next_due(tx) == soon
        await outbox.park(tx, second)
        assert await outbox.next_due(tx) == later
        assert await outbox.lease(tx, first, NOW, much_later)
        assert await outbox.next_due(tx) == much_later
        await outbox.release_all(tx)
        assert await outbox.next_due(tx) == later
        await outbox.mark_sent(tx, first, 5, NOW)
        assert await outbox.next_due(tx) == NOW
        assert await outbox.get(tx, UNKNOWN_ID) is None


async def test_a_parked_post_holds_back_its_game_only(store: Store) -> None:
    game_id, other_id = await store_game(store), await store_game(store, "GHJK")
    first, second = await store_post(store, game_id, 1), await store_post(store, game_id, 2)
    other = await store_post(store, other_id, 1)
    async with store.writing() as tx:
        await outbox.park(tx, first)
        assert [post.id for post in await outbox.due(tx, NOW, 10)] == [other]
        await outbox.unpark(tx, other_id, NOW)
        assert [post.id for post in await outbox.due(tx, NOW, 10)] == [other]
        await outbox.unpark(tx, game_id, NOW)
        assert [post.id for post in await outbox.due(tx, NOW, 10)] == [first, other]
        await outbox.mark_sent(tx, first, 5, NOW)
        assert [post.id for post in await outbox.due(tx, NOW, 10)] == [second, other]
        assert await outbox.last_messages(tx, [game_id, other_id]) == {game_id: 5}


async def test_preferences_survive_a_round_trip(store: Store) -> None:
    async with store.writing() as tx:
        await preferences.save(tx, ADA.user_id, Preferences(confirm=False, choices={"theme": "night"}))
    async with store.reading() as tx:
        assert await preferences.get(tx, ADA.user_id) == Preferences(confirm=False, choices={"theme": "night"})
        assert await preferences.get(tx, BEN.user_id) == Preferences(confirm=True)


async def test_a_person_has_one_seat_in_a_game(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await games.add(tx, replace(new_game(), seats=(ADA, ADA)), NOW)
