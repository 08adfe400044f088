"""Players of the host's tests, and functions that open lobbies, start games and make moves for them.

Ada, Ben and Cleo are the players. Every request needs the id of the Discord interaction that caused it, for which
`click_id` returns a new number.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

import pytest

from engine import Action, begin
from engine.agenda import Step
from engine.carcassonne import DeployFollower
from engine.carcassonne.expansions import BCB
from engine.selfplay import random_action
from host import Consequence, ErrorCode, Game, Host, HostError, Lobby, NewLobby, Person, PostKind, setup_of

ADA, BEN, CLEO = Person(101, "Ada"), Person(102, "Ben"), Person(103, "Cleo")
"""The players, with the ids of their Discord accounts."""
STRANGER = Person(999, "Zoe")
"""A user who plays in none of the games."""
GUILD, CHANNEL, THREAD = 11, 22, 33
"""Ids of the server, of its channel and of a thread in it."""

_clicks: Iterator[int] = count(1_000_000)
"""Ids of interactions, in ascending order."""


def click_id() -> int:
    """Return the id of a new Discord interaction, different from all before."""
    return next(_clicks)


@dataclass
class SettableClock:
    """A clock that stands still until a test advances it."""

    time: datetime = field(default=datetime(2030, 1, 1, 12, tzinfo=UTC))

    def now(self) -> datetime:
        """Return the time that was set."""
        return self.time

    def in_seconds(self, seconds: float) -> datetime:
        """Return the time this many seconds ahead, without advancing."""
        return self.time + timedelta(seconds=seconds)

    def advance(self, seconds: float) -> None:
        """Let this many seconds pass."""
        self.time += timedelta(seconds=seconds)


def new_lobby(**changes: Any) -> NewLobby:
    """Return Ada's lobby for three players with Bridges, Castles & Bazaars (BCB), with the given changes."""
    defaults: dict[str, Any] = {
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "owner": ADA,
        "game": "carcassonne",
        "capacity": 3,
        "expansions": (BCB,),
        "options": {},
    }
    return NewLobby(**(defaults | changes))


async def open_lobby(host: Host, *, capacity: int = 3, owner: Person = ADA) -> Lobby:
    """Open a lobby for this many players, owned by Ada by default."""
    return await host.lobbies.open(new_lobby(capacity=capacity, owner=owner), click_id())


async def start_game(host: Host, *people: Person) -> Game:
    """Start a game of these people; by default of Ada, Ben and Cleo."""
    first, *others = people or (ADA, BEN, CLEO)
    lobby = await open_lobby(host, capacity=1 + len(others), owner=first)
    for person in others:
        await host.lobbies.join(lobby.id, person, click_id())
    return await host.lobbies.start(lobby.id, first.user_id, click_id())


async def play_random_action(host: Host, ref: int | str, rng: Random) -> Consequence:
    """Apply one random legal action of the player to move."""
    table = await host.games.table(ref)
    person = table.game.seats[table.position.player]
    action = random_action(table.position, rng)
    return await host.moves.act(ref, person.user_id, table.game.revision, [action], click_id())


def actions_to_foreign_question(game: Game, kind: type[Step[Any]]) -> list[Action]:
    """Return actions of which the last one, a player's own move, leads to a question of this kind to another player."""
    for seed in range(2000):
        rng, position, actions = Random(seed), begin(setup_of(game)), list[Action]()
        while len(actions) < 80 and not position.is_over:
            mover, before = position.player, position.step
            actions.append(random_action(position, rng))
            position.apply(actions[-1])
            if isinstance(position.step, kind) and position.player != mover and isinstance(before, DeployFollower):
                return actions
    raise AssertionError(f"no such question: {kind}")


async def play_plies(host: Host, ref: int | str, plies: int) -> None:
    """Play this many random actions; the number also serves as the seed."""
    rng = Random(plies)
    for _ in range(plies):
        await play_random_action(host, ref, rng)


async def play_out(host: Host, ref: int | str) -> None:
    """Play at random until the game is over."""
    rng = Random(1)
    while (await host.games.get(ref)).person_to_act is not None:
        await play_random_action(host, ref, rng)


@contextmanager
def expect_error(code: ErrorCode, /, **values: object) -> Iterator[None]:
    """Expect a `HostError` with this code whose values include these."""
    with pytest.raises(HostError) as caught:
        yield
    error = caught.value
    assert (error.code, {**error.values, **values}) == (code, error.values)


async def send_due_posts(host: Host) -> list[PostKind]:
    """Send all due posts, and return their kinds in order."""
    kinds = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 1000 + post.id)
            kinds.append(post.kind)
    return kinds
