"""The offline Discord of the preview: a server in memory with one channel, its threads, six members and the bot.

Every run creates it with the same ids, so that stored games continue.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, cast

import discord
import simcord
from discord.ext import commands
from simcord import _settlement

from preview.pictures import trust_pictures
from preview.present import follow_present
from preview.threads import ThreadedPreview

BOT_NAME: Final = "Castellan"
GUILD_NAME: Final = "The Village"
CHANNEL_NAME: Final = "carcassonne"
CHANNEL_TOPIC: Final = "Type /carc new, then take the seats of Ana, Ben and the others in turn under «Viewing as»"
MEMBER_NAMES: Final = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
"""The members: as many as can sit at a table, and more than the smallest event needs."""
MANAGER_ROLE: Final = "Organisers"
"""The role of the first member, who may manage the server: create events, change settings, close tables."""

# Timeout for everything that one click causes, including pictures; generous for slow machines.
CLICK_TIMEOUT_SECONDS: Final = 120.0
# Interval at which simcord checks whether the bot has settled; its default of 50 ms would be noticeable in every click.
SETTLE_POLL_SECONDS: Final = 0.002
# A click waits for timers of the bot that are due within this time; the page shows what later ones bring by itself.
TIMER_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class World:
    """The offline Discord with its channel and its members."""

    env: simcord.Env
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    members: tuple[simcord.MemberActor, ...]

    def page(self, *, port: int = 0) -> ThreadedPreview:
        """Return a web page that shows the channel and its threads to all members; port 0 selects any free port."""
        page = ThreadedPreview(self.env, self.guild, self.channel, self.members, port=port)
        trust_pictures(page)
        return page


@asynccontextmanager
async def offline_discord(
    bot: commands.Bot | commands.AutoShardedBot, prepare: Callable[[World], Awaitable[None]] | None = None
) -> AsyncIterator[World]:
    """Connect the bot to a new offline Discord within the block; close both at the end.

    ``prepare`` adds to the offline Discord what has to be there before the bot connects.
    """
    shard_count = 1 if isinstance(bot, discord.AutoShardedClient) else None
    env = simcord.Env(bot, shard_count=shard_count, check_errors=False, settle_timeout=CLICK_TIMEOUT_SECONDS)
    world = _populate(env)
    follow_present(env)
    try:
        if prepare is not None:
            await prepare(world)
        await env.start()
        with env.time_context():
            yield world
    finally:
        await bot.close()
        await env.shutdown()


def _populate(env: simcord.Env) -> World:
    """Create server and members while the clock stands still, so that ids stay the same and stored games continue."""
    env.backend.bot_user.name = BOT_NAME
    guild = env.create_guild(GUILD_NAME)
    channel = guild.create_text_channel(CHANNEL_NAME, topic=CHANNEL_TOPIC)
    users = [env.create_user(name.lower(), global_name=name) for name in MEMBER_NAMES]
    members = tuple(guild.add_member(user) for user in users)
    role = guild.create_role(MANAGER_ROLE, permissions=discord.Permissions(manage_threads=True))
    env.backend.add_member_role(guild.id, members[0].id, role.id)
    return World(env, guild, channel, members)


def answer_quickly() -> None:
    """Let simcord check more often whether the bot has settled after a click, and wait for no timer that is due later.

    Of itself it waits for all that are due within the click's timeout: a click more than a minute after a computer's
    decision was answered when the computer's process had rested for three.
    """
    defaults = cast("dict[str, float]", simcord.Env._settle_internal.__kwdefaults__)
    defaults["idle"] = SETTLE_POLL_SECONDS
    for name in ("_is_parked", "_callback_is_parked"):
        setattr(simcord.env, name, _looking_ahead(getattr(_settlement, name)))


def _looking_ahead(is_parked: Callable[[_settlement._SettlementState, object, float], bool]) -> Callable[..., bool]:
    """Return a function that takes timers for parked if they are due later than :data:`TIMER_SECONDS` from now."""

    def is_parked_soon(state: _settlement._SettlementState, work: object, deadline: float) -> bool:
        return is_parked(state, work, min(deadline, asyncio.get_running_loop().time() + TIMER_SECONDS))

    return is_parked_soon
