"""An example event in the preview: a small cup that all members have entered, with its first round drawn.

An *event* is a tournament. It is opened by the commands that an organiser and the players would use.
"""

from __future__ import annotations

import asyncio
import re
from typing import Final

from simcord import MemberActor

from cogs.client import CastellanBot
from preview.world import World

EVENT_NAME: Final = "Village Cup"
EVENT_PROFILE: Final = "multiplayer-swiss"
"""A profile whose rounds are drawn one after the other."""
EVENT_SETTINGS: Final = (("rounds", "2"), ("pace", "standard"))
"""The settings that differ from the profile: few rounds, and a pace at which one person can play for six."""
GAME_WAIT_SECONDS: Final = 0.5
"""The seconds between two looks whether the games of the round are open; the bot opens one after the other."""
OPENING_TIMEOUT_SECONDS: Final = 60.0
_CODE: Final = re.compile(r"`([A-Z0-9]{4})`")
"""The code of an event, as it stands behind its name."""


async def open_example_event(bot: CastellanBot, world: World) -> None:
    """Open the example event, unless an event of an earlier run is still going on; wait until its games are open.

    Raises:
        TimeoutError: the games were not opened in time.
    """
    reader, organiser = bot.host.events.reader, world.members[0]
    if await reader.unfinished(world.guild.id):
        return
    code = _code_in(await _send(world, organiser, "create", name=EVENT_NAME, profile=EVENT_PROFILE))
    for setting, value in EVENT_SETTINGS:
        await _send(world, organiser, "manage set", what=setting, value=value, event=code)
    await _send(world, organiser, "manage do", what="announce", event=code)
    for member in world.members:
        await _send(world, member, "join", event=code)
    await _send(world, organiser, "manage do", what="start", event=code)
    async with asyncio.timeout(OPENING_TIMEOUT_SECONDS):
        while not await _all_play(bot, world):
            await asyncio.sleep(GAME_WAIT_SECONDS)
            await world.env.settle()


async def _all_play(bot: CastellanBot, world: World) -> bool:
    """Return whether each member has a game in a thread."""
    threads = {thread.id for thread in world.channel.threads}
    for member in world.members:
        games = [await bot.host.games.get(line.id) for line in await bot.host.game_lists.of_user(member.id)]
        if not any(game.place in threads for game in games):
            return False
    return True


async def _send(world: World, member: MemberActor, command: str, **options: str) -> str:
    """Let a member send a ``/tourney`` command in the channel; return the components of the private answer.

    The answer is dismissed, so that the channel shows what is public.
    """
    answer = (await member.slash(world.channel, f"tourney {command}", **options)).response
    if answer is None:
        return ""
    components = str(answer.components)
    world.env.backend.delete_message(world.channel.id, answer.id)
    return components


def _code_in(answer: str) -> str:
    """Return the code of the event that an answer names.

    Raises:
        ValueError: it names none.
    """
    codes = _CODE.findall(answer)
    if not codes:
        raise ValueError(answer)
    return str(codes[0])
