"""What is shown where Discord refuses something: less of it, so that no defect of a picture or a button is the end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

import discord
from discord import ui

from cogs.presenting.pictures import Shown, attachments
from engine import EngineError
from host.observability import reference as present_reference

if TYPE_CHECKING:
    from cogs.services.bot import Interaction

CardShape: TypeAlias = Callable[[str], tuple[ui.LayoutView, Sequence[Shown]]]
"""A message as a view and its pictures; handed the reference of what went wrong before, if anything."""

log = logging.getLogger(__name__)

_TOO_LARGE: Final = 413
_BAD_REQUEST: Final = 400
_OF_THE_PLACE: Final = frozenset({50083, 30046})
"""What Discord objects to about the place, not about the message: an archived thread, too many edits."""


class Detail(IntEnum):
    """How much a message shows."""

    FULL = 0
    WORDS = 1
    """Without pictures."""
    BARE = 2
    """The least with which the game goes on."""


def is_defect(error: Exception) -> bool:
    """Whether less of the message might do: Discord objects to what is in it."""
    if not isinstance(error, discord.HTTPException):
        return False
    return error.status in {_BAD_REQUEST, _TOO_LARGE} and error.code not in _OF_THE_PLACE


async def show_plainly(interaction: Interaction, shapes: Sequence[CardShape], **details: object) -> None:
    """Fill the answer to an interaction with the first of these that Discord takes, from full to bare."""
    reference = ""
    for number, shape in enumerate(shapes):
        try:
            view, pictures = shape(reference)
            await interaction.edit_original_response(view=view, attachments=attachments(pictures))
        except discord.HTTPException as error:
            if not is_defect(error) or number == len(shapes) - 1:
                raise
            reference = report("a panel", error, {"interaction": interaction.id, **details})
        else:
            return


def spared(what: str, drawing: Callable[[], list[Shown]], **details: object) -> tuple[list[Shown], str]:
    """Pictures, or none and a reference when they cannot be drawn: there are words, too."""
    try:
        return drawing(), ""
    except EngineError:
        raise  # what was asked for is wrong, not the drawing
    except Exception as error:  # noqa: BLE001 - a defect of a picture is no reason to show nothing
        return [], report(what, error, details)


def report(what: str, error: Exception, details: Mapping[str, object]) -> str:
    """Say loudly in the log what could not be shown; the reference under which it stands there."""
    told = {"reference": present_reference(), **details}
    log.error("%s could not be shown as usual, reference %s", what, told["reference"], exc_info=error, extra=told)
    return str(told["reference"])
