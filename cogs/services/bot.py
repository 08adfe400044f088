"""The type of an interaction, and what cogs may ask of the client that it comes from."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias
from weakref import WeakValueDictionary

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from cogs.presenting.ids import Key, Op, Operation, OwnOp
    from cogs.presenting.presenter import Presenter
    from cogs.services.lookups import Lookups
    from cogs.services.rate_limits import PressRateLimiter, Throttle
    from cogs.services.render_pool import RenderPool
    from cogs.services.sessions import Answering, Plans, WaitingPanels
    from host import Consequence, Game, Host


class BotServices(commands.AutoShardedBot):
    """discord.py's client with what every cog finds in ``interaction.client``; ``CastellanBot`` fills it."""

    host: Host
    render_pool: RenderPool
    pace: Throttle
    press_limiter: PressRateLimiter
    answering: Answering
    plans: Plans
    waiting_panels: WaitingPanels
    lookups: Lookups
    publisher: Posting
    presenters: Mapping[str, Presenter[Any]]
    """By the names of :data:`engine.GAMES`."""
    handlers: Mapping[Operation, Handler]
    table_in_channel: bool
    guild_id: int | None
    """Where commands are registered; everywhere when None."""
    lobby_edits: WeakValueDictionary[int, asyncio.Lock]
    """Held while a lobby card is redrawn, so that the newest state is what stays."""
    event_edits: WeakValueDictionary[str, asyncio.Lock]
    """The same for the cards of events, by their codes."""

    def hears(self, guild_id: int) -> bool:
        """Whether what happens in a server comes to this process: of all others its cache knows nothing."""
        shards = self.host.crew.overlap.wanted
        return shards is None or shards.look_after(guild_id)

    @abstractmethod
    def beside(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Do something beside everything else; given up when the bot is closed."""


Interaction: TypeAlias = discord.Interaction[BotServices]
"""An interaction with this bot."""


class Ack(Enum):
    """How an interaction is acknowledged before any work begins."""

    PANEL = auto()
    """A new private message will follow."""
    UPDATE = auto()
    """The message with the button stays, and may be edited."""
    MODAL = auto()
    """Not at all: the answer is a modal, which has to be the first response."""


class Handler(NamedTuple):
    """What an operation does: how it is acknowledged, and what runs then."""

    ack: Ack
    run: Callable[[Interaction, Key], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class InOneGame:
    """A setting that may be another matter in one game."""

    values: Sequence[str]
    called: Callable[[str], str]
    """What such a value is called."""
    choose: Callable[[Interaction, Game, str], Awaitable[None]]
    """Keeps one for a game, and shows what holds there."""


def together(
    *tables: Mapping[Op, Handler] | Mapping[OwnOp, Handler] | Mapping[Operation, Handler],
) -> dict[Operation, Handler]:
    """Several tables of what operations do as one."""
    return {op: handler for table in tables for op, handler in table.items()}


class Posting(Protocol):
    """What a cog may ask of whoever posts the cards."""

    def wake(self) -> None:
        """Something new may be due."""

    def move_made(self, outcome: Consequence) -> None:
        """A game went on: its newest card is due."""

    def try_again(self, *, place_id: int | None = None, guild_id: int | None = None) -> None:
        """What a place or server refused may be allowed now."""

    def check_for_restore(self, game: Game) -> None:
        """Somebody holds a card of a move that the game does not know."""

    async def show_again(self, game: Game, *, before: int | None = None) -> None:
        """Post the newest card of a game once more."""
