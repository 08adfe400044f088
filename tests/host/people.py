"""People who play in the tests of the host, and their actions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

import pytest

from engine.carcassonne.expansions import BCB
from engine.selfplay import random_action
from host import Consequence, ErrorCode, Game, Host, HostError, Lobby, NewLobby, Person

ADA, BEN, CLEO = Person(101, "Ada"), Person(102, "Ben"), Person(103, "Cleo")
STRANGER = Person(999, "Zoe")
GUILD, CHANNEL, THREAD = 11, 22, 33

_clicks: Iterator[int] = count(1_000_000)


def click() -> int:
    """The id of an interaction that has not been before."""
    return next(_clicks)


@dataclass
class SettableClock:
    time: datetime = field(default=datetime(2030, 1, 1, 12, tzinfo=UTC))

    def now(self) -> datetime:
        return self.time

    def in_seconds(self, seconds: float) -> datetime:
        return self.time + timedelta(seconds=seconds)

    def advance(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def new_lobby(**changes: Any) -> NewLobby:
    """Return the lobby that Ada asks for, with the given changes."""
    asked: dict[str, Any] = {
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "owner": ADA,
        "game": "carcassonne",
        "capacity": 3,
        "expansions": (BCB,),
        "options": {},
    }
    return NewLobby(**(asked | changes))


async def open_lobby(host: Host, *, capacity: int = 3, owner: Person = ADA) -> Lobby:
    return await host.lobbies.open(new_lobby(capacity=capacity, owner=owner), click())


async def start_game(host: Host, *people: Person) -> Game:
    """A game just begun; by default of Ada, Ben and Cleo."""
    first, *others = people or (ADA, BEN, CLEO)
    lobby = await open_lobby(host, capacity=1 + len(others), owner=first)
    for person in others:
        await host.lobbies.join(lobby.id, person, click())
    return await host.lobbies.start(lobby.id, first.user_id, click())


async def play(host: Host, ref: int | str, random: Random) -> Consequence:
    """One random decision of whoever has to decide."""
    table = await host.games.table(ref)
    person = table.game.seats[table.position.player]
    action = random_action(table.position, random)
    return await host.moves.act(ref, person.user_id, table.game.revision, [action], click())


async def play_plies(host: Host, ref: int | str, plies: int) -> None:
    random = Random(plies)
    for _ in range(plies):
        await play(host, ref, random)


async def play_out(host: Host, ref: int | str) -> None:
    random = Random(1)
    while (await host.games.get(ref)).person_to_act is not None:
        await play(host, ref, random)


@contextmanager
def refused(code: ErrorCode, /, **values: object) -> Iterator[None]:
    """Expect a refusal with this code and, where given, these values."""
    with pytest.raises(HostError) as caught:
        yield
    error = caught.value
    assert (error.code, {**error.values, **values}) == (code, error.values)
