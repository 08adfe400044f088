"""Addresses of places and messages, to point a player at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host import Game, Host


def link(guild_id: int, channel_id: int, message_id: int | None = None) -> str:
    """The address of a channel or thread, or of a message in it."""
    address = f"https://discord.com/channels/{guild_id}/{channel_id}"
    return f"{address}/{message_id}" if message_id else address


async def table_link(host: Host, game: Game) -> str:
    """The address of the newest card of a game; of its channel while there is none."""
    post = await host.outbox.last_sent(game.id)
    return link(game.guild_id, game.place, post.message_id if post else None)
