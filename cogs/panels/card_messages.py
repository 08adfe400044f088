"""Messages of cards: the place where a game's cards go, whether they can be posted there, posting, retiring old ones.

When the next card follows, the one before stays to be read, without its buttons.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, assert_never, cast
from urllib.parse import urlsplit

import discord
from discord import ui

from cogs.services.lookups import CONNECTION_BROKEN
from host import PostKind
from host.notifications import POSTS, Where
from renderers import SizedCache

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


ASKING: Final = frozenset({PostKind.START, PostKind.CARD, PostKind.UNDONE, PostKind.REPLACED, PostKind.REOPENED})
"""Cards with buttons that a later one takes away."""
CLOSES: Final = frozenset({PostKind.CLOSED, PostKind.ENDED, PostKind.VANISHED})
"""Notices, not cards, with which a game may be over."""
_CARDS: Final = ASKING | {PostKind.FINAL}

KEPT: Final = 8 * 2**20
"""Bytes of cards that are remembered: some eight hundred; of the others Discord is asked what they show."""
_BARE: Final = 4096
_PER_COMPONENT: Final = 512
"""Bytes of a message without its components, and of one of these without its words; measured, rounded up."""


def without_buttons(message: discord.Message) -> ui.LayoutView:
    """The words and pictures of a posted card, as its new content; whichever process has posted it."""
    view = ui.LayoutView.from_message(message, timeout=None)
    for item in list(view.walk_children()):
        match item:
            case ui.ActionRow():
                cast("ui.Container[Any]", item.parent or view).remove_item(item)
            case ui.MediaGallery():
                item.items = [_uploaded(picture) for picture in item.items]
            case _:
                pass
    return view


class PostedCards:
    """Posted cards as Discord took them: what they show need not be asked for when they are retired."""

    def __init__(self, limit: int = KEPT) -> None:
        self._cards: SizedCache[tuple[Post, discord.Message]] = SizedCache(limit, _weight, "cards with buttons")
        self._newest: dict[int, int] = {}
        """The message of a game's newest card, by game."""

    def keep(self, post: Post, card: discord.Message) -> int:
        """Remember a card that was posted; its id. What is no card has no successor that would retire it."""
        if post.kind not in _CARDS:
            return card.id
        self._cards.put(card.id, (replace(post, message_id=card.id), card))
        self._newest[post.game_id] = card.id
        if len(self._newest) > 2 * len(self._cards):
            self._newest = {game: newest for game, newest in self._newest.items() if newest in self._cards}
        return card.id

    def newest(self, game_id: int) -> Post | None:
        """The newest post of a game, as far as this process has sent it."""
        known = self._cards.get(self._newest.get(game_id, 0))
        return None if known is None else known[0]

    def take(self, message_id: int) -> discord.Message | None:
        """The card with this id, if it is known; it is not kept any longer."""
        post, card = self._cards.pop(message_id) or (None, None)
        if post is not None and self._newest.get(post.game_id) == message_id:
            del self._newest[post.game_id]
        return card


def _weight(kept: tuple[Post, discord.Message]) -> int:
    """About so many bytes."""
    return _BARE + _weight_of(kept[1].components)


def _weight_of(components: Iterable[object]) -> int:
    return sum(
        _PER_COMPONENT + 2 * len(getattr(component, "content", "")) + _weight_of(getattr(component, "children", ()))
        for component in components
    )


def follows(before: Post | None, post: Post) -> bool:
    """Whether a post is the very next one of its game in the same place, so that no other process has sent another."""
    if before is None:
        return False
    same = (before.game.epoch, before.game.place, before.revision) == (
        post.game.epoch,
        post.game.place,
        post.from_revision,
    )
    return same and before.id != post.id


async def take_buttons(card: discord.PartialMessage | discord.Message, note: str = "") -> None:
    """Take the buttons from a posted card, if possible; one that is only known by its id is asked for first.

    ``note`` is what it says from then on, besides.
    """
    try:
        message = card if isinstance(card, discord.Message) else await card.fetch()
        view = without_buttons(message)
        if note:
            frame = next((child for child in view.children if isinstance(child, ui.Container)), view)
            frame.add_item(ui.TextDisplay(note))
        await message.edit(view=view, attachments=message.attachments)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.debug("old buttons stay: %s", error, extra={"card": card.id})


def _uploaded(picture: discord.MediaGalleryItem) -> discord.MediaGalleryItem:
    """A picture under the name of its file: the address that Discord gives out runs out."""
    name = PurePosixPath(urlsplit(picture.media.url).path).name
    return discord.MediaGalleryItem(f"attachment://{name}", description=picture.description, spoiler=picture.spoiler)
