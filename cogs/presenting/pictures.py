"""Pictures with their alt texts, and how they stand in a message."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from renderers import PLAYER_MARKS, Picture


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture and its alt text."""

    picture: Picture
    alt: str


def attachments(pictures: Sequence[Shown]) -> list[discord.File]:
    """Pictures as files to upload."""
    return [
        discord.File(io.BytesIO(shown.picture.data), shown.picture.filename, description=shown.alt)
        for shown in pictures
    ]


def gallery(pictures: Sequence[Shown]) -> list[ui.Item[Any]]:
    """The pictures one below the other: side by side Discord crops them, and a phone shows them half as wide."""
    return [
        ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{shown.picture.filename}", description=shown.alt))
        for shown in pictures
    ]


def colour_of(seat: int) -> int:
    """The colour of a seat, as Discord numbers colours."""
    red, green, blue = PLAYER_MARKS[seat].colour
    return red << 16 | green << 8 | blue
