"""Games that the host has played alone, and the panels in which somebody goes through them."""

from __future__ import annotations

import itertools
import re
from random import Random
from typing import Any

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.panels.stepping import Stops, stops_of
from cogs.presenting.ids import Op
from cogs.texts import t
from engine import GAMES, Position, Resign
from engine.selfplay import random_action
from host import Game, NewLobby, Person
from tests.e2e.fast_forward import mark_posts_sent
from tests.e2e.player import Shown
from tests.e2e.screen import buttons, words
from tests.e2e.table import Table

SEED = "not to be told"
interactions = itertools.count(1)
"""Ids of interactions, each another."""
ALL_GAMES = pytest.mark.parametrize("name", GAMES)


async def played(table: Table, name: str, plies: int, *, over: bool = False) -> tuple[Game, Position]:
    """A game of two in the channel, played by the host alone for so many actions; its true position.

    ``over``: then one of the two leaves.
    """
    host, people = table.bot.host, [Person(actor.id, table.name_of(actor)) for actor in table.actors[:2]]
    guild = table.channel.guild
    assert guild is not None
    new = NewLobby(
        guild_id=guild.id,
        channel_id=table.channel.id,
        owner=people[0],
        game=name,
        capacity=2,
        expansions=GAMES[name].expansions,
        options={},
    )
    lobby = await host.lobbies.open(new, next(interactions))
    await host.lobbies.join(lobby.id, people[1], next(interactions))
    game = await host.lobbies.start(lobby.id, people[0].user_id, next(interactions))
    position, random = (await host.games.table(game.id)).position, Random(name)
    while position.ply < plies:
        ply, seat = position.ply, position.player
        action = random_action(position, random)
        position.apply(action)
        await host.moves.act(game.id, game.seats[seat].user_id, ply, [action], next(interactions))
        await mark_posts_sent(host)
    if over:
        await host.moves.resign(game.id, game.seats[0].user_id, next(interactions))
        position.apply(Resign(0))
        await mark_posts_sent(host)
    return await host.games.get(game.id), position


async def slash(table: Table, command: str, *, member: int = 0, **options: Any) -> Shown:
    """The private answer to a command."""
    result = await table.actors[member].slash(table.channel, f"carc {command}", **options)
    assert result.response is not None
    assert result.response.ephemeral
    return Shown(result.response, result.response.components)


async def step(table: Table, shown: Shown, way: str, *, member: int = 0) -> Shown:
    """Press one of the four buttons; the same message afterwards."""
    ids = [button.custom_id for button in buttons(shown.components) if button.key.argument == way]
    assert len(ids) == 1, way
    await table.actors[member].click(shown.handle, custom_id=ids[0])
    return now(table, shown)


def now(table: Table, shown: Shown) -> Shown:
    """A message as it is by now."""
    return Shown(shown.handle, table.env.backend.get_message(shown.handle.channel_id, shown.handle.id).components)


def attached(table: Table, shown: Shown) -> dict[str, bytes]:
    """The files of a message by name."""
    stored = table.env.backend.get_message(shown.handle.channel_id, shown.handle.id)
    found = {entry["filename"]: table.env.backend.cdn.get(entry["url"]) for entry in stored.attachments}
    return {name: data for name, data in found.items() if data is not None}


def move_of(shown: Shown) -> int:
    """The number of the move that a panel says that it shows, and that it is none beyond the last; 0 the beginning."""
    said = words(shown.components)
    if "The beginning · " in said:
        return 0
    found = re.search(t("step.at", number=r"(\d+)", last=r"(\d+)", turn=r"\d+"), said)
    assert found, said
    assert int(found[1]) <= int(found[2])
    return int(found[1])


async def moves(table: Table, game: Game) -> Stops:
    """Where one can stop in a game as it is by now."""
    stored = await table.bot.host.games.table(game.id)
    actions = [entry.action for entry in stored.log]
    return stops_of(PRESENTERS[stored.position.setup.game], stored.position.setup, actions)


def enabled(shown: Shown) -> set[str]:
    """Which of the four buttons can be pressed."""
    return {button.key.argument for button in buttons(shown.components) if button.key.op in {Op.STEP, Op.RECORD}}
