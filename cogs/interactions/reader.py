"""In which language an interaction is answered: that of who reads the answer.

What somebody has chosen comes first, then the language of his Discord, then that of the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.texts.languages import matched, speak

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import TableSettings, Tongue

_UNDECIDED: Final = "language undecided"
_COMMUNITY: Final = "COMMUNITY"
"""The servers that say which language they prefer; all others report English."""


def language_for(interaction: Interaction) -> str:
    """The language of who asks; empty where the table decides. How he uses Discord is remembered."""
    tongues, user_id, locale = interaction.client.host.tongues, interaction.user.id, str(interaction.locale)
    tongues.seen(user_id, locale)
    language = matched(tongues.chosen_by(user_id)) or matched(locale)
    interaction.extras[_UNDECIDED] = not language
    return language


def listens(interaction: Interaction) -> bool:
    """Whether who asks plays by ear."""
    return interaction.client.host.tongues.listens(interaction.user.id)


def in_the_language_of(interaction: Interaction, table: str) -> None:
    """The interaction is about a table, or an event, in this language: who speaks none of ours reads that."""
    if interaction.extras.get(_UNDECIDED):
        speak(table)


def language_of_new_table(interaction: Interaction, settings: TableSettings) -> str:
    """In which language a table is told that is being opened: as the server says, else as who opens it speaks."""
    guild = interaction.guild
    prefers = str(guild.preferred_locale) if guild is not None and _COMMUNITY in guild.features else ""
    return matched(settings.language) or matched(prefers) or language_for(interaction)


def language_from(tongue: Tongue, settings: TableSettings) -> str:
    """The language of somebody to whom no interaction answers, about a table."""
    return matched(tongue.chosen) or matched(tongue.locale) or settings.language
