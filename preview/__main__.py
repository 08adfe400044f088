"""`python -m preview`: play in the browser, without a token."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import replace
from typing import Final

from bot import Settings, build_bot
from preview.again import show_games_again
from preview.world import MEMBER_NAMES, answer_quickly, offline_discord

DEFAULT_DATABASE: Final = "castellan-preview.sqlite3"

INVITATION: Final = """
The offline Discord is ready. Open this address in a browser on this machine:

    {url}

Type /carc new in the channel, then switch between {members} under "Viewing as" and play.
Ctrl+C ends it; games are kept in {database} and go on at the next start.
"""


async def play() -> None:
    """Serve the bot on an offline Discord until the page is closed or this task is cancelled.

    Games are kept in `CASTELLAN_PREVIEW_DATABASE`, never in the real bot's file;
    `CASTELLAN_PREVIEW_PORT` fixes the port.
    """
    database = os.environ.get("CASTELLAN_PREVIEW_DATABASE", DEFAULT_DATABASE)
    os.environ["CASTELLAN_DATABASE"] = database  # the environment goes before .env
    settings = replace(Settings.from_env(), table_in_channel=True)
    port = int(os.environ.get("CASTELLAN_PREVIEW_PORT", "0"))
    answer_quickly()
    bot = await build_bot(settings)
    bot.atelier.warm_up()
    async with offline_discord(bot) as world, world.page(port=port) as page:
        await show_games_again(bot, world)
        members = ", ".join(MEMBER_NAMES[:-1]) + f" and {MEMBER_NAMES[-1]}"
        print(INVITATION.format(url=page.url, members=members, database=database), flush=True)
        await page.wait_closed()


async def _until_terminated() -> None:
    """Play; SIGTERM ends it as cleanly as Ctrl+C does."""
    playing = asyncio.create_task(play())
    with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in its event loop
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await playing


def main() -> None:
    """Run the offline Discord until it is ended."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_until_terminated())


if __name__ == "__main__":
    main()
