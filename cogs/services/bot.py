"""The interface between the bot's client and its cogs, the modules with its commands and buttons.

Cogs see the client as :class:`BotServices`, so that they need not import the module that imports all of them. An
*operation* is what a button, list or modal does; its :class:`Handler` says how to acknowledge the interaction and which
function to run.
"""

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
    """The bot's client as the cogs see it; ``cogs/client.py`` implements it and sets the attributes."""

    host: Host
    render_pool: RenderPool
    pace: Throttle
    press_limiter: PressRateLimiter
    answering: Answering
    plans: Plans
    waiting_panels: WaitingPanels
    open_panels: OpenPanels
    lookups: Lookups
    publisher: CardPublisher
    presenters: Mapping[str, Presenter[Any]]
    """The texts and panels of each game, by the game's name in :data:`engine.GAMES`."""
    handlers: Mapping[Operation, Handler]
    """The handlers of all operations."""
    table_in_channel: bool
    """True if games are always played in the channel, without a thread."""
    guild_id: int | None
    """The only server in which commands are registered; None for all servers."""
    lobby_edits: WeakValueDictionary[int, asyncio.Lock]
    """Locks by lobby id, held while the message of a lobby is edited, so that the newest state is shown last."""
    meeting_edits: WeakValueDictionary[int, asyncio.Lock]
    """Locks by appointment id, held while an answer is stored and shown."""
    event_edits: WeakValueDictionary[str, asyncio.Lock]
    """Locks by event code, held while the message of an event is edited."""
    lesson_starts: WeakValueDictionary[int, asyncio.Lock]
    """Locks by user id, held while a lesson is begun, so that a double press begins one."""

    def serves(self, guild_id: int) -> bool:
        """Return whether this process receives the events of a server; it caches no other servers."""
        shards = self.host.processes.overlap.wanted
        return shards is None or shards.covers(guild_id)

    @abstractmethod
    def run_in_background(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Start a task that nobody waits for; it is cancelled when the bot is closed."""


Interaction: TypeAlias = discord.Interaction[BotServices]
"""An interaction with this bot."""


class Ack(Enum):
    """The ways to acknowledge an interaction before any work starts, as Discord requires within three seconds."""

    PANEL = auto()
    """Announce a new private message."""
    UPDATE = auto()
    """Keep the message with the button, which may be edited later."""
    MODAL = auto()
    """Send nothing yet: the answer is a modal, a dialog with fields, which has to be the first response."""


class Handler(NamedTuple):
    """The handler of an operation: the way to acknowledge its interaction, and the function to run then."""

    ack: Ack
    run: Callable[[Interaction, Key], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOverride:
    """A setting of a player that can have another value in a single game."""

    values: Sequence[str]
    label_of: Callable[[str], str]
    """Returns the label of a value."""
    choose: Callable[[Interaction, Game, str], Awaitable[None]]
    """Stores a value for a game, and shows the result."""


def merge_handlers(
    *tables: Mapping[Op, Handler] | Mapping[OwnOp, Handler] | Mapping[Operation, Handler],
) -> dict[Operation, Handler]:
    """Merge several tables of handlers into one."""
    return {op: handler for table in tables for op, handler in table.items()}


class CardPublisher(Protocol):
    """The publisher that sends the cards of games, as the cogs use it; ``cogs/background`` implements it."""

    def wake(self) -> None:
        """Send messages that may have become due."""

    def move_made(self, outcome: Consequence) -> None:
        """Send the card of a move that was just made."""

    def try_again(self, *, place_id: int | None = None, guild_id: int | None = None) -> None:
        """Retry posts that a place or server refused."""

    def check_for_restore(self, game: Game) -> None:
        """Check whether the database was restored from a backup, because a button is ahead of it."""

    async def show_again(self, game: Game, *, before: int | None = None) -> None:
        """Post a copy of the newest card of a game, which was in the place ``before`` until now."""
