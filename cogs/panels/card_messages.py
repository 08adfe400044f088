"""Posting the *cards* of games, the public messages that show each move.

The module finds the place of a card, checks the permission to post, sends the card and *retires* the one before. A
retired card stays readable, but loses its buttons.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final, assert_never
from urllib.parse import urlsplit

import discord
from discord import ui

from cogs.panels.cards import Card
from cogs.services.lookups import CONNECTION_BROKEN
from host import Game, Host, Post, PostKind
from host.notifications import POSTS, Where
from renderers import SizedCache

log = logging.getLogger(__name__)

THREAD_ARCHIVED: Final = 50083


def places_of(game: Game, kind: PostKind = PostKind.CARD) -> list[int]:
    """Return the places for a post about a game, the preferred first; notices about places have just one."""
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


async def respect_quiet_hours(host: Host, post: Post, card: Card) -> Card:
    """Remove the pings of users in their quiet hours from a card; without any pings left, it is silent."""
    if not POSTS[post.kind].pings:
        return replace(card, pinged=None, players=())
    if post.game.settings.lesson:  # its learner is reading along
        return card
    quiet_users = await host.deferred_notifications.defer_quiet(post.game, card.players) if card.players else ()
    if quiet_users:
        awake = [user_id for user_id in card.players if user_id not in quiet_users]
        card = replace(card, players=awake, silent=not (awake or card.pinged))
    if card.pinged is None:
        return card
    person = post.game.person_to_act
    user_preferences = card.user_preferences if person is not None and person.user_id == card.pinged else None
    quiet, direct = await host.turn_reminders.delivery_mode(post.game, post.revision, card.pinged, user_preferences)
    if quiet:
        return replace(card, pinged=None, silent=not card.players)
    return replace(card, direct=direct)


async def send_card(
    bot: discord.Client, channel: discord.PartialMessageable, card: Card, nonce: str
) -> discord.Message:
    """Post a card, reopening its thread if that is archived and locked: sending alone does not reopen it."""

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
    """Return True if the bot may post a game's cards, None if that is unknown."""
    guild = client.get_guild(game.guild_id)
    if guild is None or guild.me is None:
        return None
    return any(_may_post_in(guild, game, place) for place in places_of(game))


def _may_post_in(guild: discord.Guild, game: Game, place: int) -> bool:
    """Return True if the bot's permissions allow cards in a place of a game."""
    channel = guild.get_channel_or_thread(place)
    in_thread = isinstance(channel, discord.Thread) or channel is None
    if channel is None and place != game.channel_id:  # an archived thread is not known until it is posted in
        channel = guild.get_channel(game.channel_id)
    if channel is None:
        return False
    allowed = channel.permissions_for(guild.me)
    return allowed.view_channel and (allowed.send_messages_in_threads if in_thread else allowed.send_messages)


def place_is_open(client: discord.Client, game: Game) -> bool | None:
    """Return True if a game's own place is open to the bot and the players, None if the cache does not say."""
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
    """Return True if a place is a locked thread that is not archived; posting reopens an archived one."""
    guild = client.get_guild(game.guild_id)
    thread = None if guild is None else guild.get_channel_or_thread(place)
    return isinstance(thread, discord.Thread) and thread.locked and not thread.archived


def log_silence(post: Post, reason: str) -> None:
    """Log once that a game is silent: its players wait for a card that cannot be posted."""
    level = logging.DEBUG if post.refused else logging.ERROR
    game = post.game
    details = {"game": game.code, "ply": post.ply, "server": game.guild_id, "place": game.place}
    log.log(level, "a game is silent, its card cannot be posted: %s", reason, extra=details)


CARDS_WITH_BUTTONS: Final = frozenset(
    {PostKind.START, PostKind.CARD, PostKind.UNDONE, PostKind.REPLACED, PostKind.REOPENED}
)
"""Cards with buttons that the next card takes away."""
CLOSING_NOTICES: Final = frozenset({PostKind.CLOSED, PostKind.ENDED, PostKind.VANISHED})
"""Notices that may end a game without a card."""
_CARDS: Final = CARDS_WITH_BUTTONS | {PostKind.FINAL}
"""Kinds of posts that are cards and may be retired."""

CACHE_BYTES: Final = 8 * 2**20
"""Bytes of cached cards, some eight hundred; the content of others is fetched from Discord."""
_MESSAGE_BYTES: Final = 4096
_COMPONENT_BYTES: Final = 512
"""Bytes of a message without components, and of a component without text; measured, rounded up."""


def without_buttons(message: discord.Message) -> ui.LayoutView:
    """Return the content of a posted card without its buttons, whichever process posted it."""
    view = ui.LayoutView.from_message(message, timeout=None)
    frames: list[Any] = [view, *(child for child in view.children if isinstance(child, ui.Container))]
    for frame in frames:
        kept = [part for item in frame.children for part in _without_buttons(item)]
        frame.clear_items()
        for item in kept:
            frame.add_item(item)
    return view


def _without_buttons(item: ui.Item[Any]) -> Sequence[ui.Item[Any]]:
    """Return a part of a card without its buttons. A line with a button beside it keeps its text."""
    match item:
        case ui.ActionRow():
            return ()
        case ui.Section():
            return item.children
        case ui.MediaGallery():
            item.items = [_by_filename(picture) for picture in item.items]
            return (item,)
        case _:
            return (item,)


class PostedCards:
    """A cache of posted cards, so that retiring a card needs no request for its content."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._cards: SizedCache[tuple[Post, discord.Message]] = SizedCache(limit, _weight, "cards with buttons")
        self._newest: dict[int, int] = {}
        """The message ids of the newest cards, by game id."""

    def keep(self, post: Post, card: discord.Message) -> int:
        """Cache a posted card, and return its id. Other messages are never retired, and not cached."""
        if post.kind not in _CARDS:
            return card.id
        self._cards.put(card.id, (replace(post, message_id=card.id), card))
        self._newest[post.game_id] = card.id
        if len(self._newest) > 2 * len(self._cards):
            self._newest = {game: newest for game, newest in self._newest.items() if newest in self._cards}
        return card.id

    def newest(self, game_id: int) -> Post | None:
        """Return the newest post of a game that this process has sent, if it is cached."""
        card = self._cards.get(self._newest.get(game_id, 0))
        return None if card is None else card[0]

    def take(self, message_id: int) -> discord.Message | None:
        """Remove the card with this id from the cache, and return it if it was there."""
        post, card = self._cards.pop(message_id) or (None, None)
        if post is not None and self._newest.get(post.game_id) == message_id:
            del self._newest[post.game_id]
        return card


def _weight(card: tuple[Post, discord.Message]) -> int:
    """Estimate the bytes of a cached card."""
    return _MESSAGE_BYTES + _weight_of(card[1].components)


def _weight_of(components: Iterable[object]) -> int:
    """Estimate the bytes of these components and of those inside them."""
    return sum(
        _COMPONENT_BYTES + 2 * len(getattr(component, "content", "")) + _weight_of(getattr(component, "children", ()))
        for component in components
    )


def directly_follows(before: Post | None, post: Post) -> bool:
    """Return True if a post directly follows another in the same place: no process can have posted between them."""
    if before is None:
        return False
    in_sequence = (before.game.epoch, before.game.place, before.revision) == (
        post.game.epoch,
        post.game.place,
        post.from_revision,
    )
    return in_sequence and before.id != post.id


async def take_buttons(card: discord.PartialMessage | discord.Message, note: str = "") -> None:
    """Take the buttons off a posted card, if possible; fetch the card first if only its id is known.

    ``note`` is a line to add to the card.
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


def kept_pictures(message: discord.Message) -> list[ui.Item[Any]]:
    """Return the galleries of a message, for an edit that keeps its attachments."""
    names = {attachment.filename for attachment in message.attachments}
    return [
        ui.MediaGallery(*(_by_filename(item) if _filename(item) in names else _by_url(item) for item in part.items))
        for part in _galleries(message)
    ]


def linked_pictures(message: discord.Message) -> list[ui.Item[Any]]:
    """Return galleries with the pictures of another message, which are not uploaded once more.

    Their URLs are valid in a message that Discord has just delivered.
    """
    return [ui.MediaGallery(*map(_by_url, part.items)) for part in _galleries(message)]


def shows_all_pictures(message: discord.Message) -> bool:
    """Return False if Discord has not loaded a picture of a message that it has accepted.

    Such a picture may never appear (discord/discord-api-docs, issue 8072).
    """
    loaded = (None, discord.MediaItemLoadingState.loaded)
    return all(item.media.loading_state in loaded for part in _galleries(message) for item in part.items)


def _galleries(message: discord.Message) -> list[ui.MediaGallery[Any]]:
    parts = ui.LayoutView.from_message(message, timeout=None).walk_children()
    return [part for part in parts if isinstance(part, ui.MediaGallery)]


def _filename(picture: discord.MediaGalleryItem) -> str:
    return PurePosixPath(urlsplit(picture.media.url).path).name


def _by_filename(picture: discord.MediaGalleryItem) -> discord.MediaGalleryItem:
    """Refer to a picture by its file name, because the URL that Discord returns expires."""
    url = f"attachment://{_filename(picture)}"
    return discord.MediaGalleryItem(url, description=picture.description, spoiler=picture.spoiler)


def _by_url(picture: discord.MediaGalleryItem) -> discord.MediaGalleryItem:
    return discord.MediaGalleryItem(picture.media.url, description=picture.description, spoiler=picture.spoiler)
