"""``python -m preview``: play in a browser, without a Discord token, until Ctrl+C.

Games are stored in a database file of their own and continue at the next start; the offline Discord begins anew. With
``--event`` there is an example event, which all members have entered.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
from functools import partial
from typing import Final

from simcord import Preview
from simcord.backend.errors import SetupError

from bot import build_bot
from cogs.texts import LANGUAGE
from operations.logs import start_logging
from operations.settings import Settings, SettingsError, unknown_variables
from preview.example_event import open_example_event
from preview.language import enable_language, set_language
from preview.repost import reopen_threads, repost_cards
from preview.world import MEMBER_NAMES, answer_quickly, offline_discord

log = logging.getLogger("castellan")

INVITATION: Final = """
The offline Discord is ready. Open this address in a browser on this machine:

    {url}

Type /carc new in the channel, then switch between {members} under "Viewing as" and play.
Each game has a thread, which you open beside "Viewing as", or by its link.
Ctrl+C ends it; games are kept in {database} and continue at the next start.
"""


async def play(*, with_event: bool = False) -> None:
    """Serve the bot on an offline Discord until the page is closed or this task is cancelled.

    With ``with_event`` there is an example event in it.

    Games are stored in `CASTELLAN_PREVIEW_DATABASE`, never in the real bot's database; `CASTELLAN_PREVIEW_PORT` sets
    the port.
    """
    settings = Settings.from_env().for_preview()
    start_logging(settings)
    for line in unknown_variables():
        log.warning(line)
    answer_quickly()
    language = enable_language(settings.preview_language or LANGUAGE)
    bot = await build_bot(settings)
    bot.render_pool.warm_up()
    async with offline_discord(bot, partial(reopen_threads, bot)) as world, contextlib.AsyncExitStack() as stack:
        page = await _open_page(stack, world.page(port=settings.preview_port), settings.preview_port)
        if settings.preview_language:
            set_language(bot.host, (member.id for member in world.members), language)
        await repost_cards(bot, world)
        if with_event:
            await open_example_event(bot, world)
        members = ", ".join(MEMBER_NAMES[:-1]) + f" and {MEMBER_NAMES[-1]}"
        print(INVITATION.format(url=page.url, members=members, database=settings.database), flush=True)
        await page.wait_closed()


async def _open_page(stack: contextlib.AsyncExitStack, page: Preview, port: int) -> Preview:
    """Serve the page until the stack is closed.

    Raises:
        SettingsError: another program uses the port.
    """
    try:
        return await stack.enter_async_context(page)
    except SetupError as error:
        advice = "leave it empty for any free one"
        raise SettingsError(f"CASTELLAN_PREVIEW_PORT: {port} cannot be used ({error}); {advice}") from error


async def _until_terminated(*, with_event: bool) -> None:
    """Run the preview until Ctrl+C or SIGTERM ends it; after both it closes its files and connections."""
    playing = asyncio.create_task(play(with_event=with_event))
    with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in its event loop
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await playing


def main() -> None:
    """Run the offline Discord until it is ended."""
    parser = argparse.ArgumentParser(prog="python -m preview", description="The bot on an offline Discord.")
    parser.add_argument(
        "--event", action="store_true", help="with an example event: six players, the first round drawn"
    )
    parser.add_argument(
        "--preview", action="store_true", help=argparse.SUPPRESS
    )  # bot.py leaves its own arguments here
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_until_terminated(with_event=parser.parse_args().event))


if __name__ == "__main__":
    main()
