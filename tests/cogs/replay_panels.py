"""Games played through the host alone, and helpers for the panel that steps through them.

The panel shows the board after one move, and has four buttons: "first", "back", "on" and "last".
"""

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

HIDDEN_SEED = "not to be told"
"""The seed of the games, which no panel may show."""
interaction_ids = itertools.count(1)
"""Distinct ids of interactions."""
ALL_GAMES = pytest.mark.parametrize("name", GAMES)
"""Runs a test once for each game."""


async def play_game(table: Table, name: str, plies: int, *, finished: bool = False) -> tuple[Game, Position]:
    """Return a game of two in the channel after this many random actions, and its complete position.

    If `finished` is set, the first player then resigns.
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
    lobby = await host.lobbies.open(new, next(interaction_ids))
    await host.lobbies.join(lobby.id, people[1], next(interaction_ids))
    game = await host.lobbies.start(lobby.id, people[0].user_id, next(interaction_ids))
    position, rng = (await host.games.table(game.id)).position, Random(name)
    while position.ply < plies:
        ply, seat = position.ply, position.player
        action = random_action(position, rng)
        position.apply(action)
        await host.moves.act(game.id, game.seats[seat].user_id, ply, [action], next(interaction_ids))
        await mark_posts_sent(host)
    if finished:
        await host.moves.resign(game.id, game.seats[0].user_id, next(interaction_ids))
        position.apply(Resign(0))
        await mark_posts_sent(host)
    return await host.games.get(game.id), position


async def run_command(table: Table, command: str, *, member: int = 0, **options: Any) -> Shown:
    """Run a ``/carc`` command and return its private answer."""
    result = await table.actors[member].slash(table.channel, f"carc {command}", **options)
    assert result.response is not None
    assert result.response.ephemeral
    return Shown(result.response, result.response.components)


async def press_step(table: Table, message: Shown, direction: str, *, member: int = 0) -> Shown:
    """Press one of the four buttons and return the message as it is afterwards."""
    ids = [button.custom_id for button in buttons(message.components) if button.key.argument == direction]
    assert len(ids) == 1, direction
    await table.actors[member].click(message.handle, custom_id=ids[0])
    return refreshed(table, message)


def refreshed(table: Table, message: Shown) -> Shown:
    """Return the current state of a message."""
    return Shown(message.handle, table.env.backend.get_message(message.handle.channel_id, message.handle.id).components)


def attached_files(table: Table, message: Shown) -> dict[str, bytes]:
    """Return the files attached to a message, by name."""
    stored = table.env.backend.get_message(message.handle.channel_id, message.handle.id)
    files = {entry["filename"]: table.env.backend.cdn.get(entry["url"]) for entry in stored.attachments}
    return {name: data for name, data in files.items() if data is not None}


def displayed_move(message: Shown) -> int:
    """Return the number of the displayed move, 0 for the beginning; assert that it is at most the last one."""
    text = words(message.components)
    if "The beginning · " in text:
        return 0
    match = re.search(t("step.at", number=r"(\d+)", last=r"(\d+)", turn=r"\d+"), text)
    assert match, text
    assert int(match[1]) <= int(match[2])
    return int(match[1])


async def replay_stops(table: Table, game: Game) -> Stops:
    """Return the positions at which a replay of the game can stop."""
    stored = await table.bot.host.games.table(game.id)
    actions = [entry.action for entry in stored.log]
    return stops_of(PRESENTERS[stored.position.setup.game], stored.position.setup, actions)


def enabled_buttons(message: Shown) -> set[str]:
    """Return which of the four buttons can be pressed."""
    return {button.key.argument for button in buttons(message.components) if button.key.op in {Op.STEP, Op.RECORD}}
