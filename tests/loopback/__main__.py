"""`python -m tests.loopback`: serve the small Discord until Ctrl+C, to rehearse hosting (docs/hosting.md)."""

import asyncio
import contextlib
import signal

from tests.loopback.server import LoopbackDiscord

SETTINGS = """\
A Discord with one server and three members listens on this machine. Lines for .env:

DISCORD_TOKEN={token}
CASTELLAN_API_BASE={api}
CASTELLAN_GATEWAY={gateway}

Ctrl+C ends it.
"""


async def serve() -> None:
    """Serve until SIGINT or SIGTERM."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in its event loop
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with LoopbackDiscord() as server:
        print(SETTINGS.format(token=server.token, api=server.base_url, gateway=server.gateway_url), flush=True)
        await ended.wait()


if __name__ == "__main__":
    asyncio.run(serve())
