"""Where the cards of a game go, whether they can be posted there, and posting one."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

import discord

from host import PostKind
from host.notifications import POSTS, Where

if TYPE_CHECKING:
    from cogs.panels.cards import Card
    from host import Game, Host, Post

log = logging.getLogger(__name__)

THREAD_ARCHIVED: Final = 50083


def places_of(game: Game, kind: PostKind = PostKind.CARD) -> list[int]:
    """Where a game's cards may go, the right place first; what tells of places has just one."""
    match POSTS[kind].where:
        case Where.GAME_ALONE:
            return [game.place]
        case Where.CHANNEL:
            return [game.channel_id]
        case Where.GAME:
            return list(dict.fromkeys((game.place, game.channel_id)))
        case Where.EVENT | Where.ORGANISERS:
            raise ValueError(f"not posted in a game's place: {kind}")
        case never:
            assert_never(never)


async def considerate(host: Host, post: Post, card: Card) -> Card:
    """The card as it is posted now: without a ping for who has quiet hours, and silently where it pings nobody else."""
    if not POSTS[post.kind].pings:
        return replace(card, pinged=None, players=())
    asleep = await host.news.asleep(post.game, card.players) if card.players else ()
    if asleep:
        awake = [user_id for user_id in card.players if user_id not in asleep]
        card = replace(card, players=awake, silent=not (awake or card.pinged))
    if card.pinged is None:
        return card
    asked = post.game.person_to_act
    wishes = card.wishes if asked is not None and asked.user_id == card.pinged else None
    quiet, direct = await host.calls.manner(post.game, post.revision, card.pinged, wishes)
    if quiet:
        return replace(card, pinged=None, silent=not card.players)
    return replace(card, direct=direct)


async def send_card(
    bot: discord.Client, channel: discord.PartialMessageable, card: Card, nonce: str
) -> discord.Message:
    """Post a card; a thread that was archived and locked, which sending alone does not open, is opened."""

    async def send() -> discord.Message:
        mentions, files = card.mentions(), card.files()
        return await channel.send(
            view=card.view, files=files, allowed_mentions=mentions, nonce=nonce, silent=card.silent
        )

    try:
        return await send()
    except discord.HTTPException as error:
        if error.code != THREAD_ARCHIVED:
            raise
    thread = await bot.fetch_channel(channel.id)
    if isinstance(thread, discord.Thread):
        await thread.edit(archived=False, locked=False)
    return await send()


def may_post(client: discord.Client, game: Game) -> bool | None:
    """Whether the bot may post a game's cards; None when that is not known."""
    guild = client.get_guild(game.guild_id)
    if guild is None or guild.me is None:
        return None
    return any(_may_post_in(guild, game, place) for place in places_of(game))


def _may_post_in(guild: discord.Guild, game: Game, place: int) -> bool:
    channel = guild.get_channel_or_thread(place)
    in_thread = isinstance(channel, discord.Thread) or channel is None
    if channel is None and place != game.channel_id:  # an archived thread is not known until it is posted in
        channel = guild.get_channel(game.channel_id)
    if channel is None:
        return False
    allowed = channel.permissions_for(guild.me)
    return allowed.view_channel and (allowed.send_messages_in_threads if in_thread else allowed.send_messages)


def stands(client: discord.Client, game: Game) -> bool | None:
    """Whether a game's own place is open to the bot and to who plays there; None when the cache does not say."""
    guild = client.get_guild(game.guild_id)
    if guild is None or guild.unavailable or guild.me is None:
        return None
    place = guild.get_channel_or_thread(game.place)
    if place is None:  # a thread may be archived: then it is open
        return False if game.place == game.channel_id else None
    if isinstance(place, discord.Thread) and place.locked:
        return False
    try:
        allowed = place.permissions_for(guild.me)
    except discord.ClientException:  # a thread whose channel is hidden from the bot
        return False
    send = allowed.send_messages_in_threads if isinstance(place, discord.Thread) else allowed.send_messages
    return allowed.view_channel and send


def is_locked(client: discord.Client, game: Game, place: int) -> bool:
    """Whether a place is a thread that is open, but locked; what is archived, too, is opened by writing in it."""
    guild = client.get_guild(game.guild_id)
    thread = None if guild is None else guild.get_channel_or_thread(place)
    return isinstance(thread, discord.Thread) and thread.locked and not thread.archived


def tell_silence(post: Post, reason: str) -> None:
    """Say once that a game has fallen silent: its players wait for a card that cannot be shown."""
    level = logging.DEBUG if post.refused else logging.ERROR
    game = post.game
    details = {"game": game.code, "ply": post.ply, "server": game.guild_id, "place": game.place}
    log.log(level, "a game is silent, its card cannot be posted: %s", reason, extra=details)
