"""What becomes of a card when the next one follows: it stays to be read, without its buttons."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

import discord
from discord import ui

from cogs.services.lookups import CONNECTION_BROKEN
from host import PostKind
from renderers import WeightedStore

if TYPE_CHECKING:
    from host import Post

log = logging.getLogger(__name__)

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
        self._cards: WeightedStore[tuple[Post, discord.Message]] = WeightedStore(limit, _weight, "cards with buttons")
        self._newest: dict[int, int] = {}
        """The message of a game's newest card, by game."""

    def keep(self, post: Post, card: discord.Message) -> int:
        """Remember a card that was posted; its id. What is no card has no successor that would retire it."""
        if post.kind not in _CARDS:
            return card.id
        self._cards.keep(card.id, (replace(post, message_id=card.id), card))
        self._newest[post.game_id] = card.id
        if len(self._newest) > 2 * len(self._cards):
            self._newest = {game: newest for game, newest in self._newest.items() if newest in self._cards}
        return card.id

    def newest(self, game_id: int) -> Post | None:
        """The newest post of a game, as far as this process has sent it."""
        known = self._cards.find(self._newest.get(game_id, 0))
        return None if known is None else known[0]

    def take(self, message_id: int) -> discord.Message | None:
        """The card with this id, if it is known; it is not kept any longer."""
        post, card = self._cards.take(message_id) or (None, None)
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
