"""A table on simcord: an offline Discord, the real bot on a database file, and members as test clients.

Simcord is a Discord within this process; its clock stands still. `Table` finds the newest card, presses buttons for a
member, and can restart the bot on the same database.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from discord.ext import commands, tasks
from simcord.backend.models import Message

from cogs import tree
from cogs.client import CastellanBot
from cogs.presenting.ids import Key, Op
from cogs.texts.languages import offered_languages
from host import Host, HostSettings
from tests.e2e import message_log
from tests.e2e.player import Shown
from tests.e2e.screen import buttons, localized
from tests.e2e.stored_games import StoredGame, read_stored_game
from tests.store.empty_database import open_store

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
"""Display names of the members."""
SETTLE_SECONDS = 60.0
"""Timeout for everything that one click causes; generous, since pictures are drawn on a busy machine."""


class PatientEnv(simcord.Env):
    """The offline Discord with a longer timeout for the start of a bot, for which simcord allows five seconds."""

    def __init__(self, bot: commands.Bot) -> None:
        super().__init__(bot, shard_count=1, settle_timeout=SETTLE_SECONDS)

    async def _settle_internal(self, *, timeout: float | None = None, **options: Any) -> None:  # noqa: ASYNC109
        """Wait until the bot is idle, longer than simcord does by itself."""
        await super()._settle_internal(timeout=None if timeout is None else max(timeout, SETTLE_SECONDS), **options)

    async def begin(self, bot: CastellanBot) -> None:
        """Start the bot; from the second one of this process on, Discord knows its commands already.

        Translating and comparing the commands takes longer than most tests.
        """
        languages = _language_codes()
        with _known_commands(languages) as known_commands:
            if known_commands is not None:
                self.backend.commands[None] = known_commands
            await self.start()
            await stop_background_tasks(self, bot)
        _COMMANDS.setdefault(languages, self.backend.commands[None])
        _COMMAND_IDS.update(bot.tree.command_ids)

    async def restart_bot(self, bot: discord.Client | None = None) -> None:
        """Replace the bot by another one; Discord knows its commands, as in `begin`."""
        with _known_commands(_language_codes()):
            await super().restart_bot(bot)


_COMMANDS: dict[tuple[str, ...], Any] = {}
"""The registered commands, by the languages that were offered then."""
_COMMAND_IDS: dict[str, int] = {}


def _language_codes() -> tuple[str, ...]:
    """Return the codes of the offered languages."""
    return tuple(language.code for language in offered_languages())


@contextmanager
def _known_commands(languages: tuple[str, ...]) -> Iterator[Any]:
    """Yield the commands that an earlier start registered in these languages, or None; skip comparing them."""
    commands = _COMMANDS.get(languages)
    with pytest.MonkeyPatch.context() as patch:
        if commands is not None:
            patch.setattr(tree, "same_commands", _assume_registered)
        yield commands


async def _assume_registered(registered: tree.RegisteredTree, _: object) -> bool:
    """Take the commands as registered, with the ids of the first bot."""
    registered.command_ids = _COMMAND_IDS
    return True


async def build_bot(database: Path, seed: str = "", **settings: Any) -> CastellanBot:
    """Build the bot as `bot.build_bot` does, with a fixed seed for every game (a random one if empty)."""
    store = await open_store(database)
    if seed:
        settings["new_seed"] = lambda: seed
    host = Host(store, settings=HostSettings(**{"publish_window": timedelta(0), "usual_pace": "none"} | settings))
    await host.start()
    bot = CastellanBot(host)
    bot.at_close.push_async_callback(store.close)
    bot.at_close.push_async_callback(host.close)
    return bot


async def stop_background_tasks(env: simcord.Env, bot: CastellanBot) -> None:
    """Cancel the bot's periodic tasks after their first run.

    The clock stands still in simcord, so they would never run again; but each press would check whether they wait.
    """
    await env.settle()
    for component in (bot.publisher, bot.event_publisher, bot.cleanup, bot.heartbeat, bot.sweeper):
        for loop in vars(component).values():
            if isinstance(loop, tasks.Loop):
                loop.cancel()
    await env.settle()


async def close_bot(bot: CastellanBot) -> None:
    """Close the resources of a bot that simcord does not close."""
    bot.render_pool.close()
    await bot.at_close.aclose()


@dataclass
class Table:
    """One channel with members and the thread of their game; implements `Client`, a player's Discord client."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    members: dict[int, simcord.MemberActor]
    database: Path
    seed: str
    bot: CastellanBot
    settings: Mapping[str, Any]
    """The settings of the host."""
    users: Sequence[simcord.UserHandle] = ()
    """The users behind the members; they may join other servers, too."""
    place: simcord.ChannelHandle = field(init=False)
    """The channel or thread that holds the cards of the game."""

    @property
    def actors(self) -> list[simcord.MemberActor]:
        """The members in the order in which they joined the server."""
        return list(self.members.values())

    def name_of(self, actor: simcord.MemberActor) -> str:
        """Return the display name of a member."""
        user = self.env.backend.get_user(actor.id)
        return user.global_name or user.name

    # -- the client of a player --------------------------------------------------------------------------------

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Press a button."""
        return self.shown(await self.members[member].click(shown.handle, custom_id=custom_id))

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Submit a modal."""
        return self.shown(await self.members[member].submit_modal(shown.handle, values))

    async def turn_off_confirming(self, member: int) -> None:
        """Choose, in the member's settings, that moves need no confirmation."""
        preferences = self.bot.host.preferences
        await preferences.set(member, replace(await preferences.get(member), confirm=False))

    @staticmethod
    def shown(result: simcord.InteractionResult) -> Shown:
        """Return the modal that an interaction opened, else the last follow-up, else the first response."""
        if result.modal is not None:
            return Shown(result, result.modal["components"], modal=True)
        message = result.followups[-1] if result.followups else result.response
        assert message is not None, "the interaction has no answer"
        return Shown(message, message.components)

    # -- the game ----------------------------------------------------------------------------------------------

    async def start(self, players: int, *, further: Sequence[str] = (), **options: Any) -> None:
        """Open a lobby, let the members join, start; add ``further`` expansions by the buttons of its panel."""
        first, *others = self.actors[:players]
        await first.slash(self.channel, "carc new", players=players, **options)
        lobby = self.channel.last_message
        assert lobby is not None
        for box in further:
            panel = self.shown(await first.click(lobby, label=localized("button.ruling")))
            await self.press(first.id, panel, str(Key(Op.CHANGE, "1", 0, f"boxes box {box}")))
        for actor in others:
            await actor.click(lobby, label=localized("button.join"))
        await first.click(lobby, label=localized("button.start"))
        self.place = self.channel.threads[-1]

    def cards(self) -> list[Shown]:
        """Return all public messages of the game, oldest first."""
        return [Shown(simcord.ResponseMessage(self.env, card), card.components) for card in self._newest_first()][::-1]

    def card(self) -> Shown:
        """Return the newest card."""
        newest = next(self._newest_first())
        return Shown(simcord.ResponseMessage(self.env, newest), newest.components)

    @property
    def card_count(self) -> int:
        """The number of public messages of the game."""
        return sum(1 for _ in self._newest_first())

    def _newest_first(self) -> Iterator[Message]:
        """Yield the public messages of the game, newest first."""
        stored = self.env.backend.messages.get(self.place.id, {}).values()
        return (message for message in reversed(stored) if message.components and message.visible_to(None))

    @property
    def over(self) -> bool:
        """True if the newest card is the final one."""
        return any(button.key.op is Op.REMATCH for button in buttons(self.card().components))

    async def restart(self) -> None:
        """Replace the bot by a new one on the same database, as a restart does."""
        await self.env.settle()
        old, self.bot = self.bot, await build_bot(self.database, self.seed, **self.settings)
        await self.env.restart_bot(self.bot)
        await stop_background_tasks(self.env, self.bot)
        await close_bot(old)

    # -- the database ------------------------------------------------------------------------------------------

    def stored(self) -> StoredGame:
        """Read the newest game from the database, without the bot."""
        return read_stored_game(self.database)


@asynccontextmanager
async def open_table(
    database: Path, *, seed: str = "", names: Sequence[str] = NAMES, **settings: Any
) -> AsyncIterator[Table]:
    """Yield a channel with these members and the bot, without games; ``settings`` are those of the host."""
    bot = await build_bot(database, seed, **settings)
    env = PatientEnv(bot)
    await env.begin(bot)
    message_log.watch(env.backend)
    guild = env.create_guild("The Village")
    channel = guild.create_text_channel("carcassonne")
    users = [env.create_user(f"member{number}", global_name=name) for number, name in enumerate(names)]
    actors = [guild.add_member(user) for user in users]
    table = Table(env, channel, {actor.id: actor for actor in actors}, database, seed, bot, settings, users)
    try:
        yield table
    finally:
        await env.shutdown()
        await close_bot(table.bot)
    env.raise_errors()


def make_manager(table: Table) -> simcord.MemberActor:
    """Give the last member a role that may manage threads, and so the server's games; return the member."""
    return give_role(table, 5, discord.Permissions(manage_threads=True))


def give_role(
    table: Table, number: int, permissions: discord.Permissions | None = None, name: str = "Moderators"
) -> simcord.MemberActor:
    """Create a role, give it to a member, and return the member."""
    guild = table.channel.guild
    assert guild is not None
    role = guild.create_role(name, permissions=permissions)
    table.env.backend.add_member_role(guild.id, table.actors[number].id, role.id)
    return table.actors[number]


async def wait_until_posted(table: Table) -> None:
    """Wait until the publisher has posted all due posts."""
    if table.bot.publisher.queue.worker is not None:
        await table.bot.publisher.queue.worker
    await table.env.settle()
