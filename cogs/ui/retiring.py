"""What becomes of a card when the next one follows: it stays to be read, without its buttons."""

from __future__ import annotations

import logging
from pathlib import PurePosixPath
from typing import Any, cast
from urllib.parse import urlsplit

import discord
from discord import ui

from cogs.ui.answers import CONNECTION_BROKEN

log = logging.getLogger(__name__)


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


async def take_buttons(card: discord.PartialMessage | discord.Message) -> None:
    """Take the buttons from a posted card, if possible."""
    try:
        message = await card.fetch()
        await message.edit(view=without_buttons(message), attachments=message.attachments)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.debug("old buttons stay: %s", error, extra={"card": card.id})


def _uploaded(picture: discord.MediaGalleryItem) -> discord.MediaGalleryItem:
    """A picture under the name of its file: the address that Discord gives out runs out."""
    name = PurePosixPath(urlsplit(picture.media.url).path).name
    return discord.MediaGalleryItem(f"attachment://{name}", description=picture.description, spoiler=picture.spoiler)
