"""New games of lobbies, events and the ladder: their labels, and the rows with which they begin.

A *label* is the code and the name of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from engine import Setup, begin, state_digest
from host.games import timekeeping
from host.games.outbox import move_post
from host.naming import Label, new_label
from host.timing.timeouts import MEMBERSHIP_CHECK_INTERVAL
from store import games, outbox, timers
from store.connection.database import Transaction
from store.records import Game, NewGame, NewPost, Player, PostKind, TableSettings, Timer, TimerKind


def new_game(
    setup: Setup, label: Label, players: Sequence[Player], guild_id: int, channel_id: int, settings: TableSettings
) -> NewGame:
    """Return the game of these players, by seat, before it is stored."""
    position = begin(setup)
    return NewGame(
        code=label.code,
        name=label.name,
        guild_id=guild_id,
        channel_id=channel_id,
        seats=tuple(players),
        setup=setup.to_json(),
        digest=state_digest(position),
        seat_to_act=position.player,
        settings=settings,
    )


async def free_label(tx: Transaction, preferred: Label | None = None) -> Label:
    """Return the preferred label; a new one if none is preferred, or if another game has its code."""
    label = preferred or new_label()
    while await games.is_code_taken(tx, label.code):
        label = new_label()
    return label


async def add_game(tx: Transaction, new: NewGame, now: datetime, *, opening: bool = False) -> Game:
    """Add a game with its clocks, timers and first card.

    With ``opening``, a message in the channel of its event precedes the card, and the thread of the game is opened
    under that message.
    """
    game_id = await games.add(tx, new, now)
    await timekeeping.begin(tx, game_id, new, now)
    game = await games.get(tx, game_id)
    await timekeeping.seat_player(tx, game, now)
    if game.guild_id:  # direct messages have no members
        await timers.save(tx, Timer(game_id, TimerKind.PRESENT, now + MEMBERSHIP_CHECK_INTERVAL))
    if opening:
        post = NewPost(game_id=game_id, from_ply=0, ply=0, kind=PostKind.OPENING, nonce=f"{game.code}-open")
        await outbox.add(tx, post, now)
    await outbox.add(tx, move_post(game, 0, 0, PostKind.START), now)
    return game
