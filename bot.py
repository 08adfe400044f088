"""Castellan: the composition root. Settings, logging, store, host, client; without a token, the preview."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import runpy
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import discord
import yarl
from dotenv import load_dotenv

from cogs.client import CastellanBot
from engine import the_castle
from engine.the_castle import TileFileError, read_tiles
from host import Host, HostSettings
from store import Store

if TYPE_CHECKING:
    from host import Clock

log = logging.getLogger("castellan")

DEFAULT_DATABASE: Final = "castellan.sqlite3"
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_PLAIN_RECORD: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment says; ``.env.example`` explains each.

    ``api_base`` and ``gateway`` point the bot at another server than Discord's, as tests do.
    """

    token: str = ""
    database: str = DEFAULT_DATABASE
    guild_id: int | None = None
    log_level: str = "INFO"
    api_base: str = ""
    gateway: str = ""
    table_in_channel: bool = False
    castle_tiles: str = ""

    @staticmethod
    def from_env() -> Settings:
        """Read the environment, and ``.env`` for what is not set there.

        Raises:
            ValueError: CASTELLAN_GUILD_ID is no number.
        """
        load_dotenv(override=False)
        read = os.environ.get
        guild = read("CASTELLAN_GUILD_ID", "").strip()
        return Settings(
            token=read("DISCORD_TOKEN", "").strip(),
            database=read("CASTELLAN_DATABASE", "") or DEFAULT_DATABASE,
            guild_id=int(guild) if guild else None,
            log_level=(read("CASTELLAN_LOG_LEVEL", "") or "INFO").upper(),
            api_base=read("CASTELLAN_API_BASE", ""),
            gateway=read("CASTELLAN_GATEWAY", ""),
            table_in_channel=read("CASTELLAN_TABLE_IN_CHANNEL", "").strip().lower() in _TRUE,
            castle_tiles=read("CASTLE_TILES", "").strip(),
        )


class LogfmtFormatter(logging.Formatter):
    """One line a record: time, level, logger, message, then ``name=value`` for everything that was passed as extra."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """The line before a traceback."""
        extras = [f"{name}={value!r}" for name, value in record.__dict__.items() if name not in _PLAIN_RECORD]
        return " ".join([super().formatMessage(record), *extras])


def start_logging(level: str) -> None:
    """Log to the standard error stream."""
    handler = logging.StreamHandler()
    handler.setFormatter(LogfmtFormatter())
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("alembic").setLevel(logging.WARNING)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # we play no sound


def use_servers(settings: Settings) -> None:
    """Point discord.py at the servers of the settings."""
    if settings.api_base:
        discord.http.Route.BASE = settings.api_base
    if settings.gateway:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


def material(settings: Settings) -> dict[str, dict[str, Any]]:
    """What new games are set up with beside what a lobby says: an owner's castle tiles.

    Raises:
        SystemExit: the file cannot be read, or its tiles cannot be those of the game; says where and why.
    """
    if not settings.castle_tiles:
        return {}
    try:
        tiles = read_tiles(Path(settings.castle_tiles).read_text(encoding="utf-8"))
    except TileFileError as error:
        raise SystemExit("\n".join([f"CASTLE_TILES, {settings.castle_tiles}:", *error.problems])) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"CASTLE_TILES, {settings.castle_tiles}: cannot be read: {error}") from error
    log.info("new games of The Castle are played with the tiles of %s", settings.castle_tiles)
    return {the_castle.GAME: {"tiles": tiles}}


async def build_bot(settings: Settings, *, clock: Clock | None = None) -> CastellanBot:
    """The bot, its database open, not yet connected; closing it closes everything.

    Raises:
        SystemExit: what the settings name cannot be used.
    """
    use_servers(settings)
    host_settings = HostSettings(material=material(settings))
    store = await Store.open(settings.database)
    host = Host(store, clock=clock, settings=host_settings)
    await host.start()
    bot = CastellanBot(host, table_in_channel=settings.table_in_channel, guild_id=settings.guild_id)
    bot.at_close.push_async_callback(store.close)
    bot.at_close.push_async_callback(host.close)
    return bot


async def run(settings: Settings) -> None:
    """Play until SIGTERM or SIGINT."""
    bot = await build_bot(settings)
    bot.atelier.warm_up()
    gc.collect()
    gc.freeze()  # what is loaded by now stays; looking through it again and again would hold up the event loop
    closing: list[asyncio.Task[None]] = []

    def close() -> None:
        if not closing:
            closing.append(asyncio.create_task(bot.close(), name="close"))

    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows has no signal handlers in its event loop
            asyncio.get_running_loop().add_signal_handler(number, close)
    try:
        await bot.start(settings.token)
    finally:
        close()
        await closing[0]
    log.info("closed")


def main() -> None:
    """Run the bot; without a token, the preview on an offline Discord."""
    settings = Settings.from_env()
    start_logging(settings.log_level)
    if not settings.token:
        runpy.run_module("preview", run_name="__main__")
        return
    asyncio.run(run(settings))


if __name__ == "__main__":
    main()
