"""People's data: ``forget USER``, ``data USER``."""

from __future__ import annotations

import json
from argparse import Namespace
from datetime import datetime
from typing import TYPE_CHECKING

from host import Host
from operations.database import current
from operations.settings import Settings, SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from operations.commands import Commands


def add(commands: Commands) -> None:
    """Say what may be typed."""
    forget = commands.new("forget", forgotten, "take a person out: open games are resigned, seats of others stay empty")
    _user(forget)
    forget.add_argument("--yes", action="store_true", help="do it; without, only say what would be done")
    _user(commands.new("data", shown, "print everything that is known of a person, as JSON"))


def _user(parser: ArgumentParser) -> None:
    parser.add_argument("user", type=int, metavar="USER", help="the id on Discord, a number of about 18 digits")


async def forgotten(settings: Settings, chosen: Namespace) -> int:
    """Take a person out, if that is confirmed."""
    store = await current(settings)
    try:
        host = Host(store)
        known = await host.forgetting.everything(chosen.user)
        count = await host.forgetting.open_games(chosen.user)
        if not any(known.values()):
            raise SettingsError(f"nothing is known of {chosen.user}")
        if not chosen.yes:
            finished = len(known["games"]) - count
            print(f"{count} open games would be resigned, {finished} finished ones keep an empty seat")
            print("nothing was changed; add --yes to do it")
            return 1
        resigned = await host.forgetting.forget(chosen.user)
    finally:
        await store.close()
    print(f"{chosen.user} is forgotten; {resigned} open games were resigned")
    return 0


async def shown(settings: Settings, chosen: Namespace) -> int:
    """Print everything that is known of a person."""
    store = await current(settings)
    try:
        known = await Host(store).forgetting.everything(chosen.user)
    finally:
        await store.close()
    print(json.dumps(known, indent=2, default=_plain, ensure_ascii=False))
    return 0


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
