"""The composition root of Castellan: settings, log, store, host and client; ``--preview`` runs the offline Discord."""

from __future__ import annotations

import asyncio
import gc
import logging
import runpy
import signal
import sys
from argparse import ArgumentParser
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import yarl

from cogs.client import CastellanBot
from cogs.tree import UnknownServerError
from engine import the_castle
from engine.the_castle import TileFileError, read_tiles
from host import Host, HostSettings, SharedClock, WorkerLimits
from host.retry import retry_forever
from operations import database
from operations.logs import start_logging
from operations.memory import limit_arenas, trim_regularly
from operations.metrics_server import MetricsServer
from operations.settings import Settings, SettingsError, unknown_variables, version
from store.connection.files import display_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from host import Clock

log = logging.getLogger("castellan")

GC_THRESHOLD: Final = 10_000
"""New objects before a garbage collection: a press makes hundreds, nearly all of which are freed without it."""
UNSET = (
    "DISCORD_TOKEN: is not set; put the bot's token into .env (docs/hosting.md), "
    "or try everything in the browser: make play, or python bot.py --preview"
)
NO_PREVIEW = "the preview needs more packages: pip install -r requirements-preview.txt (make play does it)"


def use_servers(settings: Settings) -> None:
    """Point discord.py at the servers of the settings, and silence its warnings about voice, which is not used."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    if settings.api_base:
        discord.http.Route.BASE = settings.api_base
    if settings.gateway:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


def read_material(settings: Settings) -> dict[str, dict[str, Any]]:
    """Read the material of new games that the operator provides, by game: castle tiles of their own.

    Raises:
        SettingsError: the file cannot be read, or its tiles are invalid, with all problems.
    """
    if not settings.castle_tiles:
        return {}
    try:
        tiles = read_tiles(Path(settings.castle_tiles).read_text(encoding="utf-8"))
    except TileFileError as error:
        raise SettingsError(f"CASTLE_TILES, {settings.castle_tiles}:", *error.problems) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"CASTLE_TILES, {settings.castle_tiles}: cannot be read: {error}") from error
    log.info("new games of The Castle are played with an owner's tiles", extra={"file": settings.castle_tiles})
    return {the_castle.GAME: {"tiles": tiles}}


async def build_bot(settings: Settings, *, clock: Clock | None = None) -> CastellanBot:
    """Build the bot with its database open, not yet connected; closing the bot closes everything.

    Raises:
        SettingsError: a setting cannot be used.
    """
    use_servers(settings)
    host_settings = HostSettings(
        material=read_material(settings),
        publish_window=timedelta(seconds=settings.publish_seconds),
        release=version(),
        workers=WorkerLimits(
            workers=settings.computer_processes,
            server_seconds=60 * settings.computer_server_minutes,
            person_seconds=60 * settings.computer_person_minutes,
        ),
    )
    store = await database.open_for_bot(settings)
    host = Host(store, clock=clock or (SharedClock() if store.is_shared else None), settings=host_settings)
    await retry_forever(host.start)
    bot = CastellanBot(
        host,
        table_in_channel=settings.table_in_channel,
        guild_id=settings.guild_id,
        shards=settings.shards,
        requests_a_second=settings.requests_a_second,
        presses_a_second=settings.presses_a_second,
    )
    bot.at_close.push_async_callback(store.close)
    bot.at_close.push_async_callback(host.close)
    games = await retry_forever(host.game_checks.count_unfinished)
    log.info("starting", extra={"version": version(), "database": display_name(settings.database), "games": games})
    return bot


async def run(settings: Settings) -> None:
    """Run the bot until SIGTERM or SIGINT.

    Raises:
        SettingsError: a setting cannot be used, or Discord does not accept it.
    """
    bot = await build_bot(settings)
    bot.render_pool.warm_up()
    gc.collect()
    gc.freeze()  # modules stay for good; scanning them in each full collection would stall the event loop
    gc.set_threshold(GC_THRESHOLD)
    trimming = asyncio.create_task(trim_regularly(), name="memory")
    bot.at_close.callback(trimming.cancel)
    if settings.metrics_port:
        metrics_server = MetricsServer(settings, bot.health)
        bot.at_close.callback(metrics_server.close)
        bot.gauges.start()
        log.info("metrics are served", extra={"host": settings.metrics_host, "port": metrics_server.port})
    closing: list[asyncio.Task[None]] = []

    def close() -> None:
        if not closing:
            closing.append(asyncio.create_task(bot.close(), name="close"))

    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows has no signal handlers in its event loop
            asyncio.get_running_loop().add_signal_handler(number, close)
    try:
        await _connect(bot, settings)
    finally:
        close()
        await closing[0]
        log.info("stopped")


async def _connect(bot: CastellanBot, settings: Settings) -> None:
    """Log in and stay connected until the bot is closed.

    Raises:
        SettingsError: Discord refuses the login, or cannot be reached.
    """
    try:
        await bot.login(settings.token)
    except discord.LoginFailure as error:
        advice = "copy it once more, or make a new one (Bot → Reset Token)"
        raise SettingsError(f"DISCORD_TOKEN: Discord does not accept it; {advice}") from error
    except discord.HTTPException as error:
        raise SettingsError(f"Discord refuses the start, try again later: {error}") from error
    except UnknownServerError as error:
        advice = "invite the bot to it, correct the id, or leave it empty"
        raise SettingsError(f"CASTELLAN_GUILD_ID: the bot is in no server {error.guild_id}; {advice}") from error
    except aiohttp.ClientConnectionError as error:
        if bot.is_closed():  # by SIGTERM, which closes the connection over which the login was waiting
            return
        where = f"CASTELLAN_API_BASE: {settings.api_base}" if settings.api_base else "Discord"
        raise SettingsError(f"{where}: cannot be reached: {error}") from error
    await bot.connect()


def main() -> None:
    """Run the bot, or the preview."""
    parser = ArgumentParser(description="Castellan, on Discord; docs/hosting.md explains the settings.")
    parser.add_argument("--preview", action="store_true", help="the same bot on an offline Discord in the browser")
    parser.add_argument("--version", action="version", version=f"Castellan {version()}")
    if parser.parse_args().preview:
        _preview()
        return
    settings = Settings.from_env()
    if not settings.token:
        raise SettingsError(UNSET)
    limit_arenas()
    start_logging(settings)
    for line in unknown_variables():
        log.warning(line)
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(run(settings))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return a factory of uvloop's event loops, whose requests cost less CPU; None for asyncio's own on Windows."""
    if sys.platform == "win32":
        return None
    import uvloop  # noqa: PLC0415 - there is none for Windows

    return uvloop.new_event_loop


def _preview() -> None:
    try:
        runpy.run_module("preview", run_name="__main__")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "simcord":
            raise
        raise SettingsError(NO_PREVIEW) from error


if __name__ == "__main__":
    main()
