"""The interface of the client to its cogs, the type of its interactions, and the handlers of operations."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple, Protocol, TypeAlias
from weakref import WeakValueDictionary

import discord
from discord.ext import commands

from cogs.presenting.ids import Key, Op, Operation, OwnOp
from cogs.presenting.presenter import Presenter
from cogs.services.lookups import Lookups
from cogs.services.rate_limits import PressRateLimiter, Throttle
from cogs.services.render_pool import RenderPool
from cogs.services.sessions import Answering, OpenPanels, Plans, WaitingPanels
from host import Consequence, Game, Host


class BotServices(commands.AutoShardedBot):
    """The client's services as every cog reaches them by ``interaction.client``; ``CastellanBot`` provides them."""

    host: Host
    render_pool: RenderPool
    pace: Throttle
    press_limiter: PressRateLimiter
    answering: Answering
    plans: Plans
    waiting_panels: WaitingPanels
    open_panels: OpenPanels
    lookups: Lookups
    publisher: Posting
    presenters: Mapping[str, Presenter[Any]]
    """The presenters by game, with the names of :data:`engine.GAMES`."""
    handlers: Mapping[Operation, Handler]
    table_in_channel: bool
    """True if games are always played in the channel, without a thread."""
    guild_id: int | None
    """The only server in which commands are registered; None for all servers."""
    lobby_edits: WeakValueDictionary[int, asyncio.Lock]
    """Locks by lobby id, held while a lobby card is redrawn, so that the newest state is drawn last."""
    event_edits: WeakValueDictionary[str, asyncio.Lock]
    """Locks by event code, held while the card of an event is redrawn."""

    def serves(self, guild_id: int) -> bool:
        """Return whether this process receives the events of a server; its cache has no other servers."""
        shards = self.host.processes.overlap.wanted
        return shards is None or shards.covers(guild_id)

    @abstractmethod
    def run_in_background(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Start a task that no caller awaits; it is cancelled when the bot is closed."""


Interaction: TypeAlias = discord.Interaction[BotServices]
"""An interaction with this bot."""


class Ack(Enum):
    """Ways to acknowledge an interaction before any work starts."""

    PANEL = auto()
    """A new private message will follow."""
    UPDATE = auto()
    """The message with the button stays and may be edited."""
    MODAL = auto()
    """Without acknowledgement: the answer is a modal, which has to be the first response."""


class Handler(NamedTuple):
    """The handler of an operation: how its interaction is acknowledged, and the function to run then."""

    ack: Ack
    run: Callable[[Interaction, Key], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class InOneGame:
    """A setting of a player that can be overridden in a single game."""

    values: Sequence[str]
    called: Callable[[str], str]
    """Returns the label of a value."""
    choose: Callable[[Interaction, Game, str], Awaitable[None]]
    """Stores a value for a game, and shows the result."""


def merged(
    *tables: Mapping[Op, Handler] | Mapping[OwnOp, Handler] | Mapping[Operation, Handler],
) -> dict[Operation, Handler]:
    """Return several tables of handlers as one."""
    return {op: handler for table in tables for op, handler in table.items()}


class Posting(Protocol):
    """The publisher of cards, as cogs use it."""

    def wake(self) -> None:
        """Post what may have become due."""

    def move_made(self, outcome: Consequence) -> None:
        """Post the card of a move that was made."""

    def try_again(self, *, place_id: int | None = None, guild_id: int | None = None) -> None:
        """Retry posts that a place or server refused."""

    def check_for_restore(self, game: Game) -> None:
        """Check whether the database was restored, because a button is ahead of it."""

    async def show_again(self, game: Game, *, before: int | None = None) -> None:
        """Post a copy of the newest card of a game."""
