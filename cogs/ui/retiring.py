"""What becomes of a card when the next one follows: it stays to be read, without its buttons."""

from __future__ import annotations

import logging
from collections import OrderedDict
from pathlib import PurePosixPath
from typing import Any, Final, cast
from urllib.parse import urlsplit

import discord
from discord import ui

from cogs.ui.answers import CONNECTION_BROKEN

log = logging.getLogger(__name__)

MOST: Final = 1024
"""Cards that are remembered, some ten KiB each; of the others Discord is asked what they show."""


def without_buttons(message: discord.Message) -> ui.LayoutView:
    """The words and pictures of a posted card, as its new content; whichever process has posted it."""
    view = ui.LayoutView.from_message(message, timeout=None)
    for item in list(view.walk_children()):
        match item:
            case ui.ActionRow():
                cast("ui.Container[Any]", item.parent or view).remove_item(item)
            case ui.MediaGallery():
                item.items = [_uploaded(picture) for picture in item.items]
    return view


class Standing:
    """Posted cards as Discord took them: what they show need not be asked for when they are retired."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._cards: OrderedDict[int, discord.Message] = OrderedDict()

    def keep(self, card: discord.Message) -> int:
        """Remember a card that was posted; its id."""
        self._cards[card.id] = card
        if len(self._cards) > self._most:
            self._cards.popitem(last=False)
        return card.id

    def take(self, message_id: int) -> discord.Message | None:
        """The card with this id, if it is known; it is not kept any longer."""
        return self._cards.pop(message_id, None)


async def take_buttons(card: discord.PartialMessage | discord.Message) -> None:
    """Take the buttons from a posted card, if possible; one that is only known by its id is asked for first."""
    try:
        message = card if isinstance(card, discord.Message) else await card.fetch()
        await message.edit(view=without_buttons(message), attachments=message.attachments)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.debug("old buttons stay: %s", error, extra={"card": card.id})


def _uploaded(picture: discord.MediaGalleryItem) -> discord.MediaGalleryItem:
    """A picture under the name of its file: the address that Discord gives out runs out."""
    name = PurePosixPath(urlsplit(picture.media.url).path).name
    return discord.MediaGalleryItem(f"attachment://{name}", description=picture.description, spoiler=picture.spoiler)
